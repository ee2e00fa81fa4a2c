// Systolic array of LANES x LANES processing elements with its skew registers, and the accumulators below it.
//
// A row of activations enters with `row_valid`. Lane k meets array row k LATENCY cycles after lane k-1, so that element (r, c)
// takes it r * LATENCY + c cycles after it entered. The sum of column c is complete after LANES * LATENCY + 1 + c cycles, where a tag
// that has travelled beside it says which accumulator row it belongs to; there are no deskew registers.
//
//   entry cycle s             row_valid, row_data, row_acc ...; tile_swap if the row is the first with new weights
//   s + r * LATENCY + c       element (r, c) takes the activation, and multiplies it in the next cycle
//   s + D - 1 + c             accumulator column c reads, with D = LANES * LATENCY
//   s + D + 1 + c             accumulator column c adds; with ADD_LATENCY 1 the sum is written at the end of the cycle
//   s + D + LANES + ADD_LATENCY - 1    row_done, for a row with row_last: the last column is written at the end of the cycle, before a drain
//                                      that is granted in this cycle reads it
//
// A tile's weights enter in LANES cycles, the last row first: row LANES-1-k at t0 + k (wt_data; wt_first at t0). They move down through the
// shadow registers of their column. Element (r, c) takes a weight in each cycle from t0 + r * LATENCY + c to
// t0 + LANES - 1 + r * (LATENCY - 1) + c; the last one is its own. The tile's first row of activations, and with it the swap, may enter
// from t0 + LANES on; the next tile may be loaded (t0) from the cycle of the swap on.
//
// The array never stalls. A cycle without a row is a bubble whose tag is not valid. Number formats are known to the processing element
// and to the accumulators' adder only. With BF16 each row has its own, int8 or bf16, and rows of both follow each other as those of one do;
// the format of a row's weights is the row's. An accumulator row is then int32 or fp32 as the row that is added says. A row of elements computes in
// floating point, and moves weights, only in the cycles in which tpu_mac_bf16 asks for it: not for bubbles, and not for what a reset has ended. That saves
// power, and time in simulations.
//
// More than 300 lines: elements, tags and accumulators meet cycle by cycle as the table above says, which is easier to follow in one place
// than through ports that would carry every column's tag.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_array #(
  // Rows and columns
  parameter LANES = 16,
  // Accumulator rows, a power of two
  parameter ACC_ROWS = 2048,
  // Bits of an activation, of a weight, of a partial sum
  parameter A_BITS = 8,
  parameter W_BITS = 8,
  parameter PSUM_BITS = 20,
  // Cycles of a multiplication and addition; of an addition to an accumulator
  parameter LATENCY = 1,
  parameter ADD_LATENCY = 1,
  // bf16, too: A_BITS and W_BITS are 16, of which int8 uses the lowest 8; both latencies are 3; PSUM_BITS are those of int8
  parameter BF16 = 0
) (
  input  wire                        clk,
  input  wire                        rst,

  // Activations, lane k in place k
  input  wire                        row_valid,
  input  wire [LANES*A_BITS-1:0]     row_data,
  // Accumulator row; add to it or overwrite it; last row of its instruction
  input  wire [$clog2(ACC_ROWS)-1:0] row_acc,
  input  wire                        row_accumulate,
  input  wire                        row_last,
  // It is a row of bf16 numbers (with BF16)
  input  wire                        row_bf16,
  output wire                        row_done,

  // Weights, one row of a tile per cycle, the last one first, column n in place n
  input  wire [LANES*W_BITS-1:0]     wt_data,
  // The first of these cycles
  input  wire                        wt_first,
  // This row and those behind it use the tile loaded last
  input  wire                        tile_swap,

  // Accumulator drain: data three cycles after the grant
  input  wire                        acc_rd_valid,
  output wire                        acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0] acc_rd_row,
  output wire [32*LANES-1:0]         acc_rd_data
);

  localparam AW = $clog2(ACC_ROWS);

  generate
    if (LANES < 4 || LANES > 64 || (LANES & (LANES - 1)) != 0) begin : g_check_lanes
      ERROR_tpu_array_LANES_must_be_4_8_16_32_or_64 check ();
    end
    if (ACC_ROWS < 4 || ACC_ROWS > 65536 || (ACC_ROWS & (ACC_ROWS - 1)) != 0) begin : g_check_acc
      ERROR_tpu_array_ACC_ROWS_must_be_a_power_of_two_from_4_to_65536 check ();
    end
  endgenerate

  generate
    if (BF16 != 0 && (BF16 != 1 || A_BITS != 16 || W_BITS != 16 || LATENCY != 3 || ADD_LATENCY != 3)) begin : g_check_bf16
      ERROR_tpu_array_BF16_must_be_0_or_1_and_1_needs_16_bits_and_latencies_of_3 check ();
    end
  endgenerate

  // Bits of what moves right and down in the array
  localparam RIGHT_BITS = BF16 != 0 ? 9 : A_BITS;
  localparam P_BITS     = BF16 != 0 ? 32 : PSUM_BITS;

  genvar r;
  genvar c;
  genvar d;

  // ---- Swaps: bit d has travelled for d cycles -------------------------------------------------------
  localparam SWAP_CYCLES = (LANES - 1) * (LATENCY + 1);

  reg  [SWAP_CYCLES:1] swap_q;
  wire [SWAP_CYCLES:0] swap = {swap_q, tile_swap};

  always @(posedge clk) begin
    swap_q <= swap[SWAP_CYCLES-1:0];
    if (rst) begin
      swap_q <= {SWAP_CYCLES{1'b0}};
    end
  end

  // ---- Formats: bit d has travelled for d cycles -----------------------------------------------------
  // Column 0 of the accumulators adds in cycle s + ADD.
  localparam ADD = LANES * LATENCY + 1;

  // The row is one of bf16 numbers. Row r of the array, of which float_en has bit r * LATENCY, has something to do for one.
  wire [ADD:0] bf16;
  wire [ADD:0] float_en;

  generate
    if (BF16 != 0) begin : g_formats
      reg [ADD:1] bf16_q;
      reg [ADD:1] float_en_q;

      assign bf16     = {bf16_q, row_valid && row_bf16};
      // An element takes an activation and computes for LATENCY cycles, the last column's begins to LANES - 1 cycles after the first one's.
      assign float_en = {float_en_q, |bf16[LANES+LATENCY-1:0]};

      always @(posedge clk) begin
        bf16_q     <= bf16[ADD-1:0];
        float_en_q <= float_en[ADD-1:0];
        if (rst) begin
          bf16_q     <= {ADD{1'b0}};
          float_en_q <= {ADD{1'b0}};
        end
      end
    end else begin : g_one_format
      wire unused = &{1'b0, row_bf16};

      assign bf16     = {(ADD+1){1'b0}};
      assign float_en = {(ADD+1){1'b0}};
    end
  endgenerate

  wire unused_formats = &{1'b0, bf16, float_en};

  // ---- Shifts: in cycle t0 + k the rows 0 to k, later by what LATENCY adds --------------------------------
  localparam SHIFT_CYCLES = (LANES - 1) * LATENCY;

  reg  [LANES-1:0] shift_q;
  wire             goes_on = shift_q[0] && !shift_q[LANES-1];
  wire [LANES-1:0] shift   = wt_first ? {{(LANES-1){1'b0}}, 1'b1} : {shift_q[LANES-2:0], 1'b1} & {LANES{goes_on}};

  always @(posedge clk) begin
    shift_q <= shift;
    if (rst) begin
      shift_q <= {LANES{1'b0}};
    end
  end

  // Some element of row r, of which weights_en has bit r * LATENCY, takes a weight, or took one in the two cycles before.
  wire [SHIFT_CYCLES:0] weights_en;

  generate
    if (BF16 != 0) begin : g_moves
      // The first row takes weights, or has taken some since as many cycles as the last column's element comes behind the first one's, and two
      reg [LANES+1:1]      moves_q;
      reg [SHIFT_CYCLES:1] weights_en_q;

      assign weights_en = {weights_en_q, |{moves_q, shift[0]}};

      always @(posedge clk) begin
        moves_q      <= {moves_q[LANES:1], shift[0]};
        weights_en_q <= weights_en[SHIFT_CYCLES-1:0];
        if (rst) begin
          moves_q      <= {(LANES+1){1'b0}};
          weights_en_q <= {SHIFT_CYCLES{1'b0}};
        end
      end
    end else begin : g_at_will
      assign weights_en = {(SHIFT_CYCLES+1){1'b0}};
    end
  endgenerate

  wire unused_weights_en = &{1'b0, weights_en};

  // ---- Processing elements ----------------------------------------------------------------------------
  generate
    for (r = 0; r < LANES; r = r + 1) begin : g_row
      wire [A_BITS-1:0]     a_late;
      wire [RIGHT_BITS-1:0] a_in;
      wire                  shift_in;

      if (r * (LATENCY - 1) == 0) begin : g_in_time
        assign shift_in = shift[r];
      end else begin : g_late
        localparam CYCLES = r * (LATENCY - 1);

        reg  [CYCLES:1] late_q;
        wire [CYCLES:0] late = {late_q, shift[r]};

        assign shift_in = late[CYCLES];

        always @(posedge clk) begin
          late_q <= late[CYCLES-1:0];
        end
      end

      tpu_delay #(
        .WIDTH  (A_BITS),
        .CYCLES (r * LATENCY)
      ) u_skew (
        .clk (clk),
        .in  (row_data[A_BITS*r +: A_BITS]),
        .out (a_late)
      );

      if (BF16 != 0) begin : g_factor
        // tpu_mac_bf16 says why.
        assign a_in = {bf16[r*LATENCY] ? 2'b01 : {2{a_late[7]}}, a_late[6:0]};
      end else begin : g_plain
        assign a_in = a_late;
      end

      for (c = 0; c < LANES; c = c + 1) begin : g_column
        wire                  swaps = swap[r*LATENCY+c];
        wire                  s;
        wire                  s_right;
        wire [RIGHT_BITS-1:0] a;
        wire [RIGHT_BITS-1:0] a_right;
        wire [W_BITS-1:0]     w;
        wire [W_BITS-1:0]     w_below;
        wire [P_BITS-1:0]     p;
        wire [P_BITS-1:0]     p_below;

        if (c == 0) begin : g_left
          assign s = shift_in;
          assign a = a_in;
        end else begin : g_right
          assign s = g_row[r].g_column[c-1].s_right;
          assign a = g_row[r].g_column[c-1].a_right;
        end

        if (r == 0) begin : g_top
          tpu_delay #(
            .WIDTH  (W_BITS),
            .CYCLES (c)
          ) u_skew (
            .clk (clk),
            .in  (wt_data[W_BITS*c +: W_BITS]),
            .out (w)
          );
          assign p = {P_BITS{1'b0}};
        end else begin : g_below
          assign w = g_row[r-1].g_column[c].w_below;
          assign p = g_row[r-1].g_column[c].p_below;
        end

        if (BF16 != 0) begin : g_bf16
          wire [8:0] scale;
          wire [8:0] scale_right;

          if (c == 0) begin : g_first
            assign scale = a_late[15:7];
          end else begin : g_further
            assign scale = g_row[r].g_column[c-1].g_bf16.scale_right;
          end

          if (c == LANES - 1) begin : g_last
            wire unused = &{1'b0, scale_right};
          end

          tpu_mac_bf16 #(
            .PSUM_BITS (PSUM_BITS)
          ) u_mac (
            .clk        (clk),
            .rst        (rst),
            .swap       (swaps),
            .float_en   (float_en[r*LATENCY]),
            .weights_en (weights_en[r*LATENCY]),
            .shift_in   (s),
            .shift_out  (s_right),
            .a_in       (a),
            .a_out      (a_right),
            .scale_in   (scale),
            .scale_out  (scale_right),
            .w_in       (w),
            .w_out      (w_below),
            .p_in       (p),
            .p_out      (p_below)
          );
        end else begin : g_int8
          tpu_mac_int8 #(
            .PSUM_BITS (PSUM_BITS),
            .LATENCY   (LATENCY)
          ) u_mac (
            .clk       (clk),
            .rst       (rst),
            .swap      (swaps),
            .shift_in  (s),
            .shift_out (s_right),
            .a_in      (a),
            .a_out     (a_right),
            .w_in      (w),
            .w_out     (w_below),
            .p_in      (p),
            .p_out     (p_below)
          );
        end
      end

      wire unused_right = &{1'b0, g_column[LANES-1].s_right, g_column[LANES-1].a_right};
    end
    for (c = 0; c < LANES; c = c + 1) begin : g_bottom
      wire unused_below = &{1'b0, g_row[LANES-1].g_column[c].w_below};
    end
  endgenerate

  // ---- Row tags: tag d belongs to the row that entered FROM + d cycles ago -------------------------------
  // Column c reads with tag READ + c, adds with tag READ + 2 + c, and writes with tag WRITE + c. Where nothing is forwarded nobody needs tags
  // before the first column is about to read. With BF16 they are so many that a simulation would need several words for them.
  localparam FROM  = BF16 != 0 ? LANES * LATENCY - 3 : 0;
  localparam READ  = LANES * LATENCY - 1 - FROM;
  localparam WRITE = READ + 1 + ADD_LATENCY;
  localparam TAGS  = WRITE + LANES - 1;

  wire          tag_valid;
  // {last, accumulate, accumulator row}
  wire [AW+1:0] tag;

  generate
    if (BF16 != 0) begin : g_before
      reg  [FROM:1] before_q;
      wire [FROM:0] before = {before_q, row_valid};

      assign tag_valid = before[FROM];

      always @(posedge clk) begin
        before_q <= before[FROM-1:0];
        if (rst) begin
          before_q <= {FROM{1'b0}};
        end
      end

      tpu_delay #(
        .WIDTH  (AW + 2),
        .CYCLES (FROM)
      ) u_tag (
        .clk (clk),
        .in  ({row_last, row_accumulate, row_acc}),
        .out (tag)
      );
    end else begin : g_at_once
      assign tag_valid = row_valid;
      assign tag       = {row_last, row_accumulate, row_acc};
    end
  endgenerate

  reg  [TAGS:1] valid_q;
  reg  [TAGS-1:1] last_q;
  reg  [TAGS:1] accumulate_q;
  reg  [TAGS:1] forward_1_q;
  reg  [TAGS:1] forward_2_q;
  reg  [TAGS:1] half_q;
  // The addend is the sum of the row before; of the row before that one
  wire          forward_1;
  wire          forward_2;
  // Bit d: tag d
  wire [TAGS:0] valid         = {valid_q, tag_valid};
  wire [TAGS-1:0] last        = {last_q, tag[AW+1]};
  wire [TAGS:0] accumulate    = {accumulate_q, tag[AW]};
  wire [TAGS:0] add_before    = {forward_1_q, forward_1};
  wire [TAGS:0] select_before = {forward_2_q, forward_2};
  wire [TAGS:0] half          = {half_q, tag[AW-1]};
  // Reads of the low and of the high half; writes to them
  wire [TAGS:0] read_lo       = valid & accumulate & ~half;
  wire [TAGS:0] read_hi       = valid & accumulate & half;
  wire [TAGS:0] write_lo      = valid & ~half;
  wire [TAGS:0] write_hi      = valid & half;

  generate
    if (ADD_LATENCY == 1) begin : g_forward
      assign forward_1 = accumulate[0] && valid[1] && half[1] == half[0] && g_tag[1].row == g_tag[0].row;
      assign forward_2 = accumulate[0] && valid[2] && half[2] == half[0] && g_tag[2].row == g_tag[0].row;
    end else begin : g_apart
      assign forward_1 = 1'b0;
      assign forward_2 = 1'b0;
    end
  endgenerate

  reg done_q;

  assign row_done = done_q;

  always @(posedge clk) begin
    valid_q      <= valid[TAGS-1:0];
    last_q       <= last[TAGS-2:0];
    accumulate_q <= accumulate[TAGS-1:0];
    forward_1_q  <= add_before[TAGS-1:0];
    forward_2_q  <= select_before[TAGS-1:0];
    half_q       <= half[TAGS-1:0];
    done_q       <= valid[TAGS-1] && last[TAGS-1];
    if (rst) begin
      valid_q <= {TAGS{1'b0}};
      done_q  <= 1'b0;
    end
  end

  // The row in its half
  generate
    for (d = 0; d <= TAGS; d = d + 1) begin : g_tag
      wire [AW-2:0] row;

      if (d == 0) begin : g_in
        assign row = tag[AW-2:0];
      end else begin : g_travel
        reg [AW-2:0] row_q;

        assign row = row_q;

        always @(posedge clk) begin
          row_q <= g_tag[d-1].row;
        end
      end
    end
  endgenerate

  wire unused_tag = &{1'b0, accumulate, add_before, select_before, read_lo, read_hi, write_lo, write_hi};

  // ---- Accumulators ---------------------------------------------------------------------------------------
  reg ready_lo_q;
  reg ready_hi_q;
  // The read that was granted a cycle before, on its way to the columns, and two cycles before
  reg          drain1_q;
  reg [AW-1:0] drain_row1_q;
  reg          drain2_q;
  reg          drain_half2_q;

  assign acc_rd_ready = acc_rd_row[AW-1] ? ready_hi_q : ready_lo_q;

  wire drain_lo = drain1_q && !drain_row1_q[AW-1];
  wire drain_hi = drain1_q && drain_row1_q[AW-1];

  always @(posedge clk) begin
    // Not if any column reads the half in two cycles, in order to accumulate
    ready_lo_q    <= ~|read_lo[READ-2 +: LANES];
    ready_hi_q    <= ~|read_hi[READ-2 +: LANES];
    drain1_q      <= acc_rd_valid && acc_rd_ready;
    drain_row1_q  <= acc_rd_row;
    drain2_q      <= drain1_q;
    drain_half2_q <= drain_row1_q[AW-1];
    if (rst) begin
      ready_lo_q <= 1'b1;
      ready_hi_q <= 1'b1;
      drain1_q   <= 1'b0;
      drain2_q   <= 1'b0;
    end
  end

  generate
    for (c = 0; c < LANES; c = c + 1) begin : g_acc
      localparam T = READ + c;

      wire b;
      wire b_right;

      if (c == 0) begin : g_left
        assign b = bf16[ADD];
      end else begin : g_right
        assign b = g_acc[c-1].b_right;
      end

      wire unused_right = &{1'b0, b_right};

      tpu_acc_column #(
        .ACC_ROWS  (ACC_ROWS),
        .PSUM_BITS (PSUM_BITS),
        .LATENCY   (ADD_LATENCY),
        .BF16      (BF16)
      ) u_column (
        .clk        (clk),
        .rd_lo      (read_lo[T]),
        .rd_hi      (read_hi[T]),
        .rd_row     (g_tag[T].row),
        .sel_zero   (!accumulate[T+1]),
        .sel_before (select_before[T+1]),
        .sel_half   (half[T+1]),
        .add_before (add_before[T+2]),
        .psum       (g_row[LANES-1].g_column[c].p_below),
        .bf16_in    (b),
        .bf16_out   (b_right),
        .float_en   (float_en[ADD]),
        .wr_lo      (write_lo[WRITE+c]),
        .wr_hi      (write_hi[WRITE+c]),
        .wr_row     (g_tag[WRITE+c].row),
        .drain_lo   (drain_lo),
        .drain_hi   (drain_hi),
        .drain_row  (drain_row1_q[AW-2:0]),
        .drain_take (drain2_q),
        .drain_half (drain_half2_q),
        .drain_data (acc_rd_data[32*c +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
