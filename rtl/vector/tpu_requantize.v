// Requantisation: 32-bit sum to 32-bit quantised value plus output zero point, exactly as docs/isa.md section 7; with WIDE also
// 48-bit sum, as section 11.3. Stages as in tpu_vector_lanes:
//
//    9  t = value + bias, or |value| + bias for divide
//   10  what a left shift would lose is lost: t becomes wrap32(t << left) >> left with double rounding
//   11  four partial products of 16 x 16 bits
//   12  product = t * multiplier
//   13  product +- 2^30 before a rounding in two steps; right shift by 0, 16, 32 or 48
//   14  right shift by 0 to 15: half a unit finer than the quantised value
//   15  rounding or sign, zero point
//
// There is one right shift, by 30 - shift: a left shift takes bits off the 31 that a multiplier has behind its point. q, its result, is
// half a unit finer than the quantised value, which is (q + 1) >> 1, or q/2 + q[0]; divide takes q/2. Mode none is multiplier
// 2^30 and right shift 29.
//
// Double rounding with a right shift rounds to 2^31 first and sends negative ties down after that. The first rounding adds 2^30; that a
// negative value is one smaller at the second one takes 2^31 off, so together 2^30 is added to a positive product and taken off a
// negative one. (A negative product that the first rounding makes 0 gives 0 either way.)
//
// Wide rounding multiplies 48 by 15 bits, and takes three of the four partial products: the third 16 bits of t take the place of the second ones
// in the product with the multiplier's upper half, and meet its lower half there.
//
// Rounding as float32 (FLOAT) takes three steps in the stages that there are, each to nearest, ties to even. Stage 10 shifts t to the left
// until it has 31 bits and a sign, stage 11 leaves 24 of them. So the product has its highest bit at 53 or 54, where the multiplier is
// float32's, and stage 13 rounds it at 30 or 31, with the adder of double rounding. Stages 13 and 14 keep whether they shift out ones, for
// the last step. Two's complement needs no magnitudes: a power of two below zero, which alone counts one bit less, is exact either way.
//
// More than 300 lines: all roundings share one datapath, whose stages are read from top to bottom.
//
// One value per cycle; the multiplier and the shift are those of the value that is in stage 9.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_requantize #(
  // 1: mode wide, too; otherwise is_wide does not count
  parameter WIDE = 0,
  // 1: rounding as float32, too; otherwise as_float does not count
  parameter FLOAT = 0
) (
  input  wire        clk,

  // Stage i holds a value
  input  wire [15:9] en,
  // The value in stage i is rounded as float32, in mode single
  input  wire [14:9] as_float,

  // Stage 9: mode; single if none of these
  input  wire        is_none,
  input  wire        is_double,
  input  wire        is_divide,
  input  wire        is_wide,
  input  wire [31:0] value,
  input  wire [31:0] bias,
  // Of mode wide the upper 16 of 48 bits; in other modes they do not count
  input  wire [15:0] value_high,
  input  wire [15:0] bias_high,
  // Not negative; of mode wide the lower 15 bits
  input  wire [30:0] multiplier,
  // Signed, -31 to 30, of mode wide and as float32 to 14; positive is left
  input  wire [5:0]  shift,

  // Stage 15
  input  wire        divide_15,
  input  wire [7:0]  zero_15,

  // Stage 16
  output wire [31:0] result
);

  // What several bits of a result depend on stands in functions: called under an enable, they cost a simulation nothing while
  // the stage is empty.

  // ---- Stage 9: bias ---------------------------------------------------------------------------
  // Bits of t
  localparam BITS = WIDE != 0 ? 48 : 32;

  // |value| + bias, as ~value + bias + 1 where value is negative. The upper 16 bits count in mode wide alone.
  function [BITS-1:0] biased;
    input [BITS-1:0] addend;
    input [BITS-1:0] operand;
    input            negate;
    biased = addend + (operand ^ {BITS{negate}}) + {{(BITS-1){1'b0}}, negate};
  endfunction

  wire [47:0]      bias_9  = {bias_high, bias};
  wire [47:0]      value_9 = {value_high, value};

  function [30:0] factor;
    input        none;
    input        wide;
    input [30:0] operand;
    factor = none ? 31'h40000000 : wide ? {16'd0, operand[14:0]} : operand;
  endfunction

  wire             wide_9 = WIDE != 0 && is_wide;
  reg              wide10_q;
  reg  [BITS-1:0]  biased10_q;
  reg  [30:0] multiplier10_q;
  // Bits lost on the left, bits to shift right.
  reg  [4:0]  left10_q;
  reg  [5:0]  right10_q;
  reg         twice10_q;
  reg         negative10_q;

  // Without FLOAT constants, so that nothing is left of what they choose.
  wire [14:9] float   = FLOAT != 0 ? as_float : 6'd0;

  always @(posedge clk) begin
    if (en[9]) begin
      biased10_q     <= biased(bias_9[BITS-1:0], value_9[BITS-1:0], is_divide && value[31]);
      multiplier10_q <= factor(is_none, wide_9, multiplier);
      left10_q       <= is_double && !shift[5] ? shift[4:0] : 5'd0;
      right10_q      <= is_none ? 6'd29 : (float[9] ? 6'd23 : wide_9 ? 6'd14 : 6'd30) - shift;
      wide10_q       <= wide_9;
      twice10_q      <= is_double && shift[5];
      negative10_q   <= is_divide && value[31];
    end
  end

  // ---- Stage 10: bits lost, or normalised ------------------------------------------------------
  function [31:0] wrapped;
    input [31:0] operand;
    input [4:0]  left;
    reg   [31:0] kept;
    begin
      kept    = 32'hFFFFFFFF >> left;
      wrapped = (operand & kept) | ({32{operand[5'd31 - left]}} & ~kept);
    end
  endfunction

  // Shifted to the left while bit 30 is the sign, with the bits of the shift above.
  function [36:0] normalised;
    input [31:0] operand;
    reg   [31:0] moved;
    reg   [4:0]  left;
    begin
      moved    = operand;
      left[4]  = moved[31:15] == {17{moved[31]}};
      moved    = left[4] ? moved << 16 : moved;
      left[3]  = moved[31:23] == {9{moved[31]}};
      moved    = left[3] ? moved << 8 : moved;
      left[2]  = moved[31:27] == {5{moved[31]}};
      moved    = left[2] ? moved << 4 : moved;
      left[1]  = moved[31:29] == {3{moved[31]}};
      moved    = left[1] ? moved << 2 : moved;
      left[0]  = moved[31] == moved[30];
      moved    = left[0] ? moved << 1 : moved;
      normalised = {left, moved};
    end
  endfunction

  // At most 63, which leaves nothing of a product.
  function [5:0] further;
    input [5:0] right;
    input [4:0] left;
    reg   [6:0] sum;
    begin
      sum     = {1'b0, right} + {2'b00, left};
      further = sum[6] ? 6'd63 : sum[5:0];
    end
  endfunction

  // Of this cycle, no register
  reg        [36:0] normalised_10;
  reg signed [31:0] factor11_q;
  reg        [30:0] multiplier11_q;
  reg        [5:0]  right11_q;
  reg               twice11_q;
  reg               negative11_q;

  always @(posedge clk) begin
    if (en[10]) begin
      if (float[10]) begin
        normalised_10 = normalised(biased10_q[31:0]);
        factor11_q <= normalised_10[31:0];
        right11_q  <= further(right10_q, normalised_10[36:32]);
      end else begin
        factor11_q <= wrapped(biased10_q[31:0], left10_q);
        right11_q  <= right10_q;
      end
      multiplier11_q <= multiplier10_q;
      twice11_q      <= twice10_q;
      negative11_q   <= negative10_q;
    end
  end

  // ---- Stage 11: partial products --------------------------------------------------------------
  // The upper 25 bits, rounded: 2^24 is one of the results.
  function [31:0] shortened;
    input [31:0] operand;
    shortened = {{7{operand[31]}}, operand[31:7]} + {31'd0, operand[6] && (operand[7] || operand[5:0] != 6'd0)};
  endfunction

  wire        [31:0] factor_11          = float[11] ? shortened(factor11_q) : factor11_q;
  wire signed [16:0] factor_high_11;
  wire signed [16:0] factor_low_11      = {1'b0, factor_11[15:0]};
  wire signed [15:0] multiplier_high_11 = {1'b0, multiplier11_q[30:16]};
  wire signed [16:0] multiplier_low_11  = {1'b0, multiplier11_q[15:0]};
  // Factors of the upper product
  wire signed [15:0] upper_11;
  wire signed [15:0] times_11;

  generate
    if (WIDE != 0) begin : g_wide
      reg        wide_q;
      reg [15:0] third_q;

      // In mode wide the second 16 bits of t are not its last.
      assign factor_high_11 = {factor_11[31] && !wide_q, factor_11[31:16]};
      assign upper_11       = wide_q ? third_q : factor_11[31:16];
      assign times_11       = {1'b0, wide_q ? multiplier11_q[14:0] : multiplier11_q[30:16]};

      always @(posedge clk) begin
        if (en[10]) begin
          wide_q  <= wide10_q;
          third_q <= biased10_q[BITS-1:BITS-16];
        end
      end
    end else begin : g_narrow
      wire unused = &{1'b0, wide10_q, bias_9, value_9};

      assign factor_high_11 = {factor_11[31], factor_11[31:16]};
      assign upper_11       = factor_11[31:16];
      assign times_11       = multiplier_high_11;
    end
  endgenerate

  reg signed [30:0] high_high12_q;
  reg signed [31:0] high_low12_q;
  reg signed [31:0] low_high12_q;
  reg signed [31:0] low_low12_q;
  reg        [5:0]  right12_q;
  reg               twice12_q;
  reg               negative12_q;

  always @(posedge clk) begin
    if (en[11]) begin
      high_high12_q <= upper_11 * times_11;
      high_low12_q  <= factor_high_11 * multiplier_low_11;
      low_high12_q  <= factor_low_11 * multiplier_high_11;
      low_low12_q   <= factor_low_11 * multiplier_low_11;
      right12_q     <= right11_q;
      twice12_q     <= twice11_q;
      negative12_q  <= negative11_q;
    end
  end

  // ---- Stage 12: product -----------------------------------------------------------------------
  // From bit 16 on.
  function [46:0] upper_product;
    input [46:0] outer;
    input [31:0] high_low;
    input [31:0] low_high;
    reg   [32:0] inner;
    begin
      inner         = {high_low[31], high_low} + {1'b0, low_high};
      upper_product = outer + {{14{inner[32]}}, inner};
    end
  endfunction

  reg [62:0] product13_q;
  reg [5:0]  right13_q;
  reg        twice13_q;
  reg        negative13_q;

  always @(posedge clk) begin
    if (en[12]) begin
      product13_q  <= {upper_product({high_high12_q, low_low12_q[31:16]}, high_low12_q, low_high12_q), low_low12_q[15:0]};
      right13_q    <= right12_q;
      twice13_q    <= twice12_q;
      negative13_q <= negative12_q;
    end
  end

  // ---- Stages 13 and 14: right shift -----------------------------------------------------------
  // Above the result, whether ones were shifted out as float32, whose lowest bit that stays is 31 or 30.
  function [48:0] coarse;
    input [62:0] product;
    input        twice;
    input        rounds;
    input [1:0]  sixteens;
    reg          above;
    reg          below;
    reg   [32:0] addend;
    reg   [62:0] corrected;
    reg          lost;
    reg   [62:0] by_32;
    begin
      if (rounds) begin
        above  = product[55] != product[54];
        below  = product[28:0] != 29'd0;
        addend = {31'd0, above && product[30] && (product[31] || product[29] || below),
                  !above && product[29] && (product[30] || below)};
      end else begin
        addend = {{32{twice && product[62]}}, twice};
      end
      corrected = {product[62:30] + addend, product[29:0]};
      lost      = 1'b0;
      if (rounds) begin
        corrected[30:0] = {corrected[30] && !above, 30'd0};
        lost            = sixteens[1] && (corrected[31:30] != 2'd0 || (sixteens[0] && corrected[47:32] != 16'd0));
      end
      by_32  = sixteens[1] ? {{32{corrected[62]}}, corrected[62:32]} : corrected;
      coarse = {lost, sixteens[0] ? {by_32[62], by_32[62:16]} : by_32[47:0]};
    end
  endfunction

  function loses;
    input [14:0] value_14;
    input [3:0]  right;
    loses = (value_14 & ~(15'h7FFF << right)) != 15'd0;
  endfunction

  function [32:0] fine;
    input [47:0] value_14;
    input [3:0]  right;
    fine = value_14[{2'b00, right} +: 33];
  endfunction

  // Above the value, whether ones were shifted out.
  reg [48:0] coarse14_q;
  reg [3:0]  right14_q;
  reg        negative14_q;
  reg [32:0] fine15_q;
  reg        negative15_q;
  // As float32, nothing was shifted out: a half goes to the even integer.
  reg        exact15_q;

  always @(posedge clk) begin
    if (en[13]) begin
      coarse14_q   <= coarse(product13_q, twice13_q, float[13], right13_q[5:4]);
      right14_q    <= right13_q[3:0];
      negative14_q <= negative13_q;
    end
    if (en[14]) begin
      fine15_q     <= fine(coarse14_q[47:0], right14_q);
      negative15_q <= negative14_q;
      if (float[14]) begin
        exact15_q <= !coarse14_q[48] && !loses(coarse14_q[14:0], right14_q);
      end else begin
        exact15_q <= 1'b0;
      end
    end
  end

  // ---- Stage 15: rounding or sign, zero point --------------------------------------------------
  function [31:0] finished;
    input [32:0] finer;
    input        floor;
    input        negative;
    input        exact;
    input [7:0]  zero;
    finished = {{24{zero[7]}}, zero} + (finer[32:1] ^ {32{negative}})
               + {31'd0, floor ? negative : finer[0] && (finer[1] || !exact)};
  endfunction

  reg [31:0] result16_q;

  always @(posedge clk) begin
    if (en[15]) begin
      result16_q <= finished(fine15_q, divide_15, negative15_q, FLOAT != 0 && exact15_q, zero_15);
    end
  end

  assign result = result16_q;

  wire unused = &{1'b0, as_float, float};

endmodule

`default_nettype wire
