// tpu_array: every partial sum that reaches an accumulator is that of its row with the tile that was in use when the row entered, while
// the next tile shifts in behind it; the accumulators get the tags and drains that tpu_acc_column's proof assumes.
//
// The reference takes a tile row by row, exchanges tiles in one cycle, and multiplies each row with the tile of its entry while both wait
// in delay lines for as long as things take to reach an element of the array.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_array #(
  // The smallest array there is; the invariant names its rows one by one
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
    .N        (N),
    .ACC_ROWS (ACC_ROWS)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .row_valid      (row_valid),
    .row_data       (row_data),
    .row_acc        (row_acc),
    .row_accumulate (row_accumulate),
    .row_last       (row_last),
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

  // Tile that shifts in, tile in use; row j, column c in byte N * j + c.
  reg [TILE-1:0]      next_q;
  reg [TILE-1:0]      tile_q;
  // Rows of the next tile that have come; all of them: it waits for its swap.
  reg [$clog2(N+1)-1:0] rows_q;
  reg                   used_q;
  wire                  waits = rows_q == N;
  wire                  shifts = rows_q != 0 && !waits;

  always @(posedge clk) begin
    if (wt_first) begin
      next_q[0 +: 8*N] <= wt_data;
      rows_q           <= 1;
    end else if (shifts) begin
      next_q[8*N*rows_q +: 8*N] <= wt_data;
      rows_q                    <= rows_q + 1'b1;
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
  // tpu_weight_loader.v). No row comes before the first swap (proved in tpu_matmul.v).
  always @* begin
    if (!rst) begin
      assume (!tile_swap || waits);
      assume (!wt_first || rows_q == 0 || tile_swap);
      assume (!row_valid || used_q);
    end
  end

  //// Reference: what entered d cycles ago ////

  // Index d * width
  wire [(2*N-1)*8*N-1:0]    row;
  wire [(2*N-1)*8*N-1:0]    weights;
  // {last, valid, accumulate, forward, row}
  wire [(2*N+1)*(AW+4)-1:0] tag;
  wire [2*N:0]              swap;
  wire [2*N:0]              used;
  // Rows of the next tile that had come
  wire [(2*N+1)*N-1:0]      known;
  wire [3*N-3:0]            first;
  // Cycles since reset, which data registers do not know
  reg [$clog2(3*N+1)-1:0]   since_q;
  always @(posedge clk) since_q <= rst ? 0 : since_q + (since_q < 3 * N);

  wire forward = tag[AW+4+AW+2] && tag[AW+4 +: AW] == row_acc;

  assign row[0 +: 8*N]     = row_data;
  assign weights[0 +: 8*N] = wt_data;
  assign tag[0 +: AW+4]    = {row_last, row_valid, row_accumulate, forward, row_acc};
  assign swap[0]           = tile_swap;
  assign used[0]           = used_q;
  assign known[0 +: N]     = ~({N{1'b1}} << rows_q);
  assign first[0]          = wt_first;

  genvar d;
  genvar r;
  genvar c;
  genvar k;
  generate
    for (d = 1; d <= 2 * N - 2; d = d + 1) begin : g_data
      reg [8*N-1:0] row_q;
      reg [8*N-1:0] weights_q;
      always @(posedge clk) begin
        row_q     <= row[8*N*(d-1) +: 8*N];
        weights_q <= weights[8*N*(d-1) +: 8*N];
      end
      assign row[8*N*d +: 8*N]     = row_q;
      assign weights[8*N*d +: 8*N] = weights_q;
    end
    for (d = 1; d <= 2 * N; d = d + 1) begin : g_control
      reg [AW+3:0] tag_q;
      reg          swap_q;
      reg          used_q;
      reg [N-1:0]  known_q;
      always @(posedge clk) begin
        tag_q   <= rst ? {(AW+4){1'b0}} : tag[(AW+4)*(d-1) +: AW+4];
        swap_q  <= !rst && swap[d-1];
        used_q  <= !rst && used[d-1];
        known_q <= rst ? {N{1'b0}} : known[N*(d-1) +: N];
      end
      assign tag[(AW+4)*d +: AW+4] = tag_q;
      assign swap[d]               = swap_q;
      assign used[d]               = used_q;
      assign known[N*d +: N]       = known_q;
    end
    for (d = 1; d <= 3 * N - 3; d = d + 1) begin : g_first
      reg first_q;
      always @(posedge clk) first_q <= !rst && first[d-1];
      assign first[d] = first_q;
    end
  endgenerate

  //// The array's registers, by row from the lowest bits ////

  (* hierconn *) wire [8*N-1:0]  \dut.g_skew[1].a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_skew[2].a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_skew[3].a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_skew[1].w ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_skew[2].w ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_skew[3].w ;
  (* hierconn *) wire [2*N-2:0]  \dut.token ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[0].u_row.a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[1].u_row.a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[2].u_row.a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[3].u_row.a ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[0].u_row.w_in ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[1].u_row.w_in ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[2].u_row.w_in ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[3].u_row.w_in ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[0].u_row.swap ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[1].u_row.swap ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[2].u_row.swap ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[3].u_row.swap ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[0].u_row.load ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[1].u_row.load ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[2].u_row.load ;
  (* hierconn *) wire [N-1:0]    \dut.g_row[3].u_row.load ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[0].u_row.shadow_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[1].u_row.shadow_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[2].u_row.shadow_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[3].u_row.shadow_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[0].u_row.w_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[1].u_row.w_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[2].u_row.w_q ;
  (* hierconn *) wire [8*N-1:0]  \dut.g_row[3].u_row.w_q ;
  (* hierconn *) wire [32*N-1:0] \dut.g_row[0].u_row.p_out ;
  (* hierconn *) wire [32*N-1:0] \dut.g_row[1].u_row.p_out ;
  (* hierconn *) wire [32*N-1:0] \dut.g_row[2].u_row.p_out ;
  (* hierconn *) wire [32*N-1:0] \dut.g_row[3].u_row.p_out ;
  (* hierconn *) wire [AW+3:0]   \dut.g_tag[1].tag ;
  (* hierconn *) wire [AW+3:0]   \dut.g_tag[2].tag ;
  (* hierconn *) wire [AW+3:0]   \dut.g_tag[3].tag ;
  (* hierconn *) wire [AW+2:0]   \dut.g_acc[0].tag_in ;
  (* hierconn *) wire [AW+2:0]   \dut.g_acc[1].tag_in ;
  (* hierconn *) wire [AW+2:0]   \dut.g_acc[2].tag_in ;
  (* hierconn *) wire [AW+2:0]   \dut.g_acc[3].tag_in ;
  (* hierconn *) wire [17:0]     \dut.g_acc[0].u_column.psum ;
  (* hierconn *) wire [17:0]     \dut.g_acc[1].u_column.psum ;
  (* hierconn *) wire [17:0]     \dut.g_acc[2].u_column.psum ;
  (* hierconn *) wire [17:0]     \dut.g_acc[3].u_column.psum ;
  (* hierconn *) wire [N-1:0]    \dut.busy_lo ;
  (* hierconn *) wire [N-1:0]    \dut.busy_hi ;
  (* hierconn *) wire [N-1:0]    \dut.last_q ;
  (* hierconn *) wire            \dut.drain_lo ;
  (* hierconn *) wire            \dut.drain_hi ;
  (* hierconn *) wire            \dut.drain_take_q ;
  (* hierconn *) wire            \dut.drain_half_q ;

  wire [8*N*N-1:0]     skew_a = {\dut.g_skew[3].a , \dut.g_skew[2].a , \dut.g_skew[1].a , row_data};
  wire [8*N*N-1:0]     skew_w = {\dut.g_skew[3].w , \dut.g_skew[2].w , \dut.g_skew[1].w , wt_data};
  wire [TILE-1:0]      a      = {\dut.g_row[3].u_row.a , \dut.g_row[2].u_row.a , \dut.g_row[1].u_row.a , \dut.g_row[0].u_row.a };
  wire [TILE-1:0]      w_in   = {\dut.g_row[3].u_row.w_in , \dut.g_row[2].u_row.w_in , \dut.g_row[1].u_row.w_in ,
                                 \dut.g_row[0].u_row.w_in };
  wire [N*N-1:0]       swaps  = {\dut.g_row[3].u_row.swap , \dut.g_row[2].u_row.swap , \dut.g_row[1].u_row.swap ,
                                 \dut.g_row[0].u_row.swap };
  wire [N*N-1:0]       loads  = {\dut.g_row[3].u_row.load , \dut.g_row[2].u_row.load , \dut.g_row[1].u_row.load ,
                                 \dut.g_row[0].u_row.load };
  wire [TILE-1:0]      shadow = {\dut.g_row[3].u_row.shadow_q , \dut.g_row[2].u_row.shadow_q , \dut.g_row[1].u_row.shadow_q ,
                                 \dut.g_row[0].u_row.shadow_q };
  wire [TILE-1:0]      w      = {\dut.g_row[3].u_row.w_q , \dut.g_row[2].u_row.w_q , \dut.g_row[1].u_row.w_q , \dut.g_row[0].u_row.w_q };
  wire [32*N*N-1:0]    p      = {\dut.g_row[3].u_row.p_out , \dut.g_row[2].u_row.p_out , \dut.g_row[1].u_row.p_out ,
                                 \dut.g_row[0].u_row.p_out };
  wire [N*(AW+4)-1:0]  tags   = {\dut.g_tag[3].tag , \dut.g_tag[2].tag , \dut.g_tag[1].tag , tag[0 +: AW+4]};
  wire [N*(AW+3)-1:0]  acc    = {\dut.g_acc[3].tag_in , \dut.g_acc[2].tag_in , \dut.g_acc[1].tag_in , \dut.g_acc[0].tag_in };
  wire [18*N-1:0]      psum   = {\dut.g_acc[3].u_column.psum , \dut.g_acc[2].u_column.psum , \dut.g_acc[1].u_column.psum ,
                                 \dut.g_acc[0].u_column.psum };

  // What should be in p: a row and its tile are multiplied and summed product by product while they wait.
  reg [18*N*N-1:0] sums_q;

  //// What the accumulators see ////

  wire [N-1:0] accumulates_lo;
  wire [N-1:0] accumulates_hi;
  reg          drain_q;
  reg          half_q;
  always @(posedge clk) begin
    drain_q <= !rst && acc_rd_valid && acc_rd_ready;
    half_q  <= acc_rd_row[AW-1];
  end

  generate
    for (c = 0; c < N; c = c + 1) begin : g_column
      // The row whose tag is at the column, and the one whose sum is: N - 1 + c and N + c cycles after they entered.
      wire [AW+3:0] due    = tag[(AW+4)*(N-1+c) +: AW+4];
      wire [AW+3:0] before = tag[(AW+4)*(N+c) +: AW+4];

      assign accumulates_lo[c] = acc[(AW+3)*c+AW+2] && acc[(AW+3)*c+AW];
      assign accumulates_hi[c] = acc[(AW+3)*c+AW+1] && acc[(AW+3)*c+AW];

      always @* begin
        if (!rst) begin
          assert (acc[(AW+3)*c+AW+1 +: 2] == {due[AW+2] && !due[AW-1], due[AW+2] && due[AW-1]});
          if (due[AW+2]) begin
            assert (acc[(AW+3)*c +: AW-1] == due[AW-2:0] && acc[(AW+3)*c+AW] == due[AW+1]);
            // Forward: the cycle before had the same row, just as tpu_acc_column's proof has it.
            assert (acc[(AW+3)*c+AW-1] == (before[AW+2] && before[AW-1:0] == due[AW-1:0]));
          end
          if (before[AW+2]) assert (psum[18*c +: 18] == sums_q[18*(N*(N-1)+c) +: 18]);
        end
      end
    end
  endgenerate

  always @* begin
    if (!rst) begin
      // A half is granted to the drain exactly if no column accumulates in it.
      assert (acc_rd_ready == (acc_rd_row[AW-1] ? accumulates_hi == 0 : accumulates_lo == 0));
      assert (\dut.drain_lo == (acc_rd_valid && acc_rd_ready && !acc_rd_row[AW-1]));
      assert (\dut.drain_hi == (acc_rd_valid && acc_rd_ready && acc_rd_row[AW-1]));
      assert (\dut.drain_take_q == drain_q && (!drain_q || \dut.drain_half_q == half_q));
      // Done 2N cycles after the last row, when all columns have been written.
      assert (row_done == (tag[(AW+4)*2*N+AW+3] && tag[(AW+4)*2*N+AW+2]));
    end
  end

  //// What makes it inductive: the array holds what the reference held as many cycles ago as things take to get there ////

  always @* if (!rst) assert (rows_q <= N);

  generate
    for (d = 0; d < N; d = d + 1) begin : g_stage
      // Only `valid` is cleared by a reset; the rest of a tag counts for a valid row alone.
      always @* if (!rst) assert (tags[(AW+4)*d+AW+2] == tag[(AW+4)*d+AW+2]);
      always @* if (!rst && tag[(AW+4)*d+AW+2]) assert (tags[(AW+4)*d +: AW+4] == tag[(AW+4)*d +: AW+4]);
      for (k = d; k < N; k = k + 1) begin : g_lane
        always @* begin
          if (!rst) begin
            assert (since_q < d || skew_a[8*N*d+8*k +: 8] == row[8*N*d+8*k +: 8]);
            assert (since_q < d || skew_w[8*N*d+8*k +: 8] == weights[8*N*d+8*k +: 8]);
          end
        end
      end
    end
    for (d = 0; d <= 2 * N - 2; d = d + 1) begin : g_token
      always @* if (!rst) assert (\dut.token [d] == first[d]);
    end
    for (d = 0; d < N; d = d + 1) begin : g_due
      wire [AW+3:0] due = tag[(AW+4)*(N-1+d) +: AW+4];
      always @* begin
        if (!rst) begin
          assert (\dut.busy_lo [d] == (due[AW+2] && due[AW+1] && !due[AW-1]));
          assert (\dut.busy_hi [d] == (due[AW+2] && due[AW+1] && due[AW-1]));
          assert (\dut.last_q [d] == (tag[(AW+4)*(N+d)+AW+3] && tag[(AW+4)*(N+d)+AW+2]));
        end
      end
    end
    for (d = 1; d < 2 * N; d = d + 1) begin : g_forward
      wire [AW+3:0] now    = tag[(AW+4)*d +: AW+4];
      wire [AW+3:0] before = tag[(AW+4)*(d+1) +: AW+4];
      always @* if (!rst && now[AW+2]) assert (now[AW] == (before[AW+2] && before[AW-1:0] == now[AW-1:0]));
    end
    for (d = 0; d < N; d = d + 1) begin : g_rows
      // Row d of a tile comes d cycles after the first.
      always @* if (!rst) assert (first[d] == (d == 0 ? wt_first : shifts && rows_q == d));
    end
    for (d = 0; d <= 2 * N; d = d + 1) begin : g_used
      always @* begin
        if (!rst) begin
          assert (used[d] || !tag[(AW+4)*d+AW+2]);
          assert (since_q > d || !used[d] && known[N*d +: N] == 0);
          assert (since_q >= d || !swap[d]);
          // A tile is whole when it is swapped in.
          assert (!swap[d] || &known[N*d +: N]);
        end
      end
    end
    for (d = 0; d <= 3 * N - 3; d = d + 1) begin : g_since
      always @* if (!rst) assert (since_q >= d || !first[d]);
    end
    // How each cycle followed from the one before
    for (d = 1; d <= 2 * N; d = d + 1) begin : g_follow
      always @* if (!rst && since_q >= d) assert (used[d-1] == (used[d] || swap[d]));
      for (k = 0; k < N; k = k + 1) begin : g_known
        if (d + k <= 3 * N - 3) begin : g_first
          always @* if (!rst) assert (!known[N*(d-1)+k] || known[N*d+k] || first[d+k]);
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
              assert (next[8*(d-1) +: 8] == (first[d+r] ? weights[8*N*d+8*c +: 8] : next[8*d +: 8]));
              assert (tile[8*(d-1) +: 8] == (swap[d] ? next[8*d +: 8] : tile[8*d +: 8]));
            end
          end
        end

        wire [7:0] x = row[8*N*D+8*r +: 8];
        wire [7:0] t = tile[8*D +: 8];
        // The product of x and t, written with the array's operands, which are asserted to be the same below: so the solver need not
        // compare two multipliers.
        wire signed [31:0] product = $signed(a[8*E +: 8]) * $signed(w[8*E +: 8]);
        if (r == 0) begin : g_first
          always @(posedge clk) sums_q[18*E +: 18] <= product[17:0];
        end else begin : g_add
          always @(posedge clk) sums_q[18*E +: 18] <= sums_q[18*(E-N) +: 18] + product[17:0];
        end

        always @* begin
          if (!rst) begin
            assert (since_q < D || a[8*E +: 8] == x);
            assert (since_q < D || w_in[8*E +: 8] == weights[8*N*D+8*c +: 8]);
            assert (swaps[E] == swap[D]);
            assert (loads[E] == first[D+r]);
            if (known[N*D+r]) assert (shadow[8*E +: 8] == next[8*D +: 8]);
            if (used[D]) assert (w[8*E +: 8] == t);
            if (used[D+1]) assert (p[32*E +: 32] == {14'd0, sums_q[18*E +: 18]});
          end
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
