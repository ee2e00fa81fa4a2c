// tpu_float_lane with a port for each field of its controls, named like the fields.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"

module tpu_float_lane_fields #(
  parameter LANES = 1
) (
  input  wire                clk,
  input  wire                rst,

  input  wire                tap_2_en,
  input  wire [1:0]          tap_2_a_format,
  input  wire [1:0]          tap_2_b_format,
  input  wire                tap_2_b_constant,
  input  wire [31:0]         tap_2_constant,
  input  wire                tap_3_en,
  input  wire                tap_3_a_int,
  input  wire                tap_3_b_int,
  input  wire                tap_4_en,
  input  wire                tap_5_en,
  input  wire [2:0]          tap_5_x,
  input  wire [1:0]          tap_5_y,
  input  wire [1:0]          tap_5_z,
  input  wire                tap_5_inside,
  input  wire                tap_5_max,
  input  wire                tap_5_min,
  input  wire [31:0]         tap_5_constant,
  input  wire [3:0]          tap_6_to_9_en,
  input  wire                tap_6_sum,
  input  wire                tap_6_again,
  input  wire                tap_9_keep,
  input  wire                tap_10_en,
  input  wire                tap_10_first,
  input  wire                tap_10_min,

  input  wire                row_11_en,
  input  wire                row_11_first,
  input  wire                row_11_min,
  input  wire                row_11_scale,
  input  wire [3:0]          row_12_to_15_en,
  input  wire                row_16_en,
  input  wire                row_16_negate,
  input  wire                row_16_absolute,
  input  wire                row_16_start,
  input  wire [2:0]          row_16_function,
  input  wire                row_17_en,
  input  wire                row_17_function,
  input  wire [31:0]         row_17_lo,
  input  wire                row_18_en,
  input  wire [31:0]         row_18_hi,
  input  wire                row_19_en,
  input  wire [1:0]          row_19_format,
  input  wire                row_20_en,
  input  wire [1:0]          row_20_format,
  input  wire                row_21_en,

  input  wire [32*LANES-1:0] a_words,
  input  wire [32*LANES-1:0] b_words,
  input  wire [31:0]         bias,
  input  wire [31:0]         multiplier,
  output wire [32*LANES-1:0] words
);

  wire [`TPU_FLOAT_TAP_BITS-1:0] tap;
  wire [`TPU_FLOAT_ROW_BITS-1:0] row;

  assign tap[`TPU_FLOAT_TAP_2_EN]         = tap_2_en;
  assign tap[`TPU_FLOAT_TAP_2_A_FORMAT]   = tap_2_a_format;
  assign tap[`TPU_FLOAT_TAP_2_B_FORMAT]   = tap_2_b_format;
  assign tap[`TPU_FLOAT_TAP_2_B_CONSTANT] = tap_2_b_constant;
  assign tap[`TPU_FLOAT_TAP_2_CONSTANT]   = tap_2_constant;
  assign tap[`TPU_FLOAT_TAP_3_EN]         = tap_3_en;
  assign tap[`TPU_FLOAT_TAP_3_A_INT]      = tap_3_a_int;
  assign tap[`TPU_FLOAT_TAP_3_B_INT]      = tap_3_b_int;
  assign tap[`TPU_FLOAT_TAP_4_EN]         = tap_4_en;
  assign tap[`TPU_FLOAT_TAP_5_EN]         = tap_5_en;
  assign tap[`TPU_FLOAT_TAP_5_X]          = tap_5_x;
  assign tap[`TPU_FLOAT_TAP_5_Y]          = tap_5_y;
  assign tap[`TPU_FLOAT_TAP_5_Z]          = tap_5_z;
  assign tap[`TPU_FLOAT_TAP_5_INSIDE]     = tap_5_inside;
  assign tap[`TPU_FLOAT_TAP_5_MAX]        = tap_5_max;
  assign tap[`TPU_FLOAT_TAP_5_MIN]        = tap_5_min;
  assign tap[`TPU_FLOAT_TAP_5_CONSTANT]   = tap_5_constant;
  assign tap[`TPU_FLOAT_TAP_6_TO_9_EN]    = tap_6_to_9_en;
  assign tap[`TPU_FLOAT_TAP_6_SUM]        = tap_6_sum;
  assign tap[`TPU_FLOAT_TAP_6_AGAIN]      = tap_6_again;
  assign tap[`TPU_FLOAT_TAP_9_KEEP]       = tap_9_keep;
  assign tap[`TPU_FLOAT_TAP_10_EN]        = tap_10_en;
  assign tap[`TPU_FLOAT_TAP_10_FIRST]     = tap_10_first;
  assign tap[`TPU_FLOAT_TAP_10_MIN]       = tap_10_min;

  assign row[`TPU_FLOAT_ROW_11_EN]        = row_11_en;
  assign row[`TPU_FLOAT_ROW_11_FIRST]     = row_11_first;
  assign row[`TPU_FLOAT_ROW_11_MIN]       = row_11_min;
  assign row[`TPU_FLOAT_ROW_11_SCALE]     = row_11_scale;
  assign row[`TPU_FLOAT_ROW_12_TO_15_EN]  = row_12_to_15_en;
  assign row[`TPU_FLOAT_ROW_16_EN]        = row_16_en;
  assign row[`TPU_FLOAT_ROW_16_NEGATE]    = row_16_negate;
  assign row[`TPU_FLOAT_ROW_16_ABSOLUTE]  = row_16_absolute;
  assign row[`TPU_FLOAT_ROW_16_START]     = row_16_start;
  assign row[`TPU_FLOAT_ROW_16_FUNCTION]  = row_16_function;
  assign row[`TPU_FLOAT_ROW_17_EN]        = row_17_en;
  assign row[`TPU_FLOAT_ROW_17_FUNCTION]  = row_17_function;
  assign row[`TPU_FLOAT_ROW_17_LO]        = row_17_lo;
  assign row[`TPU_FLOAT_ROW_18_EN]        = row_18_en;
  assign row[`TPU_FLOAT_ROW_18_HI]        = row_18_hi;
  assign row[`TPU_FLOAT_ROW_19_EN]        = row_19_en;
  assign row[`TPU_FLOAT_ROW_19_FORMAT]    = row_19_format;
  assign row[`TPU_FLOAT_ROW_20_EN]        = row_20_en;
  assign row[`TPU_FLOAT_ROW_20_FORMAT]    = row_20_format;
  assign row[`TPU_FLOAT_ROW_21_EN]        = row_21_en;

  // Without ADAM, which rtl_fvector_test has
  wire [32*LANES-1:0] unused_left;

  tpu_float_lane #(
    .LANES (LANES)
  ) u_lane (
    .clk         (clk),
    .rst         (rst),
    .tap         (tap),
    .row         (row),
    .update      ({`TPU_UPDATE_BITS{1'b0}}),
    .a_words     (a_words),
    .b_words     (b_words),
    .bias        (bias),
    .multiplier  (multiplier),
    .biases      ({32*LANES{1'b0}}),
    .multipliers ({32*LANES{1'b0}}),
    .left        (unused_left),
    .words       (words)
  );

  wire unused = &{1'b0, unused_left};

endmodule

`default_nettype wire
