// Integer lanes of IVECTOR that share what follows their windows (docs/isa.md, 11.3): one multiplier of 32 x 16 bits for the map, and a
// requantiser, lookup tables of 32 bits.
//
// Nothing stalls: a tap that enters stage 3 goes on by a stage per cycle, and `tap` and `row` say what each stage does with it. A stage that is
// not enabled keeps what it holds. Stage s is in cycle s of tpu_ivector_pipe.
//
//    3  numbers of their formats                                     tpu_ivector_tap
//    4  sum or maximum
//   -- from here once per window; the lanes take turns --
//    5  windows wait; factors of the product                         here
//    6  products, sign                                               tpu_ivector_map; tpu_ivector_table
//    7  product, correction
//    8  right shift
//    9  sum, rounding
//   10  bias                                                         tpu_requantize, its stages 9 to 15
//   11  bits lost to a left shift
//   12  partial products
//   13  product
//   14  correction, right shift by sixteens
//   15  right shift
//   16  rounding, zero point
//   17  clamp                                                        here
//   18  `words` are there, or LANES - 1 turns later
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_ivector_lane.vh"

module tpu_ivector_lane #(
  // Lanes that share what follows their windows
  parameter LANES = 1
) (
  input  wire                             clk,

  // Controls, the same for all lanes
  input  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap,
  input  wire [`TPU_IVECTOR_ROW_BITS-1:0] row,

  // Stage 3: numbers as they lie in the operands' registers, for each format
  input  wire [8*LANES-1:0]               a_bytes,
  input  wire [16*LANES-1:0]              a_halves,
  input  wire [32*LANES-1:0]              a_words,
  input  wire [8*LANES-1:0]               b_bytes,
  input  wire [16*LANES-1:0]              b_halves,
  input  wire [32*LANES-1:0]              b_words,

  // Stages 9 and 10: parameters of the lane whose turn it is
  input  wire [31:0]                      bias,
  input  wire [31:0]                      multiplier,
  input  wire [5:0]                       shift,

  // Lookup table writes: one byte of a table
  input  wire                             lut_wr_valid,
  input  wire [10:0]                      lut_wr_addr,
  input  wire [7:0]                       lut_wr_data,

  // Stage 18 of the last lane
  output wire [32*LANES-1:0]              words
);

  // ---- Stages 3 and 4: taps --------------------------------------------------------------------
  // {b, window} of each lane
  wire [80*LANES-1:0] windows;

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      tpu_ivector_tap u_tap (
        .clk    (clk),
        .tap    (tap),
        .a_byte (a_bytes[8*i +: 8]),
        .a_half (a_halves[16*i +: 16]),
        .a_word (a_words[32*i +: 32]),
        .b_byte (b_bytes[8*i +: 8]),
        .b_half (b_halves[16*i +: 16]),
        .b_word (b_words[32*i +: 32]),
        .window (windows[80*i +: 48]),
        .b      (windows[80*i+48 +: 32])
      );
    end
  endgenerate

  // ---- Stage 5: the lanes take turns -----------------------------------------------------------
  wire [79:0] turn_5;

  generate
    if (LANES == 1) begin : g_alone
      assign turn_5 = windows;
    end else begin : g_in_turns
      // Windows of the lanes whose turns are to come, the next one on the right
      reg [80*LANES-81:0] waiting_q;

      assign turn_5 = row[`TPU_IVECTOR_ROW_5_FIRST] ? windows[79:0] : waiting_q[79:0];

      always @(posedge clk) begin
        if (row[`TPU_IVECTOR_ROW_5_EN]) begin
          waiting_q <= row[`TPU_IVECTOR_ROW_5_FIRST] ? windows[80*LANES-1:80] : waiting_q >> 80;
        end
      end
    end
  endgenerate

  reg [47:0] r6_q;
  reg [31:0] x6_q;
  reg [15:0] y6_q;
  // What may be the multiplier
  reg [30:0] factor6_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_5_EN]) begin
      r6_q <= turn_5[47:0];
      x6_q <= row[`TPU_IVECTOR_ROW_5_X] == `TPU_IVECTOR_X_R ? turn_5[31:0]
            : row[`TPU_IVECTOR_ROW_5_X] == `TPU_IVECTOR_X_B ? turn_5[79:48] : row[`TPU_IVECTOR_ROW_5_CONSTANT];
      y6_q <= row[`TPU_IVECTOR_ROW_5_Y] == `TPU_IVECTOR_Y_B ? turn_5[63:48] : {15'd0, row[`TPU_IVECTOR_ROW_5_Y] == `TPU_IVECTOR_Y_ONE};
      factor6_q <= row[`TPU_IVECTOR_ROW_5_FACTOR] ? turn_5[78:48] : 31'd0;
    end
  end

  // ---- Stages 6 to 9: map ----------------------------------------------------------------------
  wire [31:0] word_7;
  wire [47:0] value_10;

  tpu_ivector_table u_table (
    .clk     (clk),
    .wr_en   (lut_wr_valid),
    .wr_addr (lut_wr_addr),
    .wr_data (lut_wr_data),
    .rd_en   (row[`TPU_IVECTOR_ROW_6_EN] && row[`TPU_IVECTOR_ROW_6_LOOK]),
    .rd_addr ({row[`TPU_IVECTOR_ROW_6_LUT], r6_q[7:0] - x6_q[7:0]}),
    .rd_data (word_7)
  );

  tpu_ivector_map u_map (
    .clk   (clk),
    .row   (row),
    .word  (word_7),
    .r     (r6_q),
    .x     (x6_q),
    .y     (y6_q),
    .value (value_10)
  );

  // ---- Stages 10 to 16: requantise -------------------------------------------------------------
  reg  [31:0] bias10_q;
  reg  [30:0] factor7_q;
  reg  [30:0] factor8_q;
  reg  [30:0] factor9_q;
  reg  [30:0] factor10_q;
  wire [31:0] value_17;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_6_EN]) begin
      factor7_q <= factor6_q;
    end
    if (row[`TPU_IVECTOR_ROW_7_EN]) begin
      factor8_q <= factor7_q;
    end
    if (row[`TPU_IVECTOR_ROW_8_EN]) begin
      factor9_q <= factor8_q;
    end
    if (row[`TPU_IVECTOR_ROW_9_EN]) begin
      factor10_q <= factor9_q;
      bias10_q   <= bias;
    end
  end

  tpu_requantize #(
    .WIDE (1)
  ) u_requantize (
    .clk        (clk),
    .en         (row[`TPU_IVECTOR_ROW_REQUANTISE_EN]),
    .as_float   (6'd0),
    .is_none    (row[`TPU_IVECTOR_ROW_10_NONE]),
    .is_double  (row[`TPU_IVECTOR_ROW_10_DOUBLE]),
    .is_divide  (row[`TPU_IVECTOR_ROW_10_DIVIDE]),
    .is_wide    (row[`TPU_IVECTOR_ROW_10_WIDE]),
    .value      (value_10[31:0]),
    .value_high (value_10[47:32]),
    .bias       (bias10_q),
    .bias_high  (multiplier[31:16]),
    .multiplier (row[`TPU_IVECTOR_ROW_10_FACTOR] ? factor10_q : multiplier[30:0]),
    .shift      (shift),
    .divide_15  (row[`TPU_IVECTOR_ROW_16_DIVIDE]),
    .zero_15    (row[`TPU_IVECTOR_ROW_16_ZERO]),
    .result     (value_17)
  );

  // ---- Stage 17: clamp -------------------------------------------------------------------------
  // The upper bound counts first.
  function [31:0] clamped;
    input        [31:0] operand;
    input               word;
    input signed [15:0] lo;
    input signed [15:0] hi;
    reg   signed [15:0] low;
    reg                 fits;
    begin
      low     = operand[15:0];
      fits    = operand[31:15] == {17{operand[31]}};
      clamped = {operand[31:16], word                               ? operand[15:0]
                               : (fits ? low > hi : !operand[31])   ? hi
                               : (fits ? low < lo : operand[31])    ? lo : low};
    end
  endfunction

  reg [31:0] word18_q;

  always @(posedge clk) begin
    if (row[`TPU_IVECTOR_ROW_17_EN]) begin
      word18_q <= clamped(value_17, row[`TPU_IVECTOR_ROW_17_WORD], row[`TPU_IVECTOR_ROW_17_LO], row[`TPU_IVECTOR_ROW_17_HI]);
    end
  end

  // ---- Stage 18: words -------------------------------------------------------------------------
  generate
    if (LANES == 1) begin : g_word
      assign words = word18_q;
    end else begin : g_words
      // Words of the lanes before this one, the last one on the left.
      reg [32*LANES-33:0] before_q;

      assign words = {word18_q, before_q};

      always @(posedge clk) begin
        if (row[`TPU_IVECTOR_ROW_18_EN]) begin
          before_q <= words[32*LANES-1:32];
        end
      end
    end
  endgenerate

  wire unused = &{1'b0, row};

endmodule

`default_nettype wire
