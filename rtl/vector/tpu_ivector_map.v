// Map of IVECTOR on the combination r of a window's taps, one lane's after the other: stages 6 to 9 of tpu_ivector_lane, controlled by
// `row` (tpu_ivector_lane.vh):
//
//   6  x * y as two products of 17 x 16 bits; sign of r; r < x
//   7  product + correction; r * 2^14; of max and min the other number becomes 0
//   8  right shift
//   9  r + product, rounding
//
// One datapath serves all maps, as r + x * y or r - x * y, where r may be its negative, r * 2^14, or 0:
//
//   copy              r + 0 * 0          mul              0 + r * b
//   add, sub, rsub    +-r +- b * 1       max, min         r + 0, or 0 + b * 1
//   addp, subp, rsubp +-r * 2^14 +- b * constant, scaled by 2^-16 and 2^-shift
//   look              the word that stage 6 reads at r - b, + 0 * 0
//
// Rounding in one step as in tpu_lane_map: the product is shifted right to half a unit finer than the result, which is q/2 + q[0]; with
// double rounding half of the first rounding's unit is added to a positive product, and taken off a negative one.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_ivector_lane.vh"

module tpu_ivector_map (
  input  wire                             clk,

  input  wire [`TPU_IVECTOR_ROW_BITS-1:0] row,

  // Stage 7: what the lookup tables hold
  input  wire [31:0]                      word,

  // Stage 6
  input  wire signed [47:0]               r,
  input  wire signed [31:0]               x,
  input  wire signed [15:0]               y,

  // Stage 10
  output wire [47:0]                      value
);

  // What several bits of a result depend on stands in functions: called under an enable, they cost a simulation nothing while
  // the stage is empty.

  // ---- Stage 6: products -----------------------------------------------------------------------
  wire signed [16:0] x_low_6  = {1'b0, x[15:0]};
  wire signed [15:0] x_high_6 = x[31:16];

  function [47:0] with_sign;
    input [47:0] operand;
    input        negate;
    with_sign = (operand ^ {48{negate}}) + {47'd0, negate};
  endfunction

  function is_less;
    input signed [47:0] left;
    input signed [47:0] right;
    is_less = left < right;
  endfunction

  reg        [47:0] r7_q;
  reg signed [31:0] low7_q;
  reg signed [31:0] high7_q;
  reg               less7_q;
  // 2^15 with TWICE, taken off a negative product
  reg        [16:0] correction7_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_6_EN]) begin
      r7_q          <= with_sign(r, row[`TPU_IVECTOR_ROW_6_NEGATE]);
      low7_q        <= x_low_6 * y;
      high7_q       <= x_high_6 * y;
      less7_q       <= is_less(r, {{16{x[31]}}, x});
      correction7_q <= row[`TPU_IVECTOR_ROW_6_TWICE] ? {x[31] ^ y[15], 1'b1, 15'd0} : 17'd0;
    end
  end

  // ---- Stage 7: product ------------------------------------------------------------------------
  function [47:0] corrected;
    input [31:0] low;
    input [31:0] high;
    input [16:0] addend;
    reg   [32:0] lower;
    begin
      lower     = {low[31], low} + {{16{addend[16]}}, addend};
      corrected = {{{15{lower[32]}}, lower[32:16]} + high, lower[15:0]};
    end
  endfunction

  wire       takes_x_7 = row[`TPU_IVECTOR_ROW_7_MAX] ? less7_q : !less7_q;
  wire       chooses_7 = row[`TPU_IVECTOR_ROW_7_MAX] || row[`TPU_IVECTOR_ROW_7_MIN];
  reg [47:0] r8_q;
  reg [47:0] product8_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_7_EN]) begin
      r8_q       <= row[`TPU_IVECTOR_ROW_7_PRODUCT] || (chooses_7 && takes_x_7) ? 48'd0
                  : row[`TPU_IVECTOR_ROW_7_LOOK] ? {{16{word[31]}}, word}
                  : row[`TPU_IVECTOR_ROW_7_SCALED] ? {r7_q[33:0], 14'd0} : r7_q;
      product8_q <= chooses_7 && !takes_x_7 ? 48'd0 : corrected(low7_q, high7_q, correction7_q);
    end
  end

  // ---- Stage 8: right shift --------------------------------------------------------------------
  // Half a unit finer than the result.
  function [48:0] scaled;
    input        [47:0] product;
    input               scales;
    input        [4:0]  right;
    input               negate;
    reg   signed [48:0] finer;
    begin
      finer  = scales ? {{16{product[47]}}, product[47:15]} : {product, 1'b0};
      finer  = finer >>> right;
      scaled = finer ^ {49{negate}};
    end
  endfunction

  reg [47:0] r9_q;
  reg [48:0] product9_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_8_EN]) begin
      r9_q       <= r8_q;
      product9_q <= scaled(product8_q, row[`TPU_IVECTOR_ROW_8_SCALED], row[`TPU_IVECTOR_ROW_8_SHIFT], row[`TPU_IVECTOR_ROW_8_SUBTRACT]);
    end
  end

  // ---- Stage 9: sum ----------------------------------------------------------------------------
  // The product's lowest bit rounds. So does that of an inverted one: -(q/2 + q[0]) is (~q)/2 + (~q)[0].
  function [47:0] rounded;
    input [47:0] augend;
    input [48:0] finer;
    rounded = augend + finer[48:1] + {47'd0, finer[0]};
  endfunction

  reg [47:0] value10_q;

  assign value = value10_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_9_EN]) begin
      value10_q <= rounded(r9_q, product9_q);
    end
  end

  wire unused = &{1'b0, row};

endmodule

`default_nettype wire
