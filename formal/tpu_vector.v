// tpu_vector: each instruction is started by the source, when the other streams need it no longer and nothing of another kind is in the lanes, and
// goes to the lanes of its kind alone; so do its steps; reads, rows, errors and events are those of the kind whose turn it is. Opcodes of a format
// that the machine does not have are a VECTOR's.
//
// The slot, the streams, the kinds' issue, lanes and write-back are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module formal_tpu_vector #(
  parameter LANES = 4,
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 8,
  parameter PARAM_ROWS = 4,
  parameter WINDOW = 1,
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input wire                          clk,
  input wire                          cmd_valid,
  input wire [`TPU_VECTOR_USED-1:0]   cmd,
  input wire [31:0]                   cmd_index,
  input wire                          halt,
  input wire                          va_rd_ready,
  input wire [8*LANES-1:0]            va_rd_data,
  input wire                          vb_rd_ready,
  input wire [8*LANES-1:0]            vb_rd_data,
  input wire                          vc_rd_ready,
  input wire [8*LANES-1:0]            vc_rd_data,
  input wire                          acc_rd_ready,
  input wire [32*LANES-1:0]           acc_rd_data,
  input wire                          param_wr_valid,
  input wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input wire [3:0]                    param_wr_chunk,
  input wire [8*LANES-1:0]            param_wr_data,
  input wire                          lut_wr_valid,
  input wire [10:0]                   lut_wr_addr,
  input wire [7:0]                    lut_wr_data
);

  localparam UW = $clog2(UB_ROWS);
  localparam AW = $clog2(ACC_ROWS);
  localparam PW = $clog2(PARAM_ROWS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire               cmd_ready;
  wire               done;
  wire               err_valid;
  wire [3:0]         err_code;
  wire [31:0]        err_index;
  wire               busy;
  wire               va_rd_valid;
  wire [UW-1:0]      va_rd_row;
  wire               vb_rd_valid;
  wire [UW-1:0]      vb_rd_row;
  wire               vc_rd_valid;
  wire [UW-1:0]      vc_rd_row;
  wire               acc_rd_valid;
  wire [AW-1:0]      acc_rd_row;
  wire               vo_wr_valid;
  wire [UW-1:0]      vo_wr_row;
  wire [8*LANES-1:0] vo_wr_data;
  wire               ev_active;
  wire               ev_stall_port;
  wire               ev_stall_operand;
  wire               ev_stall_output;

  tpu_vector #(
    .LANES      (LANES),
    .UB_ROWS    (UB_ROWS),
    .ACC_ROWS   (ACC_ROWS),
    .PARAM_ROWS (PARAM_ROWS),
    .WINDOW     (WINDOW),
    .BF16       (BF16),
    .INT16      (INT16)
  ) dut (
    .clk              (clk),
    .rst              (rst),
    .cmd_valid        (cmd_valid),
    .cmd_ready        (cmd_ready),
    .cmd              (cmd),
    .cmd_index        (cmd_index),
    .done             (done),
    .err_valid        (err_valid),
    .err_code         (err_code),
    .err_index        (err_index),
    .halt             (halt),
    .busy             (busy),
    .va_rd_valid      (va_rd_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (va_rd_row),
    .va_rd_data       (va_rd_data),
    .vb_rd_valid      (vb_rd_valid),
    .vb_rd_ready      (vb_rd_ready),
    .vb_rd_row        (vb_rd_row),
    .vb_rd_data       (vb_rd_data),
    .vc_rd_valid      (vc_rd_valid),
    .vc_rd_ready      (vc_rd_ready),
    .vc_rd_row        (vc_rd_row),
    .vc_rd_data       (vc_rd_data),
    .acc_rd_valid     (acc_rd_valid),
    .acc_rd_ready     (acc_rd_ready),
    .acc_rd_row       (acc_rd_row),
    .acc_rd_data      (acc_rd_data),
    .vo_wr_valid      (vo_wr_valid),
    .vo_wr_row        (vo_wr_row),
    .vo_wr_data       (vo_wr_data),
    .param_wr_valid   (param_wr_valid),
    .param_wr_entry   (param_wr_entry),
    .param_wr_chunk   (param_wr_chunk),
    .param_wr_data    (param_wr_data),
    .lut_wr_valid     (lut_wr_valid),
    .lut_wr_addr      (lut_wr_addr),
    .lut_wr_data      (lut_wr_data),
    .ev_active        (ev_active),
    .ev_stall_port    (ev_stall_port),
    .ev_stall_operand (ev_stall_operand),
    .ev_stall_output  (ev_stall_output)
  );

  (* hierconn *) wire                         \dut.u_slot.slot_valid ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0]  \dut.u_slot.slot ;
  (* hierconn *) wire [31:0]                  \dut.u_slot.slot_index ;
  (* hierconn *) wire                         \dut.u_slot.slot_columns ;
  (* hierconn *) wire                         \dut.u_slot.slot_pair ;
  (* hierconn *) wire [15:0]                  \dut.u_slot.slot_n_column ;
  (* hierconn *) wire                         \dut.u_slot.stop ;
  (* hierconn *) wire                         \dut.u_slot.take ;
  (* hierconn *) wire                         \dut.u_source.cmd_valid ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0]  \dut.u_source.cmd ;
  (* hierconn *) wire [31:0]                  \dut.u_source.cmd_index ;
  (* hierconn *) wire                         \dut.u_source.cmd_columns ;
  (* hierconn *) wire                         \dut.u_source.cmd_pair ;
  (* hierconn *) wire [15:0]                  \dut.u_source.cmd_n_column ;
  (* hierconn *) wire                         \dut.u_source.cmd_seen ;
  (* hierconn *) wire                         \dut.u_source.cmd_take ;
  (* hierconn *) wire [1:0]                   \dut.u_source.bank_busy ;
  (* hierconn *) wire                         \dut.u_source.take_bank ;
  (* hierconn *) wire                         \dut.u_source.lacks_bank ;
  (* hierconn *) wire                         \dut.u_source.busy ;
  (* hierconn *) wire                         \dut.u_source.step_valid ;
  (* hierconn *) wire                         \dut.u_source.step_ready ;
  (* hierconn *) wire [`TPU_TOKEN_BITS-1:0]   \dut.u_source.step_token ;
  (* hierconn *) wire [31:0]                  \dut.u_source.step_index ;
  (* hierconn *) wire                         \dut.u_issue.stop ;
  (* hierconn *) wire                         \dut.u_issue.step_valid ;
  (* hierconn *) wire                         \dut.u_issue.step_ready ;
  (* hierconn *) wire                         \dut.u_issue.lacks_bank ;
  (* hierconn *) wire                         \dut.u_issue.b_claim ;
  (* hierconn *) wire                         \dut.u_issue.c_have ;
  (* hierconn *) wire                         \dut.u_issue.c_hungry ;
  (* hierconn *) wire [1:0]                   \dut.u_issue.c_bank ;
  (* hierconn *) wire                         \dut.u_issue.c_fault ;
  (* hierconn *) wire                         \dut.u_issue.c_claim ;
  (* hierconn *) wire                         \dut.u_issue.va_rd_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.u_issue.va_rd_row ;
  (* hierconn *) wire                         \dut.u_issue.acc_rd_valid ;
  (* hierconn *) wire [AW-1:0]                \dut.u_issue.acc_rd_row ;
  (* hierconn *) wire                         \dut.u_issue.err_valid ;
  (* hierconn *) wire [3:0]                   \dut.u_issue.err_code ;
  (* hierconn *) wire                         \dut.u_issue.ev_active ;
  (* hierconn *) wire                         \dut.u_issue.ev_stall_port ;
  (* hierconn *) wire                         \dut.u_issue.ev_stall_operand ;
  (* hierconn *) wire                         \dut.u_issue.ev_stall_output ;
  (* hierconn *) wire                         \dut.u_stream_1.cmd_valid ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0]  \dut.u_stream_1.cmd ;
  (* hierconn *) wire                         \dut.u_stream_1.cmd_columns ;
  (* hierconn *) wire [15:0]                  \dut.u_stream_1.cmd_n_column ;
  (* hierconn *) wire                         \dut.u_stream_1.cmd_take ;
  (* hierconn *) wire                         \dut.u_stream_1.cmd_seen ;
  (* hierconn *) wire                         \dut.u_stream_1.stop ;
  (* hierconn *) wire                         \dut.u_stream_1.claim ;
  (* hierconn *) wire                         \dut.u_stream_1.pop ;
  (* hierconn *) wire                         \dut.u_stream_1.other_hungry ;
  (* hierconn *) wire [1:0]                   \dut.u_stream_1.other_bank ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.cmd_valid ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0]  \dut.g_stream_2.u_stream_2.cmd ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.cmd_columns ;
  (* hierconn *) wire [15:0]                  \dut.g_stream_2.u_stream_2.cmd_n_column ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.cmd_take ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.cmd_seen ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.stop ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.claim ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.pop ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.other_hungry ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.hungry ;
  (* hierconn *) wire [1:0]                   \dut.g_stream_2.u_stream_2.bank ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.have ;
  (* hierconn *) wire                         \dut.g_stream_2.u_stream_2.fault ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.stop ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.take ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.take_bank ;
  (* hierconn *) wire [`TPU_FVECTOR_USED-1:0] \dut.g_float.u_fvector.cmd ;
  (* hierconn *) wire [1:0]                   \dut.g_float.u_fvector.bank_busy ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.step_valid ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.step_ready ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.va_rd_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.g_float.u_fvector.va_rd_row ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.acc_rd_valid ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.b_claim ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.b_pop ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.param_en ;
  (* hierconn *) wire [PW-1:0]                \dut.g_float.u_fvector.param_entry ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.wr_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.g_float.u_fvector.wr_row ;
  (* hierconn *) wire [8*LANES-1:0]           \dut.g_float.u_fvector.wr_data ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.rows_on_way ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.done ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.err_valid ;
  (* hierconn *) wire [3:0]                   \dut.g_float.u_fvector.err_code ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.ev_active ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.ev_stall_port ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.ev_stall_operand ;
  (* hierconn *) wire                         \dut.g_float.u_fvector.ev_stall_output ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.stop ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.take ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.take_bank ;
  (* hierconn *) wire [`TPU_IVECTOR_USED-1:0] \dut.g_int16.u_ivector.cmd ;
  (* hierconn *) wire [1:0]                   \dut.g_int16.u_ivector.bank_busy ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.step_valid ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.step_ready ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.va_rd_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.g_int16.u_ivector.va_rd_row ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.acc_rd_valid ;
  (* hierconn *) wire [AW-1:0]                \dut.g_int16.u_ivector.acc_rd_row ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.b_claim ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.b_pop ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.param_en ;
  (* hierconn *) wire [PW-1:0]                \dut.g_int16.u_ivector.param_entry ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.wr_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.g_int16.u_ivector.wr_row ;
  (* hierconn *) wire [8*LANES-1:0]           \dut.g_int16.u_ivector.wr_data ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.rows_on_way ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.done ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.err_valid ;
  (* hierconn *) wire [3:0]                   \dut.g_int16.u_ivector.err_code ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.ev_active ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.ev_stall_port ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.ev_stall_operand ;
  (* hierconn *) wire                         \dut.g_int16.u_ivector.ev_stall_output ;
  (* hierconn *) wire                         \dut.u_lanes.take ;
  (* hierconn *) wire                         \dut.u_lanes.take_bank ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0]  \dut.u_lanes.cmd ;
  (* hierconn *) wire [1:0]                   \dut.u_lanes.bank_busy ;
  (* hierconn *) wire                         \dut.u_lanes.b_pop ;
  (* hierconn *) wire                         \dut.u_lanes.c_pop ;
  (* hierconn *) wire                         \dut.u_lanes.other_en ;
  (* hierconn *) wire [PW-1:0]                \dut.u_lanes.other_entry ;
  (* hierconn *) wire                         \dut.u_output.vo_wr_valid ;
  (* hierconn *) wire [UW-1:0]                \dut.u_output.vo_wr_row ;
  (* hierconn *) wire [8*LANES-1:0]           \dut.u_output.vo_wr_data ;
  (* hierconn *) wire                         \dut.u_output.rows_on_way ;
  (* hierconn *) wire                         \dut.u_output.done ;

  // ---- Kinds -------------------------------------------------------------------------------------
  localparam [1:0] VECTOR  = 2'd0;
  localparam [1:0] FVECTOR = 2'd1;
  localparam [1:0] ADAM    = 2'd2;
  localparam [1:0] IVECTOR = 2'd3;

  wire [7:0] opcode = \dut.u_slot.slot [`TPU_OPCODE];
  wire [1:0] kind   = BF16 != 0 && opcode == `TPU_OP_ADAM     ? ADAM
                    : BF16 != 0 && opcode == `TPU_OP_FVECTOR  ? FVECTOR
                    : INT16 != 0 && opcode == `TPU_OP_IVECTOR ? IVECTOR : VECTOR;
  wire       take   = \dut.u_source.cmd_take ;

  // Of the instruction that each bank belongs to, and of the last one; banks that were taken
  reg  [1:0] kind_q [0:1];
  reg  [1:0] last_q;
  reg  [1:0] taken_q;

  wire       bank      = \dut.u_source.step_token [`TPU_TOKEN_BANK];
  wire [1:0] step_kind = kind_q[bank];
  wire       step      = \dut.u_source.step_valid ;

  always @(posedge clk) begin
    if (take) begin
      kind_q[\dut.u_source.take_bank ] <= kind;
      last_q                           <= kind;
    end
    taken_q <= rst ? 2'd0 : taken_q | {1'b0, take} << \dut.u_source.take_bank ;
  end

  // What each kind asks for; nothing if the machine does not have it
  wire       window          = WINDOW != 0;
  wire       floats          = BF16 != 0;
  wire       int16s          = INT16 != 0;
  wire [1:0] busy_of_vector  = \dut.u_lanes.bank_busy ;
  wire [1:0] busy_of_fvector = floats ? \dut.g_float.u_fvector.bank_busy : 2'd0;
  wire [1:0] busy_of_ivector = int16s ? \dut.g_int16.u_ivector.bank_busy : 2'd0;
  wire [1:0] in_use          = busy_of_vector | busy_of_fvector | busy_of_ivector;
  wire       int_va          = \dut.u_issue.va_rd_valid ;
  wire       float_va        = floats && \dut.g_float.u_fvector.va_rd_valid ;
  wire       int16_va        = int16s && \dut.g_int16.u_ivector.va_rd_valid ;
  wire       int_acc         = \dut.u_issue.acc_rd_valid ;
  wire       float_acc       = floats && \dut.g_float.u_fvector.acc_rd_valid ;
  wire       int16_acc       = int16s && \dut.g_int16.u_ivector.acc_rd_valid ;
  wire       int_wr          = \dut.u_output.vo_wr_valid ;
  wire       float_wr        = floats && \dut.g_float.u_fvector.wr_valid ;
  wire       int16_wr        = int16s && \dut.g_int16.u_ivector.wr_valid ;
  wire       int_err         = \dut.u_issue.err_valid ;
  wire       float_err       = floats && \dut.g_float.u_fvector.err_valid ;
  wire       int16_err       = int16s && \dut.g_int16.u_ivector.err_valid ;
  wire       float_stop      = floats && \dut.g_float.u_fvector.stop ;
  wire       int16_stop      = int16s && \dut.g_int16.u_ivector.stop ;
  wire       float_param     = floats && \dut.g_float.u_fvector.param_en ;
  wire       int16_param     = int16s && \dut.g_int16.u_ivector.param_en ;
  wire       any_stop        = \dut.u_issue.stop || float_stop || int16_stop;

  function one_at_most(input [2:0] valid);
    one_at_most = (valid & (valid - 3'd1)) == 3'd0;
  endfunction

  always @* begin
    if (!rst) begin
      // What is in a bank belongs to an instruction that was started.
      assume (!step || taken_q[bank]);
      assume ((in_use & ~taken_q) == 2'd0);
      // A kind asks for something only with a step of its own.
      assume (!(int_va || int_acc) || \dut.u_issue.step_valid );
      assume (!(float_va || float_acc) || \dut.g_float.u_fvector.step_valid );
      assume (!(int16_va || int16_acc) || \dut.g_int16.u_ivector.step_valid );
      // As no two kinds are in the lanes
      assume (one_at_most({int_wr, float_wr, int16_wr}));
      assume (one_at_most({int_err, float_err, int16_err}));
      assume (one_at_most({1'b0, float_param, int16_param}));
    end
  end

  // ---- Start ---------------------------------------------------------------------------------------
  // The instruction in the slot goes to all streams. It starts when the other streams need it no longer, and with banks as they are free; behind one of
  // another kind, behind an ADAM and as one only when all banks are.
  wire       is_float   = kind == FVECTOR || kind == ADAM;
  wire       alike      = kind == last_q && kind != ADAM;
  wire [1:0] busy_banks = alike ? in_use : {2{in_use != 2'd0}};
  wire       seen       = \dut.u_stream_1.cmd_seen && (!window || \dut.g_stream_2.u_stream_2.cmd_seen );

  wire [`TPU_VECTOR_USED+17:0] instruction = {\dut.u_slot.slot_valid , \dut.u_slot.slot_columns , \dut.u_slot.slot_n_column ,
                                              \dut.u_slot.slot };
  wire [`TPU_VECTOR_USED:0]    started     = {\dut.u_source.take_bank , \dut.u_slot.slot };

  always @* begin
    if (!rst) begin
      a_source_gets_it:   assert ({\dut.u_source.cmd_valid , \dut.u_source.cmd_columns , \dut.u_source.cmd_n_column , \dut.u_source.cmd }
                                  == instruction);
      a_source_gets_all:  assert ({\dut.u_source.cmd_index , \dut.u_source.cmd_pair } == {\dut.u_slot.slot_index , \dut.u_slot.slot_pair });
      a_stream_1_gets_it: assert ({\dut.u_stream_1.cmd_valid , \dut.u_stream_1.cmd_columns , \dut.u_stream_1.cmd_n_column ,
                                   \dut.u_stream_1.cmd } == instruction);
      a_stream_2_gets_it: assert (!window || {\dut.g_stream_2.u_stream_2.cmd_valid , \dut.g_stream_2.u_stream_2.cmd_columns ,
                                              \dut.g_stream_2.u_stream_2.cmd_n_column , \dut.g_stream_2.u_stream_2.cmd } == instruction);
      a_start_is_known:   assert (\dut.u_slot.take == take && \dut.u_stream_1.cmd_take == take);
      a_stream_2_knows:   assert (!window || \dut.g_stream_2.u_stream_2.cmd_take == take);
      a_streams_ready:    assert (\dut.u_source.cmd_seen == seen);
      a_banks:            assert (\dut.u_source.bank_busy == busy_banks);
      a_vector_starts:    assert (\dut.u_lanes.take == (take && kind == VECTOR));
      a_fvector_starts:   assert (!floats || \dut.g_float.u_fvector.take == (take && is_float));
      a_ivector_starts:   assert (!int16s || \dut.g_int16.u_ivector.take == (take && kind == IVECTOR));
      a_vector_gets_it:   assert (!\dut.u_lanes.take || {\dut.u_lanes.take_bank , \dut.u_lanes.cmd } == started);
      a_fvector_gets_it:  assert (!floats || !\dut.g_float.u_fvector.take
                                  || {\dut.g_float.u_fvector.take_bank , \dut.g_float.u_fvector.cmd } == started);
      a_ivector_gets_it:  assert (!int16s || !\dut.g_int16.u_ivector.take
                                  || (\dut.g_int16.u_ivector.take_bank == \dut.u_source.take_bank
                                      && \dut.g_int16.u_ivector.cmd == \dut.u_slot.slot [`TPU_IVECTOR_USED-1:0]));
    end
  end

  // ---- Steps ---------------------------------------------------------------------------------------
  // A step goes to the kind that its bank belongs to; what that one asks for is done.
  wire step_is_float = step_kind == FVECTOR || step_kind == ADAM;

  always @* begin
    if (!rst) begin
      a_vector_steps:  assert (\dut.u_issue.step_valid == (step && step_kind == VECTOR));
      a_fvector_steps: assert (!floats || \dut.g_float.u_fvector.step_valid == (step && step_is_float));
      a_ivector_steps: assert (!int16s || \dut.g_int16.u_ivector.step_valid == (step && step_kind == IVECTOR));
      a_step_ready:    assert (\dut.u_source.step_ready == (\dut.u_issue.step_ready || (floats && \dut.g_float.u_fvector.step_ready )
                                                            || (int16s && \dut.g_int16.u_ivector.step_ready )));
      a_b_claim:       assert (\dut.u_stream_1.claim == (\dut.u_issue.b_claim || (floats && \dut.g_float.u_fvector.b_claim )
                                                         || (int16s && \dut.g_int16.u_ivector.b_claim )));
      a_b_pop:         assert (\dut.u_stream_1.pop == (\dut.u_lanes.b_pop || (floats && \dut.g_float.u_fvector.b_pop )
                                                       || (int16s && \dut.g_int16.u_ivector.b_pop )));
      a_reads:         assert (va_rd_valid == (int_va || float_va || int16_va));
      a_reads_of_acc:  assert (acc_rd_valid == (int_acc || float_acc || int16_acc));
      a_int_row:       assert (!int_va || va_rd_row == \dut.u_issue.va_rd_row );
      a_float_row:     assert (!float_va || va_rd_row == \dut.g_float.u_fvector.va_rd_row );
      a_int16_row:     assert (!int16_va || va_rd_row == \dut.g_int16.u_ivector.va_rd_row );
      // FVECTOR reads the accumulators' row that VECTOR would.
      a_acc_row:       assert (!(int_acc || float_acc) || acc_rd_row == \dut.u_issue.acc_rd_row );
      a_int16_acc_row: assert (!int16_acc || acc_rd_row == \dut.g_int16.u_ivector.acc_rd_row );
      a_stop:          assert (\dut.u_slot.stop == any_stop && \dut.u_stream_1.stop == any_stop);
      a_stream_2_stop: assert (!window || \dut.g_stream_2.u_stream_2.stop == any_stop);
      a_c_claim:       assert (!window || \dut.g_stream_2.u_stream_2.claim == \dut.u_issue.c_claim );
      a_c_pop:         assert (!window || \dut.g_stream_2.u_stream_2.pop == \dut.u_lanes.c_pop );
      // Stream 2 goes before stream 1.
      a_other:         assert (!window || {\dut.u_stream_1.other_hungry , \dut.u_stream_1.other_bank }
                                          == {\dut.g_stream_2.u_stream_2.hungry , \dut.g_stream_2.u_stream_2.bank });
      a_no_other:      assert (!window || !\dut.g_stream_2.u_stream_2.other_hungry );
      a_c:             assert (!window || {\dut.u_issue.c_have , \dut.u_issue.c_hungry , \dut.u_issue.c_bank , \dut.u_issue.c_fault }
                                          == {\dut.g_stream_2.u_stream_2.have , \dut.g_stream_2.u_stream_2.hungry ,
                                              \dut.g_stream_2.u_stream_2.bank , \dut.g_stream_2.u_stream_2.fault });
      // A stream that is not there reads nothing, has nothing, hinders nobody, and fails never.
      a_no_stream_2:   assert (window || {vc_rd_valid, \dut.u_issue.c_have , \dut.u_issue.c_hungry , \dut.u_issue.c_fault ,
                                          \dut.u_stream_1.other_hungry } == 5'd0);
    end
  end

  // ---- What comes out ------------------------------------------------------------------------------
  wire [3:0] int_events   = {\dut.u_issue.ev_stall_output , \dut.u_issue.ev_stall_operand , \dut.u_issue.ev_stall_port ,
                             \dut.u_issue.ev_active };
  wire [3:0] float_events = {\dut.g_float.u_fvector.ev_stall_output , \dut.g_float.u_fvector.ev_stall_operand ,
                             \dut.g_float.u_fvector.ev_stall_port , \dut.g_float.u_fvector.ev_active };
  wire [3:0] int16_events = {\dut.g_int16.u_ivector.ev_stall_output , \dut.g_int16.u_ivector.ev_stall_operand ,
                             \dut.g_int16.u_ivector.ev_stall_port , \dut.g_int16.u_ivector.ev_active };

  always @* begin
    if (!rst) begin
      a_writes:      assert (vo_wr_valid == (int_wr || float_wr || int16_wr));
      a_int_write:   assert (!int_wr || {vo_wr_row, vo_wr_data} == {\dut.u_output.vo_wr_row , \dut.u_output.vo_wr_data });
      a_float_write: assert (!float_wr || {vo_wr_row, vo_wr_data} == {\dut.g_float.u_fvector.wr_row , \dut.g_float.u_fvector.wr_data });
      a_int16_write: assert (!int16_wr || {vo_wr_row, vo_wr_data} == {\dut.g_int16.u_ivector.wr_row , \dut.g_int16.u_ivector.wr_data });
      a_done:        assert (done == (\dut.u_output.done || (floats && \dut.g_float.u_fvector.done )
                                      || (int16s && \dut.g_int16.u_ivector.done )));
      a_errors:      assert (err_valid == (int_err || float_err || int16_err));
      a_int_error:   assert (!int_err || err_code == \dut.u_issue.err_code );
      a_float_error: assert (!float_err || err_code == \dut.g_float.u_fvector.err_code );
      a_int16_error: assert (!int16_err || err_code == \dut.g_int16.u_ivector.err_code );
      a_err_index:   assert (err_index == \dut.u_source.step_index );
      a_events:      assert ({ev_stall_output, ev_stall_operand, ev_stall_port, ev_active}
                             == (int_events | (floats ? float_events : 4'd0) | (int16s ? int16_events : 4'd0)));
      // A cycle waits for a bank only if no step stands, of whatever kind, and no kind has stopped.
      a_waits:       assert (\dut.u_issue.lacks_bank == (\dut.u_source.lacks_bank && !step && !float_stop && !int16_stop));
      a_params:      assert (\dut.u_lanes.other_en == (float_param || int16_param));
      a_float_entry: assert (!float_param || \dut.u_lanes.other_entry == \dut.g_float.u_fvector.param_entry );
      a_int16_entry: assert (!int16_param || \dut.u_lanes.other_entry == \dut.g_int16.u_ivector.param_entry );
      a_busy:        assert (busy == (\dut.u_slot.slot_valid || \dut.u_source.busy || step || \dut.u_output.rows_on_way
                                      || (floats && \dut.g_float.u_fvector.rows_on_way ) || (int16s && \dut.g_int16.u_ivector.rows_on_way )));
    end
  end

endmodule

`default_nettype wire
