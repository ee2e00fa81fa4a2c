// One floating-point lane up to its window: map and reduce. Of the stages (listed in tpu_float_lane) it has 2 to 10, controlled by `tap`.
//
// One multiply-adder serves maps and sums, as x * y + z:
//
//   copy          a * 1 + r                          add      b * 1 + a
//   mul           a * b + r                          sub      b * -1 + a
//   max, min      the larger, the smaller * 1 + r    rsub     a * -1 + b
//   gt, ge, eq    1 or 0 * 1 + r                     fma      a * constant + b
//   select        b or constant * 1 + r
//
// r is -0, which changes no number, or the sum so far (SUM): what left the multiply-adder last, which is why it has no register of its own.
// A sum of the maps on the right takes the multiply-adder AGAIN when the mapped number m comes out, as (sum so far) * 1 + m:
//
//   cycle           t    t+1  t+2  t+3  t+4     t+5  ...  t+8       t+9
//   takes           a,b                 m,sum   a,b                 m,sum
//   has left last   sum  sum  sum  sum  m       m         new sum   next m
//   kept            -    -    -    -    sum     sum       sum       new sum
//
// A tap outside of the image is a tap whose mapped number changes nothing. What leaves the multiply-adder passes through the comparator of
// maxima and minima: each tap of these, the last one of a sum.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"
`include "tpu_isa.vh"

module tpu_float_map (
  input  wire                           clk,
  input  wire                           rst,

  input  wire [`TPU_FLOAT_TAP_BITS-1:0] tap,
  input  wire [`TPU_UPDATE_BITS-1:0]    update,

  // Stage 2
  input  wire [31:0]                    a_word,
  input  wire [31:0]                    b_word,

  // Of ADAM: as in tpu_adam_lane
  input  wire [31:0]                    bias,
  input  wire [31:0]                    multiplier,
  input  wire [31:0]                    root,
  input  wire [31:0]                    factor,

  // What left the multiply-adder last
  output wire [31:0]                    left,
  // Stage 11, until the next one is in stage 11: the sum or maximum, and the minimum
  output wire [31:0]                    larger,
  output wire [31:0]                    smaller
);

  localparam [31:0] ONE           = 32'h3F800000;
  localparam [31:0] MINUS_ZERO    = 32'h80000000;
  localparam [30:0] INFINITY_SIZE = 31'h7F800000;

  // ---- Stages 2 and 3: binary32 ------------------------------------------------------------------
  wire [31:0] a4;
  wire [31:0] b4;

  tpu_float_unpack u_unpack_a (
    .clk      (clk),
    .en       (tap[`TPU_FLOAT_TAP_2_EN]),
    .format   (tap[`TPU_FLOAT_TAP_2_A_FORMAT]),
    .word     (a_word),
    .finish   (tap[`TPU_FLOAT_TAP_3_EN]),
    .from_int (tap[`TPU_FLOAT_TAP_3_A_INT]),
    .result   (a4)
  );

  tpu_float_unpack u_unpack_b (
    .clk      (clk),
    .en       (tap[`TPU_FLOAT_TAP_2_EN]),
    .format   (tap[`TPU_FLOAT_TAP_2_B_FORMAT]),
    .word     (tap[`TPU_FLOAT_TAP_2_B_CONSTANT] ? tap[`TPU_FLOAT_TAP_2_CONSTANT] : b_word),
    .finish   (tap[`TPU_FLOAT_TAP_3_EN]),
    .from_int (tap[`TPU_FLOAT_TAP_3_B_INT]),
    .result   (b4)
  );

  // ---- Stage 4: comparison -----------------------------------------------------------------------
  wire        greater5;
  wire        equal5;
  wire [31:0] smaller5;
  wire [31:0] larger5;
  reg  [31:0] a5_q;
  reg  [31:0] b5_q;

  // b less than a: a greater than b
  tpu_float_compare u_compare (
    .clk     (clk),
    .en      (tap[`TPU_FLOAT_TAP_4_EN]),
    .a       (b4),
    .b       (a4),
    .less    (greater5),
    .equal   (equal5),
    .smaller (smaller5),
    .larger  (larger5)
  );

  always @(posedge clk) begin
    if (tap[`TPU_FLOAT_TAP_4_EN]) begin
      a5_q <= a4;
      b5_q <= b4;
    end
  end

  // ---- Stage 5: operands ---------------------------------------------------------------------------
  reg [31:0] x6_q;
  reg [31:0] y6_q;
  reg [31:0] z6_q;

  function [31:0] chosen_x;
    input [2:0]  choice;
    input        greater;
    input        equal;
    input [31:0] minimum;
    input [31:0] maximum;
    input [31:0] a;
    input [31:0] b;
    input [31:0] constant;
    begin
      case (choice)
        `TPU_FLOAT_X_A:             chosen_x = a;
        `TPU_FLOAT_X_B:             chosen_x = b;
        `TPU_FLOAT_X_LARGER:        chosen_x = maximum;
        `TPU_FLOAT_X_SMALLER:       chosen_x = minimum;
        `TPU_FLOAT_X_GREATER:       chosen_x = ONE & {32{greater}};
        `TPU_FLOAT_X_GREATER_EQUAL: chosen_x = ONE & {32{greater || equal}};
        `TPU_FLOAT_X_EQUAL:         chosen_x = ONE & {32{equal}};
        default:                    chosen_x = ~|a[30:23] ? constant : b;
      endcase
    end
  endfunction

  wire [31:0] update_x;
  wire [31:0] update_y;
  wire [31:0] update_z;

  tpu_adam_lane u_adam (
    .clk        (clk),
    .rst        (rst),
    .update     (update),
    .a          (a5_q),
    .b          (b5_q),
    .left       (left),
    .bias       (bias),
    .multiplier (multiplier),
    .root       (root),
    .factor     (factor),
    .x          (update_x),
    .y          (update_y),
    .z          (update_z)
  );

  always @(posedge clk) begin
    if (update[`TPU_UPDATE_EN]) begin
      x6_q <= update_x;
      y6_q <= update_y;
      z6_q <= update_z;
    end else if (tap[`TPU_FLOAT_TAP_5_EN]) begin
      if (tap[`TPU_FLOAT_TAP_5_INSIDE]) begin
        x6_q <= chosen_x(tap[`TPU_FLOAT_TAP_5_X], greater5, equal5, smaller5, larger5, a5_q, b5_q, tap[`TPU_FLOAT_TAP_5_CONSTANT]);
        y6_q <= tap[`TPU_FLOAT_TAP_5_Y] == `TPU_FLOAT_Y_B        ? b5_q
              : tap[`TPU_FLOAT_TAP_5_Y] == `TPU_FLOAT_Y_CONSTANT ? tap[`TPU_FLOAT_TAP_5_CONSTANT]
                                                                 : {tap[`TPU_FLOAT_TAP_5_Y] == `TPU_FLOAT_Y_MINUS_ONE, ONE[30:0]};
        z6_q <= tap[`TPU_FLOAT_TAP_5_Z] == `TPU_FLOAT_Z_A ? a5_q : tap[`TPU_FLOAT_TAP_5_Z] == `TPU_FLOAT_Z_B ? b5_q : MINUS_ZERO;
      end else begin
        x6_q <= {!tap[`TPU_FLOAT_TAP_5_MIN], INFINITY_SIZE & {31{tap[`TPU_FLOAT_TAP_5_MAX] || tap[`TPU_FLOAT_TAP_5_MIN]}}};
        y6_q <= ONE;
        z6_q <= MINUS_ZERO;
      end
    end
  end

  // ---- Stages 6 to 9: multiply, add ----------------------------------------------------------------
  // What left before the last one
  reg  [31:0] kept_q;

  tpu_float_fma u_fma (
    .clk    (clk),
    .en     (tap[`TPU_FLOAT_TAP_6_TO_9_EN] | update[`TPU_UPDATE_6_TO_9_EN]),
    .a      (tap[`TPU_FLOAT_TAP_6_AGAIN] ? kept_q : x6_q),
    .b      (tap[`TPU_FLOAT_TAP_6_AGAIN] ? ONE : y6_q),
    .c      (tap[`TPU_FLOAT_TAP_6_SUM] ? left : z6_q),
    .result (left)
  );

  always @(posedge clk) begin
    if (tap[`TPU_FLOAT_TAP_9_KEEP]) begin
      kept_q <= left;
    end
  end

  // ---- Stage 10: maximum, minimum ------------------------------------------------------------------
  wire unused_less;
  wire unused_equal;

  tpu_float_compare u_reduce (
    .clk     (clk),
    .en      (tap[`TPU_FLOAT_TAP_10_EN]),
    .a       (left),
    .b       (tap[`TPU_FLOAT_TAP_10_FIRST] ? left : tap[`TPU_FLOAT_TAP_10_MIN] ? smaller : larger),
    .less    (unused_less),
    .equal   (unused_equal),
    .smaller (smaller),
    .larger  (larger)
  );

  wire unused = &{1'b0, tap, unused_less, unused_equal};

endmodule

`default_nettype wire
