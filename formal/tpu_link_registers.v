// tpu_link_registers: one AXI4-Lite access for each word, in order, at its own address; offers that stand; words that go to and come from their own
// place in the buffer; an error of any access is reported. A reset at any time ends the job, and nothing is offered behind it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_link_registers (
  input wire        clk,
  input wire        reset,
  input wire        start_read,
  input wire        start_write,
  input wire [31:0] address,
  input wire [7:0]  last_word,
  input wire [31:0] rd_data,
  input wire        m_axil_awready,
  input wire        m_axil_wready,
  input wire [1:0]  m_axil_bresp,
  input wire        m_axil_bvalid,
  input wire        m_axil_arready,
  input wire [31:0] m_axil_rdata,
  input wire [1:0]  m_axil_rresp,
  input wire        m_axil_rvalid
);

  reg first_q = 1'b1;
  always @(posedge clk) first_q <= 1'b0;
  wire rst = first_q || reset;

  wire        done;
  wire        failed;
  wire        wr_en;
  wire [7:0]  wr_word;
  wire [31:0] wr_data;
  wire        rd_en;
  wire [7:0]  rd_word;
  wire [31:0] m_axil_awaddr;
  wire        m_axil_awvalid;
  wire [31:0] m_axil_wdata;
  wire [3:0]  m_axil_wstrb;
  wire        m_axil_wvalid;
  wire        m_axil_bready;
  wire [31:0] m_axil_araddr;
  wire        m_axil_arvalid;
  wire        m_axil_rready;

  tpu_link_registers dut (
    .clk            (clk),
    .rst            (rst),
    .start_read     (start_read),
    .start_write    (start_write),
    .address        (address),
    .last_word      (last_word),
    .done           (done),
    .failed         (failed),
    .wr_en          (wr_en),
    .wr_word        (wr_word),
    .wr_data        (wr_data),
    .rd_en          (rd_en),
    .rd_word        (rd_word),
    .rd_data        (rd_data),
    .m_axil_awaddr  (m_axil_awaddr),
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
    .m_axil_arvalid (m_axil_arvalid),
    .m_axil_arready (m_axil_arready),
    .m_axil_rdata   (m_axil_rdata),
    .m_axil_rresp   (m_axil_rresp),
    .m_axil_rvalid  (m_axil_rvalid),
    .m_axil_rready  (m_axil_rready)
  );

  wire start = start_read || start_write;
  wire aw    = m_axil_awvalid && m_axil_awready;
  wire w     = m_axil_wvalid && m_axil_wready;
  wire b     = m_axil_bvalid && m_axil_bready;
  wire ar    = m_axil_arvalid && m_axil_arready;
  wire r     = m_axil_rvalid && m_axil_rready;

  //// The job: one at a time, with words that stay ////

  reg        busy_q;
  reg        write_q;
  reg [31:0] address_q;
  reg [7:0]  last_word_q;
  reg [31:0] rd_data_q;
  reg        rd_en_q;
  // Offered and not taken in the cycle before
  reg        aw_waits_q;
  reg        w_waits_q;
  reg        ar_waits_q;
  // What the access under way has had, the word it is for, and the word that was read last from the buffer
  reg        aw_q;
  reg        w_q;
  reg        ar_q;
  reg [7:0]  word_q;
  reg [7:0]  rd_word_q;
  // All words have had their access; one was answered with an error.
  reg        all_q;
  reg        bad_q;

  always @(posedge clk) begin
    busy_q      <= !rst && (start || (busy_q && !done));
    address_q   <= address;
    last_word_q <= last_word;
    rd_data_q   <= rd_data;
    rd_en_q     <= rd_en;
    aw_waits_q  <= !rst && m_axil_awvalid && !m_axil_awready;
    w_waits_q   <= !rst && m_axil_wvalid && !m_axil_wready;
    ar_waits_q  <= !rst && m_axil_arvalid && !m_axil_arready;
    aw_q        <= !rst && (aw || (aw_q && !b));
    w_q         <= !rst && (w || (w_q && !b));
    ar_q        <= !rst && (ar || (ar_q && !r));
    if (rd_en) rd_word_q <= rd_word;
    if (start) begin
      write_q <= start_write;
      word_q  <= address[9:2];
      all_q   <= 1'b0;
      bad_q   <= 1'b0;
    end else if (b || r) begin
      word_q <= word_q + 8'd1;
      all_q  <= word_q == last_word;
      bad_q  <= bad_q || (b ? m_axil_bresp : m_axil_rresp) != 2'b00;
    end
  end

  always @* begin
    assume (!(rst && start));
    if (!rst) begin
      assume (!(start_read && start_write));
      assume (!busy_q || !start);
      assume (!busy_q || (address == address_q && last_word == last_word_q));
      // The buffer's read register
      assume (rd_en_q || rd_data == rd_data_q);
      // Answers to what has been asked
      assume (!m_axil_bvalid || (aw_q && w_q));
      assume (!m_axil_rvalid || ar_q);
    end
  end

  // The place and what is said of failures move with answers to the job's own accesses alone, also in the cycle of a reset, in which answers to
  // accesses of the other kind may come.
  reg       moves_q;
  reg [8:0] reached_q;

  always @(posedge clk) begin
    moves_q   <= first_q || !busy_q || (write_q ? b : r);
    reached_q <= {failed, wr_word};
  end
  always @* if (!first_q) assert (moves_q || {failed, wr_word} == reached_q);

  always @* begin
    if (!rst) begin
      // Offers stand.
      assert (!aw_waits_q || m_axil_awvalid);
      assert (!w_waits_q || (m_axil_wvalid && !rd_en_q));
      assert (!ar_waits_q || m_axil_arvalid);
      // One access for each word, at its address, with the buffer's word of that place
      assert (!m_axil_awvalid || (busy_q && write_q && !aw_q && !all_q && m_axil_awaddr == {address[31:10], word_q, 2'b00}));
      assert (!m_axil_wvalid || (busy_q && write_q && !w_q && !all_q && rd_word_q == word_q && m_axil_wdata == rd_data));
      assert (m_axil_wstrb == 4'b1111);
      assert (!m_axil_arvalid || (busy_q && !write_q && !ar_q && !all_q && m_axil_araddr == {address[31:10], word_q, 2'b00}));
      assert (wr_en == r);
      assert (!wr_en || (wr_word == word_q && wr_data == m_axil_rdata));
      // The end comes behind the last word's answer, and with what the answers said.
      assert (!done || (busy_q && all_q && failed == bad_q && !aw_q && !w_q && !ar_q));
      assert (!(busy_q && all_q) || done);
    end
  end

endmodule

`default_nettype wire
