// Adds two binary32 numbers; tpu_float.vh says what becomes of subnormal numbers and NaN.
//
//   cycle t    en: a, b. The smaller number is shifted to the larger one's exponent, and added or subtracted.
//         t+1  The total is normalised and rounded. `sum` has no register: who uses it takes it at the end of this cycle.
//
// Three bits behind the larger significand are enough. A subtraction that loses one leading bit needs two of them, and the third bit says
// whether a further bit is set. Only numbers whose exponents differ by one at most can lose more leading bits, and then all bits are kept.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_add (
  input  wire        clk,

  input  wire        en,
  input  wire [31:0] a,
  input  wire [31:0] b,

  output wire [31:0] sum
);

`include "tpu_float.vh"

  // What both cycles do stands in functions. A function that is called under an enable costs a simulation nothing while nobody adds.

  // ---- Cycle t: shift, add or subtract ---------------------------------------------------------------
  // NaN, infinity, subtraction, sign, exponent, total
  function [39:0] aligned;
    input [31:0] x;
    input [31:0] y;
    reg          subtract;
    reg   [31:0] upper;
    reg   [30:0] lower;
    reg   [7:0]  distance;
    reg   [50:0] shifted;
    reg   [27:0] total;
    reg   [27:0] moved;
    begin
      subtract = x[31] ^ y[31];
      upper    = x[30:0] < y[30:0] ? y : x;
      lower    = x[30:0] < y[30:0] ? x[30:0] : y[30:0];
      distance = upper[30:23] - lower[30:23];
      // From 26 places on only the last bit of the moved number is left.
      shifted  = {1'b1, lower[22:0], 27'd0} >> (|distance[7:5] ? 5'd31 : distance[4:0]);
      total    = ~|upper[30:23] ? 28'd0 : {2'b01, upper[22:0], 3'd0};
      moved    = ~|lower[30:23] ? 28'd0 : {1'b0, shifted[50:25], |shifted[24:0]};
      total    = subtract ? total - moved : total + moved;
      // The upper number is a NaN if any number is one.
      aligned  = {&upper[30:23] && (|upper[22:0] || (&lower[30:23] && subtract)), &upper[30:23], subtract, upper[31:23], total};
    end
  endfunction

  reg [39:0] aligned_q;

  always @(posedge clk) begin
    if (en) begin
      aligned_q <= aligned(a, b);
    end
  end

  // ---- Cycle t+1: normalise, round --------------------------------------------------------------------
  function [31:0] finished;
    input        is_nan;
    input        is_infinite;
    input        subtract;
    input        sign;
    input [7:0]  exponent;
    input [27:0] total;
    reg   [27:0] by_16;
    reg   [27:0] by_8;
    reg   [27:0] by_4;
    reg   [27:0] by_2;
    reg   [27:0] by_1;
    reg   [4:0]  places;
    begin
      places[4] = ~|total[27:12];
      by_16     = places[4] ? {total[11:0], 16'd0} : total;
      places[3] = ~|by_16[27:20];
      by_8      = places[3] ? {by_16[19:0], 8'd0} : by_16;
      places[2] = ~|by_8[27:24];
      by_4      = places[2] ? {by_8[23:0], 4'd0} : by_8;
      places[1] = ~|by_4[27:26];
      by_2      = places[1] ? {by_4[25:0], 2'd0} : by_4;
      places[0] = ~by_2[27];
      by_1      = places[0] ? {by_2[26:0], 1'd0} : by_2;
      if (is_nan) begin
        finished = `TPU_FLOAT_NAN;
      end else if (is_infinite) begin
        finished = {sign, 8'hFF, 23'd0};
      end else begin
        // What cancels is +0.
        finished = float_rounded(sign && (by_1[27] || !subtract), {2'd0, exponent} + 10'd1 - {5'd0, places}, {by_1[27:3], |by_1[2:0]});
      end
    end
  endfunction

  assign sum = finished(aligned_q[39], aligned_q[38], aligned_q[37], aligned_q[36], aligned_q[35:28], aligned_q[27:0]);

endmodule

`default_nettype wire
