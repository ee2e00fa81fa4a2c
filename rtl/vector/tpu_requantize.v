// Requantisation of one lane: 32-bit sum to 32-bit quantised value, exactly as docs/isa.md section 7.
//
//   stage 0   t = value + bias, or |value| + bias for divide; mode none becomes multiplier 2^30, shift 1
//   stage 1   left shift (double rounding wraps it to 32 bits, so it has to come before the product)
//   stage 2   two partial products of 17 and 14 multiplier bits, registered on both sides for DSP blocks
//   stage 3   their sum, t * multiplier
//   stage 4   right shift by 31 (or 31 - shift for a left shift outside double rounding), first rounding
//   stage 5   adds the rounding constant of the second shift
//   stage 6   right shift by -shift, sign restored for divide
//
// A rounding shift by 31 + R in one step equals a flooring shift by 31 followed by a rounding shift by R,
// so single rounding needs no 64-bit adder of its own.
//
// One value per cycle; `result` belongs to the value given 7 cycles before. `en` bit i says that stage i holds a value, the
// mode inputs are those of the stage's value; whoever instantiates many lanes keeps one copy of both.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_requantize (
  input  wire        clk,

  // Stage occupied
  input  wire [6:0]  en,
  // Mode of the value in stage 0, 1, 4, 5
  input  wire [1:0]  mode_0,
  input  wire [1:0]  mode_1,
  input  wire [1:0]  mode_4,
  input  wire [1:0]  mode_5,

  // Stage 0
  input  wire [31:0] value,
  input  wire [31:0] bias,
  // Not negative
  input  wire [30:0] multiplier,
  // Signed, -31 to 30, positive is left
  input  wire [5:0]  shift,

  // After stage 6
  output reg  [31:0] result
);

  // What several bits of a result depend on stands in functions: called under `en`, they cost a simulation nothing while the
  // stage is empty.

  // Stage 0: bias.
  function [31:0] biased;
    input [31:0] addend;
    input [31:0] operand;
    input        negate;
    biased = addend + (operand ^ {32{negate}}) + {31'd0, negate};
  endfunction

  reg  [31:0] biased1_q;
  reg  [30:0] mult1_q;
  reg  [4:0]  left1_q;
  reg  [5:0]  tail1_q;

  always @(posedge clk) begin
    if (en[0]) begin
      biased1_q <= biased(bias, value, mode_0 == `TPU_VECTOR_REQUANT_DIVIDE && value[31]);
      mult1_q   <= mode_0 == `TPU_VECTOR_REQUANT_NONE ? 31'h40000000 : multiplier;
      left1_q   <= mode_0 == `TPU_VECTOR_REQUANT_NONE ? 5'd1 : shift[5] ? 5'd0 : shift[4:0];
      tail1_q   <= {mode_0 == `TPU_VECTOR_REQUANT_DIVIDE && value[31],
                    mode_0 != `TPU_VECTOR_REQUANT_NONE && shift[5] ? -shift[4:0] : 5'd0};
    end
  end

  // Stage 1: left shift.
  wire              double_1 = mode_1 == `TPU_VECTOR_REQUANT_DOUBLE;
  reg signed [31:0] factor2_q;
  reg        [30:0] mult2_q;
  reg        [4:0]  first2_q;
  reg        [5:0]  tail2_q;

  always @(posedge clk) begin
    if (en[1]) begin
      factor2_q <= double_1 ? biased1_q << left1_q : biased1_q;
      mult2_q   <= mult1_q;
      // One less than the first shift: the lowest bit kept is the rounding bit.
      first2_q  <= double_1 ? 5'd30 : 5'd30 - left1_q;
      tail2_q   <= tail1_q;
    end
  end

  // Stage 2: partial products.
  function signed [49:0] partial;
    input [31:0] factor;
    input [16:0] part;
    partial = $signed({{18{factor[31]}}, factor}) * $signed({33'd0, part});
  endfunction

  reg signed [49:0] low3_q;
  reg signed [49:0] high3_q;
  reg        [4:0]  first3_q;
  reg        [5:0]  tail3_q;

  always @(posedge clk) begin
    if (en[2]) begin
      low3_q   <= partial(factor2_q, mult2_q[16:0]);
      high3_q  <= partial(factor2_q, {3'd0, mult2_q[30:17]});
      first3_q <= first2_q;
      tail3_q  <= tail2_q;
    end
  end

  // Stage 3: product.
  reg [63:0] product4_q;
  reg [4:0]  first4_q;
  reg [5:0]  tail4_q;

  always @(posedge clk) begin
    if (en[3]) begin
      product4_q <= {{14{low3_q[49]}}, low3_q} + {high3_q[46:0], 17'd0};
      first4_q   <= first3_q;
      tail4_q    <= tail3_q;
    end
  end

  // Stage 4: first shift. When a second one follows, only double rounding rounds here.
  function [31:0] scaled;
    input [63:0] product;
    input [4:0]  first;
    input        round;
    reg   [32:0] shifted;
    begin
      shifted = product[{1'b0, first} +: 33];
      scaled  = shifted[32:1] + {31'd0, round && shifted[0]};
    end
  endfunction

  reg [31:0] scaled5_q;
  reg [5:0]  tail5_q;

  always @(posedge clk) begin
    if (en[4]) begin
      scaled5_q <= scaled(product4_q, first4_q, mode_4 == `TPU_VECTOR_REQUANT_DOUBLE
                          || (mode_4 != `TPU_VECTOR_REQUANT_DIVIDE && tail4_q[4:0] == 5'd0));
      tail5_q   <= tail4_q;
    end
  end

  // Stage 5: half a unit of the second shift; double rounding sends negative ties down.
  function [32:0] half;
    input [4:0]  right;
    input        down;
    reg   [31:0] unit;
    begin
      unit = 32'd1 << right;
      half = {2'd0, unit[31:1]} - {32'd0, down && !unit[0]};
    end
  endfunction

  reg signed [32:0] rounded6_q;
  reg        [5:0]  tail6_q;

  always @(posedge clk) begin
    if (en[5]) begin
      rounded6_q <= {scaled5_q[31], scaled5_q}
                    + (mode_5 == `TPU_VECTOR_REQUANT_DIVIDE ? 33'd0
                       : half(tail5_q[4:0], mode_5 == `TPU_VECTOR_REQUANT_DOUBLE && scaled5_q[31]));
      tail6_q    <= tail5_q;
    end
  end

  // Stage 6: second shift and sign. The result fits 32 bits again.
  function [31:0] signed_as;
    input [31:0] magnitude;
    input        negate;
    signed_as = (magnitude ^ {32{negate}}) + {31'd0, negate};
  endfunction

  wire signed [32:0] shifted_6 = rounded6_q >>> tail6_q[4:0];

  always @(posedge clk) begin
    if (en[6]) begin
      result <= signed_as(shifted_6[31:0], tail6_q[5]);
    end
  end

  wire unused = &{1'b0, high3_q[49:47], shifted_6[32]};

endmodule

`default_nettype wire
