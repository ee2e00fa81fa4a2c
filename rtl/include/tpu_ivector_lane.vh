// SPDX-License-Identifier: Apache-2.0
// Controls of the integer lanes of IVECTOR: what each stage does in this cycle, the same in all lanes. The stages stand in tpu_ivector_lane.v;
// the lanes and their parts take the fields of their own stages, <word>_<stage>_<field>. EN: the stage holds something.
//
// TPU_IVECTOR_TAP: stages 3 and 4, in which taps travel. TPU_IVECTOR_ROW: stages 5 to 18, in which rows travel, lane by lane.
`ifndef TPU_IVECTOR_LANE_VH
`define TPU_IVECTOR_LANE_VH

`define TPU_IVECTOR_TAP_BITS           45
// Stage 3 takes a, a number of this format (TPU_INTEGER_FORMAT). Of a pair it takes the HIGH word first, then adds the low one.
`define TPU_IVECTOR_TAP_3_EN           0
`define TPU_IVECTOR_TAP_3_A_FORMAT     2:1
`define TPU_IVECTOR_TAP_3_HIGH         3
// With B_EN it takes b, too, a number of this format, or with B_CONSTANT the constant.
`define TPU_IVECTOR_TAP_3_B_EN         4
`define TPU_IVECTOR_TAP_3_B_FORMAT     6:5
`define TPU_IVECTOR_TAP_3_B_CONSTANT   7
`define TPU_IVECTOR_TAP_3_CONSTANT     39:8
// Stage 4 adds, or with MAX takes the larger one. FIRST: there is nothing before. What is not INSIDE changes no sum and no maximum.
`define TPU_IVECTOR_TAP_4_EN           40
`define TPU_IVECTOR_TAP_4_FIRST        41
`define TPU_IVECTOR_TAP_4_INSIDE       42
`define TPU_IVECTOR_TAP_4_MAX          43
// Stage 4 takes b along.
`define TPU_IVECTOR_TAP_4_B_EN         44

`define TPU_IVECTOR_ROW_BITS           117
// Bit i: stage i + 5 holds something.
`define TPU_IVECTOR_ROW_EN             13:0
`define TPU_IVECTOR_ROW_5_EN           0
`define TPU_IVECTOR_ROW_6_EN           1
`define TPU_IVECTOR_ROW_7_EN           2
`define TPU_IVECTOR_ROW_8_EN           3
`define TPU_IVECTOR_ROW_9_EN           4
`define TPU_IVECTOR_ROW_REQUANTISE_EN  11:5
`define TPU_IVECTOR_ROW_17_EN          12
`define TPU_IVECTOR_ROW_18_EN          13
// Stage 5 takes the lanes' windows; without FIRST the next lane's. It chooses the factors x and y.
`define TPU_IVECTOR_ROW_5_FIRST        14
`define TPU_IVECTOR_ROW_5_X            16:15
`define TPU_IVECTOR_ROW_5_Y            18:17
`define TPU_IVECTOR_ROW_5_CONSTANT     50:19
// Stage 6 multiplies, and changes the sign of r. TWICE: the product is to be rounded twice.
`define TPU_IVECTOR_ROW_6_NEGATE       51
`define TPU_IVECTOR_ROW_6_TWICE        52
// Stage 7 takes r * 2^14 with SCALED, no r with PRODUCT. With MAX or MIN it takes one of r and the product alone: with MAX the product if r < x,
// with MIN the product unless r < x.
`define TPU_IVECTOR_ROW_7_SCALED       53
`define TPU_IVECTOR_ROW_7_PRODUCT      54
`define TPU_IVECTOR_ROW_7_MAX          55
`define TPU_IVECTOR_ROW_7_MIN          56
// Stage 8 scales the product by 2^-(16 + SHIFT), or leaves it; with SUBTRACT stage 9 takes it off r instead of adding it.
`define TPU_IVECTOR_ROW_8_SCALED       57
`define TPU_IVECTOR_ROW_8_SHIFT        62:58
`define TPU_IVECTOR_ROW_8_SUBTRACT     63
// Stages 10 to 16 requantise, in mode single if in none of the others.
`define TPU_IVECTOR_ROW_10_NONE        64
`define TPU_IVECTOR_ROW_10_DOUBLE      65
`define TPU_IVECTOR_ROW_10_DIVIDE      66
`define TPU_IVECTOR_ROW_10_WIDE        67
`define TPU_IVECTOR_ROW_16_DIVIDE      68
`define TPU_IVECTOR_ROW_16_ZERO        76:69
// Stage 17 clamps, LO <= HI, unless the output's numbers are WORDs.
`define TPU_IVECTOR_ROW_17_LO          92:77
`define TPU_IVECTOR_ROW_17_HI          108:93
`define TPU_IVECTOR_ROW_17_WORD        109
// Stage 5 takes b along, or else 0, which with FACTOR is the multiplier in stage 10.
`define TPU_IVECTOR_ROW_5_FACTOR       110
`define TPU_IVECTOR_ROW_10_FACTOR      111
// With LOOK stage 6 reads entry r - x of four lookup tables, the first ones or with LUT the last ones, and stage 7 with LOOK takes
// for r what was read last: without LOOK stage 6 reads nothing.
`define TPU_IVECTOR_ROW_6_LOOK         112
`define TPU_IVECTOR_ROW_6_LUT          113
`define TPU_IVECTOR_ROW_7_LOOK         114
// Stages 9 and 10 take the first lane's parameters.
`define TPU_IVECTOR_ROW_9_UNIFORM      115
`define TPU_IVECTOR_ROW_10_UNIFORM     116

// X: r, b, the constant
`define TPU_IVECTOR_X_R                2'd0
`define TPU_IVECTOR_X_B                2'd1
`define TPU_IVECTOR_X_CONSTANT         2'd2
// Y: 0, 1, the low half of b
`define TPU_IVECTOR_Y_ZERO             2'd0
`define TPU_IVECTOR_Y_ONE              2'd1
`define TPU_IVECTOR_Y_B                2'd2

`endif
