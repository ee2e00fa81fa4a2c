// Outputs are anything, for a proof of the wires around.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_matrix #(
  parameter LANES = 16,
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 16384,
  parameter ACC_ROWS = 2048,
  parameter WFIFO_TILES = 4,
  parameter MAC_LATENCY = 1,
  parameter ADD_LATENCY = 1,
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input  wire                                         clk,
  input  wire                                         rst,
  input  wire                                         halt,
  input  wire                                         cmd_valid,
  output wire                                         cmd_ready,
  input  wire [`TPU_MATMUL_USED-1:0]                  cmd,
  input  wire [31:0]                                  cmd_index,
  output wire                                         done,
  output wire                                         err_valid,
  output wire [3:0]                                   err_code,
  output wire [31:0]                                  err_index,
  output wire                                         mm_rd_valid,
  output wire [3:0]                                   mm_rd_banks,
  output wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] mm_rd_addr,
  input  wire [(BF16 != 0 || INT16 != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_rd_data,
  input  wire                                         wt_valid,
  output wire                                         wt_ready,
  input  wire [(BF16 != 0 ? 16 : 8)*LANES-1:0]        wt_data,
  input  wire                                         acc_rd_valid,
  output wire                                         acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0]                  acc_rd_row,
  output wire [32*LANES-1:0]                          acc_rd_data,
  output wire                                         ev_active,
  output wire                                         ev_pad,
  output wire                                         ev_wait_weights,
  output wire                                         ev_weight_shift
);


  (* anyseq *) wire                                         any_cmd_ready;
  (* anyseq *) wire                                         any_done;
  (* anyseq *) wire                                         any_err_valid;
  (* anyseq *) wire [3:0]                                   any_err_code;
  (* anyseq *) wire [31:0]                                  any_err_index;
  (* anyseq *) wire                                         any_mm_rd_valid;
  (* anyseq *) wire [3:0]                                   any_mm_rd_banks;
  (* anyseq *) wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] any_mm_rd_addr;
  (* anyseq *) wire                                         any_wt_ready;
  (* anyseq *) wire                                         any_acc_rd_ready;
  (* anyseq *) wire [32*LANES-1:0]                          any_acc_rd_data;
  (* anyseq *) wire                                         any_ev_active;
  (* anyseq *) wire                                         any_ev_pad;
  (* anyseq *) wire                                         any_ev_wait_weights;
  (* anyseq *) wire                                         any_ev_weight_shift;

  assign cmd_ready       = any_cmd_ready;
  assign done            = any_done;
  assign err_valid       = any_err_valid;
  assign err_code        = any_err_code;
  assign err_index       = any_err_index;
  assign mm_rd_valid     = any_mm_rd_valid;
  assign mm_rd_banks     = any_mm_rd_banks;
  assign mm_rd_addr      = any_mm_rd_addr;
  assign wt_ready        = any_wt_ready;
  assign acc_rd_ready    = any_acc_rd_ready;
  assign acc_rd_data     = any_acc_rd_data;
  assign ev_active       = any_ev_active;
  assign ev_pad          = any_ev_pad;
  assign ev_wait_weights = any_ev_wait_weights;
  assign ev_weight_shift = any_ev_weight_shift;

endmodule

`default_nettype wire
