// tpu_float_fma, cycle t: which of product and c has the larger exponent, which one that is, and how far the other one is, at most 63. A zero
// never has the larger one beside a number.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_fma_terms (
  input wire        clk,
  input wire [3:0]  en,
  input wire [31:0] a,
  input wire [31:0] b,
  input wire [31:0] c
);

  wire [31:0] result;

  tpu_float_fma dut (
    .clk    (clk),
    .en     (en),
    .a      (a),
    .b      (b),
    .c      (c),
    .result (result)
  );

  (* hierconn *) wire [23:0] \dut.terms_1_q ;

  //// Reference, with integers ////

  reg [7:0] a_q;
  reg [7:0] b_q;
  reg [7:0] c_q;
  reg       given_q = 1'b0;

  always @(posedge clk) begin
    if (en[0]) begin
      a_q     <= a[30:23];
      b_q     <= b[30:23];
      c_q     <= c[30:23];
      given_q <= 1'b1;
    end
  end

  wire signed [11:0] of_product   = $signed({4'd0, a_q}) + $signed({4'd0, b_q}) - 12'sd127;
  wire signed [11:0] of_c         = $signed({4'd0, c_q});
  wire               product_zero = a_q == 8'd0 || b_q == 8'd0;
  wire               c_zero       = c_q == 8'd0;
  wire               upper        = !product_zero && (c_zero || of_product >= of_c);
  wire signed [11:0] larger       = upper ? of_product : of_c;
  wire signed [11:0] distance     = upper ? of_product - of_c : of_c - of_product;
  wire        [5:0]  places       = distance > 12'sd63 ? 6'd63 : distance[5:0];
  // As terms_1_q says them
  wire        [9:0]  exponent     = \dut.terms_1_q [20:11];
  wire               is_upper     = \dut.terms_1_q [8];
  wire               upper_zero   = \dut.terms_1_q [7];
  wire               lower_zero   = \dut.terms_1_q [6];

  always @* begin
    if (given_q) begin
      assert (is_upper == upper && exponent == larger[9:0]);
      assert (upper_zero == (product_zero && c_zero) && lower_zero == (upper ? c_zero : product_zero));
      if (!product_zero && !c_zero) assert (\dut.terms_1_q [5:0] == places);
    end
  end

endmodule

`default_nettype wire
