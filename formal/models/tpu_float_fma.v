// A multiply-adder for proofs of what is around it: any result at any time. tpu_float_fma is compared with the host's in tests/rtl/float.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_fma (
  input  wire        clk,

  input  wire [3:0]  en,
  input  wire [31:0] a,
  input  wire [31:0] b,
  input  wire [31:0] c,

  output wire [31:0] result
);

  (* anyseq *) wire [31:0] any;

  assign result = any;

endmodule

`default_nettype wire
