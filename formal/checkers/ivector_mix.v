// A word that differs as soon as one bit of what an integer lane gets does: an exclusive or, in which each number is turned in its own way.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module ivector_mix (
  input  wire [7:0]  a_byte,
  input  wire [15:0] a_half,
  input  wire [31:0] a_word,
  input  wire [7:0]  b_byte,
  input  wire [15:0] b_half,
  input  wire [31:0] b_word,
  input  wire [31:0] bias,
  input  wire [31:0] multiplier,
  input  wire [5:0]  shift,
  output wire [31:0] word
);

  assign word = {a_byte, b_byte, 10'd0, shift} ^ {b_half, a_half} ^ a_word ^ {b_word[6:0], b_word[31:7]} ^ {bias[12:0], bias[31:13]}
              ^ {multiplier[18:0], multiplier[31:19]};

endmodule

`default_nettype wire
