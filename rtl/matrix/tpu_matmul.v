// MATMUL unit: walks the window loops, reads the unified buffer, feeds the array.
//
//   cycle t    issue: loop state gives byte address, y, x, accumulator row; mm_rd request
//   t+1        buffer bank read; window bounds
//   t+2        mm_rd_data; lanes outside the window are replaced by the zero point
//   t+3 = s    the row enters the array
//   s + 2N     done, for the last row of an instruction
//
// One row is issued per cycle; the first row of a tile waits until the tile is loaded. The next instruction is accepted in the cycle of the
// previous one's last row, so there is no bubble between rows, tiles or instructions.
//
// Errors: UB_RANGE for a lane inside the window that lies outside the buffer, ACC_RANGE. Nothing is issued
// after one; rows already on their way finish.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_matmul #(
  // Array size
  parameter N = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Weight FIFO depth in tiles
  parameter WFIFO_TILES = 4
) (
  input  wire                                 clk,
  input  wire                                 rst,

  // Command
  input  wire                                 cmd_valid,
  output wire                                 cmd_ready,
  input  wire [`TPU_MATMUL_BITS-1:0]          cmd,
  input  wire [31:0]                          cmd_index,
  output wire                                 done,
  output reg                                  err_valid,
  output reg  [3:0]                           err_code,
  output reg  [31:0]                          err_index,
  input  wire                                 halt,

  // Unified buffer window reads: data two cycles after the request
  output wire                                 mm_rd_valid,
  output wire [$clog2(UB_ROWS)+$clog2(N)-1:0] mm_rd_addr,
  input  wire [8*N-1:0]                       mm_rd_data,

  // Weight rows from memory
  input  wire                                 wt_valid,
  output wire                                 wt_ready,
  input  wire [8*N-1:0]                       wt_data,

  // Accumulator drain
  input  wire                                 acc_rd_valid,
  output wire                                 acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0]          acc_rd_row,
  output wire [32*N-1:0]                      acc_rd_data,

  // Counter events: at most one of active, wait_weights and weight_shift in a cycle; none when no
  // instruction has rows to issue
  output wire                                 ev_active,
  output wire                                 ev_pad,
  output wire                                 ev_wait_weights,
  output wire                                 ev_weight_shift
);

  localparam AW = $clog2(ACC_ROWS);
  localparam BW = $clog2(UB_ROWS) + $clog2(N);

  // Loops, innermost first: ow, oh, kw, kh, cb, ob.
  localparam LEVELS = 6;

  // --------------------------------------------------------------------------------------------
  // Instruction registers
  // --------------------------------------------------------------------------------------------
  reg                         active_q;
  reg                         error_q;
  reg [31:0]                  index_q;
  reg                         accumulate_q;
  reg [7:0]                   zero_point_q;
  reg [15:0]                  y_bound_q;
  reg [15:0]                  x_bound_q;
  reg [LEVELS*26-1:0]         addr_strides_q;
  reg [LEVELS*20-1:0]         y_strides_q;
  reg [LEVELS*20-1:0]         x_strides_q;
  reg [LEVELS*20-1:0]         acc_strides_q;

  wire                        last;
  wire                        tile_ready;
  wire                        tile_coming;

  wire stopped = halt || error_q;
  // The first row with a new tile has to wait for it.
  wire window_first;
  wire issue        = active_q && (tile_ready || !window_first) && !stopped;
  wire tile_take    = issue && window_first;

  assign cmd_ready = (!active_q || (issue && last)) && !stopped;

  wire accept = cmd_valid && cmd_ready;

  function [25:0] extend24(input [23:0] value);
    extend24 = {{2{value[23]}}, value};
  endfunction

  function [19:0] extend16(input [15:0] value);
    extend16 = {{4{value[15]}}, value};
  endfunction

  always @(posedge clk) begin
    if (accept) begin
      index_q        <= cmd_index;
      accumulate_q   <= cmd[`TPU_MATMUL_ACCUMULATE];
      zero_point_q   <= cmd[`TPU_MATMUL_ZERO_POINT];
      y_bound_q      <= cmd[`TPU_MATMUL_Y_BOUND];
      x_bound_q      <= cmd[`TPU_MATMUL_X_BOUND];
      addr_strides_q <= {26'd0,
                         extend24(cmd[`TPU_MATMUL_S_CB]),
                         extend24(cmd[`TPU_MATMUL_S_KH]),
                         extend24(cmd[`TPU_MATMUL_S_KW]),
                         extend24(cmd[`TPU_MATMUL_S_OH]),
                         extend24(cmd[`TPU_MATMUL_S_OW])};
      y_strides_q    <= {40'd0,
                         12'd0, cmd[`TPU_MATMUL_YS_KH],
                         20'd0,
                         12'd0, cmd[`TPU_MATMUL_YS_OH],
                         20'd0};
      x_strides_q    <= {60'd0,
                         4'd0, cmd[`TPU_MATMUL_XS_KW],
                         20'd0,
                         4'd0, cmd[`TPU_MATMUL_XS_OW]};
      // A window step inside a tile moves on by one accumulator row; each tile of an output block
      // starts again at the block's first row.
      acc_strides_q  <= {4'd0, cmd[`TPU_MATMUL_ACC_OB_STRIDE],
                         60'd0,
                         4'd0, cmd[`TPU_MATMUL_N_OW],
                         20'd1};
    end
    if (accept) begin
      active_q <= 1'b1;
    end else if (issue && last) begin
      active_q <= 1'b0;
    end
    if (rst) begin
      active_q <= 1'b0;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Loops and addresses
  // --------------------------------------------------------------------------------------------
  wire [2:0]        level;
  wire [LEVELS-1:0] first_mask;
  wire [LEVELS-1:0] last_mask;
  wire [25:0]       addr;
  wire [19:0]       y;
  wire [19:0]       x;
  wire [19:0]       acc_row;

  tpu_loop_counter #(
    .LEVELS      (LEVELS),
    .COUNT_WIDTH (16)
  ) u_loops (
    .clk        (clk),
    .load       (accept),
    .counts     ({cmd[`TPU_MATMUL_N_OB], cmd[`TPU_MATMUL_N_CB], cmd[`TPU_MATMUL_N_KH],
                  cmd[`TPU_MATMUL_N_KW], cmd[`TPU_MATMUL_N_OH], cmd[`TPU_MATMUL_N_OW]}),
    .step       (issue),
    .level      (level),
    .last       (last),
    .first_mask (first_mask),
    .last_mask  (last_mask)
  );

  tpu_loop_address #(
    .LEVELS (LEVELS),
    .WIDTH  (26)
  ) u_addr (
    .clk     (clk),
    .load    (accept),
    .base    (cmd[`TPU_MATMUL_UB_ADDR]),
    .strides (addr_strides_q),
    .step    (issue),
    .level   (level),
    .addr    (addr)
  );

  tpu_loop_address #(
    .LEVELS (LEVELS),
    .WIDTH  (20)
  ) u_y (
    .clk     (clk),
    .load    (accept),
    .base    (extend16(cmd[`TPU_MATMUL_Y0])),
    .strides (y_strides_q),
    .step    (issue),
    .level   (level),
    .addr    (y)
  );

  tpu_loop_address #(
    .LEVELS (LEVELS),
    .WIDTH  (20)
  ) u_x (
    .clk     (clk),
    .load    (accept),
    .base    (extend16(cmd[`TPU_MATMUL_X0])),
    .strides (x_strides_q),
    .step    (issue),
    .level   (level),
    .addr    (x)
  );

  tpu_loop_address #(
    .LEVELS (LEVELS),
    .WIDTH  (20)
  ) u_acc_row (
    .clk     (clk),
    .load    (accept),
    .base    ({4'd0, cmd[`TPU_MATMUL_ACC_ROW]}),
    .strides (acc_strides_q),
    .step    (issue),
    .level   (level),
    .addr    (acc_row)
  );

  assign window_first = &first_mask[1:0];
  // The first tile of an output block overwrites.
  wire accumulate   = accumulate_q || !(&first_mask[4:2]);

  assign mm_rd_valid = issue;
  assign mm_rd_addr  = addr[BW-1:0];

  // --------------------------------------------------------------------------------------------
  // Weights
  // --------------------------------------------------------------------------------------------
  wire [8*N-1:0] array_wt_data;
  wire           array_wt_first;

  tpu_weight_loader #(
    .N           (N),
    .WFIFO_TILES (WFIFO_TILES)
  ) u_weights (
    .clk          (clk),
    .rst          (rst),
    .wt_valid     (wt_valid),
    .wt_ready     (wt_ready),
    .wt_data      (wt_data),
    .array_data   (array_wt_data),
    .array_first  (array_wt_first),
    .tile_ready   (tile_ready),
    .tile_take    (tile_take),
    .tile_coming  (tile_coming)
  );

  // --------------------------------------------------------------------------------------------
  // Rows on their way to the array: cycles t+1, t+2, t+3
  // --------------------------------------------------------------------------------------------
  wire [N-1:0] window_mask;
  wire [7:0]   window_zero_point;
  wire         window_error;
  wire         window_pad;

  tpu_window #(
    .N       (N),
    .UB_ROWS (UB_ROWS)
  ) u_window (
    .clk            (clk),
    .rst            (rst),
    .in_valid       (issue),
    .in_addr        (addr),
    .in_y           (y),
    .in_x           (x),
    .in_y_bound     (y_bound_q),
    .in_x_bound     (x_bound_q),
    .in_zero_point  (zero_point_q),
    .in_pad         (window_pad),
    .out_mask       (window_mask),
    .out_zero_point (window_zero_point),
    .out_error      (window_error)
  );

  reg           valid1_q;
  reg           valid2_q;
  reg           valid3_q;
  reg           swap1_q;
  reg           swap2_q;
  // {last, accumulate, accumulator row}
  reg  [AW+1:0] tag1_q;
  reg  [AW+1:0] tag2_q;
  reg  [AW+1:0] tag3_q;
  reg  [31:0]   index1_q;
  reg  [31:0]   index2_q;
  reg           acc_error1_q;
  wire [8*N-1:0] row_data;

  wire acc_error = issue && acc_row >= ACC_ROWS[19:0];

  genvar k;
  generate
    for (k = 0; k < N; k = k + 1) begin : g_lane
      reg [7:0] data_q;
      always @(posedge clk) begin
        if (valid2_q) begin
          data_q <= window_mask[k] ? mm_rd_data[8*k +: 8] : window_zero_point;
        end
      end
      assign row_data[8*k +: 8] = data_q;
    end
  endgenerate

  always @(posedge clk) begin
    valid1_q     <= issue && !acc_error;
    valid2_q     <= valid1_q;
    valid3_q     <= valid2_q;
    // One cycle ahead of the row itself.
    swap1_q      <= tile_take;
    swap2_q      <= swap1_q;
    acc_error1_q <= acc_error;
    if (issue) begin
      tag1_q   <= {last, accumulate, acc_row[AW-1:0]};
      index1_q <= index_q;
    end
    tag2_q   <= tag1_q;
    tag3_q   <= tag2_q;
    index2_q <= index1_q;
    if (!error_q) begin
      if (window_error) begin
        error_q   <= 1'b1;
        err_code  <= `TPU_ERR_UB_RANGE;
        err_index <= index2_q;
      end else if (acc_error1_q) begin
        error_q   <= 1'b1;
        err_code  <= `TPU_ERR_ACC_RANGE;
        err_index <= index1_q;
      end
    end
    err_valid <= error_q;
    if (rst) begin
      valid1_q     <= 1'b0;
      valid2_q     <= 1'b0;
      valid3_q     <= 1'b0;
      swap1_q      <= 1'b0;
      swap2_q      <= 1'b0;
      acc_error1_q <= 1'b0;
      error_q      <= 1'b0;
      err_valid    <= 1'b0;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Array
  // --------------------------------------------------------------------------------------------
  tpu_array #(
    .N        (N),
    .ACC_ROWS (ACC_ROWS)
  ) u_array (
    .clk            (clk),
    .rst            (rst),
    .row_valid      (valid3_q),
    .row_data       (row_data),
    .row_acc        (tag3_q[AW-1:0]),
    .row_accumulate (tag3_q[AW]),
    .row_last       (tag3_q[AW+1]),
    .row_done       (done),
    .wt_data        (array_wt_data),
    .wt_first       (array_wt_first),
    .tile_swap      (swap2_q),
    .acc_rd_valid   (acc_rd_valid),
    .acc_rd_ready   (acc_rd_ready),
    .acc_rd_row     (acc_rd_row),
    .acc_rd_data    (acc_rd_data)
  );

  // --------------------------------------------------------------------------------------------
  // Events
  // --------------------------------------------------------------------------------------------
  assign ev_active       = issue;
  assign ev_pad          = issue && window_pad;
  assign ev_wait_weights = active_q && !issue && !tile_coming;
  assign ev_weight_shift = active_q && !issue && tile_coming;

  // Opcode, semaphore masks and reserved bits are the front end's.
  wire unused = &{1'b0, cmd, first_mask, last_mask};

endmodule

`default_nettype wire
