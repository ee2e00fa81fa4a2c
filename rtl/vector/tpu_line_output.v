// Write-back of FVECTOR and IVECTOR: a row of numbers becomes lines of the unified buffer, written one per cycle from the cycle after the row on.
//
// A row's address enters with the row's last tap. Rows come as many cycles apart as they have lines, so that a line's register is free
// when the next row comes. Lines beyond the end of the buffer are not written: the error that they are was reported when the tap was issued.
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
  parameter DEPTH = 32
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

  reg                 valid_q;
  reg                 final_q;
  reg  [1:0]          line_q;
  reg  [1:0]          last_q;
  // The lines that are still to be written, the next one on the right
  reg  [32*LANES-1:0] lines_q;
  wire                ends = line_q == last_q;

  always @(posedge clk) begin
    if (in_valid) begin
      final_q <= in_final;
      last_q  <= in_last;
      lines_q <= in_last == 2'd0 ? {{24*LANES{1'b0}}, bytes}
               : in_last == 2'd1 ? {{16*LANES{1'b0}}, halves} : in_words;
    end else if (valid_q) begin
      lines_q <= lines_q >> 8 * LANES;
    end
  end

  always @(posedge clk) begin
    valid_q <= in_valid || (valid_q && !ends);
    line_q  <= in_valid ? 2'd0 : line_q + 2'd1;
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

  // ---- Addresses -------------------------------------------------------------------------------
  wire                   row_ready;
  wire                   row_valid;
  wire [UW-1:0]          row;
  wire [$clog2(DEPTH):0] row_level;
  wire [UW:0]            line_row = {1'b0, row} + {{(UW-1){1'b0}}, line_q};

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
    .out_ready (valid_q && ends),
    .out_data  (row),
    .level     (row_level)
  );

  `TPU_ASSERT(a_room_for_every_address, row_ready || !in_row_valid)
  `TPU_ASSERT(a_address_before_data, row_valid || !valid_q)
  `TPU_ASSERT(a_row_after_the_lines_before, !in_valid || !valid_q || ends)

  wire unused = &{1'b0, row_ready, row_level};

endmodule

`default_nettype wire
