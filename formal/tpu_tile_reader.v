// tpu_tile_reader: the tiles' rows come out once, in order, as docs/isa.md (10.3) has them: a row that lies inside the matrix is the one of the unified
// buffer at its address, for any strides, and one outside is zeros and is not read; a row that does not exist is neither read nor passed by, and is
// reported; nothing is asked for in a stop, nor while eight rows are held, but else a row in each cycle. A reset leaves nothing on its way.
//
// The reference walks with addresses of its own. One bit of the buffer's data, chosen by the solver, is followed; the FIFO is that of formal/tpu_fifo.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_tile_reader #(
  // Rows of a tile
  parameter N = 4,
  // The most there can be: so each bit of a row's address, and those above, counts
  parameter UB_ROWS = 65536
) (
  input wire                           clk,
  input wire                           stop,
  input wire                           start,
  input wire [`TPU_UBWEIGHTS_USED-1:0] cmd,
  input wire                           rd_ready,
  input wire [15:0]                    rd_data,
  input wire                           row_en
);

  localparam RW = $clog2(UB_ROWS);
  localparam NW = $clog2(N);

  reg rst = 1'b1;
  // The first cycle after the reset
  reg fresh_q;
  always @(posedge clk) rst <= 1'b0;
  always @(posedge clk) fresh_q <= rst;

  wire          rd_valid;
  wire          rd_pair;
  wire [RW-1:0] rd_row;
  wire          fault;
  wire          row_ready;
  wire          row_last;
  wire [15:0]   row_data;

  tpu_tile_reader #(
    .ROW_BYTES (1),
    .LANES     (N),
    .UB_ROWS   (UB_ROWS)
  ) dut (
    .clk       (clk),
    .rst       (rst),
    .stop      (stop),
    .start     (start),
    .cmd       (cmd),
    .rd_valid  (rd_valid),
    .rd_ready  (rd_ready),
    .rd_pair   (rd_pair),
    .rd_row    (rd_row),
    .rd_data   (rd_data),
    .fault     (fault),
    .row_ready (row_ready),
    .row_last  (row_last),
    .row_en    (row_en),
    .row_data  (row_data)
  );

  //// Reference: the walk ////

  // Steps are left; of the instruction: strides, and rows from one tile to the next
  reg          walks_q;
  reg          pair_q;
  reg [15:0]   s_row_q;
  reg [15:0]   s_cb_q;
  reg [15:0]   s_ob_q;
  reg          along_cb_q;
  reg          along_ob_q;
  reg [15:0]   n_cb_q;
  reg [15:0]   bound_q;
  // The row of the tile; blocks left, with this one
  reg [NW-1:0] j_q;
  reg [15:0]   cb_left_q;
  reg [15:0]   ob_left_q;
  // Addresses of the row, of the tile's first, of the output channel block's first
  reg [19:0]   row_q;
  reg [19:0]   tile_q;
  reg [19:0]   block_q;
  // Matrix rows before the tile's first one, and before the block's
  reg [17+NW:0] y_q;
  reg [17+NW:0] block_y_q;

  wire [17+NW:0] y      = y_q + j_q;
  wire           inside = y < bound_q;
  // Two rows must exist with bf16.
  wire           exists = row_q + pair_q < UB_ROWS;
  wire           j_ends = j_q == N - 1;
  wire           last   = j_ends && cb_left_q == 1 && ob_left_q == 1;
  reg  [3:0]     held_q;
  wire           asks   = walks_q && !stop && held_q < 8;
  wire           step   = asks && (!inside || (exists && rd_ready));
  wire [19:0]    next_tile  = tile_q + {{4{s_cb_q[15]}}, s_cb_q};
  wire [19:0]    next_block = block_q + {{4{s_ob_q[15]}}, s_ob_q};

  always @(posedge clk) begin
    if (step) begin
      j_q   <= j_q + 1'b1;
      row_q <= row_q + {{4{s_row_q[15]}}, s_row_q};
      if (j_ends && cb_left_q != 1) begin
        cb_left_q <= cb_left_q - 1'b1;
        row_q     <= next_tile;
        tile_q    <= next_tile;
        y_q       <= y_q + (along_cb_q ? N : 0);
      end else if (j_ends) begin
        cb_left_q <= n_cb_q;
        ob_left_q <= ob_left_q - 1'b1;
        row_q     <= next_block;
        tile_q    <= next_block;
        block_q   <= next_block;
        y_q       <= block_y_q + (along_ob_q ? N : 0);
        block_y_q <= block_y_q + (along_ob_q ? N : 0);
      end
      walks_q <= !last;
    end
    if (start) begin
      walks_q    <= 1'b1;
      pair_q     <= cmd[`TPU_UBWEIGHTS_FORMAT] != `TPU_NUMBER_FORMAT_INT8;
      s_row_q    <= cmd[`TPU_UBWEIGHTS_S_ROW];
      s_cb_q     <= cmd[`TPU_UBWEIGHTS_S_CB];
      s_ob_q     <= cmd[`TPU_UBWEIGHTS_S_OB];
      along_cb_q <= cmd[`TPU_UBWEIGHTS_ALONG_CB];
      along_ob_q <= cmd[`TPU_UBWEIGHTS_ALONG_OB];
      bound_q    <= cmd[`TPU_UBWEIGHTS_ROW_BOUND];
      n_cb_q     <= cmd[`TPU_UBWEIGHTS_N_CB];
      j_q        <= 0;
      cb_left_q  <= cmd[`TPU_UBWEIGHTS_N_CB];
      ob_left_q  <= cmd[`TPU_UBWEIGHTS_N_OB];
      row_q      <= cmd[`TPU_UBWEIGHTS_ROW];
      tile_q     <= cmd[`TPU_UBWEIGHTS_ROW];
      block_q    <= cmd[`TPU_UBWEIGHTS_ROW];
      y_q        <= 0;
      block_y_q  <= 0;
    end
    held_q <= held_q + step - row_en;
    if (rst) begin
      walks_q <= 1'b0;
      held_q  <= 4'd0;
    end
  end

  // The instruction before has given all of its rows (an assertion in the RTL, too); a row is taken that is there; counts are at least 1.
  always @* begin
    if (!rst) begin
      assume (!start || (!walks_q && held_q == row_en));
      assume (!start || (cmd[`TPU_UBWEIGHTS_N_CB] != 0 && cmd[`TPU_UBWEIGHTS_N_OB] != 0));
      assume (!row_en || row_ready);
    end
  end

  //// Reference: rows of the buffer come three cycles after their step ////

  reg [3:1] step_q;
  reg [3:1] inside_q;
  reg [3:1] last_q;
  always @(posedge clk) begin
    step_q   <= rst ? 3'd0 : {step_q[2:1], step};
    inside_q <= {inside_q[2:1], inside};
    last_q   <= {last_q[2:1], last};
  end

  (* anyseq *) wire [3:0] bit_number;
  // The same in all cycles
  reg              [3:0] bit_number_q;
  always @(posedge clk) bit_number_q <= bit_number;
  always @* if (!rst) assume (bit_number == bit_number_q);

  (* hierconn *) wire [15:0] \dut.fifo_data ;
  wire [3:0] held;

  stream_order #(
    .WIDTH    (2),
    .CAPACITY (8)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .push      (step_q[3]),
    .in_data   ({last_q[3], inside_q[3] && rd_data[bit_number]}),
    .out_valid (row_ready),
    .pop       (row_en),
    .out_data  ({row_last, \dut.fifo_data [bit_number]}),
    .held      (held)
  );

  // The row taken last
  reg        taken_q;
  reg [15:0] data_q;
  always @(posedge clk) begin
    taken_q <= !rst && (taken_q || row_en);
    if (row_en) data_q <= \dut.fifo_data ;
  end

  always @* begin
    if (!rst) begin
      assert (rd_valid == (asks && inside && exists));
      assert (!rd_valid || (rd_row == row_q[RW-1:0] && rd_pair == pair_q));
      assert (fault == (asks && inside && !exists));
      assert (row_ready == (held != 0));
      assert (!taken_q || row_data == data_q);
      if (fresh_q) assert (!rd_valid && !fault && !row_ready && step_q == 0);
    end
  end

  //// What makes it inductive: the reader's walk, and its FIFO ////

  (* hierconn *) wire        \dut.active_q ;
  (* hierconn *) wire        \dut.step ;
  (* hierconn *) wire [3:0]  \dut.held_q ;
  (* hierconn *) wire [2:0]  \dut.step_q ;
  (* hierconn *) wire [1:0]  \dut.u_read.g_registers.g_stage[1].value_q ;
  (* hierconn *) wire [1:0]  \dut.u_read.g_registers.g_stage[2].value_q ;
  (* hierconn *) wire [1:0]  \dut.u_read.g_registers.g_stage[3].value_q ;
  (* hierconn *) wire        \dut.bf16_q ;
  (* hierconn *) wire        \dut.along_cb_q ;
  (* hierconn *) wire        \dut.along_ob_q ;
  (* hierconn *) wire [15:0] \dut.s_row_q ;
  (* hierconn *) wire [15:0] \dut.s_cb_q ;
  (* hierconn *) wire [15:0] \dut.s_ob_q ;
  (* hierconn *) wire [15:0] \dut.left_q ;
  (* hierconn *) wire [15:0] \dut.ob_left_q ;
  (* hierconn *) wire [NW-1:0] \dut.tile_row_q ;
  (* hierconn *) wire [1:0]  \dut.level ;
  (* hierconn *) wire        \dut.last ;
  (* hierconn *) wire [15:0] \dut.u_counter.g_loop[0].count_q ;
  (* hierconn *) wire [15:0] \dut.u_counter.g_loop[1].count_q ;
  (* hierconn *) wire        \dut.u_counter.g_loop[0].count_is_1_q ;
  (* hierconn *) wire        \dut.u_counter.g_loop[1].count_is_1_q ;
  (* hierconn *) wire [15:0] \dut.u_counter.g_loop[0].left_q ;
  (* hierconn *) wire [15:0] \dut.u_counter.g_loop[1].left_q ;
  (* hierconn *) wire [15:0] \dut.u_counter.g_loop[2].left_q ;
  (* hierconn *) wire [2:0]  \dut.last_mask ;
  (* hierconn *) wire [19:0] \dut.u_addr.g_loop[0].start_q ;
  (* hierconn *) wire [19:0] \dut.u_addr.g_loop[1].start_q ;
  (* hierconn *) wire [19:0] \dut.u_addr.g_loop[2].start_q ;
  (* hierconn *) wire [3:0]  \dut.u_fifo.wr_ptr_q ;
  (* hierconn *) wire [3:0]  \dut.u_fifo.rd_ptr_q ;
  (* hierconn *) wire        \u_rows.marked ;
  (* hierconn *) wire [3:0]  \u_rows.ahead ;
  (* hierconn *) wire [1:0]  \u_rows.value ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[0] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[1] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[2] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[3] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[4] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[5] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[6] ;
  (* hierconn *) wire [16:0] \dut.u_fifo.words[7] ;
  wire [8*17-1:0] words = {\dut.u_fifo.words[7] , \dut.u_fifo.words[6] , \dut.u_fifo.words[5] , \dut.u_fifo.words[4] ,
                           \dut.u_fifo.words[3] , \dut.u_fifo.words[2] , \dut.u_fifo.words[1] , \dut.u_fifo.words[0] };
  wire [3:0]      level = \dut.u_fifo.wr_ptr_q - \dut.u_fifo.rd_ptr_q ;
  // Where the row that is followed lies
  wire [2:0]      place = \dut.u_fifo.rd_ptr_q [2:0] + \u_rows.ahead [2:0];
  wire [16:0]     word  = words[17*place +: 17];

  always @* begin
    if (!rst) begin
      assert (\dut.active_q == walks_q && \dut.step == step && \dut.held_q == held_q && \dut.step_q == step_q);
      assert (level == held && held_q == held + step_q[1] + step_q[2] + step_q[3] && held_q <= 8);
      if (step_q[1]) assert (\dut.u_read.g_registers.g_stage[1].value_q == {inside_q[1], last_q[1]});
      if (step_q[2]) assert (\dut.u_read.g_registers.g_stage[2].value_q == {inside_q[2], last_q[2]});
      if (step_q[3]) assert (\dut.u_read.g_registers.g_stage[3].value_q == {inside_q[3], last_q[3]});
      if (\u_rows.marked ) assert ({word[16], word[bit_number]} == \u_rows.value );
      if (walks_q) begin
        assert ({\dut.bf16_q , \dut.along_cb_q , \dut.along_ob_q } == {pair_q, along_cb_q, along_ob_q});
        assert ({\dut.s_row_q , \dut.s_cb_q , \dut.s_ob_q } == {s_row_q, s_cb_q, s_ob_q});
        // Numbers of blocks keep y small.
        assert (cb_left_q != 0 && ob_left_q != 0 && cb_left_q <= n_cb_q);
        assert (block_y_q <= N * (65536 - ob_left_q) && y_q <= block_y_q + N * (65536 - cb_left_q));
        assert (\dut.left_q == (y_q < bound_q ? bound_q - y_q : 0) && \dut.ob_left_q == (block_y_q < bound_q ? bound_q - block_y_q : 0));
        assert (\dut.tile_row_q == j_q);
        assert (\dut.u_counter.g_loop[0].count_q == N && !\dut.u_counter.g_loop[0].count_is_1_q );
        assert (\dut.u_counter.g_loop[1].count_q == n_cb_q && \dut.u_counter.g_loop[1].count_is_1_q == (n_cb_q == 1));
        assert (\dut.u_counter.g_loop[0].left_q == N - j_q && \dut.u_counter.g_loop[1].left_q == cb_left_q);
        assert (\dut.u_counter.g_loop[2].left_q == ob_left_q);
        assert (\dut.last_mask == {ob_left_q == 1, cb_left_q == 1, j_ends} && \dut.last == last);
        assert (last || \dut.level == (!j_ends ? 0 : cb_left_q != 1 ? 1 : 2));
        assert (\dut.u_addr.g_loop[0].start_q == row_q && \dut.u_addr.g_loop[1].start_q == tile_q);
        assert (\dut.u_addr.g_loop[2].start_q == block_q);
      end
    end
  end

endmodule

`default_nettype wire
