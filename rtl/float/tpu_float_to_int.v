// Converts a binary32 number to int32 or int8, to nearest even. What is too large becomes the nearest integer of the format; NaN becomes 0.
//
//   cycle t    en, to_int8: value. The significand is shifted behind the point.
//         t+1  finish: the integer is rounded and gets its sign; `result` has no register, and is 0 without `finish`, so that a simulation computes
//              numbers that somebody wants. An int8 number comes with its sign in all upper bits.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_to_int (
  input  wire        clk,

  input  wire        en,
  input  wire        to_int8,
  input  wire [31:0] value,

  input  wire        finish,
  output reg  [31:0] result
);

  // Sign; whether the size is 2^31 or more; 31 bits in front of the point, one behind it, and whether any further bit is set
  function [34:0] shifted;
    input [31:0] x;
    reg   [4:0]  places;
    reg   [31:0] significand;
    reg   [31:0] lost;
    begin
      // The leading bit of the significand stands for 2^30: 157 less the exponent, which is 126 to 157 where this matters
      places      = 5'd29 - x[27:23];
      significand = {1'b1, x[22:0], 8'd0};
      lost        = significand & ~(32'hFFFFFFFF << places);
      if (&x[30:23] && |x[22:0]) begin
        shifted = 35'd0;
      end else if (x[30:23] > 8'd157) begin
        shifted = {x[31], 1'b1, 33'd0};
      end else if (x[30:23] < 8'd126) begin
        // Below a half
        shifted = {x[31], 34'd0};
      end else begin
        shifted = {x[31], 1'b0, significand >> places, |lost};
      end
    end
  endfunction

  function [31:0] finished;
    input        narrow;
    input        negative;
    input        huge;
    input [32:0] size;
    reg   [31:0] rounded;
    begin
      // 24 bits of significand cannot carry into bit 31.
      rounded = {1'b0, size[32:2]} + {31'd0, size[1] && (size[0] || size[2])};
      if (narrow && (huge || |rounded[31:7])) begin
        finished = negative ? 32'hFFFFFF80 : 32'h0000007F;
      end else if (huge) begin
        finished = negative ? 32'h80000000 : 32'h7FFFFFFF;
      end else begin
        finished = negative ? -rounded : rounded;
      end
    end
  endfunction

  reg        narrow_q;
  reg [34:0] shifted_q;

  always @(posedge clk) begin
    if (en) begin
      narrow_q  <= to_int8;
      shifted_q <= shifted(value);
    end
  end

  always @* begin
    result = 32'd0;
    if (finish) begin
      result = finished(narrow_q, shifted_q[34], shifted_q[33], shifted_q[32:0]);
    end
  end

endmodule

`default_nettype wire
