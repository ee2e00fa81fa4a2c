// tpu_vector_source: each instruction is started once, as soon as it may; each step of its walk is offered once, in order, with its token and with what
// is out of range; the parameter entry and the output row of a window are those of the loops that ended before. While no instruction
// waits and none walks, nothing is sampled.
//
// The steps of the walk are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_vector_source #(
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter PARAM_ROWS = 4
) (
  input wire                        clk,
  input wire                        cmd_valid,
  input wire [`TPU_VECTOR_USED-1:0] cmd,
  input wire [31:0]                 cmd_index,
  input wire                        cmd_columns,
  input wire                        cmd_pair,
  input wire                        cmd_seen,
  input wire [1:0]                  bank_busy,
  input wire                        step_ready
);

  localparam UW = $clog2(UB_ROWS);
  localparam AW = $clog2(ACC_ROWS);
  localparam PW = $clog2(PARAM_ROWS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                       cmd_take;
  wire                       take_bank;
  wire                       lacks_bank;
  wire                       busy;
  wire                       step_valid;
  wire [`TPU_TOKEN_BITS-1:0] step_token;
  wire [31:0]                step_index;
  wire                       step_acc;
  wire [15:0]                step_row;
  wire                       step_bad_row;
  wire                       step_bad_param;
  wire                       step_bad_out_row;
  wire [PW-1:0]              step_param;
  wire [UW-1:0]              step_out_row;

  tpu_vector_source #(
    .UB_ROWS    (UB_ROWS),
    .ACC_ROWS   (ACC_ROWS),
    .PARAM_ROWS (PARAM_ROWS)
  ) dut (
    .clk              (clk),
    .rst              (rst),
    .cmd_valid        (cmd_valid),
    .cmd              (cmd),
    .cmd_index        (cmd_index),
    .cmd_columns      (cmd_columns),
    .cmd_pair         (cmd_pair),
    .cmd_n_column     (16'd0),
    .cmd_seen         (cmd_seen),
    .cmd_take         (cmd_take),
    .bank_busy        (bank_busy),
    .take_bank        (take_bank),
    .lacks_bank       (lacks_bank),
    .busy             (busy),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_index       (step_index),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (step_bad_out_row),
    .step_param       (step_param),
    .step_out_row     (step_out_row)
  );

  // The walk's side
  (* hierconn *) wire        \dut.walk_step ;
  (* hierconn *) wire [19:0] \dut.row ;
  (* hierconn *) wire        \dut.inside ;
  (* hierconn *) wire        \dut.weight ;
  (* hierconn *) wire        \dut.first_tap ;
  (* hierconn *) wire        \dut.last_tap ;
  (* hierconn *) wire        \dut.walk_last ;
  (* hierconn *) wire [2:0]  \dut.level ;
  (* hierconn *) wire [19:0] \dut.out_row ;
  wire walk = \dut.walk_step ;
  wire last = walk && \dut.walk_last ;

  // ---- The instruction in the walk ---------------------------------------------------------------------
  reg         walks_q;
  reg         bank_q;
  reg         columns_q;
  reg         pair_q;
  reg         acc_q;
  reg         uses_b_q;
  // Columns of pixels of the row so far; from the third on by turns 2 and 3.
  reg  [1:0]  column_q;
  reg  [19:0] param_q;
  reg  [15:0] param_stride_q;
  reg  [31:0] index_q;

  wire pixels     = columns_q && !\dut.weight ;
  // The loop of pixels in a row is loop 2, the one of channel blocks loop 4.
  wire ends_row   = \dut.level != 3'd2;
  wire third      = column_q[1];
  wire ends_window = columns_q ? pixels && third && !(pair_q && column_q[0]) : \dut.last_tap ;

  // What waits when the walk has ended or ends; what stood there at `cmd_take` counts.
  always @(posedge clk) begin
    if (cmd_valid && (!walks_q || last)) begin
      columns_q      <= cmd_columns;
      pair_q         <= cmd_pair;
      acc_q          <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      uses_b_q       <= cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
      column_q       <= 2'd0;
      param_q        <= {4'd0, cmd[`TPU_VECTOR_PARAM_ROW]};
      param_stride_q <= cmd[`TPU_VECTOR_PARAM_STRIDE];
    end else if (walk) begin
      if (!\dut.weight ) column_q <= ends_row ? 2'd0 : third ? {1'b1, !column_q[0]} : column_q + 2'd1;
      if (ends_window && \dut.level == 3'd4) param_q <= param_q + param_stride_q;
    end
    if (cmd_take) bank_q  <= !bank_q;
    if (cmd_take) index_q <= cmd_index;
    walks_q <= !rst && (cmd_take || (walks_q && !last));
    if (rst) bank_q <= 1'b0;
  end

  always @* begin
    if (!rst) begin
      a_started_rightly: assert (!cmd_take || (cmd_valid && cmd_seen && (!walks_q || last) && !bank_busy[!bank_q]));
      a_as_soon:         assert (cmd_take || !cmd_valid || !cmd_seen || (walks_q && !last) || bank_busy[!bank_q]);
      a_bank:            assert (take_bank == !bank_q);
      a_lacks_bank:      assert (lacks_bank == (cmd_valid && cmd_seen && (!walks_q || last) && bank_busy[!bank_q]));
      a_busy:            assert (busy == walks_q);
    end
  end

  // While no instruction waits and none walks, nothing is sampled: what stands before the queue stays, but for what the walk itself gives.
  localparam ROWS = 16;
  localparam ACC  = ROWS + UW + PW + 3;
  (* hierconn *) wire [ACC+`TPU_TOKEN_BITS:0] \dut.u_queue.in_data ;
  wire [`TPU_TOKEN_BITS-1:0] token_next = \dut.u_queue.in_data [ACC+1 +: `TPU_TOKEN_BITS];
  wire [UW+PW+3:0]           sampled    = {token_next[`TPU_TOKEN_COLUMN], token_next[`TPU_TOKEN_USES_B], token_next[`TPU_TOKEN_BANK],
                                           \dut.u_queue.in_data [ACC], \dut.u_queue.in_data [ROWS +: UW+PW]};
  reg  [UW+PW+3:0]           sampled_q;
  reg                        idle_q;
  always @(posedge clk) begin
    sampled_q <= sampled;
    idle_q    <= !rst && !cmd_valid && !walks_q;
  end
  always @* begin
    if (!rst) a_idle: assert (!idle_q || sampled == sampled_q);
  end

  // A configuration bank is busy as long as steps of its instruction are inside (the proof vector_pipe: and in the lanes).
  reg [1:0] inside_q [0:1];
  integer   i;
  always @(posedge clk) begin
    for (i = 0; i < 2; i = i + 1) begin
      inside_q[i] <= rst ? 2'd0 : inside_q[i] + (walk && bank_q == i) - (step_valid && step_ready && step_token[`TPU_TOKEN_BANK] == i);
    end
  end
  always @* begin
    if (!rst) begin
      assume (bank_busy[0] || !((walks_q && !bank_q) || inside_q[0] != 0));
      assume (bank_busy[1] || !((walks_q && bank_q) || inside_q[1] != 0));
    end
  end

  // ---- Steps -------------------------------------------------------------------------------------------
  wire bad_row   = \dut.inside && (acc_q ? \dut.row >= ACC_ROWS : \dut.row >= UB_ROWS);
  wire bad_param = ends_window && param_q >= PARAM_ROWS;
  wire bad_out   = ends_window && \dut.out_row >= UB_ROWS;

  wire [`TPU_TOKEN_BITS-1:0] token;
  assign token[`TPU_TOKEN_TAP]    = columns_q ? ends_window : 1'b1;
  assign token[`TPU_TOKEN_COLUMN] = columns_q;
  assign token[`TPU_TOKEN_WEIGHT] = \dut.weight ;
  assign token[`TPU_TOKEN_UPPER]  = \dut.inside ;
  assign token[`TPU_TOKEN_WINDOW] = columns_q;
  assign token[`TPU_TOKEN_INSIDE] = columns_q ? 1'b1 : \dut.inside ;
  assign token[`TPU_TOKEN_USES_B] = columns_q ? 1'b0 : uses_b_q;
  assign token[`TPU_TOKEN_FIRST]  = columns_q ? 1'b1 : \dut.first_tap ;
  assign token[`TPU_TOKEN_LAST]   = ends_window;
  assign token[`TPU_TOKEN_FINAL]  = \dut.walk_last ;
  assign token[`TPU_TOKEN_BANK]   = bank_q;

  stream_order #(
    .WIDTH    (`TPU_TOKEN_BITS + 4 + PW + UW + 16 + 32),
    .CAPACITY (2)
  ) u_steps (
    .clk       (clk),
    .rst       (rst),
    .push      (walk),
    .in_data   ({token, acc_q, bad_row, bad_param, bad_out, param_q[PW-1:0], \dut.out_row [UW-1:0], \dut.row [15:0], index_q}),
    .out_valid (step_valid),
    .pop       (step_valid && step_ready),
    .out_data  ({step_token, step_acc, step_bad_row, step_bad_param, step_bad_out_row, step_param, step_out_row, step_row, step_index}),
    .held      ()
  );

endmodule

`default_nettype wire
