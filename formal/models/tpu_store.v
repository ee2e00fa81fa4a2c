// STORE for proofs of tpu_memory around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_store #(
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 16384,
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40,
  parameter WIDE = 0
) (
  input  wire                        clk,
  input  wire                        rst,
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [`TPU_STORE_USED-1:0]  cmd,
  input  wire [31:0]                 cmd_index,
  output wire                        done,
  output wire                        err_valid,
  output wire [3:0]                  err_code,
  output wire [31:0]                 err_index,
  input  wire                        halt,
  output wire                        busy,
  output wire                        st_rd_valid,
  input  wire                        st_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  st_rd_row,
  input  wire [8*ROW_BYTES-1:0]      st_rd_data,
  output wire                        aw_valid,
  input  wire                        aw_ready,
  output wire [AXI_ADDR_WIDTH-1:0]   aw_addr,
  output wire [4:0]                  aw_len,
  output wire                        w_valid,
  input  wire                        w_ready,
  output wire [AXI_DATA_WIDTH/8-1:0] w_strb,
  output wire [AXI_DATA_WIDTH-1:0]   w_data,
  input  wire                        w_first,
  input  wire                        w_last,
  input  wire                        b_valid,
  input  wire [1:0]                  b_resp
);

  (* anyseq *) wire                        any_cmd_ready;
  (* anyseq *) wire                        any_done;
  (* anyseq *) wire                        any_err_valid;
  (* anyseq *) wire [3:0]                  any_err_code;
  (* anyseq *) wire [31:0]                 any_err_index;
  (* anyseq *) wire                        any_busy;
  (* anyseq *) wire                        any_st_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0]  any_st_rd_row;
  (* anyseq *) wire                        any_aw_valid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]   any_aw_addr;
  (* anyseq *) wire [4:0]                  any_aw_len;
  (* anyseq *) wire                        any_w_valid;
  (* anyseq *) wire [AXI_DATA_WIDTH/8-1:0] any_w_strb;
  (* anyseq *) wire [AXI_DATA_WIDTH-1:0]   any_w_data;

  assign cmd_ready   = any_cmd_ready;
  assign done        = any_done;
  assign err_valid   = any_err_valid;
  assign err_code    = any_err_code;
  assign err_index   = any_err_index;
  assign busy        = any_busy;
  assign st_rd_valid = any_st_rd_valid;
  assign st_rd_row   = any_st_rd_row;
  assign aw_valid    = any_aw_valid;
  assign aw_addr     = any_aw_addr;
  assign aw_len      = any_aw_len;
  assign w_valid     = any_w_valid;
  assign w_strb      = any_w_strb;
  assign w_data      = any_w_data;

endmodule

`default_nettype wire
