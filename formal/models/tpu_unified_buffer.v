// A unified buffer for proofs of tpu_memory around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_unified_buffer #(
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 16384,
  parameter WIDE = 0,
  parameter BF16 = 0
) (
  input  wire                                         clk,
  input  wire                                         rst,
  input  wire                                         mm_rd_valid,
  input  wire [3:0]                                   mm_rd_banks,
  input  wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] mm_rd_addr,
  output wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0]    mm_rd_data,
  input  wire                                         va_rd_valid,
  output wire                                         va_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   va_rd_row,
  output wire [8*ROW_BYTES-1:0]                       va_rd_data,
  input  wire                                         vb_rd_valid,
  output wire                                         vb_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   vb_rd_row,
  output wire [8*ROW_BYTES-1:0]                       vb_rd_data,
  input  wire                                         vc_rd_valid,
  output wire                                         vc_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   vc_rd_row,
  output wire [8*ROW_BYTES-1:0]                       vc_rd_data,
  input  wire                                         wt_rd_valid,
  output wire                                         wt_rd_ready,
  input  wire                                         wt_rd_pair,
  input  wire [$clog2(UB_ROWS)-1:0]                   wt_rd_row,
  output wire [16*ROW_BYTES-1:0]                      wt_rd_data,
  input  wire                                         st_rd_valid,
  output wire                                         st_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   st_rd_row,
  output wire [8*ROW_BYTES-1:0]                       st_rd_data,
  input  wire                                         vo_wr_valid,
  input  wire [$clog2(UB_ROWS)-1:0]                   vo_wr_row,
  input  wire [8*ROW_BYTES-1:0]                       vo_wr_data,
  input  wire                                         ld_wr_valid,
  output wire                                         ld_wr_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   ld_wr_row,
  input  wire [8*ROW_BYTES-1:0]                       ld_wr_data
);

  (* anyseq *) wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0] any_mm_rd_data;
  (* anyseq *) wire                                      any_va_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_va_rd_data;
  (* anyseq *) wire                                      any_vb_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_vb_rd_data;
  (* anyseq *) wire                                      any_vc_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_vc_rd_data;
  (* anyseq *) wire                                      any_wt_rd_ready;
  (* anyseq *) wire [16*ROW_BYTES-1:0]                   any_wt_rd_data;
  (* anyseq *) wire                                      any_st_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_st_rd_data;
  (* anyseq *) wire                                      any_ld_wr_ready;

  assign mm_rd_data  = any_mm_rd_data;
  assign va_rd_ready = any_va_rd_ready;
  assign va_rd_data  = any_va_rd_data;
  assign vb_rd_ready = any_vb_rd_ready;
  assign vb_rd_data  = any_vb_rd_data;
  assign vc_rd_ready = any_vc_rd_ready;
  assign vc_rd_data  = any_vc_rd_data;
  assign wt_rd_ready = any_wt_rd_ready;
  assign wt_rd_data  = any_wt_rd_data;
  assign st_rd_ready = any_st_rd_ready;
  assign st_rd_data  = any_st_rd_data;
  assign ld_wr_ready = any_ld_wr_ready;

endmodule

`default_nettype wire
