// tpu_axi_read_mux: requests reach the bus once, unchanged and in order of acceptance; nobody is passed over by more than two
// others; answers go to exactly the client that their ID names.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_axi_read_mux #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 4
) (
  input wire                        clk,
  input wire [2:0]                  ar_valid,
  input wire [3*AXI_ADDR_WIDTH-1:0] ar_addr,
  input wire [23:0]                 ar_len,
  input wire                        m_axi_arready,
  input wire [1:0]                  m_axi_rid,
  input wire [AXI_DATA_WIDTH-1:0]   m_axi_rdata,
  input wire [1:0]                  m_axi_rresp,
  input wire                        m_axi_rlast,
  input wire                        m_axi_rvalid
);

  localparam AW = AXI_ADDR_WIDTH;
  localparam DW = AXI_DATA_WIDTH;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [2:0]      ar_ready;
  wire [2:0]      r_valid;
  wire [3*DW-1:0] r_data;
  wire [5:0]      r_resp;
  wire [2:0]      r_last;
  wire [1:0]      m_axi_arid;
  wire [AW-1:0]   m_axi_araddr;
  wire [7:0]      m_axi_arlen;
  wire [2:0]      m_axi_arsize;
  wire [1:0]      m_axi_arburst;
  wire            m_axi_arvalid;
  wire            m_axi_rready;

  tpu_axi_read_mux #(
    .AXI_DATA_WIDTH (DW),
    .AXI_ADDR_WIDTH (AW)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .fe_ar_valid   (ar_valid[0]),
    .fe_ar_ready   (ar_ready[0]),
    .fe_ar_addr    (ar_addr[0 +: AW]),
    .fe_ar_len     (ar_len[7:0]),
    .fe_r_valid    (r_valid[0]),
    .fe_r_data     (r_data[0 +: DW]),
    .fe_r_resp     (r_resp[1:0]),
    .fe_r_last     (r_last[0]),
    .ld_ar_valid   (ar_valid[1]),
    .ld_ar_ready   (ar_ready[1]),
    .ld_ar_addr    (ar_addr[AW +: AW]),
    .ld_ar_len     (ar_len[15:8]),
    .ld_r_valid    (r_valid[1]),
    .ld_r_data     (r_data[DW +: DW]),
    .ld_r_resp     (r_resp[3:2]),
    .ld_r_last     (r_last[1]),
    .wt_ar_valid   (ar_valid[2]),
    .wt_ar_ready   (ar_ready[2]),
    .wt_ar_addr    (ar_addr[2*AW +: AW]),
    .wt_ar_len     (ar_len[23:16]),
    .wt_r_valid    (r_valid[2]),
    .wt_r_data     (r_data[2*DW +: DW]),
    .wt_r_resp     (r_resp[5:4]),
    .wt_r_last     (r_last[2]),
    .m_axi_arid    (m_axi_arid),
    .m_axi_araddr  (m_axi_araddr),
    .m_axi_arlen   (m_axi_arlen),
    .m_axi_arsize  (m_axi_arsize),
    .m_axi_arburst (m_axi_arburst),
    .m_axi_arvalid (m_axi_arvalid),
    .m_axi_arready (m_axi_arready),
    .m_axi_rid     (m_axi_rid),
    .m_axi_rdata   (m_axi_rdata),
    .m_axi_rresp   (m_axi_rresp),
    .m_axi_rlast   (m_axi_rlast),
    .m_axi_rvalid  (m_axi_rvalid),
    .m_axi_rready  (m_axi_rready)
  );

  wire [2:0] grant = ar_valid & ar_ready;
  wire [1:0] id    = grant[0] ? 2'd0 : grant[1] ? 2'd1 : 2'd2;
  wire       push  = grant != 0;

  stream_order #(
    .WIDTH    (2 + AW + 8),
    .CAPACITY (1)
  ) u_order (
    .clk       (clk),
    .rst       (rst),
    .push      (push),
    .in_data   ({id, ar_addr[id*AW +: AW], ar_len[id*8 +: 8]}),
    .out_valid (m_axi_arvalid),
    .pop       (m_axi_arvalid && m_axi_arready),
    .out_data  ({m_axi_arid, m_axi_araddr, m_axi_arlen}),
    .held      ()
  );

  reg              waits_q;
  reg [2+AW+8-1:0] payload_q;

  always @(posedge clk) begin
    waits_q   <= !rst && m_axi_arvalid && !m_axi_arready;
    payload_q <= {m_axi_arid, m_axi_araddr, m_axi_arlen};
  end

  always @* begin
    if (!rst) begin
      assert ((grant & (grant - 1'b1)) == 0);
      // Whenever the bus could take a request, somebody who asks is served.
      assert (push || ar_valid == 0 || (m_axi_arvalid && !m_axi_arready));
      assert (!waits_q || (m_axi_arvalid && {m_axi_arid, m_axi_araddr, m_axi_arlen} == payload_q));
      assert (m_axi_arburst == 2'b01 && 8 << m_axi_arsize == DW);
      assert (m_axi_rready);
    end
  end

  genvar i;
  generate
    for (i = 0; i < 3; i = i + 1) begin : g_client
      // Requests of others that were served since this client asks.
      reg [1:0] passed_q;

      always @(posedge clk) begin
        passed_q <= rst || !ar_valid[i] || grant[i] ? 2'd0 : passed_q + push;
      end

      always @* begin
        if (!rst) begin
          assert (passed_q <= 2);
          assert (r_valid[i] == (m_axi_rvalid && m_axi_rid == i));
          assert (r_data[i*DW +: DW] == m_axi_rdata && r_resp[2*i +: 2] == m_axi_rresp && r_last[i] == m_axi_rlast);
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
