// A FIFO for proofs of what is around it: it holds up to DEPTH words and offers anything at any time while it holds some (what it really does is
// proved in formal/tpu_fifo_ram.v).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_fifo_ram #(
  parameter WIDTH = 32,
  parameter DEPTH = 64
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             in_valid,
  output wire             in_ready,
  input  wire [WIDTH-1:0] in_data,

  output wire             out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_data
);

  (* anyseq *) wire             offers;
  (* anyseq *) wire [WIDTH-1:0] any;
  reg  [$clog2(DEPTH):0]        level_q;

  assign in_ready  = level_q != DEPTH;
  assign out_valid = offers && level_q != 0;
  assign out_data  = any;

  always @(posedge clk) begin
    level_q <= rst ? 0 : level_q + (in_valid && in_ready) - (out_valid && out_ready);
  end

endmodule

`default_nettype wire
