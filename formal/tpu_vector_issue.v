// tpu_vector_issue: each step is issued once and whole, or not at all; it claims what the streams have, and reads what is in range.
//
// The steps, the streams and the ports' grants are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_vector_issue #(
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter REQUANT_LANES = 4
) (
  input wire                       clk,
  input wire                       halt,
  input wire                       step_valid,
  input wire [`TPU_TOKEN_BITS-1:0] step_token,
  input wire                       step_acc,
  input wire [15:0]                step_row,
  input wire                       step_bad_row,
  input wire                       step_bad_param,
  input wire                       step_bad_out_row,
  input wire                       lacks_bank,
  input wire                       b_have,
  input wire                       b_hungry,
  input wire [1:0]                 b_bank,
  input wire                       b_fault,
  input wire                       c_have,
  input wire                       c_hungry,
  input wire [1:0]                 c_bank,
  input wire                       c_fault,
  input wire                       va_rd_ready,
  input wire                       acc_rd_ready
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                        stop;
  wire                        step_ready;
  wire                        b_claim;
  wire                        c_claim;
  wire                        va_rd_valid;
  wire [$clog2(UB_ROWS)-1:0]  va_rd_row;
  wire                        acc_rd_valid;
  wire [$clog2(ACC_ROWS)-1:0] acc_rd_row;
  wire [`TPU_TOKEN_BITS-1:0]  token;
  wire                        err_valid;
  wire [3:0]                  err_code;
  wire                        ev_active;
  wire                        ev_stall_port;
  wire                        ev_stall_operand;
  wire                        ev_stall_output;

  tpu_vector_issue #(
    .UB_ROWS       (UB_ROWS),
    .ACC_ROWS      (ACC_ROWS),
    .REQUANT_LANES (REQUANT_LANES)
  ) dut (
    .clk              (clk),
    .rst              (rst),
    .halt             (halt),
    .stop             (stop),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (step_bad_out_row),
    .lacks_bank       (lacks_bank),
    .b_have           (b_have),
    .b_hungry         (b_hungry),
    .b_bank           (b_bank),
    .b_fault          (b_fault),
    .b_claim          (b_claim),
    .c_have           (c_have),
    .c_hungry         (c_hungry),
    .c_bank           (c_bank),
    .c_fault          (c_fault),
    .c_claim          (c_claim),
    .va_rd_valid      (va_rd_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (va_rd_row),
    .acc_rd_valid     (acc_rd_valid),
    .acc_rd_ready     (acc_rd_ready),
    .acc_rd_row       (acc_rd_row),
    .token            (token),
    .err_valid        (err_valid),
    .err_code         (err_code),
    .ev_active        (ev_active),
    .ev_stall_port    (ev_stall_port),
    .ev_stall_operand (ev_stall_operand),
    .ev_stall_output  (ev_stall_output)
  );

  // ---- Reference -------------------------------------------------------------------------------
  wire column  = step_token[`TPU_TOKEN_COLUMN];
  wire reads   = step_token[`TPU_TOKEN_UPPER];
  wire last    = step_token[`TPU_TOKEN_LAST];
  wire takes_b = column || (reads && step_token[`TPU_TOKEN_USES_B]);
  wire bad_a   = step_bad_row || step_bad_param || step_bad_out_row;
  wire bad_b   = (takes_b && !b_have && b_fault) || (column && !c_have && c_fault);
  wire granted = (va_rd_valid && va_rd_ready) || (acc_rd_valid && acc_rd_ready);
  wire starves = column && ((b_hungry && b_bank == step_row[1:0]) || (c_hungry && c_bank == step_row[1:0]));

  // The halt takes a cycle.
  reg       halted_q;
  // Cycles since a window ended, at most REQUANT_LANES.
  reg [6:0] since_q;
  // An error was there, and its code.
  reg       failed_q;
  reg [3:0] code_q;

  always @(posedge clk) begin
    since_q  <= rst ? REQUANT_LANES : step_ready && last ? 7'd1 : since_q < REQUANT_LANES ? since_q + 7'd1 : since_q;
    halted_q <= !rst && halt;
    failed_q <= !rst && (failed_q || (step_valid && !halted_q && (bad_a || bad_b)));
    if (rst) begin
      code_q <= `TPU_ERR_NONE;
    end else if (!failed_q && step_valid && !halted_q) begin
      code_q <= step_bad_row     ? (step_acc ? `TPU_ERR_ACC_RANGE : `TPU_ERR_UB_RANGE)
              : bad_b            ? `TPU_ERR_UB_RANGE
              : step_bad_param   ? `TPU_ERR_PARAM_RANGE
              : step_bad_out_row ? `TPU_ERR_UB_RANGE : code_q;
    end
  end

  // ---- Claims ----------------------------------------------------------------------------------
  always @* begin
    if (!rst) begin
      // A step is issued as a whole: its token, its read and its claims in one cycle, or none of them.
      a_token:            assert (!step_ready || token == step_token);
      a_no_token:         assert (step_ready || !(token[`TPU_TOKEN_TAP] || token[`TPU_TOKEN_COLUMN] || token[`TPU_TOKEN_LAST]
                                                  || token[`TPU_TOKEN_FINAL]));
      a_read_with_step:   assert (granted == (step_ready && reads));
      a_claim_b:          assert (b_claim == (step_ready && takes_b));
      a_claim_c:          assert (c_claim == (step_ready && column));
      // Only what is there, in range, and after everything before was.
      a_step_is_there:    assert (!step_ready || step_valid);
      a_claims_what_b_has: assert (!b_claim || b_have);
      a_claims_what_c_has: assert (!c_claim || c_have);
      a_in_range:         assert (!(step_ready || va_rd_valid || acc_rd_valid) || !(bad_a || bad_b));
      a_stopped:          assert (!(step_ready || va_rd_valid || acc_rd_valid) || !(halted_q || failed_q));
      a_one_memory:       assert (!va_rd_valid || !acc_rd_valid);
      a_its_memory:       assert (!(va_rd_valid || acc_rd_valid) || acc_rd_valid == step_acc);
      a_row:              assert (va_rd_row == step_row[$clog2(UB_ROWS)-1:0] && acc_rd_row == step_row[$clog2(ACC_ROWS)-1:0]);
      a_starves_nobody:   assert (!(va_rd_valid || acc_rd_valid) || !starves);
      a_windows_apart:    assert (!(step_ready && last) || since_q >= REQUANT_LANES);
      // Nothing but these reasons holds a step back.
      a_no_other_reason:  assert (step_ready || !step_valid || halted_q || failed_q || bad_a || (takes_b && !b_have) || (column && !c_have)
                                  || (last && since_q < REQUANT_LANES) || (reads && (starves || !granted)));
      a_asks:             assert (va_rd_valid || acc_rd_valid || !reads || !step_valid || halted_q || failed_q || bad_a || (takes_b && !b_have)
                                  || (column && !c_have) || (last && since_q < REQUANT_LANES) || starves);
      // Events: at most one; a step in each active cycle.
      a_active:           assert (ev_active == step_ready);
      a_one_event:        assert ({2'd0, ev_active} + {2'd0, ev_stall_port} + {2'd0, ev_stall_operand} + {2'd0, ev_stall_output} <= 3'd1);
      // The first error stays.
      a_error:            assert (err_valid == failed_q && err_code == code_q && stop == (halted_q || failed_q));
    end
  end

endmodule

`default_nettype wire
