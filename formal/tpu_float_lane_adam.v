// tpu_float_lane, ADAM: lanes take turns in the function. Since what left their multiply-adders was held, the lowest lane's number is offered first,
// each start brings that of the next lane, and zeros follow the last one. What the function computes last is the highest lane's.
//
// The lanes and what they share are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_float_lane.vh"

module formal_tpu_float_lane_adam (
  input wire                           clk,
  input wire [`TPU_FLOAT_TAP_BITS-1:0] tap,
  input wire [`TPU_FLOAT_ROW_BITS-1:0] row,
  input wire [`TPU_UPDATE_BITS-1:0]    update
);

  localparam LANES = 2;

  wire [32*LANES-1:0] left;

  tpu_float_lane #(
    .LANES (LANES)
  ) dut (
    .clk         (clk),
    .rst         (1'b0),
    .tap         (tap),
    .row         (row),
    .update      (update),
    .a_words     ({32*LANES{1'b0}}),
    .b_words     ({32*LANES{1'b0}}),
    .bias        (32'd0),
    .multiplier  (32'd0),
    .biases      ({32*LANES{1'b0}}),
    .multipliers ({32*LANES{1'b0}}),
    .left        (left),
    .words       ()
  );

  (* hierconn *) wire [31:0] \dut.u_row.update_in ;
  (* hierconn *) wire [31:0] \dut.u_row.update_out ;
  (* hierconn *) wire [31:0] \dut.g_lane[0].u_map.root ;
  (* hierconn *) wire [31:0] \dut.g_lane[1].u_map.root ;
  (* hierconn *) wire [31:0] \dut.g_lane[0].u_map.factor ;
  (* hierconn *) wire [31:0] \dut.g_lane[1].u_map.factor ;

  // What was held, and how many numbers of it were started since, at most LANES
  reg                given_q = 1'b0;
  reg [32*LANES-1:0] held_q;
  reg [1:0]          started_q;
  // Results so far, at most LANES; the last one, and the one before
  reg [1:0]          roots_given_q   = 2'd0;
  reg [1:0]          factors_given_q = 2'd0;
  reg [31:0]         root_q          [0:1];
  reg [31:0]         factor_q        [0:1];

  always @(posedge clk) begin
    if (update[`TPU_UPDATE_HOLD]) begin
      given_q   <= 1'b1;
      held_q    <= left;
      started_q <= 2'd0;
    end else if (update[`TPU_UPDATE_START] && started_q != LANES) begin
      started_q <= started_q + 2'd1;
    end
    if (update[`TPU_UPDATE_ROOT]) begin
      roots_given_q <= {roots_given_q[0], 1'b1};
      root_q[0]     <= \dut.u_row.update_out ;
      root_q[1]     <= root_q[0];
    end
    if (update[`TPU_UPDATE_FACTOR]) begin
      factors_given_q <= {factors_given_q[0], 1'b1};
      factor_q[0]     <= \dut.u_row.update_out ;
      factor_q[1]     <= factor_q[0];
    end
  end

  always @* begin
    if (given_q) assert (\dut.u_row.update_in == (started_q == 2'd0 ? held_q[31:0] : started_q == 2'd1 ? held_q[63:32] : 32'd0));
    if (roots_given_q[0]) assert (\dut.g_lane[1].u_map.root == root_q[0]);
    if (roots_given_q[1]) assert (\dut.g_lane[0].u_map.root == root_q[1]);
    if (factors_given_q[0]) assert (\dut.g_lane[1].u_map.factor == factor_q[0]);
    if (factors_given_q[1]) assert (\dut.g_lane[0].u_map.factor == factor_q[1]);
  end

endmodule

`default_nettype wire
