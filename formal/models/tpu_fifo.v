// A FIFO for proofs of what is around it: as many words as there are, of any value (that they come out in order and unchanged is proved in
// formal/tpu_fifo.v).
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

  (* anyseq *) wire [WIDTH-1:0] any;
  reg  [$clog2(DEPTH):0]        level_q;

  assign in_ready  = level_q != DEPTH;
  assign out_valid = level_q != 0;
  assign out_data  = any;
  assign level     = level_q;

  always @(posedge clk) begin
    level_q <= rst ? 0 : level_q + (in_valid && in_ready) - (out_valid && out_ready);
  end

endmodule

`default_nettype wire
