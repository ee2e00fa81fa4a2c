// One processing element of the array for two formats: multiplies an activation by a weight and adds a partial sum.
//
//   bf16   p_out = round(p_in + a * weight), binary32, one rounding; tpu_float.vh says what becomes of subnormal numbers and NaN
//   int8   p_out = p_in + a * weight, of the low bytes, modulo 2^PSUM_BITS
//
// An activation brings what the multiplier takes, a number of 9 bits: of int8 the byte and its sign once more, of bf16 the significand, as
// if it were not zero, behind a zero. So its upper two bits are equal or 01, which says the format, also of the weight that is swapped in.
// Sign and exponent of bf16 come beside it. tpu_array makes activations so.
//
// Timing and ports are those of tpu_mac_int8 with LATENCY 3:
//
//   cycle t    swap, a_in, scale_in
//         t+1  p_in; product; distance of the exponents of product and p_in
//         t+2  the number of the smaller exponent is shifted, and added or subtracted
//         t+3  the total is normalised and rounded
//         t+4  p_out
//
// `float_en` is set in the cycles t to t+3 of each bf16 activation. Elsewhere the registers of floating-point arithmetic hold what they
// have, and the two that say that a number is bf16 hold zero: behind a cycle without it an int8 sum comes out. `weights_en` is set in the
// cycles in which a weight comes, and in the two behind each: in others no weight moves. Both are the same for all elements of an array row,
// and functions do what `float_en` enables: thus a row of elements costs a simulation nothing while it has int8 numbers only, and few vector
// instructions otherwise. For these, no value has more than 32 bits, and values are chosen by `?:`.
//
// A product has 16 bits, in [1, 4). The total has three bits in front of the point and 25 behind it, and one that says whether a further bit is
// set. Where a subtraction loses more than one leading bit, exponents differ by two at most, and all bits are kept.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_mac_bf16 #(
  // Bits of an int8 partial sum
  parameter PSUM_BITS = 20
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        swap,
  input  wire        float_en,
  input  wire        weights_en,
  // Right, one column a cycle
  input  wire        shift_in,
  output wire        shift_out,
  input  wire [8:0]  a_in,
  output wire [8:0]  a_out,
  // Sign and exponent
  input  wire [8:0]  scale_in,
  output wire [8:0]  scale_out,
  // Down, one row in three cycles
  input  wire [15:0] w_in,
  output wire [15:0] w_out,
  input  wire [31:0] p_in,
  output wire [31:0] p_out
);

