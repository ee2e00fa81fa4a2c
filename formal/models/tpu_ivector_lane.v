// Lanes for proofs of tpu_ivector_lanes around them: each word is an exclusive or of all that its lane gets, turned so that nothing can stand in
// for anything else. What the lanes do with these is proved in formal/tpu_ivector_lane.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_ivector_lane.vh"

module tpu_ivector_lane #(
  parameter LANES = 1
) (
  input  wire                             clk,
  input  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap,
  input  wire [`TPU_IVECTOR_ROW_BITS-1:0] row,
  input  wire [8*LANES-1:0]               a_bytes,
  input  wire [16*LANES-1:0]              a_halves,
  input  wire [32*LANES-1:0]              a_words,
  input  wire [8*LANES-1:0]               b_bytes,
  input  wire [16*LANES-1:0]              b_halves,
  input  wire [32*LANES-1:0]              b_words,
  input  wire [31:0]                      bias,
  input  wire [31:0]                      multiplier,
  input  wire [5:0]                       shift,
  input  wire                             lut_wr_valid,
  input  wire [10:0]                      lut_wr_addr,
  input  wire [7:0]                       lut_wr_data,
  output wire [32*LANES-1:0]              words
);

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      ivector_mix u_mix (
        .a_byte     (a_bytes[8*i +: 8]),
        .a_half     (a_halves[16*i +: 16]),
        .a_word     (a_words[32*i +: 32]),
        .b_byte     (b_bytes[8*i +: 8]),
        .b_half     (b_halves[16*i +: 16]),
        .b_word     (b_words[32*i +: 32]),
        .bias       (bias),
        .multiplier (multiplier),
        .shift      (shift),
        .word       (words[32*i +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
