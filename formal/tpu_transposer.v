// tpu_transposer: a tile's columns leave in order, each with the numbers of all rows in order, and every row that came is in them, once; nothing is
// taken while there is no place for it; the tile's flag stands at its last column.
//
// The number in one row and one column, chosen by the solver, of all even or of all odd tiles, stands for all.
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
  // The number that is watched, the same in all cycles: row, column, the tile's number modulo 2
  input wire [1:0]              row,
  input wire [1:0]              column,
  input wire                    odd
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg [4:0] watched_q;
  always @(posedge clk) watched_q <= {row, column, odd};
  always @* if (!rst) assume ({row, column, odd} == watched_q);

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

  //// Reference: rows that came and columns that left, modulo two tiles; the watched number and flag of the tile that it lies in ////

  reg [2:0]        came_q;
  reg [2:0]        left_q;
  reg [W_BITS-1:0] value_q;
  reg              last_q;
  wire             comes  = in_valid && in_ready;
  wire             leaves = out_valid && out_ready;
  // Rows whose columns have not left
  wire [2:0]       inside = came_q - left_q;
  wire             whole  = came_q[2] != left_q[2];

  always @(posedge clk) begin
    if (comes && came_q == {odd, row}) begin
      value_q <= in_data[W_BITS*column +: W_BITS];
    end
    if (comes && came_q == {odd, 2'd3}) begin
      last_q <= in_last;
    end
    came_q <= rst ? 3'd0 : came_q + comes;
    left_q <= rst ? 3'd0 : left_q + leaves;
  end

  always @* begin
    if (!rst) begin
      // The offered column is the next of a whole tile. Behind a tile's last column the next tile may be whole.
      if (out_valid) assert (whole || inside == 5);
      if (out_valid && left_q == {odd, column}) assert (out_data[W_BITS*row +: W_BITS] == value_q);
      if (out_valid && left_q == {odd, 2'd3}) assert (out_last == last_q);
      if (out_valid && left_q[1:0] != 2'd3) assert (!out_last);
      assert (empty == (inside == 0));
    end
  end

  //// What makes it inductive ////

  (* hierconn *) wire [2:0] \dut.wr_ptr_q ;
  (* hierconn *) wire [2:0] \dut.rd_ptr_q ;
  (* hierconn *) wire [1:0] \dut.out_column_q ;
  (* hierconn *) wire       \dut.last_q ;
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
  wire [1:0]        place   = odd ? column : row;
  wire [W_BITS-1:0] stored  = memory[W_BITS*{lane, place} +: W_BITS];
  // The watched number is in its memory: it came with its tile, and its column was not read.
  wire [2:0]        held    = \dut.wr_ptr_q - \dut.rd_ptr_q ;
  wire              here    = \dut.wr_ptr_q [2] == odd ? \dut.wr_ptr_q [1:0] > row
                                                         : \dut.rd_ptr_q [2] == odd && \dut.rd_ptr_q [1:0] <= column;

  always @* begin
    if (!rst) begin
      assert (held <= 4);
      // Of a tile that is not whole no column is read.
      if (\dut.wr_ptr_q [2] == \dut.rd_ptr_q [2]) assert (\dut.rd_ptr_q [1:0] == 0);
      assert (\dut.wr_ptr_q == came_q);
      assert (\dut.rd_ptr_q == left_q + out_valid);
      if (out_valid) assert (\dut.out_column_q == left_q[1:0]);
      if (here) assert (stored == value_q);
      // The flag of the tile that is whole
      if (\dut.wr_ptr_q [2] != odd && \dut.rd_ptr_q [2] == odd) assert (\dut.last_q == last_q);
    end
  end

endmodule

`default_nettype wire
