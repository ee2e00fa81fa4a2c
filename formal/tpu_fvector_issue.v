// tpu_fvector_issue: a tap goes into the lanes in the cycle in which it is offered, unless it is too near to the tap before, or ends a window too near
// to the windows before; right after a reset none is.
//
// Taps lie outside the image, so that none waits for its lines, which tpu_line_issue reads. Steps come in any order: how long a tap waits says
// its own instruction and that of the tap before.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_fvector_issue #(
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter FLOAT_LANES = 2
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire                         take_bank,
  input wire [`TPU_FVECTOR_USED-1:0] cmd,
  input wire                         step_valid,
  input wire [`TPU_TOKEN_BITS-1:0]   step_token
);

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  wire tap;
  wire tap_last;
  wire step_ready;
  wire second;
  wire ev_stall_output;

  tpu_fvector_issue #(
    .UB_ROWS     (UB_ROWS),
    .ACC_ROWS    (ACC_ROWS),
    .FLOAT_LANES (FLOAT_LANES)
  ) dut (
    .clk              (clk),
    .rst              (rst),
    .halt             (1'b0),
    .stop             (),
    .take             (take),
    .take_bank        (take_bank),
    .cmd              (cmd),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_acc         (1'b0),
    .step_row         (16'd0),
    .step_bad_row     (1'b0),
    .step_bad_param   (1'b0),
    .step_bad_out_row (1'b0),
    .step_out_row     ({$clog2(UB_ROWS){1'b0}}),
    .b_have           (1'b0),
    .b_fault          (1'b0),
    .b_claim          (),
    .va_rd_valid      (),
    .va_rd_ready      (1'b0),
    .va_rd_row        (),
    .acc_rd_valid     (),
    .acc_rd_ready     (1'b0),
    .a_line           (),
    .b_line           (),
    .tap              (tap),
    .tap_last         (tap_last),
    .tap_cut          (),
    .second           (second),
    .err_valid        (),
    .err_code         (),
    .ev_active        (),
    .ev_stall_port    (),
    .ev_stall_operand (),
    .ev_stall_output  (ev_stall_output)
  );

  wire bank  = step_token[`TPU_TOKEN_BANK];
  wire first = step_token[`TPU_TOKEN_FIRST];
  wire last  = step_token[`TPU_TOKEN_LAST];
  wire final = step_token[`TPU_TOKEN_FINAL];

  //// What the banks' instructions ask for. ////

  reg       adam_q  [0:1];
  reg       sums_q  [0:1];
  reg       twice_q [0:1];
  reg       twos_q  [0:1];
  reg [3:0] steps_q [0:1];
  reg [2:0] lines_q [0:1];
  // The banks whose instructions were taken
  reg [1:0] taken_q;

  wire      is_adam = cmd[`TPU_OPCODE] == `TPU_OP_ADAM;
  wire      sums    = cmd[`TPU_FVECTOR_REDUCE] == `TPU_FLOAT_REDUCE_SUM
                      && !(cmd[`TPU_FVECTOR_N_KH] == 16'd1 && cmd[`TPU_FVECTOR_N_KW] == 16'd1);
  reg       adds;
  reg [3:0] steps;
  reg [2:0] lines;

  always @* begin
    case (cmd[`TPU_FVECTOR_MAP])
      `TPU_FLOAT_MAP_ADD, `TPU_FLOAT_MAP_SUB, `TPU_FLOAT_MAP_RSUB, `TPU_FLOAT_MAP_FMA, `TPU_FLOAT_MAP_ADDSQ: adds = 1'b1;
      default:                                                                                             adds = 1'b0;
    endcase
    case (cmd[`TPU_FVECTOR_FUNCTION])
      `TPU_FLOAT_FUNCTION_EXP:                                     steps = 4'd8;
      `TPU_FLOAT_FUNCTION_LOG:                                     steps = 4'd5;
      `TPU_FLOAT_FUNCTION_RECIPROCAL, `TPU_FLOAT_FUNCTION_RSQRT:   steps = 4'd4;
      `TPU_FLOAT_FUNCTION_TANH:                                    steps = 4'd6;
      `TPU_FLOAT_FUNCTION_LOGISTIC:                                steps = 4'd13;
      default:                                                     steps = 4'd0;
    endcase
    case (cmd[`TPU_FVECTOR_O_FORMAT])
      `TPU_NUMBER_FORMAT_INT8: lines = 3'd1;
      `TPU_NUMBER_FORMAT_BF16: lines = 3'd2;
      default:                 lines = 3'd4;
    endcase
  end

  always @(posedge clk) begin
    if (take) begin
      adam_q[take_bank]  <= is_adam;
      sums_q[take_bank]  <= sums;
      twice_q[take_bank] <= sums && adds;
      twos_q[take_bank]  <= !is_adam && cmd[`TPU_FVECTOR_INTERLEAVE] != `TPU_FLOAT_INTERLEAVE_NONE;
      steps_q[take_bank] <= steps;
      lines_q[take_bank] <= lines;
      taken_q[take_bank] <= 1'b1;
    end
    if (rst) taken_q <= 2'd0;
  end

  //// Taps: cycles since the last one, at most 7; it went twice, it was one of a sum. ////

  reg  [2:0] tap_since_q;
  reg        tap_twice_q;
  reg        tap_sums_q;
  wire       tap_waits = (tap_twice_q && tap_since_q < 3'd5) || (tap_sums_q && sums_q[bank] && !first && tap_since_q < 3'd4);

  //// Windows: cycles since the last one, less whole turns on its grid; cycles until the next one may come, of its class or of another one. ////

  reg        class_twice_q;
  reg  [4:0] class_turn_q;
  reg  [4:0] phase_q;
  reg  [7:0] apart_q;
  reg  [7:0] leaves_q;
  reg        second_q;
  reg  [2:0] pair_q;

  // Cycles from turn to turn; from row to row; in the lanes behind the last tap
  function [4:0] turn_of;
    input       is_adam;
    input [3:0] steps;
    turn_of = is_adam ? 5'd16 : steps == 4'd0 ? 5'd1 : steps;
  endfunction

  function [7:0] apart_of;
    input       is_adam;
    input [3:0] steps;
    input [2:0] lines;
    apart_of = is_adam ? 8'd16 : steps != 4'd0 ? steps * FLOAT_LANES : lines > FLOAT_LANES ? lines : FLOAT_LANES;
  endfunction

  function [7:0] leaves_of;
    input [3:0] steps;
    leaves_of = 8 + (steps == 4'd0 ? 1 : steps) * FLOAT_LANES + 6 * steps;
  endfunction

  wire [4:0] turn   = turn_of(adam_q[bank], steps_q[bank]);
  wire       same   = class_twice_q == twice_q[bank] && class_turn_q == turn;
  wire       keeps  = twos_q[bank] && !second_q && !final;
  wire       waits  = tap_waits || (last && ((same ? apart_q != 8'd0 || phase_q != 5'd0 : leaves_q != 8'd0) || (pair_q != 3'd0 && !keeps)));

  always @(posedge clk) begin
    tap_since_q <= tap_since_q != 3'd7 ? tap_since_q + 3'd1 : 3'd7;
    if (step_ready) begin
      tap_since_q <= 3'd1;
      tap_twice_q <= twice_q[bank];
      tap_sums_q  <= sums_q[bank];
    end
    phase_q  <= apart_q != 8'd0 ? 5'd0 : phase_q == 5'd0 ? class_turn_q - 5'd1 : phase_q - 5'd1;
    apart_q  <= apart_q != 8'd0 ? apart_q - 8'd1 : 8'd0;
    leaves_q <= leaves_q != 8'd0 ? leaves_q - 8'd1 : 8'd0;
    pair_q   <= pair_q != 3'd0 ? pair_q - 3'd1 : 3'd0;
    if (step_ready && last) begin
      class_twice_q <= twice_q[bank];
      class_turn_q  <= turn;
      phase_q       <= 5'd0;
      apart_q       <= apart_of(adam_q[bank], steps_q[bank], lines_q[bank]) - 8'd1;
      leaves_q      <= leaves_of(steps_q[bank]);
      second_q      <= keeps;
      if (second_q) pair_q <= 3'd3;
    end
    if (rst) begin
      tap_since_q   <= 3'd7;
      class_twice_q <= 1'b0;
      class_turn_q  <= 5'd1;
      phase_q       <= 5'd0;
      apart_q       <= 8'd0;
      leaves_q      <= 8'd0;
      second_q      <= 1'b0;
      pair_q        <= 3'd0;
    end
  end

  //// The module's registers ////

  (* hierconn *) wire \dut.sums_q[0] ;
  (* hierconn *) wire \dut.sums_q[1] ;
  (* hierconn *) wire \dut.twice_q[0] ;
  (* hierconn *) wire \dut.twice_q[1] ;
  (* hierconn *) wire [3:0] \dut.turn_q[0] ;
  (* hierconn *) wire [3:0] \dut.turn_q[1] ;
  (* hierconn *) wire [9:0] \dut.row_q[0] ;
  (* hierconn *) wire [9:0] \dut.row_q[1] ;
  (* hierconn *) wire \dut.twos_q[0] ;
  (* hierconn *) wire \dut.twos_q[1] ;
  (* hierconn *) wire [9:0] \dut.leave_q[0] ;
  (* hierconn *) wire [9:0] \dut.leave_q[1] ;
  (* hierconn *) wire [2:0] \dut.tap_wait_q ;
  (* hierconn *) wire \dut.tap_twice_q ;
  (* hierconn *) wire \dut.class_twice_q ;
  (* hierconn *) wire [3:0] \dut.class_turn_q ;
  (* hierconn *) wire [9:0] \dut.grid_q ;
  (* hierconn *) wire [9:0] \dut.left_q ;
  (* hierconn *) wire \dut.second_q ;
  (* hierconn *) wire [1:0] \dut.lines_q ;
  (* hierconn *) wire [1:0] \dut.u_lines.line_q ;
  (* hierconn *) wire \dut.u_lines.cut_q ;
  (* hierconn *) wire \dut.u_lines.stop_q ;
  (* hierconn *) wire \dut.u_lines.err_valid_q ;

  always @* begin
    if (!start_q) begin
      if (taken_q[0]) begin
        assert (\dut.sums_q[0] == sums_q[0] && \dut.twice_q[0] == twice_q[0] && \dut.twos_q[0] == twos_q[0] && (sums_q[0] || !twice_q[0]));
        assert (\dut.turn_q[0] == turn_of(adam_q[0], steps_q[0]) - 5'd1);
        assert (\dut.row_q[0] == apart_of(adam_q[0], steps_q[0], lines_q[0]) - 8'd1 && \dut.leave_q[0] == leaves_of(steps_q[0]));
      end
      if (taken_q[1]) begin
        assert (\dut.sums_q[1] == sums_q[1] && \dut.twice_q[1] == twice_q[1] && \dut.twos_q[1] == twos_q[1] && (sums_q[1] || !twice_q[1]));
        assert (\dut.turn_q[1] == turn_of(adam_q[1], steps_q[1]) - 5'd1);
        assert (\dut.row_q[1] == apart_of(adam_q[1], steps_q[1], lines_q[1]) - 8'd1 && \dut.leave_q[1] == leaves_of(steps_q[1]));
      end
      assert (\dut.tap_wait_q  == (tap_since_q == 3'd7 ? 3'd0 : tap_twice_q ? (tap_since_q < 3'd5 ? 3'd5 - tap_since_q : 3'd0)
                                 : tap_sums_q && tap_since_q < 3'd4 ? 3'd4 - tap_since_q : 3'd0));
      if (tap_since_q != 3'd7) assert (tap_since_q != 3'd0 && \dut.tap_twice_q  == tap_twice_q && (tap_sums_q || !tap_twice_q));
      assert (\dut.class_twice_q  == class_twice_q && \dut.class_turn_q  == class_turn_q - 5'd1 && class_turn_q != 5'd0 && class_turn_q <= 5'd16);
      assert (\dut.grid_q  == (apart_q != 8'd0 ? apart_q : phase_q) && (apart_q == 8'd0 || phase_q == 5'd0) && phase_q < class_turn_q);
      assert (\dut.left_q  == leaves_q && \dut.second_q  == second_q && \dut.lines_q  == pair_q);
      assert (\dut.u_lines.line_q  == 2'd0 && !\dut.u_lines.cut_q  && !\dut.u_lines.stop_q  && !\dut.u_lines.err_valid_q );
    end
  end

  always @* begin
    assume (!step_token[`TPU_TOKEN_INSIDE]);
    assume (!rst || !take);
    if (!rst) begin
      // An instruction takes its bank before its first step, and behind its last one.
      assume (!step_valid || taken_q[bank]);
      assert (tap == (step_valid && !waits));
      assert (step_ready == tap && tap_last == (tap && last));
      assert (ev_stall_output == (step_valid && waits));
      assert (second == second_q);
    end
  end

endmodule

`default_nettype wire
