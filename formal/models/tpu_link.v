// A link whose outputs are anything.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_link #(
  parameter BIT_CYCLES = 60,
  parameter CLOCK_HZ = 60000000,
  parameter MEMORY_BYTES = 33554432
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        rx,
  output wire        tx,
  input  wire        irq,
  output wire [31:0] m_axil_awaddr,
  output wire [2:0]  m_axil_awprot,
  output wire        m_axil_awvalid,
  input  wire        m_axil_awready,
  output wire [31:0] m_axil_wdata,
  output wire [3:0]  m_axil_wstrb,
  output wire        m_axil_wvalid,
  input  wire        m_axil_wready,
  input  wire [1:0]  m_axil_bresp,
  input  wire        m_axil_bvalid,
  output wire        m_axil_bready,
  output wire [31:0] m_axil_araddr,
  output wire [2:0]  m_axil_arprot,
  output wire        m_axil_arvalid,
  input  wire        m_axil_arready,
  input  wire [31:0] m_axil_rdata,
  input  wire [1:0]  m_axil_rresp,
  input  wire        m_axil_rvalid,
  output wire        m_axil_rready,
  output wire [31:0] m_axi_awaddr,
  output wire [7:0]  m_axi_awlen,
  output wire [2:0]  m_axi_awsize,
  output wire [1:0]  m_axi_awburst,
  output wire        m_axi_awvalid,
  input  wire        m_axi_awready,
  output wire [31:0] m_axi_wdata,
  output wire [3:0]  m_axi_wstrb,
  output wire        m_axi_wlast,
  output wire        m_axi_wvalid,
  input  wire        m_axi_wready,
  input  wire [1:0]  m_axi_bresp,
  input  wire        m_axi_bvalid,
  output wire        m_axi_bready,
  output wire [31:0] m_axi_araddr,
  output wire [7:0]  m_axi_arlen,
  output wire [2:0]  m_axi_arsize,
  output wire [1:0]  m_axi_arburst,
  output wire        m_axi_arvalid,
  input  wire        m_axi_arready,
  input  wire [31:0] m_axi_rdata,
  input  wire [1:0]  m_axi_rresp,
  input  wire        m_axi_rlast,
  input  wire        m_axi_rvalid,
  output wire        m_axi_rready
);

  (* anyseq *) wire        any_tx;
  (* anyseq *) wire [31:0] any_m_axil_awaddr;
  (* anyseq *) wire [2:0]  any_m_axil_awprot;
  (* anyseq *) wire        any_m_axil_awvalid;
  (* anyseq *) wire [31:0] any_m_axil_wdata;
  (* anyseq *) wire [3:0]  any_m_axil_wstrb;
  (* anyseq *) wire        any_m_axil_wvalid;
  (* anyseq *) wire        any_m_axil_bready;
  (* anyseq *) wire [31:0] any_m_axil_araddr;
  (* anyseq *) wire [2:0]  any_m_axil_arprot;
  (* anyseq *) wire        any_m_axil_arvalid;
  (* anyseq *) wire        any_m_axil_rready;
  (* anyseq *) wire [31:0] any_m_axi_awaddr;
  (* anyseq *) wire [7:0]  any_m_axi_awlen;
  (* anyseq *) wire [2:0]  any_m_axi_awsize;
  (* anyseq *) wire [1:0]  any_m_axi_awburst;
  (* anyseq *) wire        any_m_axi_awvalid;
  (* anyseq *) wire [31:0] any_m_axi_wdata;
  (* anyseq *) wire [3:0]  any_m_axi_wstrb;
  (* anyseq *) wire        any_m_axi_wlast;
  (* anyseq *) wire        any_m_axi_wvalid;
  (* anyseq *) wire        any_m_axi_bready;
  (* anyseq *) wire [31:0] any_m_axi_araddr;
  (* anyseq *) wire [7:0]  any_m_axi_arlen;
  (* anyseq *) wire [2:0]  any_m_axi_arsize;
  (* anyseq *) wire [1:0]  any_m_axi_arburst;
  (* anyseq *) wire        any_m_axi_arvalid;
  (* anyseq *) wire        any_m_axi_rready;

  assign tx             = any_tx;
  assign m_axil_awaddr  = any_m_axil_awaddr;
  assign m_axil_awprot  = any_m_axil_awprot;
  assign m_axil_awvalid = any_m_axil_awvalid;
  assign m_axil_wdata   = any_m_axil_wdata;
  assign m_axil_wstrb   = any_m_axil_wstrb;
  assign m_axil_wvalid  = any_m_axil_wvalid;
  assign m_axil_bready  = any_m_axil_bready;
  assign m_axil_araddr  = any_m_axil_araddr;
  assign m_axil_arprot  = any_m_axil_arprot;
  assign m_axil_arvalid = any_m_axil_arvalid;
  assign m_axil_rready  = any_m_axil_rready;
  assign m_axi_awaddr   = any_m_axi_awaddr;
  assign m_axi_awlen    = any_m_axi_awlen;
  assign m_axi_awsize   = any_m_axi_awsize;
  assign m_axi_awburst  = any_m_axi_awburst;
  assign m_axi_awvalid  = any_m_axi_awvalid;
  assign m_axi_wdata    = any_m_axi_wdata;
  assign m_axi_wstrb    = any_m_axi_wstrb;
  assign m_axi_wlast    = any_m_axi_wlast;
  assign m_axi_wvalid   = any_m_axi_wvalid;
  assign m_axi_bready   = any_m_axi_bready;
  assign m_axi_araddr   = any_m_axi_araddr;
  assign m_axi_arlen    = any_m_axi_arlen;
  assign m_axi_arsize   = any_m_axi_arsize;
  assign m_axi_arburst  = any_m_axi_arburst;
  assign m_axi_arvalid  = any_m_axi_arvalid;
  assign m_axi_rready   = any_m_axi_rready;

endmodule

`default_nettype wire
