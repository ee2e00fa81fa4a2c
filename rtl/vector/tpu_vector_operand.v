// Stream 1 or 2 of the vector unit: its own walk of the loop nest, running ahead of source A into a small FIFO of rows.
//
// Tap by tap, stream 1 reads source B. Column by column, the streams read the middle and the lower row of the window, and of the
// weights; running ahead lets the three streams step aside when their rows lie in the same bank of the buffer.
//
// `have` says that a row has been granted and not yet claimed; source A claims one row per in-bounds tap, or per column wherever it
// lies (`present` then tells whether the row was read), in the cycle it issues the step, and pops the row three or more cycles later,
// when it is in the FIFO for certain. A row out of range is never requested: the walk stops there with `fault`, which concerns
// source A once it has claimed all rows before. Instructions that do not use the stream pass by.
//
// The walk works out each step ahead of time and puts it into a queue of two; the grant only takes the step from there.
//
// A row of FVECTOR or IVECTOR is up to four rows of the buffer, here called lines. They are requested, claimed and popped one by one, and the step
// stays in the queue until its last line is granted.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_number_lines.vh"

module tpu_vector_operand #(
  // 1 or 2
  parameter STREAM = 1,
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // 1: with FVECTOR, with IVECTOR
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input  wire                        clk,
  input  wire                        rst,

  // Next instruction, held until `cmd_take`: the cycle in which source A starts it. `cmd_seen`: this side needs it no longer
  input  wire                        cmd_valid,
  input  wire [`TPU_VECTOR_USED-1:0] cmd,
  input  wire                        cmd_columns,
  input  wire [15:0]                 cmd_n_column,
  input  wire                        cmd_take,
  output wire                        cmd_seen,
  // Nothing may be requested any more
  input  wire                        stop,

  // Source A's side
  output wire                        have,
  // No more than one row is at hand and the next lies in this bank. While another stream is hungry in the same bank, this one
  // waits, unless it is hungry itself
  output wire                        hungry,
  output wire [1:0]                  bank,
  input  wire                        other_hungry,
  input  wire [1:0]                  other_bank,
  output wire                        fault,
  input  wire                        claim,
  input  wire                        pop,
  output wire [8*ROW_BYTES-1:0]              data,
  output wire                        present,

  // Unified buffer, data three cycles after the grant
  output wire                        rd_valid,
  input  wire                        rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  rd_row,
  input  wire [8*ROW_BYTES-1:0]              rd_data
);

  // Rows held: five cover the way from grant to pop, the rest evens out bank conflicts.
  localparam DEPTH = 8;
  localparam UW    = $clog2(UB_ROWS);

  // ---- Walk ------------------------------------------------------------------------------------
  // The walk has a step to put into the queue.
  reg         walking_q;
  reg         columns_q;
  reg         seen_q;
  wire [19:0] walk_row;
  wire        walk_inside;
  wire        walk_last;
  wire        walk_in_range = walk_row[19:UW] == {(20-UW){1'b0}};
  wire        queue_ready;
  wire        is_float  = BF16 != 0 && (cmd[`TPU_OPCODE] == `TPU_OP_FVECTOR || cmd[`TPU_OPCODE] == `TPU_OP_ADAM);
  wire        is_int16  = INT16 != 0 && cmd[`TPU_OPCODE] == `TPU_OP_IVECTOR;
  wire        uses_b    = is_float ? cmd[`TPU_FVECTOR_MAP] != `TPU_FLOAT_MAP_COPY && cmd[`TPU_FVECTOR_OPERAND] == `TPU_FLOAT_OPERAND_UB
                        : is_int16 ? cmd[`TPU_IVECTOR_OPERAND] == `TPU_INTEGER_OPERAND_UB
                                     && (cmd[`TPU_IVECTOR_MAP] != `TPU_INTEGER_MAP_COPY || cmd[`TPU_IVECTOR_REQUANT] == `TPU_INTEGER_REQUANT_PRODUCT)
                                   : cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
  wire        uses      = cmd_columns || (STREAM == 1 && uses_b);
  wire        walk_step = walking_q && queue_ready;
  // The walk has ended, or ends in this cycle. It then takes each instruction that waits, also one that this stream does not start: fewer
  // signals decide about the hundreds of registers, and what is in them means nothing until `load`.
  wire        walk_free = !walking_q || (queue_ready && walk_last);
  wire        walk_load = cmd_valid && walk_free;
  wire        load      = walk_load && uses && !seen_q;

  assign cmd_seen = seen_q || !uses;

  always @(posedge clk) begin
    if (walk_load) begin
      columns_q <= cmd_columns;
    end
  end

  always @(posedge clk) begin
    if (load) begin
      walking_q <= 1'b1;
    end else if (walk_step && walk_last) begin
      walking_q <= 1'b0;
    end
    if (cmd_take) begin
      seen_q <= 1'b0;
    end else if (load) begin
      seen_q <= 1'b1;
    end
    if (rst) begin
      walking_q <= 1'b0;
      seen_q    <= 1'b0;
    end
  end

  wire       unused_weight;
  wire       unused_first;
  wire       unused_window;
  wire [2:0] unused_level;

  tpu_vector_walk #(
    .STREAM (STREAM)
  ) u_walk (
    .clk          (clk),
    .load         (walk_load),
    .cmd          (cmd),
    .columns      (cmd_columns),
    .n_column     (cmd_n_column),
    .step         (walk_step),
    .row          (walk_row),
    .inside       (walk_inside),
    .weight       (unused_weight),
    .window_first (unused_first),
    .window_last  (unused_window),
    .last         (walk_last),
    .level        (unused_level)
  );

  // ---- Current step ------------------------------------------------------------------------------
  wire          step_valid;
  wire          step_column;
  // The step's row is to be read; the row is out of range.
  wire          step_reads;
  wire          step_fault;
  wire [UW-1:0] step_row;
  wire          step;
  // The line that is to be read; it is the step's last one.
  wire [UW:0]   line_row;
  wire          line_last;
  wire          step_done = step && (line_last || !step_reads);
  wire          beyond    = line_row[UW];

  tpu_skid #(
    .WIDTH (UW + 3)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (walking_q),
    .in_ready  (queue_ready),
    .in_data   ({columns_q, walk_inside && walk_in_range, walk_inside && !walk_in_range, walk_row[UW-1:0]}),
    .out_valid (step_valid),
    .out_ready (step_done),
    .out_data  ({step_column, step_reads, step_fault, step_row})
  );

  generate
    if ((BF16 != 0 || INT16 != 0) && STREAM == 1) begin : g_lines
      // Lines of a row, less one; lines granted
      reg  [1:0] last_q;
      reg  [1:0] line_q;
      wire       ready;
      wire       valid;
      wire [1:0] last;

      assign line_row  = {1'b0, step_row} + {{(UW-1){1'b0}}, line_q};
      assign line_last = line_q == last;

      always @(posedge clk) begin
        if (walk_load) begin
          last_q <= is_float ? `TPU_LAST_LINE(cmd[`TPU_FVECTOR_B_FORMAT])
                  : is_int16 ? `TPU_LAST_INTEGER_LINE(cmd[`TPU_IVECTOR_B_FORMAT]) : 2'd0;
        end
      end

      always @(posedge clk) begin
        if (step) begin
          line_q <= step_done ? 2'd0 : line_q + 2'd1;
        end
        if (rst) begin
          line_q <= 2'd0;
        end
      end

      tpu_skid #(
        .WIDTH (2)
      ) u_last (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (walking_q),
        .in_ready  (ready),
        .in_data   (last_q),
        .out_valid (valid),
        .out_ready (step_done),
        .out_data  (last)
      );

      wire unused = &{1'b0, ready, valid};
    end else begin : g_no_lines
      assign line_row  = {1'b0, step_row};
      assign line_last = 1'b1;
    end
  endgenerate

  // ---- Reads -----------------------------------------------------------------------------------
  // Rows on their way: pushed three cycles after they were taken, be it by a grant or without reading.
  reg  [2:0] taken_q;
  reg  [2:0] granted_q;
  // Rows taken and not popped, rows taken and not claimed.
  reg  [3:0] held_q;
  reg  [3:0] free_q;

  wire moves  = step_valid && !stop;
  wire room   = held_q != DEPTH[3:0];
  wire reads  = moves && step_reads && room && !beyond;
  wire passes = moves && !step_reads && !step_fault;
  wire grant  = rd_valid && rd_ready;
  // A tap outside of the image takes no place, a column does.
  wire taken  = grant || (passes && step_column && room);

  assign step     = taken || (passes && !step_column);
  assign have     = free_q != 4'd0;
  assign hungry   = reads && free_q[3:1] == 3'd0;
  assign bank     = line_row[1:0];
  assign fault    = step_valid && (step_fault || beyond);
  assign rd_valid = reads && (hungry || !other_hungry || other_bank != bank);
  assign rd_row   = line_row[UW-1:0];

  always @(posedge clk) begin
    granted_q <= {granted_q[1:0], grant};
  end

  always @(posedge clk) begin
    taken_q <= {taken_q[1:0], taken};
    held_q  <= held_q + {3'd0, taken} - {3'd0, pop};
    free_q  <= free_q + {3'd0, taken} - {3'd0, claim};
    if (rst) begin
      taken_q  <= 3'd0;
      held_q   <= 4'd0;
      free_q   <= 4'd0;
    end
  end

  wire       fifo_ready;
  wire       fifo_valid;
  wire [3:0] fifo_level;

  tpu_fifo #(
    .WIDTH (8 * ROW_BYTES + 1),
    .DEPTH (DEPTH)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (taken_q[2]),
    .in_ready  (fifo_ready),
    .in_data   ({granted_q[2], rd_data}),
    .out_valid (fifo_valid),
    .out_ready (pop),
    .out_data  ({present, data}),
    .level     (fifo_level)
  );

  `TPU_ASSERT(a_row_is_there_when_popped, fifo_valid || !pop)
  `TPU_ASSERT(a_room_for_every_row, fifo_ready || !taken_q[2])
  `TPU_ASSERT(a_claims_only_what_it_has, have || !claim)

  wire unused = &{1'b0, cmd, fifo_level, fifo_ready, fifo_valid, unused_weight, unused_first, unused_window, unused_level};

endmodule

`default_nettype wire
