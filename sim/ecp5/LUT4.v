// ECP5: a table of four inputs (Lattice FPGA-TN-02201, Slice).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module LUT4 #(
  parameter [15:0] INIT = 16'd0
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
