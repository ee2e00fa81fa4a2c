// SPDX-License-Identifier: Apache-2.0
// Controls of the floating-point lanes for ADAM, the same in all lanes. tpu_adam_steps.v has the cycles; the lanes and their parts take
// what is theirs.
`ifndef TPU_ADAM_LANE_VH
`define TPU_ADAM_LANE_VH

`define TPU_UPDATE_BITS          113
// Stage 5 of the first tap: sum of squares and gradient are kept.
`define TPU_UPDATE_TAKE          0
// Stage 5 takes operands of the multiply-adder, for this step; stages 6 to 9 multiply and add.
`define TPU_UPDATE_EN            1
`define TPU_UPDATE_STEP          4:2
`define TPU_UPDATE_6_TO_9_EN     8:5
// What left the multiply-adder is kept until a later step: the weight, the sum of squares, the moment.
`define TPU_UPDATE_WEIGHT        9
`define TPU_UPDATE_SQUARE        10
`define TPU_UPDATE_MOMENT        11
// What left the multiply-adder waits for the function, which the lanes take in turns: reciprocal square root, or with RECIPROCAL reciprocal.
`define TPU_UPDATE_HOLD          12
`define TPU_UPDATE_START         13
`define TPU_UPDATE_RECIPROCAL    14
// The function's result, a lane's root or factor, is there.
`define TPU_UPDATE_ROOT          15
`define TPU_UPDATE_FACTOR        16
`define TPU_UPDATE_MOMENT_FACTOR 48:17
`define TPU_UPDATE_SQUARE_SCALE  80:49
`define TPU_UPDATE_MOMENT_SCALE  112:81

// Steps of the multiply-adder, x * y + z
`define TPU_UPDATE_ADD_SQUARE    3'd0
`define TPU_UPDATE_DECAY         3'd1
`define TPU_UPDATE_ADD_MOMENT    3'd2
`define TPU_UPDATE_SCALE_SQUARE  3'd3
`define TPU_UPDATE_SCALE_MOMENT  3'd4
`define TPU_UPDATE_MAKE_ROOT     3'd5
`define TPU_UPDATE_SCALE_ROOT    3'd6
`define TPU_UPDATE_MOVE          3'd7

`endif
