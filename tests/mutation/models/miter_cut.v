// Where a miter's circuit ends: `in` becomes outputs that must be equal in the original and the change, `out` inputs that are.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

(* blackbox *)
module miter_cut #(
  parameter IN  = 1,
  parameter OUT = 1
) (
  input  wire [IN-1:0]  in,
  output wire [OUT-1:0] out
);

endmodule

`default_nettype wire
