// Weight FIFO and tile loader: takes weight rows from memory and shifts whole tiles into the array.
//
// A tile is loaded in N consecutive cycles once all of its rows are in the FIFO and one of the array's two register sets is
// free; the sets alternate. Tiles follow each other without a gap, so the weight port can take a new tile every N cycles.
//
//   cycle u        row 0 leaves the FIFO (the cycle after `start`)
//   u + 1 = t0     row 0 enters the array (wt_first)
//   u + N - 2      tile_ready: a row of activations requested from the unified buffer in this cycle or later enters
//                  the array at t0 + N or later (three cycles after its request)
//   release        in the cycle in which the last row that uses a tile is requested; the set's next tile may
//                  start (u) two cycles later, entering the array (t0) as that last row does
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
  output reg            array_buffer,

  // To the row issue: at least one tile is usable; the oldest one is no longer needed
  output wire           tile_ready,
  input  wire           tile_release,
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
  // Register sets: the next to load, how many are free, how many hold a usable tile.
  reg          next_buffer_q;
  reg [1:0]    free_q;
  reg [1:0]    ready_q;
  reg          release_q;

  wire tile_filled = wt_valid && wt_ready && fill_row_q == {NW{1'b1}};
  wire last_row    = shifting_q && shift_row_q == {NW{1'b1}};
  wire start       = (!shifting_q || last_row) && whole_tiles_q != {TW{1'b0}}
                     && (free_q != 2'd0 || release_q);
  // Row N-3 leaves: the tile is usable from the next cycle on.
  wire usable      = shifting_q && shift_row_q == {{(NW-2){1'b1}}, 2'b01};

  assign pop         = shifting_q;
  assign tile_ready  = ready_q != 2'd0;
  assign tile_coming = shifting_q || whole_tiles_q != {TW{1'b0}};

  always @(posedge clk) begin
    release_q <= tile_release;
    if (wt_valid && wt_ready) begin
      fill_row_q <= fill_row_q + 1'b1;
    end
    whole_tiles_q <= whole_tiles_q + {{(TW-1){1'b0}}, tile_filled} - {{(TW-1){1'b0}}, start};
    free_q        <= free_q + {1'b0, release_q} - {1'b0, start};
    ready_q       <= ready_q + {1'b0, usable} - {1'b0, tile_release};
    if (start) begin
      shifting_q  <= 1'b1;
      shift_row_q <= {NW{1'b0}};
    end else if (shifting_q) begin
      shifting_q  <= !last_row;
      shift_row_q <= shift_row_q + 1'b1;
    end
    if (shifting_q && shift_row_q == {NW{1'b0}}) begin
      next_buffer_q <= !next_buffer_q;
    end
    if (shifting_q) begin
      array_data <= fifo_data;
    end
    array_first  <= shifting_q && shift_row_q == {NW{1'b0}};
    array_buffer <= next_buffer_q;
    if (rst) begin
      fill_row_q    <= {NW{1'b0}};
      whole_tiles_q <= {TW{1'b0}};
      shift_row_q   <= {NW{1'b0}};
      shifting_q    <= 1'b0;
      next_buffer_q <= 1'b0;
      free_q        <= 2'd2;
      ready_q       <= 2'd0;
      release_q     <= 1'b0;
      array_first   <= 1'b0;
    end
  end

  `TPU_ASSERT(a_tile_is_whole, !pop || fifo_valid)
  `TPU_ASSERT(a_two_sets, free_q <= 2'd2 && ready_q <= 2'd2)

endmodule

`default_nettype wire
