// Lanes of the vector unit with what they share: stage controls, parameter memory.
//
// A tap or column issued in cycle t finds its operands at a_bytes or a_words, b_bytes and c_bytes in cycle t + 2 (`b_pop` and `c_pop`
// take the latter two); a window's last one makes a row of bytes at out_bytes in cycle t + 17. Nothing stalls. The stages are listed in tpu_vector.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_lanes #(
  // Lanes
  parameter N = 16,
  // Parameter entries
  parameter PARAM_ROWS = 512
) (
  input  wire                          clk,
  input  wire                          rst,

  // An instruction starts and takes configuration bank `take_tag`
  input  wire                          take,
  input  wire                          take_tag,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  output wire [1:0]                    bank_busy,

  // Column and tap issued in this cycle
  input  wire                          column,
  input  wire                          column_weight,
  input  wire                          column_present,
  input  wire                          tap,
  input  wire                          tap_window,
  input  wire                          tap_inside,
  input  wire                          tap_uses_b,
  input  wire                          tap_first,
  input  wire                          tap_last,
  input  wire                          tap_final,
  input  wire                          tap_tag,
  input  wire [$clog2(PARAM_ROWS)-1:0] tap_param,

  // Operands of the tap or column issued two cycles before
  input  wire [8*N-1:0]                a_bytes,
  input  wire [32*N-1:0]               a_words,
  input  wire [8*N-1:0]                b_bytes,
  input  wire                          b_present,
  output wire                          b_pop,
  input  wire [8*N-1:0]                c_bytes,
  input  wire                          c_present,
  output wire                          c_pop,

  // Output row
  output wire                          out_valid,
  output wire [8*N-1:0]                out_bytes,

  // Parameter and lookup table writes
  input  wire                          param_wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input  wire [3:0]                    param_wr_chunk,
  input  wire [8*N-1:0]                param_wr_data,
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data
);

  localparam PW = $clog2(PARAM_ROWS);

  // ---- Stage controls --------------------------------------------------------------------------
  wire          c2_pop;
  wire          c2_column;
  wire          c2_weight;
  wire          c2_present;
  wire          c2_max;
  wire          c3_sum;
  wire          c3_column;
  wire          c4_sum;
  wire          c4_max;
  wire          c5_sum;
  wire          c5_max;
  wire          c6_window;
  wire          c2_en;
  wire          c2_en_b;
  wire          c2_acc;
  wire          c2_mul;
  wire          c2_raw;
  wire [7:0]    c2_a_zero;
  wire [7:0]    c2_b_zero;
  wire [30:0]   c2_pre_mult;
  wire          c3_en;
  wire          c3_en_b;
  wire          c4_en;
  wire          c4_en_b;
  wire          c4_raw;
  wire          c4_round;
  wire          c5_en;
  wire          c5_en_b;
  wire          c5_double;
  wire [4:0]    c5_shift;
  wire          c6_en;
  wire [2:0]    c6_map;
  wire          c7_en;
  wire          c7_inside;
  wire          c7_first;
  wire          c7_max;
  wire          c7_param_en;
  wire [PW-1:0] c7_param;
  wire [17:8]   row_en;
  wire [1:0]    c8_mode;
  wire [1:0]    c9_mode;
  wire [1:0]    c12_mode;
  wire [1:0]    c13_mode;
  wire [7:0]    c15_o_zero;
  wire          c16_lut_en;
  wire [2:0]    c16_lut;
  wire [7:0]    c16_lo;
  wire [7:0]    c16_hi;
  wire          c17_lut_en;

  tpu_vector_pipe #(
    .PARAM_ROWS (PARAM_ROWS)
  ) u_pipe (
    .clk            (clk),
    .rst            (rst),
    .take           (take),
    .take_tag       (take_tag),
    .cmd            (cmd),
    .bank_busy      (bank_busy),
    .column         (column),
    .column_weight  (column_weight),
    .column_present (column_present),
    .tap            (tap),
    .tap_window     (tap_window),
    .tap_inside     (tap_inside),
    .tap_uses_b     (tap_uses_b),
    .tap_first      (tap_first),
    .tap_last       (tap_last),
    .tap_final      (tap_final),
    .tap_tag        (tap_tag),
    .tap_param      (tap_param),
    .c2_pop         (c2_pop),
    .c2_column      (c2_column),
    .c2_weight      (c2_weight),
    .c2_present     (c2_present),
    .c2_max         (c2_max),
    .c3_sum         (c3_sum),
    .c3_column      (c3_column),
    .c4_sum         (c4_sum),
    .c4_max         (c4_max),
    .c5_sum         (c5_sum),
    .c5_max         (c5_max),
    .c6_window      (c6_window),
    .c2_en          (c2_en),
    .c2_en_b        (c2_en_b),
    .c2_acc         (c2_acc),
    .c2_mul         (c2_mul),
    .c2_raw         (c2_raw),
    .c2_a_zero      (c2_a_zero),
    .c2_b_zero      (c2_b_zero),
    .c2_pre_mult    (c2_pre_mult),
    .c3_en          (c3_en),
    .c3_en_b        (c3_en_b),
    .c4_en          (c4_en),
    .c4_en_b        (c4_en_b),
    .c4_raw         (c4_raw),
    .c4_round       (c4_round),
    .c5_en          (c5_en),
    .c5_en_b        (c5_en_b),
    .c5_double      (c5_double),
    .c5_shift       (c5_shift),
    .c6_en          (c6_en),
    .c6_map         (c6_map),
    .c7_en          (c7_en),
    .c7_inside      (c7_inside),
    .c7_first       (c7_first),
    .c7_max         (c7_max),
    .c7_param_en    (c7_param_en),
    .c7_param       (c7_param),
    .row_en         (row_en),
    .c8_mode        (c8_mode),
    .c9_mode        (c9_mode),
    .c12_mode       (c12_mode),
    .c13_mode       (c13_mode),
    .c15_o_zero     (c15_o_zero),
    .c16_lut_en     (c16_lut_en),
    .c16_lut        (c16_lut),
    .c16_lo         (c16_lo),
    .c16_hi         (c16_hi),
    .c17_lut_en     (c17_lut_en)
  );

  // ---- Parameters ------------------------------------------------------------------------------
  wire [32*N-1:0] biases;
  wire [32*N-1:0] multipliers;
  wire [8*N-1:0]  shifts;

  tpu_param_memory #(
    .N          (N),
    .PARAM_ROWS (PARAM_ROWS)
  ) u_params (
    .clk         (clk),
    .wr_valid    (param_wr_valid),
    .wr_entry    (param_wr_entry),
    .wr_chunk    (param_wr_chunk),
    .wr_data     (param_wr_data),
    .rd_en       (c7_param_en),
    .rd_entry    (c7_param),
    .biases      (biases),
    .multipliers (multipliers),
    .shifts      (shifts)
  );

  // ---- Lanes -----------------------------------------------------------------------------------
  wire [N-1:0]   unused_lane;
  wire [2:0]     present = {c_present, b_present, c2_present};

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_lane
      // Multipliers are not negative, shifts have 6 bits.
      assign unused_lane[i] = &{1'b0, multipliers[32*i+31], shifts[8*i+6 +: 2]};

      tpu_vector_lane u_lane (
        .clk          (clk),
        .c2_en        (c2_en),
        .c2_en_b      (c2_en_b),
        .c2_acc       (c2_acc),
        .c2_mul       (c2_mul),
        .c2_raw       (c2_raw),
        .c2_a_zero    (c2_a_zero),
        .c2_b_zero    (c2_b_zero),
        .c2_pre_mult  (c2_pre_mult),
        .a_byte       (a_bytes[8*i +: 8]),
        .a_word       (a_words[32*i +: 32]),
        .b_byte       (b_bytes[8*i +: 8]),
        .c2_column    (c2_column),
        .c2_weight    (c2_weight),
        .c2_max       (c2_max),
        .c2_present   (present),
        .c_byte       (c_bytes[8*i +: 8]),
        .c3_sum       (c3_sum),
        .c3_column    (c3_column),
        .c4_sum       (c4_sum),
        .c4_max       (c4_max),
        .c5_sum       (c5_sum),
        .c5_max       (c5_max),
        .c6_window    (c6_window),
        .c3_en        (c3_en),
        .c3_en_b      (c3_en_b),
        .c4_en        (c4_en),
        .c4_en_b      (c4_en_b),
        .c4_raw       (c4_raw),
        .c4_round     (c4_round),
        .c5_en        (c5_en),
        .c5_en_b      (c5_en_b),
        .c5_double    (c5_double),
        .c5_shift     (c5_shift),
        .c6_en        (c6_en),
        .c6_map       (c6_map),
        .c7_en        (c7_en),
        .c7_inside    (c7_inside),
        .c7_first     (c7_first),
        .c7_max       (c7_max),
        .row_en       (row_en[15:8]),
        .c8_mode      (c8_mode),
        .c9_mode      (c9_mode),
        .c12_mode     (c12_mode),
        .c13_mode     (c13_mode),
        .bias         (biases[32*i +: 32]),
        .multiplier   (multipliers[32*i +: 31]),
        .shift        (shifts[8*i +: 6]),
        .c15_o_zero   (c15_o_zero),
        .c16_en       (row_en[16]),
        .c16_lut_en   (c16_lut_en),
        .c16_lut      (c16_lut),
        .c16_lo       (c16_lo),
        .c16_hi       (c16_hi),
        .c17_lut_en   (c17_lut_en),
        .y            (out_bytes[8*i +: 8]),
        .lut_wr_valid (lut_wr_valid),
        .lut_wr_addr  (lut_wr_addr),
        .lut_wr_data  (lut_wr_data)
      );
    end
  endgenerate

  assign b_pop     = c2_pop;
  assign c_pop     = c2_column || c2_weight;
  assign out_valid = row_en[17];

  wire unused = &{1'b0, unused_lane};

endmodule

`default_nettype wire
