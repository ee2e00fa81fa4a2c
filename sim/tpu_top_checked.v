// The machine with checks for tests. A halt must reach every unit: nobody else would notice one that goes on, as the memory ports let nothing out of
// a halted machine. And they must let nothing out: no request comes to the bus but those that were there.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_top_checked #(
  parameter N = 16,
  parameter UB_ROWS = 16384,
  parameter ACC_ROWS = 2048,
  parameter PARAM_ROWS = 512,
  parameter WFIFO_TILES = 4,
  parameter WINDOW = 1,
  parameter REQUANT_LANES = 1,
  parameter BF16 = 0,
  parameter INT16 = 0,
  parameter FLOAT_ROUNDING = 0,
  parameter AXI_DATA_WIDTH = (8 * N > 512) ? 512 : 8 * N,
  parameter AXI_ADDR_WIDTH = 40
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

  wire fvector_stopped;
  wire ivector_stopped;

  generate
    if (BF16 != 0) begin : g_bf16
      assign fvector_stopped = dut.u_vector.g_float.u_fvector.u_issue.u_lines.stop_q;
    end else begin : g_no_bf16
      assign fvector_stopped = 1'b1;
    end
    if (INT16 != 0) begin : g_int16
      assign ivector_stopped = dut.u_vector.g_int16.u_ivector.u_issue.u_lines.stop_q;
    end else begin : g_no_int16
      assign ivector_stopped = 1'b1;
    end
  endgenerate

  // Registers that stop the front end, LOAD, WEIGHTS, STORE, MATMUL, VECTOR, FVECTOR, IVECTOR and the memory ports
  wire [8:0] stopped = {
    dut.u_control.halt_q, dut.u_memory.u_load.stop_q, dut.u_memory.u_weights.stop_q, dut.u_memory.u_store.stop_q, dut.u_matrix.stop_q,
    dut.u_vector.u_issue.stop_q, fvector_stopped, ivector_stopped, dut.u_memory.port_halt_q
  };
  // Bit i: halted for i + 1 cycles
  reg [2:0] halted_q;
  // A request that waited on the bus
  reg       ar_waited_q;
  reg       aw_waited_q;

  always @(posedge clk) begin
    halted_q    <= dut.halt && !dut.core_rst && !rst ? {halted_q[1:0], 1'b1} : 3'd0;
    ar_waited_q <= m_axi_arvalid && !m_axi_arready;
    aw_waited_q <= m_axi_awvalid && !m_axi_awready;
  end

  `TPU_ASSERT(a_halt_stops_all_units, !halted_q[0] || dut.core_rst || stopped == 9'h1FF)
  `TPU_ASSERT(a_no_read_behind_a_halt, !halted_q[2] || !m_axi_arvalid || ar_waited_q)
  `TPU_ASSERT(a_no_write_behind_a_halt, !halted_q[2] || !m_axi_awvalid || aw_waited_q)

endmodule

`default_nettype wire
