// Processing element: one weight-stationary multiply-accumulate.
//
//                p_in, w_in
//                    |
//            +-------v--------+
//   a, sel,  |  w0   w1       |  a, sel, ld, ldbuf
//   ld, ----->  p_out <=      +---->  one cycle later
//   ldbuf    |   p_in + a * w |
//            +-------+--------+
//                    v
//              p_out, w_out
//
// Two weight registers: `sel` travels with the activation and chooses the one it multiplies, `ld` and `ldbuf`
// are the load token that stores the weight passing by. A switch of tiles therefore costs no cycle.
// The number format lives here, in the accumulator column and in the vector lane: int8 in, PSUM_WIDTH bits out.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_pe #(
  // Bits of a partial sum: 16 + log2(N)
  parameter PSUM_WIDTH = 20
) (
  input  wire                         clk,

  // From the left neighbour: {ldbuf, ld, sel, activation}
  input  wire        [10:0]           x_in,
  output reg         [10:0]           x_out,

  // From above: weights on their way down, partial sum
  input  wire signed [7:0]            w_in,
  output reg  signed [7:0]            w_out,
  input  wire signed [PSUM_WIDTH-1:0] p_in,
  output reg  signed [PSUM_WIDTH-1:0] p_out
);

  reg signed [7:0] w0_q;
  reg signed [7:0] w1_q;

  always @(posedge clk) begin
    x_out <= x_in;
    w_out <= w_in;
    if (x_in[9]) begin
      if (x_in[10]) begin
        w1_q <= w_in;
      end else begin
        w0_q <= w_in;
      end
    end
    p_out <= p_in + $signed(x_in[7:0]) * $signed(x_in[8] ? w1_q : w0_q);
  end

endmodule

`default_nettype wire
