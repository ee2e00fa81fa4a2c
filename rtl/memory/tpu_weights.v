// WEIGHTS: memory to weight FIFO (docs/isa.md, 6 and 10.3).
//
//   cmd ──▶ tpu_dma_read ──bytes──▶ tpu_byte_gearbox ──▶ wt_*, one tile row per beat
//     └──▶ queue ──▶ rows to deliver
//
// Tiles lie one behind the other, so an instruction is one row of memory. Up to nine instructions are inside; their bursts follow each other
// without a gap. The first request comes 3 cycles after the instruction, the first row 4 cycles after its last beat. With BF16 a row of bf16 has
// twice the bytes of one of int8, and both leave with 16 bits a weight.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_weights #(
  // Bytes of a tile row of int8
  parameter ROW_BYTES = 16,
  // Rows of a tile
  parameter LANES = 16,
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Tiles may be of bf16
  parameter BF16 = 0
) (
  input  wire                      clk,
  input  wire                      rst,

  // Instructions
  input  wire                      cmd_valid,
  output wire                      cmd_ready,
  input  wire [`TPU_WEIGHTS_USED-1:0] cmd,
  input  wire [31:0]               cmd_index,
  output wire                      done,
  output wire                      err_valid,
  output wire [3:0]                err_code,
  output wire [31:0]               err_index,
  input  wire                      halt,
  // An instruction is inside
  output wire                      busy,

  // Read client of the AXI read port
  output wire                      ar_valid,
  input  wire                      ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0] ar_addr,
  output wire [7:0]                ar_len,
  input  wire                      r_valid,
  input  wire [AXI_DATA_WIDTH-1:0] r_data,
  input  wire [1:0]                r_resp,
  input  wire                      r_last,

  // Weight FIFO; with BF16 int8 in the lowest 8 of 16 bits, below zeros
  output wire                      wt_valid,
  input  wire                      wt_ready,
  output wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] wt_data
);

  localparam BW = $clog2(AXI_DATA_WIDTH / 8);
  localparam AW = AXI_ADDR_WIDTH;
  localparam LW = $clog2(ROW_BYTES);
  localparam NW = $clog2(LANES);
  // Most bytes of a row, and bits of their number
  localparam CUT_BYTES = BF16 != 0 ? 2 * ROW_BYTES : ROW_BYTES;
  localparam CW        = $clog2(CUT_BYTES);
  // Bits of a number of tile rows
  localparam RW = 32 + NW;

  // Halted or failed; a halt takes a cycle, so that its wire across the chip ends in a register.
  reg         stop_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;

  // ---- Instructions ----------------------------------------------------------------------------

  wire        read_ready;
  wire        queue_ready;
  wire        head_valid;
  wire        head_ready;
  wire [31:0] head_more;
  wire [31:0] head_index;
  wire [3:0]  queue_level;
  // Tiles behind the first; the bytes of all, less one
  wire [31:0] more     = cmd[`TPU_WEIGHTS_TILES] - 32'd1;
  wire [95:0] span_int8 = {{(64-NW-LW){1'b0}}, more, {(NW+LW){1'b1}}};
  wire [95:0] span;
  wire [64:0] addr     = {1'b0, cmd[`TPU_WEIGHTS_DRAM_ADDR]};

  // With BF16 also whether the instruction is one of bf16
  wire [(BF16 != 0 ? 64 : 63):0] queue_in;
  wire [(BF16 != 0 ? 64 : 63):0] queue_out;

  assign {head_more, head_index} = queue_out[63:0];
  assign cmd_ready               = read_ready && queue_ready && !stop_q;

  tpu_fifo #(
    .WIDTH (BF16 != 0 ? 65 : 64),
    .DEPTH (8)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (cmd_valid && cmd_ready),
    .in_ready  (queue_ready),
    .in_data   (queue_in),
    .out_valid (head_valid),
    .out_ready (head_ready),
    .out_data  (queue_out),
    .level     (queue_level)
  );

  // ---- Memory side -----------------------------------------------------------------------------

  wire                      beat_valid;
  wire                      beat_ready;
  wire [AXI_DATA_WIDTH-1:0] beat_data;
  wire [BW-1:0]             beat_offset;
  wire [BW:0]               beat_count;
  wire                      beat_bus_error;
  wire                      beat_range_error;
  wire                      beat_bad = beat_bus_error || beat_range_error;
  wire                      gearbox_ready;

  assign beat_ready = gearbox_ready && !beat_bad;

  tpu_dma_read #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_read (
    .clk             (clk),
    .rst             (rst),
    .stop            (stop_q),
    .cmd_valid       (cmd_valid && cmd_ready),
    .cmd_ready       (read_ready),
    .cmd_addr        ({|addr[64:AW], addr[AW-1:0]}),
    .cmd_span        ({|span[95:AW], span[AW-1:0]}),
    .cmd_more        (32'd0),
    .cmd_stride      (32'd0),
    .ar_valid        (ar_valid),
    .ar_ready        (ar_ready),
    .ar_addr         (ar_addr),
    .ar_len          (ar_len),
    .r_valid         (r_valid),
    .r_data          (r_data),
    .r_resp          (r_resp),
    .r_last          (r_last),
    .out_valid       (beat_valid),
    .out_ready       (beat_ready),
    .out_data        (beat_data),
    .out_offset      (beat_offset),
    .out_count       (beat_count),
    .out_bus_error   (beat_bus_error),
    .out_range_error (beat_range_error)
  );

  // ---- Tile rows -------------------------------------------------------------------------------

  reg           active_q;
  reg  [31:0]   index_q;
  // Rows to cut after this one
  reg  [RW-1:0] left_q;
  reg           last_q;
  reg           wt_valid_q;
  reg           wt_last_q;
  reg           done_q;
  wire          cut_ready;
  wire          cut_en = active_q && cut_ready && !stop_q && (!wt_valid_q || wt_ready);

  wire          begins = head_valid && head_ready;

  // The active instruction is one of bf16.
  wire                   cut_bf16;
  wire [CW:0]            cut_length = cut_bf16 ? CUT_BYTES[CW:0] : ROW_BYTES[CW:0];
  wire [8*CUT_BYTES-1:0] cut_data;

  assign head_ready = !active_q || (cut_en && last_q);
  assign wt_valid   = wt_valid_q;

  tpu_byte_gearbox #(
    .IN_BYTES  (AXI_DATA_WIDTH / 8),
    .OUT_BYTES (CUT_BYTES)
  ) u_gearbox (
    .clk        (clk),
    .rst        (rst),
    .in_valid   (beat_valid && !beat_bad),
    .in_ready   (gearbox_ready),
    .in_data    (beat_data),
    .in_offset  (beat_offset),
    .in_count   (beat_count),
    .cut_length (cut_length),
    .cut_offset ({CW{1'b0}}),
    .cut_ready  (cut_ready),
    .cut_en     (cut_en),
    .cut_data   (cut_data)
  );

  always @(posedge clk) begin
    if (begins) begin
      index_q <= head_index;
    end
    if (begins || cut_en) begin
      left_q <= begins ? {head_more, {NW{1'b1}}} : left_q - 1'b1;
      last_q <= !begins && left_q == {{(RW-1){1'b0}}, 1'b1};
    end
    if (cut_en) begin
      wt_last_q <= last_q;
    end
  end

  // ---- Formats ---------------------------------------------------------------------------------

  genvar k;
  generate
    if (BF16 != 0) begin : g_formats
      reg cut_bf16_q;
      reg wt_bf16_q;

      wire bf16 = cmd[`TPU_WEIGHTS_FORMAT] != `TPU_NUMBER_FORMAT_INT8;

      assign queue_in = {bf16, more, cmd_index};
      assign span     = bf16 ? {span_int8[94:0], 1'b1} : span_int8;
      assign cut_bf16 = cut_bf16_q;

      always @(posedge clk) begin
        if (begins) begin
          cut_bf16_q <= queue_out[64];
        end
        if (cut_en) begin
          wt_bf16_q <= cut_bf16_q;
        end
      end

      for (k = 0; k < ROW_BYTES; k = k + 1) begin : g_lane
        assign wt_data[16*k +: 8]   = wt_bf16_q ? cut_data[16*k +: 8] : cut_data[8*k +: 8];
        assign wt_data[16*k+8 +: 8] = wt_bf16_q ? cut_data[16*k+8 +: 8] : 8'd0;
      end
    end else begin : g_int8
      assign queue_in = {more, cmd_index};
      assign span     = span_int8;
      assign cut_bf16 = 1'b0;
      assign wt_data  = cut_data;
    end
  endgenerate

  // ---- Completion and errors -------------------------------------------------------------------

  // The bytes before a bad beat have all been cut when the next row starves, so a bad beat is of the active instruction.
  // It stays where it is, so it may be seen a cycle late.
  reg  beat_error_q;
  reg  beat_range_error_q;

  assign done      = done_q;
  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;
  // The instruction does not end.
  assign err_index = index_q;
  assign busy      = head_valid || active_q || wt_valid_q;

  always @(posedge clk) begin
    beat_range_error_q <= beat_range_error;
    if (beat_error_q) begin
      err_code_q  <= beat_range_error_q ? `TPU_ERR_ADDR_RANGE : `TPU_ERR_BUS_READ;
    end
  end

  always @(posedge clk) begin
    if (begins) begin
      active_q <= 1'b1;
    end else if (cut_en && last_q) begin
      active_q <= 1'b0;
    end
    if (cut_en) begin
      wt_valid_q <= 1'b1;
    end else if (wt_ready) begin
      wt_valid_q <= 1'b0;
    end
    done_q <= wt_valid_q && wt_ready && wt_last_q;
    beat_error_q <= active_q && !cut_ready && beat_valid && beat_bad && !stop_q;
    if (beat_error_q) begin
      err_valid_q <= 1'b1;
    end
    stop_q <= halt || beat_error_q || err_valid_q;
    if (rst) begin
      active_q     <= 1'b0;
      wt_valid_q   <= 1'b0;
      done_q       <= 1'b0;
      beat_error_q <= 1'b0;
      err_valid_q  <= 1'b0;
      stop_q       <= 1'b0;
    end
  end

  wire unused = &{1'b0, queue_level, cmd[95:0]};

endmodule

`default_nettype wire
