// A binary32 number as a number of any format.
//
//   cycle t    en: format, value
//         t+1  finish, finish_format: integers are rounded
//         t+2  word. The number is in the lowest bits; an int8 number has its sign above it, a bf16 number zeros.
//
// `value` is no subnormal number, and if it is a NaN it is 7FC00000.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_float_pack (
  input  wire        clk,

  input  wire        en,
  input  wire [1:0]  format,
  input  wire [31:0] value,

  input  wire        finish,
  input  wire [1:0]  finish_format,
  output wire [31:0] word
);

  wire [31:0] int_word;
  wire [15:0] bf16_word;
  reg  [31:0] float_q;
  reg  [31:0] word_q;

  assign word = word_q;

  tpu_float_to_int u_to_int (
    .clk     (clk),
    .en      (en),
    .to_int8 (format == `TPU_NUMBER_FORMAT_INT8),
    .value   (value),
    .finish  (finish),
    .result  (int_word)
  );

  tpu_float_to_bf16 u_to_bf16 (
    .clk    (clk),
    .en     (en),
    .value  (value),
    .result (bf16_word)
  );

  always @(posedge clk) begin
    if (en) begin
      float_q <= value;
    end
    if (finish) begin
      word_q <= finish_format == `TPU_NUMBER_FORMAT_FP32 ? float_q
              : finish_format == `TPU_NUMBER_FORMAT_BF16 ? {16'd0, bf16_word} : int_word;
    end
  end

endmodule

`default_nettype wire
