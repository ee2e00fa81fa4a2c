// tpu_axi_read_port: requests reach the bus once, unchanged, in order of acceptance, and stand there whatever is reset; load and
// weights are passed over by no more than one other, fetch goes when nobody else asks; each answer goes to the client that its ID names, if the
// client has asked for it since the last reset of the core, and to nobody if it asked before.
//
// For each ID the reference counts the unanswered requests from before and from after the last reset of the core. The bus answers the requests of one
// ID in order (a rule of AXI), so an answer belongs to one from before as long as there is any.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_axi_read_port #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 4,
  parameter MAX_OWED = 2
) (
  input wire                        clk,
  input wire                        core_rst,
  input wire                        halt,
  input wire [2:0]                  ar_valid,
  input wire [3*AXI_ADDR_WIDTH-1:0] ar_addr,
  input wire [23:0]                 ar_len,
  input wire                        m_axi_arready,
  input wire [2:0]                  m_axi_rid,
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
  wire [2:0]      m_axi_arid;
  wire            drained;
  wire [AW-1:0]   m_axi_araddr;
  wire [7:0]      m_axi_arlen;
  wire [2:0]      m_axi_arsize;
  wire [1:0]      m_axi_arburst;
  wire            m_axi_arvalid;
  wire            m_axi_rready;

  tpu_axi_read_port #(
    .AXI_DATA_WIDTH (DW),
    .AXI_ADDR_WIDTH (AW),
    .MAX_OWED       (MAX_OWED)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (core_rst),
    .halt          (halt),
    .drained       (drained),
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

  (* hierconn *) wire          \dut.epoch ;
  (* hierconn *) wire          \dut.open ;

  wire [2:0] grant = ar_valid & ar_ready;
  wire [1:0] id    = grant[0] ? 2'd0 : grant[1] ? 2'd1 : 2'd2;
  wire       push  = grant != 0;

  stream_order #(
    .WIDTH    (3 + AW + 8),
    .CAPACITY (1)
  ) u_order (
    .clk       (clk),
    .rst       (rst),
    .push      (push),
    .in_data   ({\dut.epoch , id, ar_addr[id*AW +: AW], ar_len[id*8 +: 8]}),
    .out_valid (m_axi_arvalid),
    .pop       (m_axi_arvalid && m_axi_arready),
    .out_data  ({m_axi_arid, m_axi_araddr, m_axi_arlen}),
    .held      ()
  );

  reg              waits_q;
  reg [3+AW+8-1:0] payload_q;

  always @(posedge clk) begin
    waits_q   <= !rst && m_axi_arvalid && !m_axi_arready;
    payload_q <= {m_axi_arid, m_axi_araddr, m_axi_arlen};
  end

  always @* begin
    if (!rst) begin
      assert ((grant & (grant - 1'b1)) == 0);
      assert (!push || (!core_rst && !halt));
      // Whenever the bus could take a request, somebody who asks is served.
      assert (push || ar_valid == 0 || halt || !\dut.open || (m_axi_arvalid && !m_axi_arready));
      assert (!waits_q || (m_axi_arvalid && {m_axi_arid, m_axi_araddr, m_axi_arlen} == payload_q));
      assert (m_axi_arburst == 2'b01 && 8 << m_axi_arsize == DW);
      assert (m_axi_rready);
    end
  end

  //// Answers ////

  localparam OW = $clog2(MAX_OWED) + 1;

  (* hierconn *) wire          \dut.u_epoch.stale_q ;
  (* hierconn *) wire [OW-1:0] \dut.u_epoch.owed0_q ;
  (* hierconn *) wire [OW-1:0] \dut.u_epoch.owed1_q ;
  wire of_old;

  epoch_order #(
    .MAX_OWED (MAX_OWED)
  ) u_epochs (
    .clk            (clk),
    .rst            (rst),
    .core_rst       (core_rst),
    .request        (push),
    .epoch          (\dut.epoch ),
    .standing       (m_axi_arvalid),
    .standing_epoch (m_axi_arid[2]),
    .answer         (m_axi_rvalid),
    .answer_ends    (m_axi_rlast),
    .answer_epoch   (m_axi_rid[2]),
    .drained        (drained),
    .stale          (\dut.u_epoch.stale_q ),
    .owed0          (\dut.u_epoch.owed0_q ),
    .owed1          (\dut.u_epoch.owed1_q ),
    .of_old         (of_old)
  );

  genvar i;
  generate
    for (i = 0; i < 3; i = i + 1) begin : g_client
      // Requests of others that were served since this client asks.
      reg passed_q;

      always @(posedge clk) begin
        passed_q <= !rst && ar_valid[i] && push && !grant[i];
      end

      always @* begin
        if (!rst) begin
          assert (i == 0 ? !grant[0] || ar_valid[2:1] == 0 : !(passed_q && ar_valid[i] && push && !grant[i]));
          assert (r_valid[i] == (m_axi_rvalid && m_axi_rid[1:0] == i && !of_old));
          assert (r_data[i*DW +: DW] == m_axi_rdata && r_resp[2*i +: 2] == m_axi_rresp && r_last[i] == m_axi_rlast);
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
