// An array for miters around it: outputs are anything, the same for the original and the change, which must give it the same rows. That
// nothing else counts than valid rows is proved in formal/tpu_array.v.
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
  parameter ADD_LATENCY = 1
) (
  input  wire                        clk,
  input  wire                        rst,

  input  wire                        row_valid,
  input  wire [LANES*A_BITS-1:0]     row_data,
  input  wire [$clog2(ACC_ROWS)-1:0] row_acc,
  input  wire                        row_accumulate,
  input  wire                        row_last,
  output wire                        row_done,

  input  wire [LANES*W_BITS-1:0]     wt_data,
  input  wire                        wt_first,
  input  wire                        tile_swap,

  input  wire                        acc_rd_valid,
  output wire                        acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0] acc_rd_row,
  output wire [32*LANES-1:0]         acc_rd_data
);

  localparam AW  = $clog2(ACC_ROWS);
  localparam ROW = LANES * A_BITS + AW + 3;

  miter_cut #(
    .IN  (ROW + LANES * W_BITS + 3 + AW + 1),
    .OUT (32 * LANES + 2)
  ) u_cut (
    .in  ({{row_valid, row_data, row_acc, row_accumulate, row_last} & {ROW{row_valid}},
           wt_data, wt_first, tile_swap, rst, {acc_rd_valid, acc_rd_row} & {(1+AW){acc_rd_valid}}}),
    .out ({row_done, acc_rd_ready, acc_rd_data})
  );

endmodule

`default_nettype wire
