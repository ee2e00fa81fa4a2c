// Loop nest of a VECTOR instruction for one source: the current tap's row and whether the tap lies inside the image.
//
// Loops from the innermost: kw, kh, ow, oh, cb. Inputs of `load` are sampled with it; outputs are those of the first tap from the cycle
// after `load`. `load` may come in the cycle of the last tap's `step`.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_vector_walk (
  input  wire        clk,

  input  wire        load,
  // Counts and row strides of loops cb, oh, ow, kh, kw, 16 bits each, kw in the low bits
  input  wire [79:0] counts,
  input  wire [79:0] strides,
  // Row of the first tap
  input  wire [19:0] base,
  // Image coordinates of the first tap (signed), image size
  input  wire [15:0] y0,
  input  wire [15:0] x0,
  input  wire [15:0] y_bound,
  input  wire [15:0] x_bound,
  // Image rows and columns per output and per window step
  input  wire [7:0]  ys_oh,
  input  wire [7:0]  ys_kh,
  input  wire [7:0]  xs_ow,
  input  wire [7:0]  xs_kw,

  input  wire        step,

  // Current tap
  output wire [19:0] row,
  output wire        inside,
  output wire        window_first,
  output wire        window_last,
  output wire        last,
  // The loop that `step` advances
  output wire [2:0]  level
);

  reg  [79:0] strides_q;
  reg  [15:0] y_bound_q;
  reg  [15:0] x_bound_q;
  reg  [7:0]  ys_oh_q;
  reg  [7:0]  ys_kh_q;
  reg  [7:0]  xs_ow_q;
  reg  [7:0]  xs_kw_q;
  wire [19:0] y;
  wire [19:0] x;
  wire [4:0]  first_mask;
  wire [4:0]  last_mask;

  assign inside       = y[19:16] == 4'd0 && y[15:0] < y_bound_q && x[19:16] == 4'd0 && x[15:0] < x_bound_q;
  assign window_first = &first_mask[1:0];
  assign window_last  = &last_mask[1:0];

  always @(posedge clk) begin
    if (load) begin
      strides_q <= strides;
      y_bound_q <= y_bound;
      x_bound_q <= x_bound;
      ys_oh_q   <= ys_oh;
      ys_kh_q   <= ys_kh;
      xs_ow_q   <= xs_ow;
      xs_kw_q   <= xs_kw;
    end
  end

  tpu_loop_counter #(
    .LEVELS      (5),
    .COUNT_WIDTH (16)
  ) u_counter (
    .clk        (clk),
    .load       (load),
    .counts     (counts),
    .step       (step),
    .level      (level),
    .last       (last),
    .first_mask (first_mask),
    .last_mask  (last_mask)
  );

  tpu_loop_address #(
    .LEVELS (5),
    .WIDTH  (20)
  ) u_row (
    .clk     (clk),
    .load    (load),
    .base    (base),
    .strides ({{4{strides_q[79]}}, strides_q[79:64], {4{strides_q[63]}}, strides_q[63:48],
               {4{strides_q[47]}}, strides_q[47:32], {4{strides_q[31]}}, strides_q[31:16],
               {4{strides_q[15]}}, strides_q[15:0]}),
    .step    (step),
    .level   (level),
    .addr    (row)
  );

  tpu_loop_address #(
    .LEVELS (5),
    .WIDTH  (20)
  ) u_y (
    .clk     (clk),
    .load    (load),
    .base    ({{4{y0[15]}}, y0}),
    .strides ({20'd0, 12'd0, ys_oh_q, 20'd0, 12'd0, ys_kh_q, 20'd0}),
    .step    (step),
    .level   (level),
    .addr    (y)
  );

  tpu_loop_address #(
    .LEVELS (5),
    .WIDTH  (20)
  ) u_x (
    .clk     (clk),
    .load    (load),
    .base    ({{4{x0[15]}}, x0}),
    .strides ({20'd0, 20'd0, 12'd0, xs_ow_q, 20'd0, 12'd0, xs_kw_q}),
    .step    (step),
    .level   (level),
    .addr    (x)
  );

  wire unused = &{1'b0, first_mask[4:2], last_mask[4:2]};

endmodule

`default_nettype wire
