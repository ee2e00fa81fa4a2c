// Accumulators of one array column: two halves of ACC_ROWS / 2 rows of 32 bits.
//
//   cycle   t: tag_in names the row whose partial sum is `psum` in cycle t+1; it is read
//         t+1: sum = psum + (row or the previous sum); written at the end of the cycle
//
// One read-modify-write per cycle in any order of rows. `forward` in the tag says that the row is the same as the one of
// the cycle before, whose sum is being written while this read takes place. The half that is not being accumulated
// into can be drained: drain_data appears two cycles after drain_lo or drain_hi, if `drain_take` and `drain_half` follow one cycle
// after them. The tag goes on to the next column one cycle later.
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

  // {low half, high half, accumulate, forward, row in its half}, one cycle ahead of the partial sum
  input  wire [$clog2(ACC_ROWS)+2:0]  tag_in,
  output reg  [$clog2(ACC_ROWS)+2:0]  tag_out,
  input  wire signed [PSUM_WIDTH-1:0] psum,

  // Drain; never in the half in which tag_in accumulates
  input  wire                         drain_lo,
  input  wire                         drain_hi,
  input  wire [$clog2(ACC_ROWS)-2:0]  drain_row,
  input  wire                         drain_take,
  input  wire                         drain_half,
  output reg  [31:0]                  drain_data
);

  localparam RW = $clog2(ACC_ROWS) - 1;

  wire          rmw_lo         = tag_in[RW+3] && tag_in[RW+1];
  wire          rmw_hi         = tag_in[RW+2] && tag_in[RW+1];

  // The second cycle's view of the tag.
  wire          sum_lo         = tag_out[RW+3];
  wire          sum_hi         = tag_out[RW+2];
  wire          sum_accumulate = tag_out[RW+1];
  wire          sum_forward    = tag_out[RW];
  wire [RW-1:0] sum_row        = tag_out[RW-1:0];

  wire [31:0] rd_data_lo;
  wire [31:0] rd_data_hi;
  reg  [31:0] previous_sum_q;

  wire [31:0] stored = sum_hi ? rd_data_hi : rd_data_lo;
  wire [31:0] addend = sum_forward ? previous_sum_q : stored;
  wire [31:0] sum    = (sum_accumulate ? addend : 32'd0)
                     + {{(32-PSUM_WIDTH){psum[PSUM_WIDTH-1]}}, psum};

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (ACC_ROWS / 2)
  ) u_half_lo (
    .clk     (clk),
    .wr_en   (sum_lo),
    .wr_addr (sum_row),
    .wr_data (sum),
    .rd_en   (rmw_lo || drain_lo),
    .rd_addr (rmw_lo ? tag_in[RW-1:0] : drain_row),
    .rd_data (rd_data_lo)
  );

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (ACC_ROWS / 2)
  ) u_half_hi (
    .clk     (clk),
    .wr_en   (sum_hi),
    .wr_addr (sum_row),
    .wr_data (sum),
    .rd_en   (rmw_hi || drain_hi),
    .rd_addr (rmw_hi ? tag_in[RW-1:0] : drain_row),
    .rd_data (rd_data_hi)
  );

  always @(posedge clk) begin
    tag_out        <= tag_in;
    previous_sum_q <= sum;
    if (drain_take) begin
      drain_data <= drain_half ? rd_data_hi : rd_data_lo;
    end
    if (rst) begin
      tag_out[RW+3] <= 1'b0;
      tag_out[RW+2] <= 1'b0;
    end
  end

endmodule

`default_nettype wire
