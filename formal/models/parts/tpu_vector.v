// Outputs are anything, for a proof of the wires around.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector #(
  parameter LANES = 16,
  parameter ROW_BYTES = LANES,
  parameter UB_ROWS = 16384,
  parameter ACC_ROWS = 2048,
  parameter PARAM_ROWS = 512,
  parameter WINDOW = 1,
  parameter REQUANT_LANES = 1,
  parameter BF16 = 0,
  parameter FLOAT_LANES = 2,
  parameter INT16 = 0,
  parameter INT16_LANES = 4,
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          cmd_valid,
  output wire                          cmd_ready,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  input  wire [31:0]                   cmd_index,
  output wire                          done,
  output wire                          err_valid,
  output wire [3:0]                    err_code,
  output wire [31:0]                   err_index,
  input  wire                          halt,
  output wire                          busy,
  output wire                          va_rd_valid,
  input  wire                          va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    va_rd_row,
  input  wire [8*ROW_BYTES-1:0]        va_rd_data,
  output wire                          vb_rd_valid,
  input  wire                          vb_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    vb_rd_row,
  input  wire [8*ROW_BYTES-1:0]        vb_rd_data,
  output wire                          vc_rd_valid,
  input  wire                          vc_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    vc_rd_row,
  input  wire [8*ROW_BYTES-1:0]        vc_rd_data,
  output wire                          acc_rd_valid,
  input  wire                          acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0]   acc_rd_row,
  input  wire [32*LANES-1:0]           acc_rd_data,
  output wire                          vo_wr_valid,
  output wire [$clog2(UB_ROWS)-1:0]    vo_wr_row,
  output wire [8*ROW_BYTES-1:0]        vo_wr_data,
  input  wire                          param_wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input  wire [3:0]                    param_wr_chunk,
  input  wire [8*ROW_BYTES-1:0]        param_wr_data,
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data,
  output wire                          ev_active,
  output wire                          ev_stall_port,
  output wire                          ev_stall_operand,
  output wire                          ev_stall_output
);


  (* anyseq *) wire                        any_cmd_ready;
  (* anyseq *) wire                        any_done;
  (* anyseq *) wire                        any_err_valid;
  (* anyseq *) wire [3:0]                  any_err_code;
  (* anyseq *) wire [31:0]                 any_err_index;
  (* anyseq *) wire                        any_busy;
  (* anyseq *) wire                        any_va_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]  any_va_rd_row;
  (* anyseq *) wire                        any_vb_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]  any_vb_rd_row;
  (* anyseq *) wire                        any_vc_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]  any_vc_rd_row;
  (* anyseq *) wire                        any_acc_rd_valid;
  (* anyseq *) wire [$clog2(ACC_ROWS)-1:0] any_acc_rd_row;
  (* anyseq *) wire                        any_vo_wr_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]  any_vo_wr_row;
  (* anyseq *) wire [8*ROW_BYTES-1:0]      any_vo_wr_data;
  (* anyseq *) wire                        any_ev_active;
  (* anyseq *) wire                        any_ev_stall_port;
  (* anyseq *) wire                        any_ev_stall_operand;
  (* anyseq *) wire                        any_ev_stall_output;

  assign cmd_ready        = any_cmd_ready;
  assign done             = any_done;
  assign err_valid        = any_err_valid;
  assign err_code         = any_err_code;
  assign err_index        = any_err_index;
  assign busy             = any_busy;
  assign va_rd_valid      = any_va_rd_valid;
  assign va_rd_row        = any_va_rd_row;
  assign vb_rd_valid      = any_vb_rd_valid;
  assign vb_rd_row        = any_vb_rd_row;
  assign vc_rd_valid      = any_vc_rd_valid;
  assign vc_rd_row        = any_vc_rd_row;
  assign acc_rd_valid     = any_acc_rd_valid;
  assign acc_rd_row       = any_acc_rd_row;
  assign vo_wr_valid      = any_vo_wr_valid;
  assign vo_wr_row        = any_vo_wr_row;
  assign vo_wr_data       = any_vo_wr_data;
  assign ev_active        = any_ev_active;
  assign ev_stall_port    = any_ev_stall_port;
  assign ev_stall_operand = any_ev_stall_operand;
  assign ev_stall_output  = any_ev_stall_output;

endmodule

`default_nettype wire
