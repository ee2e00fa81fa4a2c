// A lane's taps for proofs of tpu_ivector_lane around them: the window is what the operands' registers hold, which may be anything.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_ivector_lane.vh"

module tpu_ivector_tap (
  input  wire                             clk,
  input  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap,
  input  wire [7:0]                       a_byte,
  input  wire [15:0]                      a_half,
  input  wire [31:0]                      a_word,
  input  wire [7:0]                       b_byte,
  input  wire [15:0]                      b_half,
  input  wire [31:0]                      b_word,
  output wire [47:0]                      window,
  output wire [31:0]                      b
);

  assign window = {a_half, a_word};
  assign b      = b_word;

endmodule

`default_nettype wire
