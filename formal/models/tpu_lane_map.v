// A lane up to its sum for proofs of tpu_lane_int8 around it: the sum is what the accumulator's word is, which may be anything.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_lane_control.vh"

module tpu_lane_map #(
  parameter WINDOW = 1
) (
  input  wire                     clk,
  input  wire [`TPU_TAP_BITS-1:0] tap,
  input  wire [2:0]               present,
  input  wire [7:0]               a_byte,
  input  wire [31:0]              a_word,
  input  wire [7:0]               b_byte,
  input  wire [7:0]               c_byte,
  output wire [31:0]              sum
);

  assign sum = a_word;

endmodule

`default_nettype wire
