// Processing element: multiply-accumulate of one activation with one stationary weight.
//
//   p_out <= p_in + a * w       one cycle
//
// The operands' registers stand in tpu_operand_row. The number format lives here, in the accumulator column and in
// the vector lane: int8 operands, PSUM_WIDTH-bit partial sums.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_pe #(
  // Bits of a partial sum: 16 + log2(N)
  parameter PSUM_WIDTH = 20
) (
  input  wire                         clk,

  input  wire signed [7:0]            a,
  input  wire signed [7:0]            w,
  // From the element above
  input  wire signed [PSUM_WIDTH-1:0] p_in,
  output reg  signed [PSUM_WIDTH-1:0] p_out
);

  // The sum is written in 32 bits because Verilator sign-extends operands to the width of the
  // expression, which costs nothing at a machine word's width and doubles the work at 20 bits.
  wire signed [31:0] p_word = $signed({{(32-PSUM_WIDTH){1'b0}}, p_in});
  reg [31:PSUM_WIDTH] carry_q;

  always @(posedge clk) begin
    {carry_q, p_out} <= p_word + $signed(a) * $signed(w);
  end

  wire unused = &{1'b0, carry_q};

endmodule

`default_nettype wire
