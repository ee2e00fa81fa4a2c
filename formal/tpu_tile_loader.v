// tpu_tile_loader with the FIFO before it: tiles reach the array whole, in the order in which they came from memory, their last row first, and when
// tpu_array's proof assumes that they do.
//
// One row, chosen by the solver among all that come from memory, is followed to the array.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_tile_loader #(
  // The invariant names the rows of the FIFO one by one
  parameter N = 4,
  parameter WFIFO_TILES = 2
) (
  input wire           clk,
  input wire           wt_valid,
  input wire [8*N-1:0] wt_data,
  input wire           tile_take,
  // The row that comes is the one to follow
  input wire           mark
);

  localparam NW    = $clog2(N);
  localparam DEPTH = WFIFO_TILES * N;
  localparam DW    = $clog2(DEPTH);

  // A reset of the core takes four cycles (tpu_run_control); three are needed.
  reg [2:0] reset_q = 3'b111;
  always @(posedge clk) reset_q <= reset_q << 1;
  wire rst = reset_q[2];

  wire           wt_ready;
  wire           fifo_pop;
  wire [8*N-1:0] fifo_data;
  wire [8*N-1:0] array_data;
  wire           array_first;
  wire           tile_next;
  wire           tile_coming;

  // As tpu_matrix connects them
  tpu_tile_fifo #(
    .WIDTH (8 * N),
    .LANES (N),
    .TILES (WFIFO_TILES)
  ) fifo (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (wt_valid),
    .in_ready  (wt_ready),
    .in_data   (wt_data),
    .out_take  (fifo_pop),
    .out_data  (fifo_data)
  );

  tpu_tile_loader #(
    .LANES       (N),
    .WFIFO_TILES (WFIFO_TILES)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .fifo_push   (wt_valid && wt_ready),
    .fifo_pop    (fifo_pop),
    .fifo_data   (fifo_data),
    .array_data  (array_data),
    .array_first (array_first),
    .tile_next   (tile_next),
    .tile_take   (tile_take),
    .tile_coming (tile_coming)
  );

  // A tile can be taken: it was announced a cycle ahead.
  reg tile_ready;
  always @(posedge clk) tile_ready <= !rst && tile_next;

  // tpu_matrix takes a tile only when one is ready (proved in tpu_matrix.v).
  always @* if (!rst) assume (!tile_take || tile_ready);

  //// The array's side, as in tpu_array.v. The swap comes three cycles after the take (proved in tpu_matrix.v). ////

  reg                   take_1_q;
  reg                   take_2_q;
  reg                   swap_q;
  // Rows of the next tile that have come
  reg [$clog2(N+1)-1:0] rows_q;
  wire                  waits  = rows_q == N;
  wire                  shifts = rows_q != 0 && !waits;

  always @(posedge clk) begin
    take_1_q <= !rst && tile_take;
    take_2_q <= !rst && take_1_q;
    swap_q   <= !rst && take_2_q;
    if (array_first) begin
      rows_q <= 1;
    end else if (shifts) begin
      rows_q <= rows_q + 1'b1;
    end else if (swap_q) begin
      rows_q <= 0;
    end
    if (rst) begin
      rows_q <= 0;
    end
  end

  always @* begin
    if (!rst) begin
      assert (!swap_q || waits);
      assert (!array_first || rows_q == 0 || swap_q);
    end
  end

  //// Rows in the FIFO, and the row that is followed ////

  localparam HW = DW + 2;
  (* hierconn *) wire [DW:0] \fifo.wr_ptr_q ;

  reg [HW-1:0]  held_q;
  // Row of its tile that comes next from memory
  reg [NW-1:0]  in_row_q;
  reg           in_fifo_q;
  reg           in_array_q;
  // Rows that leave before it, be they there or not
  reg [HW-1:0]  ahead_q;
  reg [NW-1:0]  its_row_q;
  reg [DW:0]    its_ptr_q;
  reg [8*N-1:0] value_q;

  wire push = wt_valid && wt_ready;
  wire pop  = fifo_pop;

  always @(posedge clk) begin
    held_q     <= held_q + push - pop;
    in_row_q   <= in_row_q + push;
    in_array_q <= in_fifo_q && pop && ahead_q == 0;
    if (!in_fifo_q && push && mark) begin
      in_fifo_q <= 1'b1;
      ahead_q   <= held_q - pop - in_row_q + (N - 1 - in_row_q);
      its_row_q <= in_row_q;
      its_ptr_q <= \fifo.wr_ptr_q ;
      value_q   <= wt_data;
    end else if (in_fifo_q && pop) begin
      in_fifo_q <= ahead_q != 0;
      ahead_q   <= ahead_q - 1'b1;
    end
    if (rst) begin
      held_q     <= 0;
      in_row_q   <= 0;
      in_fifo_q  <= 1'b0;
      in_array_q <= 1'b0;
    end
  end

  // A row leaves the FIFO for the array only, in the next cycle, as the row of the tile that it is.
  reg popped_q;
  always @(posedge clk) popped_q <= !rst && pop;

  reg [NW-1:0]  its_array_row_q;
  reg [8*N-1:0] its_array_value_q;
  always @(posedge clk) begin
    its_array_row_q   <= its_row_q;
    its_array_value_q <= value_q;
  end

  always @* begin
    if (!rst) begin
      assert (popped_q == (array_first || shifts));
      if (in_array_q) begin
        assert (array_first ? its_array_row_q == N - 1 : shifts && its_array_row_q == N - 1 - rows_q);
        assert (array_data == its_array_value_q);
      end
      assert (!pop || held_q != 0);
      // Nothing that could be loaded is left lying: no tile is whole in the FIFO while the array's shadow registers are free.
      assert (held_q < N || pop || tile_ready || \dut.start );
    end
  end

  //// What makes it inductive: the FIFO, and what the loader's state says about the array ////

  (* hierconn *) wire           \dut.start ;
  (* hierconn *) wire           \dut.shifting_q ;
  (* hierconn *) wire           \dut.free_q ;
  (* hierconn *) wire           \dut.ready_q ;
  (* hierconn *) wire           \dut.take_q ;
  (* hierconn *) wire [NW-1:0]  \dut.shift_row_q ;
  (* hierconn *) wire [NW-1:0]  \dut.fill_row_q ;
  (* hierconn *) wire [DW-NW+1:0] \dut.whole_tiles_q ;
  (* hierconn *) wire [DW:0]    \fifo.rd_ptr_q ;
  (* hierconn *) wire           \fifo.out_valid_q ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.rd_data ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[0] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[1] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[2] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[3] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[4] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[5] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[6] ;
  (* hierconn *) wire [8*N-1:0] \fifo.u_ram.memory[7] ;
  wire [8*N*DEPTH-1:0] memory = {\fifo.u_ram.memory[7] , \fifo.u_ram.memory[6] ,
                                 \fifo.u_ram.memory[5] , \fifo.u_ram.memory[4] ,
                                 \fifo.u_ram.memory[3] , \fifo.u_ram.memory[2] ,
                                 \fifo.u_ram.memory[1] , \fifo.u_ram.memory[0] };
  wire [DW:0]   level  = \fifo.wr_ptr_q - \fifo.rd_ptr_q ;
  wire          out    = \fifo.out_valid_q ;
  // The row that is followed: its place in memory; reads before its own. Its tile and the one that comes, from the one that is read
  wire [DW-1:0] line   = {its_ptr_q[DW-1:NW], its_ptr_q[NW-1:0] ^ {NW{its_ptr_q[DW]}}};
  wire [DW:0]   to_go  = {its_ptr_q[DW:NW], ~its_ptr_q[NW-1:0]} - \fifo.rd_ptr_q ;
  wire [DW-NW:0] its_tile = its_ptr_q[DW:NW] - \fifo.rd_ptr_q [DW:NW];
  wire [DW-NW:0] wr_tile  = \fifo.wr_ptr_q [DW:NW] - \fifo.rd_ptr_q [DW:NW];
  wire          in_out = &to_go;
  wire          s      = \dut.shifting_q ;
  wire [NW-1:0] k      = \dut.shift_row_q ;
  wire [HW-1:0] left   = s ? N - k : 0;
  wire [NW-1:0] row    = s ? k + ahead_q[NW-1:0] : ahead_q[NW-1:0];
  // The tile before is on its way to being used, or there is none.
  wire none     = rows_q == 0 && !take_1_q && !take_2_q && !swap_q;
  wire taken    = rows_q >= N - 1 && !take_1_q && take_2_q && !swap_q;
  wire swapped  = waits && swap_q && !take_1_q && !take_2_q;

  // A row that leaves in the first cycle of a reset is not in the array any more after the third.
  always @* begin
    assert (reset_q == 3'b111 || reset_q == 3'b110 || reset_q == 3'b100 || reset_q == 3'b000);
    if (reset_q == 3'b110 || reset_q == 3'b100) assert (!s);
    if (reset_q == 3'b100) assert (!array_first);
  end

  always @* begin
    if (!rst) begin
      assert (s || k == 0);
      assert (tile_ready == \dut.ready_q );
      assert (level <= DEPTH && level + out == held_q);
      assert (out || level < N || (level == N && \dut.fill_row_q == 0));
      assert (\fifo.wr_ptr_q [NW-1:0] == in_row_q);
      assert (!s || out);
      assert (s || !out || \dut.whole_tiles_q != 0);
      assert (held_q == \dut.whole_tiles_q * N + \dut.fill_row_q + left);
      assert (\dut.fill_row_q == in_row_q);
      assert (rows_q <= N);
      if (in_fifo_q) begin
        assert (ahead_q < held_q + N && ~its_row_q == row && its_row_q == its_ptr_q[NW-1:0]);
        assert (in_out ? out && ahead_q == 0 : ahead_q == to_go + out);
        // It has come, and was not read.
        assert (in_out || (its_tile <= wr_tile && (its_tile != 0 || ~its_row_q >= \fifo.rd_ptr_q [NW-1:0])
                           && (its_tile != wr_tile || its_row_q < in_row_q)));
        assert ((in_out ? \fifo.u_ram.rd_data : memory[8*N*line +: 8*N]) == value_q);
      end
      assert (\dut.take_q == take_1_q);
      assert (tile_ready == (s ? k >= N - 2 && !take_1_q : !\dut.free_q && !take_1_q));
      if (s) begin
        assert (!\dut.free_q );
        if (k == 0) assert (!array_first && (none || taken || swapped));
        if (k == 1) assert (array_first && (none || swapped));
        if (k > 1) assert (!array_first && rows_q == k - 1 && (!take_1_q || k == N - 1) && !take_2_q && !swap_q);
      end else begin
        assert (!array_first);
        if (\dut.free_q ) assert (none || taken || swapped);
        else assert (rows_q >= N - 1 && !take_2_q && !swap_q);
      end
    end
  end

endmodule

`default_nettype wire
