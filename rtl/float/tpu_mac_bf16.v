// One processing element of the array for two formats: multiplies an activation by a weight and adds a partial sum.
//
//   bf16   p_out = round(p_in + a * weight), binary32, one rounding; tpu_float.vh says what becomes of subnormal numbers and NaN
//   int8   p_out = p_in + a * weight, of the low bytes, modulo 2^PSUM_BITS
//
// Timing and ports are those of tpu_mac_int8 with LATENCY 3, but for `int8` and `bf16`:
//
//   cycle t    swap
//         t+1  int8[0] or bf16[0]: p_in, the activation, the weight. Product; distance of the exponents of product and p_in.
//         t+2  int8[1] or bf16[1]: the number of the smaller exponent is shifted, and added or subtracted
//         t+3  int8[2] or bf16[2]: the total is normalised and rounded
//         t+4  p_out
//
// The array delays these bits beside its swaps, once for all elements of a diagonal. Where neither bit is set, a stage keeps what it holds, so
// the format that is idle costs a simulation nothing.
//
// A product has 16 bits, in [1, 4). The total has three bits in front of the point and 25 behind it, and one that says whether a further bit is
// set. Where a subtraction loses more than one leading bit, exponents differ by two at most, and all bits are kept.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_mac_bf16 #(
  // Bits of an int8 partial sum, up to 32
  parameter PSUM_BITS = 20
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        swap,
  input  wire [2:0]  int8,
  input  wire [2:0]  bf16,
  // Right, one column a cycle
  input  wire        shift_in,
  output wire        shift_out,
  input  wire [15:0] a_in,
  output wire [15:0] a_out,
  // Down, one row in three cycles
  input  wire [15:0] w_in,
  output wire [15:0] w_out,
  input  wire [31:0] p_in,
  output wire [31:0] p_out
);

