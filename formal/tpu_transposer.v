// tpu_transposer: a tile's columns leave in order, each with the numbers of all rows in order, and every row that came is in them, once; nothing is
// taken while there is no place for it; the tile's flag stands at its last column. A column of a whole tile is offered as soon as the table in the
// module's header says, and then one in each cycle in which one is taken. A reset leaves nothing on its way, not even into the memories.
//
// The number in one row and one column, chosen by the solver, of every fourth tile stands for all.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_transposer #(
  // The invariant names the memories and their places one by one
  parameter LANES = 4,
  parameter W_BITS = 2
) (
  input wire                    clk,
  input wire                    in_valid,
  input wire [LANES*W_BITS-1:0] in_data,
  input wire                    in_last,
  input wire                    out_ready,
  // The number that is watched, the same in all cycles: row, column, the tile's number modulo 4
  input wire [1:0]              row,
  input wire [1:0]              column,
  input wire [1:0]              tile
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg [5:0] watched_q;
  always @(posedge clk) watched_q <= {row, column, tile};
  always @* if (!rst) assume ({row, column, tile} == watched_q);

  wire                    in_ready;
  wire                    out_valid;
  wire [LANES*W_BITS-1:0] out_data;
  wire                    out_last;
  wire                    empty;

  tpu_transposer #(
    .LANES  (LANES),
    .W_BITS (W_BITS)
  ) dut (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_valid),
    .in_ready  (in_ready),
    .in_data   (in_data),
    .in_last   (in_last),
    .out_valid (out_valid),
    .out_ready (out_ready),
    .out_data  (out_data),
    .out_last  (out_last),
    .empty     (empty)
  );

  //// Reference: rows that came and columns that left, modulo four tiles; the watched number and flag of the tile that it lies in ////

  reg [3:0]        came_q;
  reg [3:0]        left_q;
  reg [W_BITS-1:0] value_q;
  reg              last_q;
  wire             comes  = in_valid && in_ready;
  wire             leaves = out_valid && out_ready;
  // Rows whose columns have not left
  wire [3:0]       inside = came_q - left_q;
  wire             whole  = came_q[3:2] != left_q[3:2];
  // Rows that had come one, two and three cycles ago
  reg [3:0]        came_1_q;
  reg [3:0]        came_2_q;
  reg [3:0]        came_3_q;
  // The first cycle after a reset
  reg              fresh_q;

  always @(posedge clk) begin
    if (comes && came_q == {tile, row}) begin
      value_q <= in_data[W_BITS*column +: W_BITS];
    end
    if (comes && came_q == {tile, 2'd3}) begin
      last_q <= in_last;
    end
    came_q <= rst ? 4'd0 : came_q + comes;
    left_q <= rst ? 4'd0 : left_q + leaves;
    came_1_q <= rst ? 4'd0 : came_q;
    came_2_q <= rst ? 4'd0 : came_1_q;
    came_3_q <= rst ? 4'd0 : came_2_q;
    fresh_q  <= rst;
  end

  always @* begin
    if (!rst) begin
      // The offered column is the next of a whole tile.
      if (out_valid) assert (whole && inside != 0);
      if (out_valid && left_q == {tile, column}) assert (out_data[W_BITS*row +: W_BITS] == value_q);
      if (out_valid && left_q == {tile, 2'd3}) assert (out_last == last_q);
      if (out_valid && left_q[1:0] != 2'd3) assert (!out_last);
      assert (empty == (inside == 0));
      // A tile whose last row came four cycles ago: so its next column is offered.
      if (came_3_q[3:2] != left_q[3:2]) assert (out_valid);
      if (fresh_q) assert (empty && !out_valid && !\dut.wr_en_q );
    end
  end

  //// What makes it inductive ////

  (* hierconn *) wire [2:0] \dut.wr_ptr_q ;
  (* hierconn *) wire [2:0] \dut.rd_ptr_q ;
  (* hierconn *) wire       \dut.last_q ;
  (* hierconn *) wire       \dut.wr_tile_q ;
  (* hierconn *) wire       \dut.wr_en_q ;
  (* hierconn *) wire       \dut.wr_odd_q ;
  (* hierconn *) wire [1:0] \dut.wr_row_q ;
  (* hierconn *) wire [LANES*W_BITS-1:0] \dut.wr_data_q ;
  (* hierconn *) wire       \dut.read_valid_q ;
  (* hierconn *) wire       \dut.read_last_q ;
  (* hierconn *) wire [1:0] \dut.read_column_q ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[0].u_ram.rd_data ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[1].u_ram.rd_data ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[2].u_ram.rd_data ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[3].u_ram.rd_data ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[0].u_ram.memory[0] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[0].u_ram.memory[1] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[0].u_ram.memory[2] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[0].u_ram.memory[3] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[1].u_ram.memory[0] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[1].u_ram.memory[1] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[1].u_ram.memory[2] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[1].u_ram.memory[3] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[2].u_ram.memory[0] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[2].u_ram.memory[1] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[2].u_ram.memory[2] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[2].u_ram.memory[3] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[3].u_ram.memory[0] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[3].u_ram.memory[1] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[3].u_ram.memory[2] ;
  (* hierconn *) wire [W_BITS-1:0] \dut.g_lane[3].u_ram.memory[3] ;

  wire [16*W_BITS-1:0] memory = {
    \dut.g_lane[3].u_ram.memory[3] , \dut.g_lane[3].u_ram.memory[2] , \dut.g_lane[3].u_ram.memory[1] , \dut.g_lane[3].u_ram.memory[0] ,
    \dut.g_lane[2].u_ram.memory[3] , \dut.g_lane[2].u_ram.memory[2] , \dut.g_lane[2].u_ram.memory[1] , \dut.g_lane[2].u_ram.memory[0] ,
    \dut.g_lane[1].u_ram.memory[3] , \dut.g_lane[1].u_ram.memory[2] , \dut.g_lane[1].u_ram.memory[1] , \dut.g_lane[1].u_ram.memory[0] ,
    \dut.g_lane[0].u_ram.memory[3] , \dut.g_lane[0].u_ram.memory[2] , \dut.g_lane[0].u_ram.memory[1] , \dut.g_lane[0].u_ram.memory[0] };

  wire [1:0]        lane    = row + column;
  wire [1:0]        place   = tile[0] ? column : row;
  wire [W_BITS-1:0] stored  = memory[W_BITS*{lane, place} +: W_BITS];
  wire [LANES*W_BITS-1:0] read = {\dut.g_lane[3].u_ram.rd_data , \dut.g_lane[2].u_ram.rd_data ,
                                  \dut.g_lane[1].u_ram.rd_data , \dut.g_lane[0].u_ram.rd_data };
  // The row that came last, which is written into the memories a cycle later; the next column to be offered, to be read
  wire [3:0]        last_row = came_q - 1'b1;
  wire [3:0]        next_out = left_q + out_valid;
  wire [3:0]        next_rd  = next_out + \dut.read_valid_q ;
  wire [1:0]        written  = \dut.wr_en_q ? last_row[3:2] : came_q[3:2];
  wire [3:0]        held     = came_q - next_rd;
  // The watched number came with its tile, and its column was not read: it is in its memory, or on its way.
  wire              here     = came_q[3:2] == tile ? came_q[1:0] > row
                             : came_q[3:2] == tile + 2'd1 && next_rd[3:2] == tile && next_rd[1:0] <= column;

  always @* begin
    if (!rst) begin
      assert (held <= 4);
      assert (\dut.wr_ptr_q == came_q[2:0] && \dut.rd_ptr_q == next_rd[2:0]);
      assert (\dut.wr_tile_q == written[0]);
      if (\dut.wr_en_q ) assert ({\dut.wr_odd_q , \dut.wr_row_q } == last_row[2:0]);
      // Columns are read of the tile that is whole.
      if (written == next_rd[3:2]) assert (next_rd[1:0] == 0);
      else assert (written == next_rd[3:2] + 2'd1);
      if (here && \dut.wr_en_q && last_row == {tile, row}) assert (\dut.wr_data_q [W_BITS*lane +: W_BITS] == value_q);
      else if (here) assert (stored == value_q);
      if (\dut.read_valid_q ) begin
        assert (\dut.read_column_q == next_out[1:0]);
        assert (came_q[3:2] != next_out[3:2]);
        if (next_out == {tile, column}) assert (read[W_BITS*lane +: W_BITS] == value_q);
        if (next_out == {tile, 2'd3}) assert (\dut.read_last_q == last_q);
        if (next_out[1:0] != 2'd3) assert (!\dut.read_last_q );
      end
      // What is whole for so long has gone so far.
      assert (came_1_q == came_q - \dut.wr_en_q );
      if (came_2_q[3:2] != next_out[3:2]) assert (\dut.read_valid_q );
      // The flag of the tile that is whole, or of which the last row is on its way
      if (came_q[3:2] == tile + 2'd1 && next_rd[3:2] == tile) assert (\dut.last_q == last_q);
    end
  end

endmodule

`default_nettype wire
