// What an argument says, for proofs of tpu_float_function around it: anything at any time. What it says is proved in formal/tpu_float_argument.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_argument (
  input  wire        en,
  input  wire [2:0]  fn,
  input  wire [31:0] value,

  output wire        known,
  output wire [31:0] x,
  output wire        beyond,
  output wire [9:0]  scale
);

  (* anyseq *) wire [43:0] any;

  assign {known, x, beyond, scale} = any;

endmodule

`default_nettype wire
