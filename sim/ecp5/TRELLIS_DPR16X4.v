// Memory of 16 words of 4 bits in look-up tables: written at the clock's edge, read at any time. It starts with anything.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module TRELLIS_DPR16X4 #(
  parameter        WCKMUX  = "WCK",
  parameter        WREMUX  = "WRE",
  parameter [63:0] INITVAL = 64'bx
) (
  input  wire       WCK,
  input  wire       WRE,
  input  wire [3:0] WAD,
  input  wire [3:0] DI,
  input  wire [3:0] RAD,
  output wire [3:0] DO
);

  generate
    if (WCKMUX != "WCK" || WREMUX != "WRE" || INITVAL !== 64'bx) begin : g_check
      ERROR_TRELLIS_DPR16X4_has_a_model_for_WCK_WRE_and_no_contents_at_the_start_only check ();
    end
  endgenerate

  reg [3:0] words [0:15];

  always @(posedge WCK) begin
    if (WRE) begin
      words[WAD] <= DI;
    end
  end
  assign DO = words[RAD];

endmodule

`default_nettype wire
