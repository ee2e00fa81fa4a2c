// Tile loader: shifts whole tiles from the weight FIFO into the array.
//
// A tile is loaded into the array's shadow registers in LANES consecutive cycles once all of its rows are in the FIFO and the tile before
// it has been taken over. Tiles follow each other without a gap, so that the array can be given a new tile every LANES cycles.
//
//   cycle u            the first row, which is the tile's last, leaves the FIFO
//   u + 1 = t0         it enters the array (array_first)
//   u + LANES - 2      a row of activations requested from the unified buffer in this cycle enters the array three cycles later, at
//                      t0 + LANES, and with it the tile's swap. `tile_next` says so a cycle ahead.
//   tile_take          the cycle of that request; the next tile's first row may leave the FIFO two cycles later
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_tile_loader #(
  // Rows of a tile, and weights of a row
  parameter LANES = 16,
  // Bits of a weight
  parameter W_BITS = 8,
  // FIFO depth in tiles, a power of two
  parameter WFIFO_TILES = 4
) (
  input  wire                    clk,
  input  wire                    rst,

  // Weight FIFO: a row enters; a row leaves
  input  wire                    fifo_push,
  output wire                    fifo_pop,
  input  wire [LANES*W_BITS-1:0] fifo_data,

  // To the array
  output wire [LANES*W_BITS-1:0] array_data,
  output wire                    array_first,

  // To the row issue: a tile can be taken in the next cycle; it is taken now
  output wire                    tile_next,
  input  wire                    tile_take,
  // A tile is on its way into the array (it is shifting, or complete in the FIFO)
  output wire                    tile_coming
);

  localparam NW = $clog2(LANES);
  localparam TW = $clog2(WFIFO_TILES) + 2;

  // Rows of the tile being filled; whole tiles in the FIFO that have not started to shift
  reg [NW-1:0]           fill_row_q;
  reg [TW-1:0]           whole_tiles_q;
  // Rows that were shifted before; 0 while none is shifting
  reg [NW-1:0]           shift_row_q;
  reg                    shifting_q;
  // The shadow registers are free, or hold a tile that can be taken
  reg                    free_q;
  reg                    ready_q;
  reg                    take_q;
  reg [LANES*W_BITS-1:0] data_q;
  reg                    first_q;

  wire tile_filled = fifo_push && fill_row_q == {NW{1'b1}};
  wire last_row    = shift_row_q == {NW{1'b1}};
  // The last row of a tile leaves before the cycle after its take.
  wire start       = whole_tiles_q != {TW{1'b0}} && (free_q || take_q);
  // The last row but two leaves: the tile can be taken from the next cycle on.
  wire usable      = shift_row_q == {{(NW-1){1'b1}}, 1'b0} - 1'b1;

  assign fifo_pop    = shifting_q;
  assign array_data  = data_q;
  assign array_first = first_q;
  assign tile_next   = usable || (ready_q && !tile_take);
  // The last row of a tile that was taken is no tile to wait for.
  assign tile_coming = (shifting_q && !take_q) || whole_tiles_q != {TW{1'b0}};

  always @(posedge clk) begin
    if (fifo_push) begin
      fill_row_q <= fill_row_q + 1'b1;
    end
    whole_tiles_q <= whole_tiles_q + {{(TW-1){1'b0}}, tile_filled} - {{(TW-1){1'b0}}, start};
    free_q        <= !start && (free_q || take_q);
    ready_q       <= tile_next;
    take_q        <= tile_take;
    data_q        <= fifo_data;
    first_q       <= shifting_q && shift_row_q == {NW{1'b0}};
    if (start || shifting_q) begin
      shift_row_q <= start ? {NW{1'b0}} : shift_row_q + 1'b1;
      shifting_q  <= start || !last_row;
    end
    if (rst) begin
      fill_row_q    <= {NW{1'b0}};
      whole_tiles_q <= {TW{1'b0}};
      shift_row_q   <= {NW{1'b0}};
      shifting_q    <= 1'b0;
      free_q        <= 1'b1;
      ready_q       <= 1'b0;
      take_q        <= 1'b0;
      first_q       <= 1'b0;
    end
  end

  `TPU_ASSERT(a_take_when_ready, !tile_take || ready_q)

endmodule

`default_nettype wire
