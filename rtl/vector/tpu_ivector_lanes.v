// Integer lanes of IVECTOR with what they share: operands, controls, parameters of each turn.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"

module tpu_ivector_lanes #(
  // Lanes
  parameter LANES = 16,
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share what follows a window, a power of two that divides LANES
  parameter INT16_LANES = 4
) (
  input  wire                          clk,
  input  wire                          rst,

  // As in tpu_ivector_pipe
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_IVECTOR_USED-1:0]  cmd,
  output wire [1:0]                    bank_busy,
  input  wire                          a_line,
  input  wire                          a_high,
  input  wire                          b_line,
  input  wire                          tap,
  input  wire                          tap_bank,
  input  wire                          tap_inside,
  input  wire                          tap_first,
  input  wire                          tap_last,
  input  wire                          tap_final,
  input  wire [$clog2(PARAM_ROWS)-1:0] tap_param,

  // Lines issued three cycles before
  input  wire [8*LANES-1:0]            a_bytes,
  input  wire [32*LANES-1:0]           a_words,
  input  wire [8*LANES-1:0]            b_bytes,
  output wire                          b_pop,

  // Parameters: biases in the cycle after the read, multipliers and shifts one cycle later, until the next read
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  input  wire [32*LANES-1:0]           biases,
  input  wire [32*LANES-1:0]           multipliers,
  input  wire [8*LANES-1:0]            shifts,

  // Lookup table writes
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data,

  // Output row; the last one of its instruction; the number of its last line
  output wire                          out_valid,
  output wire                          out_final,
  output wire [1:0]                    out_last,
  output wire [32*LANES-1:0]           out_words
);

  localparam GROUPS = LANES / INT16_LANES;

  generate
    if (INT16_LANES < 1 || GROUPS * INT16_LANES != LANES || (INT16_LANES & (INT16_LANES - 1)) != 0) begin : g_check
      ERROR_tpu_ivector_lanes_INT16_LANES_must_be_a_power_of_two_that_divides_LANES check ();
    end
  endgenerate

  // ---- Controls --------------------------------------------------------------------------------
  wire                             take_a;
  wire                             take_acc;
  wire                             take_b;
  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap_control;
  wire [`TPU_IVECTOR_ROW_BITS-1:0] row_control;
  wire [5:0]                       turn9;
  wire [5:0]                       turn10;

  tpu_ivector_pipe #(
    .PARAM_ROWS  (PARAM_ROWS),
    .INT16_LANES (INT16_LANES)
  ) u_pipe (
    .clk         (clk),
    .rst         (rst),
    .take        (take),
    .take_bank   (take_bank),
    .cmd         (cmd),
    .bank_busy   (bank_busy),
    .a_line      (a_line),
    .a_high      (a_high),
    .b_line      (b_line),
    .tap         (tap),
    .tap_bank    (tap_bank),
    .tap_inside  (tap_inside),
    .tap_first   (tap_first),
    .tap_last    (tap_last),
    .tap_final   (tap_final),
    .tap_param   (tap_param),
    .take_a      (take_a),
    .take_acc    (take_acc),
    .take_b      (take_b),
    .tap_control (tap_control),
    .row_control (row_control),
    .param_en    (param_en),
    .param_entry (param_entry),
    .turn9       (turn9),
    .turn10      (turn10),
    .row_done    (out_valid),
    .row_final   (out_final),
    .row_last    (out_last)
  );

  assign b_pop = take_b;

  // ---- Operands --------------------------------------------------------------------------------
  wire [32*LANES-1:0] a_lines;
  wire [32*LANES-1:0] b_lines;

  tpu_line_operands #(
    .LANES (LANES)
  ) u_operands (
    .clk      (clk),
    .take_a   (take_a),
    .take_acc (take_acc),
    .take_b   (take_b),
    .a_bytes  (a_bytes),
    .a_words  (a_words),
    .b_bytes  (b_bytes),
    .a        (a_lines),
    .b        (b_lines)
  );

  // ---- Lanes -----------------------------------------------------------------------------------
  wire [GROUPS-1:0] unused_group;

  genvar i;
  generate
    for (i = 0; i < GROUPS; i = i + 1) begin : g_group
      // Parameters of the lane whose turn it is. The next row's biases may come while the last lane has its turn.
      wire [32*INT16_LANES-1:0] biases9       = biases[32*INT16_LANES*i +: 32*INT16_LANES] >> {turn9, 5'd0};
      wire [32*INT16_LANES-1:0] multipliers10 = multipliers[32*INT16_LANES*i +: 32*INT16_LANES] >> {turn10, 5'd0};
      wire [8*INT16_LANES-1:0]  shifts10      = shifts[8*INT16_LANES*i +: 8*INT16_LANES] >> {turn10, 3'd0};

      // Shifts have 6 bits.
      assign unused_group[i] = &{1'b0, biases9, multipliers10, shifts10};

      tpu_ivector_lane #(
        .LANES (INT16_LANES)
      ) u_lanes (
        .clk          (clk),
        .tap          (tap_control),
        .row          (row_control),
        .a_bytes      (a_lines[24*LANES + 8*INT16_LANES*i +: 8*INT16_LANES]),
        .a_halves     (a_lines[16*LANES + 16*INT16_LANES*i +: 16*INT16_LANES]),
        .a_words      (a_lines[32*INT16_LANES*i +: 32*INT16_LANES]),
        .b_bytes      (b_lines[24*LANES + 8*INT16_LANES*i +: 8*INT16_LANES]),
        .b_halves     (b_lines[16*LANES + 16*INT16_LANES*i +: 16*INT16_LANES]),
        .b_words      (b_lines[32*INT16_LANES*i +: 32*INT16_LANES]),
        .bias         (row_control[`TPU_IVECTOR_ROW_9_UNIFORM] ? biases[31:0] : biases9[31:0]),
        .multiplier   (row_control[`TPU_IVECTOR_ROW_10_UNIFORM] ? multipliers[31:0] : multipliers10[31:0]),
        .shift        (row_control[`TPU_IVECTOR_ROW_10_UNIFORM] ? shifts[5:0] : shifts10[5:0]),
        .lut_wr_valid (lut_wr_valid),
        .lut_wr_addr  (lut_wr_addr),
        .lut_wr_data  (lut_wr_data),
        .words        (out_words[32*INT16_LANES*i +: 32*INT16_LANES])
      );
    end
  endgenerate

  wire unused = &{1'b0, unused_group};

endmodule

`default_nettype wire
