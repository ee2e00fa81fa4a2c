// Source A of the vector unit: walks the loop nest of an instruction and works out, ahead of time, all that a step needs.
//
// A step is a tap, or a column of three pixels or weights (docs/architecture.md section 6). The current step stands at `step_*`, in the
// head of a queue of two, until `step_ready`; so the grant of its read decides about that queue only, and not about the walk.
//
// The walk starts an instruction (`cmd_take`) when it has put the last step of the instruction before into the queue, the other streams
// have started the instruction, and a configuration bank is free. The first step stands at `step_*` two cycles later.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector_source #(
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Parameter entries
  parameter PARAM_ROWS = 512
) (
  input  wire                          clk,
  input  wire                          rst,

  // Next instruction, held until `cmd_take`. `cmd_seen`: the other streams need it no longer
  input  wire                          cmd_valid,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  input  wire [31:0]                   cmd_index,
  input  wire                          cmd_columns,
  input  wire                          cmd_pair,
  input  wire [15:0]                   cmd_n_column,
  input  wire                          cmd_seen,
  output wire                          cmd_take,

  // Configuration banks: `take_bank` is written with cmd at `cmd_take`
  input  wire [1:0]                    bank_busy,
  output wire                          take_bank,
  // Nothing but a configuration bank is missing to start the next instruction
  output wire                          lacks_bank,
  // Steps are still to be worked out
  output wire                          busy,

  // Current step: its token, the instruction's index, accumulators instead of the unified buffer, row
  output wire                          step_valid,
  input  wire                          step_ready,
  output wire [`TPU_TOKEN_BITS-1:0]    step_token,
  output wire [31:0]                   step_index,
  output wire                          step_acc,
  output wire [15:0]                   step_row,
  // Out of range: the row, and of a window's last step the parameter entry and the output row
  output wire                          step_bad_row,
  output wire                          step_bad_param,
  output wire                          step_bad_out_row,
  output wire [$clog2(PARAM_ROWS)-1:0] step_param,
  output wire [$clog2(UB_ROWS)-1:0]    step_out_row
);

  localparam UW = $clog2(UB_ROWS);
  localparam AW = $clog2(ACC_ROWS);
  localparam PW = $clog2(PARAM_ROWS);
  // Columns: the loops of pixels in a row and of channel blocks.
  localparam [2:0] LEVEL_OW = 3'd2;
  localparam [2:0] LEVEL_OH = 3'd3;
  localparam [2:0] LEVEL_CB = 3'd4;

  function [19:0] extend(input [15:0] value);
    extend = {{4{value[15]}}, value};
  endfunction

  // ---- Instructions ------------------------------------------------------------------------------
  // The walk has a step to put into the queue.
  reg         walking_q;
  reg         bank_q;
  reg         acc_q;
  reg         uses_b_q;
  reg         columns_q;
  reg         pair_q;
  reg  [31:0] index_q [0:1];
  wire        queue_ready;
  wire        walk_last;
  wire        walk_step = walking_q && queue_ready;
  // The walk has ended, or ends in this cycle. It then takes each instruction that waits, and takes it again until `cmd_take`: fewer signals
  // decide about the hundreds of registers, and what is in them means nothing until then.
  wire        walk_free = !walking_q || (queue_ready && walk_last);
  wire        walk_load = cmd_valid && walk_free;
  wire        can_take  = walk_load && cmd_seen;

  assign take_bank  = !bank_q;
  assign cmd_take   = can_take && !bank_busy[take_bank];
  assign lacks_bank = can_take && bank_busy[take_bank];
  assign busy       = walking_q;
  assign step_index = index_q[step_token[`TPU_TOKEN_BANK]];

  always @(posedge clk) begin
    if (walk_load) begin
      acc_q              <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      uses_b_q           <= cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
      columns_q          <= cmd_columns;
      pair_q             <= cmd_pair;
    end
    if (cmd_take) begin
      index_q[take_bank] <= cmd_index;
    end
  end

  always @(posedge clk) begin
    if (cmd_take) begin
      walking_q <= 1'b1;
      bank_q    <= take_bank;
    end else if (walk_step && walk_last) begin
      walking_q <= 1'b0;
    end
    if (rst) begin
      walking_q <= 1'b0;
      bank_q    <= 1'b0;
    end
  end

  // ---- Walk ------------------------------------------------------------------------------------
  wire [19:0] row;
  wire        inside;
  wire        weight;
  wire        first_tap;
  wire        last_tap;
  wire [2:0]  level;

  tpu_vector_walk #(
    .STREAM (0)
  ) u_walk (
    .clk          (clk),
    .load         (walk_load),
    .cmd          (cmd),
    .columns      (cmd_columns),
    .n_column     (cmd_n_column),
    .step         (walk_step),
    .row          (row),
    .inside       (inside),
    .weight       (weight),
    .window_first (first_tap),
    .window_last  (last_tap),
    .last         (walk_last),
    .level        (level)
  );

  // ---- Windows, their parameters and outputs -----------------------------------------------------
  // Columns before the one that completes the next window. A row of windows begins with two that complete none.
  reg  [1:0]  ahead_q;
  // Of each loop 20 bits.
  reg  [59:0] out_strides_q;
  reg  [19:0] param_q;
  reg  [15:0] param_stride_q;
  wire [19:0] out_row;
  wire [19:0] unused_out_row;
  wire        column_in_row = level == LEVEL_OW;
  wire        window_last   = columns_q ? ahead_q == 2'd0 && !weight : last_tap;
  wire        window_step   = walk_step && window_last;
  // After a window the loops ow, oh and cb advance.
  wire [1:0]  out_level     = level == LEVEL_CB ? 2'd2 : level == LEVEL_OH ? 2'd1 : 2'd0;

  always @(posedge clk) begin
    if (walk_load) begin
      out_strides_q  <= {extend(cmd[`TPU_VECTOR_O_CB]), extend(cmd[`TPU_VECTOR_O_OH]), extend(cmd[`TPU_VECTOR_O_OW])};
      param_stride_q <= cmd[`TPU_VECTOR_PARAM_STRIDE];
      param_q        <= {4'd0, cmd[`TPU_VECTOR_PARAM_ROW]};
    end else if (window_step && level == LEVEL_CB) begin
      param_q        <= param_q + {4'd0, param_stride_q};
    end
    if (walk_load || (walk_step && !weight && !column_in_row)) begin
      ahead_q <= 2'd2;
    end else if (walk_step && !weight) begin
      ahead_q <= ahead_q != 2'd0 ? ahead_q - 2'd1 : {1'b0, pair_q};
    end
  end

  tpu_loop_address #(
    .LEVELS (3),
    .WIDTH  (20)
  ) u_out_row (
    .clk       (clk),
    .load      (walk_load),
    .base      ({4'd0, cmd[`TPU_VECTOR_O_ROW]}),
    .strides   (out_strides_q),
    .step      (window_step),
    .level     (out_level),
    .addr      (out_row),
    .next_addr (unused_out_row)
  );

  // ---- Steps -----------------------------------------------------------------------------------
  wire [`TPU_TOKEN_BITS-1:0] token;
  wire bad_ub_row  = row[19:UW] != {(20-UW){1'b0}};
  wire bad_acc_row = row[19:AW] != {(20-AW){1'b0}};
  wire bad_row     = inside && (acc_q ? bad_acc_row : bad_ub_row);
  wire bad_param   = window_last && param_q[19:PW] != {(20-PW){1'b0}};
  wire bad_out_row = window_last && out_row[19:UW] != {(20-UW){1'b0}};

  assign token[`TPU_TOKEN_TAP]    = !columns_q || window_last;
  assign token[`TPU_TOKEN_COLUMN] = columns_q;
  assign token[`TPU_TOKEN_WEIGHT] = weight;
  assign token[`TPU_TOKEN_UPPER]  = inside;
  assign token[`TPU_TOKEN_WINDOW] = columns_q;
  assign token[`TPU_TOKEN_INSIDE] = columns_q || inside;
  assign token[`TPU_TOKEN_USES_B] = uses_b_q && !columns_q;
  assign token[`TPU_TOKEN_FIRST]  = columns_q || first_tap;
  assign token[`TPU_TOKEN_LAST]   = window_last;
  assign token[`TPU_TOKEN_FINAL]  = walk_last;
  assign token[`TPU_TOKEN_BANK]   = bank_q;

  tpu_skid #(
    .WIDTH (`TPU_TOKEN_BITS + 20 + PW + UW)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (walking_q),
    .in_ready  (queue_ready),
    .in_data   ({token, acc_q, bad_row, bad_param, bad_out_row, param_q[PW-1:0], out_row[UW-1:0], row[15:0]}),
    .out_valid (step_valid),
    .out_ready (step_ready),
    .out_data  ({step_token, step_acc, step_bad_row, step_bad_param, step_bad_out_row, step_param, step_out_row, step_row})
  );

  wire unused = &{1'b0, cmd, unused_out_row};

endmodule

`default_nettype wire
