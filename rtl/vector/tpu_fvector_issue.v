// Issue of FVECTOR: when a tap may go into the floating-point lanes. tpu_line_issue reads its lines.
//
// What the lanes ask for (tpu_float_lane.v says why):
//
//   * after a tap that takes the multiply-adder twice, 5 cycles; between taps of another sum, 4
//   * the last tap of a window: for its turns. Turns of a window are a cycle apart, S cycles with a function of S steps; windows of the same
//     class (S, and whether taps go twice) start on this grid, and rows keep as many cycles apart as they have lines in the output. Of two rows
//     that are interleaved all lines come out together (tpu_line_output): a row that does not wait for a second one keeps four cycles apart.
//     A window of another class waits until the last turn of the windows before has left the function: so nothing is overtaken, and
//     every number finds its place free.
//   * rows of ADAM: 16 cycles from one to the next, or a multiple of them (tpu_adam_steps)
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_number_lines.vh"
`include "tpu_vector_token.vh"

module tpu_fvector_issue #(
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Floating-point lanes that share what follows a window
  parameter FLOAT_LANES = 2
) (
  input  wire                         clk,
  input  wire                         rst,

  input  wire                         halt,
  // No step and no read any more: halt or error
  output wire                         stop,

  // An FVECTOR starts and takes configuration bank `take_bank`
  input  wire                         take,
  input  wire                         take_bank,
  input  wire [`TPU_FVECTOR_USED-1:0] cmd,

  // Current step of source A (tpu_vector_source), if it is one of an FVECTOR
  input  wire                         step_valid,
  output wire                         step_ready,
  input  wire [`TPU_TOKEN_BITS-1:0]   step_token,
  input  wire                         step_acc,
  input  wire [15:0]                  step_row,
  input  wire                         step_bad_row,
  input  wire                         step_bad_param,
  input  wire                         step_bad_out_row,
  input  wire [$clog2(UB_ROWS)-1:0]   step_out_row,

  // Stream 1: a line of B is at hand; the next one is out of range
  input  wire                         b_have,
  input  wire                         b_fault,
  output wire                         b_claim,

  // Memory reads
  output wire                         va_rd_valid,
  input  wire                         va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]   va_rd_row,
  output wire                         acc_rd_valid,
  input  wire                         acc_rd_ready,

  // Issued in this cycle: a line of A, a line of B, a tap with its last lines; the last tap of a window, whose output is cut
  output wire                         a_line,
  output wire                         b_line,
  output wire                         tap,
  output wire                         tap_last,
  output wire                         tap_cut,
  // The current row is the second one of two that are interleaved
  output wire                         second,

  output wire                         err_valid,
  output wire [3:0]                   err_code,

  // Why this cycle passed, at most one
  output wire                         ev_active,
  output wire                         ev_stall_port,
  output wire                         ev_stall_operand,
  output wire                         ev_stall_output
);

`include "tpu_fvector_steps.vh"

  // ---- Configuration banks ---------------------------------------------------------------------
  reg        uses_b_q  [0:1];
  reg  [1:0] a_last_q  [0:1];
  reg  [1:0] b_last_q  [0:1];
  reg  [1:0] o_last_q  [0:1];
  reg        sums_q    [0:1];
  reg        twice_q   [0:1];
  // Cycles from one turn to the next, less one; from one row to the next, less one; until the last turn has left the function. Rows are
  // interleaved two by two
  reg  [3:0] turn_q    [0:1];
  reg  [9:0] row_q     [0:1];
  reg        twos_q    [0:1];
  reg  [9:0] leave_q   [0:1];

  // Cycles between rows, less one
  localparam [3:0] ADAM_APART = 4'd15;

  wire       adam     = cmd[`TPU_OPCODE] == `TPU_OP_ADAM;
  wire [3:0] map      = cmd[`TPU_FVECTOR_MAP];
  wire       sums     = cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_SUM
                        && (cmd[`TPU_FVECTOR_N_KH] != 16'd1 || cmd[`TPU_FVECTOR_N_KW] != 16'd1);
  wire       adds     = map == `TPU_FLOAT_MAP_ADD || map == `TPU_FLOAT_MAP_SUB || map == `TPU_FLOAT_MAP_RSUB || map == `TPU_FLOAT_MAP_FMA
                        || map == `TPU_FLOAT_MAP_ADDSQ;
  wire [3:0] steps    = function_steps(cmd[`TPU_FVECTOR_FUNCTION]);
  wire [1:0] o_last   = `TPU_LAST_LINE(cmd[`TPU_FVECTOR_O_FORMAT]);
  // Without a function there is a turn per cycle, but an output of more lines than lanes needs longer.
  localparam TURNS_32 = FLOAT_LANES;
  localparam [9:0] TURNS = TURNS_32[9:0];
  wire [9:0] row_apart = steps != 4'd0          ? {6'd0, steps} * TURNS - 10'd1
                       : {8'd0, o_last} >= TURNS ? {8'd0, o_last} : TURNS - 10'd1;
  wire [9:0] leave     = 10'd8 + (steps != 4'd0 ? {6'd0, steps} * (TURNS + 10'd6) : TURNS);

  always @(posedge clk) begin
    if (take) begin
      uses_b_q[take_bank] <= map != `TPU_FLOAT_MAP_COPY && cmd[`TPU_FVECTOR_OPERAND] == `TPU_FLOAT_OPERAND_UB;
      a_last_q[take_bank] <= cmd[`TPU_FVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC ? 2'd0 : `TPU_LAST_LINE(cmd[`TPU_FVECTOR_A_FORMAT]);
      b_last_q[take_bank] <= `TPU_LAST_LINE(cmd[`TPU_FVECTOR_B_FORMAT]);
      o_last_q[take_bank] <= o_last;
      sums_q[take_bank]   <= sums;
      twice_q[take_bank]  <= sums && adds;
      turn_q[take_bank]   <= adam ? ADAM_APART : steps != 4'd0 ? steps - 4'd1 : 4'd0;
      row_q[take_bank]    <= adam ? {6'd0, ADAM_APART} : row_apart;
      twos_q[take_bank]   <= !adam && cmd[`TPU_FVECTOR_INTERLEAVE] != `TPU_FLOAT_INTERLEAVE_NONE;
      leave_q[take_bank]  <= leave;
    end
  end

  // ---- Lines -----------------------------------------------------------------------------------
  wire bank      = step_token[`TPU_TOKEN_BANK];
  wire first     = step_token[`TPU_TOKEN_FIRST];
  wire last      = step_token[`TPU_TOKEN_LAST];
  wire row_waits;
  wire tap_waits;
  wire unused_high;
  // Of all instructions the step's row
  wire [$clog2(ACC_ROWS)-1:0] unused_acc_row;

  tpu_line_issue #(
    .UB_ROWS  (UB_ROWS),
    .ACC_ROWS (ACC_ROWS)
  ) u_lines (
    .clk              (clk),
    .rst              (rst),
    .halt             (halt),
    .stop             (stop),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (step_bad_out_row),
    .step_out_row     (step_out_row),
    .uses_b           (uses_b_q[bank]),
    .a_last           (a_last_q[bank]),
    .b_last           (b_last_q[bank]),
    .o_last           (o_last_q[bank]),
    .pair             (1'b0),
    .a_low            (16'd0),
    .tap_waits        (tap_waits),
    .row_waits        (row_waits),
    .b_have           (b_have),
    .b_fault          (b_fault),
    .b_claim          (b_claim),
    .va_rd_valid      (va_rd_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (va_rd_row),
    .acc_rd_valid     (acc_rd_valid),
    .acc_rd_ready     (acc_rd_ready),
    .acc_rd_row       (unused_acc_row),
    .a_line           (a_line),
    .a_high           (unused_high),
    .b_line           (b_line),
    .tap              (tap),
    .tap_last         (tap_last),
    .tap_cut          (tap_cut),
    .err_valid        (err_valid),
    .err_code         (err_code),
    .ev_active        (ev_active),
    .ev_stall_port    (ev_stall_port),
    .ev_stall_operand (ev_stall_operand),
    .ev_stall_output  (ev_stall_output)
  );

  // ---- Distance of taps --------------------------------------------------------------------------
  // Cycles until the next tap may follow the last one; the last one takes the multiply-adder twice.
  reg  [2:0] tap_wait_q;
  reg        tap_twice_q;

  assign tap_waits = tap_wait_q != 3'd0 && (tap_twice_q || (sums_q[bank] && !first));

  always @(posedge clk) begin
    if (tap) begin
      tap_wait_q  <= twice_q[bank] ? 3'd4 : sums_q[bank] ? 3'd3 : 3'd0;
      tap_twice_q <= twice_q[bank];
    end else if (tap_wait_q != 3'd0) begin
      tap_wait_q  <= tap_wait_q - 3'd1;
    end
    if (rst) begin
      tap_wait_q  <= 3'd0;
    end
  end

  // ---- Distance of windows -----------------------------------------------------------------------
  // Of the window issued last: its class; cycles until the next one of this class fits the grid of turns; until one of another class may follow.
  reg        class_twice_q;
  reg  [3:0] class_turn_q;
  reg  [9:0] grid_q;
  reg  [9:0] left_q;
  wire       same_class = class_twice_q == twice_q[bank] && class_turn_q == turn_q[bank];

  // The current row is the second one of two; it waits for the one behind. Until the lines of the two before are written
  reg        second_q;
  reg  [1:0] lines_q;
  wire       keeps      = twos_q[bank] && !second_q && !step_token[`TPU_TOKEN_FINAL];

  assign second    = second_q;
  assign row_waits = last && ((same_class ? grid_q != 10'd0 : left_q != 10'd0) || (lines_q != 2'd0 && !keeps));

  always @(posedge clk) begin
    if (tap_last) begin
      class_twice_q <= twice_q[bank];
      class_turn_q  <= turn_q[bank];
      grid_q        <= row_q[bank];
      left_q        <= leave_q[bank];
    end else begin
      grid_q <= grid_q != 10'd0 ? grid_q - 10'd1 : {6'd0, class_turn_q};
      left_q <= left_q != 10'd0 ? left_q - 10'd1 : 10'd0;
    end
    if (tap_last && second_q) begin
      lines_q  <= 2'd3;
    end else if (lines_q != 2'd0) begin
      lines_q  <= lines_q - 2'd1;
    end
    if (tap_last) begin
      second_q <= keeps;
    end
    if (rst) begin
      second_q      <= 1'b0;
      lines_q       <= 2'd0;
      class_twice_q <= 1'b0;
      class_turn_q  <= 4'd0;
      grid_q        <= 10'd0;
      left_q        <= 10'd0;
    end
  end

  wire unused = &{1'b0, cmd, unused_high, unused_acc_row};

endmodule

`default_nettype wire
