// tpu_adam_steps: whatever rows come, if only they are multiples of 16 cycles apart, each row has all of its steps, in their cycles and for itself
// alone; its functions start where they find a place; its outputs come as many cycles apart as they have lines; its parameters are read in
// time. What the lanes hold follows from the last 128 cycles, so that more of them show nothing new.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_isa.vh"

module formal_tpu_adam_steps #(
  parameter FLOAT_LANES = 2,
  // 1: with resets in the middle of work, behind which nothing is left of the rows before
  parameter RESETS = 0
) (
  input wire clk,
  // A row comes if it may; it is the one that is watched; it is the last one
  input wire want,
  input wire watch,
  input wire last,
  input wire first_tap,
  input wire reset
);

  reg  start_q = 1'b1;
  wire rst     = start_q || (RESETS != 0 && reset);
  always @(posedge clk) start_q <= 1'b0;

  reg  [3:0] phase_q = 4'd0;
  wire       second_tap = want && phase_q == 4'd0 && !rst;

  wire [`TPU_UPDATE_BITS-1:0] control;
  wire                        param_en;
  wire [3:0]                  param_entry;
  wire                        out_kept;
  wire                        out_weight;
  wire                        out_final;

  tpu_adam_steps #(
    .PARAM_ROWS  (16),
    .FLOAT_LANES (FLOAT_LANES)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .take        (rst),
    .cmd         ({`TPU_ADAM_USED{1'b0}}),
    .first_tap   (first_tap),
    .second_tap  (second_tap),
    .final_tap   (last),
    .control     (control),
    .param_en    (param_en),
    .param_entry (param_entry),
    .out_kept    (out_kept),
    .out_weight  (out_weight),
    .out_final   (out_final)
  );

  // ---- One row -------------------------------------------------------------------------------------
  // Cycle 0 is that of the row's stage 5, 7 cycles after its issue.
  reg              watching_q = 1'b0;
  reg              last_q;
  reg signed [8:0] cycle_q;

  always @(posedge clk) begin
    phase_q <= phase_q + 4'd1;
    cycle_q <= cycle_q + 9'sd1;
    if (second_tap && watch && !watching_q) begin
      watching_q <= 1'b1;
      last_q     <= last;
      cycle_q    <= -9'sd6;
    end
    if (rst) begin
      phase_q    <= 4'd0;
      watching_q <= 1'b0;
    end
  end

  // A row's first tap takes its gradient 7 cycles later.
  reg [6:0] first_q = 7'd0;

  always @(posedge clk) first_q <= rst ? 7'd0 : {first_q[5:0], first_tap};

  wire       en      = control[`TPU_UPDATE_EN];
  wire [2:0] step    = control[`TPU_UPDATE_STEP];
  wire       start   = control[`TPU_UPDATE_START];
  wire       inverse = control[`TPU_UPDATE_RECIPROCAL];
  wire       pairs   = FLOAT_LANES == 2;

  always @* begin
    if (watching_q && !rst) begin
      case (cycle_q)
        -9'sd1:  assert (param_en && param_entry == 4'd1);
        9'sd0:   assert (en && step == `TPU_UPDATE_ADD_SQUARE);
        9'sd1:   assert (en && step == `TPU_UPDATE_DECAY && !param_en);
        9'sd2:   assert (en && step == `TPU_UPDATE_ADD_MOMENT);
        9'sd5:   assert (en && step == `TPU_UPDATE_SCALE_SQUARE);
        9'sd6:   assert (control[`TPU_UPDATE_WEIGHT]);
        9'sd9:   assert (en && step == `TPU_UPDATE_SCALE_MOMENT);
        9'sd10:  assert (out_kept && !out_weight && control[`TPU_UPDATE_SQUARE] && control[`TPU_UPDATE_HOLD]);
        9'sd11:  assert (start && !inverse && !control[`TPU_UPDATE_HOLD]);
        9'sd14:  assert (out_kept && !out_weight && control[`TPU_UPDATE_MOMENT]);
        9'sd15:  assert (start == pairs && !inverse);
        9'sd40:  assert (control[`TPU_UPDATE_ROOT] && !control[`TPU_UPDATE_FACTOR]);
        9'sd44:  assert (control[`TPU_UPDATE_ROOT] == pairs && !control[`TPU_UPDATE_FACTOR]);
        9'sd54:  assert (en && step == `TPU_UPDATE_MAKE_ROOT);
        9'sd57:  assert (param_en && param_entry == 4'd0);
        9'sd58:  assert (!param_en);
        9'sd59:  assert (en && step == `TPU_UPDATE_SCALE_ROOT && !param_en);
        9'sd64:  assert (control[`TPU_UPDATE_HOLD]);
        9'sd67:  assert (start && inverse);
        9'sd71:  assert (start == pairs && (inverse || !pairs));
        9'sd96:  assert (control[`TPU_UPDATE_FACTOR] && !control[`TPU_UPDATE_ROOT]);
        9'sd100: assert (control[`TPU_UPDATE_FACTOR] == pairs && !control[`TPU_UPDATE_ROOT]);
        9'sd109: assert (en && step == `TPU_UPDATE_MOVE);
        9'sd114: assert (out_weight && !out_kept && out_final == last_q);
        default: ;
      endcase
      // What left the multiply-adder is what the next step takes: nothing else leaves it before.
      if (cycle_q == 9'sd3 || cycle_q == 9'sd4) assert (!en);
      // A lane's root and factor are there until they are taken.
      if (cycle_q > 9'sd44 && cycle_q <= 9'sd54) assert (!control[`TPU_UPDATE_ROOT]);
      if (cycle_q > 9'sd100 && cycle_q <= 9'sd109) assert (!control[`TPU_UPDATE_FACTOR]);
    end
  end

  // ---- All rows ------------------------------------------------------------------------------------
  reg [20:0] starts_q = 21'd0;
  reg [2:0]  outputs_q = 3'd0;

  always @(posedge clk) begin
    starts_q  <= rst ? 21'd0 : {starts_q[19:0], start};
    outputs_q <= rst ? 3'd0 : {outputs_q[1:0], out_kept || out_weight};
  end

  always @* begin
    if (!rst) begin
      assert (control[`TPU_UPDATE_TAKE] == first_q[6]);
      // Four steps, seven cycles each
      if (start) assert (!starts_q[6] && !starts_q[13] && !starts_q[20]);
      if (out_kept || out_weight) assert (outputs_q == 3'd0);
      assert (!(out_kept && out_weight));
      if (start) assert (!control[`TPU_UPDATE_HOLD]);
    end
  end

endmodule

`default_nettype wire
