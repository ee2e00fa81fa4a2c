// tpu_ivector_issue: a tap goes into the lanes in the cycle in which it is offered, unless a window ended less than a row's turns and lines before;
// so it does right after a reset, too.
//
// Taps lie outside the image, so that none waits for its lines, which tpu_line_issue reads.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_ivector_issue #(
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter INT16_LANES = 4
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire                         take_bank,
  input wire [`TPU_IVECTOR_USED-1:0] cmd,
  input wire                         step_valid,
  input wire [`TPU_TOKEN_BITS-1:0]   step_token
);

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  wire tap;
  wire tap_last;
  wire step_ready;
  wire ev_stall_output;

  tpu_ivector_issue #(
    .UB_ROWS     (UB_ROWS),
    .ACC_ROWS    (ACC_ROWS),
    .INT16_LANES (INT16_LANES)
  ) dut (
    .clk              (clk),
    .rst              (rst),
    .halt             (1'b0),
    .stop             (),
    .take             (take),
    .take_bank        (take_bank),
    .cmd              (cmd),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_acc         (1'b0),
    .step_row         (16'd0),
    .step_bad_row     (1'b0),
    .step_bad_param   (1'b0),
    .step_bad_out_row (1'b0),
    .step_out_row     ({$clog2(UB_ROWS){1'b0}}),
    .b_have           (1'b0),
    .b_fault          (1'b0),
    .b_claim          (),
    .va_rd_valid      (),
    .va_rd_ready      (1'b0),
    .va_rd_row        (),
    .acc_rd_valid     (),
    .acc_rd_ready     (1'b0),
    .acc_rd_row       (),
    .a_line           (),
    .a_high           (),
    .b_line           (),
    .tap              (tap),
    .tap_last         (tap_last),
    .tap_cut          (),
    .err_valid        (),
    .err_code         (),
    .ev_active        (),
    .ev_stall_port    (),
    .ev_stall_operand (),
    .ev_stall_output  (ev_stall_output)
  );

  wire bank = step_token[`TPU_TOKEN_BANK];
  wire last = step_token[`TPU_TOKEN_LAST];

  // Lines of each bank's output; cycles for which no window may end
  reg  [2:0] lines_q [0:1];
  reg  [5:0] rest_q;
  wire       waits = last && rest_q != 6'd0;
  wire [5:0] apart = lines_q[bank] > INT16_LANES ? lines_q[bank] : INT16_LANES;

  always @(posedge clk) begin
    if (take) begin
      case (cmd[`TPU_IVECTOR_O_FORMAT])
        `TPU_INTEGER_FORMAT_INT8:  lines_q[take_bank] <= 3'd1;
        `TPU_INTEGER_FORMAT_INT32: lines_q[take_bank] <= 3'd4;
        default:                   lines_q[take_bank] <= 3'd2;
      endcase
    end
    rest_q <= step_ready && last ? apart - 6'd1 : rest_q != 6'd0 ? rest_q - 6'd1 : 6'd0;
    if (rst) rest_q <= 6'd0;
  end

  // The banks whose instructions were taken
  reg [1:0] taken_q;

  always @(posedge clk) begin
    if (take) taken_q[take_bank] <= 1'b1;
    if (rst) taken_q <= 2'd0;
  end

  always @* begin
    assume (!step_token[`TPU_TOKEN_INSIDE]);
    assume (!rst || !take);
    if (!rst) begin
      // An instruction takes its bank before its first step, and behind its last one.
      assume (!step_valid || taken_q[bank]);
      assert (tap == (step_valid && !waits));
      assert (step_ready == tap && tap_last == (tap && last));
      assert (ev_stall_output == (step_valid && waits));
    end
  end

endmodule

`default_nettype wire
