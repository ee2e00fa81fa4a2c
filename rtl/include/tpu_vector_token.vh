// SPDX-License-Identifier: Apache-2.0
// Token of the vector unit: what tpu_vector_issue tells the lanes about the tap or column that it issues in this cycle. The token travels
// with the tap through the stages; the entry of the parameter memory travels beside it, because its width is a parameter.
`ifndef TPU_VECTOR_TOKEN_VH
`define TPU_VECTOR_TOKEN_VH

`define TPU_TOKEN_BITS        11
// A tap, or a column that completes a window: the lanes' stages 2 to 7 take one operand.
`define TPU_TOKEN_TAP         0
// A column, be it of pixels or of weights; WEIGHT: of weights. UPPER: its upper row was read, and lies inside the image.
`define TPU_TOKEN_COLUMN      1
`define TPU_TOKEN_WEIGHT      2
`define TPU_TOKEN_UPPER       3
// Of a tap: the operand is a window of columns; the tap lies inside the image; the map takes source B.
`define TPU_TOKEN_WINDOW      4
`define TPU_TOKEN_INSIDE      5
`define TPU_TOKEN_USES_B      6
// First and last tap of a window; FINAL: the last one of the instruction. LAST and FINAL only with TAP, in the cycle in which the step is issued.
`define TPU_TOKEN_FIRST       7
`define TPU_TOKEN_LAST        8
`define TPU_TOKEN_FINAL       9
// Configuration bank of the instruction.
`define TPU_TOKEN_BANK        10

`endif
