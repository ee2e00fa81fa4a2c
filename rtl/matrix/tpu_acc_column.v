// Accumulators of one array column: two halves of ACC_ROWS / 2 rows of 32 bits.
//
//   cycle   t: tag_in names the row whose partial sum is `psum` in cycle t+1; it is read
//         t+1: sum = psum + (row or the previous sum); written at the end of the cycle
//
// One read-modify-write per cycle in any order of rows. `forward` in the tag says that the row is the same as the one of
// the cycle before, whose sum is being written while this read takes place. The half that is not being accumulated
// into can be drained: drain_data appears two cycles after drain_en. The tag goes on to the next
// column one cycle later.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_acc_column #(
  // Accumulator rows, both halves
  parameter ACC_ROWS = 2048,
  // Bits of a partial sum
  parameter PSUM_WIDTH = 20
) (
  input  wire                         clk,
  input  wire                         rst,

  // {valid, accumulate, forward, row}, one cycle ahead of the partial sum
  input  wire [$clog2(ACC_ROWS)+2:0]  tag_in,
  output reg  [$clog2(ACC_ROWS)+2:0]  tag_out,
  input  wire signed [PSUM_WIDTH-1:0] psum,

  // Drain; never in the half in which tag_in accumulates
  input  wire                         drain_en,
  input  wire [$clog2(ACC_ROWS)-1:0]  drain_row,
  output reg  [31:0]                  drain_data
);

  localparam AW = $clog2(ACC_ROWS);

  wire          rmw_read       = tag_in[AW+2] && tag_in[AW+1];
  wire [AW-1:0] rmw_row        = tag_in[AW-1:0];

  // The second cycle's view of the tag.
  wire          sum_valid      = tag_out[AW+2];
  wire          sum_accumulate = tag_out[AW+1];
  wire          sum_forward    = tag_out[AW];
  wire [AW-1:0] sum_row        = tag_out[AW-1:0];

  wire [31:0] rd_data_lo;
  wire [31:0] rd_data_hi;
  reg  [31:0] previous_sum_q;
  reg         drain_valid_q;
  reg         drain_half_q;

  wire [31:0] stored = sum_row[AW-1] ? rd_data_hi : rd_data_lo;
  wire [31:0] addend = sum_forward ? previous_sum_q : stored;
  wire [31:0] sum    = (sum_accumulate ? addend : 32'd0)
                     + {{(32-PSUM_WIDTH){psum[PSUM_WIDTH-1]}}, psum};

  wire rmw_lo = rmw_read && !rmw_row[AW-1];
  wire rmw_hi = rmw_read && rmw_row[AW-1];

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (ACC_ROWS / 2)
  ) u_half_lo (
    .clk     (clk),
    .wr_en   (sum_valid && !sum_row[AW-1]),
    .wr_addr (sum_row[AW-2:0]),
    .wr_data (sum),
    .rd_en   (rmw_lo || (drain_en && !drain_row[AW-1])),
    .rd_addr (rmw_lo ? rmw_row[AW-2:0] : drain_row[AW-2:0]),
    .rd_data (rd_data_lo)
  );

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (ACC_ROWS / 2)
  ) u_half_hi (
    .clk     (clk),
    .wr_en   (sum_valid && sum_row[AW-1]),
    .wr_addr (sum_row[AW-2:0]),
    .wr_data (sum),
    .rd_en   (rmw_hi || (drain_en && drain_row[AW-1])),
    .rd_addr (rmw_hi ? rmw_row[AW-2:0] : drain_row[AW-2:0]),
    .rd_data (rd_data_hi)
  );

  always @(posedge clk) begin
    tag_out <= tag_in;
    if (sum_valid) begin
      previous_sum_q <= sum;
    end
    drain_valid_q <= drain_en;
    drain_half_q  <= drain_row[AW-1];
    if (drain_valid_q) begin
      drain_data <= drain_half_q ? rd_data_hi : rd_data_lo;
    end
    if (rst) begin
      tag_out       <= {(AW+3){1'b0}};
      drain_valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
