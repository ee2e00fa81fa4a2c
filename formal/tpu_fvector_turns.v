// tpu_fvector_pipe: the lanes take turns as far from each other as the function of their row's bank has steps when a turn comes; the number in stage 16
// passes by or starts a function as its own bank says, for as many cycles as its own function takes; what leaves goes through stages 17 to 21 in
// so many cycles. All of that whenever a bank is configured, and for rows that follow each other at once.
//
// Taps are the solver's, and so are the queues, which have room and hold what is asked for. Rows keep apart: a row's turns come before those of the
// next row, and no number passes by those that are in a function.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_float_lane.vh"
`include "tpu_isa.vh"

module formal_tpu_fvector_turns #(
  parameter FLOAT_LANES = 2
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire                         take_bank,
  input wire [`TPU_FVECTOR_USED-1:0] cmd,
  input wire                         tap,
  input wire                         tap_bank,
  input wire                         tap_first,
  input wire                         tap_last
);

  localparam LAST_LANE = FLOAT_LANES - 1;

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  wire [`TPU_FLOAT_TAP_BITS-1:0] tap_control;
  wire [`TPU_FLOAT_ROW_BITS-1:0] row_control;
  wire                           param_en;
  wire [5:0]                     turn10;
  wire [5:0]                     turn11;

  tpu_fvector_pipe #(
    .PARAM_ROWS  (2),
    .FLOAT_LANES (FLOAT_LANES)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .take           (take),
    .take_bank      (take_bank),
    .cmd            (cmd),
    .bank_busy      (),
    .a_line         (1'b0),
    .b_line         (1'b0),
    .tap            (tap),
    .tap_bank       (tap_bank),
    .tap_inside     (1'b1),
    .tap_first      (tap_first),
    .tap_last       (tap_last),
    .tap_final      (1'b0),
    .tap_param      (1'b0),
    .take_a         (),
    .take_acc       (),
    .take_b         (),
    .adam           (),
    .adam_final     (1'b0),
    .tap_control    (tap_control),
    .row_control    (row_control),
    .param_en       (param_en),
    .param_entry    (),
    .turn10         (turn10),
    .turn11         (turn11),
    .row_done       (),
    .row_final      (),
    .row_last       (),
    .row_interleave ()
  );

  //// What the banks' instructions ask for. Bit i: bank i. ////

  wire [3:0] fn   = cmd[`TPU_FVECTOR_FUNCTION];
  wire [3:0] map  = cmd[`TPU_FVECTOR_MAP];
  wire       adds = map == `TPU_FLOAT_MAP_ADD || map == `TPU_FLOAT_MAP_SUB || map == `TPU_FLOAT_MAP_RSUB || map == `TPU_FLOAT_MAP_FMA
                    || map == `TPU_FLOAT_MAP_ADDSQ;
  wire       sums = cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_SUM && (cmd[`TPU_FVECTOR_N_KH] != 16'd1 || cmd[`TPU_FVECTOR_N_KW] != 16'd1);
  reg  [3:0] steps;
  reg  [2:0] number;

  always @* begin
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

  reg [1:0] given_q = 2'd0;
  reg [1:0] twice_q;
  reg [3:0] steps_q  [0:1];
  reg [2:0] number_q [0:1];

  always @(posedge clk) begin
    if (take) begin
      given_q[take_bank]  <= 1'b1;
      twice_q[take_bank]  <= sums && adds;
      steps_q[take_bank]  <= steps;
      number_q[take_bank] <= number;
    end
  end

  //// Turns ////

  (* hierconn *) wire [2:0] \dut.u_windows.out_data ;
  (* hierconn *) wire       \dut.u_windows.in_ready ;
  (* hierconn *) wire       \dut.u_windows.out_valid ;
  (* hierconn *) wire       \dut.u_turns.in_ready ;
  (* hierconn *) wire       \dut.u_turns.out_valid ;

  // A row begins; bit i: a turn of the row comes i cycles from now.
  reg         begins_q;
  reg  [12:0] due_q;
  reg         bank_q;
  reg  [5:0]  lane_q;
  wire        turns = begins_q || due_q[0];
  wire [5:0]  lane  = begins_q ? 6'd0 : lane_q;
  wire [3:0]  apart = steps_q[bank_q] == 4'd0 ? 4'd1 : steps_q[bank_q];

  always @(posedge clk) begin
    begins_q <= !rst && param_en;
    if (param_en) bank_q <= \dut.u_windows.out_data [1];
    due_q <= rst ? 13'd0 : due_q >> 1 | (turns && lane != LAST_LANE ? 13'd1 << (apart - 4'd1) : 13'd0);
    if (turns) lane_q <= lane + 6'd1;
  end

  //// Stages 11 to 16, and what leaves ////

  reg [16:11] turn_q;
  reg [16:11] turn_bank_q;
  reg [5:0]   lane11_q;
  reg [3:0]   steps16_q;
  reg [2:0]   number16_q;
  // Stages 17 to 20
  reg [20:17] leaves_q;
  reg         reset_q;
  reg [1:0]   both_twice_q;
  reg         started_q;
  reg [3:0]   started_steps_q;

  always @(posedge clk) begin
    turn_q          <= rst ? 6'd0 : {turn_q[15:11], turns};
    turn_bank_q     <= {turn_bank_q[15:11], bank_q};
    lane11_q        <= lane;
    steps16_q       <= steps_q[turn_bank_q[15]];
    number16_q      <= number_q[turn_bank_q[15]];
    leaves_q        <= rst ? 4'd0 : {leaves_q[19:17], row_control[`TPU_FLOAT_ROW_17_EN]};
    reset_q         <= rst;
    both_twice_q    <= twice_q & given_q;
    started_q       <= !rst && turn_q[16] && steps16_q != 4'd0;
    started_steps_q <= steps16_q;
  end

  (* hierconn *) wire [90:0] \dut.comes_q ;

  always @* begin
    // Taps are of instructions that were started.
    assume (given_q == 2'd3 || !tap);
    assume (!rst || !tap);
    assume (\dut.u_windows.in_ready && \dut.u_windows.out_valid && \dut.u_turns.in_ready && \dut.u_turns.out_valid );
    assume (!begins_q || due_q == 13'd0);
    assume (!row_control[`TPU_FLOAT_ROW_16_EN] || \dut.comes_q == 91'd0);
  end

  // What the solver need not find out for itself
  (* hierconn *) wire       \dut.more_q ;
  (* hierconn *) wire [3:0] \dut.wait_q ;
  (* hierconn *) wire [5:0] \dut.next_q ;

  always @* begin
    if (!start_q) begin
      assert (\dut.more_q == (due_q != 13'd0));
      assert (due_q == 13'd0 || (due_q == 13'd1 << \dut.wait_q && \dut.next_q == lane_q));

      // Turns
      if (turns) assert (turn10 == lane);
      assert (row_control[`TPU_FLOAT_ROW_11_EN] == turn_q[11]);
      if (turn_q[11]) assert (turn11 == lane11_q);

      // Stage 16, and when a function's result comes: 7 cycles for each step
      assert (row_control[`TPU_FLOAT_ROW_16_EN] == (turn_q[16] && steps16_q == 4'd0));
      assert (row_control[`TPU_FLOAT_ROW_16_START] == (turn_q[16] && steps16_q != 4'd0));
      if (row_control[`TPU_FLOAT_ROW_16_START]) assert (row_control[`TPU_FLOAT_ROW_16_FUNCTION] == number16_q);
      if (started_q) assert (\dut.comes_q [7*started_steps_q-1]);

      // Stages 18 to 21
      assert (row_control[`TPU_FLOAT_ROW_18_EN] == leaves_q[17]);
      assert (row_control[`TPU_FLOAT_ROW_19_EN] == leaves_q[18]);
      assert (row_control[`TPU_FLOAT_ROW_20_EN] == leaves_q[19]);
      assert (row_control[`TPU_FLOAT_ROW_21_EN] == leaves_q[20]);

      // Where all taps go twice, a sum is formed the second time alone.
      if (both_twice_q == 2'd3) assert (reset_q || tap_control[`TPU_FLOAT_TAP_6_SUM] == tap_control[`TPU_FLOAT_TAP_6_AGAIN]);
    end
  end

endmodule

`default_nettype wire
