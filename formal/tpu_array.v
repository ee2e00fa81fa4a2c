// tpu_array: every partial sum that reaches an accumulator is that of its row with the tile that was in use when the row entered, while
// the next tile shifts in behind it; the accumulators get the tags and drains that tpu_acc_column's proof assumes.
//
// The reference takes a tile row by row, exchanges tiles in one cycle, and multiplies each row with the tile of its entry while both wait
// in delay lines for as long as things take to reach an element of the array.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_array #(
  // The smallest array there is
  parameter N = 4,
  parameter ACC_ROWS = 4
) (
  input wire                        clk,
  input wire                        row_valid,
  input wire [8*N-1:0]              row_data,
  input wire [$clog2(ACC_ROWS)-1:0] row_acc,
  input wire                        row_accumulate,
  input wire                        row_last,
  input wire [8*N-1:0]              wt_data,
  input wire                        wt_first,
  input wire                        tile_swap,
  input wire                        acc_rd_valid,
  input wire [$clog2(ACC_ROWS)-1:0] acc_rd_row
);

  localparam AW = $clog2(ACC_ROWS);
  localparam TILE = 8 * N * N;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire            row_done;
  wire            acc_rd_ready;
  wire [32*N-1:0] acc_rd_data;

  tpu_array #(
    .LANES     (N),
    .ACC_ROWS  (ACC_ROWS),
    .PSUM_BITS (18)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .row_valid      (row_valid),
    .row_data       (row_data),
    .row_acc        (row_acc),
    .row_accumulate (row_accumulate),
    .row_last       (row_last),
    .row_bf16       (1'b0),
    .row_done       (row_done),
    .wt_data        (wt_data),
    .wt_first       (wt_first),
    .tile_swap      (tile_swap),
    .acc_rd_valid   (acc_rd_valid),
    .acc_rd_ready   (acc_rd_ready),
    .acc_rd_row     (acc_rd_row),
    .acc_rd_data    (acc_rd_data)
  );

  //// Reference: tiles ////

  // Tile that shifts in, tile in use; row j, column c in byte N * j + c. The last row comes first.
  reg [TILE-1:0]      next_q;
  reg [TILE-1:0]      tile_q;
  // Rows of the next tile that have come; all of them: it waits for its swap.
  reg [$clog2(N+1)-1:0] rows_q;
  reg                   used_q;
  wire                  waits = rows_q == N;
  wire                  shifts = rows_q != 0 && !waits;

  always @(posedge clk) begin
    if (wt_first) begin
      next_q[8*N*(N-1) +: 8*N] <= wt_data;
      rows_q                   <= 1;
    end else if (shifts) begin
      next_q[8*N*(N-1-rows_q) +: 8*N] <= wt_data;
      rows_q                          <= rows_q + 1'b1;
    end else if (tile_swap) begin
      rows_q <= 0;
    end
    if (tile_swap) begin
      tile_q <= next_q;
      used_q <= 1'b1;
    end
    if (rst) begin
      rows_q <= 0;
      used_q <= 1'b0;
    end
  end

  // A whole tile is there when it is swapped in, and the next tile starts in the cycle of that swap or later (both proved in
  // tpu_tile_loader.v). No row comes before the first swap (proved in tpu_matrix.v).
  always @* begin
    if (!rst) begin
      assume (!tile_swap || waits);
      assume (!wt_first || rows_q == 0 || tile_swap);
      assume (!row_valid || used_q || tile_swap);
    end
  end

  //// Reference: what entered d cycles ago ////

  // Index d * width
  localparam TW = AW + 5;
  wire [2*N*8*N-1:0]        row;
  wire [(2*N-1)*8*N-1:0]    weights;
  // {last, valid, accumulate, forward_1, forward_2, row}
  wire [(2*N+2)*TW-1:0]     tag;
  wire [2*N:0]              swap;
  wire [2*N:0]              used;
  // Rows of the next tile that had come
  localparam RW = $clog2(N + 1);
  wire [(2*N+1)*RW-1:0]     count;
  wire [2*N:0]              first;
  // Cycles since reset, which data registers do not know
  reg [$clog2(3*N+1)-1:0]   since_q;
  always @(posedge clk) since_q <= rst ? 0 : since_q + (since_q < 3 * N);

  // The row of one or two cycles ago has the same accumulator row, and this one adds to it.
  wire forward_1 = row_accumulate && tag[TW+AW+3] && tag[TW +: AW] == row_acc;
  wire forward_2 = row_accumulate && tag[2*TW+AW+3] && tag[2*TW +: AW] == row_acc;

  assign row[0 +: 8*N]     = row_data;
  assign weights[0 +: 8*N] = wt_data;
  assign tag[0 +: TW]      = {row_last, row_valid, row_accumulate, forward_1, forward_2, row_acc};
  assign swap[0]           = tile_swap;
  assign used[0]           = used_q;
  assign count[0 +: RW]    = rows_q;
  assign first[0]          = wt_first;

  genvar d;
  genvar r;
  genvar c;
  genvar k;
  generate
    for (d = 1; d <= 2 * N - 1; d = d + 1) begin : g_data
      reg [8*N-1:0] row_q;
      always @(posedge clk) row_q <= row[8*N*(d-1) +: 8*N];
      assign row[8*N*d +: 8*N] = row_q;
    end
    for (d = 1; d <= 2 * N - 2; d = d + 1) begin : g_weights
      reg [8*N-1:0] weights_q;
      always @(posedge clk) weights_q <= weights[8*N*(d-1) +: 8*N];
      assign weights[8*N*d +: 8*N] = weights_q;
    end
    for (d = 1; d <= 2 * N + 1; d = d + 1) begin : g_tags
      reg [TW-1:0] tag_q;
      always @(posedge clk) tag_q <= rst ? {TW{1'b0}} : tag[TW*(d-1) +: TW];
      assign tag[TW*d +: TW] = tag_q;
    end
    for (d = 1; d <= 2 * N; d = d + 1) begin : g_control
      reg          swap_q;
      reg          used_q;
      reg          first_q;
      reg [RW-1:0] count_q;
      always @(posedge clk) begin
        swap_q  <= !rst && swap[d-1];
        used_q  <= !rst && used[d-1];
        first_q <= !rst && first[d-1];
        count_q <= rst ? {RW{1'b0}} : count[RW*(d-1) +: RW];
      end
      assign swap[d]           = swap_q;
      assign used[d]           = used_q;
      assign first[d]          = first_q;
      assign count[RW*d +: RW] = count_q;
    end
  endgenerate

  // A row of weights came, and so many of its tile had come before.
  wire [2*N:0]          came;
  wire [(2*N+1)*RW-1:0] before;
  generate
    for (d = 0; d <= 2 * N; d = d + 1) begin : g_came
      wire [RW-1:0] rows = count[RW*d +: RW];
      assign came[d]            = first[d] || (rows != 0 && rows != N);
      assign before[RW*d +: RW] = first[d] ? {RW{1'b0}} : rows;
    end
  endgenerate

  //// The array's registers ////

  (* hierconn *) wire [7:0]        \dut.g_row[1].u_skew.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].u_skew.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].u_skew.g_registers.g_stage[2].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].u_skew.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].u_skew.g_registers.g_stage[2].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].u_skew.g_registers.g_stage[3].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[1].g_top.u_skew.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[2].g_top.u_skew.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[2].g_top.u_skew.g_registers.g_stage[2].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[3].g_top.u_skew.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[3].g_top.u_skew.g_registers.g_stage[2].value_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[3].g_top.u_skew.g_registers.g_stage[3].value_q ;
  (* hierconn *) wire [N-1:0]      \dut.shift_q ;
  (* hierconn *) wire [2*N-2:0]    \dut.swap ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[0].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[1].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[2].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[3].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[0].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[1].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[2].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[3].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[0].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[1].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[2].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[3].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[0].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[1].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[2].g_int8.u_mac.a_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[3].g_int8.u_mac.a_q ;
  (* hierconn *) wire              \dut.g_row[0].g_column[0].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[0].g_column[1].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[0].g_column[2].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[0].g_column[3].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[1].g_column[0].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[1].g_column[1].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[1].g_column[2].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[1].g_column[3].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[2].g_column[0].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[2].g_column[1].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[2].g_column[2].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[2].g_column[3].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[3].g_column[0].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[3].g_column[1].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[3].g_column[2].g_int8.u_mac.shift_in ;
  (* hierconn *) wire              \dut.g_row[3].g_column[3].g_int8.u_mac.shift_in ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[0].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[1].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[2].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[3].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[0].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[1].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[2].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[3].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[0].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[1].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[2].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[3].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[0].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[1].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[2].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[3].g_int8.u_mac.shadow_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[0].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[1].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[2].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[0].g_column[3].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[0].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[1].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[2].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[1].g_column[3].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[0].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[1].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[2].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[2].g_column[3].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[0].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[1].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[2].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [7:0]        \dut.g_row[3].g_column[3].g_int8.u_mac.weight_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[0].g_column[0].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[0].g_column[1].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[0].g_column[2].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[0].g_column[3].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[1].g_column[0].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[1].g_column[1].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[1].g_column[2].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[1].g_column[3].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[2].g_column[0].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[2].g_column[1].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[2].g_column[2].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[2].g_column[3].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[3].g_column[0].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[3].g_column[1].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[3].g_column[2].g_int8.u_mac.p_q ;
  (* hierconn *) wire [17:0]       \dut.g_row[3].g_column[3].g_int8.u_mac.p_q ;
  (* hierconn *) wire [2*N:0]        \dut.valid ;
  (* hierconn *) wire [2*N-1:0]    \dut.last ;
  (* hierconn *) wire [2*N:0]        \dut.accumulate ;
  (* hierconn *) wire [2*N:0]        \dut.add_before ;
  (* hierconn *) wire [2*N:0]        \dut.select_before ;
  (* hierconn *) wire [2*N:0]        \dut.half ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[0].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[1].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[2].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[3].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[4].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[5].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[6].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[7].row ;
  (* hierconn *) wire [AW-2:0]     \dut.g_tag[8].row ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.rd_lo ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.rd_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[0].u_column.rd_row ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.sel_zero ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.sel_half ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.sel_before ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.add_before ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.wr_lo ;
  (* hierconn *) wire              \dut.g_acc[0].u_column.wr_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[0].u_column.wr_row ;
  (* hierconn *) wire [17:0]       \dut.g_acc[0].u_column.psum ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.rd_lo ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.rd_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[1].u_column.rd_row ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.sel_zero ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.sel_half ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.sel_before ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.add_before ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.wr_lo ;
  (* hierconn *) wire              \dut.g_acc[1].u_column.wr_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[1].u_column.wr_row ;
  (* hierconn *) wire [17:0]       \dut.g_acc[1].u_column.psum ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.rd_lo ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.rd_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[2].u_column.rd_row ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.sel_zero ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.sel_half ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.sel_before ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.add_before ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.wr_lo ;
  (* hierconn *) wire              \dut.g_acc[2].u_column.wr_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[2].u_column.wr_row ;
  (* hierconn *) wire [17:0]       \dut.g_acc[2].u_column.psum ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.rd_lo ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.rd_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[3].u_column.rd_row ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.sel_zero ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.sel_half ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.sel_before ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.add_before ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.wr_lo ;
  (* hierconn *) wire              \dut.g_acc[3].u_column.wr_hi ;
  (* hierconn *) wire [AW-2:0]     \dut.g_acc[3].u_column.wr_row ;
  (* hierconn *) wire [17:0]       \dut.g_acc[3].u_column.psum ;
  (* hierconn *) wire              \dut.drain_lo ;
  (* hierconn *) wire              \dut.drain_hi ;
  (* hierconn *) wire [AW-1:0]     \dut.drain_row1_q ;
  (* hierconn *) wire              \dut.drain2_q ;
  (* hierconn *) wire              \dut.drain_half2_q ;
  (* hierconn *) wire              \dut.ready_lo_q ;
  (* hierconn *) wire              \dut.ready_hi_q ;
  (* hierconn *) wire              \dut.done_q ;

  // Skew stage d of lane k in byte N * d + k; stages above k do not exist.
  wire [8*N*N-1:0] skew_a = {\dut.g_row[3].u_skew.g_registers.g_stage[3].value_q , 8'd0,
                             8'd0, 8'd0,
                             \dut.g_row[3].u_skew.g_registers.g_stage[2].value_q , \dut.g_row[2].u_skew.g_registers.g_stage[2].value_q ,
                             8'd0, 8'd0,
                             \dut.g_row[3].u_skew.g_registers.g_stage[1].value_q , \dut.g_row[2].u_skew.g_registers.g_stage[1].value_q ,
                             \dut.g_row[1].u_skew.g_registers.g_stage[1].value_q , 8'd0,
                             row_data[31:24], row_data[23:16],
                             row_data[15:8], row_data[7:0]};
  wire [8*N*N-1:0] skew_w = {\dut.g_row[0].g_column[3].g_top.u_skew.g_registers.g_stage[3].value_q , 8'd0,
                             8'd0, 8'd0,
                             \dut.g_row[0].g_column[3].g_top.u_skew.g_registers.g_stage[2].value_q , \dut.g_row[0].g_column[2].g_top.u_skew.g_registers.g_stage[2].value_q ,
                             8'd0, 8'd0,
                             \dut.g_row[0].g_column[3].g_top.u_skew.g_registers.g_stage[1].value_q , \dut.g_row[0].g_column[2].g_top.u_skew.g_registers.g_stage[1].value_q ,
                             \dut.g_row[0].g_column[1].g_top.u_skew.g_registers.g_stage[1].value_q , 8'd0,
                             wt_data[31:24], wt_data[23:16],
                             wt_data[15:8], wt_data[7:0]};
  // Element (r, c) in place N * r + c
  wire [TILE-1:0] a = {\dut.g_row[3].g_column[3].g_int8.u_mac.a_q , \dut.g_row[3].g_column[2].g_int8.u_mac.a_q ,
                       \dut.g_row[3].g_column[1].g_int8.u_mac.a_q , \dut.g_row[3].g_column[0].g_int8.u_mac.a_q ,
                       \dut.g_row[2].g_column[3].g_int8.u_mac.a_q , \dut.g_row[2].g_column[2].g_int8.u_mac.a_q ,
                       \dut.g_row[2].g_column[1].g_int8.u_mac.a_q , \dut.g_row[2].g_column[0].g_int8.u_mac.a_q ,
                       \dut.g_row[1].g_column[3].g_int8.u_mac.a_q , \dut.g_row[1].g_column[2].g_int8.u_mac.a_q ,
                       \dut.g_row[1].g_column[1].g_int8.u_mac.a_q , \dut.g_row[1].g_column[0].g_int8.u_mac.a_q ,
                       \dut.g_row[0].g_column[3].g_int8.u_mac.a_q , \dut.g_row[0].g_column[2].g_int8.u_mac.a_q ,
                       \dut.g_row[0].g_column[1].g_int8.u_mac.a_q , \dut.g_row[0].g_column[0].g_int8.u_mac.a_q };
  wire [N*N-1:0] shift = {\dut.g_row[3].g_column[3].g_int8.u_mac.shift_in , \dut.g_row[3].g_column[2].g_int8.u_mac.shift_in ,
                          \dut.g_row[3].g_column[1].g_int8.u_mac.shift_in , \dut.g_row[3].g_column[0].g_int8.u_mac.shift_in ,
                          \dut.g_row[2].g_column[3].g_int8.u_mac.shift_in , \dut.g_row[2].g_column[2].g_int8.u_mac.shift_in ,
                          \dut.g_row[2].g_column[1].g_int8.u_mac.shift_in , \dut.g_row[2].g_column[0].g_int8.u_mac.shift_in ,
                          \dut.g_row[1].g_column[3].g_int8.u_mac.shift_in , \dut.g_row[1].g_column[2].g_int8.u_mac.shift_in ,
                          \dut.g_row[1].g_column[1].g_int8.u_mac.shift_in , \dut.g_row[1].g_column[0].g_int8.u_mac.shift_in ,
                          \dut.g_row[0].g_column[3].g_int8.u_mac.shift_in , \dut.g_row[0].g_column[2].g_int8.u_mac.shift_in ,
                          \dut.g_row[0].g_column[1].g_int8.u_mac.shift_in , \dut.g_row[0].g_column[0].g_int8.u_mac.shift_in };
  wire [TILE-1:0] shadow = {\dut.g_row[3].g_column[3].g_int8.u_mac.shadow_q , \dut.g_row[3].g_column[2].g_int8.u_mac.shadow_q ,
                            \dut.g_row[3].g_column[1].g_int8.u_mac.shadow_q , \dut.g_row[3].g_column[0].g_int8.u_mac.shadow_q ,
                            \dut.g_row[2].g_column[3].g_int8.u_mac.shadow_q , \dut.g_row[2].g_column[2].g_int8.u_mac.shadow_q ,
                            \dut.g_row[2].g_column[1].g_int8.u_mac.shadow_q , \dut.g_row[2].g_column[0].g_int8.u_mac.shadow_q ,
                            \dut.g_row[1].g_column[3].g_int8.u_mac.shadow_q , \dut.g_row[1].g_column[2].g_int8.u_mac.shadow_q ,
                            \dut.g_row[1].g_column[1].g_int8.u_mac.shadow_q , \dut.g_row[1].g_column[0].g_int8.u_mac.shadow_q ,
                            \dut.g_row[0].g_column[3].g_int8.u_mac.shadow_q , \dut.g_row[0].g_column[2].g_int8.u_mac.shadow_q ,
                            \dut.g_row[0].g_column[1].g_int8.u_mac.shadow_q , \dut.g_row[0].g_column[0].g_int8.u_mac.shadow_q };
  wire [TILE-1:0] w = {\dut.g_row[3].g_column[3].g_int8.u_mac.weight_q , \dut.g_row[3].g_column[2].g_int8.u_mac.weight_q ,
                       \dut.g_row[3].g_column[1].g_int8.u_mac.weight_q , \dut.g_row[3].g_column[0].g_int8.u_mac.weight_q ,
                       \dut.g_row[2].g_column[3].g_int8.u_mac.weight_q , \dut.g_row[2].g_column[2].g_int8.u_mac.weight_q ,
                       \dut.g_row[2].g_column[1].g_int8.u_mac.weight_q , \dut.g_row[2].g_column[0].g_int8.u_mac.weight_q ,
                       \dut.g_row[1].g_column[3].g_int8.u_mac.weight_q , \dut.g_row[1].g_column[2].g_int8.u_mac.weight_q ,
                       \dut.g_row[1].g_column[1].g_int8.u_mac.weight_q , \dut.g_row[1].g_column[0].g_int8.u_mac.weight_q ,
                       \dut.g_row[0].g_column[3].g_int8.u_mac.weight_q , \dut.g_row[0].g_column[2].g_int8.u_mac.weight_q ,
                       \dut.g_row[0].g_column[1].g_int8.u_mac.weight_q , \dut.g_row[0].g_column[0].g_int8.u_mac.weight_q };
  wire [18*N*N-1:0] p = {\dut.g_row[3].g_column[3].g_int8.u_mac.p_q , \dut.g_row[3].g_column[2].g_int8.u_mac.p_q ,
                         \dut.g_row[3].g_column[1].g_int8.u_mac.p_q , \dut.g_row[3].g_column[0].g_int8.u_mac.p_q ,
                         \dut.g_row[2].g_column[3].g_int8.u_mac.p_q , \dut.g_row[2].g_column[2].g_int8.u_mac.p_q ,
                         \dut.g_row[2].g_column[1].g_int8.u_mac.p_q , \dut.g_row[2].g_column[0].g_int8.u_mac.p_q ,
                         \dut.g_row[1].g_column[3].g_int8.u_mac.p_q , \dut.g_row[1].g_column[2].g_int8.u_mac.p_q ,
                         \dut.g_row[1].g_column[1].g_int8.u_mac.p_q , \dut.g_row[1].g_column[0].g_int8.u_mac.p_q ,
                         \dut.g_row[0].g_column[3].g_int8.u_mac.p_q , \dut.g_row[0].g_column[2].g_int8.u_mac.p_q ,
                         \dut.g_row[0].g_column[1].g_int8.u_mac.p_q , \dut.g_row[0].g_column[0].g_int8.u_mac.p_q };
  wire [(2*N+1)*TW-1:0] tags = {row_done, \dut.valid [8], \dut.accumulate [8], \dut.add_before [8], \dut.select_before [8],
      \dut.half [8], \dut.g_tag[8].row ,
                                \dut.last [7], \dut.valid [7], \dut.accumulate [7], \dut.add_before [7], \dut.select_before [7],
      \dut.half [7], \dut.g_tag[7].row ,
                                \dut.last [6], \dut.valid [6], \dut.accumulate [6], \dut.add_before [6], \dut.select_before [6],
      \dut.half [6], \dut.g_tag[6].row ,
                                \dut.last [5], \dut.valid [5], \dut.accumulate [5], \dut.add_before [5], \dut.select_before [5],
      \dut.half [5], \dut.g_tag[5].row ,
                                \dut.last [4], \dut.valid [4], \dut.accumulate [4], \dut.add_before [4], \dut.select_before [4],
      \dut.half [4], \dut.g_tag[4].row ,
                                \dut.last [3], \dut.valid [3], \dut.accumulate [3], \dut.add_before [3], \dut.select_before [3],
      \dut.half [3], \dut.g_tag[3].row ,
                                \dut.last [2], \dut.valid [2], \dut.accumulate [2], \dut.add_before [2], \dut.select_before [2],
      \dut.half [2], \dut.g_tag[2].row ,
                                \dut.last [1], \dut.valid [1], \dut.accumulate [1], \dut.add_before [1], \dut.select_before [1],
      \dut.half [1], \dut.g_tag[1].row ,
                                \dut.last [0], \dut.valid [0], \dut.accumulate [0], \dut.add_before [0], \dut.select_before [0],
      \dut.half [0], \dut.g_tag[0].row };
  // {psum, write low, high, row, sum before, zero, half, sum before that, read low, high, row} of each column
  localparam CW = 18 + 2 * (AW + 1) + 4;
  wire [N*CW-1:0] column = {\dut.g_acc[3].u_column.psum , \dut.g_acc[3].u_column.wr_lo , \dut.g_acc[3].u_column.wr_hi , \dut.g_acc[3].u_column.wr_row ,
      \dut.g_acc[3].u_column.add_before , \dut.g_acc[3].u_column.sel_zero , \dut.g_acc[3].u_column.sel_half , \dut.g_acc[3].u_column.sel_before ,
      \dut.g_acc[3].u_column.rd_lo , \dut.g_acc[3].u_column.rd_hi , \dut.g_acc[3].u_column.rd_row ,
                            \dut.g_acc[2].u_column.psum , \dut.g_acc[2].u_column.wr_lo , \dut.g_acc[2].u_column.wr_hi , \dut.g_acc[2].u_column.wr_row ,
      \dut.g_acc[2].u_column.add_before , \dut.g_acc[2].u_column.sel_zero , \dut.g_acc[2].u_column.sel_half , \dut.g_acc[2].u_column.sel_before ,
      \dut.g_acc[2].u_column.rd_lo , \dut.g_acc[2].u_column.rd_hi , \dut.g_acc[2].u_column.rd_row ,
                            \dut.g_acc[1].u_column.psum , \dut.g_acc[1].u_column.wr_lo , \dut.g_acc[1].u_column.wr_hi , \dut.g_acc[1].u_column.wr_row ,
      \dut.g_acc[1].u_column.add_before , \dut.g_acc[1].u_column.sel_zero , \dut.g_acc[1].u_column.sel_half , \dut.g_acc[1].u_column.sel_before ,
      \dut.g_acc[1].u_column.rd_lo , \dut.g_acc[1].u_column.rd_hi , \dut.g_acc[1].u_column.rd_row ,
                            \dut.g_acc[0].u_column.psum , \dut.g_acc[0].u_column.wr_lo , \dut.g_acc[0].u_column.wr_hi , \dut.g_acc[0].u_column.wr_row ,
      \dut.g_acc[0].u_column.add_before , \dut.g_acc[0].u_column.sel_zero , \dut.g_acc[0].u_column.sel_half , \dut.g_acc[0].u_column.sel_before ,
      \dut.g_acc[0].u_column.rd_lo , \dut.g_acc[0].u_column.rd_hi , \dut.g_acc[0].u_column.rd_row };

  // The next tile as the columns had it
  wire [TILE-1:0] next_c;

  // What should be in p: a row and its tile are multiplied and summed product by product while they wait.
  reg [18*N*N-1:0] sums_q;

  //// What the accumulators see ////

  // Columns that accumulate in this cycle; that will in the next one
  wire [N-1:0]  accumulates_lo;
  wire [N-1:0]  accumulates_hi;
  wire [N-1:0]  next_lo;
  wire [N-1:0]  next_hi;
  // The drain that was granted a cycle ago; two cycles ago
  reg           drain_1_q;
  reg           drain_2_q;
  reg [AW-1:0]  row_1_q;
  reg           half_2_q;
  always @(posedge clk) begin
    drain_1_q <= !rst && acc_rd_valid && acc_rd_ready;
    drain_2_q <= !rst && drain_1_q;
    row_1_q   <= acc_rd_row;
    half_2_q  <= row_1_q[AW-1];
  end

  generate
    for (c = 0; c < N; c = c + 1) begin : g_column
      // The rows whose tags are at the column: it reads for one, chooses the addend of the next, and adds and writes the third.
      wire [TW-1:0] reads   = tag[TW*(N-1+c) +: TW];
      wire [TW-1:0] selects = tag[TW*(N+c) +: TW];
      wire [TW-1:0] adds    = tag[TW*(N+1+c) +: TW];
      // The column's inputs
      wire [17:0]   psum;
      wire          wr_lo;
      wire          wr_hi;
      wire [AW-2:0] wr_row;
      wire          add_before;
      wire          sel_zero;
      wire          sel_half;
      wire          sel_before;
      wire          rd_lo;
      wire          rd_hi;
      wire [AW-2:0] rd_row;
      assign {psum, wr_lo, wr_hi, wr_row, add_before, sel_zero, sel_half, sel_before, rd_lo, rd_hi, rd_row} = column[CW*c +: CW];

      assign accumulates_lo[c] = rd_lo;
      assign accumulates_hi[c] = rd_hi;

      wire [TW-1:0] comes = tag[TW*(N-2+c) +: TW];

      assign next_lo[c] = comes[AW+3] && comes[AW+2] && !comes[AW-1];
      assign next_hi[c] = comes[AW+3] && comes[AW+2] && comes[AW-1];

      // As tpu_acc_column's proof drives them
      always @* begin
        if (!rst) begin
          assert ({rd_lo, rd_hi} == ({2{reads[AW+3] && reads[AW+2]}} & {!reads[AW-1], reads[AW-1]}));
          if (reads[AW+3]) assert (rd_row == reads[AW-2:0]);
          if (selects[AW+3]) assert ({sel_zero, sel_half, sel_before} == {!selects[AW+2], selects[AW-1], selects[AW]});
          assert ({wr_lo, wr_hi} == ({2{adds[AW+3]}} & {!adds[AW-1], adds[AW-1]}));
          if (adds[AW+3]) begin
            assert (wr_row == adds[AW-2:0] && add_before == adds[AW+1]);
            assert (psum == sums_q[18*(N*(N-1)+c) +: 18]);
          end
        end
      end
    end
  endgenerate

  always @* begin
    if (!rst) begin
      // A half is granted to the drain exactly if no column accumulates in it when the drain reads it, a cycle later.
      assert (acc_rd_ready == (acc_rd_row[AW-1] ? next_hi == 0 : next_lo == 0));
      assert (\dut.drain_lo == (drain_1_q && !row_1_q[AW-1]));
      assert (\dut.drain_hi == (drain_1_q && row_1_q[AW-1]));
      assert (!drain_1_q || \dut.drain_row1_q == row_1_q);
      assert (!\dut.drain_lo || accumulates_lo == 0);
      assert (!\dut.drain_hi || accumulates_hi == 0);
      assert (\dut.drain2_q == drain_2_q && (!drain_2_q || \dut.drain_half2_q == half_2_q));
      // Done 2N cycles after the last row entered, when the last column is written: a drain granted from then on reads it.
      assert (row_done == (tag[TW*(2*N)+AW+4] && tag[TW*(2*N)+AW+3]));
      assert (!row_done || \dut.g_acc[3].u_column.wr_lo || \dut.g_acc[3].u_column.wr_hi );
    end
  end

  //// What makes it inductive: the array holds what the reference held as many cycles ago as things take to get there ////

  always @* if (!rst) assert (rows_q <= N);

  generate
    for (d = 0; d <= 2 * N; d = d + 1) begin : g_stage
      // Only `valid` is cleared by a reset; the rest of a tag counts for a valid row alone.
      always @* if (!rst) assert (tags[TW*d+AW+3] == tag[TW*d+AW+3]);
      always @* if (!rst && tag[TW*d+AW+3]) assert (tags[TW*d +: TW] == tag[TW*d +: TW]);
    end
    for (d = 0; d < N; d = d + 1) begin : g_skew
      for (k = d; k < N; k = k + 1) begin : g_lane
        always @* begin
          if (!rst) begin
            assert (since_q < d || skew_a[8*N*d+8*k +: 8] == row[8*N*d+8*k +: 8]);
            assert (since_q < d || skew_w[8*N*d+8*k +: 8] == weights[8*N*d+8*k +: 8]);
          end
        end
      end
    end
    for (r = 0; r < N; r = r + 1) begin : g_shift
      always @* if (!rst) assert (\dut.shift_q [r] == (came[1] && before[RW +: RW] >= r));
      for (c = 0; c < N; c = c + 1) begin : g_element
        always @* if (!rst) assert (shift[N*r+c] == (came[c] && before[RW*c +: RW] >= r));
      end
    end
    for (d = 0; d <= 2 * N - 2; d = d + 1) begin : g_swap
      always @* if (!rst) assert (\dut.swap [d] == swap[d]);
    end
    always @* if (!rst) assert (\dut.ready_lo_q == (next_lo == 0) && \dut.ready_hi_q == (next_hi == 0));
    for (d = 0; d < 2 * N; d = d + 1) begin : g_forward
      wire [TW-1:0] now      = tag[TW*d +: TW];
      wire [TW-1:0] before_1 = tag[TW*(d+1) +: TW];
      wire [TW-1:0] before_2 = tag[TW*(d+2) +: TW];
      always @* begin
        if (!rst && now[AW+3]) begin
          assert (now[AW+1] == (now[AW+2] && before_1[AW+3] && before_1[AW-1:0] == now[AW-1:0]));
          assert (now[AW] == (now[AW+2] && before_2[AW+3] && before_2[AW-1:0] == now[AW-1:0]));
        end
      end
    end
    for (d = 0; d <= 2 * N; d = d + 1) begin : g_used
      always @* begin
        if (!rst) begin
          assert (used[d] || swap[d] || !tag[TW*d+AW+3]);
          assert (since_q > d || !used[d] && count[RW*d +: RW] == 0);
          assert (count[RW*d +: RW] <= N);
          assert (since_q >= d || !swap[d]);
          // A tile is whole when it is swapped in.
          assert (!swap[d] || count[RW*d +: RW] == N);
          assert (since_q >= d || !first[d]);
        end
      end
      // Behind a swap the rows of the next tile come one by one.
      for (k = 1; k <= N && d + k <= 2 * N; k = k + 1) begin : g_behind
        always @* if (!rst) assert (!swap[d+k] || count[RW*d +: RW] <= k);
      end
    end
    // How each cycle followed from the one before
    for (d = 1; d <= 2 * N; d = d + 1) begin : g_follow
      always @* if (!rst && since_q >= d) assert (used[d-1] == (used[d] || swap[d]));
      always @* begin
        if (!rst && since_q >= d) begin
          assert (count[RW*(d-1) +: RW] == (came[d] ? before[RW*d +: RW] + 1'b1 : swap[d] ? {RW{1'b0}} : count[RW*d +: RW]));
        end
      end
    end

    for (r = 0; r < N; r = r + 1) begin : g_row
      for (c = 0; c < N; c = c + 1) begin : g_col
        // Element (r, c): its number, and the cycles that things take to get there.
        localparam E = N * r + c;
        localparam D = r + c;
        // Its weight in the next tile and in the one in use 0 .. D cycles ago
        reg  [8*D+7:0] next_before_q;
        reg  [8*D+7:0] tile_before_q;
        wire [8*D+7:0] next = {next_before_q, next_q[8*E +: 8]};
        wire [8*D+7:0] tile = {tile_before_q, tile_q[8*E +: 8]};
        always @(posedge clk) begin
          next_before_q <= next;
          tile_before_q <= tile;
        end
        for (d = 1; d <= D; d = d + 1) begin : g_before
          always @* begin
            if (!rst && since_q >= d) begin
              assert (next[8*(d-1) +: 8] == (came[d] && before[RW*d +: RW] == N - 1 - r ? weights[8*N*d+8*c +: 8] : next[8*d +: 8]));
              assert (tile[8*(d-1) +: 8] == (swap[d] ? next[8*d +: 8] : tile[8*d +: 8]));
            end
          end
        end

        // Rows of the next tile that had come, and their weights, when this column's came
        wire [RW-1:0] rows = count[RW*c +: RW];
        assign next_c[8*E +: 8] = next[8*c +: 8];
        // Until its swap comes, an element keeps its weight of the tile that is swapped in.
        for (d = 1; d <= r; d = d + 1) begin : g_kept
          always @* if (!rst && swap[c+d]) assert (shadow[8*E +: 8] == tile[8*(c+d-1) +: 8]);
        end

        wire [7:0] x = row[8*N*(D+1)+8*r +: 8];
        wire [7:0] t = tile[8*D +: 8];
        // The product of x and t, written with the array's operands, which are asserted to be the same below: so both are one multiplier.
        wire signed [7:0]  element_a = a[8*E +: 8];
        wire signed [7:0]  element_w = w[8*E +: 8];
        wire signed [17:0] product   = element_a * element_w;
        if (r == 0) begin : g_first
          always @(posedge clk) sums_q[18*E +: 18] <= product;
        end else begin : g_add
          always @(posedge clk) sums_q[18*E +: 18] <= sums_q[18*(E-N) +: 18] + product;
        end

        always @* begin
          if (!rst) begin
            assert (since_q <= D || a[8*E +: 8] == x);
            // Rows that are on their way move down: of `rows` rows that came, row r has the last but r.
            if (rows > r) assert (shadow[8*E +: 8] == next_c[8*(N*(N-rows+r)+c) +: 8]);
            if (used[D]) assert (w[8*E +: 8] == t);
            if (used[D+1]) assert (p[18*E +: 18] == sums_q[18*E +: 18]);
          end
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
