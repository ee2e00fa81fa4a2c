// Multiplies two binary32 numbers and adds a third one, with one rounding; tpu_float.vh says what becomes of subnormal numbers and NaN.
// With c = -0 the result is the product, and with b = 1 the sum: both are rounded as they should be, and zeros have the right sign.
//
//   cycle t    en[0]: a, b, c. Four partial products; how far the exponents of product and c differ
//         t+1  en[1]: the product
//         t+2  en[2]: the number of the smaller exponent is shifted, and added or subtracted
//         t+3  en[3]: the total is normalised and rounded
//         t+4  result
//
// One operation a cycle. A stage that is not enabled keeps what it holds.
//
// A product has 48 bits, in [1, 4). The total has three bits in front of the point and 48 behind it, and one that says whether a further bit is
// set. Where a subtraction loses more than one leading bit, exponents differ by two at most, and all bits are kept.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_fma (
  input  wire        clk,

  input  wire [3:0]  en,
  input  wire [31:0] a,
  input  wire [31:0] b,
  input  wire [31:0] c,

  output wire [31:0] result
);

`include "tpu_float.vh"

  // ---- Cycle t: partial products, exponents ----------------------------------------------------------
  // What terms_1_q holds
  function [23:0] compared;
    input [31:0] x;
    input [31:0] y;
    input [31:0] z;
    reg          sign;
    reg          zero;
    reg          product_upper;
    reg          product_infinite;
    reg   [9:0]  exponent;
    reg   [9:0]  further;
    reg   [2:0]  special;
    begin
      sign             = x[31] ^ y[31];
      zero             = ~|x[30:23] || ~|y[30:23];
      exponent         = {2'd0, x[30:23]} + {2'd0, y[30:23]} - 10'd127;
      further          = exponent - {2'd0, z[30:23]};
      product_upper    = !zero && (!further[9] || ~|z[30:23]);
      product_infinite = &x[30:23] || &y[30:23];
      special          = 3'd0;
      if (product_infinite || &z[30:23]) begin
        special[2] = (&x[30:23] && |x[22:0]) || (&y[30:23] && |y[22:0]) || (&z[30:23] && |z[22:0])
                     || (product_infinite && (zero || (&z[30:23] && (sign ^ z[31]))));
        special[1] = 1'b1;
        special[0] = product_infinite ? sign : z[31];
      end
      compared[23:11] = {special, product_upper ? exponent : {2'd0, z[30:23]}};
      compared[10:6]  = {sign, z[31], product_upper, !product_upper && ~|z[30:23], product_upper ? ~|z[30:23] : zero};
      further         = product_upper ? further : -further;
      compared[5:0]   = |further[9:6] ? 6'd63 : further[5:0];
    end
  endfunction

  wire [11:0] a_high = {1'b1, a[22:12]};
  wire [11:0] b_high = {1'b1, b[22:12]};

  // NaN, infinity, sign of the infinity; larger exponent; sign of the product, sign of c, whether the product has the larger exponent, whether
  // the number with the larger one is zero, whether the other one is; how far exponents differ
  reg [23:0] terms_1_q;
  reg [23:0] high_high_q;
  reg [23:0] high_low_q;
  reg [23:0] low_high_q;
  reg [23:0] low_low_q;
  reg [22:0] fraction_1_q;

  always @(posedge clk) begin
    if (en[0]) begin
      terms_1_q    <= compared(a, b, c);
      high_high_q  <= a_high * b_high;
      high_low_q   <= a_high * b[11:0];
      low_high_q   <= a[11:0] * b_high;
      low_low_q    <= a[11:0] * b[11:0];
      fraction_1_q <= c[22:0];
    end
  end

  // ---- Cycle t+1: product ------------------------------------------------------------------------------
  reg [23:0] terms_2_q;
  reg [47:0] product_q;
  reg [22:0] fraction_2_q;

  always @(posedge clk) begin
    if (en[1]) begin
      terms_2_q    <= terms_1_q;
      product_q    <= {high_high_q, low_low_q} + {11'd0, {1'b0, high_low_q} + {1'b0, low_high_q}, 12'd0};
      fraction_2_q <= fraction_1_q;
    end
  end

  // ---- Cycle t+2: shift, add or subtract ---------------------------------------------------------------
  // Subtraction, sign, total
  function [53:0] added;
    input [10:0] terms;
    input [47:0] product;
    input [22:0] fraction;
    reg   [49:0] upper;
    reg   [49:0] lower;
    reg   [49:0] lost;
    reg   [52:0] addend;
    reg   [52:0] total;
    begin
      // Two bits in front of the point, 48 behind it
      upper  = terms[8] ? {product, 2'd0} : {2'b01, fraction, 25'd0};
      lower  = terms[8] ? {2'b01, fraction, 25'd0} : {product, 2'd0};
      lost   = lower & ~({50{1'b1}} << terms[5:0]);
      lower  = lower >> terms[5:0];
      // A sign, three bits in front of the point, 48 behind it, and one for all further ones
      addend = terms[6] ? 53'd0 : {2'd0, lower, |lost};
      total  = terms[7] ? 53'd0 : {2'd0, upper, 1'b0};
      total  = terms[10] ^ terms[9] ? total - addend : total + addend;
      added  = {terms[10] ^ terms[9], (terms[8] ? terms[10] : terms[9]) ^ total[52], total[52] ? -total[51:0] : total[51:0]};
    end
  endfunction

  // NaN, infinity, sign of the infinity; exponent
  reg [12:0] scale_q;
  reg [53:0] total_q;

  always @(posedge clk) begin
    if (en[2]) begin
      scale_q <= terms_2_q[23:11];
      total_q <= added(terms_2_q[10:0], product_q, fraction_2_q);
    end
  end

  // ---- Cycle t+3: normalise, round ---------------------------------------------------------------------
  function [31:0] finished;
    input [12:0] scale;
    input        subtract;
    input        sign;
    input [51:0] total;
    reg   [51:0] by_32;
    reg   [51:0] by_16;
    reg   [51:0] by_8;
    reg   [51:0] by_4;
    reg   [51:0] by_2;
    reg   [51:0] by_1;
    reg   [5:0]  places;
    begin
      places[5] = ~|total[51:20];
      by_32     = places[5] ? {total[19:0], 32'd0} : total;
      places[4] = ~|by_32[51:36];
      by_16     = places[4] ? {by_32[35:0], 16'd0} : by_32;
      places[3] = ~|by_16[51:44];
      by_8      = places[3] ? {by_16[43:0], 8'd0} : by_16;
      places[2] = ~|by_8[51:48];
      by_4      = places[2] ? {by_8[47:0], 4'd0} : by_8;
      places[1] = ~|by_4[51:50];
      by_2      = places[1] ? {by_4[49:0], 2'd0} : by_4;
      places[0] = ~by_2[51];
      by_1      = places[0] ? {by_2[50:0], 1'd0} : by_2;
      if (scale[11]) begin
        finished = scale[12] ? `TPU_FLOAT_NAN : {scale[10], 8'hFF, 23'd0};
      end else begin
        // What cancels is +0.
        finished = float_rounded(sign && (by_1[51] || !subtract), scale[9:0] + 10'd2 - {4'd0, places}, {by_1[51:27], |by_1[26:0]});
      end
    end
  endfunction

  reg [31:0] result_q;

  assign result = result_q;

  always @(posedge clk) begin
    if (en[3]) begin
      result_q <= finished(scale_q, total_q[53], total_q[52], total_q[51:0]);
    end
  end

endmodule

`default_nettype wire
