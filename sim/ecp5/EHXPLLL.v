// ECP5: a phase-locked loop, as far as a simulation of one clock needs it: its clocks are its input, and it locks some cycles behind its reset.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module EHXPLLL #(
  parameter CLKI_DIV = 1,
  parameter CLKFB_DIV = 1,
  parameter CLKOP_DIV = 8,
  parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOP_CPHASE = 0,
  parameter CLKOP_FPHASE = 0,
  parameter CLKOS_DIV = 8,
  parameter CLKOS_ENABLE = "DISABLED",
  parameter CLKOS_CPHASE = 0,
  parameter CLKOS_FPHASE = 0,
  parameter CLKOS2_DIV = 8,
  parameter CLKOS2_ENABLE = "DISABLED",
  parameter CLKOS2_CPHASE = 0,
  parameter CLKOS2_FPHASE = 0,
  parameter FEEDBK_PATH = "CLKOP"
) (
  input  wire CLKI,
  input  wire RST,
  input  wire STDBY,
  output wire CLKOP,
  output wire CLKOS,
  output wire CLKOS2,
  output wire LOCK
);

  reg [2:0] waited;

  assign CLKOP  = CLKI;
  assign CLKOS  = CLKI;
  assign CLKOS2 = CLKI;
  assign LOCK   = &waited;

  always @(posedge CLKI) begin
    if (RST) begin
      waited <= 3'd0;
    end else if (!LOCK) begin
      waited <= waited + 3'd1;
    end
  end

  wire unused = &{1'b0, STDBY};

endmodule

`default_nettype wire
