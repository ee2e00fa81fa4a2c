// STORE: unified buffer to memory (docs/isa.md, 5 and 10.2).
//
//   cmd ──▶ tpu_dma_command ──┬──────────────────────────────────────────────────────▶ tpu_dma_write ──▶ aw_*, w_*, b_*
//                             └──▶ queue ──▶ tpu_chunk_walker ──▶ tpu_skid ──▶ st_rd_* ──▶ FIFO ──┘
//
// One row is read per cycle. The skid keeps the walker apart from who else reads the buffer; a FIFO of eight chunks covers the six cycles
// from the walker to the gearbox of tpu_dma_write. The next instruction's rows are read, and its addresses issued, while earlier ones wait
// for responses; up to eight instructions do. From row granted to beat on the bus: 6 cycles.
//
// Errors found ahead of the responses of earlier instructions are reported after those. From the cycle after a `halt` on, no row is
// read, and neither address nor beat is offered.
//
// More than 300 lines, half of them ports and the connections of the parts drawn above, each of which is a module already.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_number_lines.vh"

module tpu_store #(
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Numbers of 2 and 4 bytes, too
  parameter WIDE = 0
) (
  input  wire                        clk,
  input  wire                        rst,

  // Instructions
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [`TPU_STORE_USED-1:0]  cmd,
  input  wire [31:0]                 cmd_index,
  output wire                        done,
  output wire                        err_valid,
  output wire [3:0]                  err_code,
  output wire [31:0]                 err_index,
  input  wire                        halt,
  // An instruction is inside
  output wire                        busy,

  // Unified buffer: data three cycles after the grant
  output wire                        st_rd_valid,
  input  wire                        st_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  st_rd_row,
  input  wire [8*ROW_BYTES-1:0]              st_rd_data,

  // Write port (tpu_axi_write_port)
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

  localparam LW = $clog2(ROW_BYTES) + 1;
  localparam UW = $clog2(UB_ROWS);
  // Bits of the length of a stream; of what is the same in all formats of an instruction, and with its format
  localparam TW     = AXI_ADDR_WIDTH + 1;
  localparam REST   = 16 + 16 + 24 + 16 + 32;
  localparam QUEUE  = TW + 16 + 16 + 24 + 16;
  localparam FORMAT = WIDE != 0 ? 2 : 0;
  localparam [31:0] UB_LAST = UB_ROWS - 1;

  // Halted or failed; a halt takes a cycle, so that its wire across the chip ends in a register.
  reg         stop_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;
  reg  [31:0] err_index_q;

  // ---- Instructions ----------------------------------------------------------------------------

  wire          op_valid;
  wire          op_ready;
  wire [TW-1:0] op_addr;
  wire [TW-1:0] op_span;
  wire [31:0]   op_more;
  wire [31:0]   op_stride;
  wire [TW-1:0] op_length;
  wire [15:0]   op_row;
  wire [15:0]   op_plane_stride;
  wire [23:0]   op_pixel_bytes;
  wire [15:0]   op_pixel_stride;
  wire [31:0]   op_index;
  wire          op_busy;
  wire          write_ready;
  wire          queue_ready;
  wire          index_queue_ready;
  wire [REST+FORMAT-1:0] cmd_rest;
  wire [REST+FORMAT-1:0] op_rest;
  wire          op_fire = op_valid && op_ready;

  assign op_ready = write_ready && queue_ready && index_queue_ready;

  tpu_dma_command #(
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .REST_BITS      (REST + FORMAT)
  ) u_command (
    .clk           (clk),
    .rst           (rst),
    .stop          (stop_q),
    .cmd_valid     (cmd_valid),
    .cmd_ready     (cmd_ready),
    .cmd_addr      (cmd[`TPU_STORE_DRAM_ADDR]),
    .cmd_row_bytes (cmd[`TPU_STORE_ROW_BYTES]),
    .cmd_rows      (cmd[`TPU_STORE_ROWS]),
    .cmd_stride    (cmd[`TPU_STORE_ROW_STRIDE]),
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

  assign cmd_rest[REST-1:0] = {cmd[`TPU_STORE_ROW], cmd[`TPU_STORE_PLANE_STRIDE], cmd[`TPU_STORE_PIXEL_BYTES], cmd[`TPU_STORE_PIXEL_STRIDE],
                               cmd_index};
  assign {op_row, op_plane_stride, op_pixel_bytes, op_pixel_stride, op_index} = op_rest[REST-1:0];

  // Instructions from here to their last response.
  wire        oldest_valid;
  wire [31:0] oldest_index;
  wire [3:0]  index_queue_level;
  wire        cmd_done;

  tpu_fifo #(
    .WIDTH (32),
    .DEPTH (8)
  ) u_index_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (op_fire),
    .in_ready  (index_queue_ready),
    .in_data   (op_index),
    .out_valid (oldest_valid),
    .out_ready (cmd_done),
    .out_data  (oldest_index),
    .level     (index_queue_level)
  );

  // ---- Buffer side -----------------------------------------------------------------------------

  wire          head_valid;
  wire          head_ready;
  wire [TW-1:0] head_length;
  wire [15:0]   head_row;
  wire [15:0]   head_plane;
  wire [23:0]   head_pixel;
  wire [15:0]   head_stride;
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
    .in_valid  (op_fire),
    .in_ready  (queue_ready),
    .in_data   (queue_in),
    .out_valid (head_valid),
    .out_ready (head_ready),
    .out_data  (queue_out),
    .level     (queue_level)
  );

  assign queue_in[QUEUE-1:0] = {op_length, op_row, op_plane_stride, op_pixel_bytes, op_pixel_stride};
  assign {head_length, head_row, head_plane, head_pixel, head_stride} = queue_out[QUEUE-1:0];

  generate
    if (WIDE != 0) begin : g_formats
      assign cmd_rest[REST +: 2]   = cmd[`TPU_STORE_FORMAT];
      assign queue_in[QUEUE +: 2]  = op_rest[REST +: 2];
      assign head_more             = `TPU_LAST_LINE(queue_out[QUEUE +: 2]);
    end else begin : g_int8
      assign head_more             = 2'd0;
    end
  endgenerate

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
    .WIDE        (WIDE)
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
    .start_single       (1'b0),
    .start_more         (head_more),
    .start_beyond       (~UB_LAST[19:0]),
    .chunk_valid        (chunk_valid),
    .chunk_ready        (chunk_ready),
    .chunk_row          (chunk_row),
    .chunk_outside      (chunk_outside),
    .chunk_length       (chunk_length),
    .chunk_index        (chunk_index),
    .chunk_last         (chunk_last)
  );

  // Chunks from the walker until they leave the FIFO
  reg  [3:0]             chunks_q;
  // Grants one to three cycles ago
  reg                    read1_q;
  reg                    read2_q;
  reg                    read3_q;
  reg  [LW-1:0]          length1_q;
  reg  [LW-1:0]          length2_q;
  reg  [LW-1:0]          length3_q;

  wire                   room     = !chunks_q[3];
  wire                   ask      = chunk_valid && !chunk_outside && room;
  wire                   skid_ready;
  wire                   rd_valid;
  wire [LW-1:0]          rd_length;
  wire                   grant    = st_rd_valid && st_rd_ready;
  wire                   bytes_valid;
  wire                   bytes_ready;
  wire [8*ROW_BYTES-1:0] bytes_data;
  wire [LW-1:0]          bytes_count;
  wire                   bytes_in_ready;
  wire [3:0]             bytes_level;
  wire                   enter    = ask && skid_ready;
  wire                   leave    = bytes_valid && bytes_ready;

  assign chunk_ready = !chunk_outside && room && skid_ready;
  // Behind a stop chunks may still go this far, but no further.
  assign st_rd_valid = rd_valid && !stop_q;

  tpu_skid #(
    .WIDTH (UW + LW)
  ) u_reads (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (ask),
    .in_ready  (skid_ready),
    .in_data   ({chunk_row[UW-1:0], chunk_length}),
    .out_valid (rd_valid),
    .out_ready (grant),
    .out_data  ({st_rd_row, rd_length})
  );

  always @(posedge clk) begin
    length1_q <= rd_length;
    length2_q <= length1_q;
    length3_q <= length2_q;
  end

  always @(posedge clk) begin
    read1_q <= grant;
    read2_q <= read1_q;
    read3_q <= read2_q;
    if (enter != leave) begin
      chunks_q <= enter ? chunks_q + 4'd1 : chunks_q - 4'd1;
    end
    if (rst) begin
      read1_q  <= 1'b0;
      read2_q  <= 1'b0;
      read3_q  <= 1'b0;
      chunks_q <= 4'd0;
    end
  end

  tpu_fifo #(
    .WIDTH (8 * ROW_BYTES + LW),
    .DEPTH (8)
  ) u_bytes (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (read3_q),
    .in_ready  (bytes_in_ready),
    .in_data   ({length3_q, st_rd_data}),
    .out_valid (bytes_valid),
    .out_ready (bytes_ready),
    .out_data  ({bytes_count, bytes_data}),
    .level     (bytes_level)
  );

  // ---- Memory side -----------------------------------------------------------------------------

  wire bus_error;
  wire range_error;
  wire drained;

  tpu_dma_write #(
    .IN_BYTES       (ROW_BYTES),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_write (
    .clk         (clk),
    .rst         (rst),
    .stop        (stop_q),
    .drained     (drained),
    .cmd_valid   (op_valid && queue_ready && index_queue_ready),
    .cmd_ready   (write_ready),
    .cmd_addr    (op_addr),
    .cmd_span    (op_span),
    .cmd_more    (op_more),
    .cmd_stride  (op_stride),
    .in_valid    (bytes_valid),
    .in_ready    (bytes_ready),
    .in_data     (bytes_data),
    .in_count    (bytes_count),
    .cmd_done    (cmd_done),
    .bus_error   (bus_error),
    .range_error (range_error),
    .aw_valid    (aw_valid),
    .aw_ready    (aw_ready),
    .aw_addr     (aw_addr),
    .aw_len      (aw_len),
    .w_valid     (w_valid),
    .w_ready     (w_ready),
    .w_strb      (w_strb),
    .w_data      (w_data),
    .w_first     (w_first),
    .w_last      (w_last),
    .b_valid     (b_valid),
    .b_resp      (b_resp)
  );

  // ---- Completion and errors -------------------------------------------------------------------

  reg  done_q;
  // A row outside the buffer is reported when the rows before it have gone to tpu_dma_write, which may find an error in them first, and when
  // its instruction is the oldest: then all others that are inside stand in the walker's queue.
  wire outside = chunk_valid && chunk_outside && chunks_q == 4'd0 && index_queue_level == {1'b0, queue_level} + 4'd1;
  // Nothing follows a transfer that leaves the address space, so that may be seen a cycle late.
  reg  off_space_q;
  wire error   = (bus_error || outside || off_space_q) && !stop_q;

  assign done      = done_q;
  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;
  assign err_index = err_index_q;
  assign busy      = op_busy || oldest_valid;

  always @(posedge clk) begin
    if (error) begin
      err_code_q  <= bus_error ? `TPU_ERR_BUS_WRITE : outside ? `TPU_ERR_UB_RANGE : `TPU_ERR_ADDR_RANGE;
      err_index_q <= oldest_index;
    end
  end

  always @(posedge clk) begin
    done_q <= cmd_done && !bus_error && !stop_q;
    off_space_q <= range_error && drained;
    if (error) begin
      err_valid_q <= 1'b1;
    end
    stop_q <= halt || error || err_valid_q;
    if (rst) begin
      done_q      <= 1'b0;
      off_space_q <= 1'b0;
      err_valid_q <= 1'b0;
      stop_q      <= 1'b0;
    end
  end

  wire unused = &{1'b0, chunk_row, chunk_index, chunk_last, bytes_level, bytes_in_ready, cmd[319:312], cmd[95:0]};

  `TPU_ASSERT(a_chunks_have_room, !read3_q || bytes_in_ready)

endmodule

`default_nettype wire
