// A number of any format as a binary32 number.
//
//   cycle t    en: format, word. The number is in the lowest bits; those above it do not matter.
//         t+1  finish, from_int: that cycle's number is an integer, which is normalised and rounded
//         t+2  result
//
// Subnormal numbers and NaN of bf16 and fp32 stay what they are: all arithmetic takes them as what they count for.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_float_unpack (
  input  wire        clk,

  input  wire        en,
  input  wire [1:0]  format,
  input  wire [31:0] word,

  input  wire        finish,
  input  wire        from_int,
  output wire [31:0] result
);

  wire [31:0] of_int;
  reg  [31:0] float_q;
  reg  [31:0] result_q;

  assign result = result_q;

  tpu_float_from_int u_from_int (
    .clk    (clk),
    .en     (en),
    .value  (format == `TPU_NUMBER_FORMAT_INT8 ? {{24{word[7]}}, word[7:0]} : word),
    .finish (finish),
    .result (of_int)
  );

  always @(posedge clk) begin
    if (en) begin
      float_q <= format == `TPU_NUMBER_FORMAT_BF16 ? {word[15:0], 16'd0} : word;
    end
    if (finish) begin
      result_q <= from_int ? of_int : float_q;
    end
  end

endmodule

`default_nettype wire
