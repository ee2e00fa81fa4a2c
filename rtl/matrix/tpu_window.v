// Bounds of one window row: which lanes lie inside the image, and do they lie in the unified buffer?
//
//   cycle t    in_valid: byte address, y and x of lane 0, bounds
//   t+1        distances to the bounds, clipped to 0 .. N
//   t+2        out_valid: lane mask, zero point; out_error: a lane that is inside reads outside the buffer
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_window #(
  // Lanes
  parameter N = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384
) (
  input  wire         clk,
  input  wire         rst,

  input  wire         in_valid,
  input  wire [25:0]  in_addr,
  input  wire [19:0]  in_y,
  input  wire [19:0]  in_x,
  input  wire [15:0]  in_y_bound,
  input  wire [15:0]  in_x_bound,
  input  wire [7:0]   in_zero_point,
  // No lane is inside (combinational)
  output wire         in_pad,

  output reg  [N-1:0] out_mask,
  output reg  [7:0]   out_zero_point,
  output reg          out_error
);

  localparam NW       = $clog2(N);
  localparam UB_BYTES = UB_ROWS * N;

  // Lanes lo .. hi-1 are inside: lo = max(0, -x), hi = min(N, x_bound - x), both clipped to 0 .. N.
  wire [19:0] to_left  = -in_x;
  wire [19:0] to_right = {4'd0, in_x_bound} - in_x;
  wire        y_inside = in_y < {4'd0, in_y_bound};
  wire [NW:0] lo_d     = !in_x[19] ? {(NW+1){1'b0}}
                       : (|to_left[19:NW]) ? N[NW:0] : to_left[NW:0];
  wire [NW:0] hi_d     = to_right[19] ? {(NW+1){1'b0}}
                       : (|to_right[19:NW]) ? N[NW:0] : to_right[NW:0];

  assign in_pad = !y_inside || lo_d >= hi_d;

  reg          valid_q;
  reg          inside_q;
  reg [NW:0]   lo_q;
  reg [NW:0]   hi_q;
  reg [25:0]   addr_q;
  reg [7:0]    zero_point_q;

  wire [25:0]  first_byte = addr_q + {{(25-NW){1'b0}}, lo_q};
  wire [25:0]  last_byte  = addr_q + {{(25-NW){1'b0}}, hi_q} - 26'd1;

  always @(posedge clk) begin
    valid_q <= in_valid;
    if (in_valid) begin
      inside_q     <= !in_pad;
      lo_q         <= lo_d;
      hi_q         <= hi_d;
      addr_q       <= in_addr;
      zero_point_q <= in_zero_point;
    end
    out_error <= valid_q && inside_q && (first_byte >= UB_BYTES[25:0] || last_byte >= UB_BYTES[25:0]);
    if (valid_q) begin
      out_mask       <= inside_q ? ({N{1'b1}} << lo_q) & ~({N{1'b1}} << hi_q) : {N{1'b0}};
      out_zero_point <= zero_point_q;
    end
    if (rst) begin
      valid_q   <= 1'b0;
      out_error <= 1'b0;
    end
  end

endmodule

`default_nettype wire
