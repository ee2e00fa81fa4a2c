// tpu_fvector: the second one of two interleaved rows takes the next parameter entry, if its instruction is an FVECTOR that asks for that, and one
// that does not exist is reported; no other row does so. Rows of ADAM are written where they belong: what is kept where it was read, weights in the
// output. All else goes from each part to the one that it is for.
//
// Issue, lanes, queues and write-back are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_fvector #(
  parameter LANES = 2,
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter PARAM_ROWS = 4
) (
  input wire                          clk,
  input wire                          halt,
  input wire                          take,
  input wire                          take_bank,
  input wire [`TPU_FVECTOR_USED-1:0]  cmd,
  input wire                          step_valid,
  input wire [`TPU_TOKEN_BITS-1:0]    step_token,
  input wire                          step_acc,
  input wire [15:0]                   step_row,
  input wire                          step_bad_row,
  input wire                          step_bad_param,
  input wire                          step_bad_out_row,
  input wire [$clog2(PARAM_ROWS)-1:0] step_param,
  input wire [$clog2(UB_ROWS)-1:0]    step_out_row,
  input wire                          va_rd_ready,
  input wire [8*LANES-1:0]            va_rd_data,
  input wire                          acc_rd_ready,
  input wire [32*LANES-1:0]           acc_rd_data,
  input wire                          b_have,
  input wire                          b_fault,
  input wire [8*LANES-1:0]            b_row,
  input wire [32*LANES-1:0]           biases,
  input wire [32*LANES-1:0]           multipliers
);

  localparam UW = $clog2(UB_ROWS);
  localparam PW = $clog2(PARAM_ROWS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                         stop;
  wire [1:0]                   bank_busy;
  wire                         step_ready;
  wire                         va_rd_valid;
  wire [UW-1:0]                va_rd_row;
  wire                         acc_rd_valid;
  wire                         b_claim;
  wire                         b_pop;
  wire                         param_en;
  wire [PW-1:0]                param_entry;
  wire                         wr_valid;
  wire [UW-1:0]                wr_row;
  wire [8*LANES-1:0]           wr_data;
  wire                         rows_on_way;
  wire                         done;
  wire                         err_valid;
  wire [3:0]                   err_code;
  wire                         ev_active;
  wire                         ev_stall_port;
  wire                         ev_stall_operand;
  wire                         ev_stall_output;

  tpu_fvector #(
    .LANES      (LANES),
    .UB_ROWS    (UB_ROWS),
    .ACC_ROWS   (ACC_ROWS),
    .PARAM_ROWS (PARAM_ROWS)
  ) dut (
    .clk              (clk),
    .rst              (rst),
    .halt             (halt),
    .stop             (stop),
    .take             (take),
    .take_bank        (take_bank),
    .cmd              (cmd),
    .bank_busy        (bank_busy),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (step_bad_out_row),
    .step_param       (step_param),
    .step_out_row     (step_out_row),
    .va_rd_valid      (va_rd_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (va_rd_row),
    .va_rd_data       (va_rd_data),
    .acc_rd_valid     (acc_rd_valid),
    .acc_rd_ready     (acc_rd_ready),
    .acc_rd_data      (acc_rd_data),
    .b_have           (b_have),
    .b_fault          (b_fault),
    .b_claim          (b_claim),
    .b_pop            (b_pop),
    .b_row            (b_row),
    .param_en         (param_en),
    .param_entry      (param_entry),
    .biases           (biases),
    .multipliers      (multipliers),
    .wr_valid         (wr_valid),
    .wr_row           (wr_row),
    .wr_data          (wr_data),
    .rows_on_way      (rows_on_way),
    .done             (done),
    .err_valid        (err_valid),
    .err_code         (err_code),
    .ev_active        (ev_active),
    .ev_stall_port    (ev_stall_port),
    .ev_stall_operand (ev_stall_operand),
    .ev_stall_output  (ev_stall_output)
  );

  (* hierconn *) wire                         \dut.u_issue.halt ;
  (* hierconn *) wire                         \dut.u_issue.stop ;
  (* hierconn *) wire                         \dut.u_issue.take ;
  (* hierconn *) wire                         \dut.u_issue.take_bank ;
  (* hierconn *) wire [`TPU_FVECTOR_USED-1:0] \dut.u_issue.cmd ;
  (* hierconn *) wire                         \dut.u_issue.step_valid ;
  (* hierconn *) wire                         \dut.u_issue.step_ready ;
  (* hierconn *) wire [`TPU_TOKEN_BITS-1:0]   \dut.u_issue.step_token ;
  (* hierconn *) wire                         \dut.u_issue.step_acc ;
  (* hierconn *) wire [15:0]                  \dut.u_issue.step_row ;
  (* hierconn *) wire                         \dut.u_issue.step_bad_row ;
  (* hierconn *) wire                         \dut.u_issue.step_bad_param ;
  (* hierconn *) wire                         \dut.u_issue.step_bad_out_row ;
  (* hierconn *) wire [UW-1:0]                \dut.u_issue.step_out_row ;
  (* hierconn *) wire                         \dut.u_issue.b_have ;
  (* hierconn *) wire                         \dut.u_issue.b_fault ;
  (* hierconn *) wire                         \dut.u_issue.b_claim ;
  (* hierconn *) wire                         \dut.u_issue.va_rd_valid ;
  (* hierconn *) wire                         \dut.u_issue.va_rd_ready ;
  (* hierconn *) wire [UW-1:0]                \dut.u_issue.va_rd_row ;
  (* hierconn *) wire                         \dut.u_issue.acc_rd_valid ;
  (* hierconn *) wire                         \dut.u_issue.acc_rd_ready ;
  (* hierconn *) wire                         \dut.u_issue.a_line ;
  (* hierconn *) wire                         \dut.u_issue.b_line ;
  (* hierconn *) wire                         \dut.u_issue.tap ;
  (* hierconn *) wire                         \dut.u_issue.tap_last ;
  (* hierconn *) wire                         \dut.u_issue.tap_cut ;
  (* hierconn *) wire                         \dut.u_issue.second ;
  (* hierconn *) wire                         \dut.u_issue.err_valid ;
  (* hierconn *) wire [3:0]                   \dut.u_issue.err_code ;
  (* hierconn *) wire                         \dut.u_issue.ev_active ;
  (* hierconn *) wire                         \dut.u_issue.ev_stall_port ;
  (* hierconn *) wire                         \dut.u_issue.ev_stall_operand ;
  (* hierconn *) wire                         \dut.u_issue.ev_stall_output ;
  (* hierconn *) wire                         \dut.u_lanes.take ;
  (* hierconn *) wire                         \dut.u_lanes.take_bank ;
  (* hierconn *) wire [`TPU_FVECTOR_USED-1:0] \dut.u_lanes.cmd ;
  (* hierconn *) wire [1:0]                   \dut.u_lanes.bank_busy ;
  (* hierconn *) wire                         \dut.u_lanes.a_line ;
  (* hierconn *) wire                         \dut.u_lanes.b_line ;
  (* hierconn *) wire                         \dut.u_lanes.tap ;
  (* hierconn *) wire                         \dut.u_lanes.tap_bank ;
  (* hierconn *) wire                         \dut.u_lanes.tap_inside ;
  (* hierconn *) wire                         \dut.u_lanes.tap_first ;
  (* hierconn *) wire                         \dut.u_lanes.tap_last ;
  (* hierconn *) wire                         \dut.u_lanes.tap_final ;
  (* hierconn *) wire [PW-1:0]                \dut.u_lanes.tap_param ;
  (* hierconn *) wire [8*LANES-1:0]           \dut.u_lanes.a_bytes ;
  (* hierconn *) wire [32*LANES-1:0]          \dut.u_lanes.a_words ;
  (* hierconn *) wire [8*LANES-1:0]           \dut.u_lanes.b_bytes ;
  (* hierconn *) wire                         \dut.u_lanes.b_pop ;
  (* hierconn *) wire                         \dut.u_lanes.param_en ;
  (* hierconn *) wire [PW-1:0]                \dut.u_lanes.param_entry ;
  (* hierconn *) wire [32*LANES-1:0]          \dut.u_lanes.biases ;
  (* hierconn *) wire [32*LANES-1:0]          \dut.u_lanes.multipliers ;
  (* hierconn *) wire                         \dut.u_lanes.adam ;
  (* hierconn *) wire                         \dut.u_lanes.out_kept ;
  (* hierconn *) wire                         \dut.u_lanes.out_weight ;
  (* hierconn *) wire                         \dut.u_lanes.out_valid ;
  (* hierconn *) wire                         \dut.u_lanes.out_final ;
  (* hierconn *) wire [1:0]                   \dut.u_lanes.out_last ;
  (* hierconn *) wire                         \dut.u_lanes.out_interleave ;
  (* hierconn *) wire [32*LANES-1:0]          \dut.u_lanes.out_words ;
  (* hierconn *) wire                         \dut.u_kept_rows.in_valid ;
  (* hierconn *) wire                         \dut.u_kept_rows.in_ready ;
  (* hierconn *) wire [UW-1:0]                \dut.u_kept_rows.in_data ;
  (* hierconn *) wire                         \dut.u_kept_rows.out_valid ;
  (* hierconn *) wire                         \dut.u_kept_rows.out_ready ;
  (* hierconn *) wire [UW-1:0]                \dut.u_kept_rows.out_data ;
  (* hierconn *) wire [2:0]                   \dut.u_kept_rows.level ;
  (* hierconn *) wire                         \dut.u_weight_rows.in_valid ;
  (* hierconn *) wire                         \dut.u_weight_rows.in_ready ;
  (* hierconn *) wire [UW-1:0]                \dut.u_weight_rows.in_data ;
  (* hierconn *) wire                         \dut.u_weight_rows.out_valid ;
  (* hierconn *) wire                         \dut.u_weight_rows.out_ready ;
  (* hierconn *) wire [UW-1:0]                \dut.u_weight_rows.out_data ;
  (* hierconn *) wire [3:0]                   \dut.u_weight_rows.level ;
  (* hierconn *) wire                         \dut.u_output.in_row_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.u_output.in_row ;
  (* hierconn *) wire                         \dut.u_output.in_valid ;
  (* hierconn *) wire                         \dut.u_output.in_final ;
  (* hierconn *) wire [1:0]                   \dut.u_output.in_last ;
  (* hierconn *) wire                         \dut.u_output.in_interleave ;
  (* hierconn *) wire [32*LANES-1:0]          \dut.u_output.in_words ;
  (* hierconn *) wire                         \dut.u_output.wr_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.u_output.wr_row ;
  (* hierconn *) wire [8*LANES-1:0]           \dut.u_output.wr_data ;
  (* hierconn *) wire                         \dut.u_output.rows_on_way ;
  (* hierconn *) wire                         \dut.u_output.done ;

  //// Parameter entries ////

  // Of each bank: its instruction is an FVECTOR whose second rows take the next entry; it has one.
  reg  [1:0]  next_q;
  reg  [1:0]  taken_q = 2'd0;
  wire        bank   = step_token[`TPU_TOKEN_BANK];
  wire        next   = \dut.u_issue.second && next_q[bank];
  wire [PW:0] entry  = step_param + next;

  always @(posedge clk) begin
    if (take) begin
      next_q[take_bank]  <= cmd[`TPU_OPCODE] == `TPU_OP_FVECTOR && cmd[`TPU_FVECTOR_INTERLEAVE] == `TPU_FLOAT_INTERLEAVE_NEXT;
      taken_q[take_bank] <= 1'b1;
    end
  end

  always @* begin
    if (taken_q[bank]) begin
      assert (\dut.u_lanes.tap_param == entry[PW-1:0]);
      assert (\dut.u_issue.step_bad_param == (step_bad_param || entry >= PARAM_ROWS));
    end
  end

  //// Rows of ADAM ////

  wire adam   = \dut.u_lanes.adam ;
  wire tap    = \dut.u_issue.tap ;
  wire last   = \dut.u_issue.tap_last ;
  wire kept   = \dut.u_lanes.out_kept ;
  wire weight = \dut.u_lanes.out_weight ;

  always @* begin
    if (!rst) begin
      // ADAM's taps come no faster than its rows leave (formal/tpu_adam_steps.v), of which at most one does at a time.
      assume (\dut.u_kept_rows.in_ready && \dut.u_weight_rows.in_ready );
      assume ((\dut.u_kept_rows.out_valid || !kept) && (\dut.u_weight_rows.out_valid || !weight) && !(kept && weight));
    end
    assert (\dut.u_kept_rows.in_valid == (adam && tap) && \dut.u_kept_rows.in_data == step_row[UW-1:0]);
    assert (\dut.u_kept_rows.out_ready == kept);
    assert (\dut.u_weight_rows.in_valid == (adam && last) && \dut.u_weight_rows.in_data == step_out_row);
    assert (\dut.u_weight_rows.out_ready == weight);
    assert (\dut.u_output.in_row_valid == (adam ? kept || weight : last));
    if (!adam) assert (\dut.u_output.in_row == step_out_row);
    if (adam && kept && !weight) assert (\dut.u_output.in_row == \dut.u_kept_rows.out_data );
    if (adam && weight && !kept) assert (\dut.u_output.in_row == \dut.u_weight_rows.out_data );
    assert (rows_on_way == (\dut.u_output.rows_on_way || \dut.u_weight_rows.out_valid ));
  end

  //// All else ////

  always @* begin
    // Issue
    assert (\dut.u_issue.halt == halt && stop == \dut.u_issue.stop );
    assert (\dut.u_issue.take == take && \dut.u_issue.take_bank == take_bank && \dut.u_issue.cmd == cmd);
    assert (\dut.u_issue.step_valid == step_valid && step_ready == \dut.u_issue.step_ready && \dut.u_issue.step_token == step_token);
    assert (\dut.u_issue.step_acc == step_acc && \dut.u_issue.step_row == step_row && \dut.u_issue.step_bad_row == step_bad_row);
    assert (\dut.u_issue.step_bad_out_row == step_bad_out_row && \dut.u_issue.step_out_row == step_out_row);
    assert (\dut.u_issue.b_have == b_have && \dut.u_issue.b_fault == b_fault && b_claim == \dut.u_issue.b_claim );
    assert (va_rd_valid == \dut.u_issue.va_rd_valid && \dut.u_issue.va_rd_ready == va_rd_ready && va_rd_row == \dut.u_issue.va_rd_row );
    assert (acc_rd_valid == \dut.u_issue.acc_rd_valid && \dut.u_issue.acc_rd_ready == acc_rd_ready);
    assert (err_valid == \dut.u_issue.err_valid && err_code == \dut.u_issue.err_code );
    assert ({ev_active, ev_stall_port, ev_stall_operand, ev_stall_output}
            == {\dut.u_issue.ev_active , \dut.u_issue.ev_stall_port , \dut.u_issue.ev_stall_operand , \dut.u_issue.ev_stall_output });

    // Lanes: a tap that an error cut off ends no instruction.
    assert (\dut.u_lanes.take == take && \dut.u_lanes.take_bank == take_bank && \dut.u_lanes.cmd == cmd);
    assert (bank_busy == \dut.u_lanes.bank_busy );
    assert ({\dut.u_lanes.a_line , \dut.u_lanes.b_line , \dut.u_lanes.tap , \dut.u_lanes.tap_last }
            == {\dut.u_issue.a_line , \dut.u_issue.b_line , tap, last});
    assert (\dut.u_lanes.tap_bank == bank && \dut.u_lanes.tap_inside == step_token[`TPU_TOKEN_INSIDE]);
    assert (\dut.u_lanes.tap_first == step_token[`TPU_TOKEN_FIRST]);
    assert (\dut.u_lanes.tap_final == (step_token[`TPU_TOKEN_FINAL] && !\dut.u_issue.tap_cut ));
    assert (\dut.u_lanes.a_bytes == va_rd_data && \dut.u_lanes.a_words == acc_rd_data && \dut.u_lanes.b_bytes == b_row);
    assert (b_pop == \dut.u_lanes.b_pop && param_en == \dut.u_lanes.param_en && param_entry == \dut.u_lanes.param_entry );
    assert (\dut.u_lanes.biases == biases && \dut.u_lanes.multipliers == multipliers);

    // Output
    assert (\dut.u_output.in_valid == \dut.u_lanes.out_valid && \dut.u_output.in_final == \dut.u_lanes.out_final );
    assert (\dut.u_output.in_last == \dut.u_lanes.out_last && \dut.u_output.in_interleave == \dut.u_lanes.out_interleave );
    assert (\dut.u_output.in_words == \dut.u_lanes.out_words );
    assert (wr_valid == \dut.u_output.wr_valid && wr_row == \dut.u_output.wr_row && wr_data == \dut.u_output.wr_data );
    assert (done == \dut.u_output.done );
  end

endmodule

`default_nettype wire
