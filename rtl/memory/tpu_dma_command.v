// First stage of LOAD and STORE: holds the instruction while the length of its byte stream, rows * row_bytes, is computed.
//
// The length says where the stream ends, and lets rows that lie contiguously be transferred as one. It is computed by one adder,
// one bit of rows - 1 per cycle: a command is ready 1 + bits of (rows - 1) cycles after it was accepted, while the units behind are
// still busy with earlier ones.
//
// Lengths are kept less one and in as many bits as an address has; one bit more says that the stream has more bytes than there are
// addresses. Only rows that overlap can have that many inside the address space. Such a transfer is given an address
// outside of it (docs/isa.md, 4).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_dma_command #(
  // Bits of a memory address: 32 .. 64
  parameter AXI_ADDR_WIDTH = 40,
  // Bits of what else belongs to an instruction
  parameter REST_BITS = 32
) (
  input  wire                    clk,
  input  wire                    rst,
  // Accepts and gives nothing more
  input  wire                    stop,

  // Instruction; counts are at least 1
  input  wire                    cmd_valid,
  output wire                    cmd_ready,
  input  wire [63:0]             cmd_addr,
  input  wire [31:0]             cmd_row_bytes,
  input  wire [31:0]             cmd_rows,
  input  wire [31:0]             cmd_stride,
  input  wire [REST_BITS-1:0]    cmd_rest,

  // The same with its length; all fields are stable while out_valid
  output wire                    out_valid,
  input  wire                    out_ready,
  // Memory side, for tpu_dma_bursts
  output wire [AXI_ADDR_WIDTH:0] out_addr,
  output wire [AXI_ADDR_WIDTH:0] out_span,
  output wire [31:0]             out_more,
  output wire [31:0]             out_stride,
  // Buffer side: bytes of the stream - 1
  output wire [AXI_ADDR_WIDTH:0] out_length,
  output wire [REST_BITS-1:0]    out_rest,

  // An instruction is inside
  output wire                    busy
);

  localparam AW = AXI_ADDR_WIDTH;

  reg                 valid_q;
  reg [AW:0]          addr_q;
  // Bytes of a row - 1, rows that are transferred - 1
  reg [31:0]          span_q;
  reg [31:0]          more_q;
  reg [31:0]          stride_q;
  reg                 contiguous_q;
  reg [REST_BITS-1:0] rest_q;

  // length + multiplicand * multiplier stays rows * row_bytes - 1. The top bits are set when something was lost.
  reg [AW:0]          length_q;
  reg [AW:0]          multiplicand_q;
  reg [31:0]          multiplier_q;

  wire                accept       = cmd_valid && cmd_ready;
  wire                computed     = multiplier_q == 32'd0;
  wire                contiguous   = cmd_stride == cmd_row_bytes;
  wire [31:0]         span         = cmd_row_bytes - 32'd1;
  wire [31:0]         more         = cmd_rows - 32'd1;
  wire [64:0]         cmd_addr_ext = {1'b0, cmd_addr};
  wire [AW:0]         sum          = {1'b0, length_q[AW-1:0]} + {1'b0, multiplicand_q[AW-1:0]};
  // `length_q` stays below `multiplicand_q`: if a sum is too large, so is the next multiplicand.
  wire                lost         = multiplicand_q[AW] || sum[AW];

  assign cmd_ready = !valid_q && !stop;
  assign busy      = valid_q;
  assign out_valid = valid_q && computed && !stop;

  assign out_addr   = {addr_q[AW] || (length_q[AW] && !contiguous_q), addr_q[AW-1:0]};
  assign out_span   = contiguous_q ? length_q : {{(AW-31){1'b0}}, span_q};
  assign out_more   = more_q;
  assign out_stride = stride_q;
  assign out_length = length_q;
  assign out_rest   = rest_q;

  wire unused = &{1'b0, cmd_addr_ext};

  always @(posedge clk) begin
    if (accept) begin
      addr_q       <= {|cmd_addr_ext[64:AW], cmd_addr[AW-1:0]};
      span_q       <= span;
      more_q       <= contiguous ? 32'd0 : more;
      stride_q     <= cmd_stride;
      contiguous_q <= contiguous;
      rest_q       <= cmd_rest;
    end
    multiplicand_q <= accept ? {{(AW-31){1'b0}}, cmd_row_bytes}
                             : {multiplicand_q[AW] || multiplicand_q[AW-1], multiplicand_q[AW-2:0], 1'b0};
    multiplier_q   <= accept ? more : multiplier_q >> 1;
    if (accept || multiplier_q[0]) begin
      length_q <= accept ? {{(AW-31){1'b0}}, span} : {lost, sum[AW-1:0]};
    end
  end

  always @(posedge clk) begin
    if (accept) begin
      valid_q <= 1'b1;
    end else if (out_valid && out_ready) begin
      valid_q <= 1'b0;
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
