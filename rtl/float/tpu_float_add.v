// Adds two binary32 numbers; tpu_float.vh says what becomes of subnormal numbers and NaN.
//
//   cycle t    en: a, b. The smaller number is shifted to the larger one's exponent, and added or subtracted.
//         t+1  finish: the total is normalised and rounded. `sum` has no register: who uses it takes it at the end of this cycle.
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

  input  wire        finish,
  output reg  [31:0] sum
);

`include "tpu_float.vh"

  // What both cycles do stands in functions. A function that is called under an enable costs a simulation nothing while nobody adds. Nothing
  // has more than 32 bits, so that several adders side by side become vector instructions.

  // ---- Cycle t: shift, add or subtract ---------------------------------------------------------------
  // NaN, infinity, subtraction, sign, exponent
  function [11:0] scaled;
    input [31:0] x;
    input [31:0] y;
    reg          subtract;
    reg   [31:0] upper;
    // Its exponent
    reg   [7:0]  lower;
    begin
      subtract = x[31] ^ y[31];
      upper    = x[30:0] < y[30:0] ? y : x;
      lower    = x[30:0] < y[30:0] ? x[30:23] : y[30:23];
      // The upper number is a NaN if any number is one.
      scaled   = {upper[30:23] == 8'hFF && (upper[22:0] != 23'd0 || (lower == 8'hFF && subtract)), upper[30:23] == 8'hFF, subtract,
                  upper[31:23]};
    end
  endfunction

  function [27:0] added;
    input [31:0] x;
    input [31:0] y;
    reg          subtract;
    reg   [30:0] upper;
    reg   [30:0] lower;
    reg   [7:0]  distance;
    reg   [4:0]  places;
    // Two bits behind the significand; ones where its bits stay
    reg   [25:0] significand;
    reg   [25:0] stay;
    reg   [27:0] total;
    reg   [27:0] moved;
    begin
      subtract    = x[31] ^ y[31];
      upper       = x[30:0] < y[30:0] ? y[30:0] : x[30:0];
      lower       = x[30:0] < y[30:0] ? x[30:0] : y[30:0];
      distance    = upper[30:23] - lower[30:23];
      // From 26 places on only the last bit of the moved number is left.
      places      = distance[7:5] != 3'd0 ? 5'd31 : distance[4:0];
      significand = {1'b1, lower[22:0], 2'd0};
      stay        = 26'h3FFFFFF << places;
      moved       = {1'b0, significand >> places, (significand & ~stay) != 26'd0};
      moved       = lower[30:23] == 8'd0 ? 28'd0 : moved;
      total       = {2'b01, upper[22:0], 3'd0};
      total       = upper[30:23] == 8'd0 ? 28'd0 : total;
      added       = total + (moved ^ {28{subtract}}) + {27'd0, subtract};
    end
  endfunction

  reg [11:0] scale_q;
  reg [27:0] total_q;

  always @(posedge clk) begin
    if (en) begin
      scale_q <= scaled(a, b);
      total_q <= added(a, b);
    end
  end

  // ---- Cycle t+1: normalise, round --------------------------------------------------------------------
  function [31:0] finished;
    input [11:0] scale;
    input [27:0] total;
    reg          places_16;
    reg          places_8;
    reg          places_4;
    reg          places_2;
    reg          places_1;
    reg   [27:0] by_16;
    reg   [27:0] by_8;
    reg   [27:0] by_4;
    reg   [27:0] by_2;
    reg   [27:0] by_1;
    reg   [9:0]  exponent;
    reg   [31:0] number;
    begin
      places_16 = total[27:12] == 16'd0;
      by_16     = places_16 ? {total[11:0], 16'd0} : total;
      places_8  = by_16[27:20] == 8'd0;
      by_8      = places_8 ? {by_16[19:0], 8'd0} : by_16;
      places_4  = by_8[27:24] == 4'd0;
      by_4      = places_4 ? {by_8[23:0], 4'd0} : by_8;
      places_2  = by_4[27:26] == 2'd0;
      by_2      = places_2 ? {by_4[25:0], 2'd0} : by_4;
      places_1  = !by_2[27];
      by_1      = places_1 ? {by_2[26:0], 1'd0} : by_2;
      exponent  = {2'd0, scale[7:0]} + 10'd1 - {5'd0, places_16, places_8, places_4, places_2, places_1};
      // What cancels is +0.
      number    = float_rounded(scale[8] && (by_1[27] || !scale[9]), exponent, {by_1[27:3], by_1[2:0] != 3'd0});
      number    = scale[10] ? {scale[8], 8'hFF, 23'd0} : number;
      finished  = scale[11] ? `TPU_FLOAT_NAN : number;
    end
  endfunction

  always @* begin
    sum = 32'd0;
    if (finish) begin
      sum = finished(scale_q, total_q);
    end
  end

endmodule

`default_nettype wire
