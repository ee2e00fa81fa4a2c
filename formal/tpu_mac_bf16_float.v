// tpu_mac_bf16, floating point: in cycle t+1 which of product and partial sum has the larger exponent, and how far the other one is, at most 31; a
// zero never has the larger one beside a number. In cycle t+3 a total, whatever it is, becomes the nearest number, ties to even.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_mac_bf16_float (
  input wire        clk,
  input wire        rst,
  input wire        swap,
  input wire        float_en,
  input wire        weights_en,
  input wire        shift_in,
  input wire [8:0]  a_in,
  input wire [8:0]  scale_in,
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
    .rst        (rst),
    .swap       (swap),
    .float_en   (float_en),
    .weights_en (weights_en),
    .shift_in   (shift_in),
    .shift_out  (shift_out),
    .a_in       (a_in),
    .a_out      (a_out),
    .scale_in   (scale_in),
    .scale_out  (scale_out),
    .w_in       (w_in),
    .w_out      (w_out),
    .p_in       (p_in),
    .p_out      (p_out)
  );

  (* hierconn *) wire [8:0]  \dut.a_scale_q ;
  (* hierconn *) wire [8:0]  \dut.weight_scale_q ;
  (* hierconn *) wire [22:0] \dut.terms_q ;
  (* hierconn *) wire        \dut.bf16_2_q ;
  (* hierconn *) wire [12:0] \dut.scale_q ;
  (* hierconn *) wire [30:0] \dut.total_q ;

  reg given_q = 1'b0;
  always @(posedge clk) if (float_en) given_q <= 1'b1;

  //// Reference of cycle t+1, with integers ////

  reg [7:0] a_q;
  reg [7:0] w_q;
  reg [7:0] p_q;

  always @(posedge clk) begin
    if (float_en) begin
      a_q <= \dut.a_scale_q [7:0];
      w_q <= \dut.weight_scale_q [7:0];
      p_q <= p_in[30:23];
    end
  end

  wire signed [11:0] of_product   = $signed({4'd0, a_q}) + $signed({4'd0, w_q}) - 12'sd127;
  wire signed [11:0] of_p         = $signed({4'd0, p_q});
  wire               product_zero = a_q == 8'd0 || w_q == 8'd0;
  wire               p_zero       = p_q == 8'd0;
  wire               upper        = !product_zero && (p_zero || of_product >= of_p);
  wire signed [11:0] larger       = upper ? of_product : of_p;
  wire signed [11:0] distance     = upper ? of_product - of_p : of_p - of_product;
  wire        [4:0]  places       = distance > 12'sd31 ? 5'd31 : distance[4:0];
  // As terms_q says them
  wire        [9:0]  exponent     = \dut.terms_q [19:10];
  wire               is_upper     = \dut.terms_q [7];
  wire               upper_zero   = \dut.terms_q [6];
  wire               lower_zero   = \dut.terms_q [5];

  always @* begin
    if (given_q) begin
      assert (is_upper == upper && exponent == larger[9:0]);
      assert (upper_zero == (product_zero && p_zero) && lower_zero == (upper ? p_zero : product_zero));
      if (!product_zero && !p_zero) assert (\dut.terms_q [4:0] == places);
    end
  end

  //// Reference of cycle t+3 ////

  // The nearest number to total * 2^(exponent - 26 - 127), a total of 29 bits
  function [31:0] nearest;
    input        sign;
    input [9:0]  scale;
    input [28:0] total;
    integer             i;
    reg          [4:0]  top;
    reg          [4:0]  cut;
    reg          [28:0] rest;
    reg          [28:0] half;
    reg          [28:0] kept;
    reg signed   [9:0]  power;
    reg signed   [11:0] biased;
    begin
      top = 5'd0;
      for (i = 0; i < 29; i = i + 1) if (total[i]) top = i;
      cut  = top > 5'd23 ? top - 5'd23 : 5'd0;
      kept = total >> cut;
      rest = total - (kept << cut);
      half = (29'd1 << cut) >> 1;
      if (cut != 5'd0 && (rest > half || (rest == half && kept[0]))) kept = kept + 29'd1;
      power  = scale + {5'd0, top} - 10'd26;
      biased = power;
      if (kept[24]) biased = biased + 12'sd1;
      // Of a number with 24 bits, or 25 after rounding up to a power of two, those behind the leading one
      kept    = top < 5'd23 ? kept << (5'd23 - top) : kept[24] ? 29'd0 : kept;
      nearest = total == 29'd0 || biased <= 0 ? {sign, 31'd0}
              : biased >= 255 ? {sign, 8'hFF, 23'd0} : {sign, biased[7:0], kept[22:0]};
    end
  endfunction

  reg        float_q = 1'b0;
  reg [12:0] scale_q;
  reg [30:0] total_q;

  always @(posedge clk) begin
    float_q <= float_en && \dut.bf16_2_q ;
    scale_q <= \dut.scale_q ;
    total_q <= \dut.total_q ;
  end

  // What a subtraction cancels is +0.
  wire        sign     = total_q[29] && (total_q[28:0] != 29'd0 || !total_q[30]);
  wire [31:0] finite   = nearest(sign, scale_q[9:0], total_q[28:0]);
  wire [31:0] expected = scale_q[12] ? 32'h7FC00000 : scale_q[11] ? {scale_q[10], 8'hFF, 23'd0} : finite;
  // Of numbers of 8 bits
  wire        occurs   = scale_q[9:0] < 10'd384 || scale_q[9:0] >= 10'd897;

  always @* begin
    if (float_q && occurs) assert (p_out == expected);
  end

endmodule

`default_nettype wire
