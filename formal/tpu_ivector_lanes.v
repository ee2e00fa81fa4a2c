// tpu_ivector_lanes: each lane gets its own number of the lines that were taken last, in each format, the parameters of the lane whose turn it is
// in its group, or with UNIFORM those of the first lane of all; its word leaves at its place.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"

module formal_tpu_ivector_lanes #(
  parameter LANES = 4,
  parameter INT16_LANES = 2
) (
  input wire                clk,
  input wire [8*LANES-1:0]  a_bytes,
  input wire [32*LANES-1:0] a_words,
  input wire [8*LANES-1:0]  b_bytes,
  input wire [32*LANES-1:0] biases,
  input wire [32*LANES-1:0] multipliers,
  input wire [8*LANES-1:0]  shifts
);

  localparam LINE = 8 * LANES;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [32*LANES-1:0] out_words;

  tpu_ivector_lanes #(
    .LANES       (LANES),
    .PARAM_ROWS  (4),
    .INT16_LANES (INT16_LANES)
  ) dut (
    .clk          (clk),
    .rst          (rst),
    .take         (1'b0),
    .take_bank    (1'b0),
    .cmd          ({`TPU_IVECTOR_USED{1'b0}}),
    .a_line       (1'b0),
    .a_high       (1'b0),
    .b_line       (1'b0),
    .tap          (1'b0),
    .tap_bank     (1'b0),
    .tap_inside   (1'b0),
    .tap_first    (1'b0),
    .tap_last     (1'b0),
    .tap_final    (1'b0),
    .tap_param    (2'd0),
    .a_bytes      (a_bytes),
    .a_words      (a_words),
    .b_bytes      (b_bytes),
    .biases       (biases),
    .multipliers  (multipliers),
    .shifts       (shifts),
    .lut_wr_valid (1'b0),
    .lut_wr_addr  (11'd0),
    .lut_wr_data  (8'd0),
    .out_words    (out_words)
  );

  (* hierconn *) wire                             \dut.take_a ;
  (* hierconn *) wire                             \dut.take_acc ;
  (* hierconn *) wire                             \dut.take_b ;
  (* hierconn *) wire [5:0]                       \dut.turn9 ;
  (* hierconn *) wire [5:0]                       \dut.turn10 ;
  (* hierconn *) wire [`TPU_IVECTOR_ROW_BITS-1:0] \dut.row_control ;

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

  always @(posedge clk) begin
    if (\dut.take_a ) begin
      {a0_q, a1_q, a2_q, a3_q} <= \dut.take_acc ? a_words : {a_bytes, a0_q, a1_q, a2_q};
    end
    if (\dut.take_b ) begin
      {b0_q, b1_q, b2_q, b3_q} <= {b_bytes, b0_q, b1_q, b2_q};
    end
    a_count_q <= rst ? 3'd0 : \dut.take_a && \dut.take_acc ? 3'd4 : \dut.take_a && !a_count_q[2] ? a_count_q + 3'd1 : a_count_q;
    b_count_q <= rst ? 3'd0 : \dut.take_b && !b_count_q[2] ? b_count_q + 3'd1 : b_count_q;
  end

  // Numbers of one, two and four lines
  wire [2*LINE-1:0] a_halves = {a0_q, a1_q};
  wire [4*LINE-1:0] a_whole  = {a0_q, a1_q, a2_q, a3_q};
  wire [2*LINE-1:0] b_halves = {b0_q, b1_q};
  wire [4*LINE-1:0] b_whole  = {b0_q, b1_q, b2_q, b3_q};

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      localparam GROUP = i / INT16_LANES * INT16_LANES;

      wire [2:0]  lane9  = \dut.row_control [`TPU_IVECTOR_ROW_9_UNIFORM] ? 3'd0 : GROUP + \dut.turn9 ;
      wire [2:0]  lane10 = \dut.row_control [`TPU_IVECTOR_ROW_10_UNIFORM] ? 3'd0 : GROUP + \dut.turn10 ;
      wire [31:0] expected;

      ivector_mix u_mix (
        .a_byte     (a0_q[8*i +: 8]),
        .a_half     (a_halves[16*i +: 16]),
        .a_word     (a_whole[32*i +: 32]),
        .b_byte     (b0_q[8*i +: 8]),
        .b_half     (b_halves[16*i +: 16]),
        .b_word     (b_whole[32*i +: 32]),
        .bias       (biases[32*lane9 +: 32]),
        .multiplier (multipliers[32*lane10 +: 32]),
        .shift      (shifts[8*lane10 +: 6]),
        .word       (expected)
      );

      always @* if (!rst && a_count_q[2] && b_count_q[2]) assert (out_words[32*i +: 32] == expected);
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
