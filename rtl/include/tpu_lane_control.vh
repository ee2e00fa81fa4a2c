// SPDX-License-Identifier: Apache-2.0
// Controls of the vector lanes: what each stage does in this cycle, the same in all lanes. tpu_vector_pipe makes both words; the lanes
// and their parts take the fields of their own stages, <word>_<stage>_<field>. EN: the stage holds something.
//
// TPU_TAP: stages 2 to 7, in which taps and columns travel. TPU_ROW: stages 8 to 17, in which rows travel, lane by lane where lanes share
// a requantiser.
`ifndef TPU_LANE_CONTROL_VH
`define TPU_LANE_CONTROL_VH

`define TPU_TAP_BITS           78
// Stage 2 takes the operands of a tap, a column of pixels, a column of weights.
`define TPU_TAP_2_EN           0
`define TPU_TAP_2_COLUMN       1
`define TPU_TAP_2_WEIGHT       2
// b is multiplied by the accumulator's word, by a, or by FACTOR.
`define TPU_TAP_2_ACC          3
`define TPU_TAP_2_TIMES_A      4
`define TPU_TAP_2_FACTOR       35:5
// b is 1.
`define TPU_TAP_2_COPY         36
// Zero points. With REVERSE a changes its sign, and A_ZERO stands inverted.
`define TPU_TAP_2_A_ZERO       44:37
`define TPU_TAP_2_B_ZERO       52:45
`define TPU_TAP_2_REVERSE      53
// A pixel outside the image is smaller than all others; without MAX it is 0.
`define TPU_TAP_2_MAX          54
// Stage 3 multiplies. TWICE: the product is to be rounded twice. MAX, MIN: the larger or the smaller of a and b is taken.
`define TPU_TAP_3_EN           55
`define TPU_TAP_3_COLUMN       56
`define TPU_TAP_3_TWICE        57
`define TPU_TAP_3_MAX          58
`define TPU_TAP_3_MIN          59
// Stage 4 adds.
`define TPU_TAP_4_EN           60
`define TPU_TAP_4_COLUMN       61
// Stage 5 shifts. ADDS: b is scaled by 2^-(11 + SHIFT) and added to a << 19, or with SUBTRACT subtracted from it.
`define TPU_TAP_5_EN           62
`define TPU_TAP_5_ADDS         63
`define TPU_TAP_5_SUBTRACT     64
`define TPU_TAP_5_SHIFT        69:65
// WINDOW: the column completes a window, of which MAX asks for the maximum.
`define TPU_TAP_5_WINDOW       70
`define TPU_TAP_5_MAX          71
// Stage 6 rounds. What lies outside of the image becomes the identity of the sum or maximum.
`define TPU_TAP_6_EN           72
`define TPU_TAP_6_INSIDE       73
`define TPU_TAP_6_MAX          74
// Stage 7 reduces.
`define TPU_TAP_7_EN           75
`define TPU_TAP_7_FIRST        76
`define TPU_TAP_7_MAX          77

`define TPU_ROW_BITS           50
// Bit i: stage i + 8 holds something. Stage 8 takes a lane's sum: with FIRST, that of the first of the lanes that share the stages
// from here on. Stages 9 to 15 requantise, in mode single if in none of the others; bit i of FLOAT: stage i + 9 rounds as float32.
`define TPU_ROW_EN             9:0
`define TPU_ROW_8_EN           0
`define TPU_ROW_REQUANTISE_EN  7:1
`define TPU_ROW_8_TO_16_EN     8:0
`define TPU_ROW_16_EN          8
`define TPU_ROW_17_EN          9
`define TPU_ROW_8_FIRST        10
`define TPU_ROW_9_NONE         11
`define TPU_ROW_9_DOUBLE       12
`define TPU_ROW_9_DIVIDE       13
`define TPU_ROW_15_DIVIDE      14
`define TPU_ROW_15_ZERO        22:15
// Stage 16 clamps, LO <= HI, and reads the lookup table.
`define TPU_ROW_16_LO          30:23
`define TPU_ROW_16_HI          38:31
`define TPU_ROW_16_LUT_EN      39
`define TPU_ROW_16_LUT         42:40
// Stage 17 has the byte of a lane.
`define TPU_ROW_17_LUT_EN      43
`define TPU_ROW_FLOAT          49:44
`define TPU_ROW_9_FLOAT        44
`define TPU_ROW_9_TO_13_FLOAT  48:44
`define TPU_ROW_10_TO_14_FLOAT 49:45

`endif
