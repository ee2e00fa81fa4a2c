// Flip-flop with clock enable and set or reset, which goes before the enable, at the clock's edge or at once.
//
// The device starts a flip-flop with what REGSET says, and GSR is its global reset, once behind that. Here a flip-flop starts with anything, as
// the machine may not rely on either.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module TRELLIS_FF #(
  // "CE", "INV" (low enables), or "1": always
  parameter CEMUX  = "1",
  // "CLK": rising edge
  parameter CLKMUX = "CLK",
  // "LSR": high sets or resets
  parameter LSRMUX = "LSR",
  // "SET" or "RESET"
  parameter REGSET = "RESET",
  // "LSR_OVER_CE": at the clock's edge; "ASYNC": at once
  parameter SRMODE = "LSR_OVER_CE",
  parameter GSR    = "DISABLED"
) (
  input  wire CLK,
  input  wire LSR,
  input  wire CE,
  input  wire DI,
  output reg  Q
);

  generate
    if (CEMUX != "CE" && CEMUX != "INV" && CEMUX != "1") begin : g_check_ce
      ERROR_TRELLIS_FF_with_this_CEMUX_has_no_model check ();
    end
    if (CLKMUX != "CLK" || LSRMUX != "LSR" || (SRMODE != "LSR_OVER_CE" && SRMODE != "ASYNC")) begin : g_check
      ERROR_TRELLIS_FF_has_a_model_for_CLK_LSR_and_LSR_OVER_CE_or_ASYNC_only check ();
    end
    if (REGSET != "SET" && REGSET != "RESET") begin : g_check_regset
      ERROR_TRELLIS_FF_REGSET_must_be_SET_or_RESET check ();
    end
  endgenerate

  wire enable = CEMUX == "CE" ? CE : CEMUX == "INV" ? !CE : 1'b1;

  generate
    if (SRMODE == "ASYNC") begin : g_async
      always @(posedge CLK or posedge LSR) begin
        if (LSR) begin
          Q <= REGSET == "SET";
        end else if (enable) begin
          Q <= DI;
        end
      end
    end else begin : g_sync
      always @(posedge CLK) begin
        if (LSR) begin
          Q <= REGSET == "SET";
        end else if (enable) begin
          Q <= DI;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
