// ECP5: a memory of 16 x 4 bits in a slice, written by the clock and read at once. It starts with any value.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module TRELLIS_DPR16X4 #(
  parameter        WCKMUX = "WCK",
  parameter        WREMUX = "WRE",
  parameter [63:0] INITVAL = 64'd0
) (
  input  wire       WCK,
  input  wire       WRE,
  input  wire [3:0] WAD,
  input  wire [3:0] DI,
  input  wire [3:0] RAD,
  output wire [3:0] DO
);

  generate
    if (WCKMUX != "WCK" || WREMUX != "WRE") begin : g_check_mux
      ERROR_TRELLIS_DPR16X4_has_no_such_multiplexer check ();
    end
  endgenerate

  reg [3:0] memory [0:15];

  assign DO = memory[RAD];

  always @(posedge WCK) begin
    if (WRE) begin
      memory[WAD] <= DI;
    end
  end

endmodule

`default_nettype wire
