// One lane up to its sum: map and reduce. Of the stages (listed in tpu_vector_lanes) it has these, controlled by `tap` (tpu_lane_control.vh):
//
//   2  a, b less their zero points, and the factor of b
//   3  factor * b, as two products of 9 x 17 and 9 x 16 bits; correction of the product
//   4  product + correction
//   5  right shift
//   6  + a << 19, rounding
//   7  reduce
//
// One datapath serves all maps, as b * factor:
//
//   copy           1 * a                  max, min   b * 1, corrected by a - b if a is taken
//   mul            b * a                  add, sub   b * pre_mult, scaled by 2^-11 and 2^-shift
//
// Rounding right shift by 11 + s in one step: q, half a unit finer than the result, is the sum shifted right by 10 + s; the result is
// (q + 1) >> 1, or q/2 + q[0]. Double rounding rounds to 2^11 first and sends negative ties down after that. The first rounding adds
// 2^10; that a negative value is one smaller at the second one takes 2^11 off, so together 2^10 is added to a positive product
// and taken off a negative one. (A negative product that the first rounding makes 0 gives 0 either way.)
//
// With WINDOW the two multipliers belong to the 3 x 3 window as well (tpu_lane_window): they and a's and b's registers then hold
// the first two weights of the middle row, and the upper and the middle pixel.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_lane_control.vh"

