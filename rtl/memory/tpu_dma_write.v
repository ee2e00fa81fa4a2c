// Writes a dense byte stream to strided rows of memory: the mirror image of tpu_dma_read.
//
//   commands ──▶ tpu_dma_bursts ──▶ AW register ──▶ m_axi_aw*
//                      ├──▶ data queue ──▶ beats ──┐
//   in_* ──▶ tpu_byte_gearbox ─────────────────────┴──▶ m_axi_w*      (a beat 2 cycles after its last byte)
//                      └──▶ response queue ◀── m_axi_b*
//
// Addresses run ahead of the data, MAX_BURSTS bursts at most from address to response; one beat of data per cycle.
//
// With `stop`, no new address goes out, and bursts whose address has gone out (or stands on the bus) get their remaining beats with all
// strobes off. A transfer that leaves the address space writes its bytes so far, then raises range_error until reset.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_dma_write #(
  // Most bytes per word of the stream
  parameter IN_BYTES = 16,
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Bursts in flight, a power of two
  parameter MAX_BURSTS = 64
) (
  input  wire                        clk,
  input  wire                        rst,
  input  wire                        stop,
  // No burst is requested or unanswered
  output wire                        drained,

  // Transfer (see tpu_dma_bursts)
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [63:0]                 cmd_addr,
  input  wire [63:0]                 cmd_bytes,
  input  wire [31:0]                 cmd_rows,
  input  wire [31:0]                 cmd_stride,

  // Bytes: in_count (1 .. IN_BYTES) from the lowest of in_data
  input  wire                        in_valid,
  output wire                        in_ready,
  input  wire [8*IN_BYTES-1:0]       in_data,
  input  wire [$clog2(IN_BYTES):0]   in_count,

  // Pulses: a transfer's last response has come; a response was an error
  output wire                        cmd_done,
  output wire                        bus_error,
  output wire                        range_error,

  // AXI4 write channels
  output wire [1:0]                  m_axi_awid,
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
  input  wire [1:0]                  m_axi_bid,
  input  wire [1:0]                  m_axi_bresp,
  input  wire                        m_axi_bvalid,
  output wire                        m_axi_bready
);

  localparam BEAT_BYTES = AXI_DATA_WIDTH / 8;
  localparam BW         = $clog2(BEAT_BYTES);
  localparam QW         = $clog2(MAX_BURSTS);
  // AXI encodings
  localparam [1:0]  BURST_INCR = 2'b01;
  localparam [3:0]  CACHE_NORMAL_BUFFERABLE = 4'b0011;

  // ---- Addresses -------------------------------------------------------------------------------

  wire                      burst_valid;
  wire                      burst_ready;
  wire [AXI_ADDR_WIDTH-1:0] burst_addr;
  wire [4:0]                burst_len;
  wire [BW-1:0]             burst_first;
  wire [BW-1:0]             burst_end;
  wire                      burst_last;
  wire                      burst_range;

  tpu_dma_bursts #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_bursts (
    .clk         (clk),
    .rst         (rst),
    .stop        (stop),
    .cmd_valid   (cmd_valid),
    .cmd_ready   (cmd_ready),
    .cmd_addr    (cmd_addr),
    .cmd_bytes   (cmd_bytes),
    .cmd_rows    (cmd_rows),
    .cmd_stride  (cmd_stride),
    .burst_valid (burst_valid),
    .burst_ready (burst_ready),
    .burst_addr  (burst_addr),
    .burst_len   (burst_len),
    .burst_first (burst_first),
    .burst_end   (burst_end),
    .burst_last  (burst_last),
    .burst_range (burst_range)
  );

  reg                       aw_valid_q;
  reg  [AXI_ADDR_WIDTH-1:0] aw_addr_q;
  reg  [4:0]                aw_len_q;
  wire                      data_queue_ready;
  wire                      response_queue_ready;
  wire                      aw_free = response_queue_ready && (!aw_valid_q || m_axi_awready);
  wire                      issue   = burst_valid && burst_ready && !burst_range;

  assign burst_ready = data_queue_ready && (burst_range || aw_free);

  always @(posedge clk) begin
    if (issue) begin
      aw_addr_q <= burst_addr;
      aw_len_q  <= burst_len;
    end
  end

  always @(posedge clk) begin
    if (issue) begin
      aw_valid_q <= 1'b1;
    end else if (m_axi_awready) begin
      aw_valid_q <= 1'b0;
    end
    if (rst) begin
      aw_valid_q <= 1'b0;
    end
  end

  assign m_axi_awid    = 2'd0;
  assign m_axi_awaddr  = aw_addr_q;
  assign m_axi_awlen   = {3'd0, aw_len_q};
  assign m_axi_awsize  = BW[2:0];
  assign m_axi_awburst = BURST_INCR;
  assign m_axi_awlock  = 1'b0;
  assign m_axi_awcache = CACHE_NORMAL_BUFFERABLE;
  assign m_axi_awprot  = 3'b000;
  assign m_axi_awqos   = 4'd0;
  assign m_axi_awvalid = aw_valid_q;

  // ---- Data ------------------------------------------------------------------------------------

  function [BEAT_BYTES-1:0] strobes;
    input [BW-1:0] offset;
    input [BW:0]   length;
    begin
      strobes = ~({BEAT_BYTES{1'b1}} << length) << offset;
    end
  endfunction

  reg                   w_valid_q;
  reg                   w_last_q;
  reg  [BEAT_BYTES-1:0] w_strobes_q;
  // Number of the beat within its burst
  reg  [4:0]            beat_q;

  wire                  head_valid;
  wire                  head_range;
  wire [4:0]            head_len;
  wire [BW-1:0]         head_first;
  wire [BW-1:0]         head_end;
  wire [QW:0]           data_queue_level;
  wire                  cut_ready;

  wire                  last     = beat_q == head_len;
  wire [BW-1:0]         offset   = beat_q == 5'd0 ? head_first : {BW{1'b0}};
  wire [BW-1:0]         end_byte = last ? head_end : {BW{1'b1}};
  wire [BW:0]           length   = {1'b0, end_byte} - {1'b0, offset} + 1'b1;
  wire                  beat     = head_valid && !head_range && (stop || cut_ready) && (!w_valid_q || m_axi_wready);

  assign range_error = head_valid && head_range;

  tpu_fifo #(
    .WIDTH (1 + 5 + 2 * BW),
    .DEPTH (MAX_BURSTS)
  ) u_data_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (burst_valid && burst_ready),
    .in_ready  (data_queue_ready),
    .in_data   ({burst_range, burst_len, burst_first, burst_end}),
    .out_valid (head_valid),
    .out_ready (beat && last),
    .out_data  ({head_range, head_len, head_first, head_end}),
    .level     (data_queue_level)
  );

  tpu_byte_gearbox #(
    .IN_BYTES  (IN_BYTES),
    .OUT_BYTES (BEAT_BYTES)
  ) u_gearbox (
    .clk        (clk),
    .rst        (rst),
    .in_valid   (in_valid),
    .in_ready   (in_ready),
    .in_data    (in_data),
    .in_offset  ({$clog2(IN_BYTES){1'b0}}),
    .in_count   (in_count),
    .cut_length (length),
    .cut_offset (offset),
    .cut_ready  (cut_ready),
    .cut_en     (beat && !stop),
    .cut_data   (m_axi_wdata)
  );

  always @(posedge clk) begin
    if (beat) begin
      w_strobes_q <= stop ? {BEAT_BYTES{1'b0}} : strobes(offset, length);
      w_last_q    <= last;
    end
  end

  always @(posedge clk) begin
    if (beat) begin
      w_valid_q <= 1'b1;
      beat_q    <= last ? 5'd0 : beat_q + 5'd1;
    end else if (m_axi_wready) begin
      w_valid_q <= 1'b0;
    end
    if (rst) begin
      w_valid_q <= 1'b0;
      beat_q    <= 5'd0;
    end
  end

  assign m_axi_wstrb  = w_strobes_q;
  assign m_axi_wlast  = w_last_q;
  assign m_axi_wvalid = w_valid_q;

  // ---- Responses -------------------------------------------------------------------------------

  wire        unanswered;
  wire        ends_cmd;
  wire [QW:0] response_queue_level;

  tpu_fifo #(
    .WIDTH (1),
    .DEPTH (MAX_BURSTS)
  ) u_response_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (issue),
    .in_ready  (response_queue_ready),
    .in_data   (burst_last),
    .out_valid (unanswered),
    .out_ready (m_axi_bvalid),
    .out_data  (ends_cmd),
    .level     (response_queue_level)
  );

  assign m_axi_bready = 1'b1;
  assign cmd_done     = m_axi_bvalid && ends_cmd;
  assign bus_error    = m_axi_bvalid && m_axi_bresp[1];
  assign drained      = !unanswered;

  wire unused = &{1'b0, m_axi_bid, m_axi_bresp[0], data_queue_level, response_queue_level};

endmodule

`default_nettype wire
