// Operands for proofs of tpu_float_function around them: anything at any time. What they are is proved in formal/tpu_float_operands.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_operands (
  input  wire        clk,

  input  wire        en,
  input  wire [2:0]  fn,
  input  wire [3:0]  step,
  input  wire        negative,
  input  wire [31:0] x,
  input  wire [31:0] t,
  input  wire [8:0]  exponent,
  input  wire [31:0] p,
  input  wire [31:0] y,
  input  wire [31:0] start,
  input  wire [31:0] c0,
  input  wire [31:0] c1,
  input  wire [31:0] c2,
  input  wire [31:0] c3,

  output wire [31:0] a,
  output wire [31:0] b,
  output wire [31:0] addend
);

  (* anyseq *) wire [95:0] any;

  assign {a, b, addend} = any;

endmodule

`default_nettype wire