module tpu_lane_map #(
  // 1: with the 3 x 3 window
  parameter WINDOW = 1
) (
  input  wire                     clk,

  input  wire [`TPU_TAP_BITS-1:0] tap,
  // The pixels or weights in stage 2 were read: upper, middle, lower row. All ones for taps
  input  wire [2:0]               present,

  // Stage 2
  input  wire [7:0]               a_byte,
  input  wire [31:0]              a_word,
  input  wire [7:0]               b_byte,
  input  wire [7:0]               c_byte,

  // Stage 8, until the next row's first tap is in stage 8
  output wire [31:0]              sum
);

  // ---- Stage 2: operands -----------------------------------------------------------------------
  // What several bits of a result depend on stands in functions: called under an enable, they cost a simulation nothing while
  // the stage is empty.
  function [8:0] centred;
    input signed [7:0] value;
    input signed [7:0] zero;
    centred = {value[7], value} - {zero[7], zero};
  endfunction

  function [8:0] absent;
    input largest;
    absent = {largest, 8'd0};
  endfunction

  reg  signed [8:0]  a3_q;
  reg  signed [8:0]  b3_q;
  reg  signed [16:0] low3_q;
  reg  signed [15:0] high3_q;
  wire        [7:0]  third_weight;

  function [31:0] factor;
    input        acc;
    input        times_a;
    input [31:0] word;
    input [8:0]  a;
    input [30:0] constant;
    factor = acc ? word : {{23{times_a && a[8]}}, a & {9{times_a}}} | {1'b0, constant};
  endfunction

  always @(posedge clk) begin
    if (tap[`TPU_TAP_2_EN] || tap[`TPU_TAP_2_COLUMN]) begin
      a3_q <= present[0] ? centred(a_byte ^ {8{tap[`TPU_TAP_2_REVERSE]}}, tap[`TPU_TAP_2_A_ZERO]) : absent(tap[`TPU_TAP_2_MAX]);
      b3_q <= tap[`TPU_TAP_2_COPY] ? 9'd1
            : present[1] ? centred(b_byte, tap[`TPU_TAP_2_B_ZERO]) : absent(tap[`TPU_TAP_2_MAX]);
    end
    if (tap[`TPU_TAP_2_EN]) begin
      low3_q[16]              <= 1'b0;
      {high3_q, low3_q[15:0]} <= factor(tap[`TPU_TAP_2_ACC], tap[`TPU_TAP_2_TIMES_A], a_word,
                                        centred(a_byte, tap[`TPU_TAP_2_A_ZERO]), tap[`TPU_TAP_2_FACTOR]);
    end else if (tap[`TPU_TAP_2_WEIGHT]) begin
      low3_q  <= {{9{high3_q[7]}}, high3_q[7:0]};
      high3_q <= {{8{third_weight[7]}}, third_weight};
    end
  end

  // ---- Stage 3: products -----------------------------------------------------------------------
  function [11:0] correction;
    input signed [8:0] a;
    input signed [8:0] b;
    input              twice;
    input              larger;
    input              smaller;
    reg          [9:0] difference;
    begin
      difference = {a[8], a} - {b[8], b};
      correction = twice ? {b[8], 1'b1, 10'd0}
                 : (difference[9] ? smaller : larger) ? {{2{difference[9]}}, difference} : 12'd0;
    end
  endfunction

  reg signed [24:0] low4_q;
  reg signed [23:0] high4_q;
  reg signed [11:0] correction4_q;
  reg        [8:0]  a4_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_3_EN] || tap[`TPU_TAP_3_COLUMN]) begin
      low4_q  <= b3_q * low3_q;
      high4_q <= b3_q * high3_q;
    end
    if (tap[`TPU_TAP_3_EN]) begin
      correction4_q <= correction(a3_q, b3_q, tap[`TPU_TAP_3_TWICE], tap[`TPU_TAP_3_MAX], tap[`TPU_TAP_3_MIN]);
      a4_q          <= a3_q;
    end
  end

  // ---- Stage 4: product ------------------------------------------------------------------------
  // Two operands at a time: of three, synthesis makes a larger adder.
  function [39:0] corrected;
    input [24:0] low;
    input [23:0] high;
    input [11:0] addend;
    reg   [24:0] lower;
    begin
      lower     = low + {{13{addend[11]}}, addend};
      corrected = {{{15{lower[24]}}, lower[24:16]} + high, lower[15:0]};
    end
  endfunction

  reg [39:0] product5_q;
  reg [8:0]  a5_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_4_EN]) begin
      product5_q <= corrected(low4_q, high4_q, correction4_q);
      a5_q       <= a4_q;
    end
  end

  // ---- Stage 5: right shift --------------------------------------------------------------------
  // Half a unit finer than the result.
  function [32:0] scaled;
    input        [39:0] product;
    input               adds;
    input        [4:0]  right;
    input               negate;
    reg   signed [32:0] finer;
    begin
      finer  = adds ? {{3{product[39]}}, product[39:10]} : {product[31:0], 1'b0};
      finer  = finer >>> right;
      scaled = finer ^ {33{negate}};
    end
  endfunction

  wire [19:0] window_5;
  reg  [31:0] a6_q;
  reg  [32:0] b6_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_5_WINDOW]) begin
      a6_q <= {{12{window_5[19]}}, window_5};
      b6_q <= 33'd0;
    end else if (tap[`TPU_TAP_5_EN]) begin
      a6_q <= tap[`TPU_TAP_5_ADDS] ? {{4{a5_q[8]}}, a5_q, 19'd0} : 32'd0;
      b6_q <= scaled(product5_q, tap[`TPU_TAP_5_ADDS], tap[`TPU_TAP_5_SHIFT], tap[`TPU_TAP_5_SUBTRACT]);
    end
  end

  // ---- Stage 6: map ----------------------------------------------------------------------------
  // b's lowest bit rounds. So does that of an inverted b: -(q/2 + q[0]) is (~q)/2 + (~q)[0].
  function [31:0] rounded;
    input [31:0] a;
    input [32:0] b;
    rounded = a + b[32:1] + {31'd0, b[0]};
  endfunction

  reg signed [31:0] mapped7_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_6_EN]) begin
      mapped7_q <= tap[`TPU_TAP_6_INSIDE] ? rounded(a6_q, b6_q) : {tap[`TPU_TAP_6_MAX], 31'd0};
    end
  end

  // ---- Stage 7: reduce -------------------------------------------------------------------------
  reg signed [31:0] sum8_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_7_EN] && (tap[`TPU_TAP_7_FIRST] || !tap[`TPU_TAP_7_MAX] || mapped7_q > sum8_q)) begin
      sum8_q <= tap[`TPU_TAP_7_FIRST] || tap[`TPU_TAP_7_MAX] ? mapped7_q : sum8_q + mapped7_q;
    end
  end

  assign sum = sum8_q;

  // ---- 3 x 3 window ----------------------------------------------------------------------------
  generate
    if (WINDOW != 0) begin : g_window
      tpu_lane_window u_window (
        .clk             (clk),
        .tap             (tap),
        .present         (present),
        .upper_byte      (a_byte),
        .middle_byte     (b_byte),
        .lower_byte      (c_byte),
        .third_weight    (third_weight),
        .upper_pixel     (a3_q),
        .middle_pixel    (b3_q),
        .middle_product0 (low4_q[15:0]),
        .middle_product1 (high4_q[15:0]),
        .result          (window_5)
      );
    end else begin : g_no_window
      // Nobody looks at these.
      assign third_weight = 8'bx;
      assign window_5     = 20'bx;

      wire unused = &{1'b0, present[2], c_byte};
    end
  endgenerate

  wire unused = &{1'b0, tap};

endmodule

`default_nettype wire
