// LOAD for proofs of tpu_memory around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_load #(
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 16384,
  parameter PARAM_ROWS = 512,
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40,
  parameter WIDE = 0
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          cmd_valid,
  output wire                          cmd_ready,
  input  wire [`TPU_LOAD_USED-1:0]     cmd,
  input  wire [31:0]                   cmd_index,
  output wire                          done,
  output wire                          err_valid,
  output wire [3:0]                    err_code,
  output wire [31:0]                   err_index,
  input  wire                          halt,
  output wire                          busy,
  output wire                          ar_valid,
  input  wire                          ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]     ar_addr,
  output wire [7:0]                    ar_len,
  input  wire                          r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]     r_data,
  input  wire [1:0]                    r_resp,
  input  wire                          r_last,
  output wire                          ld_wr_valid,
  input  wire                          ld_wr_ready,
  output wire [$clog2(UB_ROWS)-1:0]    ld_wr_row,
  output wire [8*ROW_BYTES-1:0]        ld_wr_data,
  output wire                          param_wr_valid,
  output wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  output wire [3:0]                    param_wr_chunk,
  output wire [8*ROW_BYTES-1:0]        param_wr_data,
  output wire                          lut_wr_valid,
  output wire [10:0]                   lut_wr_addr,
  output wire [7:0]                    lut_wr_data
);

  (* anyseq *) wire                          any_cmd_ready;
  (* anyseq *) wire                          any_done;
  (* anyseq *) wire                          any_err_valid;
  (* anyseq *) wire [3:0]                    any_err_code;
  (* anyseq *) wire [31:0]                   any_err_index;
  (* anyseq *) wire                          any_busy;
  (* anyseq *) wire                          any_ar_valid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]     any_ar_addr;
  (* anyseq *) wire [7:0]                    any_ar_len;
  (* anyseq *) wire                          any_ld_wr_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]    any_ld_wr_row;
  (* anyseq *) wire [8*ROW_BYTES-1:0]        any_ld_wr_data;
  (* anyseq *) wire                          any_param_wr_valid;
  (* anyseq *) wire [$clog2(PARAM_ROWS)-1:0] any_param_wr_entry;
  (* anyseq *) wire [3:0]                    any_param_wr_chunk;
  (* anyseq *) wire [8*ROW_BYTES-1:0]        any_param_wr_data;
  (* anyseq *) wire                          any_lut_wr_valid;
  (* anyseq *) wire [10:0]                   any_lut_wr_addr;
  (* anyseq *) wire [7:0]                    any_lut_wr_data;

  assign cmd_ready      = any_cmd_ready;
  assign done           = any_done;
  assign err_valid      = any_err_valid;
  assign err_code       = any_err_code;
  assign err_index      = any_err_index;
  assign busy           = any_busy;
  assign ar_valid       = any_ar_valid;
  assign ar_addr        = any_ar_addr;
  assign ar_len         = any_ar_len;
  assign ld_wr_valid    = any_ld_wr_valid;
  assign ld_wr_row      = any_ld_wr_row;
  assign ld_wr_data     = any_ld_wr_data;
  assign param_wr_valid = any_param_wr_valid;
  assign param_wr_entry = any_param_wr_entry;
  assign param_wr_chunk = any_param_wr_chunk;
  assign param_wr_data  = any_param_wr_data;
  assign lut_wr_valid   = any_lut_wr_valid;
  assign lut_wr_addr    = any_lut_wr_addr;
  assign lut_wr_data    = any_lut_wr_data;

endmodule

`default_nettype wire
