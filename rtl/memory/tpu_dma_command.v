// First stage of LOAD and STORE: holds the instruction while rows * row_bytes is computed.
//
// The product says where the byte stream ends, and lets rows that lie contiguously be transferred as one. It is
// computed by one adder, one bit of `rows` per cycle: a command is ready 1 + (bits of rows) cycles after it was accepted, while
// the units behind are still busy with earlier ones.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_dma_command (
  input  wire         clk,
  input  wire         rst,
  // Accepts and gives nothing more
  input  wire         stop,

  // Instruction: a LOAD, or a STORE, whose fields lie in the same places
  input  wire         cmd_valid,
  output wire         cmd_ready,
  input  wire [511:0] cmd,
  input  wire [31:0]  cmd_index,

  // Decoded instruction; all fields are stable while out_valid
  output wire         out_valid,
  input  wire         out_ready,
  // Memory side, for tpu_dma_bursts
  output wire [63:0]  out_addr,
  output wire [63:0]  out_bytes,
  output wire [31:0]  out_rows,
  output wire [31:0]  out_stride,
  // Buffer side
  output wire [63:0]  out_total,
  output wire [1:0]   out_destination,
  output wire [15:0]  out_row,
  output wire [15:0]  out_plane_stride,
  output wire [23:0]  out_pixel_bytes,
  output wire [15:0]  out_pixel_stride,
  output wire [31:0]  out_index,

  // An instruction is inside
  output wire         busy
);

  reg         valid_q;
  reg  [31:0] index_q;
  reg  [1:0]  destination_q;
  reg  [63:0] addr_q;
  reg  [31:0] row_bytes_q;
  reg  [31:0] rows_q;
  reg  [31:0] row_stride_q;
  reg  [15:0] row_q;
  reg  [15:0] plane_stride_q;
  reg  [23:0] pixel_bytes_q;
  reg  [15:0] pixel_stride_q;

  // product + multiplicand * multiplier stays rows * row_bytes.
  reg  [63:0] product_q;
  reg  [63:0] multiplicand_q;
  reg  [31:0] multiplier_q;

  wire        accept     = cmd_valid && cmd_ready;
  wire        contiguous = row_stride_q == row_bytes_q || rows_q == 32'd1;

  assign cmd_ready = !valid_q && !stop;
  assign busy      = valid_q;
  assign out_valid = valid_q && multiplier_q == 32'd0 && !stop;

  assign out_addr         = addr_q;
  assign out_bytes        = contiguous ? product_q : {32'd0, row_bytes_q};
  assign out_rows         = contiguous ? 32'd1 : rows_q;
  assign out_stride       = row_stride_q;
  assign out_total        = product_q;
  assign out_destination  = destination_q;
  assign out_row          = row_q;
  assign out_plane_stride = plane_stride_q;
  assign out_pixel_bytes  = pixel_bytes_q;
  assign out_pixel_stride = pixel_stride_q;
  assign out_index        = index_q;

  wire unused = &{1'b0, cmd[511:336], cmd[319:312], cmd[95:10], cmd[7:0]};

  always @(posedge clk) begin
    if (accept) begin
      index_q        <= cmd_index;
      destination_q  <= cmd[`TPU_LOAD_DESTINATION];
      addr_q         <= cmd[`TPU_LOAD_DRAM_ADDR];
      row_bytes_q    <= cmd[`TPU_LOAD_ROW_BYTES];
      rows_q         <= cmd[`TPU_LOAD_ROWS];
      row_stride_q   <= cmd[`TPU_LOAD_ROW_STRIDE];
      row_q          <= cmd[`TPU_LOAD_ROW];
      plane_stride_q <= cmd[`TPU_LOAD_PLANE_STRIDE];
      pixel_bytes_q  <= cmd[`TPU_LOAD_PIXEL_BYTES];
      pixel_stride_q <= cmd[`TPU_LOAD_PIXEL_STRIDE];
    end
    if (accept || (valid_q && multiplier_q != 32'd0)) begin
      if (accept || multiplier_q[0]) begin
        product_q <= accept ? 64'd0 : product_q + multiplicand_q;
      end
      multiplicand_q <= accept ? {32'd0, cmd[`TPU_LOAD_ROW_BYTES]} : multiplicand_q << 1;
      multiplier_q   <= accept ? cmd[`TPU_LOAD_ROWS] : multiplier_q >> 1;
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
