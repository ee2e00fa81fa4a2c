// tpu_axi_write_port: bursts reach AW once, unchanged and in order, and get exactly their beats on W; what is offered stands whatever is reset; after
// a halt or a reset of the core the missing beats come by themselves, with all strobes off; each answer goes to the writer if the burst was given after
// the last reset of the core, and to nobody if it was given before.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_axi_write_port #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 4,
  parameter MAX_BURSTS = 2,
  parameter MAX_OWED = 2
) (
  input wire                        clk,
  input wire                        core_rst,
  input wire                        halt,
  input wire                        aw_valid,
  input wire [AXI_ADDR_WIDTH-1:0]   aw_addr,
  input wire [4:0]                  aw_len,
  input wire                        w_valid,
  input wire [AXI_DATA_WIDTH/8-1:0] w_strb,
  input wire                        m_axi_awready,
  input wire                        m_axi_wready,
  input wire [2:0]                  m_axi_bid,
  input wire [1:0]                  m_axi_bresp,
  input wire                        m_axi_bvalid
);

  localparam AW   = AXI_ADDR_WIDTH;
  localparam BEAT = AXI_DATA_WIDTH / 8;
  localparam OW   = $clog2(MAX_OWED) + 1;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire            drained;
  wire            aw_ready;
  wire            w_ready;
  wire            w_first;
  wire            w_last;
  wire            b_valid;
  wire [1:0]      b_resp;
  wire [2:0]      m_axi_awid;
  wire [AW-1:0]   m_axi_awaddr;
  wire [7:0]      m_axi_awlen;
  wire [2:0]      m_axi_awsize;
  wire [1:0]      m_axi_awburst;
  wire            m_axi_awvalid;
  wire [BEAT-1:0] m_axi_wstrb;
  wire            m_axi_wlast;
  wire            m_axi_wvalid;
  wire            m_axi_bready;

  tpu_axi_write_port #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AW),
    .MAX_BURSTS     (MAX_BURSTS),
    .MAX_OWED       (MAX_OWED)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (core_rst),
    .halt          (halt),
    .drained       (drained),
    .aw_valid      (aw_valid),
    .aw_ready      (aw_ready),
    .aw_addr       (aw_addr),
    .aw_len        (aw_len),
    .w_valid       (w_valid),
    .w_ready       (w_ready),
    .w_strb        (w_strb),
    .w_data        ({AXI_DATA_WIDTH{1'b0}}),
    .w_first       (w_first),
    .w_last        (w_last),
    .b_valid       (b_valid),
    .b_resp        (b_resp),
    .m_axi_awid    (m_axi_awid),
    .m_axi_awaddr  (m_axi_awaddr),
    .m_axi_awlen   (m_axi_awlen),
    .m_axi_awsize  (m_axi_awsize),
    .m_axi_awburst (m_axi_awburst),
    .m_axi_awlock  (),
    .m_axi_awcache (),
    .m_axi_awprot  (),
    .m_axi_awqos   (),
    .m_axi_awvalid (m_axi_awvalid),
    .m_axi_awready (m_axi_awready),
    .m_axi_wdata   (),
    .m_axi_wstrb   (m_axi_wstrb),
    .m_axi_wlast   (m_axi_wlast),
    .m_axi_wvalid  (m_axi_wvalid),
    .m_axi_wready  (m_axi_wready),
    .m_axi_bid     (m_axi_bid),
    .m_axi_bresp   (m_axi_bresp),
    .m_axi_bvalid  (m_axi_bvalid),
    .m_axi_bready  (m_axi_bready)
  );

  (* hierconn *) wire \dut.epoch ;
  (* hierconn *) wire \dut.abandon ;
  (* hierconn *) wire \dut.open ;
  (* hierconn *) wire \dut.lengths_ready ;

  wire take   = aw_valid && aw_ready;
  wire aw     = m_axi_awvalid && m_axi_awready;
  wire give   = w_valid && w_ready;
  wire w      = m_axi_wvalid && m_axi_wready;
  wire w_ends = w && m_axi_wlast;

  //// Addresses ////

  stream_order #(
    .WIDTH    (1 + AW + 5),
    .CAPACITY (1)
  ) u_addresses (
    .clk       (clk),
    .rst       (rst),
    .push      (take),
    .in_data   ({\dut.epoch , aw_addr, aw_len}),
    .out_valid (m_axi_awvalid),
    .pop       (aw),
    .out_data  ({m_axi_awid[2], m_axi_awaddr, m_axi_awlen[4:0]}),
    .held      ()
  );

  //// Beats ////

  // Beats of the burst on W that were accepted
  reg [4:0]      beats_q;
  // Bursts with beats that were not accepted: in the queue, the one whose beats come, and the one in W's register
  wire [$clog2(MAX_BURSTS+3)-1:0] unwritten;

  stream_order #(
    .WIDTH    (5),
    .CAPACITY (MAX_BURSTS + 2)
  ) u_lengths (
    .clk       (clk),
    .rst       (rst),
    .push      (take),
    .in_data   (aw_len),
    .out_valid (m_axi_wvalid && m_axi_wlast),
    .pop       (w_ends),
    .out_data  (beats_q),
    .held      (unwritten)
  );

  // The strobes of the beat in W's register: those that came with it, or none.
  (* hierconn *) wire \dut.beat ;
  reg [BEAT-1:0] strb_q;
  reg            aw_waits_q;
  reg            w_waits_q;
  reg [AW+7:0]   aw_q;
  reg [BEAT:0]   w_q;
  reg            due_q;

  always @(posedge clk) begin
    beats_q    <= w ? (m_axi_wlast ? 5'd0 : beats_q + 1'b1) : beats_q;
    strb_q     <= give ? w_strb : \dut.beat ? {BEAT{1'b0}} : strb_q;
    aw_waits_q <= !rst && m_axi_awvalid && !m_axi_awready;
    w_waits_q  <= !rst && m_axi_wvalid && !m_axi_wready;
    aw_q       <= {m_axi_awid[2], m_axi_awaddr, m_axi_awlen[6:0]};
    w_q        <= {m_axi_wstrb, m_axi_wlast};
    // Abandoned, with beats of a burst that are not in W's register, which is free
    due_q      <= !rst && \dut.abandon && \dut.burst_q && unwritten > (m_axi_wvalid && m_axi_wlast) && (!m_axi_wvalid || m_axi_wready);
    if (rst) begin
      beats_q <= 5'd0;
    end
  end

  always @* begin
    if (!rst) begin
      // Nothing is taken in a halt or a reset of the core, and no beat of the writer for a burst that it has forgotten.
      assert (!(take || give) || (!halt && !core_rst && !\dut.abandon ));
      // Else a burst is taken as soon as it can be counted, its length kept, and its address given to AW: one in each cycle.
      assert (aw_ready == (!\dut.abandon && \dut.open && \dut.lengths_ready && (!m_axi_awvalid || m_axi_awready)));
      assert (!aw_waits_q || (m_axi_awvalid && {m_axi_awid[2], m_axi_awaddr, m_axi_awlen[6:0]} == aw_q));
      assert (!w_waits_q || (m_axi_wvalid && {m_axi_wstrb, m_axi_wlast} == w_q));
      assert (m_axi_awburst == 2'b01 && 1 << m_axi_awsize == BEAT && m_axi_bready && m_axi_awlen[7:5] == 0 && m_axi_awid[1:0] == 0);
      assert (!m_axi_wvalid || m_axi_wstrb == strb_q);
      assert (!\dut.beat || !m_axi_wvalid || m_axi_wready);
      assert (!give || \dut.beat );
      assert (!due_q || m_axi_wvalid);
      assert (!m_axi_wvalid || unwritten != 0);
    end
  end

  // Once begun, the giving up goes on until the last of the bursts has its beats.
  reg forgotten_q;
  always @(posedge clk) begin
    forgotten_q <= !rst && (halt || core_rst || forgotten_q) && unwritten > (m_axi_wvalid && m_axi_wlast);
  end
  always @* if (!rst && forgotten_q && unwritten > (m_axi_wvalid && m_axi_wlast)) assert (\dut.abandon );

  //// Answers. (That the bus waits for a burst's beats with the answer, the proof does not need.) ////

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
    .request        (take),
    .epoch          (\dut.epoch ),
    .standing       (m_axi_awvalid),
    .standing_epoch (m_axi_awid[2]),
    .answer         (m_axi_bvalid),
    .answer_ends    (1'b1),
    .answer_epoch   (m_axi_bid[2]),
    .drained        (drained),
    .stale          (\dut.u_epoch.stale_q ),
    .owed0          (\dut.u_epoch.owed0_q ),
    .owed1          (\dut.u_epoch.owed1_q ),
    .of_old         (of_old)
  );

  always @* begin
    if (!rst) begin
      assert (b_valid == (m_axi_bvalid && !of_old));
      assert (b_resp == m_axi_bresp);
    end
  end

  //// What helps the search for an invariant ////

  (* hierconn *) wire       \dut.burst_q ;
  (* hierconn *) wire [4:0] \dut.left_q ;
  (* hierconn *) wire       \dut.first_q ;
  (* hierconn *) wire       \dut.last_q ;
  (* hierconn *) wire       \dut.next ;
  (* hierconn *) wire [4:0] \dut.len ;
  (* hierconn *) wire [$clog2(MAX_BURSTS):0] \dut.lengths_level ;

  // Length of the burst whose beats come, and how many of them W's register has got
  reg  [4:0] len_q;
  wire [4:0] got = m_axi_wvalid && m_axi_wlast ? 5'd0 : beats_q + m_axi_wvalid;

  always @(posedge clk) if (\dut.next ) len_q <= \dut.len ;

  always @* begin
    if (!rst) begin
      assert (\dut.lengths_level + \dut.burst_q == unwritten - (m_axi_wvalid && m_axi_wlast));
      if (\dut.burst_q ) begin
        assert (got + \dut.left_q == len_q && got <= len_q);
        assert (\dut.first_q == (got == 0) && \dut.last_q == (\dut.left_q == 0));
      end else begin
        assert (got == 0);
      end
    end
  end

endmodule

`default_nettype wire
