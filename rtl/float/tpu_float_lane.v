// Floating-point lanes of the vector unit that share scale, function, clamp and output format (docs/isa.md, 10.4).
//
// Nothing stalls: a tap that enters stage 2 goes on by a stage per cycle, and `tap` and `row` say what each stage does with it. A stage that is
// not enabled keeps what it holds.
//
//    2  operands                                                     tpu_float_unpack
//    3  integers are rounded
//    4  a and b are compared
//    5  operands of the multiply-adder are chosen
//    6 - 9  map, sum: x * y + z                                      tpu_float_fma
//   10  maximum, minimum, else just passed                           tpu_float_compare
//   -- from here once per window; the lanes take turns --
//   11  windows wait; bias and multiplier                            tpu_float_lane, tpu_float_row
//   12 - 15  scale: bias + r * multiplier                            tpu_float_fma
//   16  sign, or the function takes the number                       tpu_float_function
//   -- after a function of S steps all is 7 S cycles later --
//   17  clamp: the larger one of the number and lo                   tpu_float_compare
//   18  clamp: the smaller one of that and hi                        tpu_float_compare
//   19  output format                                                tpu_float_pack
//   20  integers are rounded
//   21  `words` are there, or LANES - 1 turns later
//
// What the controls have to keep (L = 4 is the latency of the multiply-adder):
//
// * Windows of one tap, and all maxima and minima: a tap per cycle.
// * A sum keeps its order, so a tap meets the sum only when the tap before has left the multiply-adder. Sums of maps that need it for the sum
//   alone (tpu_float_map, on the left): taps of one window L cycles or more apart. No other tap may come between two taps of a window.
//
//     cycle      0   1   2   3   4   5   6   7   8          window u of three taps, then window v
//     stage 6    u0              u1              u2  v0
//     left last                  u0              u0+u1       c of u1 is what left last in cycle 4
//
// * Sums of add, sub, rsub, fma: after each tap no other one for L cycles. Every tap but a window's first one then comes AGAIN, L cycles after
//   it went through stage 6: stage 6 holds the tap in cycle t and again in t + L. Stages from 10 on are L cycles later than in the table.
//
//     cycle      0   1   2   3   4   5   6   7   8   9      window u of two taps
//     stage 6    u0                  u1              u1     m(u1) + u0, where m is the map
//     left last                  m0                  m1
//
//   Windows of one tap need no second time and no distance, whatever their map.
// * Turns of a row follow each other in stage 11 in any cycles, the lowest lane first. The first one comes in the cycle after its window was in
//   stage 10, and a window's first turn after the last one of the window before.
// * A turn with a function starts only where its place is free (tpu_float_row), and turns leave stage 16 for 17 one at a time and in order: when
//   another instruction follows, its turns wait where they would overtake.
//
// Rows per cycle with LANES lanes: 1 / LANES without a function, 1 / (S LANES) with one, 1 / L or 1 / (L + 1) for each tap of a sum.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"

module tpu_float_lane #(
  // Lanes that share what follows their windows
  parameter LANES = 1
) (
  input  wire                           clk,
  input  wire                           rst,

  // Controls, the same for all lanes
  input  wire [`TPU_FLOAT_TAP_BITS-1:0] tap,
  input  wire [`TPU_FLOAT_ROW_BITS-1:0] row,
  input  wire [`TPU_UPDATE_BITS-1:0]    update,

  // Stage 2: numbers of their formats, each in the lowest bits of its word
  input  wire [32*LANES-1:0]            a_words,
  input  wire [32*LANES-1:0]            b_words,

  // Stage 11: parameters of the lane whose turn it is
  input  wire [31:0]                    bias,
  input  wire [31:0]                    multiplier,

  // Of ADAM: parameters of all lanes; what left the multiply-adders last
  input  wire [32*LANES-1:0]            biases,
  input  wire [32*LANES-1:0]            multipliers,
  output wire [32*LANES-1:0]            left,

  // Stage 21 of the last lane
  output wire [32*LANES-1:0]            words
);

  // ---- Stages 2 to 10: taps ----------------------------------------------------------------------
  wire [32*LANES-1:0] larger;
  wire [32*LANES-1:0] smaller;
  // Of ADAM
  reg  [32*LANES-1:0] roots_q;
  reg  [32*LANES-1:0] factors_q;

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      tpu_float_map u_map (
        .clk        (clk),
        .rst        (rst),
        .tap        (tap),
        .update     (update),
        .a_word     (a_words[32*i +: 32]),
        .b_word     (b_words[32*i +: 32]),
        .bias       (biases[32*i +: 32]),
        .multiplier (multipliers[32*i +: 32]),
        .root       (roots_q[32*i +: 32]),
        .factor     (factors_q[32*i +: 32]),
        .left       (left[32*i +: 32]),
        .larger     (larger[32*i +: 32]),
        .smaller    (smaller[32*i +: 32])
      );
    end
  endgenerate

  // ---- Stage 11: the lanes take turns --------------------------------------------------------------
  reg [32*LANES-1:0] windows12_q;

  always @(posedge clk) begin
    if (row[`TPU_FLOAT_ROW_11_EN]) begin
      windows12_q <= !row[`TPU_FLOAT_ROW_11_FIRST] ? windows12_q >> 32 : row[`TPU_FLOAT_ROW_11_MIN] ? smaller : larger;
    end
  end

  // ---- Stages 11 to 20: one number after the other -------------------------------------------------
  wire [31:0]         word_21;
  // Of ADAM
  reg  [32*LANES-1:0] held_q;
  wire [31:0]         computed;

  tpu_float_row u_row (
    .clk        (clk),
    .rst        (rst),
    .row        (row),
    .update     (update),
    .value      (windows12_q[31:0]),
    .bias       (bias),
    .multiplier (multiplier),
    .update_in  (held_q[31:0]),
    .update_out (computed),
    .word       (word_21)
  );

  // ---- ADAM: the lanes take turns in the function --------------------------------------------------
  // The lane whose turn it is on the right; its result enters on the left.
  function [32*LANES-1:0] next_lane;
    input [31:0]         word;
    input [32*LANES-1:0] words_before;
    reg   [31:0]         unused_lane;
    {next_lane, unused_lane} = {word, words_before};
  endfunction

  always @(posedge clk) begin
    if (update[`TPU_UPDATE_HOLD]) begin
      held_q <= left;
    end else if (update[`TPU_UPDATE_START]) begin
      held_q <= next_lane(32'd0, held_q);
    end
    if (update[`TPU_UPDATE_ROOT]) begin
      roots_q <= next_lane(computed, roots_q);
    end
    if (update[`TPU_UPDATE_FACTOR]) begin
      factors_q <= next_lane(computed, factors_q);
    end
  end

  // ---- Stage 21: row -------------------------------------------------------------------------------
  generate
    if (LANES == 1) begin : g_alone
      assign words = word_21;
    end else begin : g_together
      // Words of the lanes before this one, the last one on the left.
      reg [32*LANES-33:0] before_q;

      assign words = {word_21, before_q};

      always @(posedge clk) begin
        if (row[`TPU_FLOAT_ROW_21_EN]) begin
          before_q <= words[32*LANES-1:32];
        end
      end
    end
  endgenerate

  wire unused = &{1'b0, row, update};

endmodule

`default_nettype wire
