// Lines of FVECTOR and IVECTOR: reads the rows of a tap line by line and sends the tap into the lanes, which never stall.
//
// A row of the unified buffer is called a line here, as a row of numbers has E of them (docs/isa.md, 10.1). In one cycle a line of A and one
// of B are taken, if both sources still need one. The tap goes into the lanes with its last line:
//
//     cycle   0      1      2      3      4          A is fp32, B is bf16
//     va      A 0    A 1    A 2    A 3    next A 0   granted reads
//     claim   B 0    B 1                  next B 0   lines that stream 1 has read ahead
//     tap                          x
//
// Only the last line waits for the lanes: how long, the owner says. With PAIRS a row of A may be two rows of the accumulators.
//
// Each line's address is checked before use, A before B; then the parameter entry and the output's first line. When the output
// leaves the buffer at a later line, the tap goes into the lanes (`tap_cut`: the lines that exist are written), and the error
// follows in the next cycle.
//
// More than 40 ports, as it stands between source A, stream 1 and the memories.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_line_issue #(
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // 1: with pairs
  parameter PAIRS = 0
) (
  input  wire                         clk,
  input  wire                         rst,

  input  wire                         halt,
  // No step and no read any more: halt or error
  output wire                         stop,

  // Current step of source A (tpu_vector_source), if it is one of the owner
  input  wire                         step_valid,
  output wire                         step_ready,
  input  wire [`TPU_TOKEN_BITS-1:0]   step_token,
  input  wire                         step_acc,
  input  wire [15:0]                  step_row,
  input  wire                         step_bad_row,
  input  wire                         step_bad_param,
  input  wire                         step_bad_out_row,
  input  wire [$clog2(UB_ROWS)-1:0]   step_out_row,

  // Of its instruction: source B is read; numbers of the last lines; A is pairs, and so many rows further are their low words
  input  wire                         uses_b,
  input  wire [1:0]                   a_last,
  input  wire [1:0]                   b_last,
  input  wire [1:0]                   o_last,
  input  wire                         pair,
  input  wire [15:0]                  a_low,
  // The lanes take no tap, no last tap of a window
  input  wire                         tap_waits,
  input  wire                         row_waits,

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
  output wire [$clog2(ACC_ROWS)-1:0]  acc_rd_row,

  // Issued in this cycle: a line of A, the high words of a pair, a line of B, a tap with its last lines; the last tap of a window, whose
  // output is cut
  output wire                         a_line,
  output wire                         a_high,
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
  localparam AW = $clog2(ACC_ROWS);

  // ---- Pairs -----------------------------------------------------------------------------------
  reg  [1:0]    line_q;
  wire          bad_low;

  generate
    if (PAIRS != 0) begin : g_pairs
      wire [19:0] low_row = {4'd0, step_row} + {{4{a_low[15]}}, a_low};

      // Both rows are checked before anything of B.
      assign bad_low    = pair && low_row[19:AW] != {(20-AW){1'b0}};
      assign a_high     = a_line && pair && line_q == 2'd0;
      assign acc_rd_row = line_q == 2'd0 ? step_row[AW-1:0] : low_row[AW-1:0];
    end else begin : g_no_pairs
      wire unused = &{1'b0, pair, a_low};

      assign bad_low    = 1'b0;
      assign a_high     = 1'b0;
      assign acc_rd_row = step_row[AW-1:0];
    end
  endgenerate

  // ---- What the current line needs ---------------------------------------------------------------
  // Halted or failed
  reg         stop_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;
  // The window before this cycle was cut: now the error follows.
  reg         cut_q;

  wire        inside   = step_token[`TPU_TOKEN_INSIDE];
  wire        last     = step_token[`TPU_TOKEN_LAST];
  wire        takes_a  = inside && line_q <= a_last;
  wire        takes_b  = inside && uses_b && line_q <= b_last;
  wire        ends     = !inside || (line_q >= a_last && (!uses_b || line_q >= b_last));
  wire [UW:0] a_row    = {1'b0, step_row[UW-1:0]} + {{(UW-1){1'b0}}, line_q};
  wire [UW:0] o_row    = {1'b0, step_out_row} + {{(UW-1){1'b0}}, o_last};

  wire        alive    = step_valid && !stop_q;
  wire        wants    = alive && !cut_q;
  wire        lacks_b  = takes_b && !b_have;
  wire        bad_b    = lacks_b && b_fault;
  wire        bad_a    = takes_a && (step_bad_row || (step_acc ? bad_low : a_row[UW]));
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

  wire unused = &{1'b0, step_token, step_row};

endmodule

`default_nettype wire
