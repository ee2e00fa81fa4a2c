// Lanes for proofs of tpu_fvector_lanes around them: each word is an exclusive or of all that its lane gets, turned so that nothing can stand in
// for anything else; what is left is the word turned once more.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"

module tpu_float_lane #(
  parameter LANES = 1
) (
  input  wire                           clk,
  input  wire                           rst,
  input  wire [`TPU_FLOAT_TAP_BITS-1:0] tap,
  input  wire [`TPU_FLOAT_ROW_BITS-1:0] row,
  input  wire [`TPU_UPDATE_BITS-1:0]    update,
  input  wire [32*LANES-1:0]            a_words,
  input  wire [32*LANES-1:0]            b_words,
  input  wire [31:0]                    bias,
  input  wire [31:0]                    multiplier,
  input  wire [32*LANES-1:0]            biases,
  input  wire [32*LANES-1:0]            multipliers,
  output wire [32*LANES-1:0]            left,
  output wire [32*LANES-1:0]            words
);

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      float_mix u_mix (
        .a               (a_words[32*i +: 32]),
        .b               (b_words[32*i +: 32]),
        .bias            (bias),
        .multiplier      (multiplier),
        .lane_bias       (biases[32*i +: 32]),
        .lane_multiplier (multipliers[32*i +: 32]),
        .control         (^{tap, row} ? update[31:0] : ~update[31:0]),
        .word            (words[32*i +: 32]),
        .left            (left[32*i +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
