// A floating-point adder for proofs of what is around it: an exclusive or, in which b is turned, that comes when the sum does. The sum itself is
// proved in formal/tpu_float_add.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_add (
  input  wire        clk,

  input  wire        en,
  input  wire [31:0] a,
  input  wire [31:0] b,
  input  wire        finish,
  output wire [31:0] sum
);

  reg [31:0] mixed_q;

  assign sum = finish ? mixed_q : 32'd0;

  always @(posedge clk) begin
    if (en) begin
      mixed_q <= a ^ {b[0], b[31:1]};
    end
  end

endmodule

`default_nettype wire
