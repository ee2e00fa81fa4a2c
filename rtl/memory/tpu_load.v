// LOAD: memory to unified buffer, parameters or lookup tables (docs/isa.md, 4 and 10.2).
//
//   cmd ──▶ tpu_dma_command ──▶ tpu_dma_read ──bytes──▶ tpu_byte_gearbox ──▶ FIFO ──▶ ld_wr_*, param_wr_*, lut_wr_*
//                  └──▶ queue ──▶ tpu_chunk_walker ──row, length──┘
//
// The memory side runs ahead: up to six instructions are inside, and their bursts follow each other without a gap. One chunk
// of up to ROW_BYTES bytes is written per cycle; a FIFO of four chunks keeps the walker apart from who else writes the buffer. From an empty
// unit, the first request comes 4 + bits of (rows - 1) cycles after the instruction; the first write 5 cycles after the first beat.
//
// More than 300 lines, half of them ports and the connections of the parts drawn above, each of which is a module already.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_number_lines.vh"

module tpu_load #(
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // Parameter entries, a power of two
  parameter PARAM_ROWS = 512,
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Numbers of 2 and 4 bytes, too
  parameter WIDE = 0
) (
  input  wire                          clk,
  input  wire                          rst,

  // Instructions
  input  wire                          cmd_valid,
  output wire                          cmd_ready,
  input  wire [`TPU_LOAD_USED-1:0]     cmd,
  input  wire [31:0]                   cmd_index,
  output wire                          done,
  output wire                          err_valid,
  output wire [3:0]                    err_code,
  output wire [31:0]                   err_index,
  input  wire                          halt,
  // An instruction is inside
  output wire                          busy,

  // Read client of the AXI read port
  output wire                          ar_valid,
  input  wire                          ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]     ar_addr,
  output wire [7:0]                    ar_len,
  input  wire                          r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]     r_data,
  input  wire [1:0]                    r_resp,
  input  wire                          r_last,

  // Unified buffer
  output wire                          ld_wr_valid,
  input  wire                          ld_wr_ready,
  output wire [$clog2(UB_ROWS)-1:0]    ld_wr_row,
  output wire [8*ROW_BYTES-1:0]                ld_wr_data,

  // Parameters: chunk 0-3 biases, 4-7 multipliers, 8 shifts
  output wire                          param_wr_valid,
  output wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  output wire [3:0]                    param_wr_chunk,
  output wire [8*ROW_BYTES-1:0]                param_wr_data,

  // Lookup tables: table, then byte
  output wire                          lut_wr_valid,
  output wire [10:0]                   lut_wr_addr,
  output wire [7:0]                    lut_wr_data
);

  localparam BW = $clog2(AXI_DATA_WIDTH / 8);
  localparam LW = $clog2(ROW_BYTES) + 1;
  localparam UW = $clog2(UB_ROWS);
  localparam PW = $clog2(PARAM_ROWS);

  localparam [1:0]  TO_UB    = `TPU_LOAD_DESTINATION_UB;
  localparam [1:0]  TO_PARAM = `TPU_LOAD_DESTINATION_PARAM;
  // Bytes of a parameter entry
  localparam [31:0] ENTRY    = 9 * ROW_BYTES;
  // Bits of the length of a stream; of what is the same in all formats of an instruction, and with its format
  localparam TW     = AXI_ADDR_WIDTH + 1;
  localparam REST   = 2 + 16 + 16 + 24 + 16 + 32;
  localparam QUEUE  = TW + REST;
  localparam FORMAT = WIDE != 0 ? 2 : 0;

  // Halted or failed; a halt takes a cycle, so that its wire across the chip ends in a register.
  reg         stop_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;

  // ---- Instructions ----------------------------------------------------------------------------

  wire          op_valid;
  wire          op_ready;
  wire [TW-1:0] op_addr;
  wire [TW-1:0] op_span;
  wire [31:0]   op_more;
  wire [31:0]   op_stride;
  wire [TW-1:0] op_length;
  wire [1:0]    op_destination;
  wire [15:0]   op_row;
  wire [15:0]   op_plane_stride;
  wire [23:0]   op_pixel_bytes;
  wire [15:0]   op_pixel_stride;
  wire [31:0]   op_index;
  wire          op_busy;
  wire          read_ready;
  wire          queue_ready;
  wire [REST+FORMAT-1:0] cmd_rest;
  wire [REST+FORMAT-1:0] op_rest;

  assign op_ready = read_ready && queue_ready;

  tpu_dma_command #(
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .REST_BITS      (REST + FORMAT)
  ) u_command (
    .clk           (clk),
    .rst           (rst),
    .stop          (stop_q),
    .cmd_valid     (cmd_valid),
    .cmd_ready     (cmd_ready),
    .cmd_addr      (cmd[`TPU_LOAD_DRAM_ADDR]),
    .cmd_row_bytes (cmd[`TPU_LOAD_ROW_BYTES]),
    .cmd_rows      (cmd[`TPU_LOAD_ROWS]),
    .cmd_stride    (cmd[`TPU_LOAD_ROW_STRIDE]),
    .cmd_rest      (cmd_rest),
    .out_valid     (op_valid),
    .out_ready     (op_ready),
    .out_addr      (op_addr),
    .out_span      (op_span),
    .out_more      (op_more),
    .out_stride    (op_stride),
    .out_length    (op_length),
    .out_rest      (op_rest),
    .busy          (op_busy)
  );

  assign cmd_rest[REST-1:0] = {cmd[`TPU_LOAD_DESTINATION], cmd[`TPU_LOAD_ROW], cmd[`TPU_LOAD_PLANE_STRIDE], cmd[`TPU_LOAD_PIXEL_BYTES],
                               cmd[`TPU_LOAD_PIXEL_STRIDE], cmd_index};
  assign {op_destination, op_row, op_plane_stride, op_pixel_bytes, op_pixel_stride, op_index} = op_rest[REST-1:0];

  // Entries and tables are pixels too: nine chunks of ROW_BYTES bytes, and 256 chunks of one.
  wire        op_ub           = op_destination == TO_UB;
  wire        op_param        = op_destination == TO_PARAM;
  wire [15:0] op_walk_plane   = op_ub ? op_plane_stride : 16'd0;
  wire [23:0] op_walk_pixel   = op_ub ? op_pixel_bytes : op_param ? ENTRY[23:0] : 24'd256;
  wire [15:0] op_walk_stride  = op_ub ? op_pixel_stride : 16'd1;

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
    .cmd_valid       (op_valid && queue_ready),
    .cmd_ready       (read_ready),
    .cmd_addr        (op_addr),
    .cmd_span        (op_span),
    .cmd_more        (op_more),
    .cmd_stride      (op_stride),
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

  // ---- Buffer side -----------------------------------------------------------------------------

  wire          head_valid;
  wire          head_ready;
  wire [TW-1:0] head_length;
  wire [15:0]   head_row;
  wire [15:0]   head_plane;
  wire [23:0]   head_pixel;
  wire [15:0]   head_stride;
  wire [1:0]    head_destination;
  wire [31:0]   head_index;
  wire [1:0]    head_more;
  wire [2:0]    queue_level;
  wire [QUEUE+FORMAT-1:0] queue_in;
  wire [QUEUE+FORMAT-1:0] queue_out;

  tpu_fifo #(
    .WIDTH (QUEUE + FORMAT),
    .DEPTH (4)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (op_valid && read_ready),
    .in_ready  (queue_ready),
    .in_data   (queue_in),
    .out_valid (head_valid),
    .out_ready (head_ready),
    .out_data  (queue_out),
    .level     (queue_level)
  );

  assign queue_in[QUEUE-1:0] = {op_length, op_row, op_walk_plane, op_walk_pixel, op_walk_stride, op_destination, op_index};
  assign {head_length, head_row, head_plane, head_pixel, head_stride, head_destination, head_index} = queue_out[QUEUE-1:0];

  generate
    if (WIDE != 0) begin : g_formats
      assign cmd_rest[REST +: 2]   = cmd[`TPU_LOAD_FORMAT];
      assign queue_in[QUEUE +: 2]  = op_rest[REST +: 2];
      assign head_more             = `TPU_LAST_LINE(queue_out[QUEUE +: 2]);
    end else begin : g_int8
      assign head_more             = 2'd0;
    end
  endgenerate

  wire [19:0]   head_beyond = ~((head_destination == TO_UB ? UB_ROWS[19:0] : head_destination == TO_PARAM ? PARAM_ROWS[19:0] : 20'd8) - 20'd1);
  reg  [1:0]    destination_q;
  reg  [31:0]   index_q;
  wire          chunk_valid;
  wire          chunk_ready;
  wire [19:0]   chunk_row;
  wire          chunk_outside;
  wire [LW-1:0] chunk_length;
  wire [7:0]    chunk_index;
  wire          chunk_last;

  tpu_chunk_walker #(
    .ROW_BYTES   (ROW_BYTES),
    .LENGTH_BITS (TW),
    .WIDE        (WIDE),
    .WHOLE       (1)
  ) u_walker (
    .clk                (clk),
    .rst                (rst),
    .start_valid        (head_valid),
    .start_ready        (head_ready),
    .start_length       (head_length),
    .start_row          (head_row),
    .start_plane_stride (head_plane),
    .start_pixel_bytes  (head_pixel),
    .start_pixel_stride (head_stride),
    .start_single       (head_destination[1]),
    .start_more         (head_more),
    .start_beyond       (head_beyond),
    .chunk_valid        (chunk_valid),
    .chunk_ready        (chunk_ready),
    .chunk_row          (chunk_row),
    .chunk_outside      (chunk_outside),
    .chunk_length       (chunk_length),
    .chunk_index        (chunk_index),
    .chunk_last         (chunk_last)
  );

  always @(posedge clk) begin
    // Whatever stands there while no instruction does, nothing asks for it.
    if (head_ready) begin
      destination_q <= head_destination;
      index_q       <= head_index;
    end
  end

  // ---- Chunks that are cut, and written --------------------------------------------------------

  reg                    cut_valid_q;
  reg  [1:0]             cut_destination_q;
  reg  [15:0]            cut_row_q;
  reg  [7:0]             cut_index_q;
  reg                    cut_last_q;
  wire [8*ROW_BYTES-1:0] cut_data;
  wire                   cut_ready;
  wire                   fifo_ready;
  wire                   cut_en = chunk_valid && chunk_ready;

  assign chunk_ready = cut_ready && !chunk_outside && !stop_q && fifo_ready;

  tpu_byte_gearbox #(
    .IN_BYTES  (AXI_DATA_WIDTH / 8),
    .OUT_BYTES (ROW_BYTES)
  ) u_gearbox (
    .clk        (clk),
    .rst        (rst),
    .in_valid   (beat_valid && !beat_bad),
    .in_ready   (gearbox_ready),
    .in_data    (beat_data),
    .in_offset  (beat_offset),
    .in_count   (beat_count),
    .cut_length (chunk_length),
    .cut_offset ({(LW-1){1'b0}}),
    .cut_ready  (cut_ready),
    .cut_en     (cut_en),
    .cut_data   (cut_data)
  );

  always @(posedge clk) begin
    if (fifo_ready) begin
      cut_destination_q <= destination_q;
      cut_row_q         <= chunk_row[15:0];
      cut_index_q       <= chunk_index;
      cut_last_q        <= chunk_last;
    end
  end

  wire                   wr_valid;
  wire [1:0]             wr_destination;
  wire [15:0]            wr_row;
  wire [7:0]             wr_index;
  wire                   wr_last;
  wire [8*ROW_BYTES-1:0] wr_data;
  wire [2:0]             fifo_level;
  wire                   wr_accept = wr_destination != TO_UB || ld_wr_ready;
  reg                    done_q;

  tpu_fifo #(
    .WIDTH (2 + 16 + 8 + 1 + 8 * ROW_BYTES),
    .DEPTH (4)
  ) u_chunks (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (cut_valid_q),
    .in_ready  (fifo_ready),
    .in_data   ({cut_destination_q, cut_row_q, cut_index_q, cut_last_q, cut_data}),
    .out_valid (wr_valid),
    .out_ready (wr_accept),
    .out_data  ({wr_destination, wr_row, wr_index, wr_last, wr_data}),
    .level     (fifo_level)
  );

  assign ld_wr_valid    = wr_valid && wr_destination == TO_UB;
  assign ld_wr_row      = wr_row[UW-1:0];
  assign ld_wr_data     = wr_data;
  assign param_wr_valid = wr_valid && wr_destination == TO_PARAM;
  assign param_wr_entry = wr_row[PW-1:0];
  assign param_wr_chunk = wr_index[3:0];
  assign param_wr_data  = wr_data;
  assign lut_wr_valid   = wr_valid && wr_destination[1];
  assign lut_wr_addr    = {wr_row[2:0], wr_index};
  assign lut_wr_data    = wr_data[7:0];

  // ---- Completion and errors -------------------------------------------------------------------

  // The bytes before a bad beat have all been cut when the next chunk starves, so a bad beat is of the walker's instruction.
  // Neither that beat nor a chunk outside moves on, so both may be seen a cycle late.
  reg        outside_q;
  reg        beat_error_q;
  reg        beat_range_error_q;
  wire       error      = outside_q || beat_error_q;
  wire [3:0] range_code = destination_q == TO_UB    ? `TPU_ERR_UB_RANGE
                        : destination_q == TO_PARAM ? `TPU_ERR_PARAM_RANGE : `TPU_ERR_LUT_RANGE;
  wire [3:0] beat_code  = beat_range_error_q ? `TPU_ERR_ADDR_RANGE : `TPU_ERR_BUS_READ;

  assign done      = done_q;
  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;
  // The instruction does not end.
  assign err_index = index_q;
  assign busy      = op_busy || head_valid || chunk_valid || cut_valid_q || wr_valid;

  always @(posedge clk) begin
    beat_range_error_q <= beat_range_error;
    if (error) begin
      err_code_q  <= outside_q ? range_code : beat_code;
    end
  end

  always @(posedge clk) begin
    if (fifo_ready) begin
      cut_valid_q <= cut_en;
    end
    done_q       <= wr_valid && wr_accept && wr_last;
    outside_q    <= chunk_valid && chunk_outside && !stop_q;
    beat_error_q <= !cut_ready && beat_valid && beat_bad && !stop_q;
    if (error) begin
      err_valid_q <= 1'b1;
    end
    stop_q <= halt || error || err_valid_q;
    if (rst) begin
      cut_valid_q  <= 1'b0;
      done_q       <= 1'b0;
      outside_q    <= 1'b0;
      beat_error_q <= 1'b0;
      err_valid_q  <= 1'b0;
      stop_q       <= 1'b0;
    end
  end

  `TPU_ASSERT(a_beats_come_behind_their_instruction, chunk_valid || !beat_valid)

  wire unused = &{1'b0, queue_level, fifo_level, chunk_row[19:16], wr_row, cmd[319:312], cmd[95:10], cmd[7:0]};

endmodule

`default_nettype wire
