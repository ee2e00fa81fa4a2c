// tpu_ivector_pipe: each stage does what the tap or the lane's turn in it asks for, with the configuration that its instruction was started
// with. A stage is enabled exactly while it holds something, also after a reset in the middle of work; and while no configuration bank is busy
// all controls stand still.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"
`include "tpu_number_lines.vh"

module formal_tpu_ivector_pipe #(
  parameter PARAM_ROWS = 2,
  parameter INT16_LANES = 2
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire [`TPU_IVECTOR_USED-1:0] cmd,
  input wire                         a_line,
  input wire                         a_high,
  input wire                         b_line,
  input wire                         tap,
  input wire                         tap_inside,
  input wire                         tap_first,
  input wire                         tap_last,
  input wire                         tap_final,
  input wire                         tap_param,
  // While nothing is issued
  input wire                         any_bank
);

  reg start_q = 1'b1;
  always @(posedge clk) start_q <= 1'b0;

  wire rst = start_q || reset;

  // Bank of the instruction that is being issued; there is one.
  reg                              bank_q;
  reg                              alive_q;
  // The next tap is the first one of its window.
  reg                              fresh_q;
  wire                             issues   = a_line || b_line || tap;
  wire                             tap_bank = issues ? bank_q : any_bank;
  wire [1:0]                       bank_busy;
  wire                             take_a;
  wire                             take_acc;
  wire                             take_b;
  wire [`TPU_IVECTOR_TAP_BITS-1:0] t;
  wire [`TPU_IVECTOR_ROW_BITS-1:0] r;
  wire                             param_en;
  wire                             param_entry;
  wire [5:0]                       turn9;
  wire [5:0]                       turn10;
  wire                             row_done;
  wire                             row_final;
  wire [1:0]                       row_last;

  tpu_ivector_pipe #(
    .PARAM_ROWS  (PARAM_ROWS),
    .INT16_LANES (INT16_LANES)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .take        (take),
    .take_bank   (!bank_q),
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
    .tap_control (t),
    .row_control (r),
    .param_en    (param_en),
    .param_entry (param_entry),
    .turn9       (turn9),
    .turn10      (turn10),
    .row_done    (row_done),
    .row_final   (row_final),
    .row_last    (row_last)
  );

  //// What was issued: bit i, i + 1 cycles ago. ////

  reg [3:0]                   a_q, high_q, b_q;
  reg [8:0]                   param_q;
  reg [4:0]                   tap_q, inside_q, first_q, last_q, final_q, banks_q;
  // The taps so far of the window whose tap came last: one was inside
  reg                         any_q;
  wire                        any    = inside_q[4] || (any_q && !first_q[4]);
  wire                        window = tap_q[4] && last_q[4];
  // Configurations
  reg [`TPU_IVECTOR_USED-1:0] cmd_0_q, cmd_1_q;

  always @(posedge clk) begin
    a_q      <= {a_q[2:0], a_line};
    high_q   <= {high_q[2:0], a_line && a_high};
    b_q      <= {b_q[2:0], b_line};
    param_q  <= {param_q[7:0], tap_param};
    tap_q    <= {tap_q[3:0], tap};
    inside_q <= {inside_q[3:0], tap && tap_inside};
    first_q  <= {first_q[3:0], tap_first};
    last_q   <= {last_q[3:0], tap_last};
    final_q  <= {final_q[3:0], tap_final};
    banks_q  <= {banks_q[3:0], bank_q};
    any_q    <= tap_q[4] ? any : any_q;
    if (take) begin
      bank_q <= !bank_q;
      if (bank_q) cmd_0_q <= cmd;
      else cmd_1_q <= cmd;
    end
    fresh_q <= tap ? tap_last : fresh_q || take;
    alive_q <= take || (alive_q && !(tap && tap_final));
    if (rst) begin
      a_q     <= 4'd0;
      high_q  <= 4'd0;
      b_q     <= 4'd0;
      tap_q   <= 5'd0;
      fresh_q <= 1'b1;
      alive_q <= 1'b0;
    end
  end

  //// Turns: bit i, in stage i. ////

  reg [18:5] turn_q, turn_first_q, turn_last_q, turn_any_q, turn_final_q, turn_bank_q;
  // The row whose turns come; the lane whose turn was the last one
  reg        row_any_q, row_final_q, row_bank_q;
  reg  [1:0] lane_q;
  wire [1:0] lane_4 = window ? 2'd0 : lane_q + 2'd1;
  wire       turn_4 = window || lane_q != INT16_LANES - 1;
  wire       any_4  = window ? any : row_any_q;

  always @(posedge clk) begin
    turn_q       <= {turn_q[17:5], turn_4};
    turn_first_q <= {turn_first_q[17:5], window};
    turn_last_q  <= {turn_last_q[17:5], lane_4 == INT16_LANES - 1};
    turn_any_q   <= {turn_any_q[17:5], any_4};
    turn_final_q <= {turn_final_q[17:5], window ? final_q[4] : row_final_q};
    turn_bank_q  <= {turn_bank_q[17:5], window ? banks_q[4] : row_bank_q};
    if (window) begin
      row_any_q   <= any;
      row_final_q <= final_q[4];
      row_bank_q  <= banks_q[4];
    end
    if (turn_4) lane_q <= lane_4;
    if (rst) begin
      turn_q <= 14'd0;
      lane_q <= INT16_LANES - 1;
    end
  end

  //// The issuing side. ////

  integer i;

  always @* begin
    assume (!issues || alive_q);
    assume (!tap || tap_first == fresh_q);
    assume (!tap_final || tap_last);
    assume (!take || ((!alive_q || (tap && tap_final)) && !bank_busy[!bank_q]));
    if (start_q) assume (!take);
    // Rows are as far apart as the lanes that share what follows.
    for (i = 1; i < INT16_LANES; i = i + 1) assume (!(tap && tap_last) || !(tap_q[i-1] && last_q[i-1]));
  end

  //// Taps. ////

  // Configurations of the stages
  wire [`TPU_IVECTOR_USED-1:0] cmd_3  = banks_q[3] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_4  = banks_q[4] ? cmd_1_q : cmd_0_q;

  // What holds after the second cycle; registers of data have no reset.
  always @* begin
    if (!start_q) begin
      assert (take_a == a_q[2] && take_b == b_q[2]);
      if (take_a) assert (take_acc == ((banks_q[2] ? cmd_1_q[`TPU_IVECTOR_SOURCE] : cmd_0_q[`TPU_IVECTOR_SOURCE]) == `TPU_VECTOR_SOURCE_ACC));
      assert (t[`TPU_IVECTOR_TAP_3_EN] == (inside_q[3] && tap_q[3] || high_q[3]));
      assert (t[`TPU_IVECTOR_TAP_3_B_EN] == (inside_q[3] && tap_q[3]));
      assert (t[`TPU_IVECTOR_TAP_4_EN] == (tap_q[4] && (first_q[4] || inside_q[4])));
      assert (t[`TPU_IVECTOR_TAP_4_B_EN] == (tap_q[4] && inside_q[4]));
      if (t[`TPU_IVECTOR_TAP_3_EN]) begin
        assert (t[`TPU_IVECTOR_TAP_3_HIGH] == high_q[3]);
        assert (t[`TPU_IVECTOR_TAP_3_A_FORMAT] == cmd_3[`TPU_IVECTOR_A_FORMAT]);
      end
      if (t[`TPU_IVECTOR_TAP_3_B_EN]) begin
        assert (t[`TPU_IVECTOR_TAP_3_B_FORMAT] == cmd_3[`TPU_IVECTOR_B_FORMAT]);
        assert (t[`TPU_IVECTOR_TAP_3_B_CONSTANT] == (cmd_3[`TPU_IVECTOR_OPERAND] == `TPU_INTEGER_OPERAND_CONSTANT));
        assert (t[`TPU_IVECTOR_TAP_3_CONSTANT] == cmd_3[`TPU_IVECTOR_CONSTANT]);
      end
      if (t[`TPU_IVECTOR_TAP_4_EN]) begin
        assert (t[`TPU_IVECTOR_TAP_4_FIRST] == first_q[4]);
        assert (t[`TPU_IVECTOR_TAP_4_INSIDE] == inside_q[4]);
        assert (t[`TPU_IVECTOR_TAP_4_MAX] == (cmd_4[`TPU_IVECTOR_REDUCE] == `TPU_VECTOR_REDUCE_MAX));
      end
    end
  end

  //// Turns. ////

  wire [`TPU_IVECTOR_USED-1:0] cmd_5  = turn_bank_q[5] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_6  = turn_bank_q[6] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_7  = turn_bank_q[7] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_8  = turn_bank_q[8] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_9  = turn_bank_q[9] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_10 = turn_bank_q[10] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_16 = turn_bank_q[16] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_17 = turn_bank_q[17] ? cmd_1_q : cmd_0_q;
  wire [`TPU_IVECTOR_USED-1:0] cmd_18 = turn_bank_q[18] ? cmd_1_q : cmd_0_q;
  wire [3:0]                   map_5  = cmd_5[`TPU_IVECTOR_MAP];
  wire [3:0]                   map_6  = cmd_6[`TPU_IVECTOR_MAP];
  wire [3:0]                   map_7  = cmd_7[`TPU_IVECTOR_MAP];
  wire [3:0]                   map_8  = cmd_8[`TPU_IVECTOR_MAP];
  wire [2:0]                   mode_10 = cmd_10[`TPU_IVECTOR_REQUANT];
  wire signed [15:0]           lo_17  = cmd_17[`TPU_IVECTOR_LO];
  wire signed [15:0]           hi_17  = cmd_17[`TPU_IVECTOR_HI];

  function scales(input [3:0] map);
    scales = map == `TPU_INTEGER_MAP_ADDP || map == `TPU_INTEGER_MAP_SUBP || map == `TPU_INTEGER_MAP_RSUBP;
  endfunction

  always @* begin
    if (!start_q) begin
      assert (r[`TPU_IVECTOR_ROW_EN] == turn_q);
      assert (param_en == (turn_q[8] && turn_first_q[8]));
      if (param_en) assert (param_entry == param_q[8]);
      if (turn_q[5]) begin
        assert (r[`TPU_IVECTOR_ROW_5_FIRST] == turn_first_q[5]);
        assert (r[`TPU_IVECTOR_ROW_5_X] == (map_5 == `TPU_INTEGER_MAP_MUL ? `TPU_IVECTOR_X_R
                                            : scales(map_5) ? `TPU_IVECTOR_X_CONSTANT : `TPU_IVECTOR_X_B));
        // Windows outside the bounds pass the map as in copy.
        assert (r[`TPU_IVECTOR_ROW_5_Y] == (!turn_any_q[5] || map_5 == `TPU_INTEGER_MAP_COPY || map_5 == `TPU_INTEGER_MAP_LOOK ? `TPU_IVECTOR_Y_ZERO
                                            : map_5 == `TPU_INTEGER_MAP_MUL || scales(map_5) ? `TPU_IVECTOR_Y_B : `TPU_IVECTOR_Y_ONE));
        assert (r[`TPU_IVECTOR_ROW_5_CONSTANT] == cmd_5[`TPU_IVECTOR_CONSTANT]);
        assert (r[`TPU_IVECTOR_ROW_5_FACTOR] == turn_any_q[5]);
      end
      if (turn_q[6]) begin
        assert (r[`TPU_IVECTOR_ROW_6_LOOK] == (turn_any_q[6] && map_6 == `TPU_INTEGER_MAP_LOOK));
        assert (r[`TPU_IVECTOR_ROW_6_LUT] == cmd_6[`TPU_IVECTOR_LUT]);
        assert (r[`TPU_IVECTOR_ROW_6_NEGATE] == (turn_any_q[6] && (map_6 == `TPU_INTEGER_MAP_RSUB || map_6 == `TPU_INTEGER_MAP_RSUBP)));
        assert (r[`TPU_IVECTOR_ROW_6_TWICE] == (turn_any_q[6] && scales(map_6) && cmd_6[`TPU_IVECTOR_PRE_SHIFT] != 5'd0
                                                && cmd_6[`TPU_IVECTOR_REQUANT] != `TPU_INTEGER_REQUANT_SINGLE));
      end
      if (turn_q[7]) begin
        assert (r[`TPU_IVECTOR_ROW_7_LOOK] == (turn_any_q[7] && map_7 == `TPU_INTEGER_MAP_LOOK));
        assert (r[`TPU_IVECTOR_ROW_7_SCALED] == (turn_any_q[7] && scales(map_7)));
        assert (r[`TPU_IVECTOR_ROW_7_PRODUCT] == (turn_any_q[7] && map_7 == `TPU_INTEGER_MAP_MUL));
        assert (r[`TPU_IVECTOR_ROW_7_MAX] == (turn_any_q[7] && map_7 == `TPU_INTEGER_MAP_MAX));
        assert (r[`TPU_IVECTOR_ROW_7_MIN] == (turn_any_q[7] && map_7 == `TPU_INTEGER_MAP_MIN));
      end
      if (turn_q[8]) begin
        assert (r[`TPU_IVECTOR_ROW_8_SCALED] == scales(map_8));
        assert (r[`TPU_IVECTOR_ROW_8_SHIFT] == (scales(map_8) ? cmd_8[`TPU_IVECTOR_PRE_SHIFT] : 5'd0));
        assert (r[`TPU_IVECTOR_ROW_8_SUBTRACT] == (turn_any_q[8] && (map_8 == `TPU_INTEGER_MAP_SUB || map_8 == `TPU_INTEGER_MAP_SUBP)));
      end
      if (turn_q[9]) begin
        assert (turn_first_q[9] ? turn9 == 6'd0 : turn9 != 6'd0);
        assert (r[`TPU_IVECTOR_ROW_9_UNIFORM] == cmd_9[`TPU_IVECTOR_UNIFORM]);
      end
      if (turn_q[10]) begin
        assert (turn_first_q[10] ? turn10 == 6'd0 : turn10 != 6'd0);
        assert (r[`TPU_IVECTOR_ROW_10_UNIFORM] == cmd_10[`TPU_IVECTOR_UNIFORM]);
        assert (r[`TPU_IVECTOR_ROW_10_NONE] == (mode_10 == `TPU_INTEGER_REQUANT_NONE));
        assert (r[`TPU_IVECTOR_ROW_10_DOUBLE] == (mode_10 == `TPU_INTEGER_REQUANT_DOUBLE || mode_10 == `TPU_INTEGER_REQUANT_PRODUCT));
        assert (r[`TPU_IVECTOR_ROW_10_FACTOR] == (mode_10 == `TPU_INTEGER_REQUANT_PRODUCT));
        assert (r[`TPU_IVECTOR_ROW_10_DIVIDE] == (mode_10 == `TPU_INTEGER_REQUANT_DIVIDE));
        assert (r[`TPU_IVECTOR_ROW_10_WIDE] == (mode_10 == `TPU_INTEGER_REQUANT_WIDE));
      end
      if (turn_q[16]) begin
        assert (r[`TPU_IVECTOR_ROW_16_DIVIDE] == (cmd_16[`TPU_IVECTOR_REQUANT] == `TPU_INTEGER_REQUANT_DIVIDE));
        assert (r[`TPU_IVECTOR_ROW_16_ZERO] == cmd_16[`TPU_IVECTOR_O_ZERO]);
      end
      if (turn_q[17]) begin
        assert (r[`TPU_IVECTOR_ROW_17_LO] == (lo_17 > hi_17 ? hi_17 : lo_17));
        assert (r[`TPU_IVECTOR_ROW_17_HI] == hi_17);
        assert (r[`TPU_IVECTOR_ROW_17_WORD] == (cmd_17[`TPU_IVECTOR_O_FORMAT] == `TPU_INTEGER_FORMAT_INT32));
      end
      assert (row_done == (turn_q[18] && turn_last_q[18]));
      assert (row_final == (row_done && turn_final_q[18]));
      if (row_done) assert (row_last == `TPU_LAST_INTEGER_LINE(cmd_18[`TPU_IVECTOR_O_FORMAT]));
    end
  end

  //// While no bank is busy everything stands still. ////

  reg                              idle_q;
  reg [`TPU_IVECTOR_TAP_BITS-1:0]  t_q;
  reg [`TPU_IVECTOR_ROW_BITS-1:0]  r_q;
  reg [14:0]                       others_q;

  wire [14:0] others = {take_acc, turn9, turn10, row_last};

  always @(posedge clk) begin
    idle_q   <= bank_busy == 2'd0 && !rst && !take;
    t_q      <= t;
    r_q      <= r;
    others_q <= others;
  end

  always @* begin
    if (!start_q && idle_q) assert (t == t_q && r == r_q && others == others_q);
  end

endmodule

`default_nettype wire
