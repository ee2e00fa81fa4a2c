// Control of the vector lanes: one token per tap or column travels through the stages (listed in tpu_vector_lanes) and steers them.
//
// Two configuration banks: the instruction being issued writes its fields into one when it starts; the token's tag selects the
// bank stage by stage, so that instructions follow each other without a bubble. A bank is busy until the last row of its instruction
// has left the lanes.
//
// A stage's controls are worked out in the cycle before and registered: `tap` for stages 2 to 7, `row` for stages 8 to 17
// (tpu_lane_control.vh). In stage 8 a row becomes REQUANT_LANES turns, one of each lane that shares a requantiser, so rows
// come that many cycles apart.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_lane_control.vh"

module tpu_vector_pipe #(
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share a requantiser, a power of two
  parameter REQUANT_LANES = 1
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

  // Stage 2: rows of the other streams; whether they and source A's were read, with `present` all ones for taps
  output wire                          b_pop,
  output wire                          c_pop,
  input  wire                          b_present,
  input  wire                          c_present,
  output wire [2:0]                    present,

  // Controls of the lanes
  output wire [`TPU_TAP_BITS-1:0]      tap_control,
  output wire [`TPU_ROW_BITS-1:0]      row_control,

  // Stage 7: the row's parameters are read; stages 8 and 9: of the lanes that share a requantiser, the one in the stage
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  output wire [5:0]                    turn_8,
  output wire [5:0]                    turn_9,

  // Stage 17: the row's last byte
  output wire                          row_done
);

  localparam PW        = $clog2(PARAM_ROWS);
  localparam LAST_TURN = REQUANT_LANES - 1;

  // ---- Configuration banks ---------------------------------------------------------------------
  reg [1:0]  busy_q;
  reg        acc_q      [0:1];
  reg        copy_q     [0:1];
  reg        times_a_q  [0:1];
  reg        reverse_q  [0:1];
  reg        subtract_q [0:1];
  reg        adds_q     [0:1];
  reg        larger_q   [0:1];
  reg        smaller_q  [0:1];
  reg        twice_q    [0:1];
  reg        max_q      [0:1];
  reg [30:0] factor_q   [0:1];
  reg [4:0]  shift_q    [0:1];
  reg [7:0]  a_zero_q   [0:1];
  reg [7:0]  b_zero_q   [0:1];
  reg [1:0]  mode_q     [0:1];
  reg [7:0]  o_zero_q   [0:1];
  reg [7:0]  lo_q       [0:1];
  reg [7:0]  hi_q       [0:1];
  reg        lut_en_q   [0:1];
  reg [2:0]  lut_q      [0:1];

  wire [2:0]        map     = cmd[`TPU_VECTOR_MAP];
  wire [1:0]        mode    = cmd[`TPU_VECTOR_REQUANT];
  wire              copies  = map == `TPU_VECTOR_MAP_COPY;
  wire              adds    = map == `TPU_VECTOR_MAP_ADD || map == `TPU_VECTOR_MAP_SUB || map == `TPU_VECTOR_MAP_RSUB;
  wire              picks   = map == `TPU_VECTOR_MAP_MAX || map == `TPU_VECTOR_MAP_MIN;
  wire [31:0]       factor  = cmd[`TPU_VECTOR_PRE_MULT];
  wire [4:0]        shift   = cmd[`TPU_VECTOR_PRE_SHIFT];
  wire signed [7:0] lo      = cmd[`TPU_VECTOR_LO];
  wire signed [7:0] hi      = cmd[`TPU_VECTOR_HI];

  always @(posedge clk) begin
    if (take) begin
      acc_q[take_tag]      <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      copy_q[take_tag]     <= copies;
      times_a_q[take_tag]  <= copies || map == `TPU_VECTOR_MAP_MUL;
      reverse_q[take_tag]  <= map == `TPU_VECTOR_MAP_RSUB;
      subtract_q[take_tag] <= map == `TPU_VECTOR_MAP_SUB;
      adds_q[take_tag]     <= adds;
      larger_q[take_tag]   <= map == `TPU_VECTOR_MAP_MAX;
      smaller_q[take_tag]  <= map == `TPU_VECTOR_MAP_MIN;
      // Single rounding rounds once; without a shift there is one rounding only.
      twice_q[take_tag]    <= adds && mode != `TPU_VECTOR_REQUANT_SINGLE && shift != 5'd0;
      max_q[take_tag]      <= cmd[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_MAX;
      factor_q[take_tag]   <= adds ? factor[30:0] : {30'd0, picks};
      shift_q[take_tag]    <= adds ? shift : 5'd0;
      a_zero_q[take_tag]   <= cmd[`TPU_VECTOR_A_ZERO] ^ {8{map == `TPU_VECTOR_MAP_RSUB}};
      b_zero_q[take_tag]   <= cmd[`TPU_VECTOR_B_ZERO];
      mode_q[take_tag]     <= mode;
      o_zero_q[take_tag]   <= cmd[`TPU_VECTOR_O_ZERO];
      // The upper bound wins when the bounds cross.
      lo_q[take_tag]       <= lo > hi ? hi : lo;
      hi_q[take_tag]       <= hi;
      lut_en_q[take_tag]   <= cmd[`TPU_VECTOR_LUT_ENABLE];
      lut_q[take_tag]      <= cmd[`TPU_VECTOR_LUT];
    end
  end

  // ---- Token -----------------------------------------------------------------------------------
  // {column of pixels or weights, column of weights, upper one read, tap, completes a window of columns, inside, uses b, first, last,
  // final, tag, parameter entry}; place i of the vectors below is stage i.
  reg  [2:1]      column_q;
  reg             weight_q;
  reg  [2:1]      upper_q;
  reg  [6:1]      tap_q;
  reg  [4:1]      window_q;
  reg  [5:1]      inside_q;
  reg             uses_b_q;
  reg  [6:1]      first_q;
  reg  [7:1]      last_q;
  reg  [8:1]      final_q;
  reg  [8:1]      tag_q;
  reg  [7*PW-1:0] params_q;
  // Of the last three columns, whether a pixel lay inside the image.
  reg  [2:0]      pixels_q;

  wire any_pixel_2 = upper_q[2] || b_present || c_present;
  wire inside_3    = window_q[3] ? pixels_q != 3'd0 : inside_q[3];

  always @(posedge clk) begin
    weight_q <= column_weight;
    upper_q  <= {upper_q[1], column_present};
    window_q <= {window_q[3:1], tap_window};
    inside_q <= {inside_q[4], inside_3, inside_q[2:1], tap_inside};
    uses_b_q <= tap_uses_b;
    first_q  <= {first_q[5:1], tap_first};
    tag_q    <= {tag_q[7:1], tap_tag};
    params_q <= {params_q[6*PW-1:0], tap_param};
    if (tap_control[`TPU_TAP_2_COLUMN]) begin
      pixels_q <= {pixels_q[1:0], any_pixel_2};
    end
  end

  always @(posedge clk) begin
    column_q <= {column_q[1], column};
    tap_q    <= {tap_q[5:1], tap};
    last_q   <= {last_q[6:1], tap && tap_last};
    final_q  <= {final_q[7:1], tap && tap_final};
    if (rst) begin
      column_q <= 2'd0;
      tap_q    <= 6'd0;
      last_q   <= 7'd0;
      final_q  <= 8'd0;
    end
  end

  assign c_pop       = column_q[2];
  assign param_en    = last_q[7];
  assign param_entry = params_q[7*PW-1:6*PW];
  assign present     = {c_present, b_present, upper_q[2]} | {3{tap_control[`TPU_TAP_2_EN]}};

  // ---- Controls of stages 2 to 7 -----------------------------------------------------------------
  reg [`TPU_TAP_BITS-1:0] tap_control_q;
  reg                     b_pop_q;

  assign tap_control = tap_control_q;
  assign b_pop       = b_pop_q;

  always @(posedge clk) begin
    tap_control_q[`TPU_TAP_2_EN]      <= tap_q[1] && inside_q[1] && !window_q[1];
    tap_control_q[`TPU_TAP_2_COLUMN]  <= column_q[1] && !weight_q;
    tap_control_q[`TPU_TAP_2_WEIGHT]  <= column_q[1] && weight_q;
    tap_control_q[`TPU_TAP_2_ACC]     <= acc_q[tag_q[1]];
    tap_control_q[`TPU_TAP_2_TIMES_A] <= times_a_q[tag_q[1]];
    tap_control_q[`TPU_TAP_2_FACTOR]  <= factor_q[tag_q[1]];
    tap_control_q[`TPU_TAP_2_COPY]    <= copy_q[tag_q[1]] && !column_q[1];
    tap_control_q[`TPU_TAP_2_A_ZERO]  <= a_zero_q[tag_q[1]];
    tap_control_q[`TPU_TAP_2_B_ZERO]  <= column_q[1] ? a_zero_q[tag_q[1]] : b_zero_q[tag_q[1]];
    tap_control_q[`TPU_TAP_2_REVERSE] <= reverse_q[tag_q[1]];
    tap_control_q[`TPU_TAP_2_MAX]     <= max_q[tag_q[1]];
    tap_control_q[`TPU_TAP_3_EN]      <= tap_control_q[`TPU_TAP_2_EN];
    tap_control_q[`TPU_TAP_3_COLUMN]  <= tap_control_q[`TPU_TAP_2_COLUMN];
    tap_control_q[`TPU_TAP_3_TWICE]   <= twice_q[tag_q[2]];
    tap_control_q[`TPU_TAP_3_MAX]     <= larger_q[tag_q[2]];
    tap_control_q[`TPU_TAP_3_MIN]     <= smaller_q[tag_q[2]];
    tap_control_q[`TPU_TAP_4_EN]      <= tap_control_q[`TPU_TAP_3_EN];
    tap_control_q[`TPU_TAP_4_COLUMN]  <= tap_control_q[`TPU_TAP_3_COLUMN];
    tap_control_q[`TPU_TAP_5_EN]      <= tap_control_q[`TPU_TAP_4_EN];
    tap_control_q[`TPU_TAP_5_ADDS]    <= adds_q[tag_q[4]];
    tap_control_q[`TPU_TAP_5_SUBTRACT] <= subtract_q[tag_q[4]];
    tap_control_q[`TPU_TAP_5_SHIFT]   <= shift_q[tag_q[4]];
    tap_control_q[`TPU_TAP_5_COLUMN]  <= tap_control_q[`TPU_TAP_4_COLUMN];
    tap_control_q[`TPU_TAP_5_WINDOW]  <= tap_q[4] && window_q[4];
    tap_control_q[`TPU_TAP_5_MAX]     <= max_q[tag_q[4]];
    tap_control_q[`TPU_TAP_6_EN]      <= tap_q[5];
    tap_control_q[`TPU_TAP_6_INSIDE]  <= inside_q[5];
    tap_control_q[`TPU_TAP_6_MAX]     <= max_q[tag_q[5]];
    tap_control_q[`TPU_TAP_7_EN]      <= tap_q[6];
    tap_control_q[`TPU_TAP_7_FIRST]   <= first_q[6];
    tap_control_q[`TPU_TAP_7_MAX]     <= max_q[tag_q[6]];
    b_pop_q                           <= column_q[1] || (tap_q[1] && inside_q[1] && uses_b_q);
    if (rst) begin
      tap_control_q[`TPU_TAP_2_EN]     <= 1'b0;
      tap_control_q[`TPU_TAP_2_COLUMN] <= 1'b0;
      tap_control_q[`TPU_TAP_2_WEIGHT] <= 1'b0;
      b_pop_q                          <= 1'b0;
    end
  end

  // ---- Turns: stages 8 and 9 ---------------------------------------------------------------------
  // Bit i: of the lanes that share a requantiser, lane i is in stage 8. In stage 9, the row's tag and whether it is an instruction's last.
  reg  [REQUANT_LANES-1:0] turns_8_q;
  reg  [5:0]               turn_8_q;
  reg  [5:0]               turn_9_q;
  reg                      tag_9_q;
  reg                      final_9_q;
  wire [REQUANT_LANES-1:0] turns_7 = (turns_8_q << 1) | {{(REQUANT_LANES-1){1'b0}}, last_q[7]};

  assign turn_8 = turn_8_q;
  assign turn_9 = turn_9_q;

  always @(posedge clk) begin
    turns_8_q <= turns_7;
    turn_8_q  <= last_q[7] ? 6'd0 : (turn_8_q + 6'd1) & LAST_TURN[5:0];
    turn_9_q  <= turn_8_q;
    if (turns_8_q[0]) begin
      tag_9_q   <= tag_q[8];
      final_9_q <= final_q[8];
    end
    if (rst) begin
      turns_8_q <= {REQUANT_LANES{1'b0}};
    end
  end

  `TPU_ASSERT(a_rows_keep_apart, !last_q[7] || turns_7 == 1)

  // ---- Controls of stages 8 to 17 ----------------------------------------------------------------
  reg  [`TPU_ROW_BITS-1:0] row_control_q;
  reg  [17:10]             row_tag_q;
  // Something is in the stage; the last turn of a row; the last one of an instruction.
  wire [16:8]              row_en  = row_control_q[`TPU_ROW_8_TO_16_EN];
  reg  [17:9]              row_done_q;
  reg  [17:10]             done_q;
  wire [17:9]              row_tag = {row_tag_q, tag_9_q};

  assign row_control = row_control_q;
  assign row_done    = row_done_q[17];

  always @(posedge clk) begin
    row_control_q[`TPU_ROW_EN]        <= {row_en[16:8], turns_7 != 0};
    row_control_q[`TPU_ROW_8_FIRST]   <= last_q[7];
    row_tag_q                         <= row_tag[16:9];
    if (turns_8_q[0]) begin
      row_control_q[`TPU_ROW_9_NONE]   <= mode_q[tag_q[8]] == `TPU_VECTOR_REQUANT_NONE;
      row_control_q[`TPU_ROW_9_DOUBLE] <= mode_q[tag_q[8]] == `TPU_VECTOR_REQUANT_DOUBLE;
      row_control_q[`TPU_ROW_9_DIVIDE] <= mode_q[tag_q[8]] == `TPU_VECTOR_REQUANT_DIVIDE;
    end
    row_control_q[`TPU_ROW_15_DIVIDE] <= mode_q[row_tag[14]] == `TPU_VECTOR_REQUANT_DIVIDE;
    row_control_q[`TPU_ROW_15_ZERO]   <= o_zero_q[row_tag[14]];
    row_control_q[`TPU_ROW_16_LO]     <= lo_q[row_tag[15]];
    row_control_q[`TPU_ROW_16_HI]     <= hi_q[row_tag[15]];
    row_control_q[`TPU_ROW_16_LUT_EN] <= row_en[15] && lut_en_q[row_tag[15]];
    row_control_q[`TPU_ROW_16_LUT]    <= lut_q[row_tag[15]];
    row_control_q[`TPU_ROW_17_LUT_EN] <= lut_en_q[row_tag[16]];
  end

  always @(posedge clk) begin
    row_done_q <= {row_done_q[16:9], turns_8_q[REQUANT_LANES-1]};
    done_q     <= {done_q[16:10], row_done_q[9] && final_9_q};
    if (rst) begin
      row_done_q <= 9'd0;
      done_q     <= 8'd0;
    end
  end

  always @(posedge clk) begin
    if (take) begin
      busy_q[take_tag] <= 1'b1;
    end
    if (done_q[17]) begin
      busy_q[row_tag[17]] <= 1'b0;
    end
    if (rst) begin
      busy_q <= 2'd0;
    end
  end

  assign bank_busy = busy_q;

  wire unused = &{1'b0, cmd, factor[31]};

endmodule

`default_nettype wire
