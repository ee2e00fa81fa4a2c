// Control of the floating-point lanes for FVECTOR: one token per tap travels through the stages (listed in tpu_float_lane) and steers them.
//
//   cycle -1          issue of the tap's last lines                               tpu_fvector_issue
//          2          these lines are there, and are put behind those before      tpu_fvector_lanes
//          3          stage 2 of the lanes: stage s is in cycle s + 1
//         10          parameters are read (P = 10, or 14 where taps take the multiply-adder twice)
//         P + 2       stage 11, the first lane's turn; the turn of lane i is i cycles later, i * S with a function of S steps
//         P + 12      stage 21 of the first lane without a function; 7 S cycles later with one
//         P + 13      first line of the row at vo_wr, FLOAT_LANES - 1 turns later
//
// So from a window's last tap to its row's first line there are 24 cycles, 28 with taps that go twice; then 7 S with a function, and the
// other lanes' turns.
//
// A window's bank, parameter entry and whether it is the last one wait in a queue until the parameters are read, so that tokens need not carry
// them; and again while the number is in the function. Two configuration banks take turns as in tpu_vector_pipe.
//
// EN is there exactly when a stage holds something, and behind a reset nowhere before the next tap. Other controls say something only beside EN,
// but for AGAIN and KEEP, which are 0 without a tap that goes twice, except in the cycle behind a reset. Where the taps of both banks go twice,
// SUM is AGAIN.
//
// More than 300 lines: a stage's controls and the fields that they come from are read best side by side.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_float_lane.vh"
`include "tpu_isa.vh"
`include "tpu_number_lines.vh"

