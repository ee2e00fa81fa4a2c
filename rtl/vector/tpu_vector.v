// Vector unit: LANES lanes between the accumulators, the unified buffer and back to the unified buffer (docs/isa.md, 7, 10.4 and 11.3).
//
// A tap of source A is issued per cycle and flows through the lanes without ever stalling (stages: tpu_vector_lanes); 3 x 3 windows
// go column by column, three pixels per cycle (docs/architecture.md section 6).
//
// An accepted command waits in one slot until the other streams (which run ahead) and source A have started it, so the next one can be
// accepted while an instruction runs. Each stream works out its steps ahead, into a queue of two (tpu_vector_source, tpu_vector_operand):
// the way to the unified buffer and back starts and ends at those queues. From acceptance to the first tap: 3 cycles, 4 with another
// stream; none between the taps of an instruction and those of the next one, which is accepted in time. A third instruction does not
// start before the last row of the first has left the lanes (two configuration banks).
//
// With BF16 = 1 instructions may be FVECTORs and ADAMs, with INT16 = 1 IVECTORs. The slot, source A, stream 1 and the parameter memory serve all; each kind
// has its own issue, lanes and write-back (tpu_fvector, tpu_ivector). An instruction of another kind starts when the last row of the
// instructions before has left the lanes, so that nothing of two kinds is ever in the lanes. An ADAM is a kind of its own, of which only one is
// in the lanes; tpu_fvector has what it needs.
//
// More than 300 lines and 40 ports, as nine modules are connected here and nothing is worked out but whose turn it is.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector #(
  // Lanes, a power of two from 4
  parameter LANES = 16,
  // Bytes of a unified buffer row: one for each lane
  parameter ROW_BYTES = LANES,
  // Unified buffer rows, at most 65536, a power of two
  parameter UB_ROWS = 16384,
  // Accumulator rows, a power of two
  parameter ACC_ROWS = 2048,
  // Parameter entries, a power of two
  parameter PARAM_ROWS = 512,
  // 1: 3 x 3 windows go column by column, with a third stream of rows; 0: all windows go tap by tap
  parameter WINDOW = 1,
  // Lanes that share a requantiser, a power of two up to the lanes: output rows keep so many cycles apart
  parameter REQUANT_LANES = 1,
  // 1: FVECTOR, too
  parameter BF16 = 0,
  // Floating-point lanes that share scale, function, clamp and output format, a power of two up to the lanes
  parameter FLOAT_LANES = 2,
  // 1: IVECTOR, too
  parameter INT16 = 0,
  // Integer lanes of IVECTOR that share map, requantisation and clamp, a power of two up to the lanes
  parameter INT16_LANES = 4,
  // 1: VECTOR rounds as float32, too
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                          clk,
  input  wire                          rst,

  // Command
  input  wire                          cmd_valid,
  output wire                          cmd_ready,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  input  wire [31:0]                   cmd_index,
  output wire                          done,
  output wire                          err_valid,
  output wire [3:0]                    err_code,
  output wire [31:0]                   err_index,
  input  wire                          halt,
  output wire                          busy,

  // Unified buffer reads: sources A and B, or the three rows of a window
  output wire                          va_rd_valid,
  input  wire                          va_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    va_rd_row,
  input  wire [8*ROW_BYTES-1:0]        va_rd_data,
  output wire                          vb_rd_valid,
  input  wire                          vb_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    vb_rd_row,
  input  wire [8*ROW_BYTES-1:0]        vb_rd_data,
  output wire                          vc_rd_valid,
  input  wire                          vc_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    vc_rd_row,
  input  wire [8*ROW_BYTES-1:0]        vc_rd_data,

  // Accumulator reads
  output wire                          acc_rd_valid,
  input  wire                          acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0]   acc_rd_row,
  input  wire [32*LANES-1:0]           acc_rd_data,

  // Unified buffer writes, always taken
  output wire                          vo_wr_valid,
  output wire [$clog2(UB_ROWS)-1:0]    vo_wr_row,
  output wire [8*ROW_BYTES-1:0]        vo_wr_data,

  // Parameter and lookup table writes
  input  wire                          param_wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input  wire [3:0]                    param_wr_chunk,
  input  wire [8*ROW_BYTES-1:0]        param_wr_data,
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data,

  // Counter events, at most one per cycle
  output wire                          ev_active,
  output wire                          ev_stall_port,
  output wire                          ev_stall_operand,
  output wire                          ev_stall_output
);

  localparam UW = $clog2(UB_ROWS);
  localparam AW = $clog2(ACC_ROWS);
  localparam PW = $clog2(PARAM_ROWS);

  generate
    if (LANES < 4 || (LANES & (LANES - 1)) != 0) begin : g_check_lanes
      ERROR_tpu_vector_LANES_must_be_a_power_of_two_from_4 check ();
    end
    if (ROW_BYTES != LANES) begin : g_check_row_bytes
      ERROR_tpu_vector_ROW_BYTES_must_be_LANES check ();
    end
    if (WINDOW != 0 && WINDOW != 1) begin : g_check_window
      ERROR_tpu_vector_WINDOW_must_be_0_or_1 check ();
    end
    if (REQUANT_LANES < 1 || REQUANT_LANES > LANES || (REQUANT_LANES & (REQUANT_LANES - 1)) != 0) begin : g_check_requant_lanes
      ERROR_tpu_vector_REQUANT_LANES_must_be_a_power_of_two_up_to_LANES check ();
    end
    if (UB_ROWS > 65536 || (UB_ROWS & (UB_ROWS - 1)) != 0) begin : g_check_ub_rows
      ERROR_tpu_vector_UB_ROWS_must_be_a_power_of_two_up_to_65536 check ();
    end
    if ((ACC_ROWS & (ACC_ROWS - 1)) != 0 || (PARAM_ROWS & (PARAM_ROWS - 1)) != 0) begin : g_check_rows
      ERROR_tpu_vector_ACC_ROWS_and_PARAM_ROWS_must_be_powers_of_two check ();
    end
  endgenerate

  // ---- Next instruction ------------------------------------------------------------------------
  wire                        slot_valid;
  wire [`TPU_VECTOR_USED-1:0] slot;
  wire [31:0]                 slot_index;
  wire                        slot_columns;
  wire                        slot_pair;
  wire [15:0]                 slot_n_column;
  wire                        stop;
  wire                        take;

  tpu_vector_slot #(
    .UB_ROWS (UB_ROWS),
    .WINDOW  (WINDOW),
    .BF16    (BF16),
    .INT16   (INT16)
  ) u_slot (
    .clk           (clk),
    .rst           (rst),
    .cmd_valid     (cmd_valid),
    .cmd_ready     (cmd_ready),
    .cmd           (cmd),
    .cmd_index     (cmd_index),
    .stop          (stop),
    .slot_valid    (slot_valid),
    .slot          (slot),
    .slot_index    (slot_index),
    .slot_columns  (slot_columns),
    .slot_pair     (slot_pair),
    .slot_n_column (slot_n_column),
    .take          (take)
  );

  // ---- VECTOR, FVECTOR and IVECTOR -------------------------------------------------------------
  // The instruction in the slot is an FVECTOR, is an IVECTOR; so is the current step's.
  wire                   slot_float;
  wire                   slot_int16;
  wire                   step_float;
  wire                   step_int16;
  // Banks that an instruction in the slot finds taken
  wire [1:0]             int_busy;
  wire [1:0]             float_busy;
  wire [1:0]             int16_busy;
  wire [1:0]             start_busy;
  // What all kinds drive
  wire                   int_stop;
  wire                   int_step_ready;
  wire                   int_b_claim;
  wire                   int_b_pop;
  wire                   int_va_valid;
  wire [UW-1:0]          int_va_row;
  wire                   int_acc_valid;
  wire [AW-1:0]          int_acc_row;
  wire                   int_err_valid;
  wire [3:0]             int_err_code;
  // Active, stalled by port, operand, output
  wire [3:0]             int_events;
  wire                   int_wr_valid;
  wire [UW-1:0]          int_wr_row;
  wire [8*ROW_BYTES-1:0] int_wr_data;
  wire                   int_done;
  wire                   float_stop;
  wire                   float_step_ready;
  wire                   float_b_claim;
  wire                   float_b_pop;
  wire                   float_va_valid;
  wire [UW-1:0]          float_va_row;
  wire                   float_acc_valid;
  wire                   float_err_valid;
  wire [3:0]             float_err_code;
  wire [3:0]             float_events;
  wire                   float_wr_valid;
  wire [UW-1:0]          float_wr_row;
  wire [8*ROW_BYTES-1:0] float_wr_data;
  wire                   float_done;
  wire                   float_rows;
  wire                   float_param_en;
  wire [PW-1:0]          float_param_entry;
  wire                   int16_stop;
  wire                   int16_step_ready;
  wire                   int16_b_claim;
  wire                   int16_b_pop;
  wire                   int16_va_valid;
  wire [UW-1:0]          int16_va_row;
  wire                   int16_acc_valid;
  wire [AW-1:0]          int16_acc_row;
  wire                   int16_err_valid;
  wire [3:0]             int16_err_code;
  wire [3:0]             int16_events;
  wire                   int16_wr_valid;
  wire [UW-1:0]          int16_wr_row;
  wire [8*ROW_BYTES-1:0] int16_wr_data;
  wire                   int16_done;
  wire                   int16_rows;
  wire                   int16_param_en;
  wire [PW-1:0]          int16_param_entry;
  wire [32*LANES-1:0]    biases;
  wire [32*LANES-1:0]    multipliers;
  wire [8*LANES-1:0]     shifts;

  assign stop         = int_stop || float_stop || int16_stop;
  assign step_ready   = int_step_ready || float_step_ready || int16_step_ready;
  assign b_claim      = int_b_claim || float_b_claim || int16_b_claim;
  assign b_pop        = int_b_pop || float_b_pop || int16_b_pop;
  assign va_rd_valid  = int_va_valid || float_va_valid || int16_va_valid;
  assign va_rd_row    = step_float ? float_va_row : step_int16 ? int16_va_row : int_va_row;
  assign acc_rd_valid = int_acc_valid || float_acc_valid || int16_acc_valid;
  // Of VECTOR and FVECTOR the step's row
  assign acc_rd_row   = step_int16 ? int16_acc_row : int_acc_row;
  assign err_valid    = int_err_valid || float_err_valid || int16_err_valid;
  assign err_code     = float_err_valid ? float_err_code : int16_err_valid ? int16_err_code : int_err_code;
  assign vo_wr_valid  = int_wr_valid || float_wr_valid || int16_wr_valid;
  assign vo_wr_row    = float_wr_valid ? float_wr_row : int16_wr_valid ? int16_wr_row : int_wr_row;
  assign vo_wr_data   = float_wr_valid ? float_wr_data : int16_wr_valid ? int16_wr_data : int_wr_data;
  assign done         = int_done || float_done || int16_done;
  assign {ev_stall_output, ev_stall_operand, ev_stall_port, ev_active} = int_events | float_events | int16_events;

  generate
    if (BF16 != 0 || INT16 != 0) begin : g_kinds
      // Bit i: bank i belongs to an FVECTOR, to an IVECTOR. The instruction that started last is one. All count only while some bank is in use.
      reg  [1:0] float_q;
      reg  [1:0] int16_q;
      reg        last_float_q;
      reg        last_int16_q;
      reg        last_adam_q;
      wire       same = slot_float == last_float_q && slot_int16 == last_int16_q && !adam && !last_adam_q;
      wire [1:0] used = int_busy | float_busy | int16_busy;

      wire       adam = BF16 != 0 && slot[`TPU_OPCODE] == `TPU_OP_ADAM;

      assign slot_float = adam || (BF16 != 0 && slot[`TPU_OPCODE] == `TPU_OP_FVECTOR);
      assign slot_int16 = INT16 != 0 && slot[`TPU_OPCODE] == `TPU_OP_IVECTOR;
      assign step_float = BF16 != 0 && float_q[step_token[`TPU_TOKEN_BANK]];
      assign step_int16 = INT16 != 0 && int16_q[step_token[`TPU_TOKEN_BANK]];
      assign start_busy = same ? used : {2{used != 2'd0}};

      always @(posedge clk) begin
        if (take) begin
          float_q[take_bank] <= slot_float;
          int16_q[take_bank] <= slot_int16;
          last_float_q       <= slot_float;
          last_int16_q       <= slot_int16;
          last_adam_q        <= adam;
        end
      end
    end else begin : g_vector_alone
      assign slot_float = 1'b0;
      assign slot_int16 = 1'b0;
      assign step_float = 1'b0;
      assign step_int16 = 1'b0;
      assign start_busy = int_busy;

      wire unused = &{1'b0, biases, multipliers};
    end
  endgenerate

  // ---- Sources ---------------------------------------------------------------------------------
  wire                       take_bank;
  wire                       lacks_bank;
  wire                       source_busy;
  wire                       step_valid;
  wire                       step_ready;
  wire [`TPU_TOKEN_BITS-1:0] step_token;
  wire                       step_acc;
  wire [15:0]                step_row;
  wire                       step_bad_row;
  wire                       step_bad_param;
  wire                       step_bad_out_row;
  wire [PW-1:0]              step_param;
  wire [UW-1:0]              step_out_row;
  wire                       b_seen;
  wire                       b_have;
  wire                       b_hungry;
  wire [1:0]                 b_bank;
  wire                       b_fault;
  wire                       b_claim;
  wire                       b_pop;
  wire [8*ROW_BYTES-1:0]     b_row;
  wire                       b_present;
  wire                       c_seen;
  wire                       c_have;
  wire                       c_hungry;
  wire [1:0]                 c_bank;
  wire                       c_fault;
  wire                       c_claim;
  wire                       c_pop;
  wire [8*ROW_BYTES-1:0]     c_row;
  wire                       c_present;
  wire [`TPU_TOKEN_BITS-1:0] token;

  tpu_vector_source #(
    .UB_ROWS    (UB_ROWS),
    .ACC_ROWS   (ACC_ROWS),
    .PARAM_ROWS (PARAM_ROWS)
  ) u_source (
    .clk              (clk),
    .rst              (rst),
    .cmd_valid        (slot_valid),
    .cmd              (slot),
    .cmd_index        (slot_index),
    .cmd_columns      (slot_columns),
    .cmd_pair         (slot_pair),
    .cmd_n_column     (slot_n_column),
    .cmd_seen         (b_seen && c_seen),
    .cmd_take         (take),
    .bank_busy        (start_busy),
    .take_bank        (take_bank),
    .lacks_bank       (lacks_bank),
    .busy             (source_busy),
    .step_valid       (step_valid),
    .step_ready       (step_ready),
    .step_token       (step_token),
    .step_index       (err_index),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (step_bad_out_row),
    .step_param       (step_param),
    .step_out_row     (step_out_row)
  );

  tpu_vector_issue #(
    .UB_ROWS       (UB_ROWS),
    .ACC_ROWS      (ACC_ROWS),
    .REQUANT_LANES (REQUANT_LANES)
  ) u_issue (
    .clk              (clk),
    .rst              (rst),
    .halt             (halt),
    .stop             (int_stop),
    .step_valid       (step_valid && !step_float && !step_int16),
    .step_ready       (int_step_ready),
    .step_token       (step_token),
    .step_acc         (step_acc),
    .step_row         (step_row),
    .step_bad_row     (step_bad_row),
    .step_bad_param   (step_bad_param),
    .step_bad_out_row (step_bad_out_row),
    .lacks_bank       (lacks_bank && !step_valid && !float_stop && !int16_stop),
    .b_have           (b_have),
    .b_hungry         (b_hungry),
    .b_bank           (b_bank),
    .b_fault          (b_fault),
    .b_claim          (int_b_claim),
    .c_have           (c_have),
    .c_hungry         (c_hungry),
    .c_bank           (c_bank),
    .c_fault          (c_fault),
    .c_claim          (c_claim),
    .va_rd_valid      (int_va_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (int_va_row),
    .acc_rd_valid     (int_acc_valid),
    .acc_rd_ready     (acc_rd_ready),
    .acc_rd_row       (int_acc_row),
    .token            (token),
    .err_valid        (int_err_valid),
    .err_code         (int_err_code),
    .ev_active        (int_events[0]),
    .ev_stall_port    (int_events[1]),
    .ev_stall_operand (int_events[2]),
    .ev_stall_output  (int_events[3])
  );

  tpu_vector_operand #(
    .STREAM    (1),
    .ROW_BYTES (ROW_BYTES),
    .UB_ROWS   (UB_ROWS),
    .BF16      (BF16),
    .INT16     (INT16)
  ) u_stream_1 (
    .clk          (clk),
    .rst          (rst),
    .cmd_valid    (slot_valid),
    .cmd          (slot),
    .cmd_columns  (slot_columns),
    .cmd_n_column (slot_n_column),
    .cmd_take     (take),
    .cmd_seen     (b_seen),
    .stop         (stop),
    .have         (b_have),
    .hungry       (b_hungry),
    .bank         (b_bank),
    .other_hungry (c_hungry),
    .other_bank   (c_bank),
    .fault        (b_fault),
    .claim        (b_claim),
    .pop          (b_pop),
    .data         (b_row),
    .present      (b_present),
    .rd_valid     (vb_rd_valid),
    .rd_ready     (vb_rd_ready),
    .rd_row       (vb_rd_row),
    .rd_data      (vb_rd_data)
  );

  generate
    if (WINDOW != 0) begin : g_stream_2
      tpu_vector_operand #(
        .STREAM    (2),
        .ROW_BYTES (ROW_BYTES),
        .UB_ROWS   (UB_ROWS)
      ) u_stream_2 (
        .clk          (clk),
        .rst          (rst),
        .cmd_valid    (slot_valid),
        .cmd          (slot),
        .cmd_columns  (slot_columns),
        .cmd_n_column (slot_n_column),
        .cmd_take     (take),
        .cmd_seen     (c_seen),
        .stop         (stop),
        .have         (c_have),
        .hungry       (c_hungry),
        .bank         (c_bank),
        .other_hungry (1'b0),
        .other_bank   (2'd0),
        .fault        (c_fault),
        .claim        (c_claim),
        .pop          (c_pop),
        .data         (c_row),
        .present      (c_present),
        .rd_valid     (vc_rd_valid),
        .rd_ready     (vc_rd_ready),
        .rd_row       (vc_rd_row),
        .rd_data      (vc_rd_data)
      );
    end else begin : g_no_stream_2
      assign c_seen      = 1'b1;
      assign c_have      = 1'b0;
      assign c_hungry    = 1'b0;
      assign c_bank      = 2'd0;
      assign c_fault     = 1'b0;
      assign vc_rd_valid = 1'b0;
      // Nobody looks at these.
      assign c_row       = {8*ROW_BYTES{1'bx}};
      assign c_present   = 1'bx;
      assign vc_rd_row   = {UW{1'bx}};

      wire unused = &{1'b0, c_claim, c_pop, vc_rd_ready, vc_rd_data};
    end
  endgenerate

  // ---- FVECTOR ---------------------------------------------------------------------------------
  generate
    if (BF16 != 0) begin : g_float
      tpu_fvector #(
        .LANES       (LANES),
        .UB_ROWS     (UB_ROWS),
        .ACC_ROWS    (ACC_ROWS),
        .PARAM_ROWS  (PARAM_ROWS),
        .FLOAT_LANES (FLOAT_LANES)
      ) u_fvector (
        .clk              (clk),
        .rst              (rst),
        .halt             (halt),
        .stop             (float_stop),
        .take             (take && slot_float),
        .take_bank        (take_bank),
        .cmd              (slot),
        .bank_busy        (float_busy),
        .step_valid       (step_valid && step_float),
        .step_ready       (float_step_ready),
        .step_token       (step_token),
        .step_acc         (step_acc),
        .step_row         (step_row),
        .step_bad_row     (step_bad_row),
        .step_bad_param   (step_bad_param),
        .step_bad_out_row (step_bad_out_row),
        .step_param       (step_param),
        .step_out_row     (step_out_row),
        .va_rd_valid      (float_va_valid),
        .va_rd_ready      (va_rd_ready),
        .va_rd_row        (float_va_row),
        .va_rd_data       (va_rd_data),
        .acc_rd_valid     (float_acc_valid),
        .acc_rd_ready     (acc_rd_ready),
        .acc_rd_data      (acc_rd_data),
        .b_have           (b_have),
        .b_fault          (b_fault),
        .b_claim          (float_b_claim),
        .b_pop            (float_b_pop),
        .b_row            (b_row),
        .param_en         (float_param_en),
        .param_entry      (float_param_entry),
        .biases           (biases),
        .multipliers      (multipliers),
        .wr_valid         (float_wr_valid),
        .wr_row           (float_wr_row),
        .wr_data          (float_wr_data),
        .rows_on_way      (float_rows),
        .done             (float_done),
        .err_valid        (float_err_valid),
        .err_code         (float_err_code),
        .ev_active        (float_events[0]),
        .ev_stall_port    (float_events[1]),
        .ev_stall_operand (float_events[2]),
        .ev_stall_output  (float_events[3])
      );
    end else begin : g_no_float
      assign float_busy        = 2'd0;
      assign float_stop        = 1'b0;
      assign float_step_ready  = 1'b0;
      assign float_b_claim     = 1'b0;
      assign float_b_pop       = 1'b0;
      assign float_va_valid    = 1'b0;
      assign float_va_row      = {UW{1'b0}};
      assign float_acc_valid   = 1'b0;
      assign float_err_valid   = 1'b0;
      assign float_err_code    = 4'd0;
      assign float_events      = 4'd0;
      assign float_wr_valid    = 1'b0;
      assign float_wr_row      = {UW{1'b0}};
      assign float_wr_data     = {8*ROW_BYTES{1'b0}};
      assign float_done        = 1'b0;
      assign float_rows        = 1'b0;
      assign float_param_en    = 1'b0;
      assign float_param_entry = {PW{1'b0}};

      wire unused = &{1'b0, float_busy};
    end
  endgenerate

  // ---- IVECTOR ---------------------------------------------------------------------------------
  generate
    if (INT16 != 0) begin : g_int16
      tpu_ivector #(
        .LANES       (LANES),
        .UB_ROWS     (UB_ROWS),
        .ACC_ROWS    (ACC_ROWS),
        .PARAM_ROWS  (PARAM_ROWS),
        .INT16_LANES (INT16_LANES)
      ) u_ivector (
        .clk              (clk),
        .rst              (rst),
        .halt             (halt),
        .stop             (int16_stop),
        .take             (take && slot_int16),
        .take_bank        (take_bank),
        .cmd              (slot[`TPU_IVECTOR_USED-1:0]),
        .bank_busy        (int16_busy),
        .step_valid       (step_valid && step_int16),
        .step_ready       (int16_step_ready),
        .step_token       (step_token),
        .step_acc         (step_acc),
        .step_row         (step_row),
        .step_bad_row     (step_bad_row),
        .step_bad_param   (step_bad_param),
        .step_bad_out_row (step_bad_out_row),
        .step_param       (step_param),
        .step_out_row     (step_out_row),
        .va_rd_valid      (int16_va_valid),
        .va_rd_ready      (va_rd_ready),
        .va_rd_row        (int16_va_row),
        .va_rd_data       (va_rd_data),
        .acc_rd_valid     (int16_acc_valid),
        .acc_rd_ready     (acc_rd_ready),
        .acc_rd_row       (int16_acc_row),
        .acc_rd_data      (acc_rd_data),
        .b_have           (b_have),
        .b_fault          (b_fault),
        .b_claim          (int16_b_claim),
        .b_pop            (int16_b_pop),
        .b_row            (b_row),
        .param_en         (int16_param_en),
        .param_entry      (int16_param_entry),
        .biases           (biases),
        .multipliers      (multipliers),
        .shifts           (shifts),
        .lut_wr_valid     (lut_wr_valid),
        .lut_wr_addr      (lut_wr_addr),
        .lut_wr_data      (lut_wr_data),
        .wr_valid         (int16_wr_valid),
        .wr_row           (int16_wr_row),
        .wr_data          (int16_wr_data),
        .rows_on_way      (int16_rows),
        .done             (int16_done),
        .err_valid        (int16_err_valid),
        .err_code         (int16_err_code),
        .ev_active        (int16_events[0]),
        .ev_stall_port    (int16_events[1]),
        .ev_stall_operand (int16_events[2]),
        .ev_stall_output  (int16_events[3])
      );
    end else begin : g_no_int16
      assign int16_busy        = 2'd0;
      assign int16_stop        = 1'b0;
      assign int16_step_ready  = 1'b0;
      assign int16_b_claim     = 1'b0;
      assign int16_b_pop       = 1'b0;
      assign int16_va_valid    = 1'b0;
      assign int16_va_row      = {UW{1'b0}};
      assign int16_acc_valid   = 1'b0;
      assign int16_acc_row     = {AW{1'b0}};
      assign int16_err_valid   = 1'b0;
      assign int16_err_code    = 4'd0;
      assign int16_events      = 4'd0;
      assign int16_wr_valid    = 1'b0;
      assign int16_wr_row      = {UW{1'b0}};
      assign int16_wr_data     = {8*ROW_BYTES{1'b0}};
      assign int16_done        = 1'b0;
      assign int16_rows        = 1'b0;
      assign int16_param_en    = 1'b0;
      assign int16_param_entry = {PW{1'b0}};

      wire unused = &{1'b0, int16_busy, shifts};
    end
  endgenerate

  // ---- Lanes -----------------------------------------------------------------------------------
  wire               out_valid;
  wire               out_final;
  wire [8*LANES-1:0] out_bytes;

  tpu_vector_lanes #(
    .LANES          (LANES),
    .PARAM_ROWS     (PARAM_ROWS),
    .WINDOW         (WINDOW),
    .REQUANT_LANES  (REQUANT_LANES),
    .SHARED         (BF16 != 0 || INT16 != 0),
    .FLOAT_ROUNDING (FLOAT_ROUNDING)
  ) u_lanes (
    .clk               (clk),
    .rst               (rst),
    .take              (take && !slot_float && !slot_int16),
    .take_bank         (take_bank),
    .cmd               (slot),
    .bank_busy         (int_busy),
    .token             (token),
    .token_param       (step_param),
    .a_bytes           (va_rd_data),
    .a_words           (acc_rd_data),
    .b_bytes           (b_row),
    .b_present         (b_present),
    .b_pop             (int_b_pop),
    .c_bytes           (c_row),
    .c_present         (c_present),
    .c_pop             (c_pop),
    .out_valid         (out_valid),
    .out_final         (out_final),
    .out_bytes         (out_bytes),
    .other_en          (float_param_en || int16_param_en),
    .other_entry       (int16_param_en ? int16_param_entry : float_param_entry),
    .other_biases      (biases),
    .other_multipliers (multipliers),
    .other_shifts      (shifts),
    .param_wr_valid    (param_wr_valid),
    .param_wr_entry    (param_wr_entry),
    .param_wr_chunk    (param_wr_chunk),
    .param_wr_data     (param_wr_data),
    .lut_wr_valid      (lut_wr_valid),
    .lut_wr_addr       (lut_wr_addr),
    .lut_wr_data       (lut_wr_data)
  );

  // ---- Write-back ------------------------------------------------------------------------------
  wire rows_on_way;

  assign busy = slot_valid || source_busy || step_valid || rows_on_way || float_rows || int16_rows;

  tpu_vector_output #(
    .LANES   (LANES),
    .UB_ROWS (UB_ROWS)
  ) u_output (
    .clk           (clk),
    .rst           (rst),
    .in_row_valid  (token[`TPU_TOKEN_LAST]),
    .in_row        (step_out_row),
    .in_data_valid (out_valid),
    .in_final      (out_final),
    .in_data       (out_bytes),
    .vo_wr_valid   (int_wr_valid),
    .vo_wr_row     (int_wr_row),
    .vo_wr_data    (int_wr_data),
    .rows_on_way   (rows_on_way),
    .done          (int_done)
  );

endmodule

`default_nettype wire
