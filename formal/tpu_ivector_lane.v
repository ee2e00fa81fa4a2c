// tpu_ivector_lane: lanes take turns, each with its own window, with the factors that the controls choose of it, with the parameters of its turn;
// clamped words leave together, each at its lane's place, 13 cycles behind the last turn, whatever rows come before and behind. The upper bound
// counts first, also where it is below the lower one.
//
// Models stand in for the window, the map, the tables and the requantiser (formal/models), so that each word is an exclusive or of all that went
// into it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_ivector_lane.vh"

module formal_tpu_ivector_lane #(
  parameter LANES = 4
) (
  input wire                             clk,
  // A row's first lane may have its turn
  input wire                             go,
  // Controls of all stages but EN and FIRST
  input wire [`TPU_IVECTOR_ROW_BITS-1:0] fields,
  input wire [16*LANES-1:0]              a_halves,
  input wire [32*LANES-1:0]              a_words,
  input wire [32*LANES-1:0]              b_words,
  input wire [31:0]                      bias,
  input wire [31:0]                      multiplier,
  input wire [5:0]                       shift
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  //// Controls: the turns of a row follow each other, and a stage holds what the one before held ////

  localparam [2:0] LAST = LANES - 1;

  reg  [2:0]  turn_q;
  reg  [12:0] held_q;
  wire        first = go && turn_q == 3'd0 && !rst;
  wire        en_5  = first || turn_q != 3'd0;

  always @(posedge clk) begin
    turn_q <= rst || !en_5 || turn_q == LAST ? 3'd0 : turn_q + 3'd1;
    held_q <= rst ? 13'd0 : {held_q[11:0], en_5};
  end

  reg [`TPU_IVECTOR_ROW_BITS-1:0] row;
  always @* begin
    row                          = fields;
    row[`TPU_IVECTOR_ROW_EN]      = {held_q, en_5};
    row[`TPU_IVECTOR_ROW_5_FIRST] = first;
  end

  wire [32*LANES-1:0] words;

  tpu_ivector_lane #(
    .LANES (LANES)
  ) dut (
    .clk          (clk),
    .tap          ({`TPU_IVECTOR_TAP_BITS{1'b0}}),
    .row          (row),
    .a_bytes      ({8*LANES{1'b0}}),
    .a_halves     (a_halves),
    .a_words      (a_words),
    .b_bytes      ({8*LANES{1'b0}}),
    .b_halves     ({16*LANES{1'b0}}),
    .b_words      (b_words),
    .bias         (bias),
    .multiplier   (multiplier),
    .shift        (shift),
    .lut_wr_valid (1'b0),
    .lut_wr_addr  (11'd0),
    .lut_wr_data  (8'd0),
    .words        (words)
  );

  //// Reference: what a turn takes, so many cycles later. Nothing is held ////

  reg [80*LANES-1:0] row_q;  // {b, window} of each lane at the first turn
  reg [79:0]         taken;
  reg [31:0]         x;
  reg [15:0]         y;

  integer i;
  always @* begin
    taken = row_q[80*turn_q +: 80];
    if (first) taken = {b_words[31:0], a_halves[15:0], a_words[31:0]};
    x = row[`TPU_IVECTOR_ROW_5_X] == `TPU_IVECTOR_X_R ? taken[31:0]
      : row[`TPU_IVECTOR_ROW_5_X] == `TPU_IVECTOR_X_B ? taken[79:48] : row[`TPU_IVECTOR_ROW_5_CONSTANT];
    y = row[`TPU_IVECTOR_ROW_5_Y] == `TPU_IVECTOR_Y_B ? taken[63:48] : row[`TPU_IVECTOR_ROW_5_Y] == `TPU_IVECTOR_Y_ONE ? 16'd1 : 16'd0;
  end
  always @(posedge clk) begin
    if (first) begin
      for (i = 0; i < LANES; i = i + 1) begin
        row_q[80*i +: 80] <= {b_words[32*i +: 32], a_halves[16*i +: 16], a_words[32*i +: 32]};
      end
    end
  end

  // Stages 6 to 10
  reg [48*5-1:0] value_q;
  reg [31*5-1:0] factor_q;
  reg [31:0]     bias_q;
  wire [47:0]    value_10  = value_q[48*4 +: 48];
  wire [30:0]    factor_10 = row[`TPU_IVECTOR_ROW_10_FACTOR] ? factor_q[31*4 +: 31] : multiplier[30:0];
  wire [3:0]     mode_10   = {row[`TPU_IVECTOR_ROW_10_NONE], row[`TPU_IVECTOR_ROW_10_DOUBLE], row[`TPU_IVECTOR_ROW_10_DIVIDE],
                              row[`TPU_IVECTOR_ROW_10_WIDE]};
  // Stages 11 to 17
  reg [32*7-1:0] mixed_q;
  wire [31:0]    mixed_17 = mixed_q[32*6 +: 32];

  always @(posedge clk) begin
    value_q  <= {value_q[48*4-1:0], taken[47:0] ^ {x, y}};
    factor_q <= {factor_q[31*4-1:0], row[`TPU_IVECTOR_ROW_5_FACTOR] ? taken[78:48] : 31'd0};
    bias_q   <= bias;
    mixed_q  <= {mixed_q[32*6-1:0],
                 value_10[31:0] ^ {value_10[47:32], multiplier[31:16]} ^ bias_q ^ {1'b0, factor_10} ^ {22'd0, mode_10, shift}};
  end

  // Stage 18: of this turn and of those before, the newest one on the right, and whether all of their bits count
  reg [32*LANES-1:0]  words_q;
  reg [LANES-1:0]     whole_q;
  reg [13:0]          last_q;
  wire signed [31:0]  lo = $signed(row[`TPU_IVECTOR_ROW_17_LO]);
  wire signed [31:0]  hi = $signed(row[`TPU_IVECTOR_ROW_17_HI]);
  wire [31:0]         clamped = $signed(mixed_17) > hi ? hi : $signed(mixed_17) < lo ? lo : mixed_17;

  always @(posedge clk) begin
    words_q <= {words_q[32*LANES-33:0], row[`TPU_IVECTOR_ROW_17_WORD] ? mixed_17 : clamped};
    whole_q <= {whole_q[LANES-2:0], row[`TPU_IVECTOR_ROW_17_WORD]};
    last_q  <= rst ? 14'd0 : {last_q[12:0], turn_q == LAST};
  end

  integer l;
  always @* begin
    if (!rst && last_q[12]) begin
      for (l = 0; l < LANES; l = l + 1) begin
        assert (words[32*l +: 16] == words_q[32*(LANES-1-l) +: 16]);
        assert (!whole_q[LANES-1-l] || words[32*l+16 +: 16] == words_q[32*(LANES-1-l)+16 +: 16]);
      end
    end
    // Invariant
    if (!rst) assert (turn_q <= LAST);
  end

endmodule

`default_nettype wire
