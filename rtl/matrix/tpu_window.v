// Bounds of one window row: which lanes lie inside the image, and do they lie in the unified buffer?
//
//   cycle t    in_valid: address, y and x of lane 0, bounds
//   t+1        distances to the bounds, clipped to 0 .. LANES; out_pad: no lane is inside
//   t+2        out_error: a lane that is inside reads outside the buffer
//   t+3        lane mask, zero point
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_window #(
  // Lanes; a row of the unified buffer has as many bytes
  parameter LANES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // 1: windows may be of two bytes a lane
  parameter WIDE = 0
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             in_valid,
  // In numbers, with in_wide of two bytes, else of one
  input  wire             in_wide,
  input  wire [25:0]      in_addr,
  input  wire [19:0]      in_y,
  input  wire [19:0]      in_x,
  input  wire [15:0]      in_y_bound,
  input  wire [15:0]      in_x_bound,
  input  wire [7:0]       in_zero_point,

  output wire             out_pad,
  output wire [LANES-1:0] out_mask,
  output wire [7:0]       out_zero_point,
  output wire             out_error
);

  localparam NW = $clog2(LANES);
  localparam RW = $clog2(UB_ROWS);

  // ---- Cycle t: lanes lo .. hi-1 are inside -----------------------------------------------------------
  // lo = max(0, -x), hi = min(LANES, x_bound - x), both clipped to 0 .. LANES.
  wire [19:0] to_right = {4'd0, in_x_bound} - in_x;
  wire        y_inside = in_y < {4'd0, in_y_bound};
  wire [NW:0] lo_d     = !in_x[19]        ? {(NW+1){1'b0}}
                       : !(&in_x[19:NW])  ? LANES[NW:0]
                       :                    -in_x[NW:0];
  wire [NW:0] hi_d     = to_right[19]     ? {(NW+1){1'b0}}
                       : |to_right[19:NW] ? LANES[NW:0]
                       :                    to_right[NW:0];

  reg         valid_q;
  reg         y_inside_q;
  reg [NW:0]  lo_q;
  reg [NW:0]  hi_q;
  reg [25:0]  addr_q;
  reg [7:0]   zero_point_q;

  // ---- Cycle t+1: rows of the buffer ----------------------------------------------------------------------
  wire           inside = y_inside_q && lo_q < hi_q;
  // The row of lane 0, of LANES numbers; the first and the last lane inside lie in that row, or in the next one.
  wire [25-NW:0] row        = addr_q[25:NW];
  wire [NW:0]    first_byte = {1'b0, addr_q[NW-1:0]} + lo_q;
  wire [NW:0]    last_byte  = {1'b0, addr_q[NW-1:0]} + hi_q - 1'b1;
  wire           row_there;
  wire           row_is_last;
  wire           next_there = &row || (row_there && !row_is_last);

  generate
    if (WIDE != 0) begin : g_formats
      reg wide_q;

      always @(posedge clk) begin
        if (in_valid) begin
          wide_q <= in_wide;
        end
      end

      // The buffer holds half as many numbers of two bytes.
      assign row_there   = ~|row[25-NW:RW] && !(wide_q && row[RW-1]);
      assign row_is_last = &row[RW-2:0] && (wide_q || row[RW-1]);
    end else begin : g_int8
      wire unused = &{1'b0, in_wide};

      assign row_there   = ~|row[25-NW:RW];
      assign row_is_last = &row[RW-1:0];
    end
  endgenerate

  reg             error_q;
  reg             valid2_q;
  reg [NW:0]      lo2_q;
  reg [NW:0]      hi2_q;
  reg [7:0]       zero_point2_q;

  // ---- Cycle t+2: mask ------------------------------------------------------------------------------------
  reg [LANES-1:0] mask_q;
  reg [7:0]       out_zero_point_q;

  assign out_pad        = valid_q && !inside;
  assign out_mask       = mask_q;
  assign out_zero_point = out_zero_point_q;
  assign out_error      = error_q;

  always @(posedge clk) begin
    valid_q <= in_valid;
    if (in_valid) begin
      y_inside_q   <= y_inside;
      lo_q         <= lo_d;
      hi_q         <= hi_d;
      addr_q       <= in_addr;
      zero_point_q <= in_zero_point;
    end
    error_q <= valid_q && inside && !(first_byte[NW] ? next_there : row_there && (next_there || !last_byte[NW]));
    valid2_q <= valid_q;
    if (valid_q) begin
      lo2_q         <= lo_q;
      hi2_q         <= inside ? hi_q : {(NW+1){1'b0}};
      zero_point2_q <= zero_point_q;
    end
    if (valid2_q) begin
      mask_q           <= ({LANES{1'b1}} << lo2_q) & ~({LANES{1'b1}} << hi2_q);
      out_zero_point_q <= zero_point2_q;
    end
    if (rst) begin
      valid_q  <= 1'b0;
      valid2_q <= 1'b0;
      error_q  <= 1'b0;
    end
  end

endmodule

`default_nettype wire
