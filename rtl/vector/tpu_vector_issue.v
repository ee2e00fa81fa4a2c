// Issue of the vector unit: sends one step of source A per cycle into the lanes, which never stall.
//
// A step is issued when its read is granted in this cycle (or it reads nothing), the other streams' rows are at hand, and the lanes take
// an output row again. Addresses are checked before use, in the order A, B, parameters, output; the first one out of range stops the unit
// with an error.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector_issue #(
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Accumulator rows
  parameter ACC_ROWS = 2048,
  // Vector lanes that share a requantiser: windows end at least so many cycles apart
  parameter REQUANT_LANES = 1
) (
  input  wire                         clk,
  input  wire                         rst,

  input  wire                         halt,
  // No step and no read any more: halt or error
  output wire                         stop,

  // Current step of source A (tpu_vector_source); `lacks_bank`: the next instruction waits for a configuration bank
  input  wire                         step_valid,
  output wire                         step_ready,
  input  wire [`TPU_TOKEN_BITS-1:0]   step_token,
  input  wire                         step_acc,
  input  wire [15:0]                  step_row,
  input  wire                         step_bad_row,
  input  wire                         step_bad_param,
  input  wire                         step_bad_out_row,
  input  wire                         lacks_bank,

  // Source B or stream 1, and stream 2: a row is at hand; the next one is asked for urgently, in this bank; it is out of range
  input  wire                         b_have,
  input  wire                         b_hungry,
  input  wire [1:0]                   b_bank,
  input  wire                         b_fault,
  output wire                         b_claim,
  input  wire                         c_have,
  input  wire                         c_hungry,
  input  wire [1:0]                   c_bank,
  input  wire                         c_fault,
  output wire                         c_claim,

  // Memory reads
  output wire                         va_rd_valid,
  input  wire                         va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]   va_rd_row,
  output wire                         acc_rd_valid,
  input  wire                         acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0]  acc_rd_row,

  // Token of the step that is issued in this cycle, to the lanes
  output wire [`TPU_TOKEN_BITS-1:0]   token,

  output wire                         err_valid,
  output wire [3:0]                   err_code,

  // Why this cycle passed, at most one
  output wire                         ev_active,
  output wire                         ev_stall_port,
  output wire                         ev_stall_operand,
  output wire                         ev_stall_output
);

  localparam UW = $clog2(UB_ROWS);
  localparam AW = $clog2(ACC_ROWS);
  // Bits of the token that stand only while the step is issued; the others mean nothing without them.
  localparam [`TPU_TOKEN_BITS-1:0] WITH_STEP =
    1 << `TPU_TOKEN_TAP | 1 << `TPU_TOKEN_COLUMN | 1 << `TPU_TOKEN_LAST | 1 << `TPU_TOKEN_FINAL;

  // Halted or failed; a halt takes a cycle, so that its wire across the chip ends in a register.
  reg         stop_q;
  reg         err_valid_q;
  reg  [3:0]  err_code_q;

  wire        column = step_token[`TPU_TOKEN_COLUMN];
  wire        reads  = step_token[`TPU_TOKEN_UPPER];
  wire        rests;
  wire        step;

  // ---- What the current step needs -------------------------------------------------------------
  wire wants    = step_valid && !stop_q;
  // A column takes a row from each stream, be it inside the image or not.
  wire takes_b  = column || (reads && step_token[`TPU_TOKEN_USES_B]);
  wire takes_c  = column;
  wire lacks_b  = takes_b && !b_have;
  wire lacks_c  = takes_c && !c_have;
  wire lacks    = lacks_b || lacks_c;
  // No stream is ever behind source A, so a fault at this step is known by now.
  wire bad_b    = (lacks_b && b_fault) || (lacks_c && c_fault);
  wire bad_a    = step_bad_row || step_bad_param || step_bad_out_row;
  wire ready    = wants && !bad_a && !lacks && !rests;
  // Source A goes before the other streams in the buffer. Where it would starve one in its own bank it waits once: as all streams step
  // from bank to bank together, they then stay out of each other's way.
  wire yields   = column && ((b_hungry && b_bank == step_row[1:0]) || (c_hungry && c_bank == step_row[1:0]));
  wire requests = ready && reads && !yields;
  wire granted  = step_acc ? acc_rd_ready : va_rd_ready;

  assign step         = reads ? requests && granted : ready;
  assign step_ready   = step;
  assign va_rd_valid  = requests && !step_acc;
  assign acc_rd_valid = requests && step_acc;
  assign va_rd_row    = step_row[UW-1:0];
  assign acc_rd_row   = step_row[AW-1:0];
  assign b_claim      = step && takes_b;
  assign c_claim      = step && takes_c;

  assign token = step_token & ~({`TPU_TOKEN_BITS{!step}} & WITH_STEP);

  // ---- Distance of output rows -------------------------------------------------------------------
  localparam REST = REQUANT_LANES - 1;

  // Cycles for which no window may end; whether there are any, as the reads of this cycle hang on that.
  reg  [5:0] rest_q;
  reg        rests_q;
  wire [5:0] rest_next = step && step_token[`TPU_TOKEN_LAST] ? REST[5:0] : rests_q ? rest_q - 6'd1 : 6'd0;

  assign rests = step_token[`TPU_TOKEN_LAST] && rests_q;

  always @(posedge clk) begin
    rest_q  <= rest_next;
    rests_q <= rest_next != 6'd0;
    if (rst) begin
      rests_q <= 1'b0;
    end
  end

  // ---- Errors and events -------------------------------------------------------------------------
  assign stop      = stop_q;
  assign err_valid = err_valid_q;
  assign err_code  = err_code_q;

  wire error = wants && (bad_a || bad_b);

  assign ev_active        = step;
  assign ev_stall_port    = ready && !step;
  assign ev_stall_operand = wants && lacks && !bad_a && !bad_b;
  assign ev_stall_output  = (wants && rests && !lacks && !bad_a) || (!step_valid && !stop_q && lacks_bank);

  always @(posedge clk) begin
    stop_q <= halt || error || err_valid_q;
    if (error) begin
      err_valid_q <= 1'b1;
      err_code_q  <= step_bad_row               ? (step_acc ? `TPU_ERR_ACC_RANGE : `TPU_ERR_UB_RANGE)
                   : !bad_b && step_bad_param   ? `TPU_ERR_PARAM_RANGE
                                                : `TPU_ERR_UB_RANGE;
    end
    if (rst) begin
      stop_q      <= 1'b0;
      err_valid_q <= 1'b0;
      err_code_q  <= `TPU_ERR_NONE;
    end
  end

  wire unused = &{1'b0, step_row};

endmodule

`default_nettype wire
