// Systolic array of N x N processing elements with its skew registers, and the accumulators below it.
//
// A row of activations enters with `row_valid`; lane k meets array row k one cycle after lane k-1, so PE(r, c)
// multiplies it r + c cycles after it entered. Column sums reach column c's accumulators after N + c cycles, where a
// tag that has travelled with them says which accumulator row they belong to; there are no deskew registers.
//
//   entry cycle s      row_valid, row_data, row_acc ...; tile_swap in s - 1 if the row is the first with new weights
//   s + r + c          PE(r, c) multiplies
//   s + N - 1 + c      accumulator column c reads
//   s + N + c          accumulator column c adds; written at the end of the cycle
//   s + 2N             row_done, for a row with row_last: all N columns have been written
//
// Weight row j of a tile enters at t0 + j (wt_data), its load token with row 0 (wt_first). Weight row j is at PE(r, c) in
// cycle t0 + j + r + c, the token in t0 + 2r + c: they meet where j = r. The tile's swap may enter from t0 + N on, so
// its first row from t0 + N + 1 on; the next tile may be loaded (t0) from the cycle of the swap on.
//
// The array never stalls. A cycle without a row is a bubble whose tag is not valid.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_array #(
  // Rows and columns
  parameter N = 16,
  // Accumulator rows, a power of two
  parameter ACC_ROWS = 2048
) (
  input  wire                        clk,
  input  wire                        rst,

  // Activations, lane k in byte k
  input  wire                        row_valid,
  input  wire [8*N-1:0]              row_data,
  // Accumulator row; add to it or overwrite it; last row of its instruction
  input  wire [$clog2(ACC_ROWS)-1:0] row_acc,
  input  wire                        row_accumulate,
  input  wire                        row_last,
  output reg                         row_done,

  // Weights, one row of a tile per cycle, column n in byte n
  input  wire [8*N-1:0]              wt_data,
  // First row of a tile
  input  wire                        wt_first,
  // From the next cycle on rows use the tile loaded last
  input  wire                        tile_swap,

  // Accumulator drain: data two cycles after the grant
  input  wire                        acc_rd_valid,
  output wire                        acc_rd_ready,
  input  wire [$clog2(ACC_ROWS)-1:0] acc_rd_row,
  output wire [32*N-1:0]             acc_rd_data
);

  localparam AW         = $clog2(ACC_ROWS);
  localparam PSUM_WIDTH = 16 + $clog2(N);

  generate
    if (N < 4 || N > 64 || (N & (N - 1)) != 0) begin : g_check_n
      ERROR_tpu_array_N_must_be_4_8_16_32_or_64 check ();
    end
    if (ACC_ROWS < 4 || ACC_ROWS > 65536 || (ACC_ROWS & (ACC_ROWS - 1)) != 0) begin : g_check_acc
      ERROR_tpu_array_ACC_ROWS_must_be_a_power_of_two_from_4_to_65536 check ();
    end
  endgenerate

  genvar r;
  genvar c;
  genvar d;

  // --------------------------------------------------------------------------------------------
  // Skew: lane k of the activations, and column k of the weights, are delayed by k cycles
  // --------------------------------------------------------------------------------------------
  wire [8*N-1:0] w_top;

  generate
    // Stage d holds the lanes d and above.
    for (d = 0; d < N; d = d + 1) begin : g_skew
      wire [8*N-1:0] a;
      wire [8*N-1:0] w;
      if (d == 0) begin : g_in
        assign a = row_data;
        assign w = wt_data;
      end else begin : g_reg
        reg [8*N-1:0] a_q;
        reg [8*N-1:0] w_q;
        always @(posedge clk) begin
          a_q <= g_skew[d-1].a;
          w_q <= g_skew[d-1].w;
        end
        assign a = a_q;
        assign w = w_q;
      end
      // In the order of tpu_array_row.
      assign w_top[32*(d%(N/4)) + 8*(d/(N/4)) +: 8] = w[8*d +: 8];
    end
  endgenerate

  // The swap reaches array row r after r cycles, the load token after 2r cycles.
  reg  [N-1:1]   swap_q;
  reg  [2*N-2:1] token_q;
  wire [N-1:0]   swap  = {swap_q, tile_swap};
  wire [2*N-2:0] token = {token_q, wt_first};

  always @(posedge clk) begin
    swap_q  <= swap[N-2:0];
    token_q <= token[2*N-3:0];
    if (rst) begin
      swap_q  <= {(N-1){1'b0}};
      token_q <= {(2*N-2){1'b0}};
    end
  end

  // --------------------------------------------------------------------------------------------
  // Processing elements
  // --------------------------------------------------------------------------------------------
  generate
    for (r = 0; r < N; r = r + 1) begin : g_row
      wire [8*N-1:0] w_in;
      wire [8*N-1:0] w_out;
      wire [32*N-1:0] p_in;
      wire [32*N-1:0] p_out;

      if (r == 0) begin : g_top
        assign w_in = w_top;
        assign p_in = {(32*N){1'b0}};
      end else begin : g_below
        assign w_in = g_row[r-1].w_out;
        assign p_in = g_row[r-1].p_out;
      end

      tpu_array_row #(
        .N          (N),
        .PSUM_WIDTH (PSUM_WIDTH)
      ) u_row (
        .clk     (clk),
        .rst     (rst),
        .a_in    (g_skew[r].a[8*r +: 8]),
        .swap_in (swap[r]),
        .load_in (token[2*r]),
        .w_in    (w_in),
        .w_out   (w_out),
        .p_in    (p_in),
        .p_out   (p_out)
      );
    end
  endgenerate

  // --------------------------------------------------------------------------------------------
  // Row tags {last, valid, accumulate, forward, row}, delayed until column 0's sum is due
  // --------------------------------------------------------------------------------------------
  generate
    for (d = 0; d < N; d = d + 1) begin : g_tag
      wire [AW+3:0] tag;
      if (d == 0) begin : g_in
        // The row before went to the same accumulator row: its sum will be forwarded.
        wire forward = g_tag[1].tag[AW+2] && g_tag[1].tag[AW-1:0] == row_acc;
        assign tag = {row_last, row_valid, row_accumulate, forward, row_acc};
      end else begin : g_reg
        reg [AW+3:0] tag_q;
        always @(posedge clk) begin
          tag_q <= g_tag[d-1].tag;
          if (rst) begin
            tag_q[AW+2] <= 1'b0;
          end
        end
        assign tag = tag_q;
      end
    end
  endgenerate

  // --------------------------------------------------------------------------------------------
  // Accumulators
  // --------------------------------------------------------------------------------------------
  wire [AW+3:0] due = g_tag[N-1].tag;

  // Bit c: column c reads in order to accumulate, by half.
  wire [N-1:0] busy_lo;
  wire [N-1:0] busy_hi;
  reg  [N-1:1] busy_lo_q;
  reg  [N-1:1] busy_hi_q;
  // Bit c: column c adds the last row of an instruction.
  reg  [N-1:0] last_q;

  assign busy_lo = {busy_lo_q, due[AW+2] && due[AW+1] && !due[AW-1]};
  assign busy_hi = {busy_hi_q, due[AW+2] && due[AW+1] && due[AW-1]};

  always @(posedge clk) begin
    busy_lo_q <= busy_lo[N-2:0];
    busy_hi_q <= busy_hi[N-2:0];
    last_q    <= {last_q[N-2:0], due[AW+3] && due[AW+2]};
    row_done  <= last_q[N-1];
    if (rst) begin
      busy_lo_q <= {(N-1){1'b0}};
      busy_hi_q <= {(N-1){1'b0}};
      last_q    <= {N{1'b0}};
      row_done  <= 1'b0;
    end
  end

  assign acc_rd_ready = acc_rd_row[AW-1] ? ~|busy_hi : ~|busy_lo;

  // The read that was granted a cycle before
  reg  drain_take_q;
  reg  drain_half_q;
  wire drain    = acc_rd_valid && acc_rd_ready;
  wire drain_lo = drain && !acc_rd_row[AW-1];
  wire drain_hi = drain && acc_rd_row[AW-1];

  always @(posedge clk) begin
    drain_take_q <= drain;
    drain_half_q <= acc_rd_row[AW-1];
    if (rst) begin
      drain_take_q <= 1'b0;
    end
  end

  generate
    for (c = 0; c < N; c = c + 1) begin : g_acc
      wire [AW+2:0] tag_in;
      wire [AW+2:0] tag_out;

      if (c == 0) begin : g_first
        assign tag_in = {due[AW+2] && !due[AW-1], due[AW+2] && due[AW-1], due[AW+1:AW], due[AW-2:0]};
      end else begin : g_next
        assign tag_in = g_acc[c-1].tag_out;
      end

      tpu_acc_column #(
        .ACC_ROWS   (ACC_ROWS),
        .PSUM_WIDTH (PSUM_WIDTH)
      ) u_column (
        .clk        (clk),
        .rst        (rst),
        .tag_in     (tag_in),
        .tag_out    (tag_out),
        .psum       (g_row[N-1].p_out[32*c +: PSUM_WIDTH]),
        .drain_lo   (drain_lo),
        .drain_hi   (drain_hi),
        .drain_row  (acc_rd_row[AW-2:0]),
        .drain_take (drain_take_q),
        .drain_half (drain_half_q),
        .drain_data (acc_rd_data[32*c +: 32])
      );
    end
  endgenerate

  wire unused = &{1'b0, g_acc[N-1].tag_out, g_row[N-1].w_out, g_row[N-1].p_out, g_skew[N-1].a, g_skew[N-1].w};

endmodule

`default_nettype wire
