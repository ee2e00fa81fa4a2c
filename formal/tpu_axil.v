// tpu_axil: handshakes on all five channels, one register access and one response per request, the right words, and answers in time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_axil (
  input wire        clk,
  input wire [11:0] s_axil_awaddr,
  input wire        s_axil_awvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0]  s_axil_wstrb,
  input wire        s_axil_wvalid,
  input wire        s_axil_bready,
  input wire [11:0] s_axil_araddr,
  input wire        s_axil_arvalid,
  input wire        s_axil_rready,
  input wire        rd_done,
  input wire [31:0] rd_data
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        s_axil_awready;
  wire        s_axil_wready;
  wire [1:0]  s_axil_bresp;
  wire        s_axil_bvalid;
  wire        s_axil_arready;
  wire [31:0] s_axil_rdata;
  wire [1:0]  s_axil_rresp;
  wire        s_axil_rvalid;
  wire        wr_en;
  wire [9:0]  wr_word;
  wire [31:0] wr_data;
  wire [3:0]  wr_strb;
  wire        rd_en;
  wire [9:0]  rd_word;

  tpu_axil dut (
    .clk            (clk),
    .rst            (rst),
    .s_axil_awaddr  (s_axil_awaddr),
    .s_axil_awprot  (3'd0),
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
    .s_axil_arprot  (3'd0),
    .s_axil_arvalid (s_axil_arvalid),
    .s_axil_arready (s_axil_arready),
    .s_axil_rdata   (s_axil_rdata),
    .s_axil_rresp   (s_axil_rresp),
    .s_axil_rvalid  (s_axil_rvalid),
    .s_axil_rready  (s_axil_rready),
    .wr_en          (wr_en),
    .wr_word        (wr_word),
    .wr_data        (wr_data),
    .wr_strb        (wr_strb),
    .rd_en          (rd_en),
    .rd_word        (rd_word),
    .rd_done        (rd_done),
    .rd_data        (rd_data)
  );

  //// Requests become accesses: each once, in order, with its own word, data and strobes ////

  wire aw = s_axil_awvalid && s_axil_awready;
  wire w  = s_axil_wvalid && s_axil_wready;
  wire b  = s_axil_bvalid && s_axil_bready;
  wire ar = s_axil_arvalid && s_axil_arready;
  wire r  = s_axil_rvalid && s_axil_rready;

  wire aw_held;
  wire w_held;
  wire ar_held;
  // A read that has no answer yet, and its word
  reg       rd_begun_q;
  reg [9:0] rd_word_q;

  stream_order #(.WIDTH (10), .CAPACITY (1)) u_aw (
    .clk (clk), .rst (rst), .push (aw), .in_data (s_axil_awaddr[11:2]), .out_valid (wr_en), .pop (wr_en), .out_data (wr_word),
    .held (aw_held)
  );
  stream_order #(.WIDTH (36), .CAPACITY (1)) u_w (
    .clk (clk), .rst (rst), .push (w), .in_data ({s_axil_wstrb, s_axil_wdata}), .out_valid (wr_en), .pop (wr_en),
    .out_data ({wr_strb, wr_data}), .held (w_held)
  );
  stream_order #(.WIDTH (10), .CAPACITY (2)) u_ar (
    .clk (clk), .rst (rst), .push (ar), .in_data (s_axil_araddr[11:2]), .out_valid (rd_en), .pop (rd_en), .out_data (rd_word),
    .held ()
  );

  //// Accesses become responses: one each, reads with the data that comes with rd_done ////

  wire b_held;

  stream_order #(.WIDTH (1), .CAPACITY (1)) u_b (
    .clk (clk), .rst (rst), .push (wr_en), .in_data (1'b0), .out_valid (s_axil_bvalid), .pop (b), .out_data (1'b0), .held (b_held)
  );
  stream_order #(.WIDTH (32), .CAPACITY (1)) u_r (
    .clk (clk), .rst (rst), .push (rd_begun_q && rd_done), .in_data (rd_data), .out_valid (s_axil_rvalid), .pop (r), .out_data (s_axil_rdata),
    .held ()
  );

  //// Stable offers, and answers in time ////

  reg        b_waits_q;
  reg        r_waits_q;
  reg [31:0] r_data_q;
  // Cycles for which a request has been inside without its access or response, while none before it has a response to be taken
  reg [2:0]  wr_age_q;
  reg [2:0]  rd_age_q;
  // Requests inside, from acceptance to response
  reg [1:0]  reads_q;

  always @(posedge clk) begin
    rd_begun_q <= !rst && (rd_en || (rd_begun_q && !rd_done));
    rd_word_q  <= rd_word;
    b_waits_q  <= !rst && s_axil_bvalid && !s_axil_bready;
    r_waits_q  <= !rst && s_axil_rvalid && !s_axil_rready;
    r_data_q   <= s_axil_rdata;
    reads_q    <= rst ? 2'd0 : reads_q + ar - r;
    wr_age_q   <= rst || wr_en || s_axil_bvalid || !(aw_held && w_held) ? 3'd0 : wr_age_q + 1'b1;
    rd_age_q   <= rst || s_axil_rvalid || reads_q == 0 ? 3'd0 : rd_age_q + !(rd_begun_q && !rd_done);
  end

  always @* begin
    if (!rst) begin
      assert (s_axil_bresp == 2'b00 && s_axil_rresp == 2'b00);
      assert (!b_waits_q || s_axil_bvalid);
      assert (!r_waits_q || (s_axil_rvalid && s_axil_rdata == r_data_q));
      // A complete write is carried out at once, a read answered in three cycles and those that rd_done takes, when the response before
      // has been taken; addresses and data are refused only while one is inside.
      assert (wr_age_q < 1);
      assert (rd_age_q < 3);
      assert (!rd_begun_q || rd_word == rd_word_q);
      assert (s_axil_awready || aw_held);
      assert (s_axil_wready || w_held);
      assert (s_axil_arready || reads_q != 0);
      assert (s_axil_bvalid == b_held);
    end
  end

endmodule

`default_nettype wire
