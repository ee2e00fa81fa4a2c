// WEIGHTS for proofs of tpu_memory around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_weights #(
  parameter ROW_BYTES = 16,
  parameter LANES = 16,
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40,
  parameter UB_ROWS = 16384,
  parameter BF16 = 0
) (
  input  wire                                      clk,
  input  wire                                      rst,
  input  wire                                      cmd_valid,
  output wire                                      cmd_ready,
  input  wire [`TPU_WEIGHTS_USED-1:0]              cmd,
  input  wire [31:0]                               cmd_index,
  output wire                                      done,
  output wire                                      err_valid,
  output wire [3:0]                                err_code,
  output wire [31:0]                               err_index,
  input  wire                                      halt,
  output wire                                      busy,
  output wire                                      ar_valid,
  input  wire                                      ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]                 ar_addr,
  output wire [7:0]                                ar_len,
  input  wire                                      r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]                 r_data,
  input  wire [1:0]                                r_resp,
  input  wire                                      r_last,
  output wire                                      rd_valid,
  input  wire                                      rd_ready,
  output wire                                      rd_pair,
  output wire [$clog2(UB_ROWS)-1:0]                rd_row,
  input  wire [16*ROW_BYTES-1:0]                   rd_data,
  output wire                                      wt_valid,
  input  wire                                      wt_ready,
  output wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] wt_data
);

  (* anyseq *) wire                                      any_cmd_ready;
  (* anyseq *) wire                                      any_done;
  (* anyseq *) wire                                      any_err_valid;
  (* anyseq *) wire [3:0]                                any_err_code;
  (* anyseq *) wire [31:0]                               any_err_index;
  (* anyseq *) wire                                      any_busy;
  (* anyseq *) wire                                      any_ar_valid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]                 any_ar_addr;
  (* anyseq *) wire [7:0]                                any_ar_len;
  (* anyseq *) wire                                      any_rd_valid;
  (* anyseq *) wire                                      any_rd_pair;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]                any_rd_row;
  (* anyseq *) wire                                      any_wt_valid;
  (* anyseq *) wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] any_wt_data;

  assign cmd_ready = any_cmd_ready;
  assign done      = any_done;
  assign err_valid = any_err_valid;
  assign err_code  = any_err_code;
  assign err_index = any_err_index;
  assign busy      = any_busy;
  assign ar_valid  = any_ar_valid;
  assign ar_addr   = any_ar_addr;
  assign ar_len    = any_ar_len;
  assign rd_valid  = any_rd_valid;
  assign rd_pair   = any_rd_pair;
  assign rd_row    = any_rd_row;
  assign wt_valid  = any_wt_valid;
  assign wt_data   = any_wt_data;

endmodule

`default_nettype wire
