// Instruction fetch: reads the program ahead of decoding.
//
// Requests bursts of up to four granules that end at a multiple of 256 bytes (so none crosses a 4 KiB boundary) as long
// as the FIFO has room for everything requested, and delivers the program's granules in order. A granule of which a beat
// had an error response is delivered with g_bus_error.
//
// range_error rises instead of the first granule that cannot be requested (misaligned program, address beyond
// the address width), after all granules before it were taken.
//
// Once raised, ar_valid stays until accepted, also while `stop`.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_fetch #(
  // Bits per bus beat: 32, 64, 128, 256 or 512
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40
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

  // Granules
  output wire                      g_valid,
  input  wire                      g_ready,
  output wire [511:0]              g_data,
  output wire                      g_bus_error,
  output wire                      range_error
);

  // Beats in a granule
  localparam BEATS     = 512 / AXI_DATA_WIDTH;
  localparam LOG_BEATS = $clog2(BEATS);
  // Granules the FIFO has room for: covers 64 cycles of memory latency at two to four cycles per granule
  localparam DEPTH     = 32;

  generate
    if (AXI_DATA_WIDTH != 32 && AXI_DATA_WIDTH != 64 && AXI_DATA_WIDTH != 128 && AXI_DATA_WIDTH != 256
        && AXI_DATA_WIDTH != 512) begin : g_check_data_width
      ERROR_tpu_fetch_AXI_DATA_WIDTH_must_be_32_64_128_256_or_512 check ();
    end
    if (AXI_ADDR_WIDTH < 12 || AXI_ADDR_WIDTH > 64) begin : g_check_addr_width
      ERROR_tpu_fetch_AXI_ADDR_WIDTH_must_be_12_to_64 check ();
    end
  endgenerate

  // Next granule to request, one bit more than an address to see it leave the address space, and granules
  // still to request.
  reg [AXI_ADDR_WIDTH:0]   addr_q;
  reg [31:0]               left_q;
  // Granules requested and not yet taken.
  reg [5:0]                reserved_q;
  reg                      ar_valid_q;
  reg [AXI_ADDR_WIDTH-1:0] ar_addr_q;
  reg [7:0]                ar_len_q;

  //// Requests ////

  wire [2:0] to_boundary = 3'd4 - {1'b0, addr_q[7:6]};
  wire [2:0] burst       = (left_q < {29'd0, to_boundary}) ? left_q[2:0] : to_boundary;
  wire [7:0] burst_beats = {5'd0, burst} << LOG_BEATS;
  wire       unreachable = addr_q[AXI_ADDR_WIDTH] || addr_q[5:0] != 6'd0;
  wire       room        = {1'b0, reserved_q} + {4'd0, burst} <= DEPTH[6:0];
  wire       request     = left_q != 32'd0 && !unreachable && room && !stop && (!ar_valid_q || ar_ready);

  assign ar_valid    = ar_valid_q;
  assign ar_addr     = ar_addr_q;
  assign ar_len      = ar_len_q;
  assign range_error = left_q != 32'd0 && unreachable && reserved_q == 6'd0;

  //// Receiving ////

  wire [511:0] granule;
  wire         granule_error;
  wire         granule_last;
  wire         received = r_valid && granule_last;

  generate
    if (BEATS == 1) begin : g_whole
      assign granule       = r_data;
      assign granule_error = r_resp[1];
      assign granule_last  = 1'b1;
    end else begin : g_parts
      reg [511-AXI_DATA_WIDTH:0] part_q;
      reg                        error_q;
      reg [LOG_BEATS-1:0]        beat_q;

      assign granule       = {r_data, part_q};
      assign granule_error = error_q || r_resp[1];
      assign granule_last  = &beat_q;

      always @(posedge clk) begin
        if (r_valid) begin
          part_q  <= granule[511:AXI_DATA_WIDTH];
          error_q <= granule_error && !granule_last;
          beat_q  <= beat_q + 1'b1;
        end
        if (rst) begin
          error_q <= 1'b0;
          beat_q  <= {LOG_BEATS{1'b0}};
        end
      end
    end
  endgenerate

  wire fifo_in_ready;

  tpu_fifo_ram #(
    .WIDTH (513),
    .DEPTH (DEPTH)
  ) u_fifo (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (received),
    .in_ready  (fifo_in_ready),
    .in_data   ({granule_error, granule}),
    .out_valid (g_valid),
    .out_ready (g_ready),
    .out_data  ({g_bus_error, g_data})
  );

  //// Registers ////

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
    ar_valid_q <= request || (ar_valid_q && !ar_ready);
    reserved_q <= reserved_q + (request ? {3'd0, burst} : 6'd0) - {5'd0, taken};
    if (rst) begin
      left_q     <= 32'd0;
      ar_valid_q <= 1'b0;
      reserved_q <= 6'd0;
    end
  end

  wire unused = &{1'b0, r_last, r_resp[0], fifo_in_ready};

  `TPU_ASSERT(a_fifo_has_room, !received || fifo_in_ready)

endmodule

`default_nettype wire
