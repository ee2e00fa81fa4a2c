// Multiplexer behind two look-up tables: a function of five inputs. C0 chooses ALUT.
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
