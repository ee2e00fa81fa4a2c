// The units' instruction queues: one block RAM, a ring of words for each unit, and one reader that fills the heads.
//
// Decode writes a word per cycle; words without a field of the unit's instructions are not kept. The reader fetches a word per cycle, for the
// first unit whose head lacks one, as soon as the word is there: also words of instructions that are not complete. It waits
// at the end of an instruction until that one starts.
//
//   cycle   0              1             2             3
//           word written   word read     fill          in the head
//           start          next's word 0 read          fill
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_queues #(
  // Bits of a word: 128, 256 or 512
  parameter WORD_BITS = 128,
  // Bits of a word's place in an instruction
  parameter POS_BITS = 3
) (
  input  wire                      clk,
  input  wire                      rst,

  // From decode; in_unit is one-hot, or none
  input  wire [`TPU_NUM_UNITS-1:0] in_unit,
  output wire                      in_ready,
  input  wire [POS_BITS-1:0]       in_pos,
  input  wire [WORD_BITS-1:0]      in_data,
  input  wire [31:0]               in_index,

  // The head's instruction starts, by unit
  input  wire [`TPU_NUM_UNITS-1:0] start,

  // A word for the head of this unit (one-hot, or none), its place, and the index of its instruction
  output wire [`TPU_NUM_UNITS-1:0] fill,
  output wire [POS_BITS-1:0]       fill_pos,
  output wire [WORD_BITS-1:0]      fill_data,
  output wire [31:0]               fill_index
);

  localparam U  = `TPU_NUM_UNITS;
  localparam UW = $clog2(U);
  // A unit's ring: words of eight of the longest instructions, and so more instructions of those with fewer words
  localparam AW = $clog2(8 * `TPU_MAX_GRANULES * `TPU_GRANULE_BITS / WORD_BITS);

  wire [U-1:0]          keep;
  wire [U-1:0]          full;
  wire [U-1:0]          want;
  wire [U-1:0]          grant = want & (~want + 1'b1);
  // Of all units, unit u in place u
  wire [U*AW-1:0]       wr_ptr;
  wire [U*AW-1:0]       rd_ptr;
  wire [U*POS_BITS-1:0] pos;

  // ---- Pointers, by unit --------------------------------------------------------------------------

  genvar u;
  generate
    for (u = 0; u < U; u = u + 1) begin : g_unit
      // Words of an instruction that are kept
      localparam integer WORDS = (`TPU_UNIT_USED(u) + WORD_BITS - 1) / WORD_BITS;
      localparam integer LAST  = WORDS - 1;
      // Bit i: the word in place i is kept.
      localparam [(1<<POS_BITS)-1:0] KEPT = ~({(1<<POS_BITS){1'b1}} << WORDS);

      // One bit more than an address, so that full and empty differ.
      reg [AW:0]         wr_ptr_q;
      reg [AW:0]         rd_ptr_q;
      // Place of the next word to read; all words of the head were read.
      reg [POS_BITS-1:0] pos_q;
      reg                wait_q;

      wire write = keep[u] && !full[u];

      assign keep[u] = in_unit[u] && KEPT[in_pos];
      assign full[u] = wr_ptr_q == {~rd_ptr_q[AW], rd_ptr_q[AW-1:0]};
      assign want[u] = wr_ptr_q != rd_ptr_q && !wait_q;
      assign wr_ptr[AW*u +: AW]          = wr_ptr_q[AW-1:0];
      assign rd_ptr[AW*u +: AW]          = rd_ptr_q[AW-1:0];
      assign pos[POS_BITS*u +: POS_BITS] = pos_q;

      always @(posedge clk) begin
        if (write) begin
          wr_ptr_q <= wr_ptr_q + 1'b1;
        end
        if (grant[u]) begin
          rd_ptr_q <= rd_ptr_q + 1'b1;
          pos_q    <= pos_q == LAST[POS_BITS-1:0] ? {POS_BITS{1'b0}} : pos_q + 1'b1;
        end
        wait_q <= (grant[u] && pos_q == LAST[POS_BITS-1:0]) || (wait_q && !start[u]);
        if (rst) begin
          wr_ptr_q <= {(AW+1){1'b0}};
          rd_ptr_q <= {(AW+1){1'b0}};
          pos_q    <= {POS_BITS{1'b0}};
          wait_q   <= 1'b0;
        end
      end
    end
  endgenerate

  assign in_ready = (keep & full) == {U{1'b0}};

  // ---- Memory: the unit above its ring's address ----------------------------------------------------

  reg [UW-1:0]       wr_unit;
  reg [AW-1:0]       wr_word;
  reg [UW-1:0]       rd_unit;
  reg [AW-1:0]       rd_word;
  reg [POS_BITS-1:0] rd_pos;
  integer            i;

  always @* begin
    wr_unit = {UW{1'b0}};
    wr_word = {AW{1'b0}};
    rd_unit = {UW{1'b0}};
    rd_word = {AW{1'b0}};
    rd_pos  = {POS_BITS{1'b0}};
    for (i = 0; i < U; i = i + 1) begin
      wr_unit = wr_unit | (in_unit[i] ? i[UW-1:0] : {UW{1'b0}});
      wr_word = wr_word | (in_unit[i] ? wr_ptr[AW*i +: AW] : {AW{1'b0}});
      rd_unit = rd_unit | (grant[i] ? i[UW-1:0] : {UW{1'b0}});
      rd_word = rd_word | (grant[i] ? rd_ptr[AW*i +: AW] : {AW{1'b0}});
      rd_pos  = rd_pos | (grant[i] ? pos[POS_BITS*i +: POS_BITS] : {POS_BITS{1'b0}});
    end
  end

  tpu_ram_1r1w #(
    .WIDTH (32 + WORD_BITS),
    .DEPTH (1 << (UW + AW))
  ) u_ram (
    .clk     (clk),
    .wr_en   (keep != {U{1'b0}} && in_ready),
    .wr_addr ({wr_unit, wr_word}),
    .wr_data ({in_index, in_data}),
    .rd_en   (want != {U{1'b0}}),
    .rd_addr ({rd_unit, rd_word}),
    .rd_data ({fill_index, fill_data})
  );

  reg [U-1:0]        fill_q;
  reg [POS_BITS-1:0] fill_pos_q;

  assign fill     = fill_q;
  assign fill_pos = fill_pos_q;

  always @(posedge clk) begin
    fill_q     <= grant;
    fill_pos_q <= rd_pos;
    if (rst) begin
      fill_q <= {U{1'b0}};
    end
  end

endmodule

`default_nettype wire
