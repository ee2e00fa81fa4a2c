// tpu_float_table: the coefficients of an entry come out in the cycle behind its address and stay until the next one; c2 has 20 significant bits
// and c3 has 8, so that their words end in zeros.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_table (
  input wire       clk,
  input wire       en,
  input wire [8:0] address
);

  wire [31:0] c0;
  wire [31:0] c1;
  wire [31:0] c2;
  wire [31:0] c3;

  tpu_float_table dut (
    .clk     (clk),
    .en      (en),
    .address (address),
    .c0      (c0),
    .c1      (c1),
    .c2      (c2),
    .c3      (c3)
  );

  // An entry as scripts/float_tables.py writes it, whose values tests compare: c0, c1, and the upper bits of c2 and c3
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

  reg         given_q = 1'b0;
  reg [107:0] entry_q;

  always @(posedge clk) begin
    if (en) begin
      given_q <= 1'b1;
      entry_q <= looked_up(address);
    end
  end

  always @* begin
    if (given_q) begin
      assert ({c0, c1} == entry_q[107:44]);
      assert (c2 == {entry_q[43:16], 4'd0});
      assert (c3 == {entry_q[15:0], 16'd0});
    end
  end

endmodule

`default_nettype wire
