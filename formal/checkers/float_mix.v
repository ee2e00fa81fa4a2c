// Two words that differ as soon as one bit of what a floating-point lane gets does: an exclusive or, in which each number is turned in its own way,
// and the same turned once more.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module float_mix (
  input  wire [31:0] a,
  input  wire [31:0] b,
  input  wire [31:0] bias,
  input  wire [31:0] multiplier,
  input  wire [31:0] lane_bias,
  input  wire [31:0] lane_multiplier,
  input  wire [31:0] control,
  output wire [31:0] word,
  output wire [31:0] left
);

  assign word = a ^ {b[6:0], b[31:7]} ^ {bias[12:0], bias[31:13]} ^ {multiplier[18:0], multiplier[31:19]}
              ^ {lane_bias[2:0], lane_bias[31:3]} ^ {lane_multiplier[22:0], lane_multiplier[31:23]} ^ {control[27:0], control[31:28]};
  assign left = {word[30:0], word[31]};

endmodule

`default_nettype wire
