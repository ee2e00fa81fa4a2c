// ECP5: two bits of a carry chain. A bit's table says whether it passes the carry on (1); where it does not, the table's first four places say
// what it carries. INJECT1 "YES" cuts the carry off from the sum, and carries nothing then.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module CCU2C #(
  parameter [15:0] INIT0 = 16'd0,
  parameter [15:0] INIT1 = 16'd0,
  parameter        INJECT1_0 = "YES",
  parameter        INJECT1_1 = "YES"
) (
  input  wire CIN,
  input  wire A0,
  input  wire B0,
  input  wire C0,
  input  wire D0,
  input  wire A1,
  input  wire B1,
  input  wire C1,
  input  wire D1,
  output wire S0,
  output wire S1,
  output wire COUT
);

  localparam CUT_0 = INJECT1_0 == "YES";
  localparam CUT_1 = INJECT1_1 == "YES";

  wire passes_0 = INIT0[{D0, C0, B0, A0}];
  wire passes_1 = INIT1[{D1, C1, B1, A1}];
  wire carry    = passes_0 ? CIN : !CUT_0 && INIT0[{2'b00, B0, A0}];

  assign S0   = passes_0 ^ (!CUT_0 && CIN);
  assign S1   = passes_1 ^ (!CUT_1 && carry);
  assign COUT = passes_1 ? carry : !CUT_1 && INIT1[{2'b00, B1, A1}];

endmodule

`default_nettype wire
