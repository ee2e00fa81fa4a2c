// Compares two binary32 numbers. A subnormal number counts as zero of its sign.
//
//   cycle t    en: a, b
//         t+1  less, equal: neither of them if a or b is a NaN; zeros of either sign are equal
//              smaller, larger: NaN if a or b is one; +0 is larger than -0
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_compare (
  input  wire        clk,

  input  wire        en,
  input  wire [31:0] a,
  input  wire [31:0] b,

  output wire        less,
  output wire        equal,
  output wire [31:0] smaller,
  output wire [31:0] larger
);

  // Less, equal, smaller, larger
  function [65:0] compared;
    input [31:0] x;
    input [31:0] y;
    reg   [31:0] x_number;
    reg   [31:0] y_number;
    reg          below;
    reg          both_zero;
    begin
      x_number  = {x[31], ~|x[30:23] ? 31'd0 : x[30:0]};
      y_number  = {y[31], ~|y[30:23] ? 31'd0 : y[30:0]};
      both_zero = ~|x[30:23] && ~|y[30:23];
      // As integers with a sign and a size, -0 is below +0.
      below     = x[31] != y[31] ? x[31] : x_number != y_number && ((x_number[30:0] < y_number[30:0]) ^ x[31]);
      if ((&x[30:23] && |x[22:0]) || (&y[30:23] && |y[22:0])) begin
        compared = {2'b00, 32'h7FC00000, 32'h7FC00000};
      end else begin
        compared = {below && !both_zero, x_number == y_number || both_zero, below ? {x_number, y_number} : {y_number, x_number}};
      end
    end
  endfunction

  reg [65:0] compared_q;

  assign {less, equal, smaller, larger} = compared_q;

  always @(posedge clk) begin
    if (en) begin
      compared_q <= compared(a, b);
    end
  end

endmodule

`default_nettype wire
