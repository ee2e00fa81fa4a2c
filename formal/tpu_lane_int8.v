// tpu_lane_int8: lanes take turns, each with its own sum, with the parameters of its turn; bytes, looked up in the table that the controls choose
// or clamped alone, are together in stage 17 of the last turn, each at its lane's place, whatever rows come before and behind. The upper bound counts
// first, also where it is below the lower one. The requantiser gets sums of 32 bits: it is never asked for mode wide, and there is nothing above.
//
// Models stand in for the lanes up to their sums, the requantiser and the table (formal/models), so that each byte comes from an exclusive or of all
// that went into it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_lane_control.vh"

module formal_tpu_lane_int8 #(
  parameter LANES = 2
) (
  input wire                     clk,
  // A row's first lane may have its turn
  input wire                     go,
  // Controls of all stages but EN and FIRST
  input wire [`TPU_ROW_BITS-1:0] fields,
  input wire [32*LANES-1:0]      sums,
  input wire [31:0]              bias,
  input wire [30:0]              multiplier,
  input wire [5:0]               shift
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  //// Controls: the turns of a row follow each other, and a stage holds what the one before held ////

  localparam [2:0] LAST = LANES - 1;

  reg  [2:0] turn_q;
  reg  [8:0] held_q;
  // A table was read in the last cycle
  reg        looked_q;
  wire       first = go && turn_q == 3'd0 && !rst;
  wire       en_8  = first || turn_q != 3'd0;

  always @(posedge clk) begin
    turn_q   <= rst || !en_8 || turn_q == LAST ? 3'd0 : turn_q + 3'd1;
    held_q   <= rst ? 9'd0 : {held_q[7:0], en_8};
    looked_q <= fields[`TPU_ROW_16_LUT_EN];
  end
  always @* begin
    if (!rst) begin
      assume (looked_q || !fields[`TPU_ROW_17_LUT_EN]);
    end
  end

  reg [`TPU_ROW_BITS-1:0] row;
  always @* begin
    row                  = fields;
    row[`TPU_ROW_EN]      = {held_q, en_8};
    row[`TPU_ROW_8_FIRST] = first;
  end

  wire [8*LANES-1:0] bytes;

  tpu_lane_int8 #(
    .LANES          (LANES),
    .WINDOW         (0),
    .FLOAT_ROUNDING (1)
  ) dut (
    .clk          (clk),
    .tap          ({`TPU_TAP_BITS{1'b0}}),
    .present      (3'd0),
    .row          (row),
    .a_bytes      ({8*LANES{1'b0}}),
    .a_words      (sums),
    .b_bytes      ({8*LANES{1'b0}}),
    .c_bytes      ({8*LANES{1'b0}}),
    .bias         (bias),
    .multiplier   (multiplier),
    .shift        (shift),
    .bytes        (bytes),
    .lut_wr_valid (1'b0),
    .lut_wr_addr  (11'd0),
    .lut_wr_data  (8'd0)
  );

  //// Reference: what a turn takes, so many cycles later. Nothing is held ////

  reg  [32*LANES-1:0] row_q;  // The sums at the first turn
  wire [31:0]         taken = first ? sums[31:0] : row_q[32*turn_q +: 32];
  reg  [31:0]         sum_q;
  reg  [31:0]         bias_q;
  // Stages 10 to 16
  reg  [32*7-1:0]     mixed_q;
  wire signed [31:0]  mixed_16 = mixed_q[32*6 +: 32];
  wire signed [31:0]  lo = $signed(row[`TPU_ROW_16_LO]);
  wire signed [31:0]  hi = $signed(row[`TPU_ROW_16_HI]);
  wire [7:0]          clamped = mixed_16 > hi ? hi[7:0] : mixed_16 < lo ? lo[7:0] : mixed_16[7:0];
  // Stage 17, and the bytes of the turns before, the newest one on the right
  reg  [7:0]          clamped_q;
  reg  [7:0]          entry_q;
  wire [7:0]          byte_17 = row[`TPU_ROW_17_LUT_EN] ? entry_q : clamped_q;
  reg  [8*LANES-1:0]  before_q;
  reg  [9:0]          last_q;

  always @(posedge clk) begin
    if (first) row_q <= sums;
    sum_q     <= taken;
    bias_q    <= bias;
    mixed_q   <= {mixed_q[32*6-1:0],
                  sum_q ^ bias_q ^ {1'b0, multiplier}
                  ^ {row[`TPU_ROW_FLOAT], 16'd0, row[`TPU_ROW_9_NONE], row[`TPU_ROW_9_DOUBLE], row[`TPU_ROW_9_DIVIDE], 1'b0, shift}};
    clamped_q <= clamped;
    entry_q   <= clamped ^ {5'd0, row[`TPU_ROW_16_LUT]};
    before_q  <= {before_q[8*LANES-9:0], byte_17};
    last_q    <= rst ? 10'd0 : {last_q[8:0], turn_q == LAST};
  end

  integer l;
  always @* begin
    if (!rst && last_q[8]) begin
      assert (bytes[8*LANES-1 -: 8] == byte_17);
      for (l = 1; l < LANES; l = l + 1) assert (bytes[8*(LANES-1-l) +: 8] == before_q[8*(l-1) +: 8]);
    end
    // Invariant
    if (!rst) assert (turn_q <= LAST);
  end

endmodule

`default_nettype wire
