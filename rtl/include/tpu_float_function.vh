// SPDX-License-Identifier: Apache-2.0
// Names within tpu_float_function and the modules below it.
`ifndef TPU_FLOAT_FUNCTION_VH
`define TPU_FLOAT_FUNCTION_VH

// Functions
`define TPU_FLOAT_EXP 3'd1
`define TPU_FLOAT_LOG 3'd2
`define TPU_FLOAT_RECIPROCAL 3'd3
`define TPU_FLOAT_RSQRT 3'd4
`define TPU_FLOAT_TANH 3'd5
`define TPU_FLOAT_LOGISTIC 3'd6

// Steps of exp; what is squared of a tangent; then what all others have in common: how far into its segment a number lies, three steps
// of the polynomial, and a last step.
`define TPU_FLOAT_EXP_NEAREST 4'd0
`define TPU_FLOAT_EXP_WHOLE 4'd1
`define TPU_FLOAT_EXP_HIGH 4'd2
`define TPU_FLOAT_EXP_LOW 4'd3
`define TPU_FLOAT_EXP_C2 4'd4
`define TPU_FLOAT_EXP_C0 4'd5
`define TPU_FLOAT_EXP_C1 4'd6
`define TPU_FLOAT_EXP_SUM 4'd7
`define TPU_FLOAT_SQUARE 4'd8
`define TPU_FLOAT_DISTANCE 4'd9
`define TPU_FLOAT_HORNER_2 4'd10
`define TPU_FLOAT_HORNER_1 4'd11
`define TPU_FLOAT_HORNER_0 4'd12
`define TPU_FLOAT_LAST 4'd13

// Numbers, some without their sign
`define TPU_FLOAT_ONE 32'h3F800000
`define TPU_FLOAT_ONE_SIZE 31'h3F800000
`define TPU_FLOAT_MINUS_ONE 32'hBF800000
`define TPU_FLOAT_MINUS_ZERO 32'h80000000
`define TPU_FLOAT_INFINITY 32'h7F800000
`define TPU_FLOAT_INFINITY_SIZE 31'h7F800000
`define TPU_FLOAT_NAN 32'h7FC00000
`define TPU_FLOAT_LN2 32'h3F317218
// 64 / ln 2; -ln 2 / 64, and what rounding took from it
`define TPU_FLOAT_STEPS 32'h42B8AA3B
`define TPU_FLOAT_STEP_HIGH 32'hBC317218
`define TPU_FLOAT_STEP_LOW 32'h2E02E308
// 1.5 * 2^23, where numbers are integers apart
`define TPU_FLOAT_WHOLE 32'h4B400000
`define TPU_FLOAT_MINUS_WHOLE 32'hCB400000

`endif
