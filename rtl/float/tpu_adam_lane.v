// What a lane keeps for ADAM, and what the steps of tpu_adam_steps multiply and add (docs/isa.md, 10.5). x, y and z are
// those of the step, but only with EN a step takes a number from those that wait.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_assert.vh"

module tpu_adam_lane (
  input  wire                        clk,
  input  wire                        rst,

  input  wire [`TPU_UPDATE_BITS-1:0] update,

  // Stage 5 of a tap, until the next one: sum of squares and gradient, then moment and weight
  input  wire [31:0]                 a,
  input  wire [31:0]                 b,
  // What left the multiply-adder last
  input  wire [31:0]                 left,
  // Parameters
  input  wire [31:0]                 bias,
  input  wire [31:0]                 multiplier,
  // Results of the function
  input  wire [31:0]                 root,
  input  wire [31:0]                 factor,

  // Operands of the multiply-adder
  output reg  [31:0]                 x,
  output reg  [31:0]                 y,
  output reg  [31:0]                 z
);

  localparam [31:0] MINUS_ZERO = 32'h80000000;

  reg [31:0] square_q;
  reg [31:0] gradient_q;

  always @(posedge clk) begin
    if (update[`TPU_UPDATE_TAKE]) begin
      square_q   <= a;
      gradient_q <= b;
    end
  end

  // ---- Numbers of the rows on their way: 3, 7, and 6 of them ------------------------------------------
  wire [2:0]  step      = update[`TPU_UPDATE_STEP];
  wire        takes     = update[`TPU_UPDATE_EN] && step == `TPU_UPDATE_MAKE_ROOT;
  wire        moves     = update[`TPU_UPDATE_EN] && step == `TPU_UPDATE_MOVE;
  wire [31:0] square;
  wire [31:0] weight;
  wire [31:0] moment;
  wire [2:0]  ready;
  wire [2:0]  valid;
  wire [2:0]  unused_square_level;
  wire [3:0]  unused_weight_level;
  wire [3:0]  unused_moment_level;

  tpu_fifo #(
    .WIDTH (32),
    .DEPTH (4)
  ) u_squares (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (update[`TPU_UPDATE_SQUARE]),
    .in_ready  (ready[0]),
    .in_data   (left),
    .out_valid (valid[0]),
    .out_ready (takes),
    .out_data  (square),
    .level     (unused_square_level)
  );

  tpu_fifo #(
    .WIDTH (32),
    .DEPTH (8)
  ) u_weights (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (update[`TPU_UPDATE_WEIGHT]),
    .in_ready  (ready[1]),
    .in_data   (left),
    .out_valid (valid[1]),
    .out_ready (moves),
    .out_data  (weight),
    .level     (unused_weight_level)
  );

  tpu_fifo #(
    .WIDTH (32),
    .DEPTH (8)
  ) u_moments (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (update[`TPU_UPDATE_MOMENT]),
    .in_ready  (ready[2]),
    .in_data   (left),
    .out_valid (valid[2]),
    .out_ready (moves),
    .out_data  (moment),
    .level     (unused_moment_level)
  );

  `TPU_ASSERT(a_room_for_every_number, ready == 3'd7)
  `TPU_ASSERT(a_number_when_taken, (valid[0] || !takes) && (valid[2:1] == 2'd3 || !moves))

  // ---- Operands ------------------------------------------------------------------------------------
  always @* begin
    case (step)
      `TPU_UPDATE_ADD_SQUARE:   {x, y, z} = {gradient_q, gradient_q, square_q};
      `TPU_UPDATE_DECAY:        {x, y, z} = {b, multiplier, MINUS_ZERO};
      `TPU_UPDATE_ADD_MOMENT:   {x, y, z} = {a, update[`TPU_UPDATE_MOMENT_FACTOR], gradient_q};
      `TPU_UPDATE_SCALE_SQUARE: {x, y, z} = {left, update[`TPU_UPDATE_SQUARE_SCALE], MINUS_ZERO};
      `TPU_UPDATE_SCALE_MOMENT: {x, y, z} = {left, update[`TPU_UPDATE_MOMENT_SCALE], MINUS_ZERO};
      `TPU_UPDATE_MAKE_ROOT:    {x, y, z} = {square, root, MINUS_ZERO};
      `TPU_UPDATE_SCALE_ROOT:   {x, y, z} = {left, multiplier, bias};
      default:                  {x, y, z} = {moment, factor, weight};
    endcase
  end

  wire unused = &{1'b0, update, ready, valid, unused_square_level, unused_weight_level, unused_moment_level};

endmodule

`default_nettype wire
