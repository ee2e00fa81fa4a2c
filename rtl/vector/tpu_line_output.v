// Write-back of FVECTOR and IVECTOR: a row of numbers becomes lines of the unified buffer, written one per cycle from the cycle after the row on.
//
// A row's address enters with the row's last tap. Rows come as many cycles apart as they have lines, so that a line's register is free
// when the next row comes. Lines beyond the end of the buffer are not written: the error that they are was reported when the tap was issued.
//
// With INTERLEAVE rows of bf16 may come two by two: the first one waits for the second one, and both become four lines, each with the same
// quarter of both. Rows come two cycles apart as ever, as the first one of the next two waits, too:
//
//     cycle     0     1     2     3     4     5     6     7     8
//     in        R           S           R'          S'
//     lines                       RS0   RS1   RS2   RS3   RS0'  RS1'
//     address                     R     R     S     S     R'    R'
//
// A row that does not wait comes four cycles behind the second one of two (tpu_fvector_issue).
//
// Behind a row's last line wr_data is 0 until the next row, and it never moves while there is no line.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_line_output #(
  // Lanes, bytes of a line
  parameter LANES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // Rows that may be between their last tap and the unified buffer, a power of two: one in each of 25 cycles
  parameter DEPTH = 32,
  // 1: rows may be interleaved
  parameter INTERLEAVE = 0
) (
  input  wire                       clk,
  input  wire                       rst,

  // Address of a row that is on its way
  input  wire                       in_row_valid,
  input  wire [$clog2(UB_ROWS)-1:0] in_row,
  // Numbers of the oldest row still on its way, each in the lowest bits of its word; the number of its last line, 0, 1 or 3; `in_final`: the
  // last row of its instruction
  input  wire                       in_valid,
  input  wire                       in_final,
  input  wire [1:0]                 in_last,
  // Of INTERLEAVE: the row is one of two, but for a last one that is alone
  input  wire                       in_interleave,
  input  wire [32*LANES-1:0]        in_words,

  // Unified buffer, which takes every line
  output wire                       wr_valid,
  output wire [$clog2(UB_ROWS)-1:0] wr_row,
  output wire [8*LANES-1:0]         wr_data,

  // A row is between its last tap and the unified buffer
  output wire                       rows_on_way,
  // An instruction's last line is written in this cycle
  output wire                       done
);

  localparam UW = $clog2(UB_ROWS);

  // ---- Lines -----------------------------------------------------------------------------------
  wire [8*LANES-1:0]  bytes;
  wire [16*LANES-1:0] halves;

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      assign bytes[8*i +: 8]    = in_words[32*i +: 8];
      assign halves[16*i +: 16] = in_words[32*i +: 16];
    end
  endgenerate

  // The row waits for the one behind; the row is the second one of two; their lines
  wire                keeps;
  wire                pairs;
  wire [32*LANES-1:0] pair_lines;
  // The lines being written are those of two rows
  wire                paired;

  reg                 valid_q;
  reg                 final_q;
  reg  [1:0]          line_q;
  reg  [1:0]          last_q;
  // The lines that are still to be written, the next one on the right
  reg  [32*LANES-1:0] lines_q;
  wire                starts = in_valid && !keeps;
  wire                ends   = line_q == last_q;

  always @(posedge clk) begin
    if (starts) begin
      final_q <= in_final;
      last_q  <= pairs ? 2'd3 : in_last;
      lines_q <= pairs           ? pair_lines
               : in_last == 2'd0 ? {{24*LANES{1'b0}}, bytes}
               : in_last == 2'd1 ? {{16*LANES{1'b0}}, halves} : in_words;
    end else if (valid_q) begin
      lines_q <= lines_q >> 8 * LANES;
    end
  end

  always @(posedge clk) begin
    valid_q <= starts || (valid_q && !ends);
    line_q  <= starts ? 2'd0 : line_q + 2'd1;
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

  // ---- Two rows --------------------------------------------------------------------------------
  generate
    if (INTERLEAVE != 0) begin : g_interleave
      // A quarter of a row of bf16
      localparam QUARTER = 4 * LANES;
      reg                 kept_valid_q;
      reg  [16*LANES-1:0] kept_q;
      reg                 paired_q;

      assign keeps  = in_interleave && !kept_valid_q && !in_final;
      assign pairs  = kept_valid_q;
      assign paired = paired_q;
      for (i = 0; i < 4; i = i + 1) begin : g_quarter
        assign pair_lines[2*i*QUARTER +: 2*QUARTER] = {halves[i*QUARTER +: QUARTER], kept_q[i*QUARTER +: QUARTER]};
      end

      always @(posedge clk) begin
        if (in_valid) begin
          kept_q <= halves;
        end
        if (starts) begin
          paired_q <= pairs;
        end
      end

      always @(posedge clk) begin
        if (in_valid) begin
          kept_valid_q <= keeps;
        end
        if (rst) begin
          kept_valid_q <= 1'b0;
        end
      end
    end else begin : g_no_interleave
      wire unused_interleave = &{1'b0, in_interleave};

      assign keeps      = 1'b0;
      assign pairs      = 1'b0;
      assign paired     = 1'b0;
      assign pair_lines = {32*LANES{1'b0}};
    end
  endgenerate

  // ---- Addresses -------------------------------------------------------------------------------
  wire                   row_ready;
  wire                   row_valid;
  wire [UW-1:0]          row;
  wire [$clog2(DEPTH):0] row_level;
  // Of two rows each has two lines.
  wire [1:0]             line     = {line_q[1] && !paired, line_q[0]};
  wire [UW:0]            line_row = {1'b0, row} + {{(UW-1){1'b0}}, line};

  assign wr_valid    = valid_q && !line_row[UW];
  assign wr_row      = line_row[UW-1:0];
  assign wr_data     = lines_q[8*LANES-1:0];
  assign rows_on_way = row_valid;
  assign done        = valid_q && ends && final_q;

  tpu_fifo #(
    .WIDTH (UW),
    .DEPTH (DEPTH)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_row_valid),
    .in_ready  (row_ready),
    .in_data   (in_row),
    .out_valid (row_valid),
    .out_ready (valid_q && (ends || (paired && line_q == 2'd1))),
    .out_data  (row),
    .level     (row_level)
  );

  `TPU_ASSERT(a_room_for_every_address, row_ready || !in_row_valid)
  `TPU_ASSERT(a_address_before_data, row_valid || !valid_q)
  `TPU_ASSERT(a_row_after_the_lines_before, !starts || !valid_q || ends)

  wire unused = &{1'b0, row_ready, row_level};

endmodule

`default_nettype wire
