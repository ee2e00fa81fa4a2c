// ECP5: the multiplexer behind the two tables of a slice.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module PFUMX (
  input  wire ALUT,
  input  wire BLUT,
  input  wire C0,
  output wire Z
);

  assign Z = C0 ? ALUT : BLUT;

endmodule

`default_nettype wire
