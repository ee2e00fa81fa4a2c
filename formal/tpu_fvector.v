// tpu_fvector: a row takes the parameter entry of its step, or, as the second one of two rows of an FVECTOR that asks for that, the next entry, which
// must exist; rows of an ADAM never do.
//
// What is below is the solver's, and so are the steps.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_fvector (
  input wire                         clk,
  input wire                         take,
  input wire                         take_bank,
  input wire [`TPU_FVECTOR_USED-1:0] cmd,
  input wire [`TPU_TOKEN_BITS-1:0]   step_token,
  input wire                         step_bad_param,
  input wire [1:0]                   step_param
);

  tpu_fvector #(
    .LANES      (4),
    .UB_ROWS    (16),
    .ACC_ROWS   (4),
    .PARAM_ROWS (4)
  ) dut (
    .clk              (clk),
    .rst              (1'b0),
    .halt             (1'b0),
    .stop             (),
    .take             (take),
    .take_bank        (take_bank),
    .cmd              (cmd),
    .bank_busy        (),
    .step_valid       (1'b1),
    .step_ready       (),
    .step_token       (step_token),
    .step_acc         (1'b0),
    .step_row         (16'd0),
    .step_bad_row     (1'b0),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (1'b0),
    .step_param       (step_param),
    .step_out_row     (4'd0),
    .va_rd_valid      (),
    .va_rd_ready      (1'b0),
    .va_rd_row        (),
    .va_rd_data       (32'd0),
    .acc_rd_valid     (),
    .acc_rd_ready     (1'b0),
    .acc_rd_data      (128'd0),
    .b_have           (1'b0),
    .b_fault          (1'b0),
    .b_claim          (),
    .b_pop            (),
    .b_row            (32'd0),
    .param_en         (),
    .param_entry      (),
    .biases           (128'd0),
    .multipliers      (128'd0),
    .wr_valid         (),
    .wr_row           (),
    .wr_data          (),
    .rows_on_way      (),
    .done             (),
    .err_valid        (),
    .err_code         (),
    .ev_active        (),
    .ev_stall_port    (),
    .ev_stall_operand (),
    .ev_stall_output  ()
  );

  (* hierconn *) wire       \dut.u_issue.second ;
  (* hierconn *) wire       \dut.u_issue.step_bad_param ;
  (* hierconn *) wire [1:0] \dut.u_lanes.tap_param ;
  // There is room for each row of an ADAM.
  (* hierconn *) wire       \dut.u_kept_rows.in_ready ;
  (* hierconn *) wire       \dut.u_kept_rows.out_valid ;
  (* hierconn *) wire       \dut.u_weight_rows.in_ready ;
  (* hierconn *) wire       \dut.u_weight_rows.out_valid ;

  always @* begin
    assume (\dut.u_kept_rows.in_ready && \dut.u_kept_rows.out_valid && \dut.u_weight_rows.in_ready && \dut.u_weight_rows.out_valid );
  end

  // Bit i: of bank i. An instruction was started; it asks for the next entry.
  reg  [1:0] given_q = 2'd0;
  reg  [1:0] asks_q;
  wire       bank    = step_token[`TPU_TOKEN_BANK];
  wire       is_adam = cmd[`TPU_OPCODE] == `TPU_OP_ADAM;
  wire       next    = \dut.u_issue.second && asks_q[bank];
  wire [2:0] entry   = {1'b0, step_param} + {2'd0, next};

  always @(posedge clk) begin
    if (take) begin
      given_q[take_bank] <= 1'b1;
      asks_q[take_bank]  <= !is_adam && cmd[`TPU_FVECTOR_INTERLEAVE] == `TPU_FLOAT_INTERLEAVE_NEXT;
    end
  end

  always @* begin
    assume (!take || is_adam || cmd[`TPU_OPCODE] == `TPU_OP_FVECTOR);
    if (given_q[bank]) begin
      assert (\dut.u_lanes.tap_param == entry[1:0]);
      assert (\dut.u_issue.step_bad_param == (step_bad_param || entry > 3'd3));
    end
  end

endmodule

`default_nettype wire
