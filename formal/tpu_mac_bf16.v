// tpu_mac_bf16: p_out is the exact value of p_in + a * weight, rounded once.
//
// The reference adds integers. It moves the number of the larger exponent by as many places as the exponents of product and p_in differ, but
// by 36 at most: then the other number is less than a thousandth of the last bit of the first one, and its size no longer matters.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_mac_bf16 #(
  // How much the exponents of product and p_in differ
  parameter FROM = 0,
  parameter TO = 511
) (
  input wire        clk,
  input wire [15:0] a_in,
  input wire [15:0] w_in,
  input wire [31:0] p_in
);

  wire [31:0] p_out;
  wire        shift_out;
  wire [8:0]  a_out;
  wire [8:0]  scale_out;
  wire [15:0] w_out;

  tpu_mac_bf16 dut (
    .clk        (clk),
    .rst        (1'b0),
    .swap       (1'b1),
    .float_en   (1'b1),
    .weights_en (1'b1),
    .shift_in   (1'b1),
    .shift_out  (shift_out),
    .a_in       ({2'b01, a_in[6:0]}),
    .a_out      (a_out),
    .scale_in   (a_in[15:7]),
    .scale_out  (scale_out),
    .w_in       (w_in),
    .w_out      (w_out),
    .p_in       (p_in),
    .p_out      (p_out)
  );

  // ---- Operands of the sum that comes out in this cycle ------------------------------------------------------
  reg [15:0] shadow_q;
  reg [15:0] weight_q;
  reg [15:0] a_q;
  reg [15:0] a_1_q;
  reg [15:0] a_2_q;
  reg [15:0] a;
  reg [15:0] w_1_q;
  reg [15:0] w_2_q;
  reg [15:0] w;
  reg [31:0] p_1_q;
  reg [31:0] p_2_q;
  reg [31:0] p;
  reg [4:0]  given_q = 5'd0;

  always @(posedge clk) begin
    shadow_q <= w_in;
    weight_q <= shadow_q;
    a_q      <= a_in;
    a_1_q    <= a_q;
    a_2_q    <= a_1_q;
    a        <= a_2_q;
    w_1_q    <= weight_q;
    w_2_q    <= w_1_q;
    w        <= w_2_q;
    p_1_q    <= p_in;
    p_2_q    <= p_1_q;
    p        <= p_2_q;
    given_q  <= {given_q[3:0], 1'b1};
  end

  // ---- Reference -----------------------------------------------------------------------------------
  localparam PLACES = TO < 36 ? TO : 36;
  localparam BITS   = PLACES + 27;

  wire [9:0]       exponent = a[14:7] + w[14:7] - 10'd127;
  wire [9:0]       above    = exponent - p[30:23];
  wire             larger   = !above[9];
  wire [9:0]       distance = larger ? above : -above;
  wire [9:0]       places   = distance > PLACES ? PLACES : distance;

  always @* assume (distance >= FROM && distance <= TO);

  // Multiplied as the element does, so that the proof need not find out that both products are equal
  wire signed [8:0]  factor_a = {2'b01, a[6:0]};
  wire signed [8:0]  factor_w = {2'b01, w[6:0]};
  wire signed [17:0] product  = factor_a * factor_w;

  wire             sign          = a[15] ^ w[15];
  wire             product_zero  = a[14:7] == 0 || w[14:7] == 0;
  wire             p_zero        = p[30:23] == 0;
  // 23 bits behind the point
  wire [BITS-1:0]  product_units = product_zero ? 0 : {product[15:0], 9'd0} << (larger ? places : 0);
  wire [BITS-1:0]  p_units       = p_zero ? 0 : {1'b1, p[22:0]} << (larger ? 0 : places);
  wire [BITS-1:0]  total         = (sign ? -product_units : product_units) + (p[31] ? -p_units : p_units);
  wire [31:0]      rounded;

  rounding #(
    .BITS (BITS)
  ) u_rounding (
    .negative (total[BITS-1]),
    .size     (total[BITS-1] ? -total : total),
    .unit     ((larger ? exponent : {2'd0, p[30:23]}) - places - 10'd23),
    .result   (rounded)
  );

  wire a_infinite = &a[14:7];
  wire w_infinite = &w[14:7];
  wire p_infinite = &p[30:23];
  wire is_nan     = (a_infinite && |a[6:0]) || (w_infinite && |w[6:0]) || (p_infinite && |p[22:0])
                    || ((a_infinite || w_infinite) && (product_zero || (p_infinite && sign != p[31])));

  always @* begin
    if (given_q[4]) begin
      if (is_nan) assert (p_out == 32'h7FC00000);
      else if (a_infinite || w_infinite) assert (p_out == {sign, 31'h7F800000});
      else if (p_infinite) assert (p_out == p);
      else if (product_zero && p_zero) assert (p_out == {sign && p[31], 31'd0});
      // A number without the other one is what it is; how far exponents differ says nothing then.
      else if (product_zero) assert (p_out == p);
      else if (total == 0) assert (p_out == 0);
      else assert (p_out == rounded);
    end
  end

endmodule

`default_nettype wire
