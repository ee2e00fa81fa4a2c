// What FVECTOR and ADAM have for themselves in the vector unit: issue of lines and taps, lanes, write-back (docs/isa.md, 10.4 and 10.5).
//
// It takes the steps of source A and the lines of stream 1 that tpu_vector has for all its instructions, and reads their parameter memory.
//
// More than 40 ports, as it stands between the streams and all ports of the unit.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_fvector #(
  // Lanes
  parameter LANES = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share what follows a window
  parameter FLOAT_LANES = 2
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          halt,

  // As in tpu_fvector_issue
  output wire                          stop,
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_FVECTOR_USED-1:0]  cmd,
  output wire [1:0]                    bank_busy,
  input  wire                          step_valid,
  output wire                          step_ready,
  input  wire [`TPU_TOKEN_BITS-1:0]    step_token,
  input  wire                          step_acc,
  input  wire [15:0]                   step_row,
  input  wire                          step_bad_row,
  input  wire                          step_bad_param,
  input  wire                          step_bad_out_row,
  input  wire [$clog2(PARAM_ROWS)-1:0] step_param,
  input  wire [$clog2(UB_ROWS)-1:0]    step_out_row,

  // Memory reads, data three cycles later
  output wire                          va_rd_valid,
  input  wire                          va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    va_rd_row,
  input  wire [8*LANES-1:0]            va_rd_data,
  output wire                          acc_rd_valid,
  input  wire                          acc_rd_ready,
  input  wire [32*LANES-1:0]           acc_rd_data,

  // Stream 1
  input  wire                          b_have,
  input  wire                          b_fault,
  output wire                          b_claim,
  output wire                          b_pop,
  input  wire [8*LANES-1:0]            b_row,

  // Parameter memory
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  input  wire [32*LANES-1:0]           biases,
  input  wire [32*LANES-1:0]           multipliers,

  // Unified buffer writes, always taken
  output wire                          wr_valid,
  output wire [$clog2(UB_ROWS)-1:0]    wr_row,
  output wire [8*LANES-1:0]            wr_data,

  output wire                          rows_on_way,
  output wire                          done,
  output wire                          err_valid,
  output wire [3:0]                    err_code,

  // Counter events, at most one per cycle
  output wire                          ev_active,
  output wire                          ev_stall_port,
  output wire                          ev_stall_operand,
  output wire                          ev_stall_output
);

  localparam          PW            = $clog2(PARAM_ROWS);
  localparam integer  LAST_ENTRY_32 = PARAM_ROWS - 1;
  localparam [PW-1:0] LAST_ENTRY    = LAST_ENTRY_32[PW-1:0];

  wire a_line;
  wire b_line;
  wire tap;
  wire tap_last;
  wire tap_cut;

  // ---- Rows that are interleaved -----------------------------------------------------------------
  // Of the configuration bank: the second one of two rows takes the next parameter entry.
  wire          second;
  reg  [1:0]    next_q;
  wire          takes_next = second && next_q[step_token[`TPU_TOKEN_BANK]];
  wire [PW-1:0] row_param  = step_param + {{(PW-1){1'b0}}, takes_next};

  always @(posedge clk) begin
    if (take) begin
      next_q[take_bank] <= cmd[`TPU_OPCODE] == `TPU_OP_FVECTOR && cmd[`TPU_FVECTOR_INTERLEAVE] == `TPU_FLOAT_INTERLEAVE_NEXT;
    end
  end

  tpu_fvector_issue #(
    .UB_ROWS     (UB_ROWS),
    .ACC_ROWS    (ACC_ROWS),
    .FLOAT_LANES (FLOAT_LANES)
  ) u_issue (
    .clk              (clk),
    .rst              (rst),
    .halt             (halt),
    .stop             (stop),
    .take             (take),
    .take_bank        (take_bank),
    .cmd              (cmd),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param || (takes_next && step_param == LAST_ENTRY)),
    .step_bad_out_row (step_bad_out_row),
    .step_out_row     (step_out_row),
    .b_have           (b_have),
    .b_fault          (b_fault),
    .b_claim          (b_claim),
    .va_rd_valid      (va_rd_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (va_rd_row),
    .acc_rd_valid     (acc_rd_valid),
    .acc_rd_ready     (acc_rd_ready),
    .a_line           (a_line),
    .b_line           (b_line),
    .tap              (tap),
    .tap_last         (tap_last),
    .tap_cut          (tap_cut),
    .second           (second),
    .err_valid        (err_valid),
    .err_code         (err_code),
    .ev_active        (ev_active),
    .ev_stall_port    (ev_stall_port),
    .ev_stall_operand (ev_stall_operand),
    .ev_stall_output  (ev_stall_output)
  );

  wire                adam;
  wire                out_kept;
  wire                out_weight;
  wire                out_valid;
  wire                out_final;
  wire [1:0]          out_last;
  wire                out_interleave;
  wire [32*LANES-1:0] out_words;

  tpu_fvector_lanes #(
    .LANES       (LANES),
    .PARAM_ROWS  (PARAM_ROWS),
    .FLOAT_LANES (FLOAT_LANES)
  ) u_lanes (
    .clk            (clk),
    .rst            (rst),
    .take           (take),
    .take_bank      (take_bank),
    .cmd            (cmd),
    .bank_busy      (bank_busy),
    .a_line         (a_line),
    .b_line         (b_line),
    .tap            (tap),
    .tap_bank       (step_token[`TPU_TOKEN_BANK]),
    .tap_inside     (step_token[`TPU_TOKEN_INSIDE]),
    .tap_first      (step_token[`TPU_TOKEN_FIRST]),
    .tap_last       (tap_last),
    .tap_final      (step_token[`TPU_TOKEN_FINAL] && !tap_cut),
    .tap_param      (row_param),
    .a_bytes        (va_rd_data),
    .a_words        (acc_rd_data),
    .b_bytes        (b_row),
    .b_pop          (b_pop),
    .param_en       (param_en),
    .param_entry    (param_entry),
    .biases         (biases),
    .multipliers    (multipliers),
    .adam           (adam),
    .out_kept       (out_kept),
    .out_weight     (out_weight),
    .out_valid      (out_valid),
    .out_final      (out_final),
    .out_last       (out_last),
    .out_interleave (out_interleave),
    .out_words      (out_words)
  );

  // ---- Rows of ADAM ------------------------------------------------------------------------------
  // Sum of squares and moment go back to where they were read; weights go to the output. Two of three outputs come long before the third.
  wire                       kept_ready;
  wire                       kept_valid;
  wire [$clog2(UB_ROWS)-1:0] kept_row;
  wire [2:0]                 kept_level;
  wire                       weight_ready;
  wire                       weight_valid;
  wire [$clog2(UB_ROWS)-1:0] weight_row;
  wire [3:0]                 weight_level;
  wire                       output_rows;

  tpu_fifo #(
    .WIDTH ($clog2(UB_ROWS)),
    .DEPTH (4)
  ) u_kept_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (adam && tap),
    .in_ready  (kept_ready),
    .in_data   (step_row[$clog2(UB_ROWS)-1:0]),
    .out_valid (kept_valid),
    .out_ready (out_kept),
    .out_data  (kept_row),
    .level     (kept_level)
  );

  tpu_fifo #(
    .WIDTH ($clog2(UB_ROWS)),
    .DEPTH (8)
  ) u_weight_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (adam && tap_last),
    .in_ready  (weight_ready),
    .in_data   (step_out_row),
    .out_valid (weight_valid),
    .out_ready (out_weight),
    .out_data  (weight_row),
    .level     (weight_level)
  );

  `TPU_ASSERT(a_room_for_every_row, (kept_ready || !(adam && tap)) && (weight_ready || !(adam && tap_last)))
  `TPU_ASSERT(a_row_for_every_output, (kept_valid || !out_kept) && (weight_valid || !out_weight))

  assign rows_on_way = output_rows || weight_valid;

  wire unused = &{1'b0, kept_ready, kept_valid, kept_level, weight_ready, weight_level};

  tpu_line_output #(
    .LANES      (LANES),
    .UB_ROWS    (UB_ROWS),
    .INTERLEAVE (1)
  ) u_output (
    .clk           (clk),
    .rst           (rst),
    .in_row_valid  (adam ? out_kept || out_weight : tap_last),
    .in_row        (!adam ? step_out_row : out_weight ? weight_row : kept_row),
    .in_valid      (out_valid),
    .in_final      (out_final),
    .in_last       (out_last),
    .in_interleave (out_interleave),
    .in_words      (out_words),
    .wr_valid      (wr_valid),
    .wr_row        (wr_row),
    .wr_data       (wr_data),
    .rows_on_way   (output_rows),
    .done          (done)
  );

endmodule

`default_nettype wire
