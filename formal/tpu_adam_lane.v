// tpu_adam_lane: the multiply-adder gets what each step of docs/isa.md, 10.5, multiplies and adds; a number is kept when its control says so, and
// taken from those that wait in the step that needs it, with EN alone.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"

module formal_tpu_adam_lane (
  input wire                        clk,
  input wire                        any_rst,
  input wire [`TPU_UPDATE_BITS-1:0] update,
  input wire [31:0]                 a,
  input wire [31:0]                 b,
  input wire [31:0]                 left,
  input wire [31:0]                 bias,
  input wire [31:0]                 multiplier,
  input wire [31:0]                 root,
  input wire [31:0]                 factor
);

  // A reset comes first, and then at any time.
  reg  begun_q = 1'b0;
  wire rst = any_rst || !begun_q;
  always @(posedge clk) begun_q <= 1'b1;

  wire [31:0] x;
  wire [31:0] y;
  wire [31:0] z;

  tpu_adam_lane dut (
    .clk        (clk),
    .rst        (rst),
    .update     (update),
    .a          (a),
    .b          (b),
    .left       (left),
    .bias       (bias),
    .multiplier (multiplier),
    .root       (root),
    .factor     (factor),
    .x          (x),
    .y          (y),
    .z          (z)
  );

  //// Reference ////

  wire       en   = update[`TPU_UPDATE_EN];
  wire [2:0] step = update[`TPU_UPDATE_STEP];

  reg        taken_q = 1'b0;
  reg [31:0] square_q;
  reg [31:0] gradient_q;

  always @(posedge clk) begin
    if (update[`TPU_UPDATE_TAKE]) begin
      {square_q, gradient_q} <= {a, b};
      taken_q <= 1'b1;
    end
  end

  wire [2:0]  keeps = {update[`TPU_UPDATE_SQUARE], update[`TPU_UPDATE_WEIGHT], update[`TPU_UPDATE_MOMENT]};
  wire [2:0]  takes = {en && step == `TPU_UPDATE_MAKE_ROOT, {2{en && step == `TPU_UPDATE_MOVE}}};
  wire [31:0] kept[0:2];
  wire [2:0]  unused_ready;
  wire [2:0]  unused_valid;

  genvar i;
  generate
    for (i = 0; i < 3; i = i + 1) begin : g_kept
      wire [3:0] unused_level;

      tpu_fifo u_kept (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (keeps[i]),
        .in_ready  (unused_ready[i]),
        .in_data   (left),
        .out_valid (unused_valid[i]),
        .out_ready (takes[i]),
        .out_data  (kept[i]),
        .level     (unused_level)
      );
    end
  endgenerate

  wire [31:0] square = kept[2];
  wire [31:0] weight = kept[1];
  wire [31:0] moment = kept[0];

  localparam [31:0] MINUS_ZERO = 32'h80000000;

  reg [95:0] expected;

  always @* begin
    case (step)
      `TPU_UPDATE_ADD_SQUARE:   expected = {gradient_q, gradient_q, square_q};
      `TPU_UPDATE_DECAY:        expected = {b, multiplier, MINUS_ZERO};
      `TPU_UPDATE_ADD_MOMENT:   expected = {a, update[48:17], gradient_q};
      `TPU_UPDATE_SCALE_SQUARE: expected = {left, update[80:49], MINUS_ZERO};
      `TPU_UPDATE_SCALE_MOMENT: expected = {left, update[112:81], MINUS_ZERO};
      `TPU_UPDATE_MAKE_ROOT:    expected = {square, root, MINUS_ZERO};
      `TPU_UPDATE_SCALE_ROOT:   expected = {left, multiplier, bias};
      default:                  expected = {moment, factor, weight};
    endcase
    if (begun_q && (taken_q || (step != `TPU_UPDATE_ADD_SQUARE && step != `TPU_UPDATE_ADD_MOMENT))) assert ({x, y, z} == expected);
  end

endmodule

`default_nettype wire
