// tpu_acc_add_float: each sum is that of its own numbers and format. Where floating-point arithmetic is not enabled an int32 sum comes out, and its
// registers hold what they have.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_acc_add_float #(
  parameter PSUM_BITS = 20
) (
  input wire        clk,
  input wire        float_en,
  input wire        bf16_in,
  input wire [31:0] addend,
  input wire [31:0] psum
);

  wire        bf16_out;
  wire [31:0] sum;

  tpu_acc_add_float #(
    .PSUM_BITS (PSUM_BITS)
  ) dut (
    .clk      (clk),
    .float_en (float_en),
    .bf16_in  (bf16_in),
    .bf16_out (bf16_out),
    .addend   (addend),
    .psum     (psum),
    .sum      (sum)
  );

  //// Reference ////

  wire signed [PSUM_BITS-1:0] int8_psum = psum[PSUM_BITS-1:0];
  wire signed [31:0]          wide_psum = int8_psum;

  reg        bf16_q;
  reg [31:0] int_q;
  // What the model makes of the numbers that were enabled last
  reg [31:0] float_q;
  reg [31:0] sum_q;
  reg        float_given_q = 1'b0;
  reg        sum_given_q = 1'b0;
  reg        given_q = 1'b0;

  always @(posedge clk) begin
    bf16_q  <= bf16_in;
    int_q   <= addend + wide_psum;
    if (float_en) float_q <= addend ^ {psum[0], psum[31:1]};
    sum_q         <= float_en && bf16_q ? float_q : int_q;
    float_given_q <= float_given_q || float_en;
    sum_given_q   <= given_q && (float_given_q || !float_en || !bf16_q);
    given_q       <= 1'b1;
  end

  always @* begin
    if (given_q) assert (bf16_out == bf16_q);
    if (sum_given_q) assert (sum == sum_q);
  end

endmodule

`default_nettype wire
