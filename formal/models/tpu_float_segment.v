// A segment for proofs of tpu_float_function around it: anything at any time. What it is is proved in formal/tpu_float_segment.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_segment (
  input  wire        clk,

  input  wire        en,
  input  wire        choose,
  input  wire [2:0]  fn,
  input  wire [31:0] x,
  input  wire [31:0] square,
  input  wire [8:0]  address_in,
  output wire [8:0]  address_out,

  output wire [31:0] y,
  output wire [31:0] start,
  output wire [31:0] c0,
  output wire [31:0] c1,
  output wire [31:0] c2,
  output wire [31:0] c3
);

  (* anyseq *) wire [200:0] any;

  assign {address_out, y, start, c0, c1, c2, c3} = any;

endmodule

`default_nettype wire
