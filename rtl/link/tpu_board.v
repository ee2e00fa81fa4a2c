// What a board needs of this project: the TPU, and the host's link to its registers and to the memory. A board adds clock, reset, memory and
// pins (docs/boards.md).
//
// The link's registers split by address: below 4096 those of the TPU, from there on those of the board, which has some for its memory's
// initialisation. The link asks for one register at a time and keeps the address until it is answered, so that the address alone says whose
// answer counts.
//
// More than 200 lines and 40 ports, as three bus ports are named here.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_board #(
  // ---- Of the link ----
  // Clock cycles of a bit on the serial line, at least 4
  parameter BIT_CYCLES = 60,
  // What the host is told: Hz of the clock
  parameter CLOCK_HZ = 60000000,
  // and bytes of memory, from address 0 on
  parameter MEMORY_BYTES = 33554432,
  // ---- Of the TPU ----
  // Rows and columns of the array, lanes of the vector unit: 4, 8, 16, 32 or 64
  parameter N = 16,
  // Unified buffer rows of N bytes, a power of two up to 65536
  parameter UB_ROWS = 16384,
  // Accumulator rows of N x 32 bits, a power of two up to 65536
  parameter ACC_ROWS = 2048,
  // Parameter entries, a power of two
  parameter PARAM_ROWS = 512,
  // Weight FIFO depth in tiles, a power of two
  parameter WFIFO_TILES = 4,
  // 1: the vector unit does 3 x 3 windows column by column; 0: tap by tap, without nine multipliers a lane
  parameter WINDOW = 1,
  // Vector lanes that share a requantiser, a power of two up to N: an output row takes as many cycles
  parameter REQUANT_LANES = 1,
  // 1: bf16 and fp32, too (docs/isa.md, 10)
  parameter BF16 = 0,
  // 1: int16, too (docs/isa.md, 11)
  parameter INT16 = 0,
  // 1: VECTOR rounds as float32, too (docs/isa.md, 7)
  parameter FLOAT_ROUNDING = 0,
  // Bits per memory beat: 32, 64, 128, 256 or 512
  parameter AXI_DATA_WIDTH = (8 * N > 512) ? 512 : 8 * N,
  // Bits of a memory address, at most 64
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                               clk,
  input  wire                               rst,

  // Serial line
  input  wire                               rx,
  output wire                               tx,

  // Registers of the board from address 4096 on; those of the TPU lie below.
  output wire [31:0]                        m_axil_awaddr,
  output wire [2:0]                         m_axil_awprot,
  output wire                               m_axil_awvalid,
  input  wire                               m_axil_awready,
  output wire [31:0]                        m_axil_wdata,
  output wire [3:0]                         m_axil_wstrb,
  output wire                               m_axil_wvalid,
  input  wire                               m_axil_wready,
  input  wire [1:0]                         m_axil_bresp,
  input  wire                               m_axil_bvalid,
  output wire                               m_axil_bready,
  output wire [31:0]                        m_axil_araddr,
  output wire [2:0]                         m_axil_arprot,
  output wire                               m_axil_arvalid,
  input  wire                               m_axil_arready,
  input  wire [31:0]                        m_axil_rdata,
  input  wire [1:0]                         m_axil_rresp,
  input  wire                               m_axil_rvalid,
  output wire                               m_axil_rready,

  // Memory of the TPU
  output wire [2:0]                         m_axi_awid,
  output wire [AXI_ADDR_WIDTH-1:0]          m_axi_awaddr,
  output wire [7:0]                         m_axi_awlen,
  output wire [2:0]                         m_axi_awsize,
  output wire [1:0]                         m_axi_awburst,
  output wire                               m_axi_awlock,
  output wire [3:0]                         m_axi_awcache,
  output wire [2:0]                         m_axi_awprot,
  output wire [3:0]                         m_axi_awqos,
  output wire                               m_axi_awvalid,
  input  wire                               m_axi_awready,
  output wire [AXI_DATA_WIDTH-1:0]          m_axi_wdata,
  output wire [AXI_DATA_WIDTH/8-1:0]        m_axi_wstrb,
  output wire                               m_axi_wlast,
  output wire                               m_axi_wvalid,
  input  wire                               m_axi_wready,
  input  wire [2:0]                         m_axi_bid,
  input  wire [1:0]                         m_axi_bresp,
  input  wire                               m_axi_bvalid,
  output wire                               m_axi_bready,
  output wire [2:0]                         m_axi_arid,
  output wire [AXI_ADDR_WIDTH-1:0]          m_axi_araddr,
  output wire [7:0]                         m_axi_arlen,
  output wire [2:0]                         m_axi_arsize,
  output wire [1:0]                         m_axi_arburst,
  output wire                               m_axi_arlock,
  output wire [3:0]                         m_axi_arcache,
  output wire [2:0]                         m_axi_arprot,
  output wire [3:0]                         m_axi_arqos,
  output wire                               m_axi_arvalid,
  input  wire                               m_axi_arready,
  input  wire [2:0]                         m_axi_rid,
  input  wire [AXI_DATA_WIDTH-1:0]          m_axi_rdata,
  input  wire [1:0]                         m_axi_rresp,
  input  wire                               m_axi_rlast,
  input  wire                               m_axi_rvalid,
  output wire                               m_axi_rready,

  // Memory of the link, the same memory as the TPU's
  output wire [31:0]                        l_axi_awaddr,
  output wire [7:0]                         l_axi_awlen,
  output wire [2:0]                         l_axi_awsize,
  output wire [1:0]                         l_axi_awburst,
  output wire                               l_axi_awvalid,
  input  wire                               l_axi_awready,
  output wire [31:0]                        l_axi_wdata,
  output wire [3:0]                         l_axi_wstrb,
  output wire                               l_axi_wlast,
  output wire                               l_axi_wvalid,
  input  wire                               l_axi_wready,
  input  wire [1:0]                         l_axi_bresp,
  input  wire                               l_axi_bvalid,
  output wire                               l_axi_bready,
  output wire [31:0]                        l_axi_araddr,
  output wire [7:0]                         l_axi_arlen,
  output wire [2:0]                         l_axi_arsize,
  output wire [1:0]                         l_axi_arburst,
  output wire                               l_axi_arvalid,
  input  wire                               l_axi_arready,
  input  wire [31:0]                        l_axi_rdata,
  input  wire [1:0]                         l_axi_rresp,
  input  wire                               l_axi_rlast,
  input  wire                               l_axi_rvalid,
  output wire                               l_axi_rready
);

  wire        irq;
  wire        r_awvalid, r_awready, r_wvalid, r_wready, r_bvalid, r_bready, r_arvalid, r_arready, r_rvalid, r_rready;
  wire [2:0]  r_awprot, r_arprot;
  wire [3:0]  r_wstrb;
  wire [31:0] r_awaddr, r_wdata, r_araddr, r_rdata;
  wire [1:0]  r_bresp, r_rresp;
  wire        t_awready, t_wready, t_bvalid, t_arready, t_rvalid;
  wire [1:0]  t_bresp, t_rresp;
  wire [31:0] t_rdata;

  // The TPU is meant.
  wire aw_tpu = r_awaddr[31:12] == 20'd0;
  wire ar_tpu = r_araddr[31:12] == 20'd0;

  assign m_axil_awaddr  = r_awaddr;
  assign m_axil_awprot  = r_awprot;
  assign m_axil_awvalid = r_awvalid && !aw_tpu;
  assign m_axil_wdata   = r_wdata;
  assign m_axil_wstrb   = r_wstrb;
  assign m_axil_wvalid  = r_wvalid && !aw_tpu;
  assign m_axil_bready  = r_bready;
  assign m_axil_araddr  = r_araddr;
  assign m_axil_arprot  = r_arprot;
  assign m_axil_arvalid = r_arvalid && !ar_tpu;
  assign m_axil_rready  = r_rready;

  assign r_awready = aw_tpu ? t_awready : m_axil_awready;
  assign r_wready  = aw_tpu ? t_wready  : m_axil_wready;
  assign r_bvalid  = aw_tpu ? t_bvalid  : m_axil_bvalid;
  assign r_bresp   = aw_tpu ? t_bresp   : m_axil_bresp;
  assign r_arready = ar_tpu ? t_arready : m_axil_arready;
  assign r_rvalid  = ar_tpu ? t_rvalid  : m_axil_rvalid;
  assign r_rdata   = ar_tpu ? t_rdata   : m_axil_rdata;
  assign r_rresp   = ar_tpu ? t_rresp   : m_axil_rresp;

  tpu_link #(
    .BIT_CYCLES   (BIT_CYCLES),
    .CLOCK_HZ     (CLOCK_HZ),
    .MEMORY_BYTES (MEMORY_BYTES)
  ) u_link (
    .clk(clk), .rst(rst), .rx(rx), .tx(tx), .irq(irq),
    .m_axil_awaddr(r_awaddr), .m_axil_awprot(r_awprot), .m_axil_awvalid(r_awvalid), .m_axil_awready(r_awready),
    .m_axil_wdata(r_wdata), .m_axil_wstrb(r_wstrb), .m_axil_wvalid(r_wvalid), .m_axil_wready(r_wready),
    .m_axil_bresp(r_bresp), .m_axil_bvalid(r_bvalid), .m_axil_bready(r_bready),
    .m_axil_araddr(r_araddr), .m_axil_arprot(r_arprot), .m_axil_arvalid(r_arvalid), .m_axil_arready(r_arready),
    .m_axil_rdata(r_rdata), .m_axil_rresp(r_rresp), .m_axil_rvalid(r_rvalid), .m_axil_rready(r_rready),
    .m_axi_awaddr(l_axi_awaddr), .m_axi_awlen(l_axi_awlen), .m_axi_awsize(l_axi_awsize), .m_axi_awburst(l_axi_awburst),
    .m_axi_awvalid(l_axi_awvalid), .m_axi_awready(l_axi_awready), .m_axi_wdata(l_axi_wdata), .m_axi_wstrb(l_axi_wstrb),
    .m_axi_wlast(l_axi_wlast), .m_axi_wvalid(l_axi_wvalid), .m_axi_wready(l_axi_wready), .m_axi_bresp(l_axi_bresp),
    .m_axi_bvalid(l_axi_bvalid), .m_axi_bready(l_axi_bready), .m_axi_araddr(l_axi_araddr), .m_axi_arlen(l_axi_arlen),
    .m_axi_arsize(l_axi_arsize), .m_axi_arburst(l_axi_arburst), .m_axi_arvalid(l_axi_arvalid), .m_axi_arready(l_axi_arready),
    .m_axi_rdata(l_axi_rdata), .m_axi_rresp(l_axi_rresp), .m_axi_rlast(l_axi_rlast), .m_axi_rvalid(l_axi_rvalid),
    .m_axi_rready(l_axi_rready)
  );

  tpu_top #(
    .N              (N),
    .UB_ROWS        (UB_ROWS),
    .ACC_ROWS       (ACC_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .WFIFO_TILES    (WFIFO_TILES),
    .WINDOW         (WINDOW),
    .REQUANT_LANES  (REQUANT_LANES),
    .BF16           (BF16),
    .INT16          (INT16),
    .FLOAT_ROUNDING (FLOAT_ROUNDING),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_tpu (
    .clk(clk), .rst(rst), .irq(irq),
    .s_axil_awaddr(r_awaddr[11:0]), .s_axil_awprot(r_awprot), .s_axil_awvalid(r_awvalid && aw_tpu), .s_axil_awready(t_awready),
    .s_axil_wdata(r_wdata), .s_axil_wstrb(r_wstrb), .s_axil_wvalid(r_wvalid && aw_tpu), .s_axil_wready(t_wready),
    .s_axil_bresp(t_bresp), .s_axil_bvalid(t_bvalid), .s_axil_bready(r_bready),
    .s_axil_araddr(r_araddr[11:0]), .s_axil_arprot(r_arprot), .s_axil_arvalid(r_arvalid && ar_tpu), .s_axil_arready(t_arready),
    .s_axil_rdata(t_rdata), .s_axil_rresp(t_rresp), .s_axil_rvalid(t_rvalid), .s_axil_rready(r_rready),
    .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
    .m_axi_awburst(m_axi_awburst), .m_axi_awlock(m_axi_awlock), .m_axi_awcache(m_axi_awcache), .m_axi_awprot(m_axi_awprot),
    .m_axi_awqos(m_axi_awqos), .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_wdata(m_axi_wdata),
    .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
    .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
    .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize),
    .m_axi_arburst(m_axi_arburst), .m_axi_arlock(m_axi_arlock), .m_axi_arcache(m_axi_arcache), .m_axi_arprot(m_axi_arprot),
    .m_axi_arqos(m_axi_arqos), .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_rid(m_axi_rid),
    .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast), .m_axi_rvalid(m_axi_rvalid),
    .m_axi_rready(m_axi_rready)
  );

endmodule

`default_nettype wire
