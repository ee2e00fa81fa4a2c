// 3 x 3 window of one lane: sum of nine products, or largest of nine pixels, once per cycle.
//
// Columns of three pixels shift in from the right, and so do columns of three weights. Stages are numbered as in tpu_vector:
//
//   2  subtract the zero point, shift the column in
//   3  nine products of 9 x 8 bits; largest pixel of the new column
//   4  sums of three; largest of three columns
//   5  sum of all
//   6  `result` is valid
//
// A pixel that is not present counts 0 in a sum and -2^31 in a maximum; a weight that is not present is 1.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_vector_window (
  input  wire        clk,

  // Stage 2: a column of pixels or of weights, rows 0 to 2
  input  wire        c2_column,
  input  wire        c2_weight,
  input  wire        c2_max,
  input  wire [7:0]  c2_zero,
  input  wire [2:0]  c2_present,
  input  wire [7:0]  c2_byte0,
  input  wire [7:0]  c2_byte1,
  input  wire [7:0]  c2_byte2,

  // Stages 3 to 5: `sum` and `max` say that the window is complete, `column` that the maximum of a column is asked for
  input  wire        c3_sum,
  input  wire        c3_column,
  input  wire        c4_sum,
  input  wire        c4_max,
  input  wire        c5_sum,
  input  wire        c5_max,

  // Stage 6
  output wire [31:0] result
);

  // No pixel less its zero point is as small as this.
  localparam [8:0] ABSENT = 9'h100;

  function [8:0] larger;
    input signed [8:0] a;
    input signed [8:0] b;
    larger = a > b ? a : b;
  endfunction

  // ---- Stages 2 and 3, row by row -----------------------------------------------------------------
  genvar r;
  generate
    for (r = 0; r < 3; r = r + 1) begin : g_row
      wire               [7:0]  value = r == 0 ? c2_byte0 : r == 1 ? c2_byte1 : c2_byte2;
      reg  signed        [8:0]  pixel0_q;
      reg  signed        [8:0]  pixel1_q;
      reg  signed        [8:0]  pixel2_q;
      reg  signed        [7:0]  weight0_q;
      reg  signed        [7:0]  weight1_q;
      reg  signed        [7:0]  weight2_q;
      // At most 255 * 128.
      reg  signed        [15:0] product0_q;
      reg  signed        [15:0] product1_q;
      reg  signed        [15:0] product2_q;

      always @(posedge clk) begin
        if (c2_column) begin
          pixel0_q <= pixel1_q;
          pixel1_q <= pixel2_q;
          pixel2_q <= c2_present[r] ? {value[7], value} - {c2_zero[7], c2_zero} : c2_max ? ABSENT : 9'd0;
        end
        if (c2_weight) begin
          weight0_q <= weight1_q;
          weight1_q <= weight2_q;
          weight2_q <= c2_present[r] ? value : 8'd1;
        end
        if (c3_sum) begin
          product0_q <= pixel0_q * weight0_q;
          product1_q <= pixel1_q * weight1_q;
          product2_q <= pixel2_q * weight2_q;
        end
      end
    end
  endgenerate

  // Maxima of the last three columns.
  reg [8:0] max0_q;
  reg [8:0] max1_q;
  reg [8:0] max2_q;

  always @(posedge clk) begin
    if (c3_column) begin
      max0_q <= max1_q;
      max1_q <= max2_q;
      max2_q <= larger(larger(g_row[0].pixel2_q, g_row[1].pixel2_q), g_row[2].pixel2_q);
    end
  end

  // ---- Stages 4 and 5 ----------------------------------------------------------------------------
  function [17:0] sum3;
    input [15:0] a;
    input [15:0] b;
    input [15:0] c;
    sum3 = {{2{a[15]}}, a} + {{2{b[15]}}, b} + {{2{c[15]}}, c};
  endfunction

  reg [17:0] sum0_q;
  reg [17:0] sum1_q;
  reg [17:0] sum2_q;
  reg [8:0]  max5_q;
  reg [19:0] result6_q;
  reg        empty6_q;

  always @(posedge clk) begin
    if (c4_sum) begin
      sum0_q <= sum3(g_row[0].product0_q, g_row[0].product1_q, g_row[0].product2_q);
      sum1_q <= sum3(g_row[1].product0_q, g_row[1].product1_q, g_row[1].product2_q);
      sum2_q <= sum3(g_row[2].product0_q, g_row[2].product1_q, g_row[2].product2_q);
    end
    if (c4_max) begin
      max5_q <= larger(larger(max0_q, max1_q), max2_q);
    end
    if (c5_sum) begin
      result6_q <= {{2{sum0_q[17]}}, sum0_q} + {{2{sum1_q[17]}}, sum1_q} + {{2{sum2_q[17]}}, sum2_q};
      empty6_q  <= 1'b0;
    end
    if (c5_max) begin
      result6_q <= {{11{max5_q[8]}}, max5_q};
      empty6_q  <= max5_q == ABSENT;
    end
  end

  assign result = {result6_q[19], {31{!empty6_q}} & {{12{result6_q[19]}}, result6_q[18:0]}};

endmodule

`default_nettype wire
