// Outputs are anything, for a proof of the wires around.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_memory #(
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 16384,
  parameter PARAM_ROWS = 512,
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40,
  parameter WIDE = 0,
  parameter BF16 = 0
) (
  input  wire                            clk,
  input  wire                            rst,
  input  wire                            core_rst,
  input  wire                            halt,
  output wire                            drained,
  input  wire                            ld_cmd_valid,
  output wire                            ld_cmd_ready,
  input  wire [`TPU_LOAD_USED-1:0]       ld_cmd,
  input  wire [31:0]                     ld_cmd_index,
  output wire                            ld_done,
  output wire                            ld_err_valid,
  output wire [3:0]                      ld_err_code,
  output wire [31:0]                     ld_err_index,
  input  wire                            wt_cmd_valid,
  output wire                            wt_cmd_ready,
  input  wire [`TPU_WEIGHTS_USED-1:0]    wt_cmd,
  input  wire [31:0]                     wt_cmd_index,
  output wire                            wt_done,
  output wire                            wt_err_valid,
  output wire [3:0]                      wt_err_code,
  output wire [31:0]                     wt_err_index,
  input  wire                            st_cmd_valid,
  output wire                            st_cmd_ready,
  input  wire [`TPU_STORE_USED-1:0]      st_cmd,
  input  wire [31:0]                     st_cmd_index,
  output wire                            st_done,
  output wire                            st_err_valid,
  output wire [3:0]                      st_err_code,
  output wire [31:0]                     st_err_index,
  input  wire                            fe_ar_valid,
  output wire                            fe_ar_ready,
  input  wire [AXI_ADDR_WIDTH-1:0]       fe_ar_addr,
  input  wire [7:0]                      fe_ar_len,
  output wire                            fe_r_valid,
  output wire [AXI_DATA_WIDTH-1:0]       fe_r_data,
  output wire [1:0]                      fe_r_resp,
  output wire                            fe_r_last,
  input  wire                            mm_rd_valid,
  input  wire [3:0]                      mm_rd_banks,
  input  wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] mm_rd_addr,
  output wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_rd_data,
  input  wire                            va_rd_valid,
  output wire                            va_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   va_rd_row,
  output wire [8*ROW_BYTES-1:0]          va_rd_data,
  input  wire                            vb_rd_valid,
  output wire                            vb_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   vb_rd_row,
  output wire [8*ROW_BYTES-1:0]          vb_rd_data,
  input  wire                            vc_rd_valid,
  output wire                            vc_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   vc_rd_row,
  output wire [8*ROW_BYTES-1:0]          vc_rd_data,
  input  wire                            vo_wr_valid,
  input  wire [$clog2(UB_ROWS)-1:0]                   vo_wr_row,
  input  wire [8*ROW_BYTES-1:0]          vo_wr_data,
  output wire                            wt_valid,
  input  wire                            wt_ready,
  output wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] wt_data,
  output wire                            param_wr_valid,
  output wire [$clog2(PARAM_ROWS)-1:0]                   param_wr_entry,
  output wire [3:0]                      param_wr_chunk,
  output wire [8*ROW_BYTES-1:0]          param_wr_data,
  output wire                            lut_wr_valid,
  output wire [10:0]                     lut_wr_addr,
  output wire [7:0]                      lut_wr_data,
  output wire                            fe_beat,
  output wire                            ld_beat,
  output wire                            wt_beat,
  output wire                            st_beat,
  output wire [2:0]                      m_axi_awid,
  output wire [AXI_ADDR_WIDTH-1:0]       m_axi_awaddr,
  output wire [7:0]                      m_axi_awlen,
  output wire [2:0]                      m_axi_awsize,
  output wire [1:0]                      m_axi_awburst,
  output wire                            m_axi_awlock,
  output wire [3:0]                      m_axi_awcache,
  output wire [2:0]                      m_axi_awprot,
  output wire [3:0]                      m_axi_awqos,
  output wire                            m_axi_awvalid,
  input  wire                            m_axi_awready,
  output wire [AXI_DATA_WIDTH-1:0]       m_axi_wdata,
  output wire [AXI_DATA_WIDTH/8-1:0]     m_axi_wstrb,
  output wire                            m_axi_wlast,
  output wire                            m_axi_wvalid,
  input  wire                            m_axi_wready,
  input  wire [2:0]                      m_axi_bid,
  input  wire [1:0]                      m_axi_bresp,
  input  wire                            m_axi_bvalid,
  output wire                            m_axi_bready,
  output wire [2:0]                      m_axi_arid,
  output wire [AXI_ADDR_WIDTH-1:0]       m_axi_araddr,
  output wire [7:0]                      m_axi_arlen,
  output wire [2:0]                      m_axi_arsize,
  output wire [1:0]                      m_axi_arburst,
  output wire                            m_axi_arlock,
  output wire [3:0]                      m_axi_arcache,
  output wire [2:0]                      m_axi_arprot,
  output wire [3:0]                      m_axi_arqos,
  output wire                            m_axi_arvalid,
  input  wire                            m_axi_arready,
  input  wire [2:0]                      m_axi_rid,
  input  wire [AXI_DATA_WIDTH-1:0]       m_axi_rdata,
  input  wire [1:0]                      m_axi_rresp,
  input  wire                            m_axi_rlast,
  input  wire                            m_axi_rvalid,
  output wire                            m_axi_rready
);


  (* anyseq *) wire                                      any_drained;
  (* anyseq *) wire                                      any_ld_cmd_ready;
  (* anyseq *) wire                                      any_ld_done;
  (* anyseq *) wire                                      any_ld_err_valid;
  (* anyseq *) wire [3:0]                                any_ld_err_code;
  (* anyseq *) wire [31:0]                               any_ld_err_index;
  (* anyseq *) wire                                      any_wt_cmd_ready;
  (* anyseq *) wire                                      any_wt_done;
  (* anyseq *) wire                                      any_wt_err_valid;
  (* anyseq *) wire [3:0]                                any_wt_err_code;
  (* anyseq *) wire [31:0]                               any_wt_err_index;
  (* anyseq *) wire                                      any_st_cmd_ready;
  (* anyseq *) wire                                      any_st_done;
  (* anyseq *) wire                                      any_st_err_valid;
  (* anyseq *) wire [3:0]                                any_st_err_code;
  (* anyseq *) wire [31:0]                               any_st_err_index;
  (* anyseq *) wire                                      any_fe_ar_ready;
  (* anyseq *) wire                                      any_fe_r_valid;
  (* anyseq *) wire [AXI_DATA_WIDTH-1:0]                 any_fe_r_data;
  (* anyseq *) wire [1:0]                                any_fe_r_resp;
  (* anyseq *) wire                                      any_fe_r_last;
  (* anyseq *) wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0] any_mm_rd_data;
  (* anyseq *) wire                                      any_va_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_va_rd_data;
  (* anyseq *) wire                                      any_vb_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_vb_rd_data;
  (* anyseq *) wire                                      any_vc_rd_ready;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_vc_rd_data;
  (* anyseq *) wire                                      any_wt_valid;
  (* anyseq *) wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] any_wt_data;
  (* anyseq *) wire                                      any_param_wr_valid;
  (* anyseq *) wire [$clog2(PARAM_ROWS)-1:0]             any_param_wr_entry;
  (* anyseq *) wire [3:0]                                any_param_wr_chunk;
  (* anyseq *) wire [8*ROW_BYTES-1:0]                    any_param_wr_data;
  (* anyseq *) wire                                      any_lut_wr_valid;
  (* anyseq *) wire [10:0]                               any_lut_wr_addr;
  (* anyseq *) wire [7:0]                                any_lut_wr_data;
  (* anyseq *) wire                                      any_fe_beat;
  (* anyseq *) wire                                      any_ld_beat;
  (* anyseq *) wire                                      any_wt_beat;
  (* anyseq *) wire                                      any_st_beat;
  (* anyseq *) wire [2:0]                                any_m_axi_awid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]                 any_m_axi_awaddr;
  (* anyseq *) wire [7:0]                                any_m_axi_awlen;
  (* anyseq *) wire [2:0]                                any_m_axi_awsize;
  (* anyseq *) wire [1:0]                                any_m_axi_awburst;
  (* anyseq *) wire                                      any_m_axi_awlock;
  (* anyseq *) wire [3:0]                                any_m_axi_awcache;
  (* anyseq *) wire [2:0]                                any_m_axi_awprot;
  (* anyseq *) wire [3:0]                                any_m_axi_awqos;
  (* anyseq *) wire                                      any_m_axi_awvalid;
  (* anyseq *) wire [AXI_DATA_WIDTH-1:0]                 any_m_axi_wdata;
  (* anyseq *) wire [AXI_DATA_WIDTH/8-1:0]               any_m_axi_wstrb;
  (* anyseq *) wire                                      any_m_axi_wlast;
  (* anyseq *) wire                                      any_m_axi_wvalid;
  (* anyseq *) wire                                      any_m_axi_bready;
  (* anyseq *) wire [2:0]                                any_m_axi_arid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]                 any_m_axi_araddr;
  (* anyseq *) wire [7:0]                                any_m_axi_arlen;
  (* anyseq *) wire [2:0]                                any_m_axi_arsize;
  (* anyseq *) wire [1:0]                                any_m_axi_arburst;
  (* anyseq *) wire                                      any_m_axi_arlock;
  (* anyseq *) wire [3:0]                                any_m_axi_arcache;
  (* anyseq *) wire [2:0]                                any_m_axi_arprot;
  (* anyseq *) wire [3:0]                                any_m_axi_arqos;
  (* anyseq *) wire                                      any_m_axi_arvalid;
  (* anyseq *) wire                                      any_m_axi_rready;

  assign drained        = any_drained;
  assign ld_cmd_ready   = any_ld_cmd_ready;
  assign ld_done        = any_ld_done;
  assign ld_err_valid   = any_ld_err_valid;
  assign ld_err_code    = any_ld_err_code;
  assign ld_err_index   = any_ld_err_index;
  assign wt_cmd_ready   = any_wt_cmd_ready;
  assign wt_done        = any_wt_done;
  assign wt_err_valid   = any_wt_err_valid;
  assign wt_err_code    = any_wt_err_code;
  assign wt_err_index   = any_wt_err_index;
  assign st_cmd_ready   = any_st_cmd_ready;
  assign st_done        = any_st_done;
  assign st_err_valid   = any_st_err_valid;
  assign st_err_code    = any_st_err_code;
  assign st_err_index   = any_st_err_index;
  assign fe_ar_ready    = any_fe_ar_ready;
  assign fe_r_valid     = any_fe_r_valid;
  assign fe_r_data      = any_fe_r_data;
  assign fe_r_resp      = any_fe_r_resp;
  assign fe_r_last      = any_fe_r_last;
  assign mm_rd_data     = any_mm_rd_data;
  assign va_rd_ready    = any_va_rd_ready;
  assign va_rd_data     = any_va_rd_data;
  assign vb_rd_ready    = any_vb_rd_ready;
  assign vb_rd_data     = any_vb_rd_data;
  assign vc_rd_ready    = any_vc_rd_ready;
  assign vc_rd_data     = any_vc_rd_data;
  assign wt_valid       = any_wt_valid;
  assign wt_data        = any_wt_data;
  assign param_wr_valid = any_param_wr_valid;
  assign param_wr_entry = any_param_wr_entry;
  assign param_wr_chunk = any_param_wr_chunk;
  assign param_wr_data  = any_param_wr_data;
  assign lut_wr_valid   = any_lut_wr_valid;
  assign lut_wr_addr    = any_lut_wr_addr;
  assign lut_wr_data    = any_lut_wr_data;
  assign fe_beat        = any_fe_beat;
  assign ld_beat        = any_ld_beat;
  assign wt_beat        = any_wt_beat;
  assign st_beat        = any_st_beat;
  assign m_axi_awid     = any_m_axi_awid;
  assign m_axi_awaddr   = any_m_axi_awaddr;
  assign m_axi_awlen    = any_m_axi_awlen;
  assign m_axi_awsize   = any_m_axi_awsize;
  assign m_axi_awburst  = any_m_axi_awburst;
  assign m_axi_awlock   = any_m_axi_awlock;
  assign m_axi_awcache  = any_m_axi_awcache;
  assign m_axi_awprot   = any_m_axi_awprot;
  assign m_axi_awqos    = any_m_axi_awqos;
  assign m_axi_awvalid  = any_m_axi_awvalid;
  assign m_axi_wdata    = any_m_axi_wdata;
  assign m_axi_wstrb    = any_m_axi_wstrb;
  assign m_axi_wlast    = any_m_axi_wlast;
  assign m_axi_wvalid   = any_m_axi_wvalid;
  assign m_axi_bready   = any_m_axi_bready;
  assign m_axi_arid     = any_m_axi_arid;
  assign m_axi_araddr   = any_m_axi_araddr;
  assign m_axi_arlen    = any_m_axi_arlen;
  assign m_axi_arsize   = any_m_axi_arsize;
  assign m_axi_arburst  = any_m_axi_arburst;
  assign m_axi_arlock   = any_m_axi_arlock;
  assign m_axi_arcache  = any_m_axi_arcache;
  assign m_axi_arprot   = any_m_axi_arprot;
  assign m_axi_arqos    = any_m_axi_arqos;
  assign m_axi_arvalid  = any_m_axi_arvalid;
  assign m_axi_rready   = any_m_axi_rready;

endmodule

`default_nettype wire
