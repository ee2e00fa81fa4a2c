// Adds a partial sum to an int32 accumulator, modulo 2^32.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_acc_add_int32 #(
  // Bits of a partial sum
  parameter PSUM_BITS = 20,
  // Cycles from operands to sum: 1 is the cycle at whose end the sum is written, so `sum` has no register of its own
  parameter LATENCY = 1
) (
  input  wire                        clk,
  input  wire [31:0]                 addend,
  input  wire signed [PSUM_BITS-1:0] psum,
  output wire [31:0]                 sum
);

  tpu_delay #(
    .WIDTH  (32),
    .CYCLES (LATENCY - 1)
  ) u_sum (
    .clk (clk),
    .in  (addend + {{(32-PSUM_BITS){psum[PSUM_BITS-1]}}, psum}),
    .out (sum)
  );

endmodule

`default_nettype wire
