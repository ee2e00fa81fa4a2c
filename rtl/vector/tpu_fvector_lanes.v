// Floating-point lanes of the vector unit with what they share: operands, controls, parameters of each turn.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"
`include "tpu_isa.vh"

module tpu_fvector_lanes #(
  // Lanes
  parameter LANES = 16,
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share what follows a window, a power of two that divides LANES
  parameter FLOAT_LANES = 2
) (
  input  wire                          clk,
  input  wire                          rst,

  // As in tpu_fvector_pipe
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_FVECTOR_USED-1:0]  cmd,
  output wire [1:0]                    bank_busy,
  input  wire                          a_line,
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

  // Parameters: biases in the cycle after the read, multipliers one cycle later, until the next read
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  input  wire [32*LANES-1:0]           biases,
  input  wire [32*LANES-1:0]           multipliers,

  // The instruction is an ADAM. What is output is its sum of squares or its moment; its weight
  output wire                          adam,
  output wire                          out_kept,
  output wire                          out_weight,

  // Output row; the last one of its instruction; the number of its last line; rows of its instruction are interleaved
  output wire                          out_valid,
  output wire                          out_final,
  output wire [1:0]                    out_last,
  output wire                          out_interleave,
  output wire [32*LANES-1:0]           out_words
);

  localparam GROUPS = LANES / FLOAT_LANES;

  generate
    if (FLOAT_LANES < 1 || GROUPS * FLOAT_LANES != LANES || (FLOAT_LANES & (FLOAT_LANES - 1)) != 0) begin : g_check
      ERROR_tpu_fvector_lanes_FLOAT_LANES_must_be_a_power_of_two_that_divides_LANES check ();
    end
  endgenerate

  // ---- Controls --------------------------------------------------------------------------------
  wire                           take_a;
  wire                           take_acc;
  wire                           take_b;
  wire [`TPU_FLOAT_TAP_BITS-1:0] tap_control;
  wire [`TPU_FLOAT_ROW_BITS-1:0] row_control;
  wire [5:0]                     turn10;
  wire [5:0]                     turn11;
  wire                           window_en;
  wire [$clog2(PARAM_ROWS)-1:0]  window_entry;
  wire [`TPU_UPDATE_BITS-1:0]    update;
  wire                           update_en;
  wire [$clog2(PARAM_ROWS)-1:0]  update_entry;
  wire                           update_final;
  wire                           row_done;
  wire                           row_final;
  wire [1:0]                     row_last;
  wire                           row_interleave;

  tpu_fvector_pipe #(
    .PARAM_ROWS  (PARAM_ROWS),
    .FLOAT_LANES (FLOAT_LANES)
  ) u_pipe (
    .clk            (clk),
    .rst            (rst),
    .take           (take),
    .take_bank      (take_bank),
    .cmd            (cmd),
    .bank_busy      (bank_busy),
    .a_line         (a_line),
    .b_line         (b_line),
    .tap            (tap),
    .tap_bank       (tap_bank),
    .tap_inside     (tap_inside),
    .tap_first      (tap_first),
    .tap_last       (tap_last),
    .tap_final      (tap_final),
    .tap_param      (tap_param),
    .take_a         (take_a),
    .take_acc       (take_acc),
    .take_b         (take_b),
    .adam           (adam),
    .adam_final     (update_final),
    .tap_control    (tap_control),
    .row_control    (row_control),
    .param_en       (window_en),
    .param_entry    (window_entry),
    .turn10         (turn10),
    .turn11         (turn11),
    .row_done       (row_done),
    .row_final      (row_final),
    .row_last       (row_last),
    .row_interleave (row_interleave)
  );

  tpu_adam_steps #(
    .PARAM_ROWS  (PARAM_ROWS),
    .FLOAT_LANES (FLOAT_LANES)
  ) u_adam (
    .clk         (clk),
    .rst         (rst),
    .take        (take),
    .cmd         (cmd),
    .first_tap   (adam && tap && tap_first),
    .second_tap  (adam && tap && tap_last),
    .final_tap   (tap_final),
    .control     (update),
    .param_en    (update_en),
    .param_entry (update_entry),
    .out_kept    (out_kept),
    .out_weight  (out_weight),
    .out_final   (update_final)
  );

  assign param_en       = window_en || update_en;
  assign param_entry    = adam ? update_entry : window_entry;
  assign out_valid      = row_done || out_kept || out_weight;
  assign out_final      = row_final || update_final;
  assign out_last       = adam ? 2'd3 : row_last;
  assign out_interleave = !adam && row_interleave;

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
  wire [1:0]          a_format = tap_control[`TPU_FLOAT_TAP_2_A_FORMAT];
  wire [1:0]          b_format = tap_control[`TPU_FLOAT_TAP_2_B_FORMAT];
  wire [32*LANES-1:0] a;
  wire [32*LANES-1:0] b;
  wire [32*LANES-1:0] words;
  wire [32*LANES-1:0] left;
  wire [GROUPS-1:0]   unused_group;

  assign out_words = adam ? left : words;

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      // Above a number stand zeros: a lane gets no bits of another lane's number.
      assign a[32*i +: 32] = a_format == `TPU_NUMBER_FORMAT_INT8 ? {24'd0, a_lines[24*LANES + 8*i +: 8]}
                           : a_format == `TPU_NUMBER_FORMAT_BF16 ? {16'd0, a_lines[16*LANES + 16*i +: 16]}
                                                                 : a_lines[32*i +: 32];
      assign b[32*i +: 32] = b_format == `TPU_NUMBER_FORMAT_INT8 ? {24'd0, b_lines[24*LANES + 8*i +: 8]}
                           : b_format == `TPU_NUMBER_FORMAT_BF16 ? {16'd0, b_lines[16*LANES + 16*i +: 16]}
                                                                 : b_lines[32*i +: 32];
    end
    for (i = 0; i < GROUPS; i = i + 1) begin : g_group
      // Parameters of the lane whose turn it is. The next row's biases may come while the last lane has its turn.
      wire [32*FLOAT_LANES-1:0] biases10      = biases[32*FLOAT_LANES*i +: 32*FLOAT_LANES] >> {turn10, 5'd0};
      wire [32*FLOAT_LANES-1:0] multipliers11 = multipliers[32*FLOAT_LANES*i +: 32*FLOAT_LANES] >> {turn11, 5'd0};
      reg  [31:0]               bias11_q;

      assign unused_group[i] = &{1'b0, biases10, multipliers11};

      always @(posedge clk) begin
        bias11_q <= biases10[31:0];
      end

      tpu_float_lane #(
        .LANES (FLOAT_LANES)
      ) u_lanes (
        .clk         (clk),
        .rst         (rst),
        .tap         (tap_control),
        .row         (row_control),
        .update      (update),
        .a_words     (a[32*FLOAT_LANES*i +: 32*FLOAT_LANES]),
        .b_words     (b[32*FLOAT_LANES*i +: 32*FLOAT_LANES]),
        .bias        (bias11_q),
        .multiplier  (multipliers11[31:0]),
        .biases      (biases[32*FLOAT_LANES*i +: 32*FLOAT_LANES]),
        .multipliers (multipliers[32*FLOAT_LANES*i +: 32*FLOAT_LANES]),
        .left        (left[32*FLOAT_LANES*i +: 32*FLOAT_LANES]),
        .words       (words[32*FLOAT_LANES*i +: 32*FLOAT_LANES])
      );
    end
  endgenerate

  wire unused = &{1'b0, unused_group};

endmodule

`default_nettype wire
