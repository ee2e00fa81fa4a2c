// Tile loader for proofs of tpu_matrix around it: a tile is ready, or on its way, at any time. When one really is, is proved in
// formal/tpu_tile_loader.v. The FIFO stays as it is.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_tile_loader #(
  parameter LANES = 16,
  parameter W_BITS = 8,
  parameter WFIFO_TILES = 4
) (
  input  wire                    clk,
  input  wire                    rst,

  input  wire                    fifo_push,
  output wire                    fifo_pop,
  input  wire [LANES*W_BITS-1:0] fifo_data,

  output wire [LANES*W_BITS-1:0] array_data,
  output wire                    array_first,

  output wire                    tile_next,
  input  wire                    tile_take,
  output wire                    tile_coming
);

  (* anyseq *) wire [LANES*W_BITS+2:0] any;

  assign fifo_pop = 1'b0;
  assign {array_data, array_first, tile_next, tile_coming} = any;

endmodule

`default_nettype wire
