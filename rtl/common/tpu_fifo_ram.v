// FIFO in block RAM, first word fall-through.
//
// The memory's read register is the output stage, so a word written into an empty FIFO appears two cycles later;
// one word per cycle passes after that. Holds DEPTH words and one more in the output stage. in_ready does not
// depend on out_ready.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_fifo_ram #(
  // Bits per word
  parameter WIDTH = 32,
  // Words, a power of two
  parameter DEPTH = 64
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             in_valid,
  output wire             in_ready,
  input  wire [WIDTH-1:0] in_data,

  output wire             out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_data
);

  localparam AW = $clog2(DEPTH);

  generate
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check_depth
      ERROR_tpu_fifo_ram_DEPTH_must_be_a_power_of_two check ();
    end
  endgenerate

  // One bit more than an address, so that full and empty differ.
  reg  [AW:0] wr_ptr_q;
  reg  [AW:0] rd_ptr_q;
  reg         out_valid_q;

  wire [AW:0] level = wr_ptr_q - rd_ptr_q;
  wire        push  = in_valid && in_ready;
  // Reads the next word as soon as the output stage is or becomes free.
  wire        fetch = (level != {(AW+1){1'b0}}) && (!out_valid_q || out_ready);

  assign in_ready  = !level[AW];
  assign out_valid = out_valid_q;

  tpu_ram_1r1w #(
    .WIDTH (WIDTH),
    .DEPTH (DEPTH)
  ) u_ram (
    .clk     (clk),
    .wr_en   (push),
    .wr_addr (wr_ptr_q[AW-1:0]),
    .wr_data (in_data),
    .rd_en   (fetch),
    .rd_addr (rd_ptr_q[AW-1:0]),
    .rd_data (out_data)
  );

  always @(posedge clk) begin
    if (push) begin
      wr_ptr_q <= wr_ptr_q + 1'b1;
    end
    if (fetch) begin
      rd_ptr_q    <= rd_ptr_q + 1'b1;
      out_valid_q <= 1'b1;
    end else if (out_ready) begin
      out_valid_q <= 1'b0;
    end
    if (rst) begin
      wr_ptr_q    <= {(AW+1){1'b0}};
      rd_ptr_q    <= {(AW+1){1'b0}};
      out_valid_q <= 1'b0;
    end
  end

  `TPU_ASSERT(a_level_within_depth, level <= DEPTH[AW:0])

endmodule

`default_nettype wire
