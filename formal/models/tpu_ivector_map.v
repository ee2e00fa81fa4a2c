// The map for proofs of tpu_ivector_lane around it: its stages 6 to 9 hold what they would, but the value is r ^ {x, y}.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_ivector_lane.vh"

module tpu_ivector_map (
  input  wire                             clk,
  input  wire [`TPU_IVECTOR_ROW_BITS-1:0] row,
  input  wire [31:0]                      word,
  input  wire signed [47:0]               r,
  input  wire signed [31:0]               x,
  input  wire signed [15:0]               y,
  output wire [47:0]                      value
);

  reg [47:0] stage7_q;
  reg [47:0] stage8_q;
  reg [47:0] stage9_q;
  reg [47:0] stage10_q;

  assign value = stage10_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_6_EN]) stage7_q  <= r ^ {x, y};
    if (row[`TPU_IVECTOR_ROW_7_EN]) stage8_q  <= stage7_q;
    if (row[`TPU_IVECTOR_ROW_8_EN]) stage9_q  <= stage8_q;
    if (row[`TPU_IVECTOR_ROW_9_EN]) stage10_q <= stage9_q;
  end

endmodule

`default_nettype wire
