// Loop nest of a VECTOR instruction for one stream of rows: the current row and whether it lies inside the image.
//
// Tap by tap: loops from the innermost kw, kh, ow, oh, cb over the rows of source A (stream 0) or source B (stream 1).
// Column by column (`columns`, see tpu_vector_slot): stream k reads row k of the window: for each cb the weights of kw = 0, 1 and 2, then
// for each oh the pixels of all columns that the windows of an image row cover. A map without weights passes through the
// weights' three steps all the same, outside of the image.
//
// `cmd`, `columns` and `pair` are sampled by `load`; outputs are those of the first step from the cycle after `load`. `load` may
// come in the cycle of the last `step`.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_walk #(
  // 0, 1 or 2; stream 2 has columns only
  parameter STREAM = 0
) (
  input  wire                        clk,

  input  wire                        load,
  input  wire [`TPU_VECTOR_USED-1:0] cmd,
  input  wire                        columns,
  // Windows are two columns apart
  input  wire                        pair,

  // There is a current step
  input  wire                        active,
  input  wire                        step,

  // Current step; `inside` is low without one
  output wire [19:0]                 row,
  output reg                         inside,
  // A row of weights, not of pixels
  output wire                        weight,
  output wire                        window_first,
  output wire                        window_last,
  output wire                        last,
  // The loop that `step` advances; of columns 2, oh 3, cb 4
  output wire [2:0]                  level
);

  // ---- Nest of the instruction -----------------------------------------------------------------
  wire        by_column = columns || STREAM == 2;
  wire [15:0] steps_ow  = cmd[`TPU_VECTOR_N_OW] - 16'd1;
  wire [15:0] n_column  = (pair ? {steps_ow[14:0], 1'b0} : steps_ow) + 16'd3;
  wire [31:0] window_in = by_column ? {16'd1, 16'd1} : {cmd[`TPU_VECTOR_N_KH], cmd[`TPU_VECTOR_N_KW]};
  wire [79:0] counts_in = !load ? 80'bx : {cmd[`TPU_VECTOR_N_CB], cmd[`TPU_VECTOR_N_OH], by_column ? n_column : cmd[`TPU_VECTOR_N_OW],
                                           window_in};

  function [19:0] extend(input [15:0] value);
    extend = {{4{value[15]}}, value};
  endfunction

  // Row STREAM of the window.
  wire [19:0] a_kh   = extend(cmd[`TPU_VECTOR_A_KH]);
  wire [19:0] ys_kh  = {12'd0, cmd[`TPU_VECTOR_YS_KH]};
  wire [19:0] a_down = STREAM == 0 ? 20'd0 : STREAM == 1 ? a_kh : {a_kh[18:0], 1'b0};
  wire [19:0] y_down = STREAM == 0 || !by_column ? 20'd0 : STREAM == 1 ? ys_kh : {ys_kh[18:0], 1'b0};

  // Anything without `load`: simulators then work them out for one only.
  wire [19:0] base_in = !load       ? 20'bx
                      : by_column   ? cmd[`TPU_VECTOR_A_ROW] + a_down
                      : STREAM == 0 ? cmd[`TPU_VECTOR_A_ROW]
                                    : cmd[`TPU_VECTOR_B_ROW];
  wire [19:0] y_in    = load ? extend(cmd[`TPU_VECTOR_Y0]) + y_down : 20'bx;
  wire [19:0] x_in    = load ? extend(cmd[`TPU_VECTOR_X0]) : 20'bx;

  // ---- Weights before each channel block's columns ----------------------------------------------
  // Rows of this stream are three in every nine.
  localparam FIRST_WEIGHT = 3 * STREAM;

  reg         columns_q;
  reg         reads_weights_q;
  // Weights still to come before the next column.
  reg  [1:0]  weights_q;
  reg  [19:0] weight_row_q;
  wire        nest_step = step && !weight;
  wire        nest_last;

  assign weight = weights_q != 2'd0;
  assign last   = nest_last && !weight;

  always @(posedge clk) begin
    if (load) begin
      columns_q       <= columns;
      reads_weights_q <= cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
    end
    // `weights_q` last: what reads a register before it changes needs no second copy of it in simulators.
    if (load || (step && weight)) begin
      weight_row_q    <= load ? cmd[`TPU_VECTOR_B_ROW] + FIRST_WEIGHT[19:0] : weight_row_q + (weights_q == 2'd1 ? 20'd7 : 20'd1);
    end
    if (load || step) begin
      weights_q       <= load ? {2{columns}} : weight ? weights_q - 2'd1 : {2{columns_q && level == 3'd4}};
    end
  end

  // ---- Current step ------------------------------------------------------------------------------
  // Of each loop 20 bits.
  reg  [99:0] strides_q;
  reg  [99:0] y_strides_q;
  reg  [99:0] x_strides_q;
  reg  [15:0] y_bound_q;
  reg  [15:0] x_bound_q;
  wire [19:0] pixel_row;
  wire [19:0] y;
  wire [19:0] x;
  wire [4:0]  first_mask;
  wire [4:0]  last_mask;

  assign row          = weight ? weight_row_q : pixel_row;
  assign window_first = &first_mask[1:0];
  assign window_last  = &last_mask[1:0];

  always @* begin
    inside = 1'b0;
    if (active) begin
      inside = weight ? reads_weights_q
                      : y[19:16] == 4'd0 && y[15:0] < y_bound_q && x[19:16] == 4'd0 && x[15:0] < x_bound_q;
    end
  end

  always @(posedge clk) begin
    if (load) begin
      strides_q   <= by_column   ? {extend(cmd[`TPU_VECTOR_A_CB]), extend(cmd[`TPU_VECTOR_A_OH]), extend(cmd[`TPU_VECTOR_A_KW]), 40'd0}
                   : STREAM == 0 ? {extend(cmd[`TPU_VECTOR_A_CB]), extend(cmd[`TPU_VECTOR_A_OH]), extend(cmd[`TPU_VECTOR_A_OW]),
                                    extend(cmd[`TPU_VECTOR_A_KH]), extend(cmd[`TPU_VECTOR_A_KW])}
                                 : {extend(cmd[`TPU_VECTOR_B_CB]), extend(cmd[`TPU_VECTOR_B_OH]), extend(cmd[`TPU_VECTOR_B_OW]),
                                    extend(cmd[`TPU_VECTOR_B_KH]), extend(cmd[`TPU_VECTOR_B_KW])};
      y_strides_q <= {20'd0, 12'd0, cmd[`TPU_VECTOR_YS_OH], 20'd0, ys_kh, 20'd0};
      x_strides_q <= {20'd0, 20'd0, 12'd0, by_column ? cmd[`TPU_VECTOR_XS_KW] : cmd[`TPU_VECTOR_XS_OW],
                      20'd0, 12'd0, cmd[`TPU_VECTOR_XS_KW]};
      y_bound_q   <= cmd[`TPU_VECTOR_Y_BOUND];
      x_bound_q   <= cmd[`TPU_VECTOR_X_BOUND];
    end
  end

  tpu_loop_counter #(
    .LEVELS      (5),
    .COUNT_WIDTH (16)
  ) u_counter (
    .clk        (clk),
    .load       (load),
    .counts     (counts_in),
    .step       (nest_step),
    .level      (level),
    .last       (nest_last),
    .first_mask (first_mask),
    .last_mask  (last_mask)
  );

  tpu_loop_address #(
    .LEVELS (5),
    .WIDTH  (20)
  ) u_row (
    .clk     (clk),
    .load    (load),
    .base    (base_in),
    .strides (strides_q),
    .step    (nest_step),
    .level   (level),
    .addr    (pixel_row)
  );

  tpu_loop_address #(
    .LEVELS (5),
    .WIDTH  (20)
  ) u_y (
    .clk     (clk),
    .load    (load),
    .base    (y_in),
    .strides (y_strides_q),
    .step    (nest_step),
    .level   (level),
    .addr    (y)
  );

  tpu_loop_address #(
    .LEVELS (5),
    .WIDTH  (20)
  ) u_x (
    .clk     (clk),
    .load    (load),
    .base    (x_in),
    .strides (x_strides_q),
    .step    (nest_step),
    .level   (level),
    .addr    (x)
  );

  wire unused = &{1'b0, cmd, first_mask[4:2], last_mask[4:2], ys_kh[19], a_kh[19]};

endmodule

`default_nettype wire
