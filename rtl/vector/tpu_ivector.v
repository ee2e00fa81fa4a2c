// What IVECTOR has for itself in the vector unit: issue of lines and taps, lanes, write-back (docs/isa.md, 11.3).
//
// It takes the steps of source A and the lines of stream 1 that tpu_vector has for all its instructions, and reads their parameter memory.
//
// More than 40 ports, as it stands between the streams and all ports of the unit.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_ivector #(
  // Lanes
  parameter LANES = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share what follows a window
  parameter INT16_LANES = 4
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          halt,

  // As in tpu_ivector_issue
  output wire                          stop,
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_IVECTOR_USED-1:0]  cmd,
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
  output wire [$clog2(ACC_ROWS)-1:0]   acc_rd_row,
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
  input  wire [8*LANES-1:0]            shifts,

  // Lookup table writes
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data,

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

  wire a_line;
  wire a_high;
  wire b_line;
  wire tap;
  wire tap_last;
  wire tap_cut;

  tpu_ivector_issue #(
    .UB_ROWS     (UB_ROWS),
    .ACC_ROWS    (ACC_ROWS),
    .INT16_LANES (INT16_LANES)
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
    .step_bad_param   (step_bad_param),
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

  wire                out_valid;
  wire                out_final;
  wire [1:0]          out_last;
  wire [32*LANES-1:0] out_words;

  tpu_ivector_lanes #(
    .LANES       (LANES),
    .PARAM_ROWS  (PARAM_ROWS),
    .INT16_LANES (INT16_LANES)
  ) u_lanes (
    .clk          (clk),
    .rst          (rst),
    .take         (take),
    .take_bank    (take_bank),
    .cmd          (cmd),
    .bank_busy    (bank_busy),
    .a_line       (a_line),
    .a_high       (a_high),
    .b_line       (b_line),
    .tap          (tap),
    .tap_bank     (step_token[`TPU_TOKEN_BANK]),
    .tap_inside   (step_token[`TPU_TOKEN_INSIDE]),
    .tap_first    (step_token[`TPU_TOKEN_FIRST]),
    .tap_last     (tap_last),
    .tap_final    (step_token[`TPU_TOKEN_FINAL] && !tap_cut),
    .tap_param    (step_param),
    .a_bytes      (va_rd_data),
    .a_words      (acc_rd_data),
    .b_bytes      (b_row),
    .b_pop        (b_pop),
    .param_en     (param_en),
    .param_entry  (param_entry),
    .biases       (biases),
    .multipliers  (multipliers),
    .shifts       (shifts),
    .lut_wr_valid (lut_wr_valid),
    .lut_wr_addr  (lut_wr_addr),
    .lut_wr_data  (lut_wr_data),
    .out_valid    (out_valid),
    .out_final    (out_final),
    .out_last     (out_last),
    .out_words    (out_words)
  );

  tpu_line_output #(
    .LANES   (LANES),
    .UB_ROWS (UB_ROWS)
  ) u_output (
    .clk           (clk),
    .rst           (rst),
    .in_row_valid  (tap_last),
    .in_row        (step_out_row),
    .in_valid      (out_valid),
    .in_final      (out_final),
    .in_last       (out_last),
    .in_interleave (1'b0),
    .in_words      (out_words),
    .wr_valid      (wr_valid),
    .wr_row        (wr_row),
    .wr_data       (wr_data),
    .rows_on_way   (rows_on_way),
    .done          (done)
  );

endmodule

`default_nettype wire
