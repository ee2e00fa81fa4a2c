// Source A of the vector unit for proofs around it: any instruction started at any time, any steps.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector_source #(
  parameter UB_ROWS = 16384,
  parameter ACC_ROWS = 2048,
  parameter PARAM_ROWS = 512
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          cmd_valid,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  input  wire [31:0]                   cmd_index,
  input  wire                          cmd_columns,
  input  wire                          cmd_pair,
  input  wire [15:0]                   cmd_n_column,
  input  wire                          cmd_seen,
  output wire                          cmd_take,
  input  wire [1:0]                    bank_busy,
  output wire                          take_bank,
  output wire                          lacks_bank,
  output wire                          busy,
  output wire                          step_valid,
  input  wire                          step_ready,
  output wire [`TPU_TOKEN_BITS-1:0]    step_token,
  output wire [31:0]                   step_index,
  output wire                          step_acc,
  output wire [15:0]                   step_row,
  output wire                          step_bad_row,
  output wire                          step_bad_param,
  output wire                          step_bad_out_row,
  output wire [$clog2(PARAM_ROWS)-1:0] step_param,
  output wire [$clog2(UB_ROWS)-1:0]    step_out_row
);

  (* anyseq *) wire                          any_cmd_take;
  (* anyseq *) wire                          any_take_bank;
  (* anyseq *) wire                          any_lacks_bank;
  (* anyseq *) wire                          any_busy;
  (* anyseq *) wire                          any_step_valid;
  (* anyseq *) wire [`TPU_TOKEN_BITS-1:0]    any_step_token;
  (* anyseq *) wire [31:0]                   any_step_index;
  (* anyseq *) wire                          any_step_acc;
  (* anyseq *) wire [15:0]                   any_step_row;
  (* anyseq *) wire                          any_step_bad_row;
  (* anyseq *) wire                          any_step_bad_param;
  (* anyseq *) wire                          any_step_bad_out_row;
  (* anyseq *) wire [$clog2(PARAM_ROWS)-1:0] any_step_param;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]    any_step_out_row;

  assign cmd_take         = any_cmd_take;
  assign take_bank        = any_take_bank;
  assign lacks_bank       = any_lacks_bank;
  assign busy             = any_busy;
  assign step_valid       = any_step_valid;
  assign step_token       = any_step_token;
  assign step_index       = any_step_index;
  assign step_acc         = any_step_acc;
  assign step_row         = any_step_row;
  assign step_bad_row     = any_step_bad_row;
  assign step_bad_param   = any_step_bad_param;
  assign step_bad_out_row = any_step_bad_out_row;
  assign step_param       = any_step_param;
  assign step_out_row     = any_step_out_row;

endmodule

`default_nettype wire
