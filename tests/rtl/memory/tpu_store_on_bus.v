// tpu_store behind its write port: what the tests of STORE drive. The unit itself asks for nothing from the cycle after a halt on, whatever its
// port makes of that.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_store_on_bus #(
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 256,
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 32,
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
  output wire                        drained,
  output wire                        busy,
  output wire                        st_rd_valid,
  input  wire                        st_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  st_rd_row,
  input  wire [8*ROW_BYTES-1:0]              st_rd_data,
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
  output wire                        m_axi_bready
);

  wire                        aw_valid;
  wire                        aw_ready;
  wire [AXI_ADDR_WIDTH-1:0]   aw_addr;
  wire [4:0]                  aw_len;
  wire                        w_valid;
  wire                        w_ready;
  wire [AXI_DATA_WIDTH/8-1:0] w_strb;
  wire [AXI_DATA_WIDTH-1:0]   w_data;
  wire                        w_first;
  wire                        w_last;
  wire                        b_valid;
  wire [1:0]                  b_resp;

  tpu_store #(
    .ROW_BYTES      (ROW_BYTES),
    .UB_ROWS        (UB_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .WIDE           (WIDE)
  ) u_store (
    .clk         (clk),
    .rst         (rst),
    .cmd_valid   (cmd_valid),
    .cmd_ready   (cmd_ready),
    .cmd         (cmd),
    .cmd_index   (cmd_index),
    .done        (done),
    .err_valid   (err_valid),
    .err_code    (err_code),
    .err_index   (err_index),
    .halt        (halt),
    .busy        (busy),
    .st_rd_valid (st_rd_valid),
    .st_rd_ready (st_rd_ready),
    .st_rd_row   (st_rd_row),
    .st_rd_data  (st_rd_data),
    .aw_valid    (aw_valid),
    .aw_ready    (aw_ready),
    .aw_addr     (aw_addr),
    .aw_len      (aw_len),
    .w_valid     (w_valid),
    .w_ready     (w_ready),
    .w_strb      (w_strb),
    .w_data      (w_data),
    .w_first     (w_first),
    .w_last      (w_last),
    .b_valid     (b_valid),
    .b_resp      (b_resp)
  );

  tpu_axi_write_port #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_port (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (rst),
    .halt          (halt),
    .drained       (drained),
    .aw_valid      (aw_valid),
    .aw_ready      (aw_ready),
    .aw_addr       (aw_addr),
    .aw_len        (aw_len),
    .w_valid       (w_valid),
    .w_ready       (w_ready),
    .w_strb        (w_strb),
    .w_data        (w_data),
    .w_first       (w_first),
    .w_last        (w_last),
    .b_valid       (b_valid),
    .b_resp        (b_resp),
    .m_axi_awid    (m_axi_awid),
    .m_axi_awaddr  (m_axi_awaddr),
    .m_axi_awlen   (m_axi_awlen),
    .m_axi_awsize  (m_axi_awsize),
    .m_axi_awburst (m_axi_awburst),
    .m_axi_awlock  (m_axi_awlock),
    .m_axi_awcache (m_axi_awcache),
    .m_axi_awprot  (m_axi_awprot),
    .m_axi_awqos   (m_axi_awqos),
    .m_axi_awvalid (m_axi_awvalid),
    .m_axi_awready (m_axi_awready),
    .m_axi_wdata   (m_axi_wdata),
    .m_axi_wstrb   (m_axi_wstrb),
    .m_axi_wlast   (m_axi_wlast),
    .m_axi_wvalid  (m_axi_wvalid),
    .m_axi_wready  (m_axi_wready),
    .m_axi_bid     (m_axi_bid),
    .m_axi_bresp   (m_axi_bresp),
    .m_axi_bvalid  (m_axi_bvalid),
    .m_axi_bready  (m_axi_bready)
  );

  reg halt_q;

  always @(posedge clk) begin
    halt_q <= halt && !rst;
  end

  `TPU_ASSERT(a_no_address_behind_a_halt, !halt_q || !aw_valid)
  `TPU_ASSERT(a_no_beat_behind_a_halt, !halt_q || !w_valid)

endmodule

`default_nettype wire
