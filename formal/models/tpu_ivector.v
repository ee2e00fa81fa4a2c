// IVECTOR's issue, lanes and write-back for proofs of tpu_vector around them: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_ivector #(
  parameter LANES = 16,
  parameter UB_ROWS = 16384,
  parameter ACC_ROWS = 2048,
  parameter PARAM_ROWS = 512,
  parameter INT16_LANES = 4
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          halt,
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
  output wire                          va_rd_valid,
  input  wire                          va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    va_rd_row,
  input  wire [8*LANES-1:0]            va_rd_data,
  output wire                          acc_rd_valid,
  input  wire                          acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0]   acc_rd_row,
  input  wire [32*LANES-1:0]           acc_rd_data,
  input  wire                          b_have,
  input  wire                          b_fault,
  output wire                          b_claim,
  output wire                          b_pop,
  input  wire [8*LANES-1:0]            b_row,
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  input  wire [32*LANES-1:0]           biases,
  input  wire [32*LANES-1:0]           multipliers,
  input  wire [8*LANES-1:0]            shifts,
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data,
  output wire                          wr_valid,
  output wire [$clog2(UB_ROWS)-1:0]    wr_row,
  output wire [8*LANES-1:0]            wr_data,
  output wire                          rows_on_way,
  output wire                          done,
  output wire                          err_valid,
  output wire [3:0]                    err_code,
  output wire                          ev_active,
  output wire                          ev_stall_port,
  output wire                          ev_stall_operand,
  output wire                          ev_stall_output
);

  (* anyseq *) wire                          any_stop;
  (* anyseq *) wire [1:0]                    any_bank_busy;
  (* anyseq *) wire                          any_step_ready;
  (* anyseq *) wire                          any_va_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]    any_va_rd_row;
  (* anyseq *) wire                          any_acc_rd_valid;
  (* anyseq *) wire [$clog2(ACC_ROWS)-1:0]   any_acc_rd_row;
  (* anyseq *) wire                          any_b_claim;
  (* anyseq *) wire                          any_b_pop;
  (* anyseq *) wire                          any_param_en;
  (* anyseq *) wire [$clog2(PARAM_ROWS)-1:0] any_param_entry;
  (* anyseq *) wire                          any_wr_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]    any_wr_row;
  (* anyseq *) wire [8*LANES-1:0]            any_wr_data;
  (* anyseq *) wire                          any_rows_on_way;
  (* anyseq *) wire                          any_done;
  (* anyseq *) wire                          any_err_valid;
  (* anyseq *) wire [3:0]                    any_err_code;
  (* anyseq *) wire                          any_ev_active;
  (* anyseq *) wire                          any_ev_stall_port;
  (* anyseq *) wire                          any_ev_stall_operand;
  (* anyseq *) wire                          any_ev_stall_output;

  assign stop             = any_stop;
  assign bank_busy        = any_bank_busy;
  assign step_ready       = any_step_ready;
  assign va_rd_valid      = any_va_rd_valid;
  assign va_rd_row        = any_va_rd_row;
  assign acc_rd_valid     = any_acc_rd_valid;
  assign acc_rd_row       = any_acc_rd_row;
  assign b_claim          = any_b_claim;
  assign b_pop            = any_b_pop;
  assign param_en         = any_param_en;
  assign param_entry      = any_param_entry;
  assign wr_valid         = any_wr_valid;
  assign wr_row           = any_wr_row;
  assign wr_data          = any_wr_data;
  assign rows_on_way      = any_rows_on_way;
  assign done             = any_done;
  assign err_valid        = any_err_valid;
  assign err_code         = any_err_code;
  assign ev_active        = any_ev_active;
  assign ev_stall_port    = any_ev_stall_port;
  assign ev_stall_operand = any_ev_stall_operand;
  assign ev_stall_output  = any_ev_stall_output;

endmodule

`default_nettype wire
