// Rounds a binary32 number to bf16, which is the upper half of a binary32 word: to nearest even. Overflow makes infinity, a subnormal number
// becomes zero of its sign, and every NaN becomes 7FC0.
//
//   cycle t    en: value
//         t+1  result
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_to_bf16 (
  input  wire        clk,

  input  wire        en,
  input  wire [31:0] value,

  output wire [15:0] result
);

  function [15:0] rounded;
    input [31:0] x;
    begin
      if (&x[30:23] && |x[22:0]) begin
        rounded = 16'h7FC0;
      end else if (~|x[30:23]) begin
        rounded = {x[31], 15'd0};
      end else begin
        // A fraction that rounds up to 2 carries into the exponent, and from the largest number to infinity.
        rounded = x[31:16] + {15'd0, x[15] && (|x[14:0] || x[16])};
      end
    end
  endfunction

  reg [15:0] result_q;

  assign result = result_q;

  always @(posedge clk) begin
    if (en) begin
      result_q <= rounded(value);
    end
  end

endmodule

`default_nettype wire
