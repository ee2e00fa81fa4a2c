// One coordinate of a tap of a VECTOR instruction: whether the tap lies inside the image in this direction.
//
// Two loops of the nest move the coordinate: the inner one from tap to tap within a window, the outer one from window to window. Loops
// further inside leave the coordinate as it is, loops further outside return it to its start.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_vector_coordinate #(
  // The loop that steps within a window: 0 (kw) or 1 (kh). The second one after it steps from window to window
  parameter INNER = 0
) (
  input  wire        clk,

  // Sampled by `load`
  input  wire        load,
  input  wire [19:0] base,
  input  wire [7:0]  inner_stride,
  input  wire [7:0]  outer_stride,
  input  wire [15:0] bound,

  // `step` advances the loop `level`
  input  wire        step,
  input  wire [2:0]  level,

  output wire        inside
);

  localparam OUTER = INNER + 2;

  // The coordinate, here, at the start of this iteration of the outer loop, and at the start of the nest.
  reg  [19:0] here_q;
  reg  [19:0] window_q;
  reg  [19:0] base_q;
  reg  [7:0]  inner_stride_q;
  reg  [7:0]  outer_stride_q;
  reg  [15:0] bound_q;

  wire        inner  = level == INNER[2:0];
  wire        outer  = level == OUTER[2:0];
  // All loops move the coordinate but those inside the inner one.
  wire        moves  = INNER == 0 || level != 3'd0;
  wire [19:0] start  = inner ? here_q : level > OUTER[2:0] ? base_q : window_q;
  wire [7:0]  stride = inner ? inner_stride_q : outer ? outer_stride_q : 8'd0;
  wire [19:0] next   = start + {12'd0, stride};

  assign inside = here_q[19:16] == 4'd0 && here_q[15:0] < bound_q;

  always @(posedge clk) begin
    if (load) begin
      here_q         <= base;
      window_q       <= base;
      base_q         <= base;
      inner_stride_q <= inner_stride;
      outer_stride_q <= outer_stride;
      bound_q        <= bound;
    end else if (step && moves) begin
      here_q <= next;
      if (level >= OUTER[2:0]) begin
        window_q <= next;
      end
    end
  end

endmodule

`default_nettype wire
