// Issue of VECTOR for proofs of tpu_vector around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_vector_token.vh"

module tpu_vector_issue #(
  parameter UB_ROWS = 16384,
  parameter ACC_ROWS = 2048,
  parameter REQUANT_LANES = 1
) (
  input  wire                        clk,
  input  wire                        rst,
  input  wire                        halt,
  output wire                        stop,
  input  wire                        step_valid,
  output wire                        step_ready,
  input  wire [`TPU_TOKEN_BITS-1:0]  step_token,
  input  wire                        step_acc,
  input  wire [15:0]                 step_row,
  input  wire                        step_bad_row,
  input  wire                        step_bad_param,
  input  wire                        step_bad_out_row,
  input  wire                        lacks_bank,
  input  wire                        b_have,
  input  wire                        b_hungry,
  input  wire [1:0]                  b_bank,
  input  wire                        b_fault,
  output wire                        b_claim,
  input  wire                        c_have,
  input  wire                        c_hungry,
  input  wire [1:0]                  c_bank,
  input  wire                        c_fault,
  output wire                        c_claim,
  output wire                        va_rd_valid,
  input  wire                        va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  va_rd_row,
  output wire                        acc_rd_valid,
  input  wire                        acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0] acc_rd_row,
  output wire [`TPU_TOKEN_BITS-1:0]  token,
  output wire                        err_valid,
  output wire [3:0]                  err_code,
  output wire                        ev_active,
  output wire                        ev_stall_port,
  output wire                        ev_stall_operand,
  output wire                        ev_stall_output
);

  (* anyseq *) wire                        any_stop;
  (* anyseq *) wire                        any_step_ready;
  (* anyseq *) wire                        any_b_claim;
  (* anyseq *) wire                        any_c_claim;
  (* anyseq *) wire                        any_va_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]  any_va_rd_row;
  (* anyseq *) wire                        any_acc_rd_valid;
  (* anyseq *) wire [$clog2(ACC_ROWS)-1:0] any_acc_rd_row;
  (* anyseq *) wire [`TPU_TOKEN_BITS-1:0]  any_token;
  (* anyseq *) wire                        any_err_valid;
  (* anyseq *) wire [3:0]                  any_err_code;
  (* anyseq *) wire                        any_ev_active;
  (* anyseq *) wire                        any_ev_stall_port;
  (* anyseq *) wire                        any_ev_stall_operand;
  (* anyseq *) wire                        any_ev_stall_output;

  assign stop             = any_stop;
  assign step_ready       = any_step_ready;
  assign b_claim          = any_b_claim;
  assign c_claim          = any_c_claim;
  assign va_rd_valid      = any_va_rd_valid;
  assign va_rd_row        = any_va_rd_row;
  assign acc_rd_valid     = any_acc_rd_valid;
  assign acc_rd_row       = any_acc_rd_row;
  assign token            = any_token;
  assign err_valid        = any_err_valid;
  assign err_code         = any_err_code;
  assign ev_active        = any_ev_active;
  assign ev_stall_port    = any_ev_stall_port;
  assign ev_stall_operand = any_ev_stall_operand;
  assign ev_stall_output  = any_ev_stall_output;

endmodule

`default_nettype wire
