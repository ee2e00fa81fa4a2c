// Lanes of the vector unit for int8 that share a requantiser. With its parts the only module of the unit that knows the number format.
//
// Each lane maps and reduces its taps (tpu_lane_map, stages 2 to 7). The sums of a row wait in stage 9 and go through the rest one
// after another, the lowest lane first:
//
//    8  sum, or the next lane's sum                        15  rounding, zero point
//    9  bias            |                                  16  clamp, lookup table read
//   10 - 15  requantise | tpu_requantize                   17  byte after the table
//
// With one lane a row may follow in every cycle, with LANES lanes every LANES cycles. A lane's byte is there in stage 17 of its own
// passage; `bytes` are those of all lanes in stage 17 of the last one's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_lane_control.vh"

module tpu_lane_int8 #(
  // Lanes that share a requantiser, a power of two
  parameter LANES = 1,
  // 1: with the 3 x 3 window
  parameter WINDOW = 1,
  // 1: the requantiser rounds as float32, too
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                     clk,

  // Controls, the same for all lanes
  input  wire [`TPU_TAP_BITS-1:0] tap,
  input  wire [2:0]               present,
  input  wire [`TPU_ROW_BITS-1:0] row,

  // Stage 2: operands
  input  wire [8*LANES-1:0]       a_bytes,
  input  wire [32*LANES-1:0]      a_words,
  input  wire [8*LANES-1:0]       b_bytes,
  input  wire [8*LANES-1:0]       c_bytes,

  // Stages 8 and 9: parameters of the lane whose sum is in the stage
  input  wire [31:0]              bias,
  input  wire [30:0]              multiplier,
  input  wire [5:0]               shift,

  // Stage 17
  output wire [8*LANES-1:0]       bytes,

  // Lookup table write
  input  wire                     lut_wr_valid,
  input  wire [10:0]              lut_wr_addr,
  input  wire [7:0]               lut_wr_data
);

  // ---- Stages 2 to 7: taps ---------------------------------------------------------------------
  wire [32*LANES-1:0] sums;

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      tpu_lane_map #(
        .WINDOW (WINDOW)
      ) u_map (
        .clk     (clk),
        .tap     (tap),
        .present (present),
        .a_byte  (a_bytes[8*i +: 8]),
        .a_word  (a_words[32*i +: 32]),
        .b_byte  (b_bytes[8*i +: 8]),
        .c_byte  (c_bytes[8*i +: 8]),
        .sum     (sums[32*i +: 32])
      );
    end
  endgenerate

  // ---- Stage 8: the lanes take turns -----------------------------------------------------------
  reg [32*LANES-1:0] sums9_q;
  reg [31:0]         bias9_q;

  always @(posedge clk) begin
    if (row[`TPU_ROW_8_EN]) begin
      sums9_q <= row[`TPU_ROW_8_FIRST] ? sums : sums9_q >> 32;
      bias9_q <= bias;
    end
  end

  // ---- Stages 9 to 15: requantise --------------------------------------------------------------
  wire [31:0] value_16;

  tpu_requantize #(
    .FLOAT (FLOAT_ROUNDING)
  ) u_requantize (
    .clk        (clk),
    .en         (row[`TPU_ROW_REQUANTISE_EN]),
    .as_float   (row[`TPU_ROW_FLOAT]),
    .is_none    (row[`TPU_ROW_9_NONE]),
    .is_double  (row[`TPU_ROW_9_DOUBLE]),
    .is_divide  (row[`TPU_ROW_9_DIVIDE]),
    .is_wide    (1'b0),
    .value      (sums9_q[31:0]),
    .value_high (16'd0),
    .bias       (bias9_q),
    .bias_high  (16'd0),
    .multiplier (multiplier),
    .shift      (shift),
    .divide_15  (row[`TPU_ROW_15_DIVIDE]),
    .zero_15    (row[`TPU_ROW_15_ZERO]),
    .result     (value_16)
  );

  // ---- Stage 16: clamp -------------------------------------------------------------------------
  // The upper bound counts first.
  function [7:0] clamped;
    input        [31:0] value;
    input signed [7:0]  lo;
    input signed [7:0]  hi;
    reg   signed [7:0]  low;
    reg                 fits;
    begin
      low     = value[7:0];
      fits    = value[31:7] == {25{value[31]}};
      clamped = (fits ? low > hi : !value[31]) ? hi : (fits ? low < lo : value[31]) ? lo : low;
    end
  endfunction

  reg  [7:0] clamped17_q;
  wire [7:0] looked_up_17;

  always @(posedge clk) begin
    if (row[`TPU_ROW_16_EN]) begin
      clamped17_q <= clamped(value_16, row[`TPU_ROW_16_LO], row[`TPU_ROW_16_HI]);
    end
  end

  tpu_ram_1r1w #(
    .WIDTH (8),
    .DEPTH (2048)
  ) u_lut (
    .clk     (clk),
    .wr_en   (lut_wr_valid),
    .wr_addr (lut_wr_addr),
    .wr_data (lut_wr_data),
    .rd_en   (row[`TPU_ROW_16_LUT_EN]),
    .rd_addr ({row[`TPU_ROW_16_LUT], clamped(value_16, row[`TPU_ROW_16_LO], row[`TPU_ROW_16_HI])}),
    .rd_data (looked_up_17)
  );

  // ---- Stage 17: byte --------------------------------------------------------------------------
  wire [7:0] byte_17 = row[`TPU_ROW_17_LUT_EN] ? looked_up_17 : clamped17_q;

  generate
    if (LANES == 1) begin : g_alone
      assign bytes = byte_17;
    end else begin : g_together
      // Bytes of the lanes before this one, the last one on the left.
      reg [8*LANES-9:0] before_q;

      assign bytes = {byte_17, before_q};

      always @(posedge clk) begin
        if (row[`TPU_ROW_17_EN]) begin
          before_q <= bytes[8*LANES-1:8];
        end
      end
    end
  endgenerate

  wire unused = &{1'b0, row};

endmodule

`default_nettype wire
