// Two bits of a carry chain. The function INIT of a bit's four inputs says whether the bit propagates the carry. A bit that does not
// propagate the carry generates the function of A and B alone, which INIT[3:0] holds; yosys writes no bit with an injected carry.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module CCU2C #(
  parameter [15:0] INIT0     = 16'h0000,
  parameter [15:0] INIT1     = 16'h0000,
  parameter        INJECT1_0 = "NO",
  parameter        INJECT1_1 = "NO"
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

  generate
    if (INJECT1_0 != "NO" || INJECT1_1 != "NO") begin : g_check_inject
      ERROR_CCU2C_with_an_injected_carry_has_no_model check ();
    end
  endgenerate

  wire propagate0 = INIT0[{D0, C0, B0, A0}];
  wire propagate1 = INIT1[{D1, C1, B1, A1}];
  wire generate0  = INIT0[{2'b00, B0, A0}];
  wire generate1  = INIT1[{2'b00, B1, A1}];

  wire carry = propagate0 ? CIN : generate0;

  assign S0   = propagate0 ^ CIN;
  assign S1   = propagate1 ^ carry;
  assign COUT = propagate1 ? carry : generate1;

endmodule

`default_nettype wire