`include "tpu_float.vh"

  generate
    if (PSUM_BITS < 16 || PSUM_BITS > 31) begin : g_check_psum
      ERROR_tpu_mac_bf16_PSUM_BITS_must_be_16_to_31 check ();
    end
  endgenerate

  // ---- Operands ----------------------------------------------------------------------------------
  reg        shift_q;
  reg [8:0]  a_q;
  reg [8:0]  a_scale_q;
  reg [15:0] shadow_q;
  // Like an activation
  reg [8:0]  weight_q;
  reg [8:0]  weight_scale_q;
  // What was in the shadow register one and two cycles ago
  reg [15:0] shadow_1_q;
  reg [15:0] shadow_2_q;

  assign shift_out = shift_q;
  assign a_out     = a_q;
  assign scale_out = a_scale_q;
  assign w_out     = shadow_2_q;

  always @(posedge clk) begin
    a_q <= a_in;
    if (weights_en) begin
      shift_q    <= shift_in;
      shadow_1_q <= shadow_q;
      shadow_2_q <= shadow_1_q;
      if (shift_in) begin
        shadow_q <= w_in;
      end
    end
    if (float_en) begin
      a_scale_q <= scale_in;
    end
    if (swap) begin
      weight_q       <= {a_in[8:7] == 2'b01 ? 2'b01 : {2{shadow_q[7]}}, shadow_q[6:0]};
      weight_scale_q <= shadow_q[15:7];
    end
    if (rst) begin
      shift_q <= 1'b0;
    end
  end

  // ---- Cycle t+1: product, exponents -----------------------------------------------------------------
  // One multiplier for both formats
  wire signed [8:0]  factor_a = a_q;
  wire signed [8:0]  factor_w = weight_q;
  wire signed [17:0] times    = factor_a * factor_w;

  // NaN, infinity, sign of the infinity; larger exponent; whether signs differ, sign of the number with the larger exponent, whether that is
  // the product, whether it is zero, whether the other one is; how far exponents differ
  function [22:0] compared;
    // Sign and exponent; fraction
    input [8:0]  a;
    input [6:0]  a_fraction;
    input [8:0]  w;
    input [6:0]  w_fraction;
    input [31:0] p;
    reg          a_zero;
    reg          w_zero;
    reg          p_zero;
    reg          product_infinite;
    reg          p_infinite;
    reg          nan;
    reg          sign;
    reg          upper;
    reg   [9:0]  exponent;
    reg   [9:0]  further;
    reg   [9:0]  distance;
    begin
      a_zero           = a[7:0] == 8'd0;
      w_zero           = w[7:0] == 8'd0;
      p_zero           = p[30:23] == 8'd0;
      product_infinite = a[7:0] == 8'hFF || w[7:0] == 8'hFF;
      p_infinite       = p[30:23] == 8'hFF;
      sign             = a[8] ^ w[8];
      nan              = (a[7:0] == 8'hFF && a_fraction != 7'd0) || (w[7:0] == 8'hFF && w_fraction != 7'd0)
                         || (p_infinite && p[22:0] != 23'd0)
                         || (product_infinite && (a_zero || w_zero || (p_infinite && (sign ^ p[31]))));
      exponent         = {2'd0, a[7:0]} + {2'd0, w[7:0]} - 10'd127;
      further          = exponent - {2'd0, p[30:23]};
      upper            = !a_zero && !w_zero && (p_zero || !further[9]);
      distance         = upper ? further : {2'd0, p[30:23]} - exponent;
      compared         = {nan, product_infinite || p_infinite, product_infinite ? sign : p[31], upper ? exponent : {2'd0, p[30:23]},
                          sign ^ p[31], upper ? sign : p[31], upper, !upper && p_zero, upper ? p_zero : a_zero || w_zero,
                          distance[9:5] != 5'd0 ? 5'd31 : distance[4:0]};
    end
  endfunction

  reg        bf16_1_q;
  reg [15:0] product_q;
  reg [31:0] p_1_q;
  reg [22:0] terms_q;

  always @(posedge clk) begin
    product_q <= times[15:0];
    p_1_q     <= p_in;
    if (float_en) begin
      bf16_1_q <= a_q[8:7] == 2'b01;
      terms_q  <= compared(a_scale_q, a_q[6:0], weight_scale_q, weight_q[6:0], p_in);
    end
    if (rst) begin
      bf16_1_q <= 1'b0;
    end
  end

  // ---- Cycle t+2: shift, add or subtract ---------------------------------------------------------------
  // Subtraction, sign, total
  function [30:0] added;
    input [9:0]  terms;
    input [15:0] product;
    input [22:0] fraction;
    // Two bits in front of the point, 24 behind it, one more in `lower`
    reg   [25:0] upper;
    reg   [26:0] lower;
    // Ones where bits of `lower` stay
    reg   [26:0] stay;
    // A sign, three bits in front of the point, 25 behind it, and one for all further ones
    reg   [29:0] addend;
    reg   [29:0] total;
    begin
      lower  = terms[7] ? {2'b01, fraction, 2'd0} : {product, 11'd0};
      stay   = 27'h7FFFFFF << terms[4:0];
      addend = {2'd0, lower >> terms[4:0], (lower & ~stay) != 27'd0};
      addend = (terms[5] ? 30'd0 : addend) ^ {30{terms[9]}};
      upper  = terms[7] ? {product, 10'd0} : {2'b01, fraction, 1'b0};
      total  = (terms[6] ? 30'd0 : {2'd0, upper, 2'd0}) + addend + {29'd0, terms[9]};
      added  = {terms[9], terms[8] ^ total[29], (total[28:0] ^ {29{total[29]}}) + {28'd0, total[29]}};
    end
  endfunction

  reg                 bf16_2_q;
  reg [PSUM_BITS-1:0] int8_sum_q;
  reg [30:0]          total_q;
  // NaN, infinity, sign of the infinity; exponent
  reg [12:0]          scale_q;

  always @(posedge clk) begin
    int8_sum_q <= p_1_q[PSUM_BITS-1:0] + {{(PSUM_BITS-16){product_q[15]}}, product_q};
    if (float_en) begin
      bf16_2_q <= bf16_1_q;
      scale_q  <= terms_q[22:10];
      total_q  <= added(terms_q[9:0], product_q, p_1_q[22:0]);
    end
    if (rst) begin
      bf16_2_q <= 1'b0;
    end
  end

  // ---- Cycle t+3: normalise, round ---------------------------------------------------------------------
  function [31:0] finished;
    input [12:0] scale;
    input        subtract;
    input        sign;
    input [28:0] total;
    reg          places_16;
    reg          places_8;
    reg          places_4;
    reg          places_2;
    reg          places_1;
    reg   [28:0] by_16;
    reg   [28:0] by_8;
    reg   [28:0] by_4;
    reg   [28:0] by_2;
    reg   [28:0] by_1;
    reg   [9:0]  exponent;
    reg   [31:0] number;
    begin
      places_16 = total[28:13] == 16'd0;
      by_16     = places_16 ? {total[12:0], 16'd0} : total;
      places_8  = by_16[28:21] == 8'd0;
      by_8      = places_8 ? {by_16[20:0], 8'd0} : by_16;
      places_4  = by_8[28:25] == 4'd0;
      by_4      = places_4 ? {by_8[24:0], 4'd0} : by_8;
      places_2  = by_4[28:27] == 2'd0;
      by_2      = places_2 ? {by_4[26:0], 2'd0} : by_4;
      places_1  = !by_2[28];
      by_1      = places_1 ? {by_2[27:0], 1'd0} : by_2;
      exponent  = scale[9:0] + 10'd2 - {5'd0, places_16, places_8, places_4, places_2, places_1};
      // What cancels is +0.
      number    = float_rounded(sign && (by_1[28] || !subtract), exponent, {by_1[28:4], by_1[3:0] != 4'd0});
      number    = scale[11] ? {scale[10], 8'hFF, 23'd0} : number;
      finished  = scale[12] ? `TPU_FLOAT_NAN : number;
    end
  endfunction

  wire [31:0] int8_sum = {{(32-PSUM_BITS){1'b0}}, int8_sum_q};
  reg  [31:0] p_q;

  assign p_out = p_q;

  always @(posedge clk) begin
    p_q <= int8_sum;
    if (float_en) begin
      p_q <= bf16_2_q ? finished(scale_q, total_q[30], total_q[29], total_q[28:0]) : int8_sum;
    end
  end

  wire unused = &{1'b0, times[17:16], p_1_q[31:23]};

endmodule

`default_nettype wire
