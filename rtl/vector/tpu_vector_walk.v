// Loop nest of a VECTOR instruction for one stream of rows: the current row and whether it lies inside the image.
//
// Tap by tap: loops from the innermost kw, kh, ow, oh, cb over the rows of source A (stream 0) or source B (stream 1).
// Column by column (`columns`, see tpu_vector_slot): stream k reads row k of the window: for each cb the weights of kw = 0, 1 and 2, then
// for each oh the pixels of all columns that the windows of an image row cover. A map without weights passes through the
// weights' three steps all the same, outside of the image.
//
// `cmd`, `columns` and `n_column` are sampled by `load`; outputs are those of the first step from the cycle after `load`. `load` may
// come in the cycle of the last `step`. Between the last `step` and the next `load` there is none.
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
  // Column by column, with so many columns for a row of windows; of stream 2, which goes so in any case, whether weights come first
  input  wire                        columns,
  input  wire [15:0]                 n_column,

  // Current step
  input  wire                        step,
  output wire [19:0]                 row,
  output wire                        inside,
  // A row of weights, not of pixels
  output wire                        weight,
  output wire                        window_first,
  output wire                        window_last,
  output wire                        last,
  // The loop that `step` advances; of columns 2, oh 3, cb 4
  output wire [2:0]                  level
);

  localparam [2:0] LEVEL_CB = 3'd4;

  function [19:0] extend(input [15:0] value);
    extend = {{4{value[15]}}, value};
  endfunction

  // ---- Nest of the instruction -----------------------------------------------------------------
  wire        by_column = columns || STREAM == 2;
  wire [47:0] n_outer   = {cmd[`TPU_VECTOR_N_CB], cmd[`TPU_VECTOR_N_OH], by_column ? n_column : cmd[`TPU_VECTOR_N_OW]};
  wire [31:0] n_window  = by_column ? {16'd1, 16'd1} : {cmd[`TPU_VECTOR_N_KH], cmd[`TPU_VECTOR_N_KW]};

  // Row STREAM of the window.
  wire [19:0] a_kh   = extend(cmd[`TPU_VECTOR_A_KH]);
  wire [19:0] ys_kh  = {12'd0, cmd[`TPU_VECTOR_YS_KH]};
  wire [19:0] a_down = STREAM == 0 ? 20'd0 : STREAM == 1 ? a_kh : {a_kh[18:0], 1'b0};
  wire [19:0] y_down = STREAM == 0 || !by_column ? 20'd0 : STREAM == 1 ? ys_kh : {ys_kh[18:0], 1'b0};
  wire [19:0] base   = by_column   ? cmd[`TPU_VECTOR_A_ROW] + a_down
                     : STREAM == 0 ? cmd[`TPU_VECTOR_A_ROW]
                                   : cmd[`TPU_VECTOR_B_ROW];

  // ---- Weights before each channel block's columns ----------------------------------------------
  // Rows of this stream are three in every nine.
  localparam FIRST_WEIGHT = 3 * STREAM;

  reg         columns_q;
  reg         reads_weights_q;
  // As many ones as weights are still to come before the next column.
  reg  [2:0]  weights_q;
  reg  [19:0] weight_row_q;
  wire        nest_step = step && !weight;
  wire        nest_last;

  assign weight = weights_q[0];
  assign last   = nest_last && !weight;

  always @(posedge clk) begin
    if (load) begin
      columns_q       <= columns;
      reads_weights_q <= cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
      weights_q       <= {3{columns}};
      weight_row_q    <= cmd[`TPU_VECTOR_B_ROW] + FIRST_WEIGHT[19:0];
    end else if (step && weight) begin
      weights_q       <= weights_q >> 1;
      weight_row_q    <= weight_row_q + (weights_q[1] ? 20'd1 : 20'd7);
    end else if (step && columns_q && level == LEVEL_CB) begin
      weights_q       <= 3'b111;
    end
  end

  // ---- Current step ------------------------------------------------------------------------------
  wire [19:0] pixel_row;
  wire        y_inside;
  wire        x_inside;

  assign row    = weight ? weight_row_q : pixel_row;
  assign inside = weight ? reads_weights_q : y_inside && x_inside;

  // Of each loop 20 bits.
  reg  [59:0] outer_strides_q;

  always @(posedge clk) begin
    if (load) begin
      outer_strides_q <= by_column   ? {extend(cmd[`TPU_VECTOR_A_CB]), extend(cmd[`TPU_VECTOR_A_OH]), extend(cmd[`TPU_VECTOR_A_KW])}
                       : STREAM == 0 ? {extend(cmd[`TPU_VECTOR_A_CB]), extend(cmd[`TPU_VECTOR_A_OH]), extend(cmd[`TPU_VECTOR_A_OW])}
                                     : {extend(cmd[`TPU_VECTOR_B_CB]), extend(cmd[`TPU_VECTOR_B_OH]), extend(cmd[`TPU_VECTOR_B_OW])};
    end
  end

  generate
    if (STREAM == 2) begin : g_columns
      // Without the loops of the taps: ow is loop 0.
      wire [1:0]  outer_level;
      wire [2:0]  unused_first;
      wire [2:0]  unused_last;
      wire [19:0] unused_row;

      assign level        = {1'b0, outer_level} + 3'd2;
      assign window_first = 1'b1;
      assign window_last  = 1'b1;

      tpu_loop_counter #(
        .LEVELS      (3),
        .COUNT_WIDTH (16)
      ) u_counter (
        .clk        (clk),
        .load       (load),
        .counts     (n_outer),
        .step       (nest_step),
        .level      (outer_level),
        .last       (nest_last),
        .first_mask (unused_first),
        .last_mask  (unused_last)
      );

      tpu_loop_address #(
        .LEVELS (3),
        .WIDTH  (20)
      ) u_row (
        .clk       (clk),
        .load      (load),
        .base      (base),
        .strides   (outer_strides_q),
        .step      (nest_step),
        .level     (outer_level),
        .addr      (pixel_row),
        .next_addr (unused_row)
      );

      wire unused = &{1'b0, unused_first, unused_last, unused_row, n_window};
    end else begin : g_taps
      reg  [39:0] window_strides_q;
      wire [4:0]  first_mask;
      wire [4:0]  last_mask;
      wire [19:0] unused_row;

      assign window_first = &first_mask[1:0];
      assign window_last  = &last_mask[1:0];

      always @(posedge clk) begin
        if (load) begin
          window_strides_q <= STREAM == 0 ? {extend(cmd[`TPU_VECTOR_A_KH]), extend(cmd[`TPU_VECTOR_A_KW])}
                                          : {extend(cmd[`TPU_VECTOR_B_KH]), extend(cmd[`TPU_VECTOR_B_KW])};
        end
      end

      tpu_loop_counter #(
        .LEVELS      (5),
        .COUNT_WIDTH (16)
      ) u_counter (
        .clk        (clk),
        .load       (load),
        .counts     ({n_outer, n_window}),
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
        .clk       (clk),
        .load      (load),
        .base      (base),
        .strides   ({outer_strides_q, window_strides_q}),
        .step      (nest_step),
        .level     (level),
        .addr      (pixel_row),
        .next_addr (unused_row)
      );

      wire unused = &{1'b0, first_mask[4:2], last_mask[4:2], unused_row};
    end
  endgenerate

  tpu_vector_coordinate #(
    .INNER (1)
  ) u_y (
    .clk          (clk),
    .load         (load),
    .base         (extend(cmd[`TPU_VECTOR_Y0]) + y_down),
    .inner_stride (cmd[`TPU_VECTOR_YS_KH]),
    .outer_stride (cmd[`TPU_VECTOR_YS_OH]),
    .bound        (cmd[`TPU_VECTOR_Y_BOUND]),
    .step         (nest_step),
    .level        (level),
    .inside       (y_inside)
  );

  tpu_vector_coordinate #(
    .INNER (0)
  ) u_x (
    .clk          (clk),
    .load         (load),
    .base         (extend(cmd[`TPU_VECTOR_X0])),
    .inner_stride (cmd[`TPU_VECTOR_XS_KW]),
    .outer_stride (by_column ? cmd[`TPU_VECTOR_XS_KW] : cmd[`TPU_VECTOR_XS_OW]),
    .bound        (cmd[`TPU_VECTOR_X_BOUND]),
    .step         (nest_step),
    .level        (level),
    .inside       (x_inside)
  );

  wire unused = &{1'b0, cmd, ys_kh[19], a_kh[19]};

endmodule

`default_nettype wire
