// Small FIFO in registers or distributed RAM, first word fall-through.
//
// out_data is valid in the cycle after the word was written; in_ready does not depend on out_ready. For depths
// that deserve block RAM there is tpu_fifo_ram.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_fifo #(
  // Bits per word
  parameter WIDTH = 32,
  // Words, a power of two
  parameter DEPTH = 8
) (
  input  wire                   clk,
  input  wire                   rst,

  input  wire                   in_valid,
  output wire                   in_ready,
  input  wire [WIDTH-1:0]       in_data,

  output wire                   out_valid,
  input  wire                   out_ready,
  output wire [WIDTH-1:0]       out_data,

  // Words held
  output wire [$clog2(DEPTH):0] level
);

  localparam AW = $clog2(DEPTH);

  generate
    if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check_depth
      ERROR_tpu_fifo_DEPTH_must_be_a_power_of_two check ();
    end
  endgenerate

  reg [WIDTH-1:0] words [0:DEPTH-1];
  // One bit more than an address, so that full and empty differ.
  reg [AW:0]      wr_ptr_q;
  reg [AW:0]      rd_ptr_q;

  wire push = in_valid && in_ready;
  wire pop  = out_valid && out_ready;

  assign level     = wr_ptr_q - rd_ptr_q;
  assign in_ready  = !level[AW];
  assign out_valid = level != {(AW+1){1'b0}};
  assign out_data  = words[rd_ptr_q[AW-1:0]];

  always @(posedge clk) begin
    if (push) begin
      words[wr_ptr_q[AW-1:0]] <= in_data;
    end
  end

  always @(posedge clk) begin
    if (push) begin
      wr_ptr_q <= wr_ptr_q + 1'b1;
    end
    if (pop) begin
      rd_ptr_q <= rd_ptr_q + 1'b1;
    end
    if (rst) begin
      wr_ptr_q <= {(AW+1){1'b0}};
      rd_ptr_q <= {(AW+1){1'b0}};
    end
  end

  `TPU_ASSERT(a_level_within_depth, level <= DEPTH[AW:0])

endmodule

`default_nettype wire
