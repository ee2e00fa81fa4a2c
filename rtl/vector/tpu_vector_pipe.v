// Control of the vector lanes: what is in which stage, and the configuration that belongs to it.
//
// Two configuration banks: the instruction being issued writes its fields into one when it starts; a tag bit travels with every tap and
// row and selects the bank stage by stage, so that instructions follow each other without a bubble. A bank is busy until
// the last row of its instruction has left the lanes. Outputs c<n>_* are for what is in stage n (see tpu_vector).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_pipe #(
  // Parameter entries
  parameter PARAM_ROWS = 512
) (
  input  wire                          clk,
  input  wire                          rst,

  // An instruction starts and takes bank `take_tag`
  input  wire                          take,
  input  wire                          take_tag,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  output wire [1:0]                    bank_busy,

  // Column and tap issued in this cycle: stage 0
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

  // Stages 2 to 6: columns and windows
  output wire                          c2_pop,
  output wire                          c2_column,
  output wire                          c2_weight,
  output wire                          c2_present,
  output wire                          c2_max,
  output wire                          c3_sum,
  output wire                          c3_column,
  output wire                          c4_sum,
  output wire                          c4_max,
  output wire                          c5_sum,
  output wire                          c5_max,
  output wire                          c6_window,

  // Stages 2 to 7: taps
  output wire                          c2_en,
  output wire                          c2_en_b,
  output wire                          c2_acc,
  output wire                          c2_mul,
  output wire                          c2_raw,
  output wire [7:0]                    c2_a_zero,
  output wire [7:0]                    c2_b_zero,
  output wire [30:0]                   c2_pre_mult,
  output wire                          c3_en,
  output wire                          c3_en_b,
  output wire                          c4_en,
  output wire                          c4_en_b,
  output wire                          c4_raw,
  output wire                          c4_round,
  output wire                          c5_en,
  output wire                          c5_en_b,
  output wire                          c5_double,
  output wire [4:0]                    c5_shift,
  output wire                          c6_en,
  output wire [2:0]                    c6_map,
  output wire                          c7_en,
  output wire                          c7_inside,
  output wire                          c7_first,
  output wire                          c7_max,
  output wire                          c7_param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] c7_param,

  // Stages 8 to 17: rows
  output wire [17:8]                   row_en,
  output wire [1:0]                    c8_mode,
  output wire [1:0]                    c9_mode,
  output wire [1:0]                    c12_mode,
  output wire [1:0]                    c13_mode,
  output wire [7:0]                    c15_o_zero,
  output wire                          c16_lut_en,
  output wire [2:0]                    c16_lut,
  output wire [7:0]                    c16_lo,
  output wire [7:0]                    c16_hi,
  output wire                          c17_lut_en
);

  localparam PW = $clog2(PARAM_ROWS);

  // ---- What is in the stages -------------------------------------------------------------------
  reg  [7:1]      tap_q;
  // In bounds; of these: to be mapped, source B is used, a window's result
  reg  [7:1]      data_q;
  reg  [5:1]      data_a_q;
  reg  [5:1]      data_b_q;
  reg  [6:1]      window_q;
  reg  [3:1]      column_q;
  reg  [2:1]      weight_q;
  reg  [2:1]      present_q;
  reg  [7:1]      first_q;
  reg  [7:1]      last_q;
  reg  [17:8]     row_q;
  reg  [17:1]     final_q;
  reg  [17:1]     tag_q;
  reg  [7*PW-1:0] params_q;

  always @(posedge clk) begin
    data_q    <= {data_q[6:1], tap && tap_inside};
    data_a_q  <= {data_a_q[4:1], tap && tap_inside && !tap_window};
    window_q  <= {window_q[5:1], tap && tap_window};
    weight_q  <= {weight_q[1], column_weight};
    present_q <= {present_q[1], column_present};
    first_q   <= {first_q[6:1], tap_first};
    tag_q     <= {tag_q[16:1], tap_tag};
    params_q  <= {params_q[6*PW-1:0], tap_param};
  end

  always @(posedge clk) begin
    row_q    <= {row_q[16:8], last_q[7]};
    tap_q    <= {tap_q[6:1], tap};
    data_b_q <= {data_b_q[4:1], tap && tap_inside && tap_uses_b};
    column_q <= {column_q[2] && !weight_q[2], column_q[1], column};
    last_q   <= {last_q[6:1], tap && tap_last};
    final_q  <= {final_q[16:1], tap && tap_final};
    if (rst) begin
      tap_q    <= 7'd0;
      data_b_q <= 5'd0;
      column_q <= 3'd0;
      last_q   <= 7'd0;
      row_q    <= 10'd0;
      final_q  <= 17'd0;
    end
  end

  // ---- Configuration banks ---------------------------------------------------------------------
  reg  [1:0]  busy_q;
  reg         acc_q      [0:1];
  reg  [2:0]  map_q      [0:1];
  reg         max_q      [0:1];
  reg  [1:0]  mode_q     [0:1];
  reg         lut_en_q   [0:1];
  reg  [2:0]  lut_q      [0:1];
  reg  [7:0]  a_zero_q   [0:1];
  reg  [7:0]  b_zero_q   [0:1];
  reg  [7:0]  o_zero_q   [0:1];
  reg  [7:0]  lo_q       [0:1];
  reg  [7:0]  hi_q       [0:1];
  reg  [30:0] pre_mult_q [0:1];
  // Shift after the premultiplier's product; 0 for maps that do not requantise b.
  reg  [4:0]  shift_q    [0:1];
  // The map takes b itself: max and min; or a * b.
  reg         raw_q      [0:1];
  reg         mul_q      [0:1];

  wire [2:0]  map    = cmd[`TPU_VECTOR_MAP];
  wire        is_mul = map == `TPU_VECTOR_MAP_MUL;
  wire        is_raw = is_mul || map == `TPU_VECTOR_MAP_MAX || map == `TPU_VECTOR_MAP_MIN;

  always @(posedge clk) begin
    if (take) begin
      acc_q[take_tag]      <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      map_q[take_tag]      <= map;
      max_q[take_tag]      <= cmd[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_MAX;
      mode_q[take_tag]     <= cmd[`TPU_VECTOR_REQUANT];
      lut_en_q[take_tag]   <= cmd[`TPU_VECTOR_LUT_ENABLE];
      lut_q[take_tag]      <= cmd[`TPU_VECTOR_LUT];
      a_zero_q[take_tag]   <= cmd[`TPU_VECTOR_A_ZERO];
      b_zero_q[take_tag]   <= cmd[`TPU_VECTOR_B_ZERO];
      o_zero_q[take_tag]   <= cmd[`TPU_VECTOR_O_ZERO];
      lo_q[take_tag]       <= cmd[`TPU_VECTOR_LO];
      hi_q[take_tag]       <= cmd[`TPU_VECTOR_HI];
      pre_mult_q[take_tag] <= cmd[702:672];
      shift_q[take_tag]    <= is_raw ? 5'd0 : cmd[`TPU_VECTOR_PRE_SHIFT];
      raw_q[take_tag]      <= is_raw;
      mul_q[take_tag]      <= is_mul;
    end
  end

  always @(posedge clk) begin
    if (take) begin
      busy_q[take_tag] <= 1'b1;
    end
    if (final_q[17]) begin
      busy_q[tag_q[17]] <= 1'b0;
    end
    if (rst) begin
      busy_q <= 2'd0;
    end
  end

  assign bank_busy = busy_q;

  // ---- Stage controls --------------------------------------------------------------------------
  assign c2_pop     = column_q[2] || data_b_q[2];
  assign c2_column  = column_q[2] && !weight_q[2];
  assign c2_weight  = column_q[2] && weight_q[2];
  assign c2_present = present_q[2];
  assign c2_max     = max_q[tag_q[2]];
  assign c3_sum     = window_q[3] && !max_q[tag_q[3]];
  assign c3_column  = column_q[3] && max_q[tag_q[3]];
  assign c4_sum     = window_q[4] && !max_q[tag_q[4]];
  assign c4_max     = window_q[4] && max_q[tag_q[4]];
  assign c5_sum     = window_q[5] && !max_q[tag_q[5]];
  assign c5_max     = window_q[5] && max_q[tag_q[5]];
  assign c6_window  = window_q[6];

  assign c2_en       = data_a_q[2];
  assign c2_en_b     = data_b_q[2];
  assign c2_acc      = acc_q[tag_q[2]];
  assign c2_mul      = mul_q[tag_q[2]];
  assign c2_raw      = raw_q[tag_q[2]];
  assign c2_a_zero   = a_zero_q[tag_q[2]];
  assign c2_b_zero   = b_zero_q[tag_q[2]];
  assign c2_pre_mult = pre_mult_q[tag_q[2]];

  assign c3_en     = data_a_q[3];
  assign c3_en_b   = data_b_q[3];
  assign c4_en     = data_a_q[4];
  assign c4_en_b   = data_b_q[4];
  assign c4_raw    = raw_q[tag_q[4]];
  // Single rounding rounds once, in the last shift.
  assign c4_round  = mode_q[tag_q[4]] != `TPU_VECTOR_REQUANT_SINGLE || shift_q[tag_q[4]] == 5'd0;
  assign c5_en     = data_a_q[5];
  assign c5_en_b   = data_b_q[5];
  assign c5_double = mode_q[tag_q[5]] != `TPU_VECTOR_REQUANT_SINGLE;
  assign c5_shift  = shift_q[tag_q[5]];
  assign c6_en     = data_q[6];
  assign c6_map    = map_q[tag_q[6]];

  assign c7_en       = tap_q[7];
  assign c7_inside   = data_q[7];
  assign c7_first    = first_q[7];
  assign c7_max      = max_q[tag_q[7]];
  assign c7_param_en = last_q[7];
  assign c7_param    = params_q[7*PW-1:6*PW];

  assign row_en     = row_q;
  assign c8_mode    = mode_q[tag_q[8]];
  assign c9_mode    = mode_q[tag_q[9]];
  assign c12_mode   = mode_q[tag_q[12]];
  assign c13_mode   = mode_q[tag_q[13]];
  assign c15_o_zero = o_zero_q[tag_q[15]];
  assign c16_lut_en = row_q[16] && lut_en_q[tag_q[16]];
  assign c16_lut    = lut_q[tag_q[16]];
  assign c16_lo     = lo_q[tag_q[16]];
  assign c16_hi     = hi_q[tag_q[16]];
  assign c17_lut_en = lut_en_q[tag_q[17]];

  wire unused = &{1'b0, cmd};

endmodule

`default_nettype wire
