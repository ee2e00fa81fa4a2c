// tpu_requantize, stage 13: what becomes of a product, whatever product it is. As float32 it is rounded to nearest, ties to even, at 2^31 where it
// takes 56 bits and at 2^30 where it takes fewer, nothing is left below, and ones that the shift then loses are told; otherwise none are.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_requantize_float (
  input wire        clk,
  input wire [15:9] en,
  input wire [14:9] as_float,
  input wire        is_none,
  input wire        is_double,
  input wire        is_divide,
  input wire [31:0] value,
  input wire [31:0] bias,
  input wire [30:0] multiplier,
  input wire [5:0]  shift,
  input wire        divide_15,
  input wire [7:0]  zero_15
);

  wire [31:0] result;

  tpu_requantize #(
    .WIDE  (0),
    .FLOAT (1)
  ) dut (
    .clk        (clk),
    .en         (en),
    .as_float   (as_float),
    .is_none    (is_none),
    .is_double  (is_double),
    .is_divide  (is_divide),
    .is_wide    (1'b0),
    .value      (value),
    .bias       (bias),
    .value_high (16'd0),
    .bias_high  (16'd0),
    .multiplier (multiplier),
    .shift      (shift),
    .divide_15  (divide_15),
    .zero_15    (zero_15),
    .result     (result)
  );

  (* hierconn *) wire signed [62:0] \dut.product13_q ;
  (* hierconn *) wire        [5:0]  \dut.right13_q ;
  (* hierconn *) wire               \dut.twice13_q ;
  (* hierconn *) wire        [48:0] \dut.coarse14_q ;

  //// Reference ////

  reg signed [62:0] product;
  reg        [1:0]  sixteens;
  reg               twice;
  reg               float;
  reg               given_q = 1'b0;

  always @(posedge clk) begin
    if (en[13]) begin
      product  <= \dut.product13_q ;
      sixteens <= \dut.right13_q [5:4];
      twice    <= \dut.twice13_q ;
      float    <= as_float[13];
      given_q  <= 1'b1;
    end
  end

  // The product as a number of 56 bits
  wire signed [55:0] number  = product[55:0];
  wire               larger  = number >= 56'sh40000000000000 || number < -56'sh40000000000000;
  wire signed [62:0] unit    = larger ? 63'sh80000000 : 63'sh40000000;
  wire        [62:0] rest    = product & (unit - 63'sd1);
  wire signed [62:0] down    = product - $signed(rest);
  wire               odd     = (down & unit) != 63'd0;
  wire signed [62:0] nearest = {rest, 1'b0} > {1'b0, unit} || ({rest, 1'b0} == {1'b0, unit} && odd) ? down + unit : down;
  wire signed [62:0] nudged  = !twice ? product : product < 0 ? product - 63'sh40000000 : product + 63'sh40000000;
  wire signed [62:0] rounded = float ? nearest : nudged;
  wire signed [62:0] shifted = rounded >>> {sixteens, 4'd0};
  wire               exact   = (shifted <<< {sixteens, 4'd0}) == rounded;

  always @* if (given_q) assert (\dut.coarse14_q == {float && !exact, shifted[47:0]});

endmodule

`default_nettype wire
