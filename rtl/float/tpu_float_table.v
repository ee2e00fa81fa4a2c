// The table of the floating-point functions: 512 entries of four coefficients of a polynomial (scripts/float_tables.py).
//
//   cycle t    en: address
//         t+1  c0 to c3, binary32 numbers, until the next address
//
// c2 has 20 significant bits and c3 has 8: their words end in zeros.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_table (
  input  wire        clk,

  input  wire        en,
  input  wire [8:0]  address,

  output wire [31:0] c0,
  output wire [31:0] c1,
  output wire [31:0] c2,
  output wire [31:0] c3
);

  function [107:0] looked_up;
    input [8:0]   place;
    reg   [107:0] entry;
    begin
      case (place)
`include "tpu_float_tables.vh"
      endcase
      looked_up = entry;
    end
  endfunction

  reg [107:0] entry_q;

  assign c0 = entry_q[107:76];
  assign c1 = entry_q[75:44];
  assign c2 = {entry_q[43:16], 4'd0};
  assign c3 = {entry_q[15:0], 16'd0};

  always @(posedge clk) begin
    if (en) begin
      entry_q <= looked_up(address);
    end
  end

endmodule

`default_nettype wire
