// An array for miters around it: done, ready and the accumulators are anything in each cycle, the same for the original and the change, which
// must give it the same rows, but may drain different ones. That nothing else counts than valid rows is proved in formal/tpu_array.v.
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

  localparam AW   = $clog2(ACC_ROWS);
  localparam ROW  = LANES * A_BITS + AW + 4;
  localparam WORD = 32 * LANES;

  wire [WORD*ACC_ROWS-1:0] accumulators;

  miter_cut #(
    .IN  (ROW + LANES * W_BITS + 3),
    .OUT (WORD * ACC_ROWS + 2)
  ) u_cut (
    .in  ({{row_valid, row_data, row_acc, row_accumulate, row_last, row_bf16 && BF16 != 0} & {ROW{row_valid}},
           wt_data, wt_first, tile_swap, rst}),
    .out ({row_done, acc_rd_ready, accumulators})
  );

  // Three cycles after the grant, until that of the next one.
  reg            taken1_q, taken2_q;
  reg [WORD-1:0] data1_q, data2_q, data3_q;

  assign acc_rd_data = data3_q;

  always @(posedge clk) begin
    taken1_q <= acc_rd_valid && acc_rd_ready && !rst;
    taken2_q <= taken1_q && !rst;
    data1_q  <= accumulators[acc_rd_row*WORD +: WORD];
    data2_q  <= data1_q;
    if (taken2_q) begin
      data3_q <= data2_q;
    end
  end

endmodule

`default_nettype wire
