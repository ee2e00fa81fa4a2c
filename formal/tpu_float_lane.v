// tpu_float_lane: the lanes take turns, the lowest one first, in what they share. A window's results, or its minima, enter in their lanes' turns; a
// row's words stand at their lanes' places while the last one is there. Of ADAM, what left the multiply-adders enters the function in turns, and
// behind the last lane's number zeros do; roots and factors are at their lanes when the last one came. All of them stay until the next turn.
//
// What a lane and the common part make of their numbers is the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"

module formal_tpu_float_lane #(
  // As many as are named below
  parameter LANES = 2
) (
  input wire                           clk,
  input wire                           rst,
  input wire [`TPU_FLOAT_TAP_BITS-1:0] tap,
  input wire [`TPU_FLOAT_ROW_BITS-1:0] row,
  input wire [`TPU_UPDATE_BITS-1:0]    update,
  input wire [32*LANES-1:0]            a_words,
  input wire [32*LANES-1:0]            b_words,
  input wire [31:0]                    bias,
  input wire [31:0]                    multiplier,
  input wire [32*LANES-1:0]            biases,
  input wire [32*LANES-1:0]            multipliers
);

  wire [32*LANES-1:0] left;
  wire [32*LANES-1:0] words;

  tpu_float_lane #(
    .LANES (LANES)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .tap         (tap),
    .row         (row),
    .update      (update),
    .a_words     (a_words),
    .b_words     (b_words),
    .bias        (bias),
    .multiplier  (multiplier),
    .biases      (biases),
    .multipliers (multipliers),
    .left        (left),
    .words       (words)
  );

  (* hierconn *) wire [`TPU_FLOAT_TAP_BITS-1:0] \dut.g_lane[0].u_map.tap ;
  (* hierconn *) wire [`TPU_UPDATE_BITS-1:0]    \dut.g_lane[0].u_map.update ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.a_word ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.b_word ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.bias ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.multiplier ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.root ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.factor ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.left ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.larger ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[0].u_map.smaller ;
  (* hierconn *) wire [`TPU_FLOAT_TAP_BITS-1:0] \dut.g_lane[1].u_map.tap ;
  (* hierconn *) wire [`TPU_UPDATE_BITS-1:0]    \dut.g_lane[1].u_map.update ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.a_word ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.b_word ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.bias ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.multiplier ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.root ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.factor ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.left ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.larger ;
  (* hierconn *) wire [31:0]                    \dut.g_lane[1].u_map.smaller ;
  (* hierconn *) wire [`TPU_FLOAT_ROW_BITS-1:0] \dut.u_row.row ;
  (* hierconn *) wire [`TPU_UPDATE_BITS-1:0]    \dut.u_row.update ;
  (* hierconn *) wire [31:0]                    \dut.u_row.value ;
  (* hierconn *) wire [31:0]                    \dut.u_row.bias ;
  (* hierconn *) wire [31:0]                    \dut.u_row.multiplier ;
  (* hierconn *) wire [31:0]                    \dut.u_row.update_in ;
  (* hierconn *) wire [31:0]                    \dut.u_row.update_out ;
  (* hierconn *) wire [31:0]                    \dut.u_row.word ;

  //// From the lanes: numbers as they were at the first turn, and how many turns came behind it; two stand for more ////

  wire [63:0] larger  = {\dut.g_lane[1].u_map.larger , \dut.g_lane[0].u_map.larger };
  wire [63:0] smaller = {\dut.g_lane[1].u_map.smaller , \dut.g_lane[0].u_map.smaller };
  reg  [63:0] window_q;
  reg  [1:0]  turn_q;
  reg         windows_q = 1'b0;
  reg  [63:0] held_q;
  reg  [1:0]  start_q;
  reg         holds_q = 1'b0;

  always @(posedge clk) begin
    if (row[`TPU_FLOAT_ROW_11_EN] && row[`TPU_FLOAT_ROW_11_FIRST]) begin
      window_q  <= row[`TPU_FLOAT_ROW_11_MIN] ? smaller : larger;
      turn_q    <= 2'd0;
      windows_q <= 1'b1;
    end else if (row[`TPU_FLOAT_ROW_11_EN] && turn_q != 2'd2) begin
      turn_q <= turn_q + 2'd1;
    end
    if (update[`TPU_UPDATE_HOLD]) begin
      held_q  <= left;
      start_q <= 2'd0;
      holds_q <= 1'b1;
    end else if (update[`TPU_UPDATE_START] && start_q != 2'd2) begin
      start_q <= start_q + 2'd1;
    end
  end

  always @* begin
    if (windows_q && turn_q != 2'd2) assert (\dut.u_row.value == window_q[32*turn_q +: 32]);
    if (holds_q) assert (\dut.u_row.update_in == (start_q == 2'd2 ? 32'd0 : held_q[32*start_q +: 32]));
  end

  //// To the lanes: the last result, the one before it, and how many came, two at most ////

  reg [63:0] root_q;
  reg [1:0]  roots_q   = 2'd0;
  reg [63:0] factor_q;
  reg [1:0]  factors_q = 2'd0;
  reg [31:0] word_q;
  reg        words_q   = 1'b0;

  always @(posedge clk) begin
    if (update[`TPU_UPDATE_ROOT]) begin
      root_q  <= {\dut.u_row.update_out , root_q[63:32]};
      roots_q <= {roots_q[0], 1'b1};
    end
    if (update[`TPU_UPDATE_FACTOR]) begin
      factor_q  <= {\dut.u_row.update_out , factor_q[63:32]};
      factors_q <= {factors_q[0], 1'b1};
    end
    if (row[`TPU_FLOAT_ROW_21_EN]) begin
      word_q  <= \dut.u_row.word ;
      words_q <= 1'b1;
    end
  end

  always @* begin
    if (roots_q[1]) assert ({\dut.g_lane[1].u_map.root , \dut.g_lane[0].u_map.root } == root_q);
    if (factors_q[1]) assert ({\dut.g_lane[1].u_map.factor , \dut.g_lane[0].u_map.factor } == factor_q);
    assert (words[63:32] == \dut.u_row.word );
    if (words_q) assert (words[31:0] == word_q);
  end

  //// All else ////

  always @* begin
    assert (\dut.g_lane[0].u_map.tap == tap && \dut.g_lane[1].u_map.tap == tap);
    assert (\dut.g_lane[0].u_map.update == update && \dut.g_lane[1].u_map.update == update);
    assert ({\dut.g_lane[1].u_map.a_word , \dut.g_lane[0].u_map.a_word } == a_words);
    assert ({\dut.g_lane[1].u_map.b_word , \dut.g_lane[0].u_map.b_word } == b_words);
    assert ({\dut.g_lane[1].u_map.bias , \dut.g_lane[0].u_map.bias } == biases);
    assert ({\dut.g_lane[1].u_map.multiplier , \dut.g_lane[0].u_map.multiplier } == multipliers);
    assert (left == {\dut.g_lane[1].u_map.left , \dut.g_lane[0].u_map.left });
    assert (\dut.u_row.row == row && \dut.u_row.update == update);
    assert (\dut.u_row.bias == bias && \dut.u_row.multiplier == multiplier);
  end

endmodule

`default_nettype wire
