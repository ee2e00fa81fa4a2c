// Matrix unit: executes MATMUL. Row issue, weight tiles, window, array with accumulators.
//
//   cycle t    tpu_matrix_issue: address, y, x, accumulator row of a window; mm_rd request
//   t+1        bank address in the buffer; tpu_window: distances to the bounds
//   t+2        buffer bank read; tpu_window: errors
//   t+3 = s    mm_rd_data; lanes outside the window get the zero point; the row enters the array
//   s + LANES * MAC_LATENCY + LANES + ADD_LATENCY - 1    done, for the last row of an instruction
//
// A row of int8 is as wide as a row of the unified buffer, a row of bf16 or int16 twice as wide: with either a request reads the bytes of both
// at once. Of int16 numbers a byte each enters the array, first the high bytes of an output row, then its low bytes: a product of int16 takes two
// rows, each with its own accumulator row, and the array is that of int8. Whether the tiles in the FIFO are of the instruction's format nobody looks.
//
// Errors: UB_RANGE for a lane inside the window that lies outside the buffer, ACC_RANGE. After one nothing more is accepted; rows
// already on their way finish.
//
// More than 300 lines, a third of them connections.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_matrix #(
  // Rows and columns of the array
  parameter LANES = 16,
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Weight FIFO depth in tiles, a power of two
  parameter WFIFO_TILES = 4,
  // Cycles of a multiplication and addition in the array, 1 or 2; of an addition to an accumulator; both 3 with BF16
  parameter MAC_LATENCY = 1,
  parameter ADD_LATENCY = 1,
  // Instructions of bf16, too (docs/isa.md, 10.3)
  parameter BF16 = 0,
  // Instructions with int16's planes, too (docs/isa.md, 11.2)
  parameter INT16 = 0
) (
  input  wire                                         clk,
  input  wire                                         rst,
  input  wire                                         halt,

  // Command
  input  wire                                         cmd_valid,
  output wire                                         cmd_ready,
  input  wire [`TPU_MATMUL_USED-1:0]                  cmd,
  input  wire [31:0]                                  cmd_index,
  output wire                                         done,
  output wire                                         err_valid,
  output wire [3:0]                                   err_code,
  output wire [31:0]                                  err_index,

  // Unified buffer window reads at a byte address, and their banks: data three cycles after the request, with BF16 or INT16 twice a row's bytes
  output wire                                         mm_rd_valid,
  output wire [3:0]                                   mm_rd_banks,
  output wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] mm_rd_addr,
  input  wire [(BF16 != 0 || INT16 != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_rd_data,

  // Weight rows from memory; with BF16 16 bits a weight, of which int8 uses the lowest 8
  input  wire                                         wt_valid,
  output wire                                         wt_ready,
  input  wire [(BF16 != 0 ? 16 : 8)*LANES-1:0]        wt_data,

  // Accumulator drain
  input  wire                                         acc_rd_valid,
  output wire                                         acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0]                  acc_rd_row,
  output wire [32*LANES-1:0]                          acc_rd_data,

  // Counter events: at most one of active, wait_weights and weight_shift in a cycle; none when no instruction has rows to issue.
  // `pad` is one of the cycles `active`, one cycle later.
  output wire                                         ev_active,
  output wire                                         ev_pad,
  output wire                                         ev_wait_weights,
  output wire                                         ev_weight_shift
);

  // Bits of an activation and of a weight in the array, of which int8 uses the lowest 8; a partial sum of int8 is exact.
  localparam A_BITS    = BF16 != 0 ? 16 : 8;
  localparam W_BITS    = BF16 != 0 ? 16 : 8;
  localparam PSUM_BITS = 8 + 8 + $clog2(LANES);
  localparam WIDE      = BF16 != 0 || INT16 != 0;

  localparam AW = $clog2(ACC_ROWS);
  localparam BW = $clog2(UB_ROWS) + $clog2(ROW_BYTES);

  generate
    if (ROW_BYTES != LANES) begin : g_check_row
      ERROR_tpu_matrix_ROW_BYTES_must_be_LANES check ();
    end
    if (WFIFO_TILES < 2 || (WFIFO_TILES & (WFIFO_TILES - 1)) != 0) begin : g_check_tiles
      ERROR_tpu_matrix_WFIFO_TILES_must_be_a_power_of_two_of_2_or_more check ();
    end
  endgenerate

  // ---- Weight tiles -------------------------------------------------------------------------------------
  wire                    fifo_pop;
  wire [LANES*W_BITS-1:0] fifo_data;
  wire [LANES*W_BITS-1:0] array_wt_data;
  wire                    array_wt_first;
  wire                    tile_next;
  wire                    tile_take;
  wire                    tile_coming;

  tpu_tile_fifo #(
    .WIDTH (LANES * W_BITS),
    .LANES (LANES),
    .TILES (WFIFO_TILES)
  ) u_weight_fifo (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (wt_valid),
    .in_ready  (wt_ready),
    .in_data   (wt_data),
    .out_take  (fifo_pop),
    .out_data  (fifo_data)
  );

  tpu_tile_loader #(
    .LANES       (LANES),
    .W_BITS      (W_BITS),
    .WFIFO_TILES (WFIFO_TILES)
  ) u_tiles (
    .clk         (clk),
    .rst         (rst),
    .fifo_push   (wt_valid && wt_ready),
    .fifo_pop    (fifo_pop),
    .fifo_data   (fifo_data),
    .array_data  (array_wt_data),
    .array_first (array_wt_first),
    .tile_next   (tile_next),
    .tile_take   (tile_take),
    .tile_coming (tile_coming)
  );

  // ---- Row issue, cycle t ----------------------------------------------------------------------------------
  // The sum of a row can be read LATENCY + 2 cycles after the row was read, unless it is forwarded.
  localparam ROW_DISTANCE = (ADD_LATENCY == 1) ? 1 : ADD_LATENCY + 2;

  wire        active;
  wire        row_valid;
  wire        row_last;
  wire        row_accumulate;
  wire        row_wide;
  wire        row_bf16;
  wire        row_low;
  wire [25:0] row_addr;
  wire [25:0] row_byte;
  wire [3:0]  row_banks;
  wire [19:0] row_y;
  wire [19:0] row_x;
  wire [19:0] row_acc;
  wire [15:0] row_y_bound;
  wire [15:0] row_x_bound;
  wire [7:0]  row_zero_point;
  wire [31:0] row_index;
  // Halted or failed; a halt takes a cycle, so that its wire across the chip ends in a register.
  reg         stop_q;
  reg         error_q;

  tpu_matrix_issue #(
    .ROW_BYTES    (ROW_BYTES),
    .ROW_DISTANCE (ROW_DISTANCE),
    .BF16         (BF16),
    .INT16        (INT16)
  ) u_issue (
    .clk            (clk),
    .rst            (rst),
    .stop           (stop_q),
    .cmd_valid      (cmd_valid),
    .cmd_ready      (cmd_ready),
    .cmd            (cmd),
    .cmd_index      (cmd_index),
    .tile_next      (tile_next),
    .tile_take      (tile_take),
    .active         (active),
    .row_valid      (row_valid),
    .row_last       (row_last),
    .row_accumulate (row_accumulate),
    .row_wide       (row_wide),
    .row_bf16       (row_bf16),
    .row_low        (row_low),
    .row_addr       (row_addr),
    .row_byte       (row_byte),
    .row_banks      (row_banks),
    .row_y          (row_y),
    .row_x          (row_x),
    .row_acc        (row_acc),
    .row_y_bound    (row_y_bound),
    .row_x_bound    (row_x_bound),
    .row_zero_point (row_zero_point),
    .row_index      (row_index)
  );

  assign mm_rd_valid     = row_valid;
  assign mm_rd_banks     = row_banks;
  assign mm_rd_addr      = row_byte[BW-1:0];
  assign ev_active       = row_valid;
  assign ev_wait_weights = active && !row_valid && !tile_coming;
  assign ev_weight_shift = active && !row_valid && tile_coming;

  wire unused_byte = &{1'b0, row_byte};

  // ---- Window, cycles t to t+3 ---------------------------------------------------------------------------
  wire [LANES-1:0] window_mask;
  wire [7:0]       window_zero_point;
  wire             window_error;

  tpu_window #(
    .LANES   (LANES),
    .UB_ROWS (UB_ROWS),
    .WIDE    (WIDE)
  ) u_window (
    .clk            (clk),
    .rst            (rst),
    .in_valid       (row_valid),
    .in_wide        (row_wide),
    .in_addr        (row_addr),
    .in_y           (row_y),
    .in_x           (row_x),
    .in_y_bound     (row_y_bound),
    .in_x_bound     (row_x_bound),
    .in_zero_point  (row_zero_point),
    .out_pad        (ev_pad),
    .out_mask       (window_mask),
    .out_zero_point (window_zero_point),
    .out_error      (window_error)
  );

  // ---- The row's tag and errors, cycles t+1 to t+3 ---------------------------------------------------------
  reg          valid1_q;
  reg          valid2_q;
  reg          valid3_q;
  reg          swap1_q;
  reg          swap2_q;
  reg          swap3_q;
  // {last, accumulate, accumulator row}
  reg [AW+1:0] tag1_q;
  reg [AW+1:0] tag2_q;
  reg [AW+1:0] tag3_q;
  reg [31:0]   index1_q;
  reg [31:0]   index2_q;
  reg          acc_error1_q;
  reg          err_valid_q;
  reg [3:0]    err_code_q;
  reg [31:0]   err_index_q;

  wire         acc_error = row_valid && |row_acc[19:AW];

  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;
  assign err_index = err_index_q;

  always @(posedge clk) begin
    valid1_q     <= row_valid && !acc_error;
    valid2_q     <= valid1_q;
    valid3_q     <= valid2_q;
    swap1_q      <= tile_take;
    swap2_q      <= swap1_q;
    swap3_q      <= swap2_q;
    acc_error1_q <= acc_error;
    tag1_q       <= {row_last, row_accumulate, row_acc[AW-1:0]};
    tag2_q       <= tag1_q;
    tag3_q       <= tag2_q;
    index1_q     <= row_index;
    index2_q     <= index1_q;
    // No error comes after the first one, or after a halt.
    if (!stop_q) begin
      if (window_error) begin
        error_q     <= 1'b1;
        err_code_q  <= `TPU_ERR_UB_RANGE;
        err_index_q <= index2_q;
      end else if (acc_error1_q) begin
        error_q     <= 1'b1;
        err_code_q  <= `TPU_ERR_ACC_RANGE;
        err_index_q <= index1_q;
      end
    end
    stop_q      <= halt || window_error || acc_error1_q || error_q;
    err_valid_q <= error_q;
    if (rst) begin
      valid1_q     <= 1'b0;
      valid2_q     <= 1'b0;
      valid3_q     <= 1'b0;
      acc_error1_q <= 1'b0;
      error_q      <= 1'b0;
    end
  end

  // ---- Array ---------------------------------------------------------------------------------------------
  wire [LANES*A_BITS-1:0] row_data;
  wire                    bf16_3;
  wire                    planes_3;
  wire                    low_3;

  genvar k;
  generate
    if (BF16 != 0) begin : g_formats
      tpu_delay #(
        .WIDTH  (1),
        .CYCLES (3)
      ) u_bf16 (
        .clk (clk),
        .in  (row_bf16),
        .out (bf16_3)
      );
    end else begin : g_no_bf16
      wire unused = &{1'b0, row_bf16};

      assign bf16_3 = 1'b0;
    end
    if (INT16 != 0) begin : g_planes
      tpu_delay #(
        .WIDTH  (2),
        .CYCLES (3)
      ) u_plane (
        .clk (clk),
        .in  ({row_wide && !row_bf16, row_low}),
        .out ({planes_3, low_3})
      );
    end else begin : g_no_planes
      wire unused = &{1'b0, row_low};

      assign {planes_3, low_3} = 2'b00;
    end
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
      wire [7:0] lower;

      // Outside of the window bf16 numbers are +0.0: so is their zero point.
      assign row_data[A_BITS*k +: 8] = window_mask[k] ? lower : window_zero_point;
      if (WIDE) begin : g_number
        // Of int16 the high byte, or the low byte less 128.
        assign lower = bf16_3    ? mm_rd_data[16*k +: 8]
                     : low_3     ? mm_rd_data[16*k +: 8] ^ 8'h80
                     : planes_3  ? mm_rd_data[16*k+8 +: 8] : mm_rd_data[8*k +: 8];
      end else begin : g_byte
        assign lower = mm_rd_data[8*k +: 8];
      end
      if (BF16 != 0) begin : g_upper
        // That of int8 counts for nothing.
        assign row_data[16*k+8 +: 8] = window_mask[k] ? mm_rd_data[16*k+8 +: 8] : 8'd0;
      end
    end
    if (!WIDE) begin : g_bytes_alone
      wire unused = &{1'b0, bf16_3, planes_3, low_3};
    end
  endgenerate

  tpu_array #(
    .LANES       (LANES),
    .ACC_ROWS    (ACC_ROWS),
    .A_BITS      (A_BITS),
    .W_BITS      (W_BITS),
    .PSUM_BITS   (PSUM_BITS),
    .LATENCY     (MAC_LATENCY),
    .ADD_LATENCY (ADD_LATENCY),
    .BF16        (BF16)
  ) u_array (
    .clk            (clk),
    .rst            (rst),
    .row_valid      (valid3_q),
    .row_data       (row_data),
    .row_acc        (tag3_q[AW-1:0]),
    .row_accumulate (tag3_q[AW]),
    .row_last       (tag3_q[AW+1]),
    .row_bf16       (bf16_3),
    .row_done       (done),
    .wt_data        (array_wt_data),
    .wt_first       (array_wt_first),
    .tile_swap      (swap3_q),
    .acc_rd_valid   (acc_rd_valid),
    .acc_rd_ready   (acc_rd_ready),
    .acc_rd_row     (acc_rd_row),
    .acc_rd_data    (acc_rd_data)
  );

endmodule

`default_nettype wire
