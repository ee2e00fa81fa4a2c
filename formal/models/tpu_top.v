// A TPU whose outputs are anything.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_top #(
  parameter N = 4,
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 16,
  parameter PARAM_ROWS = 16,
  parameter WFIFO_TILES = 2,
  parameter WINDOW = 1,
  parameter REQUANT_LANES = 1,
  parameter BF16 = 0,
  parameter INT16 = 0,
  parameter FLOAT_ROUNDING = 0,
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 32
) (
  input  wire                        clk,
  input  wire                        rst,
  output wire                        irq,
  input  wire [11:0]                 s_axil_awaddr,
  input  wire [2:0]                  s_axil_awprot,
  input  wire                        s_axil_awvalid,
  output wire                        s_axil_awready,
  input  wire [31:0]                 s_axil_wdata,
  input  wire [3:0]                  s_axil_wstrb,
  input  wire                        s_axil_wvalid,
  output wire                        s_axil_wready,
  output wire [1:0]                  s_axil_bresp,
  output wire                        s_axil_bvalid,
  input  wire                        s_axil_bready,
  input  wire [11:0]                 s_axil_araddr,
  input  wire [2:0]                  s_axil_arprot,
  input  wire                        s_axil_arvalid,
  output wire                        s_axil_arready,
  output wire [31:0]                 s_axil_rdata,
  output wire [1:0]                  s_axil_rresp,
  output wire                        s_axil_rvalid,
  input  wire                        s_axil_rready,
  output wire [2:0]                  m_axi_awid,
  output wire [AXI_ADDR_WIDTH-1:0]   m_axi_awaddr,
  output wire [7:0]                  m_axi_awlen,
  output wire [2:0]                  m_axi_awsize,
  output wire [1:0]                  m_axi_awburst,
  output wire                        m_axi_awlock,
  output wire [3:0]                  m_axi_awcache,
  output wire [2:0]                  m_axi_awprot,
  output wire [3:0]                  m_axi_awqos,
  output wire                        m_axi_awvalid,
  input  wire                        m_axi_awready,
  output wire [AXI_DATA_WIDTH-1:0]   m_axi_wdata,
  output wire [AXI_DATA_WIDTH/8-1:0] m_axi_wstrb,
  output wire                        m_axi_wlast,
  output wire                        m_axi_wvalid,
  input  wire                        m_axi_wready,
  input  wire [2:0]                  m_axi_bid,
  input  wire [1:0]                  m_axi_bresp,
  input  wire                        m_axi_bvalid,
  output wire                        m_axi_bready,
  output wire [2:0]                  m_axi_arid,
  output wire [AXI_ADDR_WIDTH-1:0]   m_axi_araddr,
  output wire [7:0]                  m_axi_arlen,
  output wire [2:0]                  m_axi_arsize,
  output wire [1:0]                  m_axi_arburst,
  output wire                        m_axi_arlock,
  output wire [3:0]                  m_axi_arcache,
  output wire [2:0]                  m_axi_arprot,
  output wire [3:0]                  m_axi_arqos,
  output wire                        m_axi_arvalid,
  input  wire                        m_axi_arready,
  input  wire [2:0]                  m_axi_rid,
  input  wire [AXI_DATA_WIDTH-1:0]   m_axi_rdata,
  input  wire [1:0]                  m_axi_rresp,
  input  wire                        m_axi_rlast,
  input  wire                        m_axi_rvalid,
  output wire                        m_axi_rready
);

  (* anyseq *) wire                        any_irq;
  (* anyseq *) wire                        any_s_axil_awready;
  (* anyseq *) wire                        any_s_axil_wready;
  (* anyseq *) wire [1:0]                  any_s_axil_bresp;
  (* anyseq *) wire                        any_s_axil_bvalid;
  (* anyseq *) wire                        any_s_axil_arready;
  (* anyseq *) wire [31:0]                 any_s_axil_rdata;
  (* anyseq *) wire [1:0]                  any_s_axil_rresp;
  (* anyseq *) wire                        any_s_axil_rvalid;
  (* anyseq *) wire [2:0]                  any_m_axi_awid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]   any_m_axi_awaddr;
  (* anyseq *) wire [7:0]                  any_m_axi_awlen;
  (* anyseq *) wire [2:0]                  any_m_axi_awsize;
  (* anyseq *) wire [1:0]                  any_m_axi_awburst;
  (* anyseq *) wire                        any_m_axi_awlock;
  (* anyseq *) wire [3:0]                  any_m_axi_awcache;
  (* anyseq *) wire [2:0]                  any_m_axi_awprot;
  (* anyseq *) wire [3:0]                  any_m_axi_awqos;
  (* anyseq *) wire                        any_m_axi_awvalid;
  (* anyseq *) wire [AXI_DATA_WIDTH-1:0]   any_m_axi_wdata;
  (* anyseq *) wire [AXI_DATA_WIDTH/8-1:0] any_m_axi_wstrb;
  (* anyseq *) wire                        any_m_axi_wlast;
  (* anyseq *) wire                        any_m_axi_wvalid;
  (* anyseq *) wire                        any_m_axi_bready;
  (* anyseq *) wire [2:0]                  any_m_axi_arid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]   any_m_axi_araddr;
  (* anyseq *) wire [7:0]                  any_m_axi_arlen;
  (* anyseq *) wire [2:0]                  any_m_axi_arsize;
  (* anyseq *) wire [1:0]                  any_m_axi_arburst;
  (* anyseq *) wire                        any_m_axi_arlock;
  (* anyseq *) wire [3:0]                  any_m_axi_arcache;
  (* anyseq *) wire [2:0]                  any_m_axi_arprot;
  (* anyseq *) wire [3:0]                  any_m_axi_arqos;
  (* anyseq *) wire                        any_m_axi_arvalid;
  (* anyseq *) wire                        any_m_axi_rready;

  assign irq            = any_irq;
  assign s_axil_awready = any_s_axil_awready;
  assign s_axil_wready  = any_s_axil_wready;
  assign s_axil_bresp   = any_s_axil_bresp;
  assign s_axil_bvalid  = any_s_axil_bvalid;
  assign s_axil_arready = any_s_axil_arready;
  assign s_axil_rdata   = any_s_axil_rdata;
  assign s_axil_rresp   = any_s_axil_rresp;
  assign s_axil_rvalid  = any_s_axil_rvalid;
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
