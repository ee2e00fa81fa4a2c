// Look-up table: any function of four inputs. INIT has its value for {D, C, B, A} at that bit.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module LUT4 #(
  parameter [15:0] INIT = 16'h0000
) (
  input  wire A,
  input  wire B,
  input  wire C,
  input  wire D,
  output wire Z
);

  assign Z = INIT[{D, C, B, A}];

endmodule

`default_nettype wire
