// Adds a partial sum to an accumulator: fp32 numbers (tpu_float_add), or int32 modulo 2^32. Timing is that of tpu_acc_add_int32 with LATENCY 3:
//
//   cycle t    addend, psum, and bf16_in if they are fp32 numbers; of int8 the lowest PSUM_BITS bits of psum
//         t+1  a floating-point total is normalised and rounded
//         t+2  sum
//
// `float_en` is set in the cycles t and t+1 of each fp32 number. Elsewhere the registers of floating-point arithmetic hold what they
// have, and behind a cycle without it an int32 sum comes out.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_acc_add_float #(
  // Bits of an int8 partial sum
  parameter PSUM_BITS = 20
) (
  input  wire        clk,

  input  wire        float_en,
  // Right, one column a cycle
  input  wire        bf16_in,
  output wire        bf16_out,
  input  wire [31:0] addend,
  input  wire [31:0] psum,
  output wire [31:0] sum
);

  wire [31:0] float_sum;
  reg  [31:0] int_sum_q;
  reg         bf16_q;
  reg  [31:0] sum_q;

  assign bf16_out = bf16_q;
  assign sum      = sum_q;

  tpu_float_add u_add (
    .clk    (clk),
    .en     (float_en),
    .a      (addend),
    .b      (psum),
    .finish (float_en),
    .sum    (float_sum)
  );

  always @(posedge clk) begin
    bf16_q    <= bf16_in;
    int_sum_q <= addend + {{(32-PSUM_BITS){psum[PSUM_BITS-1]}}, psum[PSUM_BITS-1:0]};
    sum_q     <= int_sum_q;
    if (float_en) begin
      sum_q <= bf16_q ? float_sum : int_sum_q;
    end
  end

endmodule

`default_nettype wire