module tpu_fvector_pipe #(
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share what follows a window
  parameter FLOAT_LANES = 2
) (
  input  wire                           clk,
  input  wire                           rst,

  // An FVECTOR starts and takes bank `take_bank`
  input  wire                           take,
  input  wire                           take_bank,
  input  wire [`TPU_FVECTOR_USED-1:0]   cmd,
  output wire [1:0]                     bank_busy,

  // Issued in this cycle: a line of A, a line of B, a tap; of the tap: its bank, inside the image, first and last one of its window,
  // last one of its instruction; the window's parameter entry
  input  wire                           a_line,
  input  wire                           b_line,
  input  wire                           tap,
  input  wire                           tap_bank,
  input  wire                           tap_inside,
  input  wire                           tap_first,
  input  wire                           tap_last,
  input  wire                           tap_final,
  input  wire [$clog2(PARAM_ROWS)-1:0]  tap_param,

  // Cycle 2: a line of A, from the accumulators a whole row, and a line of B are there
  output wire                           take_a,
  output wire                           take_acc,
  output wire                           take_b,

  // The instruction is an ADAM, whose taps go no further than stage 4 (tpu_adam_steps has the rest); the last row of one is there
  output wire                           adam,
  input  wire                           adam_final,

  // Controls of the lanes
  output wire [`TPU_FLOAT_TAP_BITS-1:0] tap_control,
  output wire [`TPU_FLOAT_ROW_BITS-1:0] row_control,

  // Parameter read; the lane whose turn comes in the next cycle, and the one whose turn it is
  output wire                           param_en,
  output wire [$clog2(PARAM_ROWS)-1:0]  param_entry,
  output wire [5:0]                     turn10,
  output wire [5:0]                     turn11,

  // Stage 21 of the last lane: a row, the last one of its instruction, the number of its last line; rows of its instruction are interleaved
  output wire                           row_done,
  output wire                           row_final,
  output wire [1:0]                     row_last,
  output wire                           row_interleave
);

  localparam PW        = $clog2(PARAM_ROWS);
  localparam LAST_LANE = FLOAT_LANES - 1;
  // Cycles of the longest function
  localparam LONGEST   = 7 * 13;

`include "tpu_fvector_steps.vh"

  // ---- Configuration banks ---------------------------------------------------------------------
  reg  [1:0]  busy_q;
  reg         acc_q        [0:1];
  reg  [1:0]  a_format_q   [0:1];
  reg  [1:0]  b_format_q   [0:1];
  reg         b_constant_q [0:1];
  reg  [31:0] constant_q   [0:1];
  reg  [2:0]  x_q          [0:1];
  reg  [1:0]  y_q          [0:1];
  reg  [1:0]  z_q          [0:1];
  reg         sum_q        [0:1];
  reg         max_q        [0:1];
  reg         min_q        [0:1];
  // Of all instructions in the lanes: an ADAM is there alone.
  reg         adam_q;
  // Bit i: of bank i. Windows have taps whose sum is formed; that take the multiply-adder twice.
  reg  [1:0]  sums_q;
  reg  [1:0]  twice_q;
  reg         scale_q      [0:1];
  reg         negate_q     [0:1];
  reg         absolute_q   [0:1];
  reg  [3:0]  steps_q      [0:1];
  reg  [2:0]  function_q   [0:1];
  reg  [31:0] lo_q         [0:1];
  reg  [31:0] hi_q         [0:1];
  reg  [1:0]  o_format_q   [0:1];
  reg  [1:0]  interleave_q;

  wire [3:0] map     = cmd[`TPU_FVECTOR_MAP];
  wire [1:0] reduce  = cmd[`TPU_FVECTOR_REDUCE];
  wire [3:0] fn      = cmd[`TPU_FVECTOR_FUNCTION];
  wire       several = cmd[`TPU_FVECTOR_N_KH] != 16'd1 || cmd[`TPU_FVECTOR_N_KW] != 16'd1;
  wire       sums    = reduce == `TPU_FLOAT_REDUCE_SUM && several;
  wire       adds    = map == `TPU_FLOAT_MAP_ADD || map == `TPU_FLOAT_MAP_SUB || map == `TPU_FLOAT_MAP_RSUB || map == `TPU_FLOAT_MAP_FMA
                       || map == `TPU_FLOAT_MAP_ADDSQ;
  // The functions of the lanes are numbered without none, neg and abs.
  wire [3:0] number  = fn - 4'd2;

  function [6:0] choice(input [3:0] of_map);
    case (of_map)
      `TPU_FLOAT_MAP_ADD:    choice = {`TPU_FLOAT_X_B, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_A};
      `TPU_FLOAT_MAP_SUB:    choice = {`TPU_FLOAT_X_B, `TPU_FLOAT_Y_MINUS_ONE, `TPU_FLOAT_Z_A};
      `TPU_FLOAT_MAP_RSUB:   choice = {`TPU_FLOAT_X_A, `TPU_FLOAT_Y_MINUS_ONE, `TPU_FLOAT_Z_B};
      `TPU_FLOAT_MAP_MUL:    choice = {`TPU_FLOAT_X_A, `TPU_FLOAT_Y_B, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_MAX:    choice = {`TPU_FLOAT_X_LARGER, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_MIN:    choice = {`TPU_FLOAT_X_SMALLER, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_FMA:    choice = {`TPU_FLOAT_X_A, `TPU_FLOAT_Y_CONSTANT, `TPU_FLOAT_Z_B};
      `TPU_FLOAT_MAP_GT:     choice = {`TPU_FLOAT_X_GREATER, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_GE:     choice = {`TPU_FLOAT_X_GREATER_EQUAL, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_EQ:     choice = {`TPU_FLOAT_X_EQUAL, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_SELECT: choice = {`TPU_FLOAT_X_SELECT, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
      `TPU_FLOAT_MAP_ADDSQ:  choice = {`TPU_FLOAT_X_B, `TPU_FLOAT_Y_B, `TPU_FLOAT_Z_A};
      default:               choice = {`TPU_FLOAT_X_A, `TPU_FLOAT_Y_ONE, `TPU_FLOAT_Z_ZERO};
    endcase
  endfunction

  assign adam = adam_q;

  always @(posedge clk) begin
    if (take) begin
      adam_q                  <= cmd[`TPU_OPCODE] == `TPU_OP_ADAM;
      acc_q[take_bank]        <= cmd[`TPU_FVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      a_format_q[take_bank]   <= cmd[`TPU_FVECTOR_A_FORMAT];
      b_constant_q[take_bank] <= cmd[`TPU_FVECTOR_OPERAND] == `TPU_FLOAT_OPERAND_CONSTANT;
      b_format_q[take_bank]   <= cmd[`TPU_FVECTOR_OPERAND] == `TPU_FLOAT_OPERAND_CONSTANT ? `TPU_NUMBER_FORMAT_FP32 : cmd[`TPU_FVECTOR_B_FORMAT];
      constant_q[take_bank]   <= cmd[`TPU_FVECTOR_CONSTANT];
      {x_q[take_bank], y_q[take_bank], z_q[take_bank]} <= choice(map);
      sum_q[take_bank]        <= reduce == `TPU_FLOAT_REDUCE_SUM;
      max_q[take_bank]        <= reduce == `TPU_FLOAT_REDUCE_MAX;
      min_q[take_bank]        <= reduce == `TPU_FLOAT_REDUCE_MIN;
      sums_q[take_bank]       <= sums;
      twice_q[take_bank]      <= sums && adds;
      scale_q[take_bank]      <= cmd[`TPU_FVECTOR_SCALE];
      negate_q[take_bank]     <= fn == `TPU_FLOAT_FUNCTION_NEG;
      absolute_q[take_bank]   <= fn == `TPU_FLOAT_FUNCTION_ABS;
      steps_q[take_bank]      <= function_steps(fn);
      function_q[take_bank]   <= number[2:0];
      lo_q[take_bank]         <= cmd[`TPU_FVECTOR_LO];
      hi_q[take_bank]         <= cmd[`TPU_FVECTOR_HI];
      o_format_q[take_bank]   <= cmd[`TPU_FVECTOR_O_FORMAT];
      interleave_q[take_bank] <= cmd[`TPU_FVECTOR_INTERLEAVE] != `TPU_FLOAT_INTERLEAVE_NONE;
    end
  end

  // ---- Taps: cycles 0 to 14 ------------------------------------------------------------------------
  // Bit i: of the token in cycle i
  reg  [2:0]  a_line_q;
  reg  [2:0]  b_line_q;
  reg  [14:0] tap_q;
  reg  [14:0] bank_q;
  reg  [14:0] first_q;
  reg  [14:0] last_q;
  reg  [5:0]  inside_q;
  // What goes through the multiply-adder twice: tap, window
  wire [14:0] bank_twice = bank_q & {15{twice_q[1]}} | ~bank_q & {15{twice_q[0]}};
  wire [14:0] again      = tap_q & bank_twice & ~first_q;
  wire        window     = (tap_q[10] && last_q[10] && !bank_twice[10]) || (tap_q[14] && last_q[14] && bank_twice[14]);

  always @(posedge clk) begin
    bank_q   <= {bank_q[13:0], tap_bank};
    first_q  <= {first_q[13:0], tap_first};
    last_q   <= {last_q[13:0], tap_last};
    inside_q <= {inside_q[4:0], tap_inside};
  end

  always @(posedge clk) begin
    a_line_q <= {a_line_q[1:0], a_line};
    b_line_q <= {b_line_q[1:0], b_line};
    tap_q    <= {tap_q[13:5], tap_q[4] && !adam_q, tap_q[3:0], tap};
    if (rst) begin
      a_line_q <= 3'd0;
      b_line_q <= 3'd0;
      tap_q    <= 15'd0;
    end
  end

  assign take_a   = a_line_q[2];
  assign take_acc = acc_q[bank_q[2]];
  assign take_b   = b_line_q[2];

  // ---- Controls of stages 2 to 10 -----------------------------------------------------------------
  reg [`TPU_FLOAT_TAP_BITS-1:0] tap_control_q;

  assign tap_control = tap_control_q;

  always @(posedge clk) begin
    tap_control_q[`TPU_FLOAT_TAP_2_EN]         <= tap_q[2];
    tap_control_q[`TPU_FLOAT_TAP_2_A_FORMAT]   <= a_format_q[bank_q[2]];
    tap_control_q[`TPU_FLOAT_TAP_2_B_FORMAT]   <= b_format_q[bank_q[2]];
    tap_control_q[`TPU_FLOAT_TAP_2_B_CONSTANT] <= b_constant_q[bank_q[2]];
    tap_control_q[`TPU_FLOAT_TAP_2_CONSTANT]   <= constant_q[bank_q[2]];
    tap_control_q[`TPU_FLOAT_TAP_3_EN]         <= tap_q[3];
    tap_control_q[`TPU_FLOAT_TAP_3_A_INT]      <= a_format_q[bank_q[3]] == `TPU_NUMBER_FORMAT_INT8
                                                  || a_format_q[bank_q[3]] == `TPU_NUMBER_FORMAT_INT32;
    tap_control_q[`TPU_FLOAT_TAP_3_B_INT]      <= b_format_q[bank_q[3]] == `TPU_NUMBER_FORMAT_INT8
                                                  || b_format_q[bank_q[3]] == `TPU_NUMBER_FORMAT_INT32;
    tap_control_q[`TPU_FLOAT_TAP_4_EN]         <= tap_q[4];
    tap_control_q[`TPU_FLOAT_TAP_5_EN]         <= tap_q[5];
    tap_control_q[`TPU_FLOAT_TAP_5_X]          <= x_q[bank_q[5]];
    tap_control_q[`TPU_FLOAT_TAP_5_Y]          <= y_q[bank_q[5]];
    tap_control_q[`TPU_FLOAT_TAP_5_Z]          <= z_q[bank_q[5]];
    tap_control_q[`TPU_FLOAT_TAP_5_INSIDE]     <= inside_q[5];
    tap_control_q[`TPU_FLOAT_TAP_5_MAX]        <= max_q[bank_q[5]];
    tap_control_q[`TPU_FLOAT_TAP_5_MIN]        <= min_q[bank_q[5]];
    tap_control_q[`TPU_FLOAT_TAP_5_CONSTANT]   <= constant_q[bank_q[5]];
    tap_control_q[`TPU_FLOAT_TAP_6_TO_9_EN]    <= tap_q[9:6] | again[13:10];
    tap_control_q[`TPU_FLOAT_TAP_6_SUM]        <= again[10] || (sums_q[bank_q[6]] && !first_q[6] && !bank_twice[6]);
    tap_control_q[`TPU_FLOAT_TAP_6_AGAIN]      <= again[10];
    tap_control_q[`TPU_FLOAT_TAP_9_KEEP]       <= tap_q[9] && bank_twice[9];
    tap_control_q[`TPU_FLOAT_TAP_10_EN]        <= window || (tap_q[10] && !sum_q[bank_q[10]]);
    tap_control_q[`TPU_FLOAT_TAP_10_FIRST]     <= (tap_q[14] && bank_twice[14]) || sum_q[bank_q[10]] || first_q[10];
    tap_control_q[`TPU_FLOAT_TAP_10_MIN]       <= min_q[bank_q[10]];
    // The function's numbers circulate, but nothing else is in the lanes after a reset.
    if (rst) begin
      tap_control_q[`TPU_FLOAT_TAP_2_EN]       <= 1'b0;
      tap_control_q[`TPU_FLOAT_TAP_3_EN]       <= 1'b0;
      tap_control_q[`TPU_FLOAT_TAP_4_EN]       <= 1'b0;
      tap_control_q[`TPU_FLOAT_TAP_5_EN]       <= 1'b0;
      tap_control_q[`TPU_FLOAT_TAP_6_TO_9_EN]  <= 4'd0;
      tap_control_q[`TPU_FLOAT_TAP_10_EN]      <= 1'b0;
    end
  end

  // ---- Windows wait for their parameters ----------------------------------------------------------
  wire          window_valid;
  wire          window_ready;
  wire [4:0]    window_level;
  wire          window_bank;
  wire          window_final;

  tpu_fifo #(
    .WIDTH (PW + 2),
    .DEPTH (16)
  ) u_windows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (tap && tap_last && !adam_q),
    .in_ready  (window_ready),
    .in_data   ({tap_final, tap_bank, tap_param}),
    .out_valid (window_valid),
    .out_ready (window),
    .out_data  ({window_final, window_bank, param_entry}),
    .level     (window_level)
  );

  assign param_en = window;

  `TPU_ASSERT(a_room_for_every_window, window_ready || !(tap && tap_last) || adam_q)
  `TPU_ASSERT(a_window_before_its_turns, window_valid || !window)

  // ---- Turns: stage 11 -----------------------------------------------------------------------------
  // The cycle before the first turn; further ones are to come, so many cycles from now.
  reg        start_q;
  reg        more_q;
  reg  [3:0] wait_q;
  reg  [5:0] next_q;
  reg  [5:0] turn11_q;
  reg        row_bank_q;
  reg        row_final_q;
  wire       turns    = start_q || (more_q && wait_q == 4'd0);
  wire [3:0] row_step = steps_q[row_bank_q];
  wire       last_one = turn10 == LAST_LANE[5:0];

  assign turn10 = start_q ? 6'd0 : next_q;
  assign turn11 = turn11_q;

  always @(posedge clk) begin
    if (window) begin
      row_bank_q  <= window_bank;
      row_final_q <= window_final;
    end
    if (turns) begin
      next_q   <= turn10 + 6'd1;
      turn11_q <= turn10;
      wait_q   <= row_step == 4'd0 ? 4'd0 : row_step - 4'd1;
    end else if (wait_q != 4'd0) begin
      wait_q   <= wait_q - 4'd1;
    end
  end

  always @(posedge clk) begin
    start_q <= window;
    if (turns) begin
      more_q <= !last_one;
    end
    if (rst) begin
      start_q <= 1'b0;
      more_q  <= 1'b0;
    end
  end

  `TPU_ASSERT(a_rows_keep_apart, !start_q || !more_q)

  // ---- Turns: stages 11 to 16 -----------------------------------------------------------------------
  // Bit i: stage i
  reg  [15:11] turn_q;
  reg  [15:11] turn_bank_q;
  reg  [15:11] turn_last_q;
  reg  [15:11] turn_final_q;
  // The number in stage 15 is for the function; that in stage 16 passes by, or starts there.
  wire         computes15 = steps_q[turn_bank_q[15]] != 4'd0;
  wire         passes     = row_control[`TPU_FLOAT_ROW_16_EN];
  wire         starts     = row_control[`TPU_FLOAT_ROW_16_START];

  always @(posedge clk) begin
    turn_bank_q  <= {turn_bank_q[14:11], row_bank_q};
    turn_last_q  <= {turn_last_q[14:11], last_one};
    turn_final_q  <= {turn_final_q[14:11], row_final_q};
  end

  always @(posedge clk) begin
    turn_q <= {turn_q[14:11], turns};
    if (rst) begin
      turn_q <= 5'd0;
    end
  end

  // ---- Functions, and stages 17 to 21 -----------------------------------------------------------------
  // Bit i: a function's result is there i + 1 cycles from now.
  reg  [LONGEST-1:0] comes_q;
  reg  [3:0]         steps16_q;
  wire               waits_valid;
  wire               waits_ready;
  wire [3:0]         waits_level;
  wire               waits_bank;
  wire               waits_last;
  wire               waits_final;
  wire               leaves = passes || comes_q[0];
  reg  [LONGEST-1:0] started;

  // 7 S cycles; S is one of five numbers.
  always @* begin
    started = {LONGEST{1'b0}};
    case (steps16_q)
      4'd4:    started[27] = starts;
      4'd5:    started[34] = starts;
      4'd6:    started[41] = starts;
      4'd8:    started[55] = starts;
      default: started[90] = starts;
    endcase
  end

  tpu_fifo #(
    .WIDTH (3),
    .DEPTH (8)
  ) u_turns (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (turn_q[15]),
    .in_ready  (waits_ready),
    .in_data   ({turn_final_q[15], turn_last_q[15], turn_bank_q[15]}),
    .out_valid (waits_valid),
    .out_ready (leaves),
    .out_data  ({waits_final, waits_last, waits_bank}),
    .level     (waits_level)
  );

  `TPU_ASSERT(a_room_for_every_turn, waits_ready || !turn_q[15])
  `TPU_ASSERT(a_turn_before_it_leaves, waits_valid || !leaves)
  `TPU_ASSERT(a_none_is_overtaken, !passes || comes_q == 0)

  reg  [21:17] out_q;
  reg  [21:17] out_bank_q;
  reg  [21:17] out_last_q;
  reg  [21:17] out_final_q;

  always @(posedge clk) begin
    steps16_q   <= steps_q[turn_bank_q[15]];
    out_bank_q  <= {out_bank_q[20:17], waits_bank};
    out_last_q  <= {out_last_q[20:17], waits_last};
    out_final_q <= {out_final_q[20:17], waits_final};
  end

  always @(posedge clk) begin
    comes_q <= comes_q >> 1 | started;
    out_q   <= {out_q[20:17], leaves};
    if (rst) begin
      comes_q <= {LONGEST{1'b0}};
      out_q   <= 5'd0;
    end
  end

  assign row_done       = out_q[21] && out_last_q[21];
  assign row_final      = row_done && out_final_q[21];
  assign row_last       = `TPU_LAST_LINE(o_format_q[out_bank_q[21]]);
  assign row_interleave = interleave_q[out_bank_q[21]];

  // ---- Controls of stages 11 to 21 -----------------------------------------------------------------
  reg [`TPU_FLOAT_ROW_BITS-1:0] row_control_q;

  assign row_control = row_control_q;

  always @(posedge clk) begin
    row_control_q[`TPU_FLOAT_ROW_11_EN]       <= turns;
    row_control_q[`TPU_FLOAT_ROW_11_FIRST]    <= start_q;
    row_control_q[`TPU_FLOAT_ROW_11_MIN]      <= min_q[row_bank_q];
    row_control_q[`TPU_FLOAT_ROW_11_SCALE]    <= scale_q[row_bank_q];
    row_control_q[`TPU_FLOAT_ROW_12_TO_15_EN] <= turn_q[14:11];
    row_control_q[`TPU_FLOAT_ROW_16_EN]       <= turn_q[15] && !computes15;
    row_control_q[`TPU_FLOAT_ROW_16_NEGATE]   <= negate_q[turn_bank_q[15]];
    row_control_q[`TPU_FLOAT_ROW_16_ABSOLUTE] <= absolute_q[turn_bank_q[15]];
    row_control_q[`TPU_FLOAT_ROW_16_START]    <= turn_q[15] && computes15;
    row_control_q[`TPU_FLOAT_ROW_16_FUNCTION] <= function_q[turn_bank_q[15]];
    row_control_q[`TPU_FLOAT_ROW_17_EN]       <= leaves;
    row_control_q[`TPU_FLOAT_ROW_17_FUNCTION] <= comes_q[0];
    row_control_q[`TPU_FLOAT_ROW_17_LO]       <= lo_q[waits_bank];
    row_control_q[`TPU_FLOAT_ROW_18_EN]       <= out_q[17];
    row_control_q[`TPU_FLOAT_ROW_18_HI]       <= hi_q[out_bank_q[17]];
    row_control_q[`TPU_FLOAT_ROW_19_EN]       <= out_q[18];
    row_control_q[`TPU_FLOAT_ROW_19_FORMAT]   <= o_format_q[out_bank_q[18]];
    row_control_q[`TPU_FLOAT_ROW_20_EN]       <= out_q[19];
    row_control_q[`TPU_FLOAT_ROW_20_FORMAT]   <= o_format_q[out_bank_q[19]];
    row_control_q[`TPU_FLOAT_ROW_21_EN]       <= out_q[20];
    if (rst) begin
      row_control_q[`TPU_FLOAT_ROW_11_EN]       <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_12_TO_15_EN] <= 4'd0;
      row_control_q[`TPU_FLOAT_ROW_16_EN]       <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_16_START]    <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_17_EN]       <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_18_EN]       <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_19_EN]       <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_20_EN]       <= 1'b0;
      row_control_q[`TPU_FLOAT_ROW_21_EN]       <= 1'b0;
    end
  end

  // ---- Banks ---------------------------------------------------------------------------------------
  always @(posedge clk) begin
    if (take) begin
      busy_q[take_bank] <= 1'b1;
    end
    if (row_final) begin
      busy_q[out_bank_q[21]] <= 1'b0;
    end
    if (rst || adam_final) begin
      busy_q <= 2'd0;
    end
  end

  assign bank_busy = busy_q;

  wire unused = &{1'b0, cmd, number[3], window_ready, window_valid, window_level, waits_ready, waits_valid, waits_level, again, first_q, last_q};

endmodule

`default_nettype wire
