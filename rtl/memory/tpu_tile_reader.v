// Tile reader: the rows of UBWEIGHTS' tiles, from the unified buffer (docs/isa.md, 10.3).
//
//   cycle t    a step asks for a row of the tile, or is one of zeros
//   t+3        the row's data: into the FIFO
//   t+4        offered
//
// A row of the tile is a row of the buffer or, with bf16, two: a pair. A step in each cycle, if the banks are free; at most eight rows are between
// their step and their leaving. A row outside the matrix waits for no bank. One that does not exist is neither read nor passed by. A reset leaves nothing on
// its way.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_assert.vh"

module tpu_tile_reader #(
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Rows of a tile, a power of two
  parameter LANES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384
) (
  input  wire                          clk,
  input  wire                          rst,
  // No more steps
  input  wire                          stop,

  // An instruction starts, the one before has given all of its rows
  input  wire                          start,
  input  wire [`TPU_UBWEIGHTS_USED-1:0] cmd,

  // Unified buffer, data three cycles after the grant
  output wire                          rd_valid,
  input  wire                          rd_ready,
  output wire                          rd_pair,
  output wire [$clog2(UB_ROWS)-1:0]    rd_row,
  input  wire [16*ROW_BYTES-1:0]       rd_data,
  // The row of the next step, or one of the pair, does not exist
  output wire                          fault,

  // Tile rows: one can be taken, and whether it is the instruction's last; taken, it shows in row_data from the next cycle on
  output wire                          row_ready,
  output wire                          row_last,
  input  wire                          row_en,
  output wire [16*ROW_BYTES-1:0]       row_data
);

  localparam NW = $clog2(LANES);
  localparam RW = $clog2(UB_ROWS);

  // Loops, from the innermost: rows of a tile; input and output channel blocks
  localparam CB = 1;

  // ---- Walk --------------------------------------------------------------------------------------------

  reg           active_q;
  reg           bf16_q;
  reg           along_cb_q;
  reg           along_ob_q;
  reg  [15:0]   s_row_q;
  reg  [15:0]   s_cb_q;
  reg  [15:0]   s_ob_q;
  wire [1:0]    level;
  wire          last;
  wire [19:0]   addr;
  wire [19:0]   next_addr;
  wire [2:0]    first_mask;
  wire [2:0]    last_mask;
  wire          step;

  tpu_loop_counter #(
    .LEVELS      (3),
    .COUNT_WIDTH (16)
  ) u_counter (
    .clk        (clk),
    .load       (start),
    .counts     ({cmd[`TPU_UBWEIGHTS_N_OB], cmd[`TPU_UBWEIGHTS_N_CB], LANES[15:0]}),
    .step       (step),
    .level      (level),
    .last       (last),
    .first_mask (first_mask),
    .last_mask  (last_mask)
  );

  tpu_loop_address #(
    .LEVELS (3),
    .WIDTH  (20)
  ) u_addr (
    .clk       (clk),
    .load      (start),
    .base      ({4'd0, cmd[`TPU_UBWEIGHTS_ROW]}),
    .strides   ({{4{s_ob_q[15]}}, s_ob_q, {4{s_cb_q[15]}}, s_cb_q, {4{s_row_q[15]}}, s_row_q}),
    .step      (step),
    .level     (level),
    .addr      (addr),
    .next_addr (next_addr)
  );

  // Rows of the matrix from a tile's first one on, for this tile and for the first one of its output channel block; the row within the tile
  reg  [15:0]   left_q;
  reg  [15:0]   ob_left_q;
  reg  [NW-1:0] tile_row_q;
  wire [15:0]   behind    = level == CB ? left_q : ob_left_q;
  wire          along     = level == CB ? along_cb_q : along_ob_q;
  wire [15:0]   next_left = !along ? behind : |behind[15:NW] ? behind - LANES[15:0] : 16'd0;
  wire          inside    = |left_q[15:NW] || left_q[NW-1:0] > tile_row_q;

  // Rows between their step and their leaving
  reg  [3:0]    held_q;
  wire          beyond    = inside && (|addr[19:RW] || (bf16_q && &addr[RW-1:0]));
  wire          wants     = active_q && !held_q[3] && !stop;

  assign rd_valid = wants && inside && !beyond;
  assign rd_pair  = bf16_q;
  assign rd_row   = addr[RW-1:0];
  assign fault    = wants && beyond;
  assign step     = wants && (!inside || (rd_ready && !beyond));

  always @(posedge clk) begin
    if (start) begin
      bf16_q     <= cmd[`TPU_UBWEIGHTS_FORMAT] != `TPU_NUMBER_FORMAT_INT8;
      along_cb_q <= cmd[`TPU_UBWEIGHTS_ALONG_CB];
      along_ob_q <= cmd[`TPU_UBWEIGHTS_ALONG_OB];
      s_row_q    <= cmd[`TPU_UBWEIGHTS_S_ROW];
      s_cb_q     <= cmd[`TPU_UBWEIGHTS_S_CB];
      s_ob_q     <= cmd[`TPU_UBWEIGHTS_S_OB];
      left_q     <= cmd[`TPU_UBWEIGHTS_ROW_BOUND];
      ob_left_q  <= cmd[`TPU_UBWEIGHTS_ROW_BOUND];
      tile_row_q <= {NW{1'b0}};
    end else if (step && level >= CB) begin
      left_q     <= next_left;
      tile_row_q <= {NW{1'b0}};
      if (level != CB) begin
        ob_left_q <= next_left;
      end
    end else if (step) begin
      tile_row_q <= tile_row_q + 1'b1;
    end
    if (start || step) begin
      active_q <= start || !last;
    end
    held_q <= held_q + {3'd0, step} - {3'd0, row_en};
    if (rst) begin
      active_q <= 1'b0;
      held_q   <= 4'd0;
    end
  end

  wire unused_walk = &{1'b0, cmd[95:0], next_addr, first_mask, last_mask};

  // ---- Rows of the buffer, three cycles later ----------------------------------------------------------

  wire                    step3;
  wire                    inside3;
  wire                    last3;
  wire                    fifo_ready;
  wire [16*ROW_BYTES-1:0] fifo_data;
  wire [3:0]              fifo_level;
  reg  [2:0]              step_q;
  // The row that was taken last
  reg  [16*ROW_BYTES-1:0] row_q;

  assign step3    = step_q[2];
  assign row_data = row_q;

  tpu_delay #(
    .WIDTH  (2),
    .CYCLES (3)
  ) u_read (
    .clk (clk),
    .in  ({inside, last}),
    .out ({inside3, last3})
  );

  tpu_fifo #(
    .WIDTH (16 * ROW_BYTES + 1),
    .DEPTH (8)
  ) u_fifo (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (step3),
    .in_ready  (fifo_ready),
    .in_data   ({last3, rd_data & {16*ROW_BYTES{inside3}}}),
    .out_valid (row_ready),
    .out_ready (row_en),
    .out_data  ({row_last, fifo_data}),
    .level     (fifo_level)
  );

  always @(posedge clk) begin
    if (row_en) begin
      row_q <= fifo_data;
    end
    step_q <= {step_q[1:0], step};
    if (rst) begin
      step_q <= 3'd0;
    end
  end

  wire unused_fifo = &{1'b0, fifo_ready, fifo_level};

  `TPU_ASSERT(a_row_is_there, !row_en || row_ready)
  `TPU_ASSERT(a_fifo_has_room, !step3 || fifo_ready)
  `TPU_ASSERT(a_start_after_the_end, !start || (!active_q && held_q == {3'd0, row_en}))

endmodule

`default_nettype wire
