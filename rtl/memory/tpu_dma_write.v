// Writes a dense byte stream to strided rows of memory: the mirror image of tpu_dma_read.
//
//   commands ──▶ tpu_dma_bursts ──▶ aw_*
//                      ├──▶ data queue ──▶ which bytes of each beat ──▶ w_*
//   in_* ──▶ tpu_byte_gearbox ──▶ w_data       (a beat stands on the bus 2 cycles after its last byte came)
//                      └──▶ response queue ◀── b_*
//
// aw_*, w_* and b_* are tpu_axi_write_port's. Addresses run ahead of the data, MAX_BURSTS bursts at most from address to response; one beat of
// data per cycle.
//
// With `stop`, no new address and no beat goes out. A transfer that leaves the address space writes its bytes so far, then raises
// range_error until reset.
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
  // No burst is unanswered
  output wire                        drained,

  // Transfer (see tpu_dma_bursts)
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [AXI_ADDR_WIDTH:0]     cmd_addr,
  input  wire [AXI_ADDR_WIDTH:0]     cmd_span,
  input  wire [31:0]                 cmd_more,
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

  // Write port
  output wire                        aw_valid,
  input  wire                        aw_ready,
  output wire [AXI_ADDR_WIDTH-1:0]   aw_addr,
  output wire [4:0]                  aw_len,
  output wire                        w_valid,
  input  wire                        w_ready,
  output wire [AXI_DATA_WIDTH/8-1:0] w_strb,
  output wire [AXI_DATA_WIDTH-1:0]   w_data,
  input  wire                        w_first,
  input  wire                        w_last,
  input  wire                        b_valid,
  input  wire [1:0]                  b_resp
);

  localparam BEAT_BYTES = AXI_DATA_WIDTH / 8;
  localparam BW         = $clog2(BEAT_BYTES);
  localparam QW         = $clog2(MAX_BURSTS);

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
    .cmd_span    (cmd_span),
    .cmd_more    (cmd_more),
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

  wire                      data_queue_ready;
  wire                      response_queue_ready;
  wire                      issue = aw_valid && aw_ready;

  assign aw_valid    = burst_valid && !burst_range && data_queue_ready && response_queue_ready;
  assign aw_addr     = burst_addr;
  assign aw_len      = burst_len;
  assign burst_ready = data_queue_ready && (burst_range || (response_queue_ready && aw_ready));

  // ---- Data ------------------------------------------------------------------------------------

  function [BEAT_BYTES-1:0] strobes;
    input [BW-1:0] offset;
    input [BW:0]   length;
    begin
      strobes = ~({BEAT_BYTES{1'b1}} << length) << offset;
    end
  endfunction

  wire                  queue_valid;
  wire                  queue_range;
  wire [BW-1:0]         queue_first;
  wire [BW-1:0]         queue_end;
  wire [QW:0]           data_queue_level;
  // The burst whose beats are cut. In registers, because it decides in the same cycle what is cut; the port wants no beat sooner.
  reg                   head_valid_q;
  reg                   head_range_q;
  reg  [BW-1:0]         head_first_q;
  reg  [BW-1:0]         head_end_q;
  wire                  cut_ready;

  wire [BW-1:0]         offset   = w_first ? head_first_q : {BW{1'b0}};
  wire [BW-1:0]         end_byte = w_last ? head_end_q : {BW{1'b1}};
  wire [BW:0]           length   = {1'b0, end_byte} - {1'b0, offset} + 1'b1;
  wire                  beat     = w_valid && w_ready;
  wire                  next     = !head_valid_q || (beat && w_last);

  assign range_error = head_valid_q && head_range_q;
  assign w_valid     = head_valid_q && !head_range_q && cut_ready && !stop;
  assign w_strb      = strobes(offset, length);

  tpu_fifo #(
    .WIDTH (1 + 2 * BW),
    .DEPTH (MAX_BURSTS)
  ) u_data_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (burst_valid && burst_ready),
    .in_ready  (data_queue_ready),
    .in_data   ({burst_range, burst_first, burst_end}),
    .out_valid (queue_valid),
    .out_ready (next),
    .out_data  ({queue_range, queue_first, queue_end}),
    .level     (data_queue_level)
  );

  always @(posedge clk) begin
    if (next) begin
      head_valid_q <= queue_valid;
      head_range_q <= queue_range;
      head_first_q <= queue_first;
      head_end_q   <= queue_end;
    end
    if (rst) begin
      head_valid_q <= 1'b0;
    end
  end

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
    .cut_en     (beat),
    .cut_data   (w_data)
  );

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
    .out_ready (b_valid),
    .out_data  (ends_cmd),
    .level     (response_queue_level)
  );

  assign cmd_done  = b_valid && ends_cmd;
  assign bus_error = b_valid && b_resp[1];
  assign drained   = !unanswered;

  wire unused = &{1'b0, b_resp[0], data_queue_level, response_queue_level};

endmodule

`default_nettype wire
