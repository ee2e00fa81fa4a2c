// Transposer: tiles of LANES x LANES numbers come row by row and leave column by column.
//
// A memory for each lane. Number n of row r lies in memory (r + n) mod LANES, so that the numbers of a row lie in different memories, and those
// of a column, too. A column is read from, and the row of the next tile that has its number is written to, the same places: so one tile's
// memory takes a row in each cycle, and gives a column.
//
//   even tiles   number n of row r at address r    memory b: row r at r,             column c at (b - c) mod LANES
//   odd tiles    number n of row r at address n    memory b: row r at (b - r) mod LANES,   column c at c
//
//   cycle x    a row comes
//   x+1        rotated, into the memories
//   x+2        earliest read of a column, if the row was the tile's last
//   x+3        rotated back
//   x+4        offered
//
// A place is written to two cycles after it was read, or later. Rows that come one in each cycle take LANES + 2 cycles a tile. The rotations end in
// registers, as the memories and the FIFO behind them are not quick. A reset stops what is on its way, also into the memories.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_transposer #(
  // Numbers of a row, rows of a tile; a power of two
  parameter LANES = 16,
  // Bits of a number
  parameter W_BITS = 16
) (
  input  wire                    clk,
  input  wire                    rst,

  // Rows; the last one of a tile may say that the tile is the last one of something
  input  wire                    in_valid,
  output wire                    in_ready,
  input  wire [LANES*W_BITS-1:0] in_data,
  input  wire                    in_last,

  // Columns; that one's last column says so
  output wire                    out_valid,
  input  wire                    out_ready,
  output wire [LANES*W_BITS-1:0] out_data,
  output wire                    out_last,

  // Nothing is inside
  output wire                    empty
);

  localparam NW = $clog2(LANES);

  // Tile, modulo 2, and row or column
  reg  [NW:0]             wr_ptr_q;
  reg  [NW:0]             rd_ptr_q;
  // Tiles that are whole in the memories, modulo 2; the flag of the last one
  reg                     wr_tile_q;
  reg                     last_q;
  // A row on its way into the memories, its tile modulo 2, its number
  reg                     wr_en_q;
  reg                     wr_odd_q;
  reg  [NW-1:0]           wr_row_q;
  reg  [LANES*W_BITS-1:0] wr_data_q;
  // A column that was read, one that is offered
  reg                     read_valid_q;
  reg                     read_last_q;
  reg  [NW-1:0]           read_column_q;
  reg                     out_valid_q;
  reg                     out_last_q;
  reg  [LANES*W_BITS-1:0] out_data_q;

  wire [NW:0]   level  = wr_ptr_q - rd_ptr_q;
  wire          push   = in_valid && in_ready;
  wire          whole  = wr_tile_q != rd_ptr_q[NW];
  wire          move   = read_valid_q && (!out_valid_q || out_ready);
  wire          fetch  = whole && (!read_valid_q || move);
  wire [NW-1:0] row    = wr_ptr_q[NW-1:0];
  wire [NW-1:0] column = rd_ptr_q[NW-1:0];

  assign in_ready  = !level[NW];
  assign out_valid = out_valid_q;
  assign out_data  = out_data_q;
  assign out_last  = out_last_q;
  assign empty     = level == {(NW+1){1'b0}} && !read_valid_q && !out_valid_q;

  // Moves number i to lane i + lanes, around the end.
  function [LANES*W_BITS-1:0] rotate_up;
    input [LANES*W_BITS-1:0] data;
    input [NW-1:0]           lanes;
    integer                  s;
    begin
      rotate_up = data;
      for (s = 0; s < NW; s = s + 1) begin
        if (lanes[s]) begin
          rotate_up = (rotate_up << (W_BITS << s)) | (rotate_up >> (LANES * W_BITS - (W_BITS << s)));
        end
      end
    end
  endfunction

  wire [LANES*W_BITS-1:0] rd_data;

  genvar b;
  generate
    for (b = 0; b < LANES; b = b + 1) begin : g_lane
      localparam [NW-1:0] B = b;

      tpu_ram_1r1w #(
        .WIDTH (W_BITS),
        .DEPTH (LANES)
      ) u_ram (
        .clk     (clk),
        .wr_en   (wr_en_q),
        .wr_addr (wr_odd_q ? B - wr_row_q : wr_row_q),
        .wr_data (wr_data_q[b*W_BITS +: W_BITS]),
        .rd_en   (fetch),
        .rd_addr (rd_ptr_q[NW] ? column : B - column),
        .rd_data (rd_data[b*W_BITS +: W_BITS])
      );
    end
  endgenerate

  always @(posedge clk) begin
    if (push) begin
      wr_odd_q  <= wr_ptr_q[NW];
      wr_row_q  <= row;
      wr_data_q <= rotate_up(in_data, row);
    end
    // A tile is whole only when all columns of the tile before are read.
    if (push && row == {NW{1'b1}}) begin
      last_q <= in_last;
    end
    if (fetch) begin
      read_column_q <= column;
      read_last_q   <= last_q && column == {NW{1'b1}};
    end
    if (move) begin
      // Number r of column c comes from memory r + c.
      out_data_q <= rotate_up(rd_data, {NW{1'b0}} - read_column_q);
      out_last_q <= read_last_q;
    end
  end

  always @(posedge clk) begin
    if (push) begin
      wr_ptr_q <= wr_ptr_q + 1'b1;
    end
    wr_en_q   <= push;
    wr_tile_q <= wr_ptr_q[NW];
    if (fetch) begin
      rd_ptr_q <= rd_ptr_q + 1'b1;
    end
    read_valid_q <= fetch || (read_valid_q && !move);
    out_valid_q  <= move || (out_valid_q && !out_ready);
    if (rst) begin
      wr_ptr_q     <= {(NW+1){1'b0}};
      rd_ptr_q     <= {(NW+1){1'b0}};
      wr_en_q      <= 1'b0;
      wr_tile_q    <= 1'b0;
      read_valid_q <= 1'b0;
      out_valid_q  <= 1'b0;
    end
  end

  `TPU_ASSERT(a_level_within_a_tile, level <= {1'b1, {NW{1'b0}}})

endmodule

`default_nettype wire
