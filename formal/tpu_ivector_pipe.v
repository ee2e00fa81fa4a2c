// tpu_ivector_pipe: each stage of the lanes is enabled exactly when a tap or turn is in it, and does what the bank of its instruction says; so
// it does after a reset in the middle of work, when nothing is in any stage. While no bank is busy, all that the lanes see stands still.
//
// The issuing side is the solver's: rows keep as many cycles apart as they have turns. What stands beside a line or a tap (bank, high, inside,
// first, last, parameter entry) is anything in a cycle without one.
//
// Constants, bounds and zero point are compared with the reference in simulation.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"
`include "tpu_number_lines.vh"

module formal_tpu_ivector_pipe #(
  parameter PARAM_ROWS = 2,
  parameter INT16_LANES = 4
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire [`TPU_IVECTOR_USED-1:0] cmd,
  input wire                         a_line,
  input wire                         a_high,
  input wire                         b_line,
  input wire                         tap,
  input wire                         tap_bank,
  input wire                         tap_inside,
  input wire                         tap_first,
  input wire                         tap_last,
  input wire                         tap_final,
  input wire                         tap_param
);

  localparam LAST_LANE = INT16_LANES - 1;

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  // Bank of the instruction that is being issued; there is one.
  reg                              bank_q;
  reg                              alive_q;
  wire [1:0]                       bank_busy;
  wire                             take_a;
  wire                             take_acc;
  wire                             take_b;
  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap_control;
  wire [`TPU_IVECTOR_ROW_BITS-1:0] row_control;
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
    .tap_control (tap_control),
    .row_control (row_control),
    .param_en    (param_en),
    .param_entry (param_entry),
    .turn9       (turn9),
    .turn10      (turn10),
    .row_done    (row_done),
    .row_final   (row_final),
    .row_last    (row_last)
  );

  //// What the banks' instructions ask for. ////

  reg        acc_q        [0:1];
  reg  [1:0] a_format_q   [0:1];
  reg  [1:0] b_format_q   [0:1];
  reg        b_constant_q [0:1];
  reg        max_q        [0:1];
  reg  [1:0] x_q          [0:1];
  reg  [1:0] y_q          [0:1];
  reg        negate_q     [0:1];
  reg        subtract_q   [0:1];
  reg        product_q    [0:1];
  reg        scaled_q     [0:1];
  reg        twice_q      [0:1];
  reg        larger_q     [0:1];
  reg        smaller_q    [0:1];
  reg        look_q       [0:1];
  reg        lut_q        [0:1];
  reg        uniform_q    [0:1];
  reg  [4:0] shift_q      [0:1];
  reg  [2:0] mode_q       [0:1];
  reg  [1:0] o_format_q   [0:1];

  wire [3:0] map    = cmd[`TPU_IVECTOR_MAP];
  wire [2:0] mode   = cmd[`TPU_IVECTOR_REQUANT];
  wire [4:0] shift  = cmd[`TPU_IVECTOR_PRE_SHIFT];
  reg  [1:0] x;
  reg  [1:0] y;
  reg        scales;

  always @* begin
    scales = 1'b0;
    x      = `TPU_IVECTOR_X_B;
    y      = `TPU_IVECTOR_Y_ONE;
    case (map)
      `TPU_INTEGER_MAP_COPY, `TPU_INTEGER_MAP_LOOK: y = `TPU_IVECTOR_Y_ZERO;
      `TPU_INTEGER_MAP_MUL: begin
        x = `TPU_IVECTOR_X_R;
        y = `TPU_IVECTOR_Y_B;
      end
      `TPU_INTEGER_MAP_ADDP, `TPU_INTEGER_MAP_SUBP, `TPU_INTEGER_MAP_RSUBP: begin
        x      = `TPU_IVECTOR_X_CONSTANT;
        y      = `TPU_IVECTOR_Y_B;
        scales = 1'b1;
      end
      default: ;
    endcase
  end

  always @(posedge clk) begin
    if (take) begin
      acc_q[!bank_q]        <= cmd[`TPU_IVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      a_format_q[!bank_q]   <= cmd[`TPU_IVECTOR_A_FORMAT];
      b_format_q[!bank_q]   <= cmd[`TPU_IVECTOR_B_FORMAT];
      b_constant_q[!bank_q] <= cmd[`TPU_IVECTOR_OPERAND] == `TPU_INTEGER_OPERAND_CONSTANT;
      max_q[!bank_q]        <= cmd[`TPU_IVECTOR_REDUCE] == `TPU_VECTOR_REDUCE_MAX;
      x_q[!bank_q]          <= x;
      y_q[!bank_q]          <= y;
      negate_q[!bank_q]     <= map == `TPU_INTEGER_MAP_RSUB || map == `TPU_INTEGER_MAP_RSUBP;
      subtract_q[!bank_q]   <= map == `TPU_INTEGER_MAP_SUB || map == `TPU_INTEGER_MAP_SUBP;
      product_q[!bank_q]    <= map == `TPU_INTEGER_MAP_MUL;
      scaled_q[!bank_q]     <= scales;
      twice_q[!bank_q]      <= scales && mode != `TPU_INTEGER_REQUANT_SINGLE && shift != 5'd0;
      larger_q[!bank_q]     <= map == `TPU_INTEGER_MAP_MAX;
      smaller_q[!bank_q]    <= map == `TPU_INTEGER_MAP_MIN;
      look_q[!bank_q]       <= map == `TPU_INTEGER_MAP_LOOK;
      lut_q[!bank_q]        <= cmd[`TPU_IVECTOR_LUT];
      uniform_q[!bank_q]    <= cmd[`TPU_IVECTOR_UNIFORM];
      shift_q[!bank_q]      <= scales ? shift : 5'd0;
      mode_q[!bank_q]       <= mode;
      o_format_q[!bank_q]   <= cmd[`TPU_IVECTOR_O_FORMAT];
    end
  end

  //// Lines and taps: bit i was issued i + 1 cycles ago. ////

  reg  [3:0] a_line_q;
  reg  [3:0] a_high_q;
  reg  [3:0] b_line_q;
  reg  [8:0] tap_q;
  reg  [8:0] bank_of_q;
  reg  [8:0] inside_q;
  reg  [8:0] first_q;
  reg  [8:0] last_q;
  reg  [8:0] final_q;
  reg  [8:0] param_q;
  // Of the window's taps in and behind cycle 4 one lay inside.
  reg        any_q;
  wire       any    = inside_q[4] || (!first_q[4] && any_q);
  wire       window = tap_q[4] && last_q[4];

  //// Turns: bit i of a row's is that of lane i, in this cycle; bit i of a turn's is in stage 5 + i. ////

  reg  [LAST_LANE:0] row_q;
  wire [LAST_LANE:0] row       = {row_q[LAST_LANE:1], window};
  reg                row_bank_q;
  reg                row_final_q;
  reg                row_any_q;
  wire               turn_bank  = window ? bank_of_q[4] : row_bank_q;
  wire               turn_final = window ? final_q[4] : row_final_q;
  wire               turn_any   = window ? any : row_any_q;
  reg  [13:0]        turn_q;
  reg  [13:0]        turn_bank_q;
  reg  [13:0]        turn_first_q;
  reg  [13:0]        turn_last_q;
  reg  [13:0]        turn_final_q;
  reg  [13:0]        turn_any_q;
  reg  [5:0]         lane_q [0:5];
  reg  [5:0]         lane;
  reg  [1:0]         busy_q;

  wire done  = turn_q[13] && turn_last_q[13];
  wire final = done && turn_final_q[13];

  integer i;

  always @* begin
    lane = 6'd0;
    for (i = 0; i <= LAST_LANE; i = i + 1) if (row[i]) lane = i;
  end

  integer j;

  always @(posedge clk) begin
    a_line_q     <= {a_line_q[2:0], a_line};
    a_high_q     <= {a_high_q[2:0], a_high};
    b_line_q     <= {b_line_q[2:0], b_line};
    tap_q        <= {tap_q[7:0], tap};
    bank_of_q    <= {bank_of_q[7:0], tap_bank};
    inside_q     <= {inside_q[7:0], tap_inside};
    first_q      <= {first_q[7:0], tap_first};
    last_q       <= {last_q[7:0], tap_last};
    final_q      <= {final_q[7:0], tap_final};
    param_q      <= {param_q[7:0], tap_param};
    if (tap_q[4]) any_q <= any;
    row_q        <= {row[LAST_LANE-1:0], 1'b0};
    row_bank_q   <= turn_bank;
    row_final_q  <= turn_final;
    row_any_q    <= turn_any;
    turn_q       <= {turn_q[12:0], row != 0};
    turn_bank_q  <= {turn_bank_q[12:0], turn_bank};
    turn_first_q <= {turn_first_q[12:0], window};
    turn_last_q  <= {turn_last_q[12:0], row[LAST_LANE]};
    turn_final_q <= {turn_final_q[12:0], turn_final};
    turn_any_q   <= {turn_any_q[12:0], turn_any};
    lane_q[0]    <= lane;
    for (j = 1; j < 6; j = j + 1) lane_q[j] <= lane_q[j-1];
    if (take) begin
      busy_q[!bank_q] <= 1'b1;
      bank_q          <= !bank_q;
    end
    if (final) busy_q[turn_bank_q[13]] <= 1'b0;
    alive_q <= take || (alive_q && !(tap && tap_final));
    if (rst) begin
      a_line_q <= 4'd0;
      b_line_q <= 4'd0;
      tap_q    <= 9'd0;
      row_q    <= {INT16_LANES{1'b0}};
      turn_q   <= 14'd0;
      busy_q   <= 2'd0;
      bank_q   <= 1'b0;
      alive_q  <= 1'b0;
    end
  end

  //// The issuing side. ////

  // Something of the bank's instruction is in the lanes, or is to come, beside a last turn that leaves.
  wire [4:0] issued = tap_q[4:0] | {1'b0, a_line_q | b_line_q};
  wire [1:0] others = {
    (issued & bank_of_q[4:0]) != 0 || ((row_q >> 1) != 0 && row_bank_q) || (turn_q[12:0] & turn_bank_q[12:0]) != 0 || (alive_q && bank_q),
    (issued & ~bank_of_q[4:0]) != 0 || ((row_q >> 1) != 0 && !row_bank_q) || (turn_q[12:0] & ~turn_bank_q[12:0]) != 0 || (alive_q && !bank_q)
  };
  wire [1:0] leaves = turn_q[13] ? {turn_bank_q[13], !turn_bank_q[13]} : 2'd0;

  always @* begin
    // What is issued in a reset is lost; configuration would stay.
    assume (!rst || !take);
    if (!rst) begin
      assume (!(a_line || b_line || tap) || (alive_q && tap_bank == bank_q));
      assume (!tap || !tap_final || tap_last);
      assume (!take || ((!alive_q || (tap && tap_final)) && !busy_q[!bank_q]));
      assume (!window || (row_q >> 1) == 0);
      // The last tap's row is the instruction's last one.
      assume (!final || !others[turn_bank_q[13]]);
    end
  end

  (* hierconn *) wire \dut.acc_q[0] ;
  (* hierconn *) wire \dut.acc_q[1] ;
  (* hierconn *) wire [1:0] \dut.a_format_q[0] ;
  (* hierconn *) wire [1:0] \dut.a_format_q[1] ;
  (* hierconn *) wire [1:0] \dut.b_format_q[0] ;
  (* hierconn *) wire [1:0] \dut.b_format_q[1] ;
  (* hierconn *) wire \dut.b_constant_q[0] ;
  (* hierconn *) wire \dut.b_constant_q[1] ;
  (* hierconn *) wire \dut.max_q[0] ;
  (* hierconn *) wire \dut.max_q[1] ;
  (* hierconn *) wire [1:0] \dut.x_q[0] ;
  (* hierconn *) wire [1:0] \dut.x_q[1] ;
  (* hierconn *) wire [1:0] \dut.y_q[0] ;
  (* hierconn *) wire [1:0] \dut.y_q[1] ;
  (* hierconn *) wire \dut.negate_q[0] ;
  (* hierconn *) wire \dut.negate_q[1] ;
  (* hierconn *) wire \dut.subtract_q[0] ;
  (* hierconn *) wire \dut.subtract_q[1] ;
  (* hierconn *) wire \dut.product_q[0] ;
  (* hierconn *) wire \dut.product_q[1] ;
  (* hierconn *) wire \dut.scaled_q[0] ;
  (* hierconn *) wire \dut.scaled_q[1] ;
  (* hierconn *) wire \dut.twice_q[0] ;
  (* hierconn *) wire \dut.twice_q[1] ;
  (* hierconn *) wire \dut.larger_q[0] ;
  (* hierconn *) wire \dut.larger_q[1] ;
  (* hierconn *) wire \dut.smaller_q[0] ;
  (* hierconn *) wire \dut.smaller_q[1] ;
  (* hierconn *) wire \dut.look_q[0] ;
  (* hierconn *) wire \dut.look_q[1] ;
  (* hierconn *) wire \dut.lut_q[0] ;
  (* hierconn *) wire \dut.lut_q[1] ;
  (* hierconn *) wire \dut.uniform_q[0] ;
  (* hierconn *) wire \dut.uniform_q[1] ;
  (* hierconn *) wire [4:0] \dut.shift_q[0] ;
  (* hierconn *) wire [4:0] \dut.shift_q[1] ;
  (* hierconn *) wire [2:0] \dut.mode_q[0] ;
  (* hierconn *) wire [2:0] \dut.mode_q[1] ;
  (* hierconn *) wire [1:0] \dut.o_format_q[0] ;
  (* hierconn *) wire [1:0] \dut.o_format_q[1] ;
  (* hierconn *) wire [2:0] \dut.a_line_q ;
  (* hierconn *) wire [2:0] \dut.a_high_q ;
  (* hierconn *) wire [2:0] \dut.b_line_q ;
  (* hierconn *) wire [4:0] \dut.tap_q ;
  (* hierconn *) wire [4:0] \dut.bank_q ;
  (* hierconn *) wire [4:0] \dut.inside_q ;
  (* hierconn *) wire [4:0] \dut.first_q ;
  (* hierconn *) wire [4:0] \dut.last_q ;
  (* hierconn *) wire [4:0] \dut.final_q ;
  (* hierconn *) wire \dut.any_q ;
  (* hierconn *) wire \dut.more_q ;
  (* hierconn *) wire [5:0] \dut.next_q ;
  (* hierconn *) wire \dut.row_bank_q ;
  (* hierconn *) wire \dut.row_final_q ;
  (* hierconn *) wire \dut.row_any_q ;
  (* hierconn *) wire [13:0] \dut.turn_q ;
  (* hierconn *) wire [13:0] \dut.turn_bank_q ;
  (* hierconn *) wire [3:0] \dut.turn_first_q ;
  (* hierconn *) wire [13:0] \dut.turn_last_q ;
  (* hierconn *) wire [13:0] \dut.turn_final_q ;
  (* hierconn *) wire [2:0] \dut.turn_any_q ;
  (* hierconn *) wire \dut.u_entries.in_valid ;
  (* hierconn *) wire \dut.u_entries.in_data ;
  (* hierconn *) wire \dut.u_entries.out_data ;
  (* hierconn *) wire [4:0] \dut.u_entries.level_q ;

  //// The queue: words come out in the order in which they went in (formal/tpu_fifo.v), which is the order of windows. ////

  reg  [4:0] windows;

  integer k;

  always @* begin
    windows = 5'd0;
    for (k = 0; k < 9; k = k + 1) windows = windows + (tap_q[k] && last_q[k]);
    if (!rst) begin
      assert (\dut.u_entries.in_valid  == (tap && tap_last));
      assert (\dut.u_entries.in_data  == tap_param);
      assert (\dut.u_entries.level_q  == windows);
      if (tap_q[8] && last_q[8]) assume (\dut.u_entries.out_data  == param_q[8]);
    end
  end

  //// The module's registers. What no reset clears is anything before the first one, but the same in both. ////

  wire [1:0] same = {
    \dut.acc_q[1] == acc_q[1] && \dut.a_format_q[1] == a_format_q[1] && \dut.b_format_q[1] == b_format_q[1] && \dut.b_constant_q[1] == b_constant_q[1]
    && \dut.max_q[1] == max_q[1] && \dut.x_q[1] == x_q[1] && \dut.y_q[1] == y_q[1] && \dut.negate_q[1] == negate_q[1]
    && \dut.subtract_q[1] == subtract_q[1] && \dut.product_q[1] == product_q[1] && \dut.scaled_q[1] == scaled_q[1] && \dut.twice_q[1] == twice_q[1]
    && \dut.larger_q[1] == larger_q[1] && \dut.smaller_q[1] == smaller_q[1] && \dut.look_q[1] == look_q[1] && \dut.lut_q[1] == lut_q[1]
    && \dut.uniform_q[1] == uniform_q[1] && \dut.shift_q[1] == shift_q[1] && \dut.mode_q[1] == mode_q[1] && \dut.o_format_q[1] == o_format_q[1],
    \dut.acc_q[0] == acc_q[0] && \dut.a_format_q[0] == a_format_q[0] && \dut.b_format_q[0] == b_format_q[0] && \dut.b_constant_q[0] == b_constant_q[0]
    && \dut.max_q[0] == max_q[0] && \dut.x_q[0] == x_q[0] && \dut.y_q[0] == y_q[0] && \dut.negate_q[0] == negate_q[0]
    && \dut.subtract_q[0] == subtract_q[0] && \dut.product_q[0] == product_q[0] && \dut.scaled_q[0] == scaled_q[0] && \dut.twice_q[0] == twice_q[0]
    && \dut.larger_q[0] == larger_q[0] && \dut.smaller_q[0] == smaller_q[0] && \dut.look_q[0] == look_q[0] && \dut.lut_q[0] == lut_q[0]
    && \dut.uniform_q[0] == uniform_q[0] && \dut.shift_q[0] == shift_q[0] && \dut.mode_q[0] == mode_q[0] && \dut.o_format_q[0] == o_format_q[0]
  };

  integer m;

  always @* begin
    if (start_q) begin
      assume (same == 2'd3 && \dut.any_q  == any_q && !\dut.tap_q [4] && !tap_q[4]);
    end else begin
      assert (same == 2'd3 && \dut.any_q  == any_q);
      assert (\dut.a_line_q  == a_line_q[2:0] && \dut.b_line_q  == b_line_q[2:0] && \dut.tap_q  == tap_q[4:0]);
      for (m = 0; m < 5; m = m + 1) begin
        if (issued[m]) assert (\dut.bank_q [m] == bank_of_q[m]);
        if (tap_q[m]) begin
          assert (\dut.inside_q [m] == inside_q[m] && \dut.first_q [m] == first_q[m]);
          assert (\dut.last_q [m] == last_q[m] && \dut.final_q [m] == final_q[m]);
        end
      end
      assert (((others | leaves) & ~busy_q) == 2'd0);
    end
    if (!rst) begin
      for (m = 0; m < 3; m = m + 1) if (a_line_q[m]) assert (\dut.a_high_q [m] == a_high_q[m]);
      // Its first turn is in the stage behind the window's.
      for (m = 5; m < 9; m = m + 1) assert ((turn_q[m-5] && turn_first_q[m-5]) == (tap_q[m] && last_q[m]));
      assert (\dut.more_q  == ((row_q >> 1) != 0));
      for (m = 1; m <= LAST_LANE; m = m + 1) begin
        if (row_q[m]) begin
          assert (row_q == 1 << m && \dut.next_q  == m && turn_q[0] && lane_q[0] == m - 1);
          assert (\dut.row_bank_q  == row_bank_q && \dut.row_final_q  == row_final_q && \dut.row_any_q  == row_any_q);
        end
      end
      assert (!row_q[0]);
      assert (\dut.turn_q  == turn_q);
      for (m = 0; m < 14; m = m + 1) begin
        if (turn_q[m]) begin
          assert (\dut.turn_bank_q [m] == turn_bank_q[m] && \dut.turn_last_q [m] == turn_last_q[m] && \dut.turn_final_q [m] == turn_final_q[m]);
          if (m < 4) assert (\dut.turn_first_q [m] == turn_first_q[m]);
          if (m < 3) assert (\dut.turn_any_q [m] == turn_any_q[m]);
        end
      end
      for (m = 0; m < 6; m = m + 1) if (turn_q[m]) assert (turn_first_q[m] == (lane_q[m] == 6'd0));
      for (m = 0; m < 5; m = m + 1) if (turn_q[m] && lane_q[m] != 6'd0) assert (turn_q[m+1] && lane_q[m+1] == lane_q[m] - 6'd1);
    end
  end

  //// The lanes' side. ////

  // What the lanes see; it was there a cycle ago, in which no bank was busy; nor did an instruction start
  wire [`TPU_IVECTOR_TAP_BITS+`TPU_IVECTOR_ROW_BITS+13:0] seen = {tap_control, row_control, turn9, turn10, take_a, take_b};
  reg  [`TPU_IVECTOR_TAP_BITS+`TPU_IVECTOR_ROW_BITS+13:0] seen_q;
  reg                                                     acc_seen_q;
  reg                                                     idle_q;
  reg                                                     took_q;

  always @(posedge clk) begin
    seen_q     <= seen;
    acc_seen_q <= take_acc;
    idle_q     <= !rst && busy_q == 2'd0;
    took_q     <= take;
  end

  always @* begin
    if (!rst) begin
      assert (take_a == a_line_q[2] && take_b == b_line_q[2]);
      if (take_a) assert (take_acc == acc_q[bank_of_q[2]]);
      if (idle_q) assert (seen == seen_q && (took_q || take_acc == acc_seen_q));

      // Taps
      assert (tap_control[`TPU_IVECTOR_TAP_3_EN] == ((tap_q[3] && inside_q[3]) || (a_line_q[3] && a_high_q[3])));
      if (tap_control[`TPU_IVECTOR_TAP_3_EN]) begin
        assert (tap_control[`TPU_IVECTOR_TAP_3_A_FORMAT] == a_format_q[bank_of_q[3]]);
        assert (tap_control[`TPU_IVECTOR_TAP_3_HIGH] == (a_line_q[3] && a_high_q[3]));
      end
      assert (tap_control[`TPU_IVECTOR_TAP_3_B_EN] == (tap_q[3] && inside_q[3]));
      if (tap_control[`TPU_IVECTOR_TAP_3_B_EN]) begin
        assert (tap_control[`TPU_IVECTOR_TAP_3_B_FORMAT] == b_format_q[bank_of_q[3]]);
        assert (tap_control[`TPU_IVECTOR_TAP_3_B_CONSTANT] == b_constant_q[bank_of_q[3]]);
      end
      // A window's first tap is taken wherever it lies, as nothing is before it.
      assert (tap_control[`TPU_IVECTOR_TAP_4_EN] == (tap_q[4] && (first_q[4] || inside_q[4])));
      if (tap_control[`TPU_IVECTOR_TAP_4_EN]) begin
        assert (tap_control[`TPU_IVECTOR_TAP_4_FIRST] == first_q[4]);
        assert (tap_control[`TPU_IVECTOR_TAP_4_INSIDE] == inside_q[4]);
        assert (tap_control[`TPU_IVECTOR_TAP_4_MAX] == max_q[bank_of_q[4]]);
      end
      assert (tap_control[`TPU_IVECTOR_TAP_4_B_EN] == (tap_q[4] && inside_q[4]));

      // Rows. A window outside the bounds passes the map as in copy.
      assert (row_control[`TPU_IVECTOR_ROW_EN] == turn_q);
      if (turn_q[0]) begin
        assert (row_control[`TPU_IVECTOR_ROW_5_FIRST] == turn_first_q[0]);
        assert (row_control[`TPU_IVECTOR_ROW_5_X] == x_q[turn_bank_q[0]]);
        assert (row_control[`TPU_IVECTOR_ROW_5_Y] == (turn_any_q[0] ? y_q[turn_bank_q[0]] : `TPU_IVECTOR_Y_ZERO));
        assert (row_control[`TPU_IVECTOR_ROW_5_FACTOR] == turn_any_q[0]);
      end
      if (turn_q[1]) begin
        assert (row_control[`TPU_IVECTOR_ROW_6_LOOK] == (turn_any_q[1] && look_q[turn_bank_q[1]]));
        assert (row_control[`TPU_IVECTOR_ROW_6_LUT] == lut_q[turn_bank_q[1]]);
        assert (row_control[`TPU_IVECTOR_ROW_6_NEGATE] == (turn_any_q[1] && negate_q[turn_bank_q[1]]));
        assert (row_control[`TPU_IVECTOR_ROW_6_TWICE] == (turn_any_q[1] && twice_q[turn_bank_q[1]]));
      end
      if (turn_q[2]) begin
        assert (row_control[`TPU_IVECTOR_ROW_7_LOOK] == (turn_any_q[2] && look_q[turn_bank_q[2]]));
        assert (row_control[`TPU_IVECTOR_ROW_7_SCALED] == (turn_any_q[2] && scaled_q[turn_bank_q[2]]));
        assert (row_control[`TPU_IVECTOR_ROW_7_PRODUCT] == (turn_any_q[2] && product_q[turn_bank_q[2]]));
        assert (row_control[`TPU_IVECTOR_ROW_7_MAX] == (turn_any_q[2] && larger_q[turn_bank_q[2]]));
        assert (row_control[`TPU_IVECTOR_ROW_7_MIN] == (turn_any_q[2] && smaller_q[turn_bank_q[2]]));
      end
      if (turn_q[3]) begin
        if (turn_any_q[3]) assert (row_control[`TPU_IVECTOR_ROW_8_SCALED] == scaled_q[turn_bank_q[3]]);
        assert (row_control[`TPU_IVECTOR_ROW_8_SHIFT] == shift_q[turn_bank_q[3]]);
        assert (row_control[`TPU_IVECTOR_ROW_8_SUBTRACT] == (turn_any_q[3] && subtract_q[turn_bank_q[3]]));
      end
      assert (param_en == (turn_q[3] && turn_first_q[3]));
      if (param_en) assert (param_entry == param_q[8]);
      if (turn_q[4]) begin
        assert (turn9 == lane_q[4]);
        assert (row_control[`TPU_IVECTOR_ROW_9_UNIFORM] == uniform_q[turn_bank_q[4]]);
      end
      if (turn_q[5]) begin
        assert (turn10 == lane_q[5]);
        assert (row_control[`TPU_IVECTOR_ROW_10_UNIFORM] == uniform_q[turn_bank_q[5]]);
        assert (row_control[`TPU_IVECTOR_ROW_10_NONE] == (mode_q[turn_bank_q[5]] == `TPU_INTEGER_REQUANT_NONE));
        assert (row_control[`TPU_IVECTOR_ROW_10_FACTOR] == (mode_q[turn_bank_q[5]] == `TPU_INTEGER_REQUANT_PRODUCT));
        assert (row_control[`TPU_IVECTOR_ROW_10_DOUBLE]
                == (mode_q[turn_bank_q[5]] == `TPU_INTEGER_REQUANT_DOUBLE || mode_q[turn_bank_q[5]] == `TPU_INTEGER_REQUANT_PRODUCT));
        assert (row_control[`TPU_IVECTOR_ROW_10_DIVIDE] == (mode_q[turn_bank_q[5]] == `TPU_INTEGER_REQUANT_DIVIDE));
        assert (row_control[`TPU_IVECTOR_ROW_10_WIDE] == (mode_q[turn_bank_q[5]] == `TPU_INTEGER_REQUANT_WIDE));
      end
      if (turn_q[11]) assert (row_control[`TPU_IVECTOR_ROW_16_DIVIDE] == (mode_q[turn_bank_q[11]] == `TPU_INTEGER_REQUANT_DIVIDE));
      if (turn_q[12]) assert (row_control[`TPU_IVECTOR_ROW_17_WORD] == (o_format_q[turn_bank_q[12]] == `TPU_INTEGER_FORMAT_INT32));
      assert (row_done == done && row_final == final);
      if (done) assert (row_last == `TPU_LAST_INTEGER_LINE(o_format_q[turn_bank_q[13]]));

      // A bank is busy from the start of its instruction to the last word of its last row.
      assert (bank_busy == busy_q);
    end
  end

endmodule

`default_nettype wire
