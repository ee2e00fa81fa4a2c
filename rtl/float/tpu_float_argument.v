// What the argument alone says about a function's result: tpu_float_function takes it in. No register. Without `en` a simulation computes
// nothing: nothing is known, and `scale` is 0. A code that names no function has no result that is known but NaN.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_argument (
  // The outputs are wanted
  input  wire        en,
  // As in tpu_float_function
  input  wire [2:0]  fn,
  input  wire [31:0] value,

  // The result, if it is known without any step; or else the argument, of the logistic function -|argument|, without subnormal numbers
  output wire        known,
  output wire [31:0] x,
  // The logistic function's argument lies beyond 128. Of other functions 0
  output wire        beyond,
  // By how much the exponent of what is looked up is moved; of the logarithm, the exponent that is added. Of functions without either 0
  output reg  [9:0]  scale
);

`include "tpu_float_function.vh"

  // {the result is known without any step, the result}
  function [32:0] known_of;
    input [2:0]  f;
    input [31:0] number;
    reg          zero;
    reg          infinite;
    reg          beyond_128;
    begin
      zero       = ~|number[30:23];
      infinite   = &number[30:23];
      beyond_128 = number[30:23] >= 8'd134;
      known_of      = 33'd0;
      if (infinite && |number[22:0]) begin
        known_of = {1'b1, `TPU_FLOAT_NAN};
      end else begin
        case (f)
          `TPU_FLOAT_EXP:        known_of = {beyond_128, number[31] ? 32'd0 : `TPU_FLOAT_INFINITY};
          `TPU_FLOAT_LOG:        known_of = zero ? {1'b1, 1'b1, `TPU_FLOAT_INFINITY_SIZE} : {number[31] || infinite, number[31] ? `TPU_FLOAT_NAN : `TPU_FLOAT_INFINITY};
          `TPU_FLOAT_RECIPROCAL: known_of = {zero || infinite, number[31], zero ? `TPU_FLOAT_INFINITY_SIZE : 31'd0};
          `TPU_FLOAT_RSQRT:      known_of = zero ? {1'b1, number[31], `TPU_FLOAT_INFINITY_SIZE} : {number[31] || infinite, number[31] ? `TPU_FLOAT_NAN : 32'd0};
          `TPU_FLOAT_TANH:       known_of = {number[30:23] >= 8'd131, number[31], `TPU_FLOAT_ONE_SIZE};
          default:    known_of = 33'd0;
        endcase
      end
    end
  endfunction

  // By how much the result's exponent is moved; of log the exponent that is added; see docs/float.md
  function [9:0] scale_of;
    input [2:0] f;
    input [7:0] exponent;
    input       upper_part;
    reg   [9:0] k;
    begin
      k = {2'd0, exponent} - 10'd127;
      case (f)
        `TPU_FLOAT_LOG:        scale_of = k + {9'd0, upper_part};
        `TPU_FLOAT_RECIPROCAL: scale_of = -k;
        `TPU_FLOAT_RSQRT:      scale_of = -{k[9], k[9:1]};
        default:    scale_of = 10'd0;
      endcase
    end
  endfunction

  wire [31:0] flushed = {value[31], ~|value[30:23] ? 31'd0 : value[30:0]};
  reg  [32:0] result;

  always @* begin
    result = 33'd0;
    scale  = 10'd0;
    if (en) begin
      result = known_of(fn, flushed);
      scale  = scale_of(fn, value[30:23], value[22:16] >= 7'd53);
    end
  end

  assign known  = result[32];
  assign x      = known ? result[31:0] : fn == `TPU_FLOAT_LOGISTIC ? {1'b1, flushed[30:0]} : flushed;
  assign beyond = fn == `TPU_FLOAT_LOGISTIC && value[30:23] >= 8'd134;

endmodule

`default_nettype wire
