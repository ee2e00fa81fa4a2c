// Weight FIFO and tile loader: takes weight rows from memory and shifts whole tiles into the array.
//
// A tile is loaded into the array's shadow registers in N consecutive cycles once all of its rows are in the FIFO and
// the tile before it has been taken over. Tiles follow each other without a gap, so the array can be given a new tile every N cycles.
//
//   cycle u        row 0 leaves the FIFO
//   u + 1 = t0     row 0 enters the array (array_first)
//   u + N - 1      tile_ready: if the tile's first row of activations is requested from the unified buffer in this cycle, its swap
//                  enters the array two cycles later, at t0 + N, and the row one cycle after that
//   tile_take      the cycle of that request; the next tile's row 0 may leave the FIFO in the cycle after
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_weight_loader #(
  // Array size
  parameter N = 16,
  // FIFO depth in tiles, a power of two
  parameter WFIFO_TILES = 4
) (
  input  wire           clk,
  input  wire           rst,

  // Weight rows from memory
  input  wire           wt_valid,
  output wire           wt_ready,
  input  wire [8*N-1:0] wt_data,

  // To the array
  output reg  [8*N-1:0] array_data,
  output reg            array_first,

  // To the row issue: a tile can be taken; its first row is issued
  output wire           tile_ready,
  input  wire           tile_take,
  // A tile is on its way into the array (it is shifting, or complete in the FIFO)
  output wire           tile_coming
);

  localparam NW = $clog2(N);
  localparam TW = $clog2(WFIFO_TILES) + 2;

  generate
    if (WFIFO_TILES < 2 || (WFIFO_TILES & (WFIFO_TILES - 1)) != 0) begin : g_check_tiles
      ERROR_tpu_weight_loader_WFIFO_TILES_must_be_a_power_of_two_of_2_or_more check ();
    end
  endgenerate

  wire           fifo_valid;
  wire [8*N-1:0] fifo_data;
  wire           pop;

  tpu_fifo_ram #(
    .WIDTH (8 * N),
    .DEPTH (WFIFO_TILES * N)
  ) u_fifo (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (wt_valid),
    .in_ready  (wt_ready),
    .in_data   (wt_data),
    .out_valid (fifo_valid),
    .out_ready (pop),
    .out_data  (fifo_data)
  );

  // Rows of the tile being filled; whole tiles in the FIFO that have not started to shift.
  reg [NW-1:0] fill_row_q;
  reg [TW-1:0] whole_tiles_q;
  // Row being shifted.
  reg [NW-1:0] shift_row_q;
  reg          shifting_q;
  // The shadow registers are free, or hold a tile that can be taken.
  reg          free_q;
  reg          ready_q;

  wire tile_filled = wt_valid && wt_ready && fill_row_q == {NW{1'b1}};
  wire last_row    = shifting_q && shift_row_q == {NW{1'b1}};
  wire start       = (!shifting_q || last_row) && whole_tiles_q != {TW{1'b0}} && (free_q || tile_take);
  // Row N-2 leaves: the tile can be taken from the next cycle on.
  wire usable      = shifting_q && shift_row_q == {{(NW-1){1'b1}}, 1'b0};

  assign pop         = shifting_q;
  assign tile_ready  = ready_q;
  assign tile_coming = shifting_q || whole_tiles_q != {TW{1'b0}};

  always @(posedge clk) begin
    if (wt_valid && wt_ready) begin
      fill_row_q <= fill_row_q + 1'b1;
    end
    whole_tiles_q <= whole_tiles_q + {{(TW-1){1'b0}}, tile_filled} - {{(TW-1){1'b0}}, start};
    free_q        <= !start && (free_q || tile_take);
    ready_q       <= usable || (ready_q && !tile_take);
    if (shifting_q) begin
      array_data <= fifo_data;
    end
    array_first <= shifting_q && shift_row_q == {NW{1'b0}};
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
      array_first   <= 1'b0;
    end
  end

  wire unused = &{1'b0, fifo_valid};

  `TPU_ASSERT(a_tile_is_whole, !pop || fifo_valid)
  `TPU_ASSERT(a_take_when_ready, !tile_take || ready_q)

endmodule

`default_nettype wire
