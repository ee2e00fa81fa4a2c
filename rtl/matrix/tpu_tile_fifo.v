// Weight FIFO in block RAM: tiles come row by row, the first row first, and leave whole, the last row first.
//
// The array's rows pass their weights on downwards, so the row that has the longest way goes in first. Rows of a tile are written in one
// direction in even rounds of the memory and in the other one in odd rounds: so a tile frees its places in the order in which the rows of
// the tile behind it, a round later, fill them, and room is counted in rows as in any FIFO.
//
//   round 0    row j of a tile in place j             read from place LANES-1 downwards
//   round 1    row j of a tile in place LANES-1-j     read from place 0 upwards
//
// The memory's read register is the output stage: a tile's first word is offered two cycles after its last row came, if not later. Holds
// TILES tiles and one row in the output stage. in_ready does not depend on out_ready.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_tile_fifo #(
  // Bits of a row
  parameter WIDTH = 128,
  // Rows of a tile, a power of two
  parameter LANES = 16,
  // Tiles, a power of two of 2 or more
  parameter TILES = 4
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             in_valid,
  output wire             in_ready,
  input  wire [WIDTH-1:0] in_data,

  // Taken only when a row is there: the user counts whole tiles
  input  wire             out_take,
  output wire [WIDTH-1:0] out_data
);

  localparam NW = $clog2(LANES);
  localparam AW = $clog2(TILES * LANES);

  // Round, tile, row; of reads the row counts from the last one.
  reg  [AW:0] wr_ptr_q;
  reg  [AW:0] rd_ptr_q;
  reg         out_valid_q;

  wire [AW:0] level = wr_ptr_q - rd_ptr_q;
  wire        push  = in_valid && in_ready;
  wire        whole = wr_ptr_q[AW:NW] != rd_ptr_q[AW:NW];
  // Reads the next row of a whole tile as soon as the output stage is or becomes free.
  wire        fetch = whole && (!out_valid_q || out_take);

  assign in_ready = !level[AW];

  tpu_ram_1r1w #(
    .WIDTH (WIDTH),
    .DEPTH (TILES * LANES)
  ) u_ram (
    .clk     (clk),
    .wr_en   (push),
    .wr_addr ({wr_ptr_q[AW-1:NW], wr_ptr_q[NW-1:0] ^ {NW{wr_ptr_q[AW]}}}),
    .wr_data (in_data),
    .rd_en   (fetch),
    .rd_addr ({rd_ptr_q[AW-1:NW], rd_ptr_q[NW-1:0] ^ {NW{!rd_ptr_q[AW]}}}),
    .rd_data (out_data)
  );

  always @(posedge clk) begin
    if (push) begin
      wr_ptr_q <= wr_ptr_q + 1'b1;
    end
    if (fetch) begin
      rd_ptr_q    <= rd_ptr_q + 1'b1;
      out_valid_q <= 1'b1;
    end else if (out_take) begin
      out_valid_q <= 1'b0;
    end
    if (rst) begin
      wr_ptr_q    <= {(AW+1){1'b0}};
      rd_ptr_q    <= {(AW+1){1'b0}};
      out_valid_q <= 1'b0;
    end
  end

  `TPU_ASSERT(a_row_is_there_when_taken, out_valid_q || !out_take)
  `TPU_ASSERT(a_level_within_depth, level <= {1'b1, {AW{1'b0}}})

endmodule

`default_nettype wire
