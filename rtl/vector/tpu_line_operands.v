// Operands of FVECTOR and IVECTOR: rows of numbers, assembled from lines.
//
// A line enters its source's register on the left, the lines before it go to the right. So the E lines of a row are its left E LANES bytes
// when the last one is in, and a number's place depends on its format alone. An accumulator row fills the register at once.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_line_operands #(
  // Lanes, bytes of a line
  parameter LANES = 16
) (
  input  wire                clk,

  // A line of A, or with `take_acc` a row of the accumulators, and a line of B are there
  input  wire                take_a,
  input  wire                take_acc,
  input  wire                take_b,
  input  wire [8*LANES-1:0]  a_bytes,
  input  wire [32*LANES-1:0] a_words,
  input  wire [8*LANES-1:0]  b_bytes,

  output wire [32*LANES-1:0] a,
  output wire [32*LANES-1:0] b
);

  reg [32*LANES-1:0] a_q;
  reg [32*LANES-1:0] b_q;

  assign a = a_q;
  assign b = b_q;

  always @(posedge clk) begin
    if (take_a) begin
      a_q <= take_acc ? a_words : {a_bytes, a_q[32*LANES-1:8*LANES]};
    end
    if (take_b) begin
      b_q <= {b_bytes, b_q[32*LANES-1:8*LANES]};
    end
  end

endmodule

`default_nettype wire
