// tpu_top: each port reaches the part that it belongs to, and each part gets what another one sends it; nothing stands between them.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_regs.vh"

module formal_tpu_top (
  input wire            clk,
  input wire            rst,
  input wire [11:0]     s_axil_awaddr,
  input wire [2:0]      s_axil_awprot,
  input wire            s_axil_awvalid,
  input wire [31:0]     s_axil_wdata,
  input wire [3:0]      s_axil_wstrb,
  input wire            s_axil_wvalid,
  input wire            s_axil_bready,
  input wire [11:0]     s_axil_araddr,
  input wire [2:0]      s_axil_arprot,
  input wire            s_axil_arvalid,
  input wire            s_axil_rready,
  input wire            m_axi_awready,
  input wire            m_axi_wready,
  input wire [2:0]      m_axi_bid,
  input wire [1:0]      m_axi_bresp,
  input wire            m_axi_bvalid,
  input wire            m_axi_arready,
  input wire [2:0]      m_axi_rid,
  input wire [32-1:0]   m_axi_rdata,
  input wire [1:0]      m_axi_rresp,
  input wire            m_axi_rlast,
  input wire            m_axi_rvalid
);

  wire            irq;
  wire            s_axil_awready;
  wire            s_axil_wready;
  wire [1:0]      s_axil_bresp;
  wire            s_axil_bvalid;
  wire            s_axil_arready;
  wire [31:0]     s_axil_rdata;
  wire [1:0]      s_axil_rresp;
  wire            s_axil_rvalid;
  wire [2:0]      m_axi_awid;
  wire [32-1:0]   m_axi_awaddr;
  wire [7:0]      m_axi_awlen;
  wire [2:0]      m_axi_awsize;
  wire [1:0]      m_axi_awburst;
  wire            m_axi_awlock;
  wire [3:0]      m_axi_awcache;
  wire [2:0]      m_axi_awprot;
  wire [3:0]      m_axi_awqos;
  wire            m_axi_awvalid;
  wire [32-1:0]   m_axi_wdata;
  wire [32/8-1:0] m_axi_wstrb;
  wire            m_axi_wlast;
  wire            m_axi_wvalid;
  wire            m_axi_bready;
  wire [2:0]      m_axi_arid;
  wire [32-1:0]   m_axi_araddr;
  wire [7:0]      m_axi_arlen;
  wire [2:0]      m_axi_arsize;
  wire [1:0]      m_axi_arburst;
  wire            m_axi_arlock;
  wire [3:0]      m_axi_arcache;
  wire [2:0]      m_axi_arprot;
  wire [3:0]      m_axi_arqos;
  wire            m_axi_arvalid;
  wire            m_axi_rready;

  tpu_top #(
    .N              (4),
    .UB_ROWS        (16),
    .ACC_ROWS       (16),
    .PARAM_ROWS     (16),
    .WFIFO_TILES    (2),
    .AXI_DATA_WIDTH (32),
    .AXI_ADDR_WIDTH (32)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .irq            (irq),
    .s_axil_awaddr  (s_axil_awaddr),
    .s_axil_awprot  (s_axil_awprot),
    .s_axil_awvalid (s_axil_awvalid),
    .s_axil_awready (s_axil_awready),
    .s_axil_wdata   (s_axil_wdata),
    .s_axil_wstrb   (s_axil_wstrb),
    .s_axil_wvalid  (s_axil_wvalid),
    .s_axil_wready  (s_axil_wready),
    .s_axil_bresp   (s_axil_bresp),
    .s_axil_bvalid  (s_axil_bvalid),
    .s_axil_bready  (s_axil_bready),
    .s_axil_araddr  (s_axil_araddr),
    .s_axil_arprot  (s_axil_arprot),
    .s_axil_arvalid (s_axil_arvalid),
    .s_axil_arready (s_axil_arready),
    .s_axil_rdata   (s_axil_rdata),
    .s_axil_rresp   (s_axil_rresp),
    .s_axil_rvalid  (s_axil_rvalid),
    .s_axil_rready  (s_axil_rready),
    .m_axi_awid     (m_axi_awid),
    .m_axi_awaddr   (m_axi_awaddr),
    .m_axi_awlen    (m_axi_awlen),
    .m_axi_awsize   (m_axi_awsize),
    .m_axi_awburst  (m_axi_awburst),
    .m_axi_awlock   (m_axi_awlock),
    .m_axi_awcache  (m_axi_awcache),
    .m_axi_awprot   (m_axi_awprot),
    .m_axi_awqos    (m_axi_awqos),
    .m_axi_awvalid  (m_axi_awvalid),
    .m_axi_awready  (m_axi_awready),
    .m_axi_wdata    (m_axi_wdata),
    .m_axi_wstrb    (m_axi_wstrb),
    .m_axi_wlast    (m_axi_wlast),
    .m_axi_wvalid   (m_axi_wvalid),
    .m_axi_wready   (m_axi_wready),
    .m_axi_bid      (m_axi_bid),
    .m_axi_bresp    (m_axi_bresp),
    .m_axi_bvalid   (m_axi_bvalid),
    .m_axi_bready   (m_axi_bready),
    .m_axi_arid     (m_axi_arid),
    .m_axi_araddr   (m_axi_araddr),
    .m_axi_arlen    (m_axi_arlen),
    .m_axi_arsize   (m_axi_arsize),
    .m_axi_arburst  (m_axi_arburst),
    .m_axi_arlock   (m_axi_arlock),
    .m_axi_arcache  (m_axi_arcache),
    .m_axi_arprot   (m_axi_arprot),
    .m_axi_arqos    (m_axi_arqos),
    .m_axi_arvalid  (m_axi_arvalid),
    .m_axi_arready  (m_axi_arready),
    .m_axi_rid      (m_axi_rid),
    .m_axi_rdata    (m_axi_rdata),
    .m_axi_rresp    (m_axi_rresp),
    .m_axi_rlast    (m_axi_rlast),
    .m_axi_rvalid   (m_axi_rvalid),
    .m_axi_rready   (m_axi_rready)
  );

  //// Ports of the parts ////

  (* hierconn *) wire                                     \dut.u_host.rst ;
  (* hierconn *) wire [11:0]                              \dut.u_host.s_axil_awaddr ;
  (* hierconn *) wire [2:0]                               \dut.u_host.s_axil_awprot ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_awvalid ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_awready ;
  (* hierconn *) wire [31:0]                              \dut.u_host.s_axil_wdata ;
  (* hierconn *) wire [3:0]                               \dut.u_host.s_axil_wstrb ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_wvalid ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_wready ;
  (* hierconn *) wire [1:0]                               \dut.u_host.s_axil_bresp ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_bvalid ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_bready ;
  (* hierconn *) wire [11:0]                              \dut.u_host.s_axil_araddr ;
  (* hierconn *) wire [2:0]                               \dut.u_host.s_axil_arprot ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_arvalid ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_arready ;
  (* hierconn *) wire [31:0]                              \dut.u_host.s_axil_rdata ;
  (* hierconn *) wire [1:0]                               \dut.u_host.s_axil_rresp ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_rvalid ;
  (* hierconn *) wire                                     \dut.u_host.s_axil_rready ;
  (* hierconn *) wire                                     \dut.u_host.irq ;
  (* hierconn *) wire                                     \dut.u_host.core_rst ;
  (* hierconn *) wire                                     \dut.u_host.start ;
  (* hierconn *) wire [32-1:0]                            \dut.u_host.prog_addr ;
  (* hierconn *) wire [31:0]                              \dut.u_host.prog_granules ;
  (* hierconn *) wire                                     \dut.u_host.halt ;
  (* hierconn *) wire                                     \dut.u_host.program_done ;
  (* hierconn *) wire                                     \dut.u_host.all_drained ;
  (* hierconn *) wire                                     \dut.u_host.error_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_host.error_code ;
  (* hierconn *) wire [2:0]                               \dut.u_host.error_unit ;
  (* hierconn *) wire [31:0]                              \dut.u_host.error_index ;
  (* hierconn *) wire                                     \dut.u_host.wait_valid ;
  (* hierconn *) wire [2:0]                               \dut.u_host.wait_unit ;
  (* hierconn *) wire [31:0]                              \dut.u_host.wait_index ;
  (* hierconn *) wire [2:0]                               \dut.u_host.busy_unit ;
  (* hierconn *) wire [31:0]                              \dut.u_host.busy_index ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_host.queued ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_host.waiting ;
  (* hierconn *) wire [2*`TPU_NUM_UNITS-1:0]              \dut.u_host.wait_class ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_host.inflight ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_host.starts ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_host.done ;
  (* hierconn *) wire                                     \dut.u_host.mm_active ;
  (* hierconn *) wire                                     \dut.u_host.mm_pad ;
  (* hierconn *) wire                                     \dut.u_host.mm_wait_weights ;
  (* hierconn *) wire                                     \dut.u_host.mm_weight_shift ;
  (* hierconn *) wire                                     \dut.u_host.vx_active ;
  (* hierconn *) wire                                     \dut.u_host.vx_stall_port ;
  (* hierconn *) wire                                     \dut.u_host.vx_stall_operand ;
  (* hierconn *) wire                                     \dut.u_host.vx_stall_output ;
  (* hierconn *) wire                                     \dut.u_host.fe_beat ;
  (* hierconn *) wire                                     \dut.u_host.ld_beat ;
  (* hierconn *) wire                                     \dut.u_host.wt_beat ;
  (* hierconn *) wire                                     \dut.u_host.st_beat ;
  (* hierconn *) wire                                     \dut.u_control.rst ;
  (* hierconn *) wire                                     \dut.u_control.start ;
  (* hierconn *) wire [32-1:0]                            \dut.u_control.prog_addr ;
  (* hierconn *) wire [31:0]                              \dut.u_control.prog_granules ;
  (* hierconn *) wire                                     \dut.u_control.halt ;
  (* hierconn *) wire                                     \dut.u_control.program_done ;
  (* hierconn *) wire                                     \dut.u_control.error_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_control.error_code ;
  (* hierconn *) wire [2:0]                               \dut.u_control.error_unit ;
  (* hierconn *) wire [31:0]                              \dut.u_control.error_index ;
  (* hierconn *) wire                                     \dut.u_control.wait_valid ;
  (* hierconn *) wire [2:0]                               \dut.u_control.wait_unit ;
  (* hierconn *) wire [31:0]                              \dut.u_control.wait_index ;
  (* hierconn *) wire [2:0]                               \dut.u_control.busy_unit ;
  (* hierconn *) wire [31:0]                              \dut.u_control.busy_index ;
  (* hierconn *) wire                                     \dut.u_control.ar_valid ;
  (* hierconn *) wire                                     \dut.u_control.ar_ready ;
  (* hierconn *) wire [32-1:0]                            \dut.u_control.ar_addr ;
  (* hierconn *) wire [7:0]                               \dut.u_control.ar_len ;
  (* hierconn *) wire                                     \dut.u_control.r_valid ;
  (* hierconn *) wire [32-1:0]                            \dut.u_control.r_data ;
  (* hierconn *) wire [1:0]                               \dut.u_control.r_resp ;
  (* hierconn *) wire                                     \dut.u_control.r_last ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.cmd_valid ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.cmd_ready ;
  (* hierconn *) wire [`TPU_NUM_UNITS*`TPU_CMD_BITS-1:0]  \dut.u_control.cmd ;
  (* hierconn *) wire [32*`TPU_NUM_UNITS-1:0]             \dut.u_control.cmd_index ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.done ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.err_valid ;
  (* hierconn *) wire [4*`TPU_NUM_UNITS-1:0]              \dut.u_control.err_code ;
  (* hierconn *) wire [32*`TPU_NUM_UNITS-1:0]             \dut.u_control.err_index ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.queued ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.waiting ;
  (* hierconn *) wire [2*`TPU_NUM_UNITS-1:0]              \dut.u_control.wait_class ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.inflight ;
  (* hierconn *) wire [`TPU_NUM_UNITS-1:0]                \dut.u_control.starts ;
  (* hierconn *) wire                                     \dut.u_memory.rst ;
  (* hierconn *) wire                                     \dut.u_memory.core_rst ;
  (* hierconn *) wire                                     \dut.u_memory.halt ;
  (* hierconn *) wire                                     \dut.u_memory.drained ;
  (* hierconn *) wire                                     \dut.u_memory.ld_cmd_valid ;
  (* hierconn *) wire                                     \dut.u_memory.ld_cmd_ready ;
  (* hierconn *) wire [`TPU_LOAD_USED-1:0]                \dut.u_memory.ld_cmd ;
  (* hierconn *) wire [31:0]                              \dut.u_memory.ld_cmd_index ;
  (* hierconn *) wire                                     \dut.u_memory.ld_done ;
  (* hierconn *) wire                                     \dut.u_memory.ld_err_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.ld_err_code ;
  (* hierconn *) wire [31:0]                              \dut.u_memory.ld_err_index ;
  (* hierconn *) wire                                     \dut.u_memory.wt_cmd_valid ;
  (* hierconn *) wire                                     \dut.u_memory.wt_cmd_ready ;
  (* hierconn *) wire [`TPU_WEIGHTS_USED-1:0]             \dut.u_memory.wt_cmd ;
  (* hierconn *) wire [31:0]                              \dut.u_memory.wt_cmd_index ;
  (* hierconn *) wire                                     \dut.u_memory.wt_done ;
  (* hierconn *) wire                                     \dut.u_memory.wt_err_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.wt_err_code ;
  (* hierconn *) wire [31:0]                              \dut.u_memory.wt_err_index ;
  (* hierconn *) wire                                     \dut.u_memory.st_cmd_valid ;
  (* hierconn *) wire                                     \dut.u_memory.st_cmd_ready ;
  (* hierconn *) wire [`TPU_STORE_USED-1:0]               \dut.u_memory.st_cmd ;
  (* hierconn *) wire [31:0]                              \dut.u_memory.st_cmd_index ;
  (* hierconn *) wire                                     \dut.u_memory.st_done ;
  (* hierconn *) wire                                     \dut.u_memory.st_err_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.st_err_code ;
  (* hierconn *) wire [31:0]                              \dut.u_memory.st_err_index ;
  (* hierconn *) wire                                     \dut.u_memory.fe_ar_valid ;
  (* hierconn *) wire                                     \dut.u_memory.fe_ar_ready ;
  (* hierconn *) wire [32-1:0]                            \dut.u_memory.fe_ar_addr ;
  (* hierconn *) wire [7:0]                               \dut.u_memory.fe_ar_len ;
  (* hierconn *) wire                                     \dut.u_memory.fe_r_valid ;
  (* hierconn *) wire [32-1:0]                            \dut.u_memory.fe_r_data ;
  (* hierconn *) wire [1:0]                               \dut.u_memory.fe_r_resp ;
  (* hierconn *) wire                                     \dut.u_memory.fe_r_last ;
  (* hierconn *) wire                                     \dut.u_memory.mm_rd_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.mm_rd_banks ;
  (* hierconn *) wire [$clog2(16)+$clog2(4)-1:0]          \dut.u_memory.mm_rd_addr ;
  (* hierconn *) wire [(0 != 0 ? 16 : 8)*4-1:0]           \dut.u_memory.mm_rd_data ;
  (* hierconn *) wire                                     \dut.u_memory.va_rd_valid ;
  (* hierconn *) wire                                     \dut.u_memory.va_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_memory.va_rd_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_memory.va_rd_data ;
  (* hierconn *) wire                                     \dut.u_memory.vb_rd_valid ;
  (* hierconn *) wire                                     \dut.u_memory.vb_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_memory.vb_rd_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_memory.vb_rd_data ;
  (* hierconn *) wire                                     \dut.u_memory.vc_rd_valid ;
  (* hierconn *) wire                                     \dut.u_memory.vc_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_memory.vc_rd_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_memory.vc_rd_data ;
  (* hierconn *) wire                                     \dut.u_memory.vo_wr_valid ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_memory.vo_wr_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_memory.vo_wr_data ;
  (* hierconn *) wire                                     \dut.u_memory.wt_valid ;
  (* hierconn *) wire                                     \dut.u_memory.wt_ready ;
  (* hierconn *) wire [(0 != 0 ? 16 : 8)*4-1:0]           \dut.u_memory.wt_data ;
  (* hierconn *) wire                                     \dut.u_memory.param_wr_valid ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_memory.param_wr_entry ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.param_wr_chunk ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_memory.param_wr_data ;
  (* hierconn *) wire                                     \dut.u_memory.lut_wr_valid ;
  (* hierconn *) wire [10:0]                              \dut.u_memory.lut_wr_addr ;
  (* hierconn *) wire [7:0]                               \dut.u_memory.lut_wr_data ;
  (* hierconn *) wire                                     \dut.u_memory.fe_beat ;
  (* hierconn *) wire                                     \dut.u_memory.ld_beat ;
  (* hierconn *) wire                                     \dut.u_memory.wt_beat ;
  (* hierconn *) wire                                     \dut.u_memory.st_beat ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_awid ;
  (* hierconn *) wire [32-1:0]                            \dut.u_memory.m_axi_awaddr ;
  (* hierconn *) wire [7:0]                               \dut.u_memory.m_axi_awlen ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_awsize ;
  (* hierconn *) wire [1:0]                               \dut.u_memory.m_axi_awburst ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_awlock ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.m_axi_awcache ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_awprot ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.m_axi_awqos ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_awvalid ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_awready ;
  (* hierconn *) wire [32-1:0]                            \dut.u_memory.m_axi_wdata ;
  (* hierconn *) wire [32/8-1:0]                          \dut.u_memory.m_axi_wstrb ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_wlast ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_wvalid ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_wready ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_bid ;
  (* hierconn *) wire [1:0]                               \dut.u_memory.m_axi_bresp ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_bvalid ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_bready ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_arid ;
  (* hierconn *) wire [32-1:0]                            \dut.u_memory.m_axi_araddr ;
  (* hierconn *) wire [7:0]                               \dut.u_memory.m_axi_arlen ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_arsize ;
  (* hierconn *) wire [1:0]                               \dut.u_memory.m_axi_arburst ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_arlock ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.m_axi_arcache ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_arprot ;
  (* hierconn *) wire [3:0]                               \dut.u_memory.m_axi_arqos ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_arvalid ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_arready ;
  (* hierconn *) wire [2:0]                               \dut.u_memory.m_axi_rid ;
  (* hierconn *) wire [32-1:0]                            \dut.u_memory.m_axi_rdata ;
  (* hierconn *) wire [1:0]                               \dut.u_memory.m_axi_rresp ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_rlast ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_rvalid ;
  (* hierconn *) wire                                     \dut.u_memory.m_axi_rready ;
  (* hierconn *) wire                                     \dut.u_matrix.rst ;
  (* hierconn *) wire                                     \dut.u_matrix.halt ;
  (* hierconn *) wire                                     \dut.u_matrix.cmd_valid ;
  (* hierconn *) wire                                     \dut.u_matrix.cmd_ready ;
  (* hierconn *) wire [`TPU_MATMUL_USED-1:0]              \dut.u_matrix.cmd ;
  (* hierconn *) wire [31:0]                              \dut.u_matrix.cmd_index ;
  (* hierconn *) wire                                     \dut.u_matrix.done ;
  (* hierconn *) wire                                     \dut.u_matrix.err_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_matrix.err_code ;
  (* hierconn *) wire [31:0]                              \dut.u_matrix.err_index ;
  (* hierconn *) wire                                     \dut.u_matrix.mm_rd_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_matrix.mm_rd_banks ;
  (* hierconn *) wire [$clog2(16)+$clog2(4)-1:0]          \dut.u_matrix.mm_rd_addr ;
  (* hierconn *) wire [(0 != 0 || 0 != 0 ? 16 : 8)*4-1:0] \dut.u_matrix.mm_rd_data ;
  (* hierconn *) wire                                     \dut.u_matrix.wt_valid ;
  (* hierconn *) wire                                     \dut.u_matrix.wt_ready ;
  (* hierconn *) wire [(0 != 0 ? 16 : 8)*4-1:0]           \dut.u_matrix.wt_data ;
  (* hierconn *) wire                                     \dut.u_matrix.acc_rd_valid ;
  (* hierconn *) wire                                     \dut.u_matrix.acc_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_matrix.acc_rd_row ;
  (* hierconn *) wire [32*4-1:0]                          \dut.u_matrix.acc_rd_data ;
  (* hierconn *) wire                                     \dut.u_matrix.ev_active ;
  (* hierconn *) wire                                     \dut.u_matrix.ev_pad ;
  (* hierconn *) wire                                     \dut.u_matrix.ev_wait_weights ;
  (* hierconn *) wire                                     \dut.u_matrix.ev_weight_shift ;
  (* hierconn *) wire                                     \dut.u_vector.rst ;
  (* hierconn *) wire                                     \dut.u_vector.cmd_valid ;
  (* hierconn *) wire                                     \dut.u_vector.cmd_ready ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0]              \dut.u_vector.cmd ;
  (* hierconn *) wire [31:0]                              \dut.u_vector.cmd_index ;
  (* hierconn *) wire                                     \dut.u_vector.done ;
  (* hierconn *) wire                                     \dut.u_vector.err_valid ;
  (* hierconn *) wire [3:0]                               \dut.u_vector.err_code ;
  (* hierconn *) wire [31:0]                              \dut.u_vector.err_index ;
  (* hierconn *) wire                                     \dut.u_vector.halt ;
  (* hierconn *) wire                                     \dut.u_vector.va_rd_valid ;
  (* hierconn *) wire                                     \dut.u_vector.va_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_vector.va_rd_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_vector.va_rd_data ;
  (* hierconn *) wire                                     \dut.u_vector.vb_rd_valid ;
  (* hierconn *) wire                                     \dut.u_vector.vb_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_vector.vb_rd_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_vector.vb_rd_data ;
  (* hierconn *) wire                                     \dut.u_vector.vc_rd_valid ;
  (* hierconn *) wire                                     \dut.u_vector.vc_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_vector.vc_rd_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_vector.vc_rd_data ;
  (* hierconn *) wire                                     \dut.u_vector.acc_rd_valid ;
  (* hierconn *) wire                                     \dut.u_vector.acc_rd_ready ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_vector.acc_rd_row ;
  (* hierconn *) wire [32*4-1:0]                          \dut.u_vector.acc_rd_data ;
  (* hierconn *) wire                                     \dut.u_vector.vo_wr_valid ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_vector.vo_wr_row ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_vector.vo_wr_data ;
  (* hierconn *) wire                                     \dut.u_vector.param_wr_valid ;
  (* hierconn *) wire [$clog2(16)-1:0]                    \dut.u_vector.param_wr_entry ;
  (* hierconn *) wire [3:0]                               \dut.u_vector.param_wr_chunk ;
  (* hierconn *) wire [8*4-1:0]                           \dut.u_vector.param_wr_data ;
  (* hierconn *) wire                                     \dut.u_vector.lut_wr_valid ;
  (* hierconn *) wire [10:0]                              \dut.u_vector.lut_wr_addr ;
  (* hierconn *) wire [7:0]                               \dut.u_vector.lut_wr_data ;
  (* hierconn *) wire                                     \dut.u_vector.ev_active ;
  (* hierconn *) wire                                     \dut.u_vector.ev_stall_port ;
  (* hierconn *) wire                                     \dut.u_vector.ev_stall_operand ;
  (* hierconn *) wire                                     \dut.u_vector.ev_stall_output ;

  always @* begin
    assert (\dut.u_host.s_axil_awaddr == s_axil_awaddr);
    assert (\dut.u_host.s_axil_awprot == s_axil_awprot);
    assert (\dut.u_host.s_axil_awvalid == s_axil_awvalid);
    assert (\dut.u_host.s_axil_awready == s_axil_awready);
    assert (\dut.u_host.s_axil_wdata == s_axil_wdata);
    assert (\dut.u_host.s_axil_wstrb == s_axil_wstrb);
    assert (\dut.u_host.s_axil_wvalid == s_axil_wvalid);
    assert (\dut.u_host.s_axil_wready == s_axil_wready);
    assert (\dut.u_host.s_axil_bresp == s_axil_bresp);
    assert (\dut.u_host.s_axil_bvalid == s_axil_bvalid);
    assert (\dut.u_host.s_axil_bready == s_axil_bready);
    assert (\dut.u_host.s_axil_araddr == s_axil_araddr);
    assert (\dut.u_host.s_axil_arprot == s_axil_arprot);
    assert (\dut.u_host.s_axil_arvalid == s_axil_arvalid);
    assert (\dut.u_host.s_axil_arready == s_axil_arready);
    assert (\dut.u_host.s_axil_rdata == s_axil_rdata);
    assert (\dut.u_host.s_axil_rresp == s_axil_rresp);
    assert (\dut.u_host.s_axil_rvalid == s_axil_rvalid);
    assert (\dut.u_host.s_axil_rready == s_axil_rready);
    assert (\dut.u_host.irq == irq);
    assert (\dut.u_host.program_done == \dut.u_control.program_done );
    assert (\dut.u_host.error_valid == \dut.u_control.error_valid );
    assert (\dut.u_host.error_code == \dut.u_control.error_code );
    assert (\dut.u_host.error_unit == \dut.u_control.error_unit );
    assert (\dut.u_host.error_index == \dut.u_control.error_index );
    assert (\dut.u_host.wait_valid == \dut.u_control.wait_valid );
    assert (\dut.u_host.wait_unit == \dut.u_control.wait_unit );
    assert (\dut.u_host.wait_index == \dut.u_control.wait_index );
    assert (\dut.u_host.busy_unit == \dut.u_control.busy_unit );
    assert (\dut.u_host.busy_index == \dut.u_control.busy_index );
    assert (\dut.u_host.queued == \dut.u_control.queued );
    assert (\dut.u_host.waiting == \dut.u_control.waiting );
    assert (\dut.u_host.wait_class == \dut.u_control.wait_class );
    assert (\dut.u_host.inflight == \dut.u_control.inflight );
    assert (\dut.u_host.starts == \dut.u_control.starts );
    assert (\dut.u_host.fe_beat == \dut.u_memory.fe_beat );
    assert (\dut.u_host.ld_beat == \dut.u_memory.ld_beat );
    assert (\dut.u_host.wt_beat == \dut.u_memory.wt_beat );
    assert (\dut.u_host.st_beat == \dut.u_memory.st_beat );
    assert (\dut.u_control.start == \dut.u_host.start );
    assert (\dut.u_control.prog_addr == \dut.u_host.prog_addr );
    assert (\dut.u_control.prog_granules == \dut.u_host.prog_granules );
    assert (\dut.u_control.halt == \dut.u_host.halt );
    assert (\dut.u_memory.core_rst == \dut.u_host.core_rst );
    assert (\dut.u_memory.halt == \dut.u_host.halt );
    assert (\dut.u_memory.mm_rd_valid == \dut.u_matrix.mm_rd_valid );
    assert (\dut.u_memory.mm_rd_banks == \dut.u_matrix.mm_rd_banks );
    assert (\dut.u_memory.mm_rd_addr == \dut.u_matrix.mm_rd_addr );
    assert (\dut.u_memory.va_rd_valid == \dut.u_vector.va_rd_valid );
    assert (\dut.u_memory.va_rd_row == \dut.u_vector.va_rd_row );
    assert (\dut.u_memory.vb_rd_valid == \dut.u_vector.vb_rd_valid );
    assert (\dut.u_memory.vb_rd_row == \dut.u_vector.vb_rd_row );
    assert (\dut.u_memory.vc_rd_valid == \dut.u_vector.vc_rd_valid );
    assert (\dut.u_memory.vc_rd_row == \dut.u_vector.vc_rd_row );
    assert (\dut.u_memory.vo_wr_valid == \dut.u_vector.vo_wr_valid );
    assert (\dut.u_memory.vo_wr_row == \dut.u_vector.vo_wr_row );
    assert (\dut.u_memory.vo_wr_data == \dut.u_vector.vo_wr_data );
    assert (\dut.u_memory.wt_ready == \dut.u_matrix.wt_ready );
    assert (\dut.u_memory.m_axi_awid == m_axi_awid);
    assert (\dut.u_memory.m_axi_awaddr == m_axi_awaddr);
    assert (\dut.u_memory.m_axi_awlen == m_axi_awlen);
    assert (\dut.u_memory.m_axi_awsize == m_axi_awsize);
    assert (\dut.u_memory.m_axi_awburst == m_axi_awburst);
    assert (\dut.u_memory.m_axi_awlock == m_axi_awlock);
    assert (\dut.u_memory.m_axi_awcache == m_axi_awcache);
    assert (\dut.u_memory.m_axi_awprot == m_axi_awprot);
    assert (\dut.u_memory.m_axi_awqos == m_axi_awqos);
    assert (\dut.u_memory.m_axi_awvalid == m_axi_awvalid);
    assert (\dut.u_memory.m_axi_awready == m_axi_awready);
    assert (\dut.u_memory.m_axi_wdata == m_axi_wdata);
    assert (\dut.u_memory.m_axi_wstrb == m_axi_wstrb);
    assert (\dut.u_memory.m_axi_wlast == m_axi_wlast);
    assert (\dut.u_memory.m_axi_wvalid == m_axi_wvalid);
    assert (\dut.u_memory.m_axi_wready == m_axi_wready);
    assert (\dut.u_memory.m_axi_bid == m_axi_bid);
    assert (\dut.u_memory.m_axi_bresp == m_axi_bresp);
    assert (\dut.u_memory.m_axi_bvalid == m_axi_bvalid);
    assert (\dut.u_memory.m_axi_bready == m_axi_bready);
    assert (\dut.u_memory.m_axi_arid == m_axi_arid);
    assert (\dut.u_memory.m_axi_araddr == m_axi_araddr);
    assert (\dut.u_memory.m_axi_arlen == m_axi_arlen);
    assert (\dut.u_memory.m_axi_arsize == m_axi_arsize);
    assert (\dut.u_memory.m_axi_arburst == m_axi_arburst);
    assert (\dut.u_memory.m_axi_arlock == m_axi_arlock);
    assert (\dut.u_memory.m_axi_arcache == m_axi_arcache);
    assert (\dut.u_memory.m_axi_arprot == m_axi_arprot);
    assert (\dut.u_memory.m_axi_arqos == m_axi_arqos);
    assert (\dut.u_memory.m_axi_arvalid == m_axi_arvalid);
    assert (\dut.u_memory.m_axi_arready == m_axi_arready);
    assert (\dut.u_memory.m_axi_rid == m_axi_rid);
    assert (\dut.u_memory.m_axi_rdata == m_axi_rdata);
    assert (\dut.u_memory.m_axi_rresp == m_axi_rresp);
    assert (\dut.u_memory.m_axi_rlast == m_axi_rlast);
    assert (\dut.u_memory.m_axi_rvalid == m_axi_rvalid);
    assert (\dut.u_memory.m_axi_rready == m_axi_rready);
    assert (\dut.u_matrix.halt == \dut.u_host.halt );
    assert (\dut.u_matrix.mm_rd_data == \dut.u_memory.mm_rd_data );
    assert (\dut.u_matrix.wt_valid == \dut.u_memory.wt_valid );
    assert (\dut.u_matrix.wt_data == \dut.u_memory.wt_data );
    assert (\dut.u_matrix.acc_rd_valid == \dut.u_vector.acc_rd_valid );
    assert (\dut.u_matrix.acc_rd_row == \dut.u_vector.acc_rd_row );
    assert (\dut.u_vector.halt == \dut.u_host.halt );
    assert (\dut.u_vector.va_rd_ready == \dut.u_memory.va_rd_ready );
    assert (\dut.u_vector.va_rd_data == \dut.u_memory.va_rd_data );
    assert (\dut.u_vector.vb_rd_ready == \dut.u_memory.vb_rd_ready );
    assert (\dut.u_vector.vb_rd_data == \dut.u_memory.vb_rd_data );
    assert (\dut.u_vector.vc_rd_ready == \dut.u_memory.vc_rd_ready );
    assert (\dut.u_vector.vc_rd_data == \dut.u_memory.vc_rd_data );
    assert (\dut.u_vector.acc_rd_ready == \dut.u_matrix.acc_rd_ready );
    assert (\dut.u_vector.acc_rd_data == \dut.u_matrix.acc_rd_data );
    assert (\dut.u_vector.param_wr_valid == \dut.u_memory.param_wr_valid );
    assert (\dut.u_vector.param_wr_entry == \dut.u_memory.param_wr_entry );
    assert (\dut.u_vector.param_wr_chunk == \dut.u_memory.param_wr_chunk );
    assert (\dut.u_vector.param_wr_data == \dut.u_memory.param_wr_data );
    assert (\dut.u_vector.lut_wr_valid == \dut.u_memory.lut_wr_valid );
    assert (\dut.u_vector.lut_wr_addr == \dut.u_memory.lut_wr_addr );
    assert (\dut.u_vector.lut_wr_data == \dut.u_memory.lut_wr_data );
    assert (\dut.u_vector.cmd_valid == \dut.u_control.cmd_valid [`TPU_INDEX_VECTOR] && \dut.u_control.cmd_ready [`TPU_INDEX_VECTOR] == \dut.u_vector.cmd_ready );
    assert (\dut.u_vector.cmd == \dut.u_control.cmd [`TPU_INDEX_VECTOR*`TPU_CMD_BITS +: `TPU_VECTOR_USED] && \dut.u_vector.cmd_index == \dut.u_control.cmd_index [`TPU_INDEX_VECTOR*32 +: 32]);
    assert (\dut.u_control.err_valid [`TPU_INDEX_VECTOR] == \dut.u_vector.err_valid && \dut.u_control.err_code [`TPU_INDEX_VECTOR*4 +: 4] == \dut.u_vector.err_code && \dut.u_control.err_index [`TPU_INDEX_VECTOR*32 +: 32] == \dut.u_vector.err_index );
    assert (\dut.u_control.done [`TPU_INDEX_VECTOR] == \dut.u_vector.done && \dut.u_host.done [`TPU_INDEX_VECTOR] == \dut.u_vector.done );
    assert (\dut.u_matrix.cmd_valid == \dut.u_control.cmd_valid [`TPU_INDEX_MATMUL] && \dut.u_control.cmd_ready [`TPU_INDEX_MATMUL] == \dut.u_matrix.cmd_ready );
    assert (\dut.u_matrix.cmd == \dut.u_control.cmd [`TPU_INDEX_MATMUL*`TPU_CMD_BITS +: `TPU_MATMUL_USED] && \dut.u_matrix.cmd_index == \dut.u_control.cmd_index [`TPU_INDEX_MATMUL*32 +: 32]);
    assert (\dut.u_control.err_valid [`TPU_INDEX_MATMUL] == \dut.u_matrix.err_valid && \dut.u_control.err_code [`TPU_INDEX_MATMUL*4 +: 4] == \dut.u_matrix.err_code && \dut.u_control.err_index [`TPU_INDEX_MATMUL*32 +: 32] == \dut.u_matrix.err_index );
    assert (\dut.u_control.done [`TPU_INDEX_MATMUL] == \dut.u_matrix.done && \dut.u_host.done [`TPU_INDEX_MATMUL] == \dut.u_matrix.done );
    assert (\dut.u_memory.ld_cmd_valid == \dut.u_control.cmd_valid [`TPU_INDEX_LOAD] && \dut.u_control.cmd_ready [`TPU_INDEX_LOAD] == \dut.u_memory.ld_cmd_ready );
    assert (\dut.u_memory.ld_cmd == \dut.u_control.cmd [`TPU_INDEX_LOAD*`TPU_CMD_BITS +: `TPU_LOAD_USED] && \dut.u_memory.ld_cmd_index == \dut.u_control.cmd_index [`TPU_INDEX_LOAD*32 +: 32]);
    assert (\dut.u_control.err_valid [`TPU_INDEX_LOAD] == \dut.u_memory.ld_err_valid && \dut.u_control.err_code [`TPU_INDEX_LOAD*4 +: 4] == \dut.u_memory.ld_err_code && \dut.u_control.err_index [`TPU_INDEX_LOAD*32 +: 32] == \dut.u_memory.ld_err_index );
    assert (\dut.u_control.done [`TPU_INDEX_LOAD] == \dut.u_memory.ld_done && \dut.u_host.done [`TPU_INDEX_LOAD] == \dut.u_memory.ld_done );
    assert (\dut.u_memory.wt_cmd_valid == \dut.u_control.cmd_valid [`TPU_INDEX_WEIGHTS] && \dut.u_control.cmd_ready [`TPU_INDEX_WEIGHTS] == \dut.u_memory.wt_cmd_ready );
    assert (\dut.u_memory.wt_cmd == \dut.u_control.cmd [`TPU_INDEX_WEIGHTS*`TPU_CMD_BITS +: `TPU_WEIGHTS_USED] && \dut.u_memory.wt_cmd_index == \dut.u_control.cmd_index [`TPU_INDEX_WEIGHTS*32 +: 32]);
    assert (\dut.u_control.err_valid [`TPU_INDEX_WEIGHTS] == \dut.u_memory.wt_err_valid && \dut.u_control.err_code [`TPU_INDEX_WEIGHTS*4 +: 4] == \dut.u_memory.wt_err_code && \dut.u_control.err_index [`TPU_INDEX_WEIGHTS*32 +: 32] == \dut.u_memory.wt_err_index );
    assert (\dut.u_control.done [`TPU_INDEX_WEIGHTS] == \dut.u_memory.wt_done && \dut.u_host.done [`TPU_INDEX_WEIGHTS] == \dut.u_memory.wt_done );
    assert (\dut.u_memory.st_cmd_valid == \dut.u_control.cmd_valid [`TPU_INDEX_STORE] && \dut.u_control.cmd_ready [`TPU_INDEX_STORE] == \dut.u_memory.st_cmd_ready );
    assert (\dut.u_memory.st_cmd == \dut.u_control.cmd [`TPU_INDEX_STORE*`TPU_CMD_BITS +: `TPU_STORE_USED] && \dut.u_memory.st_cmd_index == \dut.u_control.cmd_index [`TPU_INDEX_STORE*32 +: 32]);
    assert (\dut.u_control.err_valid [`TPU_INDEX_STORE] == \dut.u_memory.st_err_valid && \dut.u_control.err_code [`TPU_INDEX_STORE*4 +: 4] == \dut.u_memory.st_err_code && \dut.u_control.err_index [`TPU_INDEX_STORE*32 +: 32] == \dut.u_memory.st_err_index );
    assert (\dut.u_control.done [`TPU_INDEX_STORE] == \dut.u_memory.st_done && \dut.u_host.done [`TPU_INDEX_STORE] == \dut.u_memory.st_done );
    assert (\dut.u_host.mm_active == \dut.u_matrix.ev_active );
    assert (\dut.u_host.mm_pad == \dut.u_matrix.ev_pad );
    assert (\dut.u_host.mm_wait_weights == \dut.u_matrix.ev_wait_weights );
    assert (\dut.u_host.mm_weight_shift == \dut.u_matrix.ev_weight_shift );
    assert (\dut.u_memory.fe_ar_valid == \dut.u_control.ar_valid );
    assert (\dut.u_memory.fe_ar_addr == \dut.u_control.ar_addr );
    assert (\dut.u_memory.fe_ar_len == \dut.u_control.ar_len );
    assert (\dut.u_control.ar_ready == \dut.u_memory.fe_ar_ready );
    assert (\dut.u_control.r_valid == \dut.u_memory.fe_r_valid );
    assert (\dut.u_control.r_data == \dut.u_memory.fe_r_data );
    assert (\dut.u_control.r_resp == \dut.u_memory.fe_r_resp );
    assert (\dut.u_control.r_last == \dut.u_memory.fe_r_last );
    assert (\dut.u_host.vx_active == \dut.u_vector.ev_active );
    assert (\dut.u_host.vx_stall_port == \dut.u_vector.ev_stall_port );
    assert (\dut.u_host.vx_stall_operand == \dut.u_vector.ev_stall_operand );
    assert (\dut.u_host.vx_stall_output == \dut.u_vector.ev_stall_output );
    assert (\dut.u_memory.drained == \dut.u_host.all_drained );
    assert (\dut.u_control.rst == \dut.u_host.core_rst && \dut.u_matrix.rst == \dut.u_host.core_rst && \dut.u_vector.rst == \dut.u_host.core_rst && \dut.u_host.rst == rst && \dut.u_memory.rst == rst);
  end

endmodule

`default_nettype wire
