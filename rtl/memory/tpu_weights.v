// WEIGHTS and UBWEIGHTS: tiles to the weight FIFO (docs/isa.md, 6 and 10.3).
//
//   cmd ──▶ tpu_dma_read ──bytes──▶ tpu_byte_gearbox ──▶ row register ──▶ wt_*, one tile row per beat
//     └──▶ queue ──▶ rows to deliver
//
// Tiles lie one behind the other, so a WEIGHTS is one row of memory. Up to nine instructions are inside; their bursts follow each other
// without a gap. The first request comes 3 cycles after the instruction, the first row 4 cycles after its last beat. A row is offered whether wt_ready is
// there or not. From the cycle after a halt no row leaves but those behind the gearbox, and the unified buffer is not read.
//
// With BF16 a row of bf16 has twice the bytes of one of int8, and tpu_tile_rows stands behind the gearbox: it brings the rows of UBWEIGHTS, and widens
// and transposes.
//
// More than 300 lines, a third of them connections.
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
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // Tiles may be of bf16, come from the unified buffer, and be transposed
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

  // Unified buffer, data three cycles after the grant; with BF16, else all zeros
  output wire                      rd_valid,
  input  wire                      rd_ready,
  output wire                      rd_pair,
  output wire [$clog2(UB_ROWS)-1:0] rd_row,
  input  wire [16*ROW_BYTES-1:0]   rd_data,

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

  // With BF16 the instruction without its semaphores, else how many tiles come behind the first; and its index
  localparam QUEUE_BITS = BF16 != 0 ? `TPU_WEIGHTS_USED - 64 + 32 : 64;

  wire [QUEUE_BITS-1:0] queue_in;
  wire [QUEUE_BITS-1:0] queue_out;
  // The instruction is a WEIGHTS.
  wire                  cmd_reads_memory;

  assign head_index = queue_out[31:0];
  assign cmd_ready  = read_ready && queue_ready && !stop_q;

  tpu_fifo #(
    .WIDTH (QUEUE_BITS),
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
    .cmd_valid       (cmd_valid && cmd_ready && cmd_reads_memory),
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
  // Rows of a WEIGHTS to cut after this one
  reg  [RW-1:0] left_q;
  reg           last_q;
  reg           row_valid_q;
  reg           row_last_q;
  wire          begins = head_valid && head_ready;

  // The active instruction is a UBWEIGHTS; one is of bf16.
  wire          from_ub;
  wire          cut_bf16;
  // The next row is there; it is its instruction's last; it leaves for the row register, and the row from there.
  wire          gearbox_there;
  wire          ub_there;
  wire          ub_last;
  wire          row_leaves;
  wire          cut_there = from_ub ? ub_there : gearbox_there;
  wire          cut_last  = from_ub ? ub_last : last_q;
  wire          cut_en    = active_q && cut_there && !stop_q && (!row_valid_q || row_leaves);

  wire [CW:0]            cut_length = cut_bf16 ? CUT_BYTES[CW:0] : ROW_BYTES[CW:0];
  wire [8*CUT_BYTES-1:0] cut_data;

  assign head_ready = !active_q || (cut_en && cut_last);

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
    .cut_ready  (gearbox_there),
    .cut_en     (cut_en && !from_ub),
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
      row_last_q <= cut_last;
    end
  end

  // ---- Unified buffer, formats, transposition ----------------------------------------------------

  wire ub_fault;
  // The row at the FIFO is the last one of its instruction.
  wire wt_last;
  // Rows are on their way behind the row register.
  wire rows_busy;

  generate
    if (BF16 != 0) begin : g_formats
      wire bf16 = cmd[`TPU_WEIGHTS_FORMAT] != `TPU_NUMBER_FORMAT_INT8;
      wire [`TPU_WEIGHTS_USED-1:0] head = {queue_out[QUEUE_BITS-1:64], 64'd0, queue_out[63:32]};

      assign queue_in         = {cmd[`TPU_WEIGHTS_USED-1:96], cmd[31:0], cmd_index};
      assign head_more        = head[`TPU_WEIGHTS_TILES] - 32'd1;
      assign cmd_reads_memory = cmd[`TPU_OPCODE] != `TPU_OP_UBWEIGHTS;
      assign span             = bf16 ? {span_int8[94:0], 1'b1} : span_int8;

      tpu_tile_rows #(
        .ROW_BYTES (ROW_BYTES),
        .LANES     (LANES),
        .UB_ROWS   (UB_ROWS)
      ) u_rows (
        .clk         (clk),
        .rst         (rst),
        .stop        (stop_q),
        .start       (begins),
        .cmd         (head),
        .from_ub     (from_ub),
        .bf16        (cut_bf16),
        .rd_valid    (rd_valid),
        .rd_ready    (rd_ready),
        .rd_pair     (rd_pair),
        .rd_row      (rd_row),
        .rd_data     (rd_data),
        .ub_there    (ub_there),
        .ub_last     (ub_last),
        .ub_fault    (ub_fault),
        .cut_en      (cut_en),
        .memory_data (cut_data),
        .row_valid   (row_valid_q),
        .row_leaves  (row_leaves),
        .row_last    (row_last_q),
        .wt_valid    (wt_valid),
        .wt_ready    (wt_ready),
        .wt_data     (wt_data),
        .wt_last     (wt_last),
        .busy        (rows_busy)
      );
    end else begin : g_int8
      assign queue_in         = {more, cmd_index};
      assign head_more        = queue_out[63:32];
      assign cmd_reads_memory = 1'b1;
      assign span             = span_int8;
      assign from_ub          = 1'b0;
      assign cut_bf16         = 1'b0;
      assign rd_valid         = 1'b0;
      assign rd_pair          = 1'b0;
      assign rd_row           = {$clog2(UB_ROWS){1'b0}};
      assign ub_fault         = 1'b0;
      assign ub_there         = 1'b0;
      assign ub_last          = 1'b0;
      assign row_leaves       = wt_ready;
      assign wt_valid         = row_valid_q;
      assign wt_data          = cut_data;
      assign wt_last          = row_last_q;
      assign rows_busy        = 1'b0;

      wire unused = &{1'b0, rd_ready, rd_data};
    end
  endgenerate

  // ---- Completion and errors -------------------------------------------------------------------

  // The bytes before a bad beat have all been cut when the next row starves, so a bad beat is of the active instruction.
  // It stays where it is, so it may be seen a cycle late. So does the unified buffer's row that does not exist.
  reg  done_q;
  reg  error_q;
  reg  beat_range_error_q;

  assign done      = done_q;
  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;
  // The instruction does not end.
  assign err_index = index_q;
  assign busy      = head_valid || active_q || row_valid_q || rows_busy;

  always @(posedge clk) begin
    beat_range_error_q <= beat_range_error;
    if (error_q) begin
      err_code_q  <= from_ub ? `TPU_ERR_UB_RANGE : beat_range_error_q ? `TPU_ERR_ADDR_RANGE : `TPU_ERR_BUS_READ;
    end
  end

  always @(posedge clk) begin
    if (begins) begin
      active_q <= 1'b1;
    end else if (cut_en && cut_last) begin
      active_q <= 1'b0;
    end
    if (cut_en) begin
      row_valid_q <= 1'b1;
    end else if (row_leaves) begin
      row_valid_q <= 1'b0;
    end
    done_q  <= wt_valid && wt_ready && wt_last;
    error_q <= active_q && !stop_q && (from_ub ? ub_fault : !gearbox_there && beat_valid && beat_bad);
    if (error_q) begin
      err_valid_q <= 1'b1;
    end
    stop_q <= halt || error_q || err_valid_q;
    if (rst) begin
      active_q    <= 1'b0;
      row_valid_q <= 1'b0;
      done_q      <= 1'b0;
      error_q     <= 1'b0;
      err_valid_q <= 1'b0;
      stop_q      <= 1'b0;
    end
  end

  wire unused = &{1'b0, queue_level, cmd[95:0]};

endmodule

`default_nettype wire
