// tpu_line_issue: a step is issued line by line, each line with what it needs and not before it may; what is out of range is an error that
// names the first thing in this order: source A, source B, the parameters, the output. Nothing is issued any more after an error or a halt.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_line_issue #(
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter PAIRS = 0
) (
  input wire                       clk,
  input wire                       reset,
  input wire                       halt,
  input wire                       step_valid,
  input wire [`TPU_TOKEN_BITS-1:0] step_token,
  input wire                       step_acc,
  input wire [15:0]                step_row,
  input wire                       step_bad_row,
  input wire                       step_bad_param,
  input wire                       step_bad_out_row,
  input wire [$clog2(UB_ROWS)-1:0] step_out_row,
  input wire                       uses_b,
  input wire [1:0]                 a_last,
  input wire [1:0]                 b_last,
  input wire [1:0]                 o_last,
  input wire                       pair,
  input wire [15:0]                a_low,
  input wire                       tap_waits,
  input wire                       row_waits,
  input wire                       b_have,
  input wire                       b_fault,
  input wire                       va_rd_ready,
  input wire                       acc_rd_ready
);

  reg start_q = 1'b1;
  always @(posedge clk) start_q <= 1'b0;

  wire                        rst = start_q || reset;
  wire                        stop;
  wire                        step_ready;
  wire                        b_claim;
  wire                        va_rd_valid;
  wire [$clog2(UB_ROWS)-1:0]  va_rd_row;
  wire                        acc_rd_valid;
  wire [$clog2(ACC_ROWS)-1:0] acc_rd_row;
  wire                        a_line;
  wire                        a_high;
  wire                        b_line;
  wire                        tap;
  wire                        tap_last;
  wire                        tap_cut;
  wire                        err_valid;
  wire [3:0]                  err_code;
  wire                        ev_active;
  wire                        ev_stall_port;
  wire                        ev_stall_operand;
  wire                        ev_stall_output;

  tpu_line_issue #(
    .UB_ROWS  (UB_ROWS),
    .ACC_ROWS (ACC_ROWS),
    .PAIRS    (PAIRS)
  ) dut (
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
    .uses_b           (uses_b),
    .a_last           (a_last),
    .b_last           (b_last),
    .o_last           (o_last),
    .pair             (pair),
    .a_low            (a_low),
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
    .acc_rd_row       (acc_rd_row),
    .a_line           (a_line),
    .a_high           (a_high),
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

  //// What the current line is, and needs. ////

  reg  [1:0]         line_q;
  // The last window was cut.
  reg                cut_q;
  reg                stopped_q;
  reg                failed_q;
  reg  [3:0]         code_q;

  wire               inside  = step_token[`TPU_TOKEN_INSIDE];
  wire               last    = step_token[`TPU_TOKEN_LAST];
  wire               need_a  = inside && a_last >= line_q;
  wire               need_b  = inside && uses_b && b_last >= line_q;
  wire               final   = !inside || (a_last <= line_q && (b_last <= line_q || !uses_b));
  // Rows as numbers that do not overflow
  wire signed [31:0] a_row   = step_row[$clog2(UB_ROWS)-1:0] + line_q;
  wire signed [31:0] low     = $signed({16'd0, step_row}) + $signed(a_low);
  wire signed [31:0] o_row   = step_out_row + o_last;
  wire               beyond  = step_bad_row || (step_acc ? PAIRS != 0 && pair && (low < 0 || low >= ACC_ROWS) : a_row >= UB_ROWS);
  wire               cut     = o_row >= UB_ROWS;

  reg        fails;
  reg  [3:0] code;
  reg        waits_b;
  reg        waits_lanes;
  reg        may;

  always @* begin
    fails       = 1'b0;
    code        = `TPU_ERR_NONE;
    waits_b     = 1'b0;
    waits_lanes = 1'b0;
    may         = 1'b0;
    if (step_valid && !stopped_q) begin
      if (cut_q) begin
        fails = 1'b1;
        code  = `TPU_ERR_UB_RANGE;
      end else if (need_a && beyond) begin
        fails = 1'b1;
        code  = step_acc ? `TPU_ERR_ACC_RANGE : `TPU_ERR_UB_RANGE;
      end else if (need_b && !b_have) begin
        fails   = b_fault;
        code    = `TPU_ERR_UB_RANGE;
        waits_b = !b_fault;
      end else if (final && last && (step_bad_param || step_bad_out_row)) begin
        fails = 1'b1;
        code  = step_bad_param ? `TPU_ERR_PARAM_RANGE : `TPU_ERR_UB_RANGE;
      end else if (final && (tap_waits || row_waits)) begin
        waits_lanes = 1'b1;
      end else begin
        may = 1'b1;
      end
    end
  end

  wire issue = may && (!need_a || (step_acc ? acc_rd_ready : va_rd_ready));

  always @(posedge clk) begin
    if (issue) line_q <= final ? 2'd0 : line_q + 2'd1;
    cut_q     <= issue && final && last && cut;
    stopped_q <= halt || fails || failed_q;
    if (fails) begin
      failed_q <= 1'b1;
      code_q   <= code;
    end
    if (rst) begin
      line_q    <= 2'd0;
      cut_q     <= 1'b0;
      stopped_q <= 1'b0;
      failed_q  <= 1'b0;
      code_q    <= `TPU_ERR_NONE;
    end
  end

  always @* begin
    if (!start_q) begin
      assert (va_rd_valid == (may && need_a && !step_acc));
      assert (acc_rd_valid == (may && need_a && step_acc));
      if (va_rd_valid) assert (va_rd_row == a_row);
      if (acc_rd_valid) assert (acc_rd_row == (PAIRS != 0 && line_q != 2'd0 ? low[$clog2(ACC_ROWS)-1:0] : step_row[$clog2(ACC_ROWS)-1:0]));
      assert (a_line == (issue && need_a));
      assert (a_high == (issue && need_a && PAIRS != 0 && pair && line_q == 2'd0));
      assert (b_line == (issue && need_b) && b_claim == b_line);
      assert (tap == (issue && final) && tap_last == (tap && last));
      if (tap_last) assert (tap_cut == cut);
      assert (step_ready == (tap && !(last && cut)));
      assert (stop == stopped_q && err_valid == failed_q && err_code == code_q);
      // Each cycle with a step has one reason.
      assert ({ev_active, ev_stall_port, ev_stall_operand, ev_stall_output} == {issue, may && !issue, waits_b, waits_lanes});
    end
  end

endmodule

`default_nettype wire
