// STORE: unified buffer to memory (docs/isa.md, 5).
//
//   cmd ──▶ tpu_dma_command ──┬──────────────────────────────────────────▶ tpu_dma_write ──▶ m_axi_aw*, w*, b*
//                             └──▶ queue ──▶ tpu_chunk_walker ──▶ st_rd_* ──▶ FIFO ──┘
//
// One row is read per cycle; a FIFO of four chunks covers the two cycles from grant to data. The next instruction's rows are read, and its
// addresses issued, while earlier ones wait for responses; up to eight instructions do. From row granted to beat on the bus: 5 cycles.
//
// Errors found ahead of the responses of earlier instructions are reported after those.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_store #(
  // Bytes of a unified buffer row
  parameter N = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                        clk,
  input  wire                        rst,

  // Instructions
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [511:0]                cmd,
  input  wire [31:0]                 cmd_index,
  output wire                        done,
  output wire                        err_valid,
  output wire [3:0]                  err_code,
  output wire [31:0]                 err_index,
  input  wire                        halt,
  // An instruction is inside
  output wire                        busy,

  // Unified buffer: data two cycles after the grant
  output wire                        st_rd_valid,
  input  wire                        st_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  st_rd_row,
  input  wire [8*N-1:0]              st_rd_data,

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

  localparam LW = $clog2(N) + 1;
  localparam UW = $clog2(UB_ROWS);

  reg         err_valid_q;
  reg  [3:0]  err_code_q;
  reg  [31:0] err_index_q;
  wire        stop = halt || err_valid_q;

  // ---- Instructions ----------------------------------------------------------------------------

  wire        op_valid;
  wire        op_ready;
  wire [63:0] op_addr;
  wire [63:0] op_bytes;
  wire [31:0] op_rows;
  wire [31:0] op_stride;
  wire [63:0] op_total;
  wire [1:0]  op_destination;
  wire [15:0] op_row;
  wire [15:0] op_plane_stride;
  wire [23:0] op_pixel_bytes;
  wire [15:0] op_pixel_stride;
  wire [31:0] op_index;
  wire        op_busy;
  wire        write_ready;
  wire        queue_ready;
  wire        index_queue_ready;
  wire        op_fire = op_valid && op_ready;

  assign op_ready = write_ready && queue_ready && index_queue_ready;

  tpu_dma_command u_command (
    .clk              (clk),
    .rst              (rst),
    .stop             (stop),
    .cmd_valid        (cmd_valid),
    .cmd_ready        (cmd_ready),
    .cmd              (cmd),
    .cmd_index        (cmd_index),
    .out_valid        (op_valid),
    .out_ready        (op_ready),
    .out_addr         (op_addr),
    .out_bytes        (op_bytes),
    .out_rows         (op_rows),
    .out_stride       (op_stride),
    .out_total        (op_total),
    .out_destination  (op_destination),
    .out_row          (op_row),
    .out_plane_stride (op_plane_stride),
    .out_pixel_bytes  (op_pixel_bytes),
    .out_pixel_stride (op_pixel_stride),
    .out_index        (op_index),
    .busy             (op_busy)
  );

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
  wire [63:0]   head_total;
  wire [15:0]   head_row;
  wire [15:0]   head_plane;
  wire [23:0]   head_pixel;
  wire [15:0]   head_stride;
  wire [31:0]   head_index;
  wire [2:0]    queue_level;

  tpu_fifo #(
    .WIDTH (64 + 16 + 16 + 24 + 16 + 32),
    .DEPTH (4)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (op_fire),
    .in_ready  (queue_ready),
    .in_data   ({op_total, op_row, op_plane_stride, op_pixel_bytes, op_pixel_stride, op_index}),
    .out_valid (head_valid),
    .out_ready (head_ready),
    .out_data  ({head_total, head_row, head_plane, head_pixel, head_stride, head_index}),
    .level     (queue_level)
  );

  reg  [31:0]   index_q;
  wire          chunk_valid;
  wire          chunk_ready;
  wire [19:0]   chunk_row;
  wire [LW-1:0] chunk_length;
  wire [7:0]    chunk_index;
  wire          chunk_last;

  tpu_chunk_walker #(
    .N (N)
  ) u_walker (
    .clk                (clk),
    .rst                (rst),
    .start_valid        (head_valid),
    .start_ready        (head_ready),
    .start_total        (head_total),
    .start_row          (head_row),
    .start_plane_stride (head_plane),
    .start_pixel_bytes  (head_pixel),
    .start_pixel_stride (head_stride),
    .start_limit        (N[LW-1:0]),
    .chunk_valid        (chunk_valid),
    .chunk_ready        (chunk_ready),
    .chunk_row          (chunk_row),
    .chunk_length       (chunk_length),
    .chunk_index        (chunk_index),
    .chunk_last         (chunk_last)
  );

  always @(posedge clk) begin
    if (head_valid && head_ready) begin
      index_q <= head_index;
    end
  end

  // Chunks from their grant until they leave the FIFO.
  reg  [2:0]    chunks_q;
  // Grants one and two cycles ago
  reg           read1_q;
  reg           read2_q;
  reg  [LW-1:0] length1_q;
  reg  [LW-1:0] length2_q;

  wire          in_range = {12'd0, chunk_row} < UB_ROWS;
  wire          room     = !chunks_q[2];
  wire          grant    = st_rd_valid && st_rd_ready;
  wire          bytes_valid;
  wire          bytes_ready;
  wire [8*N-1:0] bytes_data;
  wire [LW-1:0] bytes_count;
  wire          bytes_in_ready;
  wire [2:0]    bytes_level;
  wire          leave    = bytes_valid && bytes_ready;

  assign st_rd_valid = chunk_valid && in_range && room && !stop;
  assign st_rd_row   = chunk_row[UW-1:0];
  assign chunk_ready = in_range && room && !stop && st_rd_ready;

  always @(posedge clk) begin
    if (grant) begin
      length1_q <= chunk_length;
    end
    length2_q <= length1_q;
  end

  always @(posedge clk) begin
    read1_q <= grant;
    read2_q <= read1_q;
    if (grant != leave) begin
      chunks_q <= grant ? chunks_q + 3'd1 : chunks_q - 3'd1;
    end
    if (rst) begin
      read1_q  <= 1'b0;
      read2_q  <= 1'b0;
      chunks_q <= 3'd0;
    end
  end

  tpu_fifo #(
    .WIDTH (8 * N + LW),
    .DEPTH (4)
  ) u_bytes (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (read2_q),
    .in_ready  (bytes_in_ready),
    .in_data   ({length2_q, st_rd_data}),
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
    .IN_BYTES       (N),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_write (
    .clk         (clk),
    .rst         (rst),
    .stop        (stop),
    .drained     (drained),
    .cmd_valid   (op_valid && queue_ready && index_queue_ready),
    .cmd_ready   (write_ready),
    .cmd_addr    (op_addr),
    .cmd_bytes   (op_bytes),
    .cmd_rows    (op_rows),
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
  wire outside   = chunk_valid && !in_range && oldest_valid && oldest_index == index_q;
  wire off_space = range_error && drained;
  wire error     = (bus_error || outside || off_space) && !stop;

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
    done_q <= cmd_done && !bus_error && !stop;
    if (error) begin
      err_valid_q <= 1'b1;
    end
    if (rst) begin
      done_q      <= 1'b0;
      err_valid_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, op_destination, chunk_index, chunk_last, index_queue_level, queue_level, bytes_level, bytes_in_ready};

  `TPU_ASSERT(a_chunks_have_room, !read2_q || bytes_in_ready)

endmodule

`default_nettype wire
