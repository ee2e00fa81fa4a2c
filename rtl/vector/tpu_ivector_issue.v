// Issue of IVECTOR: when a tap may go into the integer lanes. tpu_line_issue reads its lines.
//
// The lanes take a tap in any cycle. Only the last taps of two windows keep as many cycles apart as lanes take turns, or as the first one's
// output has lines, whichever is more.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_number_lines.vh"
`include "tpu_vector_token.vh"

module tpu_ivector_issue #(
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Integer lanes that share what follows a window
  parameter INT16_LANES = 4
) (
  input  wire                         clk,
  input  wire                         rst,

  input  wire                         halt,
  // No step and no read any more: halt or error
  output wire                         stop,

  // An IVECTOR starts and takes configuration bank `take_bank`
  input  wire                         take,
  input  wire                         take_bank,
  input  wire [`TPU_IVECTOR_USED-1:0] cmd,

  // Current step of source A (tpu_vector_source), if it is one of an IVECTOR
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
  output wire [$clog2(ACC_ROWS)-1:0]  acc_rd_row,

  // As in tpu_line_issue
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

  // ---- Configuration banks ---------------------------------------------------------------------
  reg        uses_b_q  [0:1];
  reg  [1:0] a_last_q  [0:1];
  reg  [1:0] b_last_q  [0:1];
  reg  [1:0] o_last_q  [0:1];
  reg        pair_q    [0:1];
  reg [15:0] a_low_q   [0:1];
  // Cycles from one row to the next, less one
  reg  [5:0] row_q     [0:1];

  wire [1:0] a_format  = cmd[`TPU_IVECTOR_A_FORMAT];
  wire       pair      = a_format == `TPU_INTEGER_FORMAT_PAIR;
  wire       acc       = cmd[`TPU_IVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
  wire [1:0] o_last    = `TPU_LAST_INTEGER_LINE(cmd[`TPU_IVECTOR_O_FORMAT]);
  // Turns of a row, less one
  localparam TURNS     = INT16_LANES - 1;
  wire [5:0] row_apart = {4'd0, o_last} > TURNS[5:0] ? {4'd0, o_last} : TURNS[5:0];

  always @(posedge clk) begin
    if (take) begin
      uses_b_q[take_bank] <= cmd[`TPU_IVECTOR_OPERAND] == `TPU_INTEGER_OPERAND_UB
                             && (cmd[`TPU_IVECTOR_MAP] != `TPU_INTEGER_MAP_COPY || cmd[`TPU_IVECTOR_REQUANT] == `TPU_INTEGER_REQUANT_PRODUCT);
      a_last_q[take_bank] <= acc && !pair ? 2'd0 : `TPU_LAST_INTEGER_LINE(a_format);
      b_last_q[take_bank] <= `TPU_LAST_INTEGER_LINE(cmd[`TPU_IVECTOR_B_FORMAT]);
      o_last_q[take_bank] <= o_last;
      pair_q[take_bank]   <= pair;
      a_low_q[take_bank]  <= cmd[`TPU_IVECTOR_A_LOW];
      row_q[take_bank]    <= row_apart;
    end
  end

  // ---- Lines -----------------------------------------------------------------------------------
  wire       bank      = step_token[`TPU_TOKEN_BANK];
  // Cycles for which no window may end; whether there are any, as the reads of this cycle hang on that.
  reg  [5:0] rest_q;
  reg        rests_q;
  wire       row_waits = step_token[`TPU_TOKEN_LAST] && rests_q;
  wire [5:0] rest_next = tap_last ? row_q[bank] : rests_q ? rest_q - 6'd1 : 6'd0;

  always @(posedge clk) begin
    rest_q  <= rest_next;
    rests_q <= rest_next != 6'd0;
    if (rst) begin
      rests_q <= 1'b0;
    end
  end

  tpu_line_issue #(
    .UB_ROWS  (UB_ROWS),
    .ACC_ROWS (ACC_ROWS),
    .PAIRS    (1)
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
    .pair             (pair_q[bank]),
    .a_low            (a_low_q[bank]),
    .tap_waits        (1'b0),
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

  wire unused = &{1'b0, cmd};

endmodule

`default_nettype wire
