// A FIFO for proofs that ask what is pushed and when it is popped: its word mixes every number that was pushed with how often it was popped, so that
// no push and no pop can be missed (that words come out in order and unchanged is proved in formal/tpu_fifo.v).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_fifo #(
  parameter WIDTH = 32,
  parameter DEPTH = 8
) (
  input  wire                   clk,
  input  wire                   rst,

  input  wire                   in_valid,
  output wire                   in_ready,
  input  wire [WIDTH-1:0]       in_data,

  output wire                   out_valid,
  input  wire                   out_ready,
  output wire [WIDTH-1:0]       out_data,

  output wire [$clog2(DEPTH):0] level
);

  reg [WIDTH-1:0] mixed_q;

  assign in_ready  = 1'b1;
  assign out_valid = 1'b1;
  assign out_data  = mixed_q;
  assign level     = 0;

  always @(posedge clk) begin
    mixed_q <= rst ? {WIDTH{1'b0}} : (out_ready ? {mixed_q[WIDTH-2:0], !mixed_q[WIDTH-1]} : mixed_q) ^ (in_valid ? in_data : {WIDTH{1'b0}});
  end

endmodule

`default_nettype wire
