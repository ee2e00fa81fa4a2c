// Array for proofs of tpu_matrix around it: outputs are anything at any time. What it makes of its inputs is proved in formal/tpu_array.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_array #(
  parameter LANES = 16,
  parameter ACC_ROWS = 2048,
  parameter A_BITS = 8,
  parameter W_BITS = 8,
  parameter PSUM_BITS = 20,
  parameter LATENCY = 1,
  parameter ADD_LATENCY = 1,
  parameter BF16 = 0
) (
  input  wire                        clk,
  input  wire                        rst,

  input  wire                        row_valid,
  input  wire [LANES*A_BITS-1:0]     row_data,
  input  wire [$clog2(ACC_ROWS)-1:0] row_acc,
  input  wire                        row_accumulate,
  input  wire                        row_last,
  input  wire                        row_bf16,
  output wire                        row_done,

  input  wire [LANES*W_BITS-1:0]     wt_data,
  input  wire                        wt_first,
  input  wire                        tile_swap,

  input  wire                        acc_rd_valid,
  output wire                        acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0] acc_rd_row,
  output wire [32*LANES-1:0]         acc_rd_data
);

  (* anyseq *) wire [32*LANES+1:0] any;

  assign {row_done, acc_rd_ready, acc_rd_data} = any;

endmodule

`default_nettype wire
