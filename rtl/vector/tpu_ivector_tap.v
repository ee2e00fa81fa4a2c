// One integer lane of IVECTOR up to the combination of a window's taps, stages 3 and 4 of tpu_ivector_lane, controlled by `tap`
// (tpu_ivector_lane.vh):
//
//   3  numbers of their formats; of a pair 256 * the high word, then + the low word
//   4  sum or maximum of 48 bits; b of the last tap inside the bounds
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"

module tpu_ivector_tap (
  input  wire                             clk,

  input  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap,

  // Stage 3: the numbers as they lie in the operands' registers, for each format
  input  wire [7:0]                       a_byte,
  input  wire [15:0]                      a_half,
  input  wire [31:0]                      a_word,
  input  wire [7:0]                       b_byte,
  input  wire [15:0]                      b_half,
  input  wire [31:0]                      b_word,

  // Stage 5, until the next window's first tap is in stage 5
  output wire [47:0]                      window,
  output wire [31:0]                      b
);

  // What several bits of a result depend on stands in functions: called under an enable, they cost a simulation nothing while
  // the stage is empty.

  // ---- Stage 3: numbers ------------------------------------------------------------------------
  function [31:0] number;
    input [1:0]  format;
    input [7:0]  as_byte;
    input [15:0] as_half;
    input [31:0] as_word;
    number = format == `TPU_INTEGER_FORMAT_INT8  ? {{24{as_byte[7]}}, as_byte}
           : format == `TPU_INTEGER_FORMAT_INT16 ? {{16{as_half[15]}}, as_half} : as_word;
  endfunction

  function [40:0] joined;
    input        high;
    input        low;
    input [40:0] before;
    input [31:0] word;
    joined = high ? {word[31], word, 8'd0} : {{9{word[31]}}, word} + (before & {41{low}});
  endfunction

  reg [40:0] a4_q;
  reg [31:0] b4_q;

  always @(posedge clk) begin
    if (tap[`TPU_IVECTOR_TAP_3_EN]) begin
      a4_q <= joined(tap[`TPU_IVECTOR_TAP_3_HIGH], tap[`TPU_IVECTOR_TAP_3_A_FORMAT] == `TPU_INTEGER_FORMAT_PAIR, a4_q,
                     number(tap[`TPU_IVECTOR_TAP_3_A_FORMAT], a_byte, a_half, a_word));
    end
    if (tap[`TPU_IVECTOR_TAP_3_B_EN]) begin
      b4_q <= tap[`TPU_IVECTOR_TAP_3_B_CONSTANT] ? tap[`TPU_IVECTOR_TAP_3_CONSTANT]
                                                 : number(tap[`TPU_IVECTOR_TAP_3_B_FORMAT], b_byte, b_half, b_word);
    end
  end

  // ---- Stage 4: window -------------------------------------------------------------------------
  function [47:0] combined;
    input signed [47:0] a;
    input signed [47:0] before;
    input               first;
    input               inside;
    input               is_max;
    combined = !inside    ? {is_max, 47'd0}
             : first      ? a
             : !is_max    ? before + a
             : a > before ? a : before;
  endfunction

  reg [47:0] window5_q;
  reg [31:0] b5_q;

  assign window = window5_q;
  assign b      = b5_q;

  always @(posedge clk) begin
    if (tap[`TPU_IVECTOR_TAP_4_EN]) begin
      window5_q <= combined({{7{a4_q[40]}}, a4_q}, window5_q, tap[`TPU_IVECTOR_TAP_4_FIRST], tap[`TPU_IVECTOR_TAP_4_INSIDE], tap[`TPU_IVECTOR_TAP_4_MAX]);
    end
    if (tap[`TPU_IVECTOR_TAP_4_B_EN]) begin
      b5_q <= b4_q;
    end
  end

  wire unused = &{1'b0, tap};

endmodule

`default_nettype wire
