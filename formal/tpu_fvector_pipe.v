// tpu_fvector_pipe: each stage of the lanes is enabled exactly when a tap, window or turn is in it, and does what the bank of its instruction
// says; so it does after a reset in the middle of work, when nothing is in any stage.
//
// Of the taps the issuing side promises what the stages need, which is less than what tpu_fvector_issue keeps: four cycles behind one that goes
// twice; a row's turns before those of the next row; no result before those of the rows before; and no more turns in the lanes than their
// queue has room for. What stands beside a tap (bank, inside, first, last, parameter entry) is anything in a cycle without one.
//
// Which number a stage takes (formats, x, y, z, constants) is compared with the reference in simulation.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_float_lane.vh"
`include "tpu_isa.vh"
`include "tpu_number_lines.vh"

module formal_tpu_fvector_pipe #(
  parameter PARAM_ROWS = 2,
  parameter FLOAT_LANES = 2
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire [`TPU_FVECTOR_USED-1:0] cmd,
  input wire                         a_line,
  input wire                         b_line,
  input wire                         tap,
  input wire                         tap_bank,
  input wire                         tap_inside,
  input wire                         tap_first,
  input wire                         tap_last,
  input wire                         tap_final,
  input wire                         tap_param,
  input wire                         adam_final
);

  localparam LAST_LANE = FLOAT_LANES - 1;
  // Most steps of a function; cycles of a number in it
  localparam STEPS     = 13;
  localparam LONGEST   = 7 * STEPS;

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  reg  was_reset_q;
  always @(posedge clk) begin
    start_q     <= 1'b0;
    was_reset_q <= rst;
  end

  // Bank of the instruction that is being issued; there is one.
  reg                            bank_q;
  reg                            alive_q;
  wire [1:0]                     bank_busy;
  wire                           take_a;
  wire                           take_acc;
  wire                           take_b;
  wire                           adam;
  wire [`TPU_FLOAT_TAP_BITS-1:0] tap_control;
  wire [`TPU_FLOAT_ROW_BITS-1:0] row_control;
  wire                           param_en;
  wire                           param_entry;
  wire [5:0]                     turn10;
  wire [5:0]                     turn11;
  wire                           row_done;
  wire                           row_final;
  wire [1:0]                     row_last;
  wire                           row_interleave;

  tpu_fvector_pipe #(
    .PARAM_ROWS  (PARAM_ROWS),
    .FLOAT_LANES (FLOAT_LANES)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .take           (take),
    .take_bank      (!bank_q),
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
    .adam_final     (adam_final),
    .tap_control    (tap_control),
    .row_control    (row_control),
    .param_en       (param_en),
    .param_entry    (param_entry),
    .turn10         (turn10),
    .turn11         (turn11),
    .row_done       (row_done),
    .row_final      (row_final),
    .row_last       (row_last),
    .row_interleave (row_interleave)
  );

  //// What the banks' instructions ask for. Bit i: bank i. ////

  reg [1:0] acc_q;
  reg [1:0] sum_q;
  reg [1:0] max_q;
  reg [1:0] min_q;
  reg [1:0] sums_q;
  reg [1:0] twice_q;
  reg [1:0] scale_q;
  reg [1:0] negate_q;
  reg [1:0] absolute_q;
  reg [1:0] interleave_q;
  reg [3:0] steps_q    [0:1];
  reg [2:0] function_q [0:1];
  reg [1:0] o_format_q [0:1];
  reg       adam_q;

  wire [3:0] map     = cmd[`TPU_FVECTOR_MAP];
  wire [3:0] fn      = cmd[`TPU_FVECTOR_FUNCTION];
  wire       sum     = cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_SUM;
  wire       one_tap = cmd[`TPU_FVECTOR_N_KH] == 16'd1 && cmd[`TPU_FVECTOR_N_KW] == 16'd1;
  wire       is_adam = cmd[`TPU_OPCODE] == `TPU_OP_ADAM;

  reg        adds;
  reg  [3:0] steps;
  reg  [2:0] number;

  always @* begin
    case (map)
      `TPU_FLOAT_MAP_ADD, `TPU_FLOAT_MAP_SUB, `TPU_FLOAT_MAP_RSUB, `TPU_FLOAT_MAP_FMA, `TPU_FLOAT_MAP_ADDSQ: adds = 1'b1;
      default:                                                                                             adds = 1'b0;
    endcase
    case (fn)
      `TPU_FLOAT_FUNCTION_EXP:        {steps, number} = {4'd8, 3'd1};
      `TPU_FLOAT_FUNCTION_LOG:        {steps, number} = {4'd5, 3'd2};
      `TPU_FLOAT_FUNCTION_RECIPROCAL: {steps, number} = {4'd4, 3'd3};
      `TPU_FLOAT_FUNCTION_RSQRT:      {steps, number} = {4'd4, 3'd4};
      `TPU_FLOAT_FUNCTION_TANH:       {steps, number} = {4'd6, 3'd5};
      `TPU_FLOAT_FUNCTION_LOGISTIC:   {steps, number} = {4'd13, 3'd6};
      default:                        {steps, number} = 7'd0;
    endcase
  end

  always @(posedge clk) begin
    if (take) begin
      acc_q[!bank_q]        <= cmd[`TPU_FVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      sum_q[!bank_q]        <= sum;
      max_q[!bank_q]        <= cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_MAX;
      min_q[!bank_q]        <= cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_MIN;
      sums_q[!bank_q]       <= sum && !one_tap;
      twice_q[!bank_q]      <= sum && !one_tap && adds;
      scale_q[!bank_q]      <= cmd[`TPU_FVECTOR_SCALE];
      negate_q[!bank_q]     <= fn == `TPU_FLOAT_FUNCTION_NEG;
      absolute_q[!bank_q]   <= fn == `TPU_FLOAT_FUNCTION_ABS;
      interleave_q[!bank_q] <= cmd[`TPU_FVECTOR_INTERLEAVE] != `TPU_FLOAT_INTERLEAVE_NONE;
      steps_q[!bank_q]      <= steps;
      function_q[!bank_q]   <= number;
      o_format_q[!bank_q]   <= cmd[`TPU_FVECTOR_O_FORMAT];
      adam_q                <= is_adam;
    end
  end

  //// Taps: bit i was issued i + 1 cycles ago, and is in stage i - 1. ////

  reg  [2:0]  a_line_q;
  reg  [2:0]  b_line_q;
  reg  [5:0]  tap_q;
  // Those that go further than stage 4
  reg  [14:0] goes_q;
  reg  [14:0] bank_of_q;
  reg  [14:0] inside_q;
  reg  [14:0] first_q;
  reg  [14:0] last_q;
  reg  [14:0] final_q;
  reg  [14:0] param_q;

  wire        window_1 = goes_q[10] && last_q[10] && !twice_q[bank_of_q[10]];
  wire        window_2 = goes_q[14] && last_q[14] && twice_q[bank_of_q[14]];
  wire        window   = window_1 || window_2;

  //// Turns: bit i of a row's came i cycles after its parameters were read, less one; bit i of a turn's is stage 11 + i, in the function, too. ////

  reg  [STEPS*LAST_LANE:0] row_q;
  reg  [STEPS*LAST_LANE:0] row_bank_q;
  reg  [STEPS*LAST_LANE:0] row_final_q;
  // Rows of which a turn is to come later
  reg  [STEPS*LAST_LANE:0] to_come;
  reg                      turns;
  reg                      turn_bank;
  reg                      turn_final;
  reg  [5:0]               turn;
  reg  [LONGEST+5:0]       turn_q;
  reg  [LONGEST+5:0]       turn_bank_q;
  reg  [LONGEST+5:0]       turn_last_q;
  reg  [LONGEST+5:0]       turn_final_q;
  reg  [5:0]               turn11_q;
  // Turns that wait for their results
  reg  [3:0]               results_q;

  integer i;
  integer j;

  always @* begin
    to_come    = row_q;
    turns      = 1'b0;
    turn_bank  = 1'b0;
    turn_final = 1'b0;
    turn       = 6'd0;
    for (i = 0; i <= STEPS*LAST_LANE; i = i + 1) begin
      for (j = 0; j < FLOAT_LANES; j = j + 1) begin
        if (row_q[i] && (steps_q[row_bank_q[i]] == 4'd0 ? j == i : j * steps_q[row_bank_q[i]] == i)) begin
          turns      = 1'b1;
          turn_bank  = row_bank_q[i];
          turn_final = row_final_q[i];
          turn       = j;
          to_come[i] = j != LAST_LANE;
        end
      end
    end
  end

  //// What leaves for stage 17: straight from stage 16, or from the function, S times 7 cycles later ////

  // Bit i: turns of each bank's instruction leave behind stage 11 + i.
  reg  [LONGEST+5:0] place_0;
  reg  [LONGEST+5:0] place_1;
  wire [LONGEST+5:0] leaving = turn_q & (turn_bank_q & place_1 | ~turn_bank_q & place_0);
  wire [LONGEST+5:0] stays   = turn_q & ~leaving;

  function [LONGEST+5:0] place;
    input [3:0] of_steps;
    begin
      place = {(LONGEST+6){1'b0}};
      case (of_steps)
        4'd0:    place[5] = 1'b1;
        4'd4:    place[33] = 1'b1;
        4'd5:    place[40] = 1'b1;
        4'd6:    place[47] = 1'b1;
        4'd8:    place[61] = 1'b1;
        default: place[96] = 1'b1;
      endcase
    end
  endfunction

  always @* begin
    place_0 = place(steps_q[0]);
    place_1 = place(steps_q[1]);
  end

  wire leaves          = leaving != 0;
  wire leaves_function = (leaving >> 6) != 0;
  wire leaves_bank     = (leaving & turn_bank_q) != 0;
  wire leaves_last     = (leaving & turn_last_q) != 0;
  wire leaves_final    = (leaving & turn_final_q) != 0;

  // Bit i: stage 17 + i
  reg  [4:0] out_q;
  reg        out_function_q;
  reg  [4:0] out_bank_q;
  reg  [4:0] out_last_q;
  reg  [4:0] out_final_q;
  reg  [1:0] busy_q;

  wire       done  = out_q[4] && out_last_q[4];
  wire       final = done && out_final_q[4];

  always @(posedge clk) begin
    a_line_q       <= {a_line_q[1:0], a_line};
    b_line_q       <= {b_line_q[1:0], b_line};
    tap_q          <= {tap_q[4:0], tap};
    goes_q         <= {goes_q[13:0], tap && !adam_q};
    bank_of_q      <= {bank_of_q[13:0], tap_bank};
    inside_q       <= {inside_q[13:0], tap_inside};
    first_q        <= {first_q[13:0], tap_first};
    last_q         <= {last_q[13:0], tap_last};
    final_q        <= {final_q[13:0], tap_final};
    param_q        <= {param_q[13:0], tap_param};
    row_q          <= {to_come, window};
    row_bank_q     <= {row_bank_q, window_2 ? bank_of_q[14] : bank_of_q[10]};
    row_final_q    <= {row_final_q, window_2 ? final_q[14] : final_q[10]};
    turn_q         <= {stays[LONGEST+4:0], turns};
    turn_bank_q    <= {turn_bank_q[LONGEST+4:0], turn_bank};
    turn_last_q    <= {turn_last_q[LONGEST+4:0], turn == LAST_LANE};
    turn_final_q   <= {turn_final_q[LONGEST+4:0], turn_final};
    turn11_q       <= turn;
    results_q      <= results_q + turn_q[4] - leaves;
    out_q          <= {out_q[3:0], leaves};
    out_function_q <= leaves_function;
    out_bank_q     <= {out_bank_q[3:0], leaves_bank};
    out_last_q     <= {out_last_q[3:0], leaves_last};
    out_final_q    <= {out_final_q[3:0], leaves_final};
    if (take) begin
      busy_q[!bank_q] <= 1'b1;
      bank_q          <= !bank_q;
    end
    if (final) busy_q[out_bank_q[4]] <= 1'b0;
    if (adam_final) busy_q <= 2'd0;
    alive_q <= take || (alive_q && !(tap && tap_final));
    if (rst) begin
      a_line_q  <= 3'd0;
      b_line_q  <= 3'd0;
      tap_q     <= 6'd0;
      goes_q    <= 15'd0;
      row_q     <= {(STEPS*LAST_LANE+1){1'b0}};
      turn_q    <= {(LONGEST+6){1'b0}};
      results_q <= 4'd0;
      out_q     <= 5'd0;
      busy_q    <= 2'd0;
      bank_q    <= 1'b0;
      alive_q   <= 1'b0;
    end
  end

  //// The issuing side. ////

  // Windows that wait for their parameters
  reg  [4:0]               windows;
  // One leaves before one that came before it, or beside it.
  wire                     overtakes = leaves && (stays > leaving || (leaving & (leaving - 1'b1)) != 0);
  wire [1:0]               in_lanes  = {
    (goes_q & bank_of_q) != 0 || (row_q & row_bank_q) != 0 || (turn_q & turn_bank_q) != 0 || (out_q & out_bank_q) != 0,
    (goes_q & ~bank_of_q) != 0 || (row_q & ~row_bank_q) != 0 || (turn_q & ~turn_bank_q) != 0 || (out_q & ~out_bank_q) != 0
  };

  integer l;

  always @* begin
    windows = 5'd0;
    for (l = 0; l < 15; l = l + 1) windows = windows + (goes_q[l] && last_q[l] && (l <= 10 || twice_q[bank_of_q[l]]));
  end

  integer m;

  always @* begin
    // What is issued in a reset is lost; configuration would stay.
    assume (!rst || !take);
    if (!rst) begin
      assume (!tap || (alive_q && tap_bank == bank_q));
      assume (!tap || !tap_final || tap_last);
      assume (!take || ((!alive_q || (tap && tap_final)) && !busy_q[!bank_q] && !in_lanes[!bank_q]));
      // An ADAM is in the lanes alone.
      assume (!take || !(is_adam || adam_q) || (!alive_q && busy_q == 2'd0 && in_lanes == 2'd0 && tap_q == 6'd0));
      assume (!adam_final || (adam_q && !alive_q && tap_q == 6'd0 && busy_q != 2'd0));
      for (m = 0; m < 4; m = m + 1) assume (!tap || !goes_q[m] || !twice_q[bank_of_q[m]]);
      assume (!row_q[0] || (row_q >> 1) == 0);
      assume (!overtakes);
      assume (!turn_q[4] || results_q < 4'd8);
      // As often as a turn leaves one came.
      assume (!leaves || results_q != 4'd0);
    end
  end

  // Registers of the module by their names in the flattened design
  (* hierconn *) wire \dut.acc_q[0] ;
  (* hierconn *) wire \dut.acc_q[1] ;
  (* hierconn *) wire \dut.sum_q[0] ;
  (* hierconn *) wire \dut.sum_q[1] ;
  (* hierconn *) wire \dut.max_q[0] ;
  (* hierconn *) wire \dut.max_q[1] ;
  (* hierconn *) wire \dut.min_q[0] ;
  (* hierconn *) wire \dut.min_q[1] ;
  (* hierconn *) wire \dut.scale_q[0] ;
  (* hierconn *) wire \dut.scale_q[1] ;
  (* hierconn *) wire \dut.negate_q[0] ;
  (* hierconn *) wire \dut.negate_q[1] ;
  (* hierconn *) wire \dut.absolute_q[0] ;
  (* hierconn *) wire \dut.absolute_q[1] ;
  (* hierconn *) wire [3:0] \dut.steps_q[0] ;
  (* hierconn *) wire [3:0] \dut.steps_q[1] ;
  (* hierconn *) wire [2:0] \dut.function_q[0] ;
  (* hierconn *) wire [2:0] \dut.function_q[1] ;
  (* hierconn *) wire [1:0] \dut.o_format_q[0] ;
  (* hierconn *) wire [1:0] \dut.o_format_q[1] ;
  (* hierconn *) wire \dut.adam_q ;
  (* hierconn *) wire [1:0] \dut.sums_q ;
  (* hierconn *) wire [1:0] \dut.twice_q ;
  (* hierconn *) wire [1:0] \dut.interleave_q ;
  (* hierconn *) wire [2:0] \dut.a_line_q ;
  (* hierconn *) wire [2:0] \dut.b_line_q ;
  (* hierconn *) wire [14:0] \dut.tap_q ;
  (* hierconn *) wire [14:0] \dut.bank_q ;
  (* hierconn *) wire [14:0] \dut.first_q ;
  (* hierconn *) wire [14:0] \dut.last_q ;
  (* hierconn *) wire [5:0] \dut.inside_q ;
  (* hierconn *) wire \dut.start_q ;
  (* hierconn *) wire \dut.more_q ;
  (* hierconn *) wire [3:0] \dut.wait_q ;
  (* hierconn *) wire [5:0] \dut.next_q ;
  (* hierconn *) wire \dut.row_bank_q ;
  (* hierconn *) wire \dut.row_final_q ;
  (* hierconn *) wire [4:0] \dut.turn_q ;
  (* hierconn *) wire [4:0] \dut.turn_bank_q ;
  (* hierconn *) wire [4:0] \dut.turn_last_q ;
  (* hierconn *) wire [4:0] \dut.turn_final_q ;
  (* hierconn *) wire [3:0] \dut.steps16_q ;
  (* hierconn *) wire [LONGEST-1:0] \dut.comes_q ;
  (* hierconn *) wire [4:0] \dut.out_q ;
  (* hierconn *) wire [4:0] \dut.out_bank_q ;
  (* hierconn *) wire [4:0] \dut.out_last_q ;
  (* hierconn *) wire [4:0] \dut.out_final_q ;
  (* hierconn *) wire \dut.u_windows.in_valid ;
  (* hierconn *) wire [2:0] \dut.u_windows.in_data ;
  (* hierconn *) wire [2:0] \dut.u_windows.out_data ;
  (* hierconn *) wire [4:0] \dut.u_windows.level_q ;
  (* hierconn *) wire \dut.u_turns.in_valid ;
  (* hierconn *) wire [2:0] \dut.u_turns.in_data ;
  (* hierconn *) wire [2:0] \dut.u_turns.out_data ;
  (* hierconn *) wire [3:0] \dut.u_turns.level_q ;

  //// The queues: words come out in the order in which they went in (formal/tpu_fifo.v), which is the order of windows and turns. ////

  always @* begin
    if (!rst) begin
      assert (\dut.u_windows.in_valid  == (tap && tap_last && !adam_q));
      assert (\dut.u_windows.in_data  == {tap_final, tap_bank, tap_param});
      assert (\dut.u_windows.level_q  == windows);
      if (window) assume (\dut.u_windows.out_data  == (window_2 ? {final_q[14], bank_of_q[14], param_q[14]}
                                                              : {final_q[10], bank_of_q[10], param_q[10]}));
      assert (\dut.u_turns.in_valid  == turn_q[4]);
      if (turn_q[4]) assert (\dut.u_turns.in_data  == {turn_final_q[4], turn_last_q[4], turn_bank_q[4]});
      assert (\dut.u_turns.level_q  == results_q && results_q <= 4'd8);
      if (leaves) assume (\dut.u_turns.out_data  == {leaves_final, leaves_last, leaves_bank});
    end
  end

  //// The module's registers. What no reset clears is anything before the first one, but the same in both. ////

  wire same = \dut.acc_q[0] == acc_q[0] && \dut.acc_q[1] == acc_q[1] && \dut.sum_q[0] == sum_q[0]
              && \dut.sum_q[1] == sum_q[1] && \dut.max_q[0] == max_q[0] && \dut.max_q[1] == max_q[1]
              && \dut.min_q[0] == min_q[0] && \dut.min_q[1] == min_q[1] && \dut.scale_q[0] == scale_q[0]
              && \dut.scale_q[1] == scale_q[1] && \dut.negate_q[0] == negate_q[0] && \dut.negate_q[1] == negate_q[1]
              && \dut.absolute_q[0] == absolute_q[0] && \dut.absolute_q[1] == absolute_q[1] && \dut.steps_q[0] == steps_q[0]
              && \dut.steps_q[1] == steps_q[1] && (steps_q[0] == 4'd0 || \dut.function_q[0] == function_q[0]) && (steps_q[1] == 4'd0 || \dut.function_q[1] == function_q[1])
              && \dut.o_format_q[0] == o_format_q[0] && \dut.o_format_q[1] == o_format_q[1];

  wire fields = same && \dut.sums_q  == sums_q && \dut.twice_q  == twice_q && \dut.interleave_q  == interleave_q
                && \dut.adam_q  == adam_q && \dut.bank_q  == bank_of_q && \dut.first_q  == first_q
                && \dut.last_q  == last_q && \dut.inside_q  == inside_q[5:0];

  wire known_0 = steps_q[0] == 4'd0 || steps_q[0] == 4'd4 || steps_q[0] == 4'd5 || steps_q[0] == 4'd6 || steps_q[0] == 4'd8 || steps_q[0] == 4'd13;
  wire known_1 = steps_q[1] == 4'd0 || steps_q[1] == 4'd4 || steps_q[1] == 4'd5 || steps_q[1] == 4'd6 || steps_q[1] == 4'd8 || steps_q[1] == 4'd13;

  // Of each bank's results bit i comes i cycles from now.
  reg  [LONGEST+5:0] back_0;
  reg  [LONGEST+5:0] back_1;

  integer o;

  always @* begin
    for (o = 0; o < LONGEST + 6; o = o + 1) begin
      back_0[LONGEST+5-o] = turn_q[o] && !turn_bank_q[o] && o > 5;
      back_1[LONGEST+5-o] = turn_q[o] && turn_bank_q[o] && o > 5;
    end
  end

  wire [LONGEST+5:0] comes = back_0 >> (LONGEST - 7 * steps_q[0]) | back_1 >> (LONGEST - 7 * steps_q[1]);

  integer p;
  integer q;

  always @* begin
    if (start_q) begin
      assume (fields && known_0 && known_1);
    end else begin
      assert (fields && known_0 && known_1);
    end
    if (!rst) begin
      assert (\dut.a_line_q  == a_line_q && \dut.b_line_q  == b_line_q);
      assert (\dut.tap_q  == {goes_q[14:5], tap_q[4:0]} && goes_q[4:0] == (tap_q[4:0] & {5{!adam_q}}));
      for (p = 0; p < 14; p = p + 1) begin
        for (q = p + 1; q <= p + 4 && q < 15; q = q + 1) assert (!goes_q[p] || !goes_q[q] || !twice_q[bank_of_q[q]]);
      end
      assert (\dut.start_q  == row_q[0] && \dut.more_q  == ((row_q >> 1) != 0));
      for (p = 0; p <= STEPS*LAST_LANE; p = p + 1) begin
        if (row_q[p]) begin
          assert (\dut.row_bank_q  == row_bank_q[p] && \dut.row_final_q  == row_final_q[p]);
          if (p > 0) begin
            assert (\dut.next_q  == 6'd1);
            assert (\dut.wait_q  == (steps_q[row_bank_q[p]] == 4'd0 ? 4'd1 : steps_q[row_bank_q[p]]) - p);
            for (q = 1; q < p; q = q + 1) assert (!row_q[q]);
          end
        end
      end
      assert (\dut.turn_q  == turn_q[4:0]);
      for (p = 0; p < 5; p = p + 1) begin
        if (turn_q[p]) begin
          assert (\dut.turn_bank_q [p] == turn_bank_q[p] && \dut.turn_last_q [p] == turn_last_q[p]);
          assert (\dut.turn_final_q [p] == turn_final_q[p]);
        end
        if (out_q[p]) begin
          assert (\dut.out_bank_q [p] == out_bank_q[p] && \dut.out_last_q [p] == out_last_q[p]);
          assert (\dut.out_final_q [p] == out_final_q[p]);
        end
      end
      if (turn_q[5]) assert (\dut.steps16_q  == steps_q[turn_bank_q[5]]);
      assert (\dut.comes_q  == comes);
      // None stays too long.
      assert ((turn_q & (turn_bank_q & -(place_1 << 1) | ~turn_bank_q & -(place_0 << 1))) == 0);
      assert (\dut.out_q  == out_q);
    end
  end

  //// The lanes' side. ////

  wire [14:0] again = goes_q & ~first_q & (bank_of_q & {15{twice_q[1]}} | ~bank_of_q & {15{twice_q[0]}});

  always @* begin
    if (!rst) begin
      assert (take_a == a_line_q[2] && take_b == b_line_q[2]);
      if (tap_q[2]) assert (take_acc == acc_q[bank_of_q[2]]);
      if (alive_q) assert (adam == adam_q);

      // Taps
      assert (tap_control[`TPU_FLOAT_TAP_2_EN] == tap_q[3]);
      assert (tap_control[`TPU_FLOAT_TAP_3_EN] == tap_q[4]);
      assert (tap_control[`TPU_FLOAT_TAP_4_EN] == tap_q[5]);
      assert (tap_control[`TPU_FLOAT_TAP_5_EN] == goes_q[6]);
      if (goes_q[6]) begin
        assert (tap_control[`TPU_FLOAT_TAP_5_INSIDE] == inside_q[6]);
        assert (tap_control[`TPU_FLOAT_TAP_5_MAX] == max_q[bank_of_q[6]]);
        assert (tap_control[`TPU_FLOAT_TAP_5_MIN] == min_q[bank_of_q[6]]);
      end
      // Taps that go twice enter stage 6 again when they left stage 9, but for a window's first one, which has nothing to be added to. Without
      // one of them AGAIN and KEEP are 0; they have no reset, so that the cycle behind one is left out.
      assert (tap_control[`TPU_FLOAT_TAP_6_TO_9_EN] == (goes_q[10:7] | again[14:11]));
      if (!was_reset_q) assert (tap_control[`TPU_FLOAT_TAP_6_AGAIN] == again[11]);
      if (again[11]) assert (tap_control[`TPU_FLOAT_TAP_6_SUM]);
      if (goes_q[7]) assert (tap_control[`TPU_FLOAT_TAP_6_SUM] == (sums_q[bank_of_q[7]] && !twice_q[bank_of_q[7]] && !first_q[7]));
      if (!was_reset_q) assert (tap_control[`TPU_FLOAT_TAP_9_KEEP] == (goes_q[10] && twice_q[bank_of_q[10]]));
      // Stage 10 takes sums once, other taps one by one.
      assert (tap_control[`TPU_FLOAT_TAP_10_EN] == (row_q[0] || (goes_q[11] && !sum_q[bank_of_q[11]])));
      if (row_q[0] && sum_q[row_bank_q[0]]) assert (tap_control[`TPU_FLOAT_TAP_10_FIRST]);
      if (goes_q[11] && !sum_q[bank_of_q[11]]) begin
        assert (tap_control[`TPU_FLOAT_TAP_10_FIRST] == first_q[11]);
        assert (tap_control[`TPU_FLOAT_TAP_10_MIN] == min_q[bank_of_q[11]]);
      end

      // Windows and turns
      assert (param_en == window);
      if (window) assert (param_entry == (window_2 ? param_q[14] : param_q[10]));
      if (turns) assert (turn10 == turn);
      if (turn_q[0]) assert (turn11 == turn11_q);
      assert (row_control[`TPU_FLOAT_ROW_11_EN] == turn_q[0]);
      if (turn_q[0]) begin
        assert (row_control[`TPU_FLOAT_ROW_11_FIRST] == (turn11_q == 6'd0));
        assert (row_control[`TPU_FLOAT_ROW_11_MIN] == min_q[turn_bank_q[0]]);
        assert (row_control[`TPU_FLOAT_ROW_11_SCALE] == scale_q[turn_bank_q[0]]);
      end
      assert (row_control[`TPU_FLOAT_ROW_12_TO_15_EN] == turn_q[4:1]);
      assert (row_control[`TPU_FLOAT_ROW_16_EN] == (turn_q[5] && steps_q[turn_bank_q[5]] == 4'd0));
      assert (row_control[`TPU_FLOAT_ROW_16_START] == (turn_q[5] && steps_q[turn_bank_q[5]] != 4'd0));
      if (row_control[`TPU_FLOAT_ROW_16_EN]) begin
        assert (row_control[`TPU_FLOAT_ROW_16_NEGATE] == negate_q[turn_bank_q[5]]);
        assert (row_control[`TPU_FLOAT_ROW_16_ABSOLUTE] == absolute_q[turn_bank_q[5]]);
      end
      if (row_control[`TPU_FLOAT_ROW_16_START]) assert (row_control[`TPU_FLOAT_ROW_16_FUNCTION] == function_q[turn_bank_q[5]]);

      // Results
      assert (row_control[`TPU_FLOAT_ROW_17_EN] == out_q[0]);
      if (out_q[0]) assert (row_control[`TPU_FLOAT_ROW_17_FUNCTION] == out_function_q);
      assert (row_control[`TPU_FLOAT_ROW_18_EN] == out_q[1]);
      assert (row_control[`TPU_FLOAT_ROW_19_EN] == out_q[2]);
      if (out_q[2]) assert (row_control[`TPU_FLOAT_ROW_19_FORMAT] == o_format_q[out_bank_q[2]]);
      assert (row_control[`TPU_FLOAT_ROW_20_EN] == out_q[3]);
      if (out_q[3]) assert (row_control[`TPU_FLOAT_ROW_20_FORMAT] == o_format_q[out_bank_q[3]]);
      assert (row_control[`TPU_FLOAT_ROW_21_EN] == out_q[4]);
      assert (row_done == done && row_final == final);
      if (done) assert (row_last == `TPU_LAST_LINE(o_format_q[out_bank_q[4]]) && row_interleave == interleave_q[out_bank_q[4]]);

      // A bank is busy from the start of its instruction to the last number of its last row.
      assert (bank_busy == busy_q);
    end
  end

endmodule

`default_nettype wire
