// The table of the floating-point functions for proofs of what is around it: each coefficient of an entry is the entry's address.
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

  reg [8:0] address_q;

  assign c0 = {23'd0, address_q};
  assign c1 = {23'd0, address_q};
  assign c2 = {23'd0, address_q};
  assign c3 = {23'd0, address_q};

  always @(posedge clk) begin
    if (en) begin
      address_q <= address;
    end
  end

endmodule

`default_nettype wire
