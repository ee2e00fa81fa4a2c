// Issue of FVECTOR: reads the rows of a tap line by line and sends the tap into the floating-point lanes, which never stall.
//
// A row of the unified buffer is called a line here, as a row of numbers has E of them (docs/isa.md, 10.1). In one cycle a line of A and one
// of B are taken, if both sources still need one. The tap goes into the lanes with its last line:
//
//     cycle   0      1      2      3      4          A is fp32, B is bf16
//     va      A 0    A 1    A 2    A 3    next A 0   granted reads
//     claim   B 0    B 1                  next B 0   lines that stream 1 has read ahead
//     tap                          x
//
// Only the last line waits for the lanes (tpu_float_lane.v says why):
//
//   * after a tap that takes the multiply-adder twice, 5 cycles; between taps of another sum, 4
//   * the last tap of a window: for its turns. Turns of a window are a cycle apart, S cycles with a function of S steps; windows of the same
//     class (S, and whether taps go twice) start on this grid, and rows keep as many cycles apart as they have lines in the output.
//     A window of another class waits until the last turn of the windows before has left the function: so nothing is overtaken, and
//     every number finds its place free.
//
// Each line's address is checked before use, A before B; then the parameter entry and the output's first line. When the output
// leaves the buffer at a later line, the tap goes into the lanes (`tap_cut`: the lines that exist are written), and the error
// follows in the next cycle.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_number_lines.vh"
`include "tpu_vector_token.vh"

module tpu_fvector_issue #(
  // Unified buffer rows
  parameter UB_ROWS = 16384,
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

  output wire                         err_valid,
  output wire [3:0]                   err_code,

  // Why this cycle passed, at most one
  output wire                         ev_active,
  output wire                         ev_stall_port,
  output wire                         ev_stall_operand,
  output wire                         ev_stall_output
);

  localparam UW = $clog2(UB_ROWS);

`include "tpu_fvector_steps.vh"

  // ---- Configuration banks ---------------------------------------------------------------------
  reg        uses_b_q  [0:1];
  reg  [1:0] a_last_q  [0:1];
  reg  [1:0] b_last_q  [0:1];
  reg  [1:0] o_last_q  [0:1];
  reg        sums_q    [0:1];
  reg        twice_q   [0:1];
  // Cycles from one turn to the next, less one; from one row to the next, less one; until the last turn has left the function
  reg  [3:0] turn_q    [0:1];
  reg  [9:0] row_q     [0:1];
  reg  [9:0] leave_q   [0:1];

  wire [3:0] map      = cmd[`TPU_FVECTOR_MAP];
  wire       sums     = cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_SUM
                        && (cmd[`TPU_FVECTOR_N_KH] != 16'd1 || cmd[`TPU_FVECTOR_N_KW] != 16'd1);
  wire       adds     = map == `TPU_FLOAT_MAP_ADD || map == `TPU_FLOAT_MAP_SUB || map == `TPU_FLOAT_MAP_RSUB || map == `TPU_FLOAT_MAP_FMA;
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
      turn_q[take_bank]   <= steps != 4'd0 ? steps - 4'd1 : 4'd0;
      row_q[take_bank]    <= row_apart;
      leave_q[take_bank]  <= leave;
    end
  end

  // ---- What the current line needs ---------------------------------------------------------------
  // Halted or failed
  reg         stop_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;
  // The window before this cycle was cut: now the error follows.
  reg         cut_q;
  reg  [1:0]  line_q;

  wire        bank     = step_token[`TPU_TOKEN_BANK];
  wire        inside   = step_token[`TPU_TOKEN_INSIDE];
  wire        first    = step_token[`TPU_TOKEN_FIRST];
  wire        last     = step_token[`TPU_TOKEN_LAST];
  wire        uses_b   = uses_b_q[bank];
  wire        takes_a  = inside && line_q <= a_last_q[bank];
  wire        takes_b  = inside && uses_b && line_q <= b_last_q[bank];
  wire        ends     = !inside || (line_q >= a_last_q[bank] && (!uses_b || line_q >= b_last_q[bank]));
  wire [UW:0] a_row    = {1'b0, step_row[UW-1:0]} + {{(UW-1){1'b0}}, line_q};
  wire [UW:0] o_row    = {1'b0, step_out_row} + {{(UW-1){1'b0}}, o_last_q[bank]};
  wire        row_waits;
  wire        tap_waits;

  wire        alive    = step_valid && !stop_q;
  wire        wants    = alive && !cut_q;
  wire        lacks_b  = takes_b && !b_have;
  wire        bad_b    = lacks_b && b_fault;
  wire        bad_a    = takes_a && (step_bad_row || (!step_acc && a_row[UW]));
  // B may be behind source A: what comes after B is checked when B's line is at hand.
  wire        bad_late = ends && last && !lacks_b && (step_bad_param || step_bad_out_row);
  wire        bad      = bad_a || bad_b || bad_late;
  wire        waits    = ends && (tap_waits || row_waits);
  wire        ready    = wants && !bad && !lacks_b && !waits;
  wire        requests = ready && takes_a;
  wire        issue    = takes_a ? requests && (step_acc ? acc_rd_ready : va_rd_ready) : ready;

  assign va_rd_valid  = requests && !step_acc;
  assign acc_rd_valid = requests && step_acc;
  assign va_rd_row    = a_row[UW-1:0];
  assign a_line       = issue && takes_a;
  assign b_line       = issue && takes_b;
  assign b_claim      = b_line;
  assign tap          = issue && ends;
  assign tap_last     = tap && last;
  assign tap_cut      = o_row[UW];
  // A window that is cut stays where it is, as its instruction is the one to blame.
  assign step_ready   = tap && !(last && tap_cut);

  always @(posedge clk) begin
    if (issue) begin
      line_q <= ends ? 2'd0 : line_q + 2'd1;
    end
    cut_q <= tap_last && tap_cut;
    if (rst) begin
      line_q <= 2'd0;
      cut_q  <= 1'b0;
    end
  end

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

  assign row_waits = last && (same_class ? grid_q != 10'd0 : left_q != 10'd0);

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
    if (rst) begin
      class_twice_q <= 1'b0;
      class_turn_q  <= 4'd0;
      grid_q        <= 10'd0;
      left_q        <= 10'd0;
    end
  end

  // ---- Errors and events -------------------------------------------------------------------------
  assign stop      = stop_q;
  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;

  wire error = (wants && bad) || (alive && cut_q);

  assign ev_active        = issue;
  assign ev_stall_port    = ready && !issue;
  assign ev_stall_operand = wants && lacks_b && !bad;
  assign ev_stall_output  = wants && waits && !lacks_b && !bad;

  always @(posedge clk) begin
    stop_q <= halt || error || err_valid_q;
    if (error) begin
      err_valid_q <= 1'b1;
      err_code_q  <= !cut_q && bad_a && step_acc                              ? `TPU_ERR_ACC_RANGE
                   : !cut_q && !bad_a && !bad_b && bad_late && step_bad_param ? `TPU_ERR_PARAM_RANGE
                                                                              : `TPU_ERR_UB_RANGE;
    end
    if (rst) begin
      stop_q      <= 1'b0;
      err_valid_q <= 1'b0;
      err_code_q  <= `TPU_ERR_NONE;
    end
  end

  wire unused = &{1'b0, cmd, step_token, step_row};

endmodule

`default_nettype wire
