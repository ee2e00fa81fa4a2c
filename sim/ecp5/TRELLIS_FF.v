// ECP5: a register of a slice, as yosys and nextpnr call it. It starts with any value; nothing here has the device's global set and reset (GSR),
// which comes once after configuration.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module TRELLIS_FF #(
  parameter GSR = "ENABLED",
  parameter CEMUX = "1",
  parameter CLKMUX = "CLK",
  parameter LSRMUX = "LSR",
  parameter SRMODE = "LSR_OVER_CE",
  parameter REGSET = "RESET"
) (
  input  wire CLK,
  input  wire LSR,
  input  wire CE,
  input  wire DI,
  output wire Q
);

  generate
    if (CLKMUX != "CLK" || LSRMUX != "LSR" || (CEMUX != "1" && CEMUX != "CE" && CEMUX != "INV")) begin : g_check_mux
      ERROR_TRELLIS_FF_has_no_such_multiplexer check ();
    end
    if (SRMODE != "LSR_OVER_CE" && SRMODE != "ASYNC") begin : g_check_mode
      ERROR_TRELLIS_FF_has_no_such_SRMODE check ();
    end
  endgenerate

  localparam VALUE = REGSET == "SET";

  wire en = CEMUX == "1" || (CEMUX == "INV" ? !CE : CE);
  reg  q;

  assign Q = q;

  generate
    if (SRMODE == "ASYNC") begin : g_async
      always @(posedge CLK or posedge LSR) begin
        if (LSR) begin
          q <= VALUE;
        end else if (en) begin
          q <= DI;
        end
      end
    end else begin : g_sync
      always @(posedge CLK) begin
        if (LSR) begin
          q <= VALUE;
        end else if (en) begin
          q <= DI;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
