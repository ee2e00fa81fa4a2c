// Reads strided rows from memory: a transfer in, its bytes out, as bus beats with a range of valid bytes.
//
//   commands ──▶ tpu_dma_bursts ──▶ tpu_skid ──▶ ar_*
//                      │
//                      └──▶ burst queue ──┐  (which bytes of each burst)
//   r_* ──▶ receive FIFO ────────────────▶ trim ──▶ out_*
//
// Room in the receive FIFO is reserved before a burst is requested, so r_* is always accepted. Bursts go out as fast as the bus takes them
// while the FIFO has room for the longest one. A transfer's first burst reaches ar_* three cycles after the command, a beat reaches out_*
// two cycles after r_valid.
//
// Errors come in the order of the stream: a beat with an error response carries out_bus_error; a transfer that leaves the address
// space gives its bytes so far, then out_range_error until reset.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_dma_read #(
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Beats in the receive FIFO, a power of two, at least 32
  parameter FIFO_BEATS = 128
) (
  input  wire                                clk,
  input  wire                                rst,
  // Requests no more bursts
  input  wire                                stop,

  // Transfer (see tpu_dma_bursts)
  input  wire                                cmd_valid,
  output wire                                cmd_ready,
  input  wire [AXI_ADDR_WIDTH:0]             cmd_addr,
  input  wire [AXI_ADDR_WIDTH:0]             cmd_span,
  input  wire [31:0]                         cmd_more,
  input  wire [31:0]                         cmd_stride,

  // Read client interface
  output wire                                ar_valid,
  input  wire                                ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]           ar_addr,
  output wire [7:0]                          ar_len,
  input  wire                                r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]           r_data,
  input  wire [1:0]                          r_resp,
  input  wire                                r_last,

  // Bytes: out_count (1 .. beat) from byte out_offset of out_data. With an error, no bytes.
  output wire                                out_valid,
  input  wire                                out_ready,
  output wire [AXI_DATA_WIDTH-1:0]           out_data,
  output wire [$clog2(AXI_DATA_WIDTH/8)-1:0] out_offset,
  output wire [$clog2(AXI_DATA_WIDTH/8):0]   out_count,
  output wire                                out_bus_error,
  output wire                                out_range_error
);

  localparam BW = $clog2(AXI_DATA_WIDTH / 8);
  localparam FW = $clog2(FIFO_BEATS);

  generate
    if (FIFO_BEATS < 32) begin : g_check_fifo
      ERROR_tpu_dma_read_FIFO_BEATS_must_hold_a_burst check ();
    end
  endgenerate

  // ---- Requests --------------------------------------------------------------------------------

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

  // Beats of the receive FIFO that no burst has reserved
  reg  [FW:0]               free_q;

  wire                      queue_ready;
  wire                      skid_ready;
  wire [AXI_ADDR_WIDTH-BW-1:0] ar_beat;
  wire [4:0]                ar_beats;
  // For a burst of 32 beats, the longest
  wire                      room    = free_q[FW:5] != {(FW-4){1'b0}};
  wire                      issue   = burst_valid && burst_ready && !burst_range;
  wire                      take    = out_valid && out_ready && !out_range_error;
  wire [FW:0]               reserve = issue ? {{(FW-4){1'b0}}, burst_len} + 1'b1 : {(FW+1){1'b0}};

  assign burst_ready = queue_ready && skid_ready && room;
  assign ar_addr     = {ar_beat, {BW{1'b0}}};
  assign ar_len      = {3'd0, ar_beats};

  tpu_skid #(
    .WIDTH (AXI_ADDR_WIDTH - BW + 5)
  ) u_requests (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (issue),
    .in_ready  (skid_ready),
    .in_data   ({burst_addr[AXI_ADDR_WIDTH-1:BW], burst_len}),
    .out_valid (ar_valid),
    .out_ready (ar_ready),
    .out_data  ({ar_beat, ar_beats})
  );

  always @(posedge clk) begin
    if (issue || take) begin
      free_q <= free_q - reserve + {{FW{1'b0}}, take};
    end
    if (rst) begin
      free_q <= FIFO_BEATS[FW:0];
    end
  end

  // ---- Receive FIFO and burst queue ------------------------------------------------------------

  wire          beat_valid;
  wire          beat_error;
  wire          beat_last;
  wire          fifo_ready;
  wire          queue_valid;
  wire          queue_range;
  wire [BW-1:0] queue_first;
  wire [BW-1:0] queue_end;
  wire [FW:0]   queue_level;
  // The burst whose beats leave the FIFO. In registers, because it decides in the same cycle what becomes of a beat; beats come later.
  reg           head_valid_q;
  reg           head_range_q;
  reg  [BW-1:0] head_first_q;
  reg  [BW-1:0] head_end_q;
  wire          next = !head_valid_q || (take && beat_last);

  tpu_fifo_ram #(
    .WIDTH (AXI_DATA_WIDTH + 2),
    .DEPTH (FIFO_BEATS)
  ) u_beats (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (r_valid),
    .in_ready  (fifo_ready),
    .in_data   ({r_resp[1], r_last, r_data}),
    .out_valid (beat_valid),
    .out_ready (take),
    .out_data  ({beat_error, beat_last, out_data})
  );

  // As deep as the receive FIFO: every burst has at least one beat.
  tpu_fifo #(
    .WIDTH (2 * BW + 1),
    .DEPTH (FIFO_BEATS)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (burst_valid && burst_ready),
    .in_ready  (queue_ready),
    .in_data   ({burst_range, burst_first, burst_end}),
    .out_valid (queue_valid),
    .out_ready (next),
    .out_data  ({queue_range, queue_first, queue_end}),
    .level     (queue_level)
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

  // ---- Trim ------------------------------------------------------------------------------------

  reg           in_burst_q;
  wire [BW-1:0] end_byte = beat_last ? head_end_q : {BW{1'b1}};

  assign out_range_error = head_valid_q && head_range_q;
  assign out_bus_error   = beat_error && !out_range_error;
  assign out_valid       = head_valid_q && (head_range_q || beat_valid);
  assign out_offset      = in_burst_q ? {BW{1'b0}} : head_first_q;
  assign out_count       = {1'b0, end_byte} - {1'b0, out_offset} + 1'b1;

  always @(posedge clk) begin
    if (take) begin
      in_burst_q <= !beat_last;
    end
    if (rst) begin
      in_burst_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, r_resp[0], burst_last, burst_addr[BW-1:0], fifo_ready, queue_level};

  `TPU_ASSERT(a_beats_have_room, !r_valid || fifo_ready)

endmodule

`default_nettype wire
