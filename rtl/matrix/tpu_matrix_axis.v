// One coordinate of a loop nest in which only two loops move it.
//
// The inner loop adds to `value`. The outer loop adds to the value at which the inner loop starts, and restarts the inner loop there.
// Loops in between restart the inner loop, loops around both of them restart the outer loop.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_matrix_axis #(
  parameter WIDTH = 20
) (
  input  wire             clk,

  input  wire             load,
  // Sampled by `load`
  input  wire [WIDTH-1:0] base,
  // Stable from `load` on
  input  wire [WIDTH-1:0] inner_stride,
  input  wire [WIDTH-1:0] outer_stride,

  // At most one of them, but an outer step restarts the inner loop anyway; none: `value` stays
  input  wire             inner_step,
  input  wire             inner_restart,
  input  wire             outer_step,
  input  wire             outer_restart,

  // In this cycle, and in the next one
  output wire [WIDTH-1:0] value,
  output wire [WIDTH-1:0] next
);

  reg  [WIDTH-1:0] base_q;
  reg  [WIDTH-1:0] outer_q;
  reg  [WIDTH-1:0] value_q;

  // One adder: a step adds a stride to where its loop stands, a restart nothing.
  wire [WIDTH-1:0] start  = (outer_step || inner_restart) ? outer_q : outer_restart ? base_q : value_q;
  wire [WIDTH-1:0] stride = inner_step ? inner_stride : outer_step ? outer_stride : {WIDTH{1'b0}};

  assign value = value_q;
  assign next  = load ? base : start + stride;

  always @(posedge clk) begin
    value_q <= next;
    if (load) begin
      base_q <= base;
    end
    if (load || outer_step || outer_restart) begin
      outer_q <= next;
    end
  end

endmodule

`default_nettype wire
