// Instruction fetch: reads the program ahead of decoding.
//
// Requests bursts of up to four granules that end at a multiple of 256 bytes (so none crosses a 4 KiB boundary) as long
// as the FIFO has room for everything requested and for four granules more, and delivers the program in order, cut into words. A word of
// which a beat had an error response is delivered with g_bus_error.
//
// Requests come no faster than the bus can answer them, so that another client's first request has few of them before it.
//
// range_error rises instead of the first granule that cannot be requested (misaligned program, address beyond
// the address width), after all words before it were taken.
//
// Once raised, ar_valid stays until accepted, also while `stop`.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_fetch #(
  // Bits per bus beat: 32, 64, 128, 256 or 512
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Bits of a word that decode takes: at least a beat, at most a granule
  parameter WORD_BITS = 128
) (
  input  wire                      clk,
  input  wire                      rst,

  // Program; `start` only when idle
  input  wire                      start,
  input  wire [AXI_ADDR_WIDTH-1:0] prog_addr,
  input  wire [31:0]               prog_granules,
  input  wire                      stop,

  // Read client
  output wire                      ar_valid,
  input  wire                      ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0] ar_addr,
  output wire [7:0]                ar_len,
  input  wire                      r_valid,
  input  wire [AXI_DATA_WIDTH-1:0] r_data,
  input  wire [1:0]                r_resp,
  input  wire                      r_last,

  // Words
  output wire                      g_valid,
  input  wire                      g_ready,
  output wire [WORD_BITS-1:0]      g_data,
  output wire                      g_bus_error,
  output wire                      range_error
);

  // Beats in a granule, beats in a word, words in a granule
  localparam BEATS     = `TPU_GRANULE_BITS / AXI_DATA_WIDTH;
  localparam LOG_BEATS = $clog2(BEATS);
  localparam PARTS     = WORD_BITS / AXI_DATA_WIDTH;
  localparam LOG_PARTS = $clog2(PARTS);
  localparam WORDS     = `TPU_GRANULE_BITS / WORD_BITS;
  localparam LOG_WORDS = $clog2(WORDS);
  // Words the FIFO has room for: 32 granules cover 64 cycles of memory latency at two to four cycles per granule.
  localparam DEPTH     = 32 * WORDS;
  localparam CW        = $clog2(DEPTH) + 1;
  // Words of a full burst
  localparam BURST     = 4 * WORDS;

  generate
    if (AXI_DATA_WIDTH != 32 && AXI_DATA_WIDTH != 64 && AXI_DATA_WIDTH != 128 && AXI_DATA_WIDTH != 256
        && AXI_DATA_WIDTH != 512) begin : g_check_data_width
      ERROR_tpu_fetch_AXI_DATA_WIDTH_must_be_32_64_128_256_or_512 check ();
    end
    if (AXI_ADDR_WIDTH < 12 || AXI_ADDR_WIDTH > 64) begin : g_check_addr_width
      ERROR_tpu_fetch_AXI_ADDR_WIDTH_must_be_12_to_64 check ();
    end
    if (PARTS < 1 || WORDS < 1 || WORD_BITS != AXI_DATA_WIDTH << LOG_PARTS) begin : g_check_word_bits
      ERROR_tpu_fetch_WORD_BITS_must_be_a_power_of_two_of_beats_up_to_512 check ();
    end
  endgenerate

  // Next granule to request, one bit more than an address to see it leave the address space, and granules
  // still to request.
  reg [AXI_ADDR_WIDTH:0]   addr_q;
  reg [31:0]               left_q;
  // Words requested and not yet taken.
  reg [CW-1:0]             reserved_q;
  reg                      ar_valid_q;
  reg [AXI_ADDR_WIDTH-1:0] ar_addr_q;
  reg [7:0]                ar_len_q;
  // Beats of the last burst requested that the bus cannot have brought before the next one, at a beat per cycle.
  reg [5:0]                pace_q;

  // ---- Requests ---------------------------------------------------------------------------------

  wire [2:0]    to_boundary = 3'd4 - {1'b0, addr_q[7:6]};
  wire [2:0]    burst       = (left_q[31:2] == 30'd0 && {1'b0, left_q[1:0]} < to_boundary) ? {1'b0, left_q[1:0]} : to_boundary;
  wire [7:0]    burst_beats = {5'd0, burst} << LOG_BEATS;
  wire [CW-1:0] burst_words = {{(CW-3){1'b0}}, burst} << LOG_WORDS;
  wire          unreachable = addr_q[AXI_ADDR_WIDTH] || addr_q[5:0] != 6'd0;
  wire          room        = reserved_q <= DEPTH[CW-1:0] - BURST[CW-1:0];
  wire          request     = left_q != 32'd0 && !unreachable && room && pace_q == 6'd0 && !stop && (!ar_valid_q || ar_ready);

  assign ar_valid    = ar_valid_q;
  assign ar_addr     = ar_addr_q;
  assign ar_len      = ar_len_q;
  assign range_error = left_q != 32'd0 && unreachable && reserved_q == {CW{1'b0}};

  // ---- Receiving --------------------------------------------------------------------------------

  wire [WORD_BITS-1:0] word;
  wire                 word_error;
  wire                 word_last;
  wire                 received = r_valid && word_last;

  generate
    if (PARTS == 1) begin : g_whole
      assign word       = r_data;
      assign word_error = r_resp[1];
      assign word_last  = 1'b1;
    end else begin : g_parts
      reg [WORD_BITS-AXI_DATA_WIDTH-1:0] part_q;
      reg                                error_q;
      reg [LOG_PARTS-1:0]                beat_q;

      assign word       = {r_data, part_q};
      assign word_error = error_q || r_resp[1];
      assign word_last  = &beat_q;

      always @(posedge clk) begin
        if (r_valid) begin
          part_q  <= word[WORD_BITS-1:AXI_DATA_WIDTH];
          error_q <= word_error && !word_last;
          beat_q  <= beat_q + 1'b1;
        end
        if (rst) begin
          error_q <= 1'b0;
          beat_q  <= {LOG_PARTS{1'b0}};
        end
      end
    end
  endgenerate

  wire fifo_in_ready;

  tpu_fifo_ram #(
    .WIDTH (WORD_BITS + 1),
    .DEPTH (DEPTH)
  ) u_fifo (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (received),
    .in_ready  (fifo_in_ready),
    .in_data   ({word_error, word}),
    .out_valid (g_valid),
    .out_ready (g_ready),
    .out_data  ({g_bus_error, g_data})
  );

  // ---- Registers --------------------------------------------------------------------------------

  wire taken = g_valid && g_ready;

  always @(posedge clk) begin
    if (request) begin
      ar_addr_q <= addr_q[AXI_ADDR_WIDTH-1:0];
      ar_len_q  <= burst_beats - 8'd1;
    end
    if (start || request) begin
      addr_q <= start ? {1'b0, prog_addr} : addr_q + {{(AXI_ADDR_WIDTH-8){1'b0}}, burst, 6'd0};
      left_q <= start ? prog_granules : left_q - {29'd0, burst};
    end
    pace_q     <= request ? burst_beats[5:0] - 6'd1 : pace_q == 6'd0 ? 6'd0 : pace_q - 6'd1;
    ar_valid_q <= request || (ar_valid_q && !ar_ready);
    reserved_q <= reserved_q + (request ? burst_words : {CW{1'b0}}) - {{(CW-1){1'b0}}, taken};
    if (rst) begin
      left_q     <= 32'd0;
      pace_q     <= 6'd0;
      ar_valid_q <= 1'b0;
      reserved_q <= {CW{1'b0}};
    end
  end

  wire unused = &{1'b0, r_last, r_resp[0], fifo_in_ready};

  `TPU_ASSERT(a_fifo_has_room, !received || fifo_in_ready)

endmodule

`default_nettype wire
