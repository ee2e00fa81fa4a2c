// Control of the integer lanes for IVECTOR: one token per tap travels through the stages (listed in tpu_ivector_lane) and steers them.
//
//   cycle -1          issue of the tap's last lines                               tpu_ivector_issue
//          2          these lines are there, and are put behind those before      tpu_line_operands
//          3          their numbers are taken, those of a pair's high words when they come
//          4          the window's combination
//          5          turn of the first lane; the turn of lane i is i cycles later
//          8          the row's parameters are read
//          9          bias of the first lane, then its multiplier and shift
//         18          number of the first lane
//         19          first line of the row at vo_wr, INT16_LANES turns later
//
// So from a window's last tap to its row's first line there are 20 cycles, and the other lanes' turns; with four lanes 23:
//
//   cycle    -1   0   1   2   3   4   5   6   7   8   9  10 ... 17  18  19  20  21  22
//   lane 0   tap  .   .  in   3   4   5   6   7   8   9  10 ... 17  18
//   lane 1   tap  .   .  in   3   4   .   5   6   7   8   9 ... 16  17  18
//   lane 3   tap  .   .  in   3   4   .   .   .   5   6   7 ... 14  15  16  17  18
//   row                                            p                             done line
//
// Two configuration banks take turns as in tpu_vector_pipe. A window's parameter entry waits in a queue until it is read. While no bank is busy no
// token is in the stages, and their registers stand still.
//
// EN is there exactly when a stage holds something, and behind a reset nowhere before the next tap. Other controls say something only beside EN.
//
// More than 300 lines: a stage's controls and the fields that they come from are read best side by side.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"
`include "tpu_number_lines.vh"

module tpu_ivector_pipe #(
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share what follows a window
  parameter INT16_LANES = 4
) (
  input  wire                             clk,
  input  wire                             rst,

  // An IVECTOR starts and takes bank `take_bank`
  input  wire                             take,
  input  wire                             take_bank,
  input  wire [`TPU_IVECTOR_USED-1:0]     cmd,
  output wire [1:0]                       bank_busy,

  // Issued in this cycle: a line of A, be it the high words of a pair, a line of B, a tap; of the tap: its bank, inside the image, first and
  // last one of its window, last one of its instruction; the window's parameter entry
  input  wire                             a_line,
  input  wire                             a_high,
  input  wire                             b_line,
  input  wire                             tap,
  input  wire                             tap_bank,
  input  wire                             tap_inside,
  input  wire                             tap_first,
  input  wire                             tap_last,
  input  wire                             tap_final,
  input  wire [$clog2(PARAM_ROWS)-1:0]    tap_param,

  // Cycle 2: a line of A, from the accumulators a whole row, and a line of B are there
  output wire                             take_a,
  output wire                             take_acc,
  output wire                             take_b,

  // Controls of the lanes
  output wire [`TPU_IVECTOR_TAP_BITS-1:0] tap_control,
  output wire [`TPU_IVECTOR_ROW_BITS-1:0] row_control,

  // Parameter read; the lanes whose turns are in stages 9 and 10
  output wire                             param_en,
  output wire [$clog2(PARAM_ROWS)-1:0]    param_entry,
  output wire [5:0]                       turn9,
  output wire [5:0]                       turn10,

  // Stage 18 of the last lane: a row, the last one of its instruction, the number of its last line
  output wire                             row_done,
  output wire                             row_final,
  output wire [1:0]                       row_last
);

  localparam PW        = $clog2(PARAM_ROWS);
  localparam LAST_LANE = INT16_LANES - 1;

  // ---- Configuration banks ---------------------------------------------------------------------
  reg  [1:0]  busy_q;
  reg         acc_q        [0:1];
  reg  [1:0]  a_format_q   [0:1];
  reg  [1:0]  b_format_q   [0:1];
  reg         b_constant_q [0:1];
  reg  [31:0] constant_q   [0:1];
  reg         max_q        [0:1];
  // Of the map
  reg  [1:0]  x_q          [0:1];
  reg  [1:0]  y_q          [0:1];
  reg         negate_q     [0:1];
  reg         subtract_q   [0:1];
  reg         product_q    [0:1];
  reg         scaled_q     [0:1];
  reg         twice_q      [0:1];
  reg         larger_q     [0:1];
  reg         smaller_q    [0:1];
  reg         look_q       [0:1];
  reg         lut_q        [0:1];
  reg         uniform_q    [0:1];
  reg  [4:0]  shift_q      [0:1];
  reg  [2:0]  mode_q       [0:1];
  reg  [7:0]  zero_q       [0:1];
  reg  [15:0] lo_q         [0:1];
  reg  [15:0] hi_q         [0:1];
  reg  [1:0]  o_format_q   [0:1];

  wire        [3:0]  map    = cmd[`TPU_IVECTOR_MAP];
  wire        [2:0]  mode   = cmd[`TPU_IVECTOR_REQUANT];
  wire        [4:0]  shift  = cmd[`TPU_IVECTOR_PRE_SHIFT];
  wire signed [15:0] lo     = cmd[`TPU_IVECTOR_LO];
  wire signed [15:0] hi     = cmd[`TPU_IVECTOR_HI];
  wire               scales = map == `TPU_INTEGER_MAP_ADDP || map == `TPU_INTEGER_MAP_SUBP || map == `TPU_INTEGER_MAP_RSUBP;

  always @(posedge clk) begin
    if (take) begin
      acc_q[take_bank]        <= cmd[`TPU_IVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      a_format_q[take_bank]   <= cmd[`TPU_IVECTOR_A_FORMAT];
      b_format_q[take_bank]   <= cmd[`TPU_IVECTOR_B_FORMAT];
      b_constant_q[take_bank] <= cmd[`TPU_IVECTOR_OPERAND] == `TPU_INTEGER_OPERAND_CONSTANT;
      constant_q[take_bank]   <= cmd[`TPU_IVECTOR_CONSTANT];
      max_q[take_bank]        <= cmd[`TPU_IVECTOR_REDUCE] == `TPU_VECTOR_REDUCE_MAX;
      x_q[take_bank]          <= map == `TPU_INTEGER_MAP_MUL ? `TPU_IVECTOR_X_R : scales ? `TPU_IVECTOR_X_CONSTANT : `TPU_IVECTOR_X_B;
      y_q[take_bank]          <= map == `TPU_INTEGER_MAP_COPY || map == `TPU_INTEGER_MAP_LOOK ? `TPU_IVECTOR_Y_ZERO
                               : map == `TPU_INTEGER_MAP_MUL || scales ? `TPU_IVECTOR_Y_B : `TPU_IVECTOR_Y_ONE;
      negate_q[take_bank]     <= map == `TPU_INTEGER_MAP_RSUB || map == `TPU_INTEGER_MAP_RSUBP;
      subtract_q[take_bank]   <= map == `TPU_INTEGER_MAP_SUB || map == `TPU_INTEGER_MAP_SUBP;
      product_q[take_bank]    <= map == `TPU_INTEGER_MAP_MUL;
      scaled_q[take_bank]     <= scales;
      twice_q[take_bank]      <= scales && mode != `TPU_INTEGER_REQUANT_SINGLE && shift != 5'd0;
      larger_q[take_bank]     <= map == `TPU_INTEGER_MAP_MAX;
      smaller_q[take_bank]    <= map == `TPU_INTEGER_MAP_MIN;
      look_q[take_bank]       <= map == `TPU_INTEGER_MAP_LOOK;
      lut_q[take_bank]        <= cmd[`TPU_IVECTOR_LUT];
      uniform_q[take_bank]    <= cmd[`TPU_IVECTOR_UNIFORM];
      shift_q[take_bank]      <= scales ? shift : 5'd0;
      mode_q[take_bank]       <= mode;
      zero_q[take_bank]       <= cmd[`TPU_IVECTOR_O_ZERO];
      lo_q[take_bank]         <= lo > hi ? hi : lo;
      hi_q[take_bank]         <= hi;
      o_format_q[take_bank]   <= cmd[`TPU_IVECTOR_O_FORMAT];
    end
  end

  // ---- Taps: cycles 0 to 4 ---------------------------------------------------------------------
  // Bit i: of the token in cycle i
  reg  [2:0] a_line_q;
  reg  [2:0] a_high_q;
  reg  [2:0] b_line_q;
  reg  [4:0] tap_q;
  reg  [4:0] bank_q;
  reg  [4:0] inside_q;
  reg  [4:0] first_q;
  reg  [4:0] last_q;
  reg  [4:0] final_q;
  // An instruction runs: its bank is busy before its first line is issued, until its last row has left the last stage.
  wire       runs = busy_q != 2'd0;

  `TPU_ASSERT(a_lines_while_an_instruction_runs, runs || !(a_line || b_line || tap))

  always @(posedge clk) begin
    if (runs) begin
      a_high_q <= {a_high_q[1:0], a_high};
      bank_q   <= {bank_q[3:0], tap_bank};
      inside_q <= {inside_q[3:0], tap_inside};
      first_q  <= {first_q[3:0], tap_first};
      last_q   <= {last_q[3:0], tap_last};
      final_q  <= {final_q[3:0], tap_final};
    end
  end

  always @(posedge clk) begin
    if (runs) begin
      a_line_q <= {a_line_q[1:0], a_line};
      b_line_q <= {b_line_q[1:0], b_line};
      tap_q    <= {tap_q[3:0], tap};
    end
    if (rst) begin
      a_line_q <= 3'd0;
      b_line_q <= 3'd0;
      tap_q    <= 5'd0;
    end
  end

  assign take_a   = a_line_q[2];
  assign take_acc = acc_q[bank_q[2]];
  assign take_b   = b_line_q[2];

  // ---- Controls of stages 3 and 4 --------------------------------------------------------------
  reg [`TPU_IVECTOR_TAP_BITS-1:0] tap_control_q;

  wire high_2 = a_line_q[2] && a_high_q[2];

  assign tap_control = tap_control_q;

  always @(posedge clk) begin
    if (runs) begin
      tap_control_q[`TPU_IVECTOR_TAP_3_EN]         <= (tap_q[2] && inside_q[2]) || high_2;
      tap_control_q[`TPU_IVECTOR_TAP_3_A_FORMAT]   <= a_format_q[bank_q[2]];
      tap_control_q[`TPU_IVECTOR_TAP_3_HIGH]       <= high_2;
      tap_control_q[`TPU_IVECTOR_TAP_3_B_EN]       <= tap_q[2] && inside_q[2];
      tap_control_q[`TPU_IVECTOR_TAP_3_B_FORMAT]   <= b_format_q[bank_q[2]];
      tap_control_q[`TPU_IVECTOR_TAP_3_B_CONSTANT] <= b_constant_q[bank_q[2]];
      tap_control_q[`TPU_IVECTOR_TAP_3_CONSTANT]   <= constant_q[bank_q[2]];
      tap_control_q[`TPU_IVECTOR_TAP_4_EN]         <= tap_q[3] && (first_q[3] || inside_q[3]);
      tap_control_q[`TPU_IVECTOR_TAP_4_FIRST]      <= first_q[3];
      tap_control_q[`TPU_IVECTOR_TAP_4_INSIDE]     <= inside_q[3];
      tap_control_q[`TPU_IVECTOR_TAP_4_MAX]        <= max_q[bank_q[3]];
      tap_control_q[`TPU_IVECTOR_TAP_4_B_EN]       <= tap_q[3] && inside_q[3];
    end
    if (rst) begin
      tap_control_q[`TPU_IVECTOR_TAP_3_EN]       <= 1'b0;
      tap_control_q[`TPU_IVECTOR_TAP_3_B_EN]     <= 1'b0;
      tap_control_q[`TPU_IVECTOR_TAP_4_EN]       <= 1'b0;
      tap_control_q[`TPU_IVECTOR_TAP_4_B_EN]     <= 1'b0;
    end
  end

  // ---- Windows: cycle 4 ------------------------------------------------------------------------
  // A tap of the window was inside the bounds
  reg  any_q;
  wire any    = inside_q[4] || (any_q && !first_q[4]);
  wire window = tap_q[4] && last_q[4];

  always @(posedge clk) begin
    if (tap_q[4]) begin
      any_q <= any;
    end
  end

  // Parameter entries of the windows in cycles 0 to 8
  wire       entry_ready;
  wire       entry_valid;
  wire [4:0] entry_level;

  tpu_fifo #(
    .WIDTH (PW),
    .DEPTH (16)
  ) u_entries (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (tap && tap_last),
    .in_ready  (entry_ready),
    .in_data   (tap_param),
    .out_valid (entry_valid),
    .out_ready (param_en),
    .out_data  (param_entry),
    .level     (entry_level)
  );

  `TPU_ASSERT(a_room_for_every_entry, entry_ready || !(tap && tap_last))
  `TPU_ASSERT(an_entry_before_its_row, entry_valid || !param_en)

  // ---- Turns -----------------------------------------------------------------------------------
  // Further turns of the row are to come; the next one is that of this lane.
  reg        more_q;
  reg  [5:0] next_q;
  // Bit i: stage i holds a turn; the first one, the last one of its row, the last row of its instruction, of a window with a tap inside
  reg [18:5] turn_q;
  reg [18:5] turn_bank_q;
  reg  [8:5] turn_first_q;
  reg [18:5] turn_last_q;
  reg [18:5] turn_final_q;
  reg  [7:5] turn_any_q;
  reg        row_bank_q;
  reg        row_final_q;
  reg        row_any_q;
  reg  [5:0] turn9_q;
  reg  [5:0] turn10_q;

  wire       turn_4    = window || more_q;
  wire [5:0] lane_4    = window ? 6'd0 : next_q;
  wire       last_4    = lane_4 == LAST_LANE[5:0];
  wire       bank_4    = window ? bank_q[4] : row_bank_q;
  wire       final_4   = window ? final_q[4] : row_final_q;
  wire       any_4     = window ? any : row_any_q;

  `TPU_ASSERT(a_rows_keep_apart, !window || !more_q)

  assign param_en = turn_q[8] && turn_first_q[8];
  assign turn9    = turn9_q;
  assign turn10   = turn10_q;

  always @(posedge clk) begin
    if (window) begin
      row_bank_q  <= bank_q[4];
      row_final_q <= final_q[4];
      row_any_q   <= any;
    end
    if (turn_4) begin
      next_q <= lane_4 + 6'd1;
    end
    if (runs) begin
      turn_bank_q  <= {turn_bank_q[17:5], bank_4};
      turn_first_q <= {turn_first_q[7:5], window};
      turn_last_q  <= {turn_last_q[17:5], last_4};
      turn_final_q <= {turn_final_q[17:5], final_4};
      turn_any_q   <= {turn_any_q[6:5], any_4};
      turn9_q      <= param_en ? 6'd0 : turn9_q + 6'd1;
      turn10_q     <= turn9_q;
    end
  end

  always @(posedge clk) begin
    if (runs) begin
      turn_q <= {turn_q[17:5], turn_4};
    end
    if (turn_4) begin
      more_q <= !last_4;
    end
    if (rst) begin
      turn_q <= 14'd0;
      more_q <= 1'b0;
    end
  end

  assign row_done  = turn_q[18] && turn_last_q[18];
  assign row_final = row_done && turn_final_q[18];
  assign row_last  = `TPU_LAST_INTEGER_LINE(o_format_q[turn_bank_q[18]]);

  // ---- Controls of stages 5 to 18 ----------------------------------------------------------------
  reg [`TPU_IVECTOR_ROW_BITS-1:0] row_control_q;

  assign row_control = row_control_q;

  // Windows outside the bounds pass the map as in copy.
  always @(posedge clk) begin
    if (runs) begin
      row_control_q[`TPU_IVECTOR_ROW_EN]         <= {turn_q[17:5], turn_4};
      row_control_q[`TPU_IVECTOR_ROW_5_FIRST]    <= window;
      row_control_q[`TPU_IVECTOR_ROW_5_X]        <= x_q[bank_4];
      row_control_q[`TPU_IVECTOR_ROW_5_Y]        <= any_4 ? y_q[bank_4] : `TPU_IVECTOR_Y_ZERO;
      row_control_q[`TPU_IVECTOR_ROW_5_CONSTANT] <= constant_q[bank_4];
      row_control_q[`TPU_IVECTOR_ROW_5_FACTOR]   <= any_4;
      row_control_q[`TPU_IVECTOR_ROW_6_LOOK]     <= look_q[turn_bank_q[5]] && turn_any_q[5];
      row_control_q[`TPU_IVECTOR_ROW_6_LUT]      <= lut_q[turn_bank_q[5]];
      row_control_q[`TPU_IVECTOR_ROW_7_LOOK]     <= look_q[turn_bank_q[6]] && turn_any_q[6];
      row_control_q[`TPU_IVECTOR_ROW_6_NEGATE]   <= negate_q[turn_bank_q[5]] && turn_any_q[5];
      row_control_q[`TPU_IVECTOR_ROW_6_TWICE]    <= twice_q[turn_bank_q[5]] && turn_any_q[5];
      row_control_q[`TPU_IVECTOR_ROW_7_SCALED]   <= scaled_q[turn_bank_q[6]] && turn_any_q[6];
      row_control_q[`TPU_IVECTOR_ROW_7_PRODUCT]  <= product_q[turn_bank_q[6]] && turn_any_q[6];
      row_control_q[`TPU_IVECTOR_ROW_7_MAX]      <= larger_q[turn_bank_q[6]] && turn_any_q[6];
      row_control_q[`TPU_IVECTOR_ROW_7_MIN]      <= smaller_q[turn_bank_q[6]] && turn_any_q[6];
      row_control_q[`TPU_IVECTOR_ROW_8_SCALED]   <= scaled_q[turn_bank_q[7]];
      row_control_q[`TPU_IVECTOR_ROW_8_SHIFT]    <= shift_q[turn_bank_q[7]];
      row_control_q[`TPU_IVECTOR_ROW_8_SUBTRACT] <= subtract_q[turn_bank_q[7]] && turn_any_q[7];
      row_control_q[`TPU_IVECTOR_ROW_10_NONE]    <= mode_q[turn_bank_q[9]] == `TPU_INTEGER_REQUANT_NONE;
      row_control_q[`TPU_IVECTOR_ROW_10_DOUBLE]  <= mode_q[turn_bank_q[9]] == `TPU_INTEGER_REQUANT_DOUBLE
                                                 || mode_q[turn_bank_q[9]] == `TPU_INTEGER_REQUANT_PRODUCT;
      row_control_q[`TPU_IVECTOR_ROW_9_UNIFORM]  <= uniform_q[turn_bank_q[8]];
      row_control_q[`TPU_IVECTOR_ROW_10_UNIFORM] <= uniform_q[turn_bank_q[9]];
      row_control_q[`TPU_IVECTOR_ROW_10_FACTOR]  <= mode_q[turn_bank_q[9]] == `TPU_INTEGER_REQUANT_PRODUCT;
      row_control_q[`TPU_IVECTOR_ROW_10_DIVIDE]  <= mode_q[turn_bank_q[9]] == `TPU_INTEGER_REQUANT_DIVIDE;
      row_control_q[`TPU_IVECTOR_ROW_10_WIDE]    <= mode_q[turn_bank_q[9]] == `TPU_INTEGER_REQUANT_WIDE;
      row_control_q[`TPU_IVECTOR_ROW_16_DIVIDE]  <= mode_q[turn_bank_q[15]] == `TPU_INTEGER_REQUANT_DIVIDE;
      row_control_q[`TPU_IVECTOR_ROW_16_ZERO]    <= zero_q[turn_bank_q[15]];
      row_control_q[`TPU_IVECTOR_ROW_17_LO]      <= lo_q[turn_bank_q[16]];
      row_control_q[`TPU_IVECTOR_ROW_17_HI]      <= hi_q[turn_bank_q[16]];
      row_control_q[`TPU_IVECTOR_ROW_17_WORD]    <= o_format_q[turn_bank_q[16]] == `TPU_INTEGER_FORMAT_INT32;
    end
    if (rst) begin
      row_control_q[`TPU_IVECTOR_ROW_EN]       <= 14'd0;
    end
  end

  // ---- Banks ---------------------------------------------------------------------------------------
  always @(posedge clk) begin
    if (take) begin
      busy_q[take_bank] <= 1'b1;
    end
    if (row_final) begin
      busy_q[turn_bank_q[18]] <= 1'b0;
    end
    if (rst) begin
      busy_q <= 2'd0;
    end
  end

  assign bank_busy = busy_q;

  wire unused = &{1'b0, cmd, entry_ready, entry_valid, entry_level};

endmodule

`default_nettype wire
