// 3 x 3 window of one lane: sum of nine products, or largest of nine pixels, once per cycle.
//
// A column of three pixels arrives at a time and meets all nine weights: column sum j is that of its products with the weights of column j.
// The window that a column completes is its own column sum 2, column sum 1 of the column before and column sum 0 of the one before
// that. So a column adds its sum 0 to nothing, its sum 1 to what the column before left, its sum 2 to what the two before left.
// Stages as in tpu_vector_lanes, controlled by `tap` (tpu_lane_control.vh):
//
//   2  lower pixel less its zero point; weights shift in, a column of three at a time
//   3  products; largest pixel of the column
//   4  sums of one, of two and of three columns; largest pixel of as many
//   5  `result` of three
//
// The other pixels and the first two weights of the middle row with their products are tpu_lane_map's. The lower row multiplies
// without multipliers, two bits of a weight at a time, so that a lane takes six DSP blocks instead of nine.
//
// A pixel that is not present counts 0 in a sum and less than all others in a maximum; a weight that is not present is 1.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_lane_control.vh"

module tpu_lane_window (
  input  wire                     clk,

  input  wire [`TPU_TAP_BITS-1:0] tap,
  input  wire [2:0]               present,

  // Stage 2
  input  wire [7:0]               upper_byte,
  input  wire [7:0]               middle_byte,
  input  wire [7:0]               lower_byte,
  output wire [7:0]               third_weight,

  // Stage 3
  input  wire signed [8:0]        upper_pixel,
  input  wire signed [8:0]        middle_pixel,

  // Stage 4
  input  wire signed [15:0]       middle_product0,
  input  wire signed [15:0]       middle_product1,

  // Stage 5
  output wire [19:0]              result
);

  // ---- Stage 2: lower pixel, weights -----------------------------------------------------------
  function [8:0] centred;
    input signed [7:0] value;
    input signed [7:0] zero;
    centred = {value[7], value} - {zero[7], zero};
  endfunction

  function [10:0] tripled;
    input [8:0] pixel;
    tripled = {{2{pixel[8]}}, pixel} + {pixel[8], pixel, 1'b0};
  endfunction

  // The lower pixel and three times the pixel.
  reg        [8:0]  lower_pixel_q;
  reg        [10:0] lower_pixel3_q;
  reg signed [7:0] upper0_q;
  reg signed [7:0] upper1_q;
  reg signed [7:0] upper2_q;
  reg signed [7:0] middle2_q;
  reg        [7:0] lower0_q;
  reg        [7:0] lower1_q;
  reg        [7:0] lower2_q;

  assign third_weight = middle2_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_2_COLUMN]) begin
      lower_pixel_q  <= present[2] ? centred(lower_byte, tap[`TPU_TAP_2_A_ZERO]) : {tap[`TPU_TAP_2_MAX], 8'd0};
      lower_pixel3_q <= present[2] ? tripled(centred(lower_byte, tap[`TPU_TAP_2_A_ZERO])) : 11'd0;
    end
    if (tap[`TPU_TAP_2_WEIGHT]) begin
      upper0_q  <= upper1_q;
      upper1_q  <= upper2_q;
      upper2_q  <= present[0] ? upper_byte : 8'd1;
      middle2_q <= present[1] ? middle_byte : 8'd1;
      lower0_q  <= lower1_q;
      lower1_q  <= lower2_q;
      lower2_q  <= present[2] ? lower_byte : 8'd1;
    end
  end

  // ---- Stage 3: products, at most 255 * 128 ----------------------------------------------------
  function [8:0] larger;
    input signed [8:0] a;
    input signed [8:0] b;
    larger = a > b ? a : b;
  endfunction

  // Product with two bits of a weight, of 3, 2, 1 and 0 times the pixel.
  function [10:0] digit_product;
    input [1:0]  digit;
    input [10:0] three;
    input [10:0] two;
    input [10:0] one;
    digit_product = ({11{digit == 2'd3}} & three) | ({11{digit == 2'd2}} & two) | ({11{digit == 2'd1}} & one);
  endfunction

  // Product with four bits of a weight. With `negative` the highest of them counts -8: the upper two bits then count -2 and 1, and a
  // negative operand is added as its inverse and 1.
  function [12:0] four_bit_product;
    input [3:0]  weight;
    input        negative;
    input [8:0]  pixel;
    input [10:0] pixel3;
    reg   [10:0] once;
    reg   [10:0] twice;
    reg   [10:0] low;
    reg   [10:0] high;
    begin
      once             = {{2{pixel[8]}}, pixel};
      twice            = {pixel[8], pixel, 1'b0};
      low              = digit_product(weight[1:0], pixel3, twice, once);
      high             = digit_product(weight[3:2], negative ? ~once : pixel3, twice ^ {11{negative}}, once);
      four_bit_product = {{{2{low[10]}}, low[10:2]} + high + {10'd0, negative && weight[3]}, low[1:0]};
    end
  endfunction

  reg signed [15:0] upper_product0_q;
  reg signed [15:0] upper_product1_q;
  reg signed [15:0] upper_product2_q;
  reg signed [15:0] middle_product2_q;
  reg        [12:0] lower_low0_q;
  reg        [12:0] lower_low1_q;
  reg        [12:0] lower_low2_q;
  reg        [12:0] lower_high0_q;
  reg        [12:0] lower_high1_q;
  reg        [12:0] lower_high2_q;
  reg        [8:0]  largest_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_3_COLUMN]) begin
      upper_product0_q  <= upper_pixel * upper0_q;
      upper_product1_q  <= upper_pixel * upper1_q;
      upper_product2_q  <= upper_pixel * upper2_q;
      middle_product2_q <= middle_pixel * middle2_q;
      lower_low0_q      <= four_bit_product(lower0_q[3:0], 1'b0, lower_pixel_q, lower_pixel3_q);
      lower_low1_q      <= four_bit_product(lower1_q[3:0], 1'b0, lower_pixel_q, lower_pixel3_q);
      lower_low2_q      <= four_bit_product(lower2_q[3:0], 1'b0, lower_pixel_q, lower_pixel3_q);
      lower_high0_q     <= four_bit_product(lower0_q[7:4], 1'b1, lower_pixel_q, lower_pixel3_q);
      lower_high1_q     <= four_bit_product(lower1_q[7:4], 1'b1, lower_pixel_q, lower_pixel3_q);
      lower_high2_q     <= four_bit_product(lower2_q[7:4], 1'b1, lower_pixel_q, lower_pixel3_q);
      largest_q         <= larger(larger(upper_pixel, middle_pixel), lower_pixel_q);
    end
  end

  // ---- Stage 4: sums of columns ----------------------------------------------------------------
  // Two operands at a time, each sum in its own width: of more, synthesis makes a larger adder. A column without its lower product
  // fits 17 bits, three columns without their last product 19, sixteenths of a product 12.
  function [19:0] plus_column;
    input [18:0] earlier;
    input [15:0] upper;
    input [15:0] middle;
    input [12:0] low;
    input [11:0] high;
    reg   [16:0] pair;
    reg   [11:0] lower;
    reg   [18:0] others;
    begin
      pair        = {upper[15], upper} + {middle[15], middle};
      lower       = {{3{low[12]}}, low[12:4]} + high;
      others      = earlier + {{2{pair[16]}}, pair};
      plus_column = {others[18], others} + {{4{lower[11]}}, lower, low[3:0]};
    end
  endfunction

  // Of one column, of two and of three.
  reg [19:0] sum1_q;
  reg [19:0] sum2_q;
  reg [19:0] sum3_q;
  reg [8:0]  largest1_q;
  reg [8:0]  largest2_q;
  reg [8:0]  largest3_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_4_COLUMN]) begin
      sum1_q     <= plus_column(19'd0, upper_product0_q, middle_product0, lower_low0_q, lower_high0_q[11:0]);
      sum2_q     <= plus_column(sum1_q[18:0], upper_product1_q, middle_product1, lower_low1_q, lower_high1_q[11:0]);
      sum3_q     <= plus_column(sum2_q[18:0], upper_product2_q, middle_product2_q, lower_low2_q, lower_high2_q[11:0]);
      largest1_q <= largest_q;
      largest2_q <= larger(largest1_q, largest_q);
      largest3_q <= larger(largest2_q, largest_q);
    end
  end

  // ---- Stage 5: window -------------------------------------------------------------------------
  assign result = tap[`TPU_TAP_5_MAX] ? {{11{largest3_q[8]}}, largest3_q} : sum3_q;

  wire unused = &{1'b0, tap, sum1_q[19], sum2_q[19], lower_high0_q[12], lower_high1_q[12], lower_high2_q[12]};

endmodule

`default_nettype wire
