// Adds a partial sum to an accumulator: fp32 numbers (tpu_float_add), or int32 modulo 2^32. Timing is that of tpu_acc_add_int32 with LATENCY 2:
//
//   cycle t    int8 or bf16: addend, psum; of int8 the lowest PSUM_BITS bits of psum
//         t+1  sum; it has no register, who uses it takes it at the end of this cycle
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_acc_add_float #(
  // Bits of an int8 partial sum
  parameter PSUM_BITS = 20
) (
  input  wire        clk,

  input  wire        int8,
  input  wire        bf16,
  input  wire [31:0] addend,
  input  wire [31:0] psum,
  output wire [31:0] sum
);

  wire [31:0] float_sum;
  reg  [31:0] int_sum_q;
  reg         bf16_q;

  tpu_float_add u_add (
    .clk (clk),
    .en  (bf16),
    .a   (addend),
    .b   (psum),
    .sum (float_sum)
  );

  assign sum = bf16_q ? float_sum : int_sum_q;

  always @(posedge clk) begin
    if (int8) begin
      int_sum_q <= addend + {{(32-PSUM_BITS){psum[PSUM_BITS-1]}}, psum[PSUM_BITS-1:0]};
    end
    bf16_q <= bf16;
  end

endmodule

`default_nettype wire