`include "tpu_float.vh"

  generate
    if (PSUM_BITS < 16 || PSUM_BITS > 29) begin : g_check_psum
      ERROR_tpu_mac_bf16_PSUM_BITS_must_be_16_to_29 check ();
    end
  endgenerate

  // ---- Operands ----------------------------------------------------------------------------------
  reg        shift_q;
  reg [15:0] a_q;
  reg [15:0] shadow_q;
  reg [15:0] weight_q;
  // What was in the shadow register one and two cycles ago
  reg [31:0] shadows_q;

  assign shift_out = shift_q;
  assign a_out     = a_q;
  assign w_out     = shadows_q[31:16];

  always @(posedge clk) begin
    shift_q   <= shift_in;
    a_q       <= a_in;
    shadows_q <= {shadows_q[15:0], shadow_q};
    if (shift_in) begin
      shadow_q <= w_in;
    end
    if (swap) begin
      weight_q <= shadow_q;
    end
    if (rst) begin
      shift_q <= 1'b0;
    end
  end

  // ---- Cycle t+1: product, exponents -----------------------------------------------------------------
  // One multiplier for both formats; of bf16 the significands, as if they were not zero
  wire signed [8:0] factor_a = {!bf16[0] && a_q[7], bf16[0] || a_q[7], a_q[6:0]};
  wire signed [8:0] factor_w = {!bf16[0] && weight_q[7], bf16[0] || weight_q[7], weight_q[6:0]};

  // What terms_q holds
  function [22:0] compared;
    input [15:0] a;
    input [15:0] w;
    input [31:0] p;
    reg          sign;
    reg          zero;
    reg          product_upper;
    reg   [9:0]  exponent;
    reg   [9:0]  further;
    reg          product_infinite;
    reg   [2:0]  special;
    begin
      sign          = a[15] ^ w[15];
      zero          = ~|a[14:7] || ~|w[14:7];
      exponent      = {2'd0, a[14:7]} + {2'd0, w[14:7]} - 10'd127;
      further       = exponent - {2'd0, p[30:23]};
      product_upper = !zero && (!further[9] || ~|p[30:23]);
      special       = 3'd0;
      if (&a[14:7] || &w[14:7] || &p[30:23]) begin
        product_infinite = &a[14:7] || &w[14:7];
        special[2]       = (&a[14:7] && |a[6:0]) || (&w[14:7] && |w[6:0]) || (&p[30:23] && |p[22:0])
                           || (product_infinite && (~|a[14:7] || ~|w[14:7] || (&p[30:23] && (sign ^ p[31]))));
        special[1]       = 1'b1;
        special[0]       = product_infinite ? sign : p[31];
      end
      compared[22:10] = {special, product_upper ? exponent : {2'd0, p[30:23]}};
      compared[9:5]   = {sign, p[31], product_upper, !product_upper && ~|p[30:23], product_upper ? ~|p[30:23] : zero};
      further         = product_upper ? further : -further;
      compared[4:0]   = |further[9:5] ? 5'd31 : further[4:0];
    end
  endfunction

  // NaN, infinity, sign of the infinity; larger exponent; sign of the product, sign of p, whether the product has the larger exponent,
  // whether the number with the larger one is zero, whether the other one is; how far exponents differ
  reg        [22:0] terms_q;
  reg signed [17:0] product_q;
  reg        [31:0] p_1_q;

  always @(posedge clk) begin
    if (bf16[0]) begin
      terms_q <= compared(a_q, weight_q, p_in);
    end
    if (int8[0] || bf16[0]) begin
      product_q <= factor_a * factor_w;
      p_1_q     <= p_in;
    end
  end

  // ---- Cycle t+2: shift, add or subtract ---------------------------------------------------------------
  // Subtraction, sign, total
  function [30:0] added;
    input [9:0]  terms;
    input [15:0] product;
    input [22:0] fraction;
    reg   [25:0] upper;
    reg   [25:0] lower;
    reg   [56:0] shifted;
    reg   [29:0] addend;
    reg   [29:0] total;
    begin
      // Two bits in front of the point, 24 behind it
      upper   = terms[7] ? {product, 10'd0} : {2'b01, fraction, 1'b0};
      lower   = terms[7] ? {2'b01, fraction, 1'b0} : {product, 10'd0};
      shifted = {lower, 31'd0} >> terms[4:0];
      // A sign, three bits in front of the point, 25 behind it, and one for all further ones
      addend  = terms[5] ? 30'd0 : {2'd0, shifted[56:30], |shifted[29:0]};
      total   = terms[6] ? 30'd0 : {2'd0, upper, 2'd0};
      total   = terms[9] ^ terms[8] ? total - addend : total + addend;
      added   = {terms[9] ^ terms[8], (terms[7] ? terms[9] : terms[8]) ^ total[29], total[29] ? -total[28:0] : total[28:0]};
    end
  endfunction

  // NaN, infinity, sign of the infinity; exponent
  reg [12:0] scale_q;
  // Or the int8 sum
  reg [30:0] total_q;

  always @(posedge clk) begin
    if (bf16[1]) begin
      scale_q <= terms_q[22:10];
      total_q <= added(terms_q[9:0], product_q[15:0], p_1_q[22:0]);
    end else if (int8[1]) begin
      total_q <= {{(31-PSUM_BITS){1'b0}}, p_1_q[PSUM_BITS-1:0] + {{(PSUM_BITS-16){product_q[15]}}, product_q[15:0]}};
    end
  end

  // ---- Cycle t+3: normalise, round ---------------------------------------------------------------------
  function [31:0] finished;
    input [12:0] scale;
    input        subtract;
    input        sign;
    input [28:0] total;
    reg   [28:0] by_16;
    reg   [28:0] by_8;
    reg   [28:0] by_4;
    reg   [28:0] by_2;
    reg   [28:0] by_1;
    reg   [4:0]  places;
    begin
      places[4] = ~|total[28:13];
      by_16     = places[4] ? {total[12:0], 16'd0} : total;
      places[3] = ~|by_16[28:21];
      by_8      = places[3] ? {by_16[20:0], 8'd0} : by_16;
      places[2] = ~|by_8[28:25];
      by_4      = places[2] ? {by_8[24:0], 4'd0} : by_8;
      places[1] = ~|by_4[28:27];
      by_2      = places[1] ? {by_4[26:0], 2'd0} : by_4;
      places[0] = ~by_2[28];
      by_1      = places[0] ? {by_2[27:0], 1'd0} : by_2;
      if (scale[11]) begin
        finished = scale[12] ? `TPU_FLOAT_NAN : {scale[10], 8'hFF, 23'd0};
      end else begin
        // What cancels is +0.
        finished = float_rounded(sign && (by_1[28] || !subtract), scale[9:0] + 10'd2 - {5'd0, places}, {by_1[28:4], |by_1[3:0]});
      end
    end
  endfunction

  reg [31:0] p_q;

  assign p_out = p_q;

  always @(posedge clk) begin
    if (bf16[2]) begin
      p_q <= finished(scale_q, total_q[30], total_q[29], total_q[28:0]);
    end else if (int8[2]) begin
      p_q <= {{(32-PSUM_BITS){1'b0}}, total_q[PSUM_BITS-1:0]};
    end
  end

  wire unused = &{1'b0, product_q[17:16], p_1_q[31:23]};

endmodule

`default_nettype wire
