// Source A of the vector unit: walks the loop nest and issues one step per cycle into the lanes, which never stall.
//
// A step is a tap, or a column of three pixels or weights (docs/architecture.md section 6): source A reads the upper one, streams 1 and
// 2 the others. It is issued when its read is granted in this cycle (or it lies outside the image), the other streams' rows are at
// hand. Addresses are checked before use, in the order A, B, parameters, output; the first one out of range stops the unit with an error.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_issue #(
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
  input  wire                          cmd_seen,
  output wire                          cmd_take,
  input  wire                          halt,
  // No tap and no read any more: halt or error
  output wire                          stop,
  // An instruction is being issued, or rows are in flight
  output wire                          busy,

  // Configuration banks: bank `tag` is written with cmd at `cmd_take`
  input  wire [1:0]                    bank_busy,
  output wire                          take_tag,

  // Source B or stream 1, and stream 2: a row is at hand; the next one is asked for urgently, in this bank; it is out of range
  input  wire                          b_have,
  input  wire                          b_hungry,
  input  wire [1:0]                    b_bank,
  input  wire                          b_fault,
  output wire                          b_claim,
  input  wire                          c_have,
  input  wire                          c_hungry,
  input  wire [1:0]                    c_bank,
  input  wire                          c_fault,
  output wire                          c_claim,

  // Memory reads
  output wire                          va_rd_valid,
  input  wire                          va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    va_rd_row,
  output wire                          acc_rd_valid,
  input  wire                          acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0]   acc_rd_row,

  // Column issued in this cycle: of weights, upper pixel or weight read
  output wire                          column,
  output wire                          column_weight,
  output wire                          column_present,
  // Tap issued in this cycle, or a column that completes a window: then it is the window's first and last
  output wire                          tap,
  output wire                          tap_window,
  output wire                          tap_inside,
  output wire                          tap_uses_b,
  output wire                          tap_first,
  output wire                          tap_last,
  output wire                          tap_final,
  output wire                          tap_tag,
  output wire [$clog2(PARAM_ROWS)-1:0] tap_param,
  output wire [$clog2(UB_ROWS)-1:0]    tap_out_row,

  output wire                          err_valid,
  output wire [3:0]                    err_code,
  output wire [31:0]                   err_index,

  // Why this cycle passed, at most one
  output wire                          ev_active,
  output wire                          ev_stall_port,
  output wire                          ev_stall_operand,
  output wire                          ev_stall_output
);

  localparam UW = $clog2(UB_ROWS);
  localparam AW = $clog2(ACC_ROWS);
  localparam PW = $clog2(PARAM_ROWS);

  function [19:0] extend(input [15:0] value);
    extend = {{4{value[15]}}, value};
  endfunction

  reg         active_q;
  reg         tag_q;
  reg         acc_q;
  reg         uses_b_q;
  reg         columns_q;
  reg         pair_q;
  // Columns before the one that completes the next window.
  reg  [1:0]  ahead_q;
  reg  [31:0] index_q;
  // Of each loop 20 bits.
  reg  [59:0] out_strides_q;
  reg  [15:0] param_stride_q;
  reg  [19:0] param_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;

  wire [19:0] row;
  wire [19:0] out_row;
  wire [2:0]  level;
  wire        inside;
  wire        weight;
  wire        tap_at_first;
  wire        tap_at_last;
  wire        last;
  wire        step;

  // ---- What the current step needs -------------------------------------------------------------
  wire window_last = columns_q ? ahead_q == 2'd0 && !weight : tap_at_last;

  wire wants    = active_q && !stop;
  wire a_bad    = inside && (acc_q ? |row[19:AW] : |row[19:UW]);
  // A column takes a row from each stream, be it inside the image or not.
  wire lacks_b  = (columns_q || (inside && uses_b_q)) && !b_have && !a_bad;
  wire lacks_c  = columns_q && !c_have && !a_bad;
  wire lacks    = lacks_b || lacks_c;
  // No stream is ever behind source A, so a fault at this step is known by now.
  wire b_bad    = (lacks_b && b_fault) || (lacks_c && c_fault);
  wire p_bad    = window_last && |param_q[19:PW];
  wire o_bad    = window_last && |out_row[19:UW];
  wire bad      = a_bad || b_bad || p_bad || o_bad;
  wire ready    = wants && !bad && !lacks;
  // Source A goes before the other streams in the buffer. Where it would starve one in its own bank it waits once: as all streams step
  // from bank to bank together, they then stay out of each other's way.
  wire yields   = columns_q && ((b_hungry && b_bank == row[1:0]) || (c_hungry && c_bank == row[1:0]));
  wire requests = ready && inside && !yields;
  wire granted  = acc_q ? acc_rd_ready : va_rd_ready;

  assign step         = inside ? requests && granted : ready;
  assign va_rd_valid  = requests && !acc_q;
  assign acc_rd_valid = requests && acc_q;
  assign va_rd_row    = row[UW-1:0];
  assign acc_rd_row   = row[AW-1:0];
  assign b_claim      = step && (columns_q || (inside && uses_b_q));
  assign c_claim      = step && columns_q;

  assign column         = step && columns_q;
  assign column_weight  = weight;
  assign column_present = inside;

  assign tap         = step && (!columns_q || window_last);
  assign tap_window  = columns_q;
  assign tap_inside  = columns_q || inside;
  assign tap_uses_b  = uses_b_q && !columns_q;
  assign tap_first   = columns_q || tap_at_first;
  assign tap_last    = window_last;
  assign tap_final   = last;
  assign tap_tag     = tag_q;
  assign tap_param   = param_q[PW-1:0];
  assign tap_out_row = out_row[UW-1:0];

  // ---- Next instruction ------------------------------------------------------------------------
  wire can_take = cmd_valid && cmd_seen && !stop && (!active_q || (step && last));

  assign take_tag = !tag_q;
  assign cmd_take = can_take && !bank_busy[take_tag];
  assign stop     = halt || err_valid_q;
  assign busy     = active_q;

  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;
  assign err_index = index_q;

  assign ev_active        = step;
  assign ev_stall_port    = ready && !step;
  assign ev_stall_operand = wants && lacks && !b_bad;
  assign ev_stall_output  = !active_q && can_take && !cmd_take;

  always @(posedge clk) begin
    if (cmd_take) begin
      acc_q          <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      uses_b_q       <= cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
      columns_q      <= cmd_columns;
      pair_q         <= cmd_pair;
      index_q        <= cmd_index;
      out_strides_q  <= {extend(cmd[`TPU_VECTOR_O_CB]), extend(cmd[`TPU_VECTOR_O_OH]), extend(cmd[`TPU_VECTOR_O_OW])};
      param_stride_q <= cmd[`TPU_VECTOR_PARAM_STRIDE];
    end
    if (cmd_take || (step && window_last && level == 3'd4)) begin
      param_q <= cmd_take ? {4'd0, cmd[`TPU_VECTOR_PARAM_ROW]} : param_q + {4'd0, param_stride_q};
    end
    // A row of windows begins with two columns that complete none.
    if (cmd_take || (step && (level != 3'd2 || !weight))) begin
      ahead_q <= cmd_take || level != 3'd2 ? 2'd2 : ahead_q != 2'd0 ? ahead_q - 2'd1 : {1'b0, pair_q};
    end
  end

  always @(posedge clk) begin
    if (cmd_take) begin
      active_q <= 1'b1;
      tag_q    <= take_tag;
    end else if (step && last) begin
      active_q <= 1'b0;
    end
    if (wants && bad) begin
      err_valid_q <= 1'b1;
      err_code_q  <= a_bad ? (acc_q ? `TPU_ERR_ACC_RANGE : `TPU_ERR_UB_RANGE)
                   : b_bad ? `TPU_ERR_UB_RANGE
                   : p_bad ? `TPU_ERR_PARAM_RANGE : `TPU_ERR_UB_RANGE;
    end
    if (rst) begin
      active_q    <= 1'b0;
      tag_q       <= 1'b0;
      err_valid_q <= 1'b0;
      err_code_q  <= `TPU_ERR_NONE;
    end
  end

  tpu_vector_walk #(
    .STREAM (0)
  ) u_walk (
    .clk          (clk),
    .load         (cmd_take),
    .cmd          (cmd),
    .columns      (cmd_columns),
    .pair         (cmd_pair),
    .active       (active_q),
    .step         (step),
    .row          (row),
    .inside       (inside),
    .weight       (weight),
    .window_first (tap_at_first),
    .window_last  (tap_at_last),
    .last         (last),
    .level        (level)
  );

  // Output row: the loops ow, oh, cb are levels 2 to 4 of the nest, and 0 to 2 here.
  tpu_loop_address #(
    .LEVELS (3),
    .WIDTH  (20)
  ) u_out_row (
    .clk     (clk),
    .load    (cmd_take),
    .base    ({4'd0, cmd[`TPU_VECTOR_O_ROW]}),
    .strides (out_strides_q),
    .step    (step && window_last),
    .level   ({level[2], level[0]}),
    .addr    (out_row)
  );

  wire unused = &{1'b0, cmd};

endmodule

`default_nettype wire
