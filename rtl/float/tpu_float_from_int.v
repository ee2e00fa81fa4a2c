// Converts an int32 number to binary32, to nearest even.
//
//   cycle t    en: value
//         t+1  finish: the size is normalised and rounded; `result` has no register, and is 0 without `finish`, so that a simulation computes
//              numbers that somebody wants
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_from_int (
  input  wire        clk,

  input  wire        en,
  input  wire [31:0] value,

  input  wire        finish,
  output reg  [31:0] result
);

`include "tpu_float.vh"

  reg        negative_q;
  reg [31:0] size_q;

  always @(posedge clk) begin
    if (en) begin
      negative_q <= value[31];
      size_q     <= value[31] ? -value : value;
    end
  end

  function [31:0] finished;
    input        negative;
    input [31:0] size;
    reg   [31:0] by_16;
    reg   [31:0] by_8;
    reg   [31:0] by_4;
    reg   [31:0] by_2;
    reg   [31:0] by_1;
    reg   [4:0]  places;
    begin
      places[4] = ~|size[31:16];
      by_16     = places[4] ? {size[15:0], 16'd0} : size;
      places[3] = ~|by_16[31:24];
      by_8      = places[3] ? {by_16[23:0], 8'd0} : by_16;
      places[2] = ~|by_8[31:28];
      by_4      = places[2] ? {by_8[27:0], 4'd0} : by_8;
      places[1] = ~|by_4[31:30];
      by_2      = places[1] ? {by_4[29:0], 2'd0} : by_4;
      places[0] = ~by_2[31];
      by_1      = places[0] ? {by_2[30:0], 1'd0} : by_2;
      finished  = float_rounded(negative, 10'd158 - {5'd0, places}, {by_1[31:7], |by_1[6:0]});
    end
  endfunction

  always @* begin
    result = 32'd0;
    if (finish) begin
      result = finished(negative_q, size_q);
    end
  end

endmodule

`default_nettype wire
