// tpu_link_memory: AXI4 bursts that lie within a block and together cover the range once; offers that stand; beats that go to and come from their own
// place in the buffer, with the strobes of the range's bytes alone; the CRC is fed each byte of the range once and in order; an error of any access is
// reported.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_link_memory (
  input wire        clk,
  input wire        start_read,
  input wire        start_write,
  input wire        start_crc,
  input wire [31:0] address,
  input wire [31:0] length,
  input wire [31:0] rd_data,
  input wire        m_axi_awready,
  input wire        m_axi_wready,
  input wire [1:0]  m_axi_bresp,
  input wire        m_axi_bvalid,
  input wire        m_axi_arready,
  input wire [31:0] m_axi_rdata,
  input wire [1:0]  m_axi_rresp,
  input wire        m_axi_rlast,
  input wire        m_axi_rvalid
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        done;
  wire        failed;
  wire        wr_en;
  wire [7:0]  wr_word;
  wire [31:0] wr_data;
  wire        rd_en;
  wire [7:0]  rd_word;
  wire [31:0] m_axi_awaddr;
  wire [7:0]  m_axi_awlen;
  wire [2:0]  m_axi_awsize;
  wire [1:0]  m_axi_awburst;
  wire        m_axi_awvalid;
  wire [31:0] m_axi_wdata;
  wire [3:0]  m_axi_wstrb;
  wire        m_axi_wlast;
  wire        m_axi_wvalid;
  wire        m_axi_bready;
  wire [31:0] m_axi_araddr;
  wire [7:0]  m_axi_arlen;
  wire [2:0]  m_axi_arsize;
  wire [1:0]  m_axi_arburst;
  wire        m_axi_arvalid;
  wire        m_axi_rready;

  tpu_link_memory dut (
    .clk           (clk),
    .rst           (rst),
    .start_read    (start_read),
    .start_write   (start_write),
    .start_crc     (start_crc),
    .address       (address),
    .length        (length),
    .done          (done),
    .failed        (failed),
    .crc           (),
    .wr_en         (wr_en),
    .wr_word       (wr_word),
    .wr_data       (wr_data),
    .rd_en         (rd_en),
    .rd_word       (rd_word),
    .rd_data       (rd_data),
    .m_axi_awaddr  (m_axi_awaddr),
    .m_axi_awlen   (m_axi_awlen),
    .m_axi_awsize  (m_axi_awsize),
    .m_axi_awburst (m_axi_awburst),
    .m_axi_awvalid (m_axi_awvalid),
    .m_axi_awready (m_axi_awready),
    .m_axi_wdata   (m_axi_wdata),
    .m_axi_wstrb   (m_axi_wstrb),
    .m_axi_wlast   (m_axi_wlast),
    .m_axi_wvalid  (m_axi_wvalid),
    .m_axi_wready  (m_axi_wready),
    .m_axi_bresp   (m_axi_bresp),
    .m_axi_bvalid  (m_axi_bvalid),
    .m_axi_bready  (m_axi_bready),
    .m_axi_araddr  (m_axi_araddr),
    .m_axi_arlen   (m_axi_arlen),
    .m_axi_arsize  (m_axi_arsize),
    .m_axi_arburst (m_axi_arburst),
    .m_axi_arvalid (m_axi_arvalid),
    .m_axi_arready (m_axi_arready),
    .m_axi_rdata   (m_axi_rdata),
    .m_axi_rresp   (m_axi_rresp),
    .m_axi_rlast   (m_axi_rlast),
    .m_axi_rvalid  (m_axi_rvalid),
    .m_axi_rready  (m_axi_rready)
  );

  (* hierconn *) wire [2:0]  \dut.state_q ;
  (* hierconn *) wire        \dut.is_crc_q ;
  (* hierconn *) wire        \dut.is_write_q ;
  (* hierconn *) wire        \dut.failed_q ;
  (* hierconn *) wire        \dut.a_valid_q ;
  (* hierconn *) wire [9:0]  \dut.burst_last_q ;
  (* hierconn *) wire        \dut.final_q ;
  (* hierconn *) wire [31:0] \dut.byte_q ;
  (* hierconn *) wire [31:0] \dut.last_q ;
  (* hierconn *) wire [31:0] \dut.beat_q ;
  // What the CRC is fed
  (* hierconn *) wire       \dut.u_crc.en ;
  (* hierconn *) wire [7:0] \dut.u_crc.data ;

  wire        start = start_read || start_write || start_crc;
  wire [31:0] last  = address + length - 1;
  wire        aw    = m_axi_awvalid && m_axi_awready;
  wire        w     = m_axi_wvalid && m_axi_wready;
  wire        b     = m_axi_bvalid && m_axi_bready;
  wire        ar    = m_axi_arvalid && m_axi_arready;
  wire        r     = m_axi_rvalid && m_axi_rready;

  //// The job: one at a time, with a range that stays ////

  reg        busy_q;
  reg        read_q;
  reg        write_q;
  reg        crc_q;
  reg [31:0] address_q;
  reg [31:0] length_q;
  reg [31:0] rd_data_q;
  reg        rd_en_q;

  always @(posedge clk) begin
    busy_q    <= !rst && (start || (busy_q && !done));
    address_q <= address;
    length_q  <= length;
    rd_data_q <= rd_data;
    rd_en_q   <= rd_en;
    if (start) begin
      read_q  <= start_read;
      write_q <= start_write;
      crc_q   <= start_crc;
    end
  end

  always @* begin
    assume (!(rst && start));
    if (!rst) begin
      assume (start_read + start_write + start_crc <= 1);
      assume (!busy_q || !start);
      assume (!busy_q || (address == address_q && length == length_q));
      assume (!(start || busy_q) || (length != 0 && last >= address));
      assume (!(start_read || start_write || (busy_q && !crc_q)) || last[31:10] == address[31:10]);
      // The buffer's read register
      assume (rd_en_q || rd_data == rd_data_q);
    end
  end

  //// The bus's other end: answers what it has been asked ////

  // Beats of an accepted burst of reads still to come; of writes: an accepted burst, and whether all of its beats came
  reg [8:0] r_owed_q;
  reg       aw_q;
  reg       w_done_q;
  reg       bad_q;

  always @(posedge clk) begin
    if (ar) r_owed_q <= m_axi_arlen + 1;
    else if (r) r_owed_q <= r_owed_q - 1;
    if (aw) aw_q <= 1'b1;
    if (w && m_axi_wlast) w_done_q <= 1'b1;
    if (b) begin
      aw_q     <= 1'b0;
      w_done_q <= 1'b0;
    end
    bad_q <= !start && (bad_q || (r && m_axi_rresp != 0) || (b && m_axi_bresp != 0));
    if (rst) begin
      r_owed_q <= 0;
      aw_q     <= 1'b0;
      w_done_q <= 1'b0;
    end
  end

  always @* begin
    if (!rst) begin
      assume (!m_axi_rvalid || r_owed_q != 0);
      assume (!m_axi_bvalid || (aw_q && w_done_q));
    end
  end

  //// The range, walked once more: the first byte of the next burst, of the next beat, of the next that the CRC gets ////

  reg [32:0] burst_q;
  reg [32:0] beat_q;
  reg [32:0] crc_byte_q;
  reg [31:0] word_q;
  reg        word_held_q;

  wire [31:0] in_block   = {burst_q[31:10], 10'h3ff};
  wire [31:0] burst_last = last < in_block ? last : in_block;
  wire [7:0]  beats_less = burst_last[9:2] - burst_q[9:2];
  wire [32:0] next_beat  = {{1'b0, beat_q[31:2]} + 31'd1, 2'b00};
  wire [32:0] behind     = {1'b0, last} + 33'd1;

  always @(posedge clk) begin
    if (start) begin
      burst_q     <= {1'b0, address};
      beat_q      <= {1'b0, address};
      crc_byte_q  <= {1'b0, address};
      word_held_q <= 1'b0;
    end
    if (ar || aw) burst_q <= {1'b0, burst_last} + 33'd1;
    if (r || w) beat_q <= next_beat < behind ? next_beat : behind;
    if (r) begin
      word_q      <= m_axi_rdata;
      word_held_q <= crc_q;
    end
    if (\dut.u_crc.en ) begin
      crc_byte_q  <= crc_byte_q + 33'd1;
      word_held_q <= crc_byte_q[1:0] != 2'd3 && crc_byte_q + 33'd1 != behind;
    end
  end

  //// What has to hold ////

  reg        ar_waits_q;
  reg        aw_waits_q;
  reg        w_waits_q;
  reg [39:0] a_offer_q;
  reg [36:0] w_offer_q;
  reg [7:0]  rd_word_q;

  always @(posedge clk) begin
    ar_waits_q <= !rst && m_axi_arvalid && !m_axi_arready;
    aw_waits_q <= !rst && m_axi_awvalid && !m_axi_awready;
    w_waits_q  <= !rst && m_axi_wvalid && !m_axi_wready;
    a_offer_q  <= write_q ? {m_axi_awaddr, m_axi_awlen} : {m_axi_araddr, m_axi_arlen};
    w_offer_q  <= {m_axi_wlast, m_axi_wstrb, m_axi_wdata};
    if (rd_en) rd_word_q <= rd_word;
  end

  integer i;
  always @* begin
    if (!rst) begin
      // Offers stand.
      assert (!ar_waits_q || (m_axi_arvalid && {m_axi_araddr, m_axi_arlen} == a_offer_q));
      assert (!aw_waits_q || (m_axi_awvalid && {m_axi_awaddr, m_axi_awlen} == a_offer_q));
      assert (!w_waits_q || (m_axi_wvalid && {m_axi_wlast, m_axi_wstrb, m_axi_wdata} == w_offer_q));
      // Nothing on the bus without a job of that kind
      assert (!m_axi_arvalid || (busy_q && !write_q));
      assert (!m_axi_awvalid || (busy_q && write_q));
      assert (!m_axi_wvalid || (busy_q && write_q));
      assert (!done || busy_q);
      // Whole words, ascending; each burst begins where the one before ended, and ends with the block or with the range.
      assert (m_axi_arsize == 2 && m_axi_arburst == 1 && m_axi_awsize == 2 && m_axi_awburst == 1);
      if (m_axi_arvalid) begin
        assert (!burst_q[32] && burst_q <= {1'b0, last} && r_owed_q == 0);
        assert (m_axi_araddr == {burst_q[31:2], 2'b00} && m_axi_arlen == beats_less);
      end
      if (m_axi_awvalid) begin
        assert (!burst_q[32] && burst_q <= {1'b0, last} && !aw_q);
        assert (m_axi_awaddr == {burst_q[31:2], 2'b00} && m_axi_awlen == beats_less);
      end
      // Beats of writes: the buffer's word of the same place, the bytes of the range alone, and the last one at the end of the range
      if (m_axi_wvalid) begin
        assert (beat_q <= {1'b0, last} && !w_done_q);
        assert (rd_word_q == beat_q[9:2] && m_axi_wdata == rd_data);
        assert (m_axi_wlast == (beat_q[31:2] == last[31:2]));
        for (i = 0; i < 4; i = i + 1) begin
          assert (m_axi_wstrb[i] == ({beat_q[31:2], 2'b00} + i >= address && {beat_q[31:2], 2'b00} + i <= last));
        end
      end
      // Beats of reads go to their place, those of a CRC nowhere.
      assert (wr_en == (r && read_q));
      assert (!wr_en || (wr_word == beat_q[9:2] && wr_data == m_axi_rdata));
      // The CRC gets the bytes of the range, one after the other.
      if (\dut.u_crc.en ) begin
        assert (crc_q && word_held_q && crc_byte_q <= {1'b0, last});
        assert (\dut.u_crc.data == word_q[8*crc_byte_q[1:0] +: 8]);
      end
      // A beat is not taken before the bytes of the one before have been fed.
      assert (!(r && crc_q) || !word_held_q);
      if (done) begin
        assert (burst_q == behind && beat_q == behind);
        assert (!crc_q || crc_byte_q == behind);
        assert (failed == bad_q);
        assert (!aw_q && r_owed_q == 0);
      end
    end
  end

  //// The same, as the states of the machine have it: what makes the properties above inductive ////

  localparam [2:0] IDLE     = 3'd0;
  localparam [2:0] BURST    = 3'd1;
  localparam [2:0] READ     = 3'd2;
  localparam [2:0] BYTES    = 3'd3;
  localparam [2:0] FETCH    = 3'd4;
  localparam [2:0] WRITE    = 3'd5;
  localparam [2:0] RESPONSE = 3'd6;
  localparam [2:0] END      = 3'd7;

  wire [2:0]  state      = \dut.state_q ;
  wire [32:0] place      = {1'b0, \dut.byte_q };
  wire [32:0] next_word  = {{1'b0, place[31:2]} + 31'd1, 2'b00};
  wire        same_block = \dut.byte_q >> 10 == last >> 10;
  wire [9:0]  place_last = same_block ? last[9:0] : 10'h3ff;
  wire        in_burst   = state == READ || state == BYTES || state == FETCH || state == WRITE;

  always @* begin
    if (!rst) begin
      assert (busy_q == (state != IDLE));
      if (state == IDLE) begin
        assert (!\dut.a_valid_q && r_owed_q == 0 && !aw_q && !w_done_q);
      end else begin
        assert (read_q + write_q + crc_q == 1);
        assert (\dut.is_crc_q == crc_q && \dut.is_write_q == write_q && \dut.last_q == last && \dut.failed_q == bad_q);
      end
      if (state == BURST) begin
        assert (!\dut.a_valid_q && r_owed_q == 0 && !aw_q && !w_done_q && !word_held_q);
        assert (burst_q == place && beat_q == place && (crc_q ? crc_byte_q == place : place == {1'b0, address}));
      end
      if (state == BURST || in_burst) begin
        assert (place >= {1'b0, address} && place <= {1'b0, last});
      end
      if (in_burst) begin
        assert (\dut.burst_last_q == place_last && \dut.final_q == same_block);
        assert (burst_q == (\dut.a_valid_q ? (write_q ? {1'b0, address} : place) : {1'b0, \dut.byte_q [31:10], place_last} + 33'd1));
      end
      if (\dut.a_valid_q ) begin
        assert ((write_q ? m_axi_awaddr : m_axi_araddr) == {burst_q[31:2], 2'b00});
        assert ((write_q ? m_axi_awlen : m_axi_arlen) == beats_less);
        assert (r_owed_q == 0 && !aw_q);
      end
      if (state == BURST || state == READ || state == FETCH || state == WRITE) begin
        assert (place[1:0] == 2'd0 || place == {1'b0, address});
      end
      if (state == READ) begin
        assert (!write_q && beat_q == place && !word_held_q && (!crc_q || crc_byte_q == place));
        assert (\dut.a_valid_q || r_owed_q == {1'b0, place_last[9:2]} - place[9:2] + 1);
      end
      if (state == BYTES) begin
        assert (crc_q && !\dut.a_valid_q && crc_byte_q == place && word_held_q && word_q == \dut.beat_q );
        assert (beat_q == (next_word < behind ? next_word : behind));
        assert (r_owed_q == {1'b0, place_last[9:2]} - place[9:2]);
      end
      if (state == FETCH || state == WRITE) begin
        assert (write_q && beat_q == place && !w_done_q && aw_q == !\dut.a_valid_q );
        assert (state == FETCH || rd_word_q == place[9:2]);
      end
      if (state == RESPONSE) begin
        assert (write_q && w_done_q && beat_q == behind && aw_q == !\dut.a_valid_q );
        assert (burst_q == (\dut.a_valid_q ? {1'b0, address} : behind));
      end
      if (state == END) begin
        assert (!\dut.a_valid_q && !w_done_q && r_owed_q == 0 && !aw_q);
      end
      assert (!(write_q && busy_q) || r_owed_q == 0);
      assert (!(busy_q && !write_q) || (!aw_q && !w_done_q));
    end
  end

endmodule

`default_nettype wire
