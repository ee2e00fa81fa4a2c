// tpu_dma_write with tpu_axi_write_port: each burst has its address on AW once, its beats on W with the right strobes and WLAST, and its response counted; never
// more bursts in flight than MAX_BURSTS; offers stand; a stop completes what has an address.
//
// One burst, chosen by the solver among all that tpu_dma_bursts gives, is followed over the three channels. The bytes are
// the gearbox's: here it is proved which it is asked for, and that none of its pieces is lost or sent twice.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_dma_write #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 32,
  // The invariant names the entries of the queues one by one, so only 4
  parameter MAX_BURSTS = 4
) (
  input wire        clk,
  input wire        stop,
  input wire        cmd_valid,
  input wire        m_axi_awready,
  input wire        m_axi_wready,
  input wire [1:0]  m_axi_bresp,
  input wire        m_axi_bvalid,
  // The burst that is issued is the one to follow
  input wire        mark
);

  localparam BEAT = AXI_DATA_WIDTH / 8;
  localparam BW   = $clog2(BEAT);
  localparam AW   = AXI_ADDR_WIDTH;
  localparam QW   = $clog2(MAX_BURSTS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire          aw_valid;
  wire          aw_ready;
  wire [AW-1:0] aw_addr;
  wire [4:0]    aw_len;
  wire          w_valid;
  wire          w_ready;
  wire [BEAT-1:0] w_strb;
  wire [8*BEAT-1:0] w_data;
  wire          w_first;
  wire          w_last;
  wire          b_valid;
  wire [1:0]    b_resp;
  wire          drained;
  wire          port_drained;
  wire          cmd_done;
  wire          bus_error;
  wire          range_error;
  wire [AW-1:0] m_axi_awaddr;
  wire [7:0]    m_axi_awlen;
  wire [2:0]    m_axi_awsize;
  wire [1:0]    m_axi_awburst;
  wire          m_axi_awvalid;
  wire [8*BEAT-1:0] m_axi_wdata;
  wire [BEAT-1:0]   m_axi_wstrb;
  wire          m_axi_wlast;
  wire          m_axi_wvalid;
  wire          m_axi_bready;

  tpu_dma_write #(
    .IN_BYTES       (4),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .MAX_BURSTS     (MAX_BURSTS)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .stop          (stop),
    .drained       (drained),
    .cmd_valid     (cmd_valid),
    .cmd_ready     (),
    .cmd_addr      ({(AW+1){1'b0}}),
    .cmd_span      ({(AW+1){1'b0}}),
    .cmd_more      (32'd0),
    .cmd_stride    (32'd0),
    .in_valid      (1'b0),
    .in_ready      (),
    .in_data       (32'd0),
    .in_count      (3'd0),
    .cmd_done      (cmd_done),
    .bus_error     (bus_error),
    .range_error   (range_error),
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
    .b_resp        (b_resp)
  );

  tpu_axi_write_port #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .MAX_BURSTS     (MAX_BURSTS),
    .MAX_OWED       (2 * MAX_BURSTS)
  ) port (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (rst),
    .halt          (stop),
    .drained       (port_drained),
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
    .m_axi_awid    (),
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
    .m_axi_wdata   (m_axi_wdata),
    .m_axi_wstrb   (m_axi_wstrb),
    .m_axi_wlast   (m_axi_wlast),
    .m_axi_wvalid  (m_axi_wvalid),
    .m_axi_wready  (m_axi_wready),
    .m_axi_bid     (3'd0),
    .m_axi_bresp   (m_axi_bresp),
    .m_axi_bvalid  (m_axi_bvalid),
    .m_axi_bready  (m_axi_bready)
  );

  (* hierconn *) wire          \dut.burst_valid ;
  (* hierconn *) wire          \dut.burst_ready ;
  (* hierconn *) wire          \dut.burst_range ;
  (* hierconn *) wire          \dut.burst_last ;
  (* hierconn *) wire [AW-1:0] \dut.burst_addr ;
  (* hierconn *) wire [4:0]    \dut.burst_len ;
  (* hierconn *) wire [BW-1:0] \dut.burst_first ;
  (* hierconn *) wire [BW-1:0] \dut.burst_end ;
  (* hierconn *) wire          \dut.u_gearbox.cut_en ;
  (* hierconn *) wire [BW:0]   \dut.u_gearbox.cut_length ;
  (* hierconn *) wire [BW-1:0] \dut.u_gearbox.cut_offset ;

  wire taken  = \dut.burst_valid && \dut.burst_ready ;
  wire issue  = taken && !\dut.burst_range ;
  wire aw     = m_axi_awvalid && m_axi_awready;
  wire w      = m_axi_wvalid && m_axi_wready;
  wire w_ends = w && m_axi_wlast;

  //// Reference: bursts by what they wait for ////

  // Issued, and: not accepted on AW; with beats not accepted on W; not answered
  reg  [QW:0] aw_left_q;
  reg  [QW:0] w_left_q;
  reg  [QW:0] b_left_q;
  // Beats of the burst on W that were accepted
  reg  [4:0]  beats_q;
  reg         range_q;
  reg         range_1_q;
  reg         stop_q;

  always @(posedge clk) begin
    aw_left_q <= aw_left_q + issue - aw;
    w_left_q  <= w_left_q + issue - w_ends;
    b_left_q  <= b_left_q + issue - m_axi_bvalid;
    beats_q   <= w ? (m_axi_wlast ? 5'd0 : beats_q + 1'b1) : beats_q;
    range_q   <= range_q || (taken && \dut.burst_range );
    range_1_q <= range_q;
    stop_q    <= stop;
    if (rst) begin
      aw_left_q <= 0;
      w_left_q  <= 0;
      b_left_q  <= 0;
      beats_q   <= 5'd0;
      range_q   <= 1'b0;
      range_1_q <= 1'b0;
      stop_q    <= 1'b0;
    end
  end

  // A response is to a burst whose address and beats were all accepted; a stop lasts until reset.
  always @* begin
    if (!rst) begin
      assume (!m_axi_bvalid || (b_left_q > w_left_q && b_left_q > aw_left_q));
      assume (!stop_q || stop);
    end
  end

  //// Reference: the burst that is followed ////

  reg               on_aw_q;
  reg               on_w_q;
  reg               on_b_q;
  reg               in_queue_q;
  reg  [QW:0]       queue_ahead_q;
  reg  [QW:0]       w_ahead_q;
  reg  [QW:0]       b_ahead_q;
  reg  [AW-1:0]     addr_q;
  reg  [4:0]        len_q;
  reg  [BW-1:0]     first_q;
  reg  [BW-1:0]     end_q;
  reg               last_q;
  // Beats of it that were cut
  reg  [4:0]        cuts_q;

  // Beat `number` is written from this byte to that one.
  function [BW-1:0] from(input [4:0] number);
    from = number == 0 ? first_q : {BW{1'b0}};
  endfunction
  function [BW-1:0] to(input [4:0] number);
    to = number == len_q ? end_q : {BW{1'b1}};
  endfunction
  wire [BEAT-1:0] strobes = ({BEAT{1'b1}} << from(beats_q)) & ({BEAT{1'b1}} >> (BEAT - 1 - to(beats_q)));

  (* hierconn *) wire          \port.beat ;
  wire load      = \port.beat ;
  wire load_ends = \port.beat && w_last;
  wire its_load  = load && in_queue_q && queue_ahead_q == 0;
  // Bursts with beats that are not in the register of W yet
  wire [QW:0] queue_left = w_left_q - (m_axi_wvalid && m_axi_wlast);

  always @(posedge clk) begin
    if (!on_b_q && issue && mark) begin
      on_aw_q       <= 1'b1;
      in_queue_q    <= 1'b1;
      on_w_q        <= 1'b1;
      on_b_q        <= 1'b1;
      queue_ahead_q <= queue_left - load_ends;
      w_ahead_q     <= w_left_q - w_ends;
      b_ahead_q     <= b_left_q - m_axi_bvalid;
      {addr_q, len_q, first_q, end_q, last_q} <= {\dut.burst_addr , \dut.burst_len , \dut.burst_first , \dut.burst_end , \dut.burst_last };
      cuts_q        <= 5'd0;
    end else begin
      if (aw) on_aw_q <= 1'b0;
      if (its_load) begin
        cuts_q     <= cuts_q + 1'b1;
        in_queue_q <= cuts_q != len_q;
      end else if (load_ends) begin
        queue_ahead_q <= queue_ahead_q - 1'b1;
      end
      if (w_ends) begin
        w_ahead_q <= w_ahead_q - 1'b1;
        if (w_ahead_q == 0) on_w_q <= 1'b0;
      end
      if (m_axi_bvalid) begin
        b_ahead_q <= b_ahead_q - 1'b1;
        if (b_ahead_q == 0) on_b_q <= 1'b0;
      end
    end
    if (rst) begin
      on_aw_q    <= 1'b0;
      in_queue_q <= 1'b0;
      on_w_q     <= 1'b0;
      on_b_q     <= 1'b0;
    end
  end

  //// Offers stand ////

  reg                    aw_waits_q;
  reg                    w_waits_q;
  reg  [AW+7:0]          aw_q;
  reg  [9*BEAT:0]        w_q;
  wire [AW+7:0]          aw_now = {m_axi_awaddr, m_axi_awlen};
  wire [9*BEAT:0]        w_now  = {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
  always @(posedge clk) begin
    aw_waits_q <= !rst && m_axi_awvalid && !m_axi_awready;
    w_waits_q  <= !rst && m_axi_wvalid && !m_axi_wready;
    aw_q       <= aw_now;
    w_q        <= w_now;
  end

  // Whether the beat in the register of W was cut from the gearbox, which a stop keeps it from
  reg  cut_q;
  reg  loaded_q;
  always @(posedge clk) begin
    if (load) cut_q <= \dut.u_gearbox.cut_en ;
    loaded_q <= !rst && load;
  end

  always @* begin
    if (!rst) begin
      assert (!aw_waits_q || (m_axi_awvalid && aw_now == aw_q));
      assert (!w_waits_q || (m_axi_wvalid && w_now == w_q));
      assert (m_axi_awburst == 2'b01 && 1 << m_axi_awsize == BEAT && m_axi_bready);

      // As many as promised, and nothing that was not issued
      assert (b_left_q <= MAX_BURSTS && w_left_q <= b_left_q && aw_left_q <= b_left_q);
      assert (m_axi_awvalid == (aw_left_q != 0) && aw_left_q <= 1);
      assert (!m_axi_wvalid || w_left_q != 0);
      assert (drained == (b_left_q == 0) && port_drained == drained);
      assert (!issue || (!stop && !range_q));

      if (on_aw_q) assert (m_axi_awvalid && m_axi_awaddr == addr_q && m_axi_awlen == len_q);
      if (on_w_q && w_ahead_q == 0 && m_axi_wvalid) begin
        assert (m_axi_wlast == (beats_q == len_q));
        assert (m_axi_wstrb == (cut_q ? strobes : {BEAT{1'b0}}));
      end
      // One piece per beat, of the bytes that its strobes name, and not before the beat in front of it is gone
      assert (!\dut.u_gearbox.cut_en || (load && !stop));
      assert (!load || stop || \dut.u_gearbox.cut_en );
      assert (!load || !m_axi_wvalid || m_axi_wready);
      if (its_load) begin
        assert (w_last == (cuts_q == len_q));
        assert (stop || \dut.u_gearbox.cut_offset == from(cuts_q));
        assert (stop || \dut.u_gearbox.cut_length == to(cuts_q) - from(cuts_q) + 1'b1);
      end
      if (loaded_q) assert (m_axi_wvalid);
      // With a stop, whatever has an address gets its beats without waiting for bytes.
      assert (!stop || !\port.burst_q || load || (m_axi_wvalid && !m_axi_wready));

      if (on_b_q && b_ahead_q == 0) assert (cmd_done == (m_axi_bvalid && last_q));
      assert (!cmd_done || m_axi_bvalid);
      assert (bus_error == (m_axi_bvalid && m_axi_bresp[1]));
      if (!stop_q) assert (range_error == (range_1_q && queue_left == 0));
    end
  end

  //// What makes it inductive: the queues, and where the burst lies in them ////

  localparam EW = 1 + 2 * BW;
  (* hierconn *) wire [QW:0]   \dut.u_data_queue.wr_ptr_q ;
  (* hierconn *) wire [QW:0]   \dut.u_data_queue.rd_ptr_q ;
  (* hierconn *) wire [EW-1:0] \dut.u_data_queue.words[0] ;
  (* hierconn *) wire [EW-1:0] \dut.u_data_queue.words[1] ;
  (* hierconn *) wire [EW-1:0] \dut.u_data_queue.words[2] ;
  (* hierconn *) wire [EW-1:0] \dut.u_data_queue.words[3] ;
  (* hierconn *) wire          \dut.head_valid_q ;
  (* hierconn *) wire          \dut.head_range_q ;
  (* hierconn *) wire [BW-1:0] \dut.head_first_q ;
  (* hierconn *) wire [BW-1:0] \dut.head_end_q ;
  (* hierconn *) wire [QW:0]   \port.u_lengths.wr_ptr_q ;
  (* hierconn *) wire [QW:0]   \port.u_lengths.rd_ptr_q ;
  (* hierconn *) wire [4:0]    \port.u_lengths.words[0] ;
  (* hierconn *) wire [4:0]    \port.u_lengths.words[1] ;
  (* hierconn *) wire [4:0]    \port.u_lengths.words[2] ;
  (* hierconn *) wire [4:0]    \port.u_lengths.words[3] ;
  (* hierconn *) wire [QW:0]   \dut.u_response_queue.wr_ptr_q ;
  (* hierconn *) wire [QW:0]   \dut.u_response_queue.rd_ptr_q ;
  (* hierconn *) wire          \dut.u_response_queue.words[0] ;
  (* hierconn *) wire          \dut.u_response_queue.words[1] ;
  (* hierconn *) wire          \dut.u_response_queue.words[2] ;
  (* hierconn *) wire          \dut.u_response_queue.words[3] ;
  (* hierconn *) wire          \port.burst_q ;
  (* hierconn *) wire [4:0]    \port.left_q ;
  (* hierconn *) wire          \port.first_q ;
  (* hierconn *) wire          \port.last_q ;
  (* hierconn *) wire          \port.abandon_q ;
  (* hierconn *) wire          \port.u_epoch.epoch_q ;
  (* hierconn *) wire          \port.u_epoch.stale_q ;
  (* hierconn *) wire [QW+1:0] \port.u_epoch.owed0_q ;
  (* hierconn *) wire          \dut.u_bursts.dead_q ;

  wire [4*EW-1:0] words = {\dut.u_data_queue.words[3] , \dut.u_data_queue.words[2] , \dut.u_data_queue.words[1] ,
                           \dut.u_data_queue.words[0] };
  wire [19:0]     lengths = {\port.u_lengths.words[3] , \port.u_lengths.words[2] , \port.u_lengths.words[1] ,
                             \port.u_lengths.words[0] };
  wire [3:0]      lasts = {\dut.u_response_queue.words[3] , \dut.u_response_queue.words[2] ,
                           \dut.u_response_queue.words[1] , \dut.u_response_queue.words[0] };
  wire [QW:0]     level = \dut.u_data_queue.wr_ptr_q - \dut.u_data_queue.rd_ptr_q ;
  wire [QW:0]     responses = \dut.u_response_queue.wr_ptr_q - \dut.u_response_queue.rd_ptr_q ;
  // The first burst lies in the register behind the queue.
  wire            head  = \dut.head_valid_q ;
  wire [QW-1:0]   word  = \dut.u_data_queue.rd_ptr_q [QW-1:0] + queue_ahead_q[QW-1:0] - head;
  wire [EW-1:0]   its_word = head && queue_ahead_q == 0 ? {\dut.head_range_q , \dut.head_first_q , \dut.head_end_q } : words[EW*word +: EW];
  wire [QW:0]     port_level = \port.u_lengths.wr_ptr_q - \port.u_lengths.rd_ptr_q ;
  // Of the burst, once those in front and the one whose beats come have left the queue
  wire [QW-1:0]   port_word  = \port.u_lengths.rd_ptr_q [QW-1:0] + queue_ahead_q[QW-1:0] - \port.burst_q ;
  // Beats of the burst whose beats come that have been put into W's register
  wire [4:0]      got = m_axi_wvalid && m_axi_wlast ? 5'd0 : beats_q + m_axi_wvalid;
  wire [QW-1:0]   reply = \dut.u_response_queue.rd_ptr_q [QW-1:0] + b_ahead_q[QW-1:0];

  always @* begin
    if (!rst) begin
      // A stop leaves the writer's queue as it is, while the port completes the bursts.
      assert (level <= MAX_BURSTS && (stop_q || level + head == queue_left + range_q));
      // Port and writer turn to the same burst in the same cycle.
      if (!stop_q) begin
        assert (\port.burst_q == (head && !\dut.head_range_q ));
        if (head) assert (\dut.head_range_q == (range_q && level == 0));
        assert (!range_1_q || queue_left != 0 || head);
      end
      assert (!range_1_q || range_q);
      assert (port_level <= MAX_BURSTS && port_level + \port.burst_q == queue_left);
      assert (!\port.abandon_q || stop_q);
      assert (!\port.u_epoch.epoch_q && !\port.u_epoch.stale_q && \port.u_epoch.owed0_q == b_left_q);
      assert (queue_left <= w_left_q);
      assert (responses == b_left_q);
      assert (\dut.u_bursts.dead_q == range_q);
      if (\port.burst_q ) assert (\port.first_q == (got == 0) && \port.last_q == (\port.left_q == 0) && 6'd0 + got + \port.left_q < 32);
      else assert (got == 0);
      if (on_aw_q) assert (on_b_q);
      if (in_queue_q) begin
        assert (on_w_q && queue_ahead_q < queue_left && w_ahead_q == queue_ahead_q + (w_left_q - queue_left));
        if (!stop_q) assert (its_word == {1'b0, first_q, end_q});
        if (queue_ahead_q == 0 && \port.burst_q ) begin
          assert (got == cuts_q && cuts_q <= len_q && \port.left_q == len_q - cuts_q);
        end else begin
          assert (lengths[5*port_word +: 5] == len_q && cuts_q == 0);
        end
      end
      if (on_w_q) begin
        assert (on_b_q && w_ahead_q < w_left_q && b_ahead_q == w_ahead_q + (b_left_q - w_left_q));
        if (!in_queue_q) assert (w_ahead_q == 0 && m_axi_wvalid && m_axi_wlast);
        if (w_ahead_q == 0) assert (len_q != 0 || first_q <= end_q);
      end
      if (on_b_q) begin
        assert (b_ahead_q < b_left_q);
        assert (lasts[reply] == last_q);
        assert (len_q != 0 || first_q <= end_q);
        if (on_aw_q) assert (b_ahead_q == b_left_q - 1'b1);
      end
    end
  end

  genvar i;
  generate
    for (i = 0; i < MAX_BURSTS; i = i + 1) begin : g_entry
      wire [QW-1:0] entry = \dut.u_data_queue.rd_ptr_q [QW-1:0] + i;
      always @* if (!rst && !stop_q && i < level) assert (words[EW*entry+EW-1] == (range_q && i + 1 == level));
    end
  endgenerate

endmodule

`default_nettype wire
