// tpu_board: an address below 4096 of the link's registers is the TPU's and asks nobody else, any other one asks the board; the answer comes from
// the one that was asked. All else passes between link, TPU and ports as it is.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_board (
  input wire        clk,
  input wire        rst,
  input wire        rx,
  input wire        m_axil_awready,
  input wire        m_axil_wready,
  input wire [1:0]  m_axil_bresp,
  input wire        m_axil_bvalid,
  input wire        m_axil_arready,
  input wire [31:0] m_axil_rdata,
  input wire [1:0]  m_axil_rresp,
  input wire        m_axil_rvalid,
  input wire        m_axi_awready,
  input wire        m_axi_wready,
  input wire [2:0]  m_axi_bid,
  input wire [1:0]  m_axi_bresp,
  input wire        m_axi_bvalid,
  input wire        m_axi_arready,
  input wire [2:0]  m_axi_rid,
  input wire [31:0] m_axi_rdata,
  input wire [1:0]  m_axi_rresp,
  input wire        m_axi_rlast,
  input wire        m_axi_rvalid,
  input wire        l_axi_awready,
  input wire        l_axi_wready,
  input wire [1:0]  l_axi_bresp,
  input wire        l_axi_bvalid,
  input wire        l_axi_arready,
  input wire [31:0] l_axi_rdata,
  input wire [1:0]  l_axi_rresp,
  input wire        l_axi_rlast,
  input wire        l_axi_rvalid
);

  wire        tx;
  wire [31:0] m_axil_awaddr;
  wire [2:0]  m_axil_awprot;
  wire        m_axil_awvalid;
  wire [31:0] m_axil_wdata;
  wire [3:0]  m_axil_wstrb;
  wire        m_axil_wvalid;
  wire        m_axil_bready;
  wire [31:0] m_axil_araddr;
  wire [2:0]  m_axil_arprot;
  wire        m_axil_arvalid;
  wire        m_axil_rready;
  wire [2:0]  m_axi_awid;
  wire [31:0] m_axi_awaddr;
  wire [7:0]  m_axi_awlen;
  wire [2:0]  m_axi_awsize;
  wire [1:0]  m_axi_awburst;
  wire        m_axi_awlock;
  wire [3:0]  m_axi_awcache;
  wire [2:0]  m_axi_awprot;
  wire [3:0]  m_axi_awqos;
  wire        m_axi_awvalid;
  wire [31:0] m_axi_wdata;
  wire [3:0]  m_axi_wstrb;
  wire        m_axi_wlast;
  wire        m_axi_wvalid;
  wire        m_axi_bready;
  wire [2:0]  m_axi_arid;
  wire [31:0] m_axi_araddr;
  wire [7:0]  m_axi_arlen;
  wire [2:0]  m_axi_arsize;
  wire [1:0]  m_axi_arburst;
  wire        m_axi_arlock;
  wire [3:0]  m_axi_arcache;
  wire [2:0]  m_axi_arprot;
  wire [3:0]  m_axi_arqos;
  wire        m_axi_arvalid;
  wire        m_axi_rready;
  wire [31:0] l_axi_awaddr;
  wire [7:0]  l_axi_awlen;
  wire [2:0]  l_axi_awsize;
  wire [1:0]  l_axi_awburst;
  wire        l_axi_awvalid;
  wire [31:0] l_axi_wdata;
  wire [3:0]  l_axi_wstrb;
  wire        l_axi_wlast;
  wire        l_axi_wvalid;
  wire        l_axi_bready;
  wire [31:0] l_axi_araddr;
  wire [7:0]  l_axi_arlen;
  wire [2:0]  l_axi_arsize;
  wire [1:0]  l_axi_arburst;
  wire        l_axi_arvalid;
  wire        l_axi_rready;

  tpu_board #(
    .N              (4),
    .AXI_DATA_WIDTH (32),
    .AXI_ADDR_WIDTH (32)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .rx             (rx),
    .tx             (tx),
    .m_axil_awaddr  (m_axil_awaddr),
    .m_axil_awprot  (m_axil_awprot),
    .m_axil_awvalid (m_axil_awvalid),
    .m_axil_awready (m_axil_awready),
    .m_axil_wdata   (m_axil_wdata),
    .m_axil_wstrb   (m_axil_wstrb),
    .m_axil_wvalid  (m_axil_wvalid),
    .m_axil_wready  (m_axil_wready),
    .m_axil_bresp   (m_axil_bresp),
    .m_axil_bvalid  (m_axil_bvalid),
    .m_axil_bready  (m_axil_bready),
    .m_axil_araddr  (m_axil_araddr),
    .m_axil_arprot  (m_axil_arprot),
    .m_axil_arvalid (m_axil_arvalid),
    .m_axil_arready (m_axil_arready),
    .m_axil_rdata   (m_axil_rdata),
    .m_axil_rresp   (m_axil_rresp),
    .m_axil_rvalid  (m_axil_rvalid),
    .m_axil_rready  (m_axil_rready),
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
    .m_axi_rready   (m_axi_rready),
    .l_axi_awaddr   (l_axi_awaddr),
    .l_axi_awlen    (l_axi_awlen),
    .l_axi_awsize   (l_axi_awsize),
    .l_axi_awburst  (l_axi_awburst),
    .l_axi_awvalid  (l_axi_awvalid),
    .l_axi_awready  (l_axi_awready),
    .l_axi_wdata    (l_axi_wdata),
    .l_axi_wstrb    (l_axi_wstrb),
    .l_axi_wlast    (l_axi_wlast),
    .l_axi_wvalid   (l_axi_wvalid),
    .l_axi_wready   (l_axi_wready),
    .l_axi_bresp    (l_axi_bresp),
    .l_axi_bvalid   (l_axi_bvalid),
    .l_axi_bready   (l_axi_bready),
    .l_axi_araddr   (l_axi_araddr),
    .l_axi_arlen    (l_axi_arlen),
    .l_axi_arsize   (l_axi_arsize),
    .l_axi_arburst  (l_axi_arburst),
    .l_axi_arvalid  (l_axi_arvalid),
    .l_axi_arready  (l_axi_arready),
    .l_axi_rdata    (l_axi_rdata),
    .l_axi_rresp    (l_axi_rresp),
    .l_axi_rlast    (l_axi_rlast),
    .l_axi_rvalid   (l_axi_rvalid),
    .l_axi_rready   (l_axi_rready)
  );

  //// The ports of what is inside ////

  (* hierconn *) wire        \dut.u_link.rx ;
  (* hierconn *) wire        \dut.u_link.tx ;
  (* hierconn *) wire        \dut.u_link.irq ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axil_awaddr ;
  (* hierconn *) wire [2:0]  \dut.u_link.m_axil_awprot ;
  (* hierconn *) wire        \dut.u_link.m_axil_awvalid ;
  (* hierconn *) wire        \dut.u_link.m_axil_awready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axil_wdata ;
  (* hierconn *) wire [3:0]  \dut.u_link.m_axil_wstrb ;
  (* hierconn *) wire        \dut.u_link.m_axil_wvalid ;
  (* hierconn *) wire        \dut.u_link.m_axil_wready ;
  (* hierconn *) wire [1:0]  \dut.u_link.m_axil_bresp ;
  (* hierconn *) wire        \dut.u_link.m_axil_bvalid ;
  (* hierconn *) wire        \dut.u_link.m_axil_bready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axil_araddr ;
  (* hierconn *) wire [2:0]  \dut.u_link.m_axil_arprot ;
  (* hierconn *) wire        \dut.u_link.m_axil_arvalid ;
  (* hierconn *) wire        \dut.u_link.m_axil_arready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axil_rdata ;
  (* hierconn *) wire [1:0]  \dut.u_link.m_axil_rresp ;
  (* hierconn *) wire        \dut.u_link.m_axil_rvalid ;
  (* hierconn *) wire        \dut.u_link.m_axil_rready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axi_awaddr ;
  (* hierconn *) wire [7:0]  \dut.u_link.m_axi_awlen ;
  (* hierconn *) wire [2:0]  \dut.u_link.m_axi_awsize ;
  (* hierconn *) wire [1:0]  \dut.u_link.m_axi_awburst ;
  (* hierconn *) wire        \dut.u_link.m_axi_awvalid ;
  (* hierconn *) wire        \dut.u_link.m_axi_awready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axi_wdata ;
  (* hierconn *) wire [3:0]  \dut.u_link.m_axi_wstrb ;
  (* hierconn *) wire        \dut.u_link.m_axi_wlast ;
  (* hierconn *) wire        \dut.u_link.m_axi_wvalid ;
  (* hierconn *) wire        \dut.u_link.m_axi_wready ;
  (* hierconn *) wire [1:0]  \dut.u_link.m_axi_bresp ;
  (* hierconn *) wire        \dut.u_link.m_axi_bvalid ;
  (* hierconn *) wire        \dut.u_link.m_axi_bready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axi_araddr ;
  (* hierconn *) wire [7:0]  \dut.u_link.m_axi_arlen ;
  (* hierconn *) wire [2:0]  \dut.u_link.m_axi_arsize ;
  (* hierconn *) wire [1:0]  \dut.u_link.m_axi_arburst ;
  (* hierconn *) wire        \dut.u_link.m_axi_arvalid ;
  (* hierconn *) wire        \dut.u_link.m_axi_arready ;
  (* hierconn *) wire [31:0] \dut.u_link.m_axi_rdata ;
  (* hierconn *) wire [1:0]  \dut.u_link.m_axi_rresp ;
  (* hierconn *) wire        \dut.u_link.m_axi_rlast ;
  (* hierconn *) wire        \dut.u_link.m_axi_rvalid ;
  (* hierconn *) wire        \dut.u_link.m_axi_rready ;

  (* hierconn *) wire        \dut.u_tpu.irq ;
  (* hierconn *) wire [11:0] \dut.u_tpu.s_axil_awaddr ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.s_axil_awprot ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_awvalid ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_awready ;
  (* hierconn *) wire [31:0] \dut.u_tpu.s_axil_wdata ;
  (* hierconn *) wire [3:0]  \dut.u_tpu.s_axil_wstrb ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_wvalid ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_wready ;
  (* hierconn *) wire [1:0]  \dut.u_tpu.s_axil_bresp ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_bvalid ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_bready ;
  (* hierconn *) wire [11:0] \dut.u_tpu.s_axil_araddr ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.s_axil_arprot ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_arvalid ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_arready ;
  (* hierconn *) wire [31:0] \dut.u_tpu.s_axil_rdata ;
  (* hierconn *) wire [1:0]  \dut.u_tpu.s_axil_rresp ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_rvalid ;
  (* hierconn *) wire        \dut.u_tpu.s_axil_rready ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_awid ;
  (* hierconn *) wire [31:0] \dut.u_tpu.m_axi_awaddr ;
  (* hierconn *) wire [7:0]  \dut.u_tpu.m_axi_awlen ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_awsize ;
  (* hierconn *) wire [1:0]  \dut.u_tpu.m_axi_awburst ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_awlock ;
  (* hierconn *) wire [3:0]  \dut.u_tpu.m_axi_awcache ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_awprot ;
  (* hierconn *) wire [3:0]  \dut.u_tpu.m_axi_awqos ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_awvalid ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_awready ;
  (* hierconn *) wire [31:0] \dut.u_tpu.m_axi_wdata ;
  (* hierconn *) wire [3:0]  \dut.u_tpu.m_axi_wstrb ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_wlast ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_wvalid ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_wready ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_bid ;
  (* hierconn *) wire [1:0]  \dut.u_tpu.m_axi_bresp ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_bvalid ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_bready ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_arid ;
  (* hierconn *) wire [31:0] \dut.u_tpu.m_axi_araddr ;
  (* hierconn *) wire [7:0]  \dut.u_tpu.m_axi_arlen ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_arsize ;
  (* hierconn *) wire [1:0]  \dut.u_tpu.m_axi_arburst ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_arlock ;
  (* hierconn *) wire [3:0]  \dut.u_tpu.m_axi_arcache ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_arprot ;
  (* hierconn *) wire [3:0]  \dut.u_tpu.m_axi_arqos ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_arvalid ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_arready ;
  (* hierconn *) wire [2:0]  \dut.u_tpu.m_axi_rid ;
  (* hierconn *) wire [31:0] \dut.u_tpu.m_axi_rdata ;
  (* hierconn *) wire [1:0]  \dut.u_tpu.m_axi_rresp ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_rlast ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_rvalid ;
  (* hierconn *) wire        \dut.u_tpu.m_axi_rready ;

  wire aw_tpu = \dut.u_link.m_axil_awaddr < 32'd4096;
  wire ar_tpu = \dut.u_link.m_axil_araddr < 32'd4096;

  always @* begin
    // Who is asked: an address and its data
    assert (\dut.u_tpu.s_axil_awvalid == (\dut.u_link.m_axil_awvalid && aw_tpu) && m_axil_awvalid == (\dut.u_link.m_axil_awvalid && !aw_tpu));
    assert (\dut.u_tpu.s_axil_wvalid == (\dut.u_link.m_axil_wvalid && aw_tpu) && m_axil_wvalid == (\dut.u_link.m_axil_wvalid && !aw_tpu));
    assert (\dut.u_tpu.s_axil_arvalid == (\dut.u_link.m_axil_arvalid && ar_tpu) && m_axil_arvalid == (\dut.u_link.m_axil_arvalid && !ar_tpu));
    // Who answers
    assert (\dut.u_link.m_axil_awready == (aw_tpu ? \dut.u_tpu.s_axil_awready : m_axil_awready));
    assert (\dut.u_link.m_axil_wready == (aw_tpu ? \dut.u_tpu.s_axil_wready : m_axil_wready));
    assert (\dut.u_link.m_axil_bvalid == (aw_tpu ? \dut.u_tpu.s_axil_bvalid : m_axil_bvalid));
    assert (\dut.u_link.m_axil_bresp == (aw_tpu ? \dut.u_tpu.s_axil_bresp : m_axil_bresp));
    assert (\dut.u_link.m_axil_arready == (ar_tpu ? \dut.u_tpu.s_axil_arready : m_axil_arready));
    assert (\dut.u_link.m_axil_rvalid == (ar_tpu ? \dut.u_tpu.s_axil_rvalid : m_axil_rvalid));
    assert (\dut.u_link.m_axil_rdata == (ar_tpu ? \dut.u_tpu.s_axil_rdata : m_axil_rdata));
    assert (\dut.u_link.m_axil_rresp == (ar_tpu ? \dut.u_tpu.s_axil_rresp : m_axil_rresp));
    // What both hear
    assert (m_axil_awaddr == \dut.u_link.m_axil_awaddr && \dut.u_tpu.s_axil_awaddr == \dut.u_link.m_axil_awaddr [11:0]);
    assert (m_axil_awprot == \dut.u_link.m_axil_awprot && \dut.u_tpu.s_axil_awprot == \dut.u_link.m_axil_awprot );
    assert (m_axil_wdata == \dut.u_link.m_axil_wdata && \dut.u_tpu.s_axil_wdata == \dut.u_link.m_axil_wdata );
    assert (m_axil_wstrb == \dut.u_link.m_axil_wstrb && \dut.u_tpu.s_axil_wstrb == \dut.u_link.m_axil_wstrb );
    assert (m_axil_bready == \dut.u_link.m_axil_bready && \dut.u_tpu.s_axil_bready == \dut.u_link.m_axil_bready );
    assert (m_axil_araddr == \dut.u_link.m_axil_araddr && \dut.u_tpu.s_axil_araddr == \dut.u_link.m_axil_araddr [11:0]);
    assert (m_axil_arprot == \dut.u_link.m_axil_arprot && \dut.u_tpu.s_axil_arprot == \dut.u_link.m_axil_arprot );
    assert (m_axil_rready == \dut.u_link.m_axil_rready && \dut.u_tpu.s_axil_rready == \dut.u_link.m_axil_rready );
    // Memory, serial line, interrupt
    assert (\dut.u_link.m_axi_awaddr == l_axi_awaddr);
    assert (\dut.u_link.m_axi_awlen == l_axi_awlen);
    assert (\dut.u_link.m_axi_awsize == l_axi_awsize);
    assert (\dut.u_link.m_axi_awburst == l_axi_awburst);
    assert (\dut.u_link.m_axi_awvalid == l_axi_awvalid);
    assert (\dut.u_link.m_axi_awready == l_axi_awready);
    assert (\dut.u_link.m_axi_wdata == l_axi_wdata);
    assert (\dut.u_link.m_axi_wstrb == l_axi_wstrb);
    assert (\dut.u_link.m_axi_wlast == l_axi_wlast);
    assert (\dut.u_link.m_axi_wvalid == l_axi_wvalid);
    assert (\dut.u_link.m_axi_wready == l_axi_wready);
    assert (\dut.u_link.m_axi_bresp == l_axi_bresp);
    assert (\dut.u_link.m_axi_bvalid == l_axi_bvalid);
    assert (\dut.u_link.m_axi_bready == l_axi_bready);
    assert (\dut.u_link.m_axi_araddr == l_axi_araddr);
    assert (\dut.u_link.m_axi_arlen == l_axi_arlen);
    assert (\dut.u_link.m_axi_arsize == l_axi_arsize);
    assert (\dut.u_link.m_axi_arburst == l_axi_arburst);
    assert (\dut.u_link.m_axi_arvalid == l_axi_arvalid);
    assert (\dut.u_link.m_axi_arready == l_axi_arready);
    assert (\dut.u_link.m_axi_rdata == l_axi_rdata);
    assert (\dut.u_link.m_axi_rresp == l_axi_rresp);
    assert (\dut.u_link.m_axi_rlast == l_axi_rlast);
    assert (\dut.u_link.m_axi_rvalid == l_axi_rvalid);
    assert (\dut.u_link.m_axi_rready == l_axi_rready);
    assert (\dut.u_tpu.m_axi_awid == m_axi_awid);
    assert (\dut.u_tpu.m_axi_awaddr == m_axi_awaddr);
    assert (\dut.u_tpu.m_axi_awlen == m_axi_awlen);
    assert (\dut.u_tpu.m_axi_awsize == m_axi_awsize);
    assert (\dut.u_tpu.m_axi_awburst == m_axi_awburst);
    assert (\dut.u_tpu.m_axi_awlock == m_axi_awlock);
    assert (\dut.u_tpu.m_axi_awcache == m_axi_awcache);
    assert (\dut.u_tpu.m_axi_awprot == m_axi_awprot);
    assert (\dut.u_tpu.m_axi_awqos == m_axi_awqos);
    assert (\dut.u_tpu.m_axi_awvalid == m_axi_awvalid);
    assert (\dut.u_tpu.m_axi_awready == m_axi_awready);
    assert (\dut.u_tpu.m_axi_wdata == m_axi_wdata);
    assert (\dut.u_tpu.m_axi_wstrb == m_axi_wstrb);
    assert (\dut.u_tpu.m_axi_wlast == m_axi_wlast);
    assert (\dut.u_tpu.m_axi_wvalid == m_axi_wvalid);
    assert (\dut.u_tpu.m_axi_wready == m_axi_wready);
    assert (\dut.u_tpu.m_axi_bid == m_axi_bid);
    assert (\dut.u_tpu.m_axi_bresp == m_axi_bresp);
    assert (\dut.u_tpu.m_axi_bvalid == m_axi_bvalid);
    assert (\dut.u_tpu.m_axi_bready == m_axi_bready);
    assert (\dut.u_tpu.m_axi_arid == m_axi_arid);
    assert (\dut.u_tpu.m_axi_araddr == m_axi_araddr);
    assert (\dut.u_tpu.m_axi_arlen == m_axi_arlen);
    assert (\dut.u_tpu.m_axi_arsize == m_axi_arsize);
    assert (\dut.u_tpu.m_axi_arburst == m_axi_arburst);
    assert (\dut.u_tpu.m_axi_arlock == m_axi_arlock);
    assert (\dut.u_tpu.m_axi_arcache == m_axi_arcache);
    assert (\dut.u_tpu.m_axi_arprot == m_axi_arprot);
    assert (\dut.u_tpu.m_axi_arqos == m_axi_arqos);
    assert (\dut.u_tpu.m_axi_arvalid == m_axi_arvalid);
    assert (\dut.u_tpu.m_axi_arready == m_axi_arready);
    assert (\dut.u_tpu.m_axi_rid == m_axi_rid);
    assert (\dut.u_tpu.m_axi_rdata == m_axi_rdata);
    assert (\dut.u_tpu.m_axi_rresp == m_axi_rresp);
    assert (\dut.u_tpu.m_axi_rlast == m_axi_rlast);
    assert (\dut.u_tpu.m_axi_rvalid == m_axi_rvalid);
    assert (\dut.u_tpu.m_axi_rready == m_axi_rready);
    assert (tx == \dut.u_link.tx && \dut.u_link.rx == rx && \dut.u_link.irq == \dut.u_tpu.irq );
  end

endmodule

`default_nettype wire
