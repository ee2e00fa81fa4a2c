// SPDX-License-Identifier: Apache-2.0
// Controls of the floating-point lanes: what each stage does in this cycle, the same in all lanes. The stages stand in tpu_float_lane.v;
// the lanes and their parts take the fields of their own stages, <word>_<stage>_<field>. EN: the stage holds something.
//
// TPU_FLOAT_TAP: stages 2 to 10, in which taps travel. TPU_FLOAT_ROW: stages 11 to 21, in which rows travel, lane by lane.
`ifndef TPU_FLOAT_LANE_VH
`define TPU_FLOAT_LANE_VH

`define TPU_FLOAT_TAP_BITS         95
// Stage 2 takes a and b, numbers of these formats (TPU_NUMBER_FORMAT). B_CONSTANT: b is CONSTANT, of format fp32.
`define TPU_FLOAT_TAP_2_EN         0
`define TPU_FLOAT_TAP_2_A_FORMAT   2:1
`define TPU_FLOAT_TAP_2_B_FORMAT   4:3
`define TPU_FLOAT_TAP_2_B_CONSTANT 5
`define TPU_FLOAT_TAP_2_CONSTANT   37:6
// Stage 3 rounds integers. INT: the number is one.
`define TPU_FLOAT_TAP_3_EN         38
`define TPU_FLOAT_TAP_3_A_INT      39
`define TPU_FLOAT_TAP_3_B_INT      40
// Stage 4 compares a and b.
`define TPU_FLOAT_TAP_4_EN         41
// Stage 5 chooses x, y, z of x * y + z. What is not INSIDE is what changes no sum, with MAX no maximum, with MIN no minimum.
`define TPU_FLOAT_TAP_5_EN         42
`define TPU_FLOAT_TAP_5_X          45:43
`define TPU_FLOAT_TAP_5_Y          47:46
`define TPU_FLOAT_TAP_5_Z          49:48
`define TPU_FLOAT_TAP_5_INSIDE     50
`define TPU_FLOAT_TAP_5_MAX        51
`define TPU_FLOAT_TAP_5_MIN        52
`define TPU_FLOAT_TAP_5_CONSTANT   84:53
// Stages 6 to 9 multiply and add. SUM: what left stage 9 last takes the place of z. AGAIN: x is what left it before that one, and y is 1.
// KEEP: what left stage 9 last is not forgotten when the next number leaves it.
`define TPU_FLOAT_TAP_6_EN         85
`define TPU_FLOAT_TAP_6_TO_9_EN    88:85
`define TPU_FLOAT_TAP_6_SUM        89
`define TPU_FLOAT_TAP_6_AGAIN      90
`define TPU_FLOAT_TAP_9_KEEP       91
// Stage 10 takes the larger, with MIN the smaller of what left stage 9 last and what it took before; with FIRST the one that left stage 9.
`define TPU_FLOAT_TAP_10_EN        92
`define TPU_FLOAT_TAP_10_FIRST     93
`define TPU_FLOAT_TAP_10_MIN       94

// X: a, b, the larger, the smaller of both; 1 or 0 by a comparison; b, or where a is zero the constant
`define TPU_FLOAT_X_A              3'd0
`define TPU_FLOAT_X_B              3'd1
`define TPU_FLOAT_X_LARGER         3'd2
`define TPU_FLOAT_X_SMALLER        3'd3
`define TPU_FLOAT_X_GREATER        3'd4
`define TPU_FLOAT_X_GREATER_EQUAL  3'd5
`define TPU_FLOAT_X_EQUAL          3'd6
`define TPU_FLOAT_X_SELECT         3'd7
// Y: 1, -1, b, the constant
`define TPU_FLOAT_Y_ONE            2'd0
`define TPU_FLOAT_Y_MINUS_ONE      2'd1
`define TPU_FLOAT_Y_B              2'd2
`define TPU_FLOAT_Y_CONSTANT       2'd3
// Z: -0, a, b
`define TPU_FLOAT_Z_ZERO           2'd0
`define TPU_FLOAT_Z_A              2'd1
`define TPU_FLOAT_Z_B              2'd2

`define TPU_FLOAT_ROW_BITS         89
// Stage 11 takes the lanes' windows, with MIN of a minimum; without FIRST the next lane's. SCALE: with bias and multiplier.
`define TPU_FLOAT_ROW_11_EN        0
`define TPU_FLOAT_ROW_11_FIRST     1
`define TPU_FLOAT_ROW_11_MIN       2
`define TPU_FLOAT_ROW_11_SCALE     3
// Stages 12 to 15 multiply and add.
`define TPU_FLOAT_ROW_12_TO_15_EN  7:4
// Stage 16 changes the sign, or hands the number to the function (numbers as in tpu_float_function).
`define TPU_FLOAT_ROW_16_EN        8
`define TPU_FLOAT_ROW_16_NEGATE    9
`define TPU_FLOAT_ROW_16_ABSOLUTE  10
`define TPU_FLOAT_ROW_16_START     11
`define TPU_FLOAT_ROW_16_FUNCTION  14:12
// Stage 17 takes the larger of the number, with FUNCTION of the function's result, and LO; stage 18 the smaller of that and HI.
`define TPU_FLOAT_ROW_17_EN        15
`define TPU_FLOAT_ROW_17_FUNCTION  16
`define TPU_FLOAT_ROW_17_LO        48:17
`define TPU_FLOAT_ROW_18_EN        49
`define TPU_FLOAT_ROW_18_HI        81:50
// Stages 19 and 20 make a number of the output's format.
`define TPU_FLOAT_ROW_19_EN        82
`define TPU_FLOAT_ROW_19_FORMAT    84:83
`define TPU_FLOAT_ROW_20_EN        85
`define TPU_FLOAT_ROW_20_FORMAT    87:86
// Stage 21 has a lane's number.
`define TPU_FLOAT_ROW_21_EN        88

`endif
