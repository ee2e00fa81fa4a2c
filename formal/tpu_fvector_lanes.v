// tpu_fvector_lanes: each lane gets its own number of the lines that were taken last, in each format with zeros above it, and the parameters of the
// lane whose turn it is in its group and its own; its word leaves at its place, or with ADAM what is left. ADAM gets its own taps and no others.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"
`include "tpu_isa.vh"

module formal_tpu_fvector_lanes #(
  parameter LANES = 4,
  parameter FLOAT_LANES = 2
) (
  input wire                clk,
  input wire                tap,
  input wire                tap_first,
  input wire                tap_last,
  input wire                tap_final,
  input wire [8*LANES-1:0]  a_bytes,
  input wire [32*LANES-1:0] a_words,
  input wire [8*LANES-1:0]  b_bytes,
  input wire [32*LANES-1:0] biases,
  input wire [32*LANES-1:0] multipliers
);

  localparam LINE = 8 * LANES;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                b_pop;
  wire                param_en;
  wire [1:0]          param_entry;
  wire                adam;
  wire                out_kept;
  wire                out_weight;
  wire                out_valid;
  wire                out_final;
  wire [1:0]          out_last;
  wire                out_interleave;
  wire [32*LANES-1:0] out_words;
  wire [1:0]          bank_busy;

  tpu_fvector_lanes #(
    .LANES       (LANES),
    .PARAM_ROWS  (4),
    .FLOAT_LANES (FLOAT_LANES)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .take           (1'b0),
    .take_bank      (1'b0),
    .cmd            ({`TPU_FVECTOR_USED{1'b0}}),
    .bank_busy      (bank_busy),
    .a_line         (1'b0),
    .b_line         (1'b0),
    .tap            (tap),
    .tap_bank       (1'b0),
    .tap_inside     (1'b0),
    .tap_first      (tap_first),
    .tap_last       (tap_last),
    .tap_final      (tap_final),
    .tap_param      (2'd0),
    .a_bytes        (a_bytes),
    .a_words        (a_words),
    .b_bytes        (b_bytes),
    .b_pop          (b_pop),
    .param_en       (param_en),
    .param_entry    (param_entry),
    .biases         (biases),
    .multipliers    (multipliers),
    .adam           (adam),
    .out_kept       (out_kept),
    .out_weight     (out_weight),
    .out_valid      (out_valid),
    .out_final      (out_final),
    .out_last       (out_last),
    .out_interleave (out_interleave),
    .out_words      (out_words)
  );

  (* hierconn *) wire                           \dut.u_pipe.take_a ;
  (* hierconn *) wire                           \dut.u_pipe.take_acc ;
  (* hierconn *) wire                           \dut.u_pipe.take_b ;
  (* hierconn *) wire                           \dut.u_pipe.adam ;
  (* hierconn *) wire                           \dut.u_pipe.adam_final ;
  (* hierconn *) wire [`TPU_FLOAT_TAP_BITS-1:0] \dut.u_pipe.tap_control ;
  (* hierconn *) wire [`TPU_FLOAT_ROW_BITS-1:0] \dut.u_pipe.row_control ;
  (* hierconn *) wire                           \dut.u_pipe.param_en ;
  (* hierconn *) wire [1:0]                     \dut.u_pipe.param_entry ;
  (* hierconn *) wire [5:0]                     \dut.u_pipe.turn10 ;
  (* hierconn *) wire [5:0]                     \dut.u_pipe.turn11 ;
  (* hierconn *) wire                           \dut.u_pipe.row_done ;
  (* hierconn *) wire                           \dut.u_pipe.row_final ;
  (* hierconn *) wire [1:0]                     \dut.u_pipe.row_last ;
  (* hierconn *) wire                           \dut.u_pipe.row_interleave ;
  (* hierconn *) wire                           \dut.u_adam.first_tap ;
  (* hierconn *) wire                           \dut.u_adam.second_tap ;
  (* hierconn *) wire                           \dut.u_adam.final_tap ;
  (* hierconn *) wire [`TPU_UPDATE_BITS-1:0]    \dut.u_adam.control ;
  (* hierconn *) wire                           \dut.u_adam.param_en ;
  (* hierconn *) wire [1:0]                     \dut.u_adam.param_entry ;
  (* hierconn *) wire                           \dut.u_adam.out_kept ;
  (* hierconn *) wire                           \dut.u_adam.out_weight ;
  (* hierconn *) wire                           \dut.u_adam.out_final ;

  //// Controls ////

  always @* begin
    assert (adam == \dut.u_pipe.adam );
    assert (\dut.u_adam.first_tap == (adam && tap && tap_first));
    assert (\dut.u_adam.second_tap == (adam && tap && tap_last));
    assert (\dut.u_adam.final_tap == tap_final);
    assert (\dut.u_pipe.adam_final == \dut.u_adam.out_final );
    assert (b_pop == \dut.u_pipe.take_b );
    assert (param_en == (\dut.u_pipe.param_en || \dut.u_adam.param_en ));
    assert (param_entry == (adam ? \dut.u_adam.param_entry : \dut.u_pipe.param_entry ));
    assert ({out_kept, out_weight} == {\dut.u_adam.out_kept , \dut.u_adam.out_weight });
    assert (out_valid == (\dut.u_pipe.row_done || out_kept || out_weight));
    assert (out_final == (\dut.u_pipe.row_final || \dut.u_adam.out_final ));
    // Rows of ADAM are words, and one behind the other.
    assert (out_last == (adam ? 2'd3 : \dut.u_pipe.row_last ));
    assert (out_interleave == (!adam && \dut.u_pipe.row_interleave ));
  end

  //// Reference: the last lines of each operand, the newest one first, and how many of them have come, up to four ////

  reg [LINE-1:0] a0_q;
  reg [LINE-1:0] a1_q;
  reg [LINE-1:0] a2_q;
  reg [LINE-1:0] a3_q;
  reg [LINE-1:0] b0_q;
  reg [LINE-1:0] b1_q;
  reg [LINE-1:0] b2_q;
  reg [LINE-1:0] b3_q;
  reg [2:0]      a_count_q;
  reg [2:0]      b_count_q;
  wire           take_a   = \dut.u_pipe.take_a ;
  wire           take_acc = \dut.u_pipe.take_acc ;
  wire           take_b   = \dut.u_pipe.take_b ;

  always @(posedge clk) begin
    if (take_a) begin
      {a0_q, a1_q, a2_q, a3_q} <= take_acc ? a_words : {a_bytes, a0_q, a1_q, a2_q};
    end
    if (take_b) begin
      {b0_q, b1_q, b2_q, b3_q} <= {b_bytes, b0_q, b1_q, b2_q};
    end
    a_count_q <= rst ? 3'd0 : take_a && take_acc ? 3'd4 : take_a && !a_count_q[2] ? a_count_q + 3'd1 : a_count_q;
    b_count_q <= rst ? 3'd0 : take_b && !b_count_q[2] ? b_count_q + 3'd1 : b_count_q;
  end

  // Numbers of one, two and four lines
  wire [2*LINE-1:0] a_halves = {a0_q, a1_q};
  wire [4*LINE-1:0] a_whole  = {a0_q, a1_q, a2_q, a3_q};
  wire [2*LINE-1:0] b_halves = {b0_q, b1_q};
  wire [4*LINE-1:0] b_whole  = {b0_q, b1_q, b2_q, b3_q};
  wire [1:0]        a_format = \dut.u_pipe.tap_control [2:1];
  wire [1:0]        b_format = \dut.u_pipe.tap_control [4:3];
  wire              odd      = ^{\dut.u_pipe.tap_control , \dut.u_pipe.row_control };
  wire [31:0]       update   = \dut.u_adam.control [31:0];

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      localparam GROUP = i / FLOAT_LANES * FLOAT_LANES;

      wire [32*FLOAT_LANES-1:0] group_biases      = biases[32*GROUP +: 32*FLOAT_LANES];
      wire [32*FLOAT_LANES-1:0] group_multipliers = multipliers[32*GROUP +: 32*FLOAT_LANES];

      wire [31:0] word;
      wire [31:0] left;
      reg  [31:0] bias_q;
      reg         given_q = 1'b0;

      always @(posedge clk) begin
        bias_q  <= group_biases[32*\dut.u_pipe.turn10 [0] +: 32];
        given_q <= 1'b1;
      end

      float_mix u_mix (
        .a               (a_format == 2'd0 ? {24'd0, a0_q[8*i +: 8]} : a_format == 2'd1 ? {16'd0, a_halves[16*i +: 16]} : a_whole[32*i +: 32]),
        .b               (b_format == 2'd0 ? {24'd0, b0_q[8*i +: 8]} : b_format == 2'd1 ? {16'd0, b_halves[16*i +: 16]} : b_whole[32*i +: 32]),
        .bias            (bias_q),
        .multiplier      (group_multipliers[32*\dut.u_pipe.turn11 [0] +: 32]),
        .lane_bias       (biases[32*i +: 32]),
        .lane_multiplier (multipliers[32*i +: 32]),
        .control         (odd ? update : ~update),
        .word            (word),
        .left            (left)
      );

      always @* if (!rst && a_count_q[2] && b_count_q[2]) assert (out_words[32*i +: 32] == (adam ? left : word));
    end
  endgenerate

  // Invariant: the registers of the operands
  (* hierconn *) wire [32*LANES-1:0] \dut.u_operands.a_q ;
  (* hierconn *) wire [32*LANES-1:0] \dut.u_operands.b_q ;

  always @* begin
    if (!rst) begin
      assert (a_count_q == 3'd0 || \dut.u_operands.a_q [32*LANES-1 -: LINE] == a0_q);
      assert (a_count_q <= 3'd1 || \dut.u_operands.a_q [24*LANES-1 -: LINE] == a1_q);
      assert (a_count_q <= 3'd2 || \dut.u_operands.a_q [16*LANES-1 -: LINE] == a2_q);
      assert (a_count_q <= 3'd3 || \dut.u_operands.a_q [8*LANES-1 -: LINE] == a3_q);
      assert (b_count_q == 3'd0 || \dut.u_operands.b_q [32*LANES-1 -: LINE] == b0_q);
      assert (b_count_q <= 3'd1 || \dut.u_operands.b_q [24*LANES-1 -: LINE] == b1_q);
      assert (b_count_q <= 3'd2 || \dut.u_operands.b_q [16*LANES-1 -: LINE] == b2_q);
      assert (b_count_q <= 3'd3 || \dut.u_operands.b_q [8*LANES-1 -: LINE] == b3_q);
    end
  end

endmodule

`default_nettype wire
