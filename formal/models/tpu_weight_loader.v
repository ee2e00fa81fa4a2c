// Weight loader for proofs of tpu_matmul around it: a tile is ready, or on its way, at any time. When one really is, is proved in
// formal/tpu_weight_loader.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_weight_loader #(
  parameter N = 16,
  parameter WFIFO_TILES = 4
) (
  input  wire           clk,
  input  wire           rst,

  input  wire           wt_valid,
  output wire           wt_ready,
  input  wire [8*N-1:0] wt_data,

  output wire [8*N-1:0] array_data,
  output wire           array_first,

  output wire           tile_ready,
  input  wire           tile_take,
  output wire           tile_coming
);

  (* anyseq *) wire [8*N+3:0] any;

  assign {wt_ready, array_data, array_first, tile_ready, tile_coming} = any;

endmodule

`default_nettype wire
