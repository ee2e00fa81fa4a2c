// tpu_queues: the words of a unit that are kept reach its head once, unchanged, in order, each in its place; none comes for a head that is
// full, nor right behind a start; of the units that lack a word and have one the first gets it.
//
// One word of unit UNIT, chosen by the solver, is followed through the RAM, of which the proof keeps only the row it lies in.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_queues #(
  parameter WORD_BITS = 128,
  parameter POS_BITS = 3
) (
  input wire                      clk,
  input wire [`TPU_NUM_UNITS-1:0] in_unit,
  input wire [POS_BITS-1:0]       in_pos,
  input wire [WORD_BITS-1:0]      in_data,
  input wire [31:0]               in_index,
  input wire [`TPU_NUM_UNITS-1:0] start,
  // The word that enters is the one to follow
  input wire                      mark
);

  localparam U     = `TPU_NUM_UNITS;
  localparam UW    = $clog2(U);
  // Neither the first nor the last; of the most words.
  localparam UNIT  = `TPU_INDEX_VECTOR;
  localparam WORDS = (`TPU_UNIT_USED(UNIT) + WORD_BITS - 1) / WORD_BITS;
  localparam AW    = $clog2(8 * `TPU_MAX_GRANULES * `TPU_GRANULE_BITS / WORD_BITS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                 in_ready;
  wire [U-1:0]         fill;
  wire [POS_BITS-1:0]  fill_pos;
  wire [WORD_BITS-1:0] fill_data;
  wire [31:0]          fill_index;

  tpu_queues #(
    .WORD_BITS (WORD_BITS),
    .POS_BITS  (POS_BITS)
  ) dut (
    .clk        (clk),
    .rst        (rst),
    .in_unit    (in_unit),
    .in_ready   (in_ready),
    .in_pos     (in_pos),
    .in_data    (in_data),
    .in_index   (in_index),
    .start      (start),
    .fill       (fill),
    .fill_pos   (fill_pos),
    .fill_data  (fill_data),
    .fill_index (fill_index)
  );

  (* hierconn *) wire [U-1:0]        \dut.want ;
  (* hierconn *) wire [U-1:0]        \dut.grant ;
  (* hierconn *) wire [AW:0]         \dut.g_unit[3].wr_ptr_q ;
  (* hierconn *) wire [AW:0]         \dut.g_unit[3].rd_ptr_q ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.g_unit[3].pos_q ;
  (* hierconn *) wire                \dut.g_unit[3].wait_q ;
  (* hierconn *) wire [UW+AW-1:0]    \dut.u_ram.watched ;
  (* hierconn *) wire [WORD_BITS+31:0] \dut.u_ram.row_q ;
  (* hierconn *) wire                \dut.u_ram.wr_en ;
  (* hierconn *) wire [UW+AW-1:0]    \dut.u_ram.wr_addr ;

  // ---- Reference --------------------------------------------------------------------------------------

  // Place of the next word that is kept; words written and not filled; words that the head has, or that are on their way to it
  reg [POS_BITS-1:0] next_q;
  reg [AW:0]         held_q;
  reg [POS_BITS:0]   head_q;
  reg                started_q;
  // The word that is followed: words in front of it, itself
  reg                marked_q;
  reg [AW:0]         ahead_q;
  reg [POS_BITS-1:0] pos_q;
  reg [31:0]         index_q;
  reg [WORD_BITS-1:0] data_q;

  wire push = in_unit[UNIT] && in_ready && in_pos < WORDS;
  wire pop  = fill[UNIT];

  // Decode gives words to one unit at a time, in their places; only a full head starts.
  always @* begin
    if (!rst) begin
      assume ((in_unit & (in_unit - 1'b1)) == 0);
      assume (!in_unit[UNIT] || in_pos >= WORDS || in_pos == next_q);
      assume (!start[UNIT] || head_q == WORDS);
    end
  end

  always @(posedge clk) begin
    if (push) next_q <= next_q == WORDS - 1 ? 0 : next_q + 1'b1;
    held_q    <= held_q + push - pop;
    head_q    <= start[UNIT] ? 0 : head_q + pop;
    started_q <= !rst && start[UNIT];
    if (!marked_q && push && mark && \dut.u_ram.wr_addr == \dut.u_ram.watched ) begin
      marked_q <= 1'b1;
      ahead_q  <= held_q - pop;
      pos_q    <= in_pos;
      index_q  <= in_index;
      data_q   <= in_data;
    end else if (marked_q && pop) begin
      marked_q <= ahead_q != 0;
      ahead_q  <= ahead_q - 1'b1;
    end
    if (rst) begin
      next_q   <= 0;
      held_q   <= 0;
      head_q   <= 0;
      marked_q <= 1'b0;
    end
  end

  always @* begin
    if (!rst) begin
      // As tpu_issue assumes
      assert (!pop || (head_q < WORDS && fill_pos == head_q && !started_q && held_q != 0));
      assert (!(pop && marked_q && ahead_q == 0) || {fill_pos, fill_index, fill_data} == {pos_q, index_q, data_q});
      assert ((fill & (fill - 1'b1)) == 0);
      // A word that nobody keeps is taken at once, and one for a ring with room.
      assert (in_ready || (in_unit != 0 && (!in_unit[UNIT] || (in_pos < WORDS && held_q >= 1 << AW))));
      // The first that wants; this one wants whenever it lacks a word and has one.
      assert (\dut.grant [UNIT] == (\dut.want [UNIT] && (\dut.want & ((1 << UNIT) - 1)) == 0));
      assert (\dut.want [UNIT] == (held_q - pop != 0 && head_q + pop != WORDS));
    end
  end

  // ---- What makes it inductive ------------------------------------------------------------------------

  wire [AW:0]   level = \dut.g_unit[3].wr_ptr_q - \dut.g_unit[3].rd_ptr_q ;
  // Words that were read: of the head and on the way
  wire [POS_BITS:0] read = head_q + pop;
  wire [AW-1:0] row   = \dut.g_unit[3].rd_ptr_q [AW-1:0] + ahead_q[AW-1:0] - pop;
  wire [UW-1:0] unit  = UNIT;

  always @* begin
    if (!rst) begin
      assert (level <= 1 << AW && level == held_q - pop);
      assert (read <= WORDS && \dut.g_unit[3].pos_q == (read == WORDS ? 0 : read));
      assert (\dut.g_unit[3].wait_q == (read == WORDS));
      assert (!started_q || (head_q == 0 && !pop));
      assert (next_q < WORDS && (read + level) % WORDS == next_q);
      if (marked_q) begin
        assert (ahead_q < held_q);
        assert ((head_q + ahead_q) % WORDS == pos_q && pos_q < WORDS);
        if (pop && ahead_q == 0) begin
          assert ({fill_index, fill_data} == {index_q, data_q});
        end else begin
          assert (\dut.u_ram.watched == {unit, row} && \dut.u_ram.row_q == {index_q, data_q});
        end
      end
    end
  end

endmodule

`default_nettype wire
