// What becomes of a window's result, one number after the other: scale, function, clamp, output format. Of the stages (listed in
// tpu_float_lane) it has 11 to 20, controlled by `row`.
//
// A number without a function passes a stage per cycle. One with a function of S steps leaves it 7 S cycles later than another one would
// leave stage 16; stages from 17 on follow that.
//
//   none, neg, abs   11 12 13 14 15 16                                  17 18 19 20 | word
//   function         11 12 13 14 15 16 f1 f2 f3 f4 f5 f6 ... f(7 S)     17 18 19 20 | word
//
// Seven numbers circulate in the function. Therefore a place in it comes by every seven cycles, and whoever starts a number must know that
// the place is free: it is if nobody started 7, 14, ... 7 (S - 1) cycles ago. Starts that lie S cycles apart, or multiples of S, all find
// one, for no S is a multiple of 7. START_FINDS_A_PLACE and RESULT_IS_THERE check that.
//
// ADAM's numbers come and go past all other stages.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_assert.vh"
`include "tpu_float_function.vh"
`include "tpu_float_lane.vh"

module tpu_float_row (
  input  wire                           clk,
  input  wire                           rst,

  input  wire [`TPU_FLOAT_ROW_BITS-1:0] row,
  input  wire [`TPU_UPDATE_BITS-1:0]    update,

  // Stage 12
  input  wire [31:0]                    value,
  // Stage 11: binary32 numbers
  input  wire [31:0]                    bias,
  input  wire [31:0]                    multiplier,

  // Of ADAM: the function's update_in, and its result
  input  wire [31:0]                    update_in,
  output wire [31:0]                    update_out,

  // Stage 21, until the next one is in stage 21; as in tpu_float_pack
  output wire [31:0]                    word
);

  localparam [31:0] ONE        = 32'h3F800000;
  localparam [31:0] MINUS_ZERO = 32'h80000000;

  // ---- Stages 11 to 15: scale ----------------------------------------------------------------------
  reg  [31:0] bias12_q;
  reg  [31:0] multiplier12_q;
  wire [31:0] scaled16;

  // Without scale * 1 + -0, which changes no number
  always @(posedge clk) begin
    if (row[`TPU_FLOAT_ROW_11_EN]) begin
      bias12_q       <= row[`TPU_FLOAT_ROW_11_SCALE] ? bias : MINUS_ZERO;
      multiplier12_q <= row[`TPU_FLOAT_ROW_11_SCALE] ? multiplier : ONE;
    end
  end

  tpu_float_fma u_scale (
    .clk    (clk),
    .en     (row[`TPU_FLOAT_ROW_12_TO_15_EN]),
    .a      (value),
    .b      (multiplier12_q),
    .c      (bias12_q),
    .result (scaled16)
  );

  // ---- Stage 16: function --------------------------------------------------------------------------
  reg  [31:0] signed17_q;
  wire        place_16;
  wire        computed_valid_17;
  wire [31:0] computed_17;
  wire        unused_tag;
  wire        update_start = update[`TPU_UPDATE_START];
  // Only numbers that are positive and not subnormal have a root.
  wire        has_root     = !update_in[31] && |update_in[30:23];
  wire [31:0] update_value = update[`TPU_UPDATE_RECIPROCAL] || has_root ? update_in : 32'h00800000;

  // A NaN gets its sign back when it is clamped.
  always @(posedge clk) begin
    if (row[`TPU_FLOAT_ROW_16_EN]) begin
      signed17_q <= {(scaled16[31] ^ row[`TPU_FLOAT_ROW_16_NEGATE]) && !row[`TPU_FLOAT_ROW_16_ABSOLUTE], scaled16[30:0]};
    end
  end

  tpu_float_function #(
    .TAG_BITS (1)
  ) u_function (
    .clk         (clk),
    .rst         (rst),
    .in_valid    (row[`TPU_FLOAT_ROW_16_START] || update_start),
    .in_ready    (place_16),
    .in_function (!update_start ? row[`TPU_FLOAT_ROW_16_FUNCTION]
                  : update[`TPU_UPDATE_RECIPROCAL] ? `TPU_FLOAT_RECIPROCAL : `TPU_FLOAT_RSQRT),
    .in_value    (update_start ? update_value : scaled16),
    .in_tag      (1'b0),
    .out_valid   (computed_valid_17),
    .out_value   (computed_17),
    .out_tag     (unused_tag)
  );

  assign update_out = computed_17;

  // ---- Stages 17 and 18: clamp ---------------------------------------------------------------------
  wire [31:0] raised18;
  wire [31:0] clamped19;
  wire        unused_lo_less;
  wire        unused_lo_equal;
  wire        unused_hi_less;
  wire        unused_hi_equal;
  wire [31:0] unused_smaller;
  wire [31:0] unused_larger;

  tpu_float_compare u_lo (
    .clk     (clk),
    .en      (row[`TPU_FLOAT_ROW_17_EN]),
    .a       (row[`TPU_FLOAT_ROW_17_FUNCTION] ? computed_17 : signed17_q),
    .b       (row[`TPU_FLOAT_ROW_17_LO]),
    .less    (unused_lo_less),
    .equal   (unused_lo_equal),
    .smaller (unused_smaller),
    .larger  (raised18)
  );

  tpu_float_compare u_hi (
    .clk     (clk),
    .en      (row[`TPU_FLOAT_ROW_18_EN]),
    .a       (raised18),
    .b       (row[`TPU_FLOAT_ROW_18_HI]),
    .less    (unused_hi_less),
    .equal   (unused_hi_equal),
    .smaller (clamped19),
    .larger  (unused_larger)
  );

  // ---- Stages 19 and 20: output format ---------------------------------------------------------------
  tpu_float_pack u_pack (
    .clk           (clk),
    .en            (row[`TPU_FLOAT_ROW_19_EN]),
    .format        (row[`TPU_FLOAT_ROW_19_FORMAT]),
    .value         (clamped19),
    .finish        (row[`TPU_FLOAT_ROW_20_EN]),
    .finish_format (row[`TPU_FLOAT_ROW_20_FORMAT]),
    .word          (word)
  );

  wire unused = &{1'b0, row, update, place_16, computed_valid_17, unused_tag, unused_lo_less, unused_lo_equal, unused_hi_less, unused_hi_equal,
                  unused_smaller, unused_larger};

  `TPU_ASSERT(START_FINDS_A_PLACE, !(row[`TPU_FLOAT_ROW_16_START] || update_start) || place_16)
  `TPU_ASSERT(RESULT_IS_THERE, computed_valid_17 == ((row[`TPU_FLOAT_ROW_17_EN] && row[`TPU_FLOAT_ROW_17_FUNCTION])
                                                     || update[`TPU_UPDATE_ROOT] || update[`TPU_UPDATE_FACTOR]))

endmodule

`default_nettype wire
