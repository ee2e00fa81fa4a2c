// Vector unit: N lanes between the accumulators, the unified buffer and back to the unified buffer (docs/isa.md section 7).
//
// A tap of source A is issued per cycle and flows through the lanes without ever stalling (stages: tpu_vector_lanes); 3 x 3 windows
// go column by column, three pixels per cycle (docs/architecture.md section 6).
//
// An accepted command waits in one slot until the other streams (which run ahead) and source A have started it, so the next one can be
// accepted while an instruction runs. From acceptance to the first tap: 2 cycles, 3 with another stream. A third instruction does
// not start before the last row of the first has left the lanes (two configuration banks).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector #(
  // Lanes
  parameter N = 16,
  // Unified buffer rows, at most 65536, a power of two
  parameter UB_ROWS = 16384,
  // Accumulator rows, a power of two
  parameter ACC_ROWS = 2048,
  // Parameter entries, a power of two
  parameter PARAM_ROWS = 512,
  // 1: with the 3 x 3 window
  parameter WINDOW = 1,
  // Lanes that share a requantiser, a power of two up to the lanes
  parameter REQUANT_LANES = 1
) (
  input  wire                          clk,
  input  wire                          rst,

  // Command
  input  wire                          cmd_valid,
  output wire                          cmd_ready,
  input  wire [1023:0]                 cmd,
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
  input  wire [8*N-1:0]                va_rd_data,
  output wire                          vb_rd_valid,
  input  wire                          vb_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    vb_rd_row,
  input  wire [8*N-1:0]                vb_rd_data,
  output wire                          vc_rd_valid,
  input  wire                          vc_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]    vc_rd_row,
  input  wire [8*N-1:0]                vc_rd_data,

  // Accumulator reads
  output wire                          acc_rd_valid,
  input  wire                          acc_rd_ready,
  output wire [$clog2(ACC_ROWS)-1:0]   acc_rd_row,
  input  wire [32*N-1:0]               acc_rd_data,

  // Unified buffer writes, always taken
  output wire                          vo_wr_valid,
  output wire [$clog2(UB_ROWS)-1:0]    vo_wr_row,
  output wire [8*N-1:0]                vo_wr_data,

  // Parameter and lookup table writes
  input  wire                          param_wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input  wire [3:0]                    param_wr_chunk,
  input  wire [8*N-1:0]                param_wr_data,
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
  localparam PW = $clog2(PARAM_ROWS);

  generate
    if (N < 4 || (N & (N - 1)) != 0) begin : g_check_n
      ERROR_tpu_vector_N_must_be_a_power_of_two_from_4 check ();
    end
    if (UB_ROWS > 65536 || (UB_ROWS & (UB_ROWS - 1)) != 0) begin : g_check_ub_rows
      ERROR_tpu_vector_UB_ROWS_must_be_a_power_of_two_up_to_65536 check ();
    end
    if ((ACC_ROWS & (ACC_ROWS - 1)) != 0 || (PARAM_ROWS & (PARAM_ROWS - 1)) != 0) begin : g_check_rows
      ERROR_tpu_vector_ACC_ROWS_and_PARAM_ROWS_must_be_powers_of_two check ();
    end
  endgenerate

  // ---- Next instruction ------------------------------------------------------------------------
  wire         slot_valid;
  wire [`TPU_VECTOR_USED-1:0] slot;
  wire [31:0]  slot_index;
  wire         slot_columns;
  wire         slot_pair;
  wire         stop;
  wire         take;
  wire         b_seen;
  wire         c_seen;
  wire         issue_busy;

  assign busy = slot_valid || issue_busy || rows_on_way || done;

  tpu_vector_slot #(
    .UB_ROWS (UB_ROWS)
  ) u_slot (
    .clk          (clk),
    .rst          (rst),
    .cmd_valid    (cmd_valid),
    .cmd_ready    (cmd_ready),
    .cmd          (cmd),
    .cmd_index    (cmd_index),
    .stop         (stop),
    .slot_valid   (slot_valid),
    .slot         (slot),
    .slot_index   (slot_index),
    .slot_columns (slot_columns),
    .slot_pair    (slot_pair),
    .take         (take)
  );

  // ---- Sources ---------------------------------------------------------------------------------
  wire           take_tag;
  wire [1:0]     bank_busy;
  wire           b_have;
  wire           b_hungry;
  wire [1:0]     b_bank;
  wire           b_fault;
  wire           b_claim;
  wire [8*N-1:0] b_row;
  wire           b_present;
  wire           c_have;
  wire           c_hungry;
  wire [1:0]     c_bank;
  wire           c_fault;
  wire           c_claim;
  wire [8*N-1:0] c_row;
  wire           c_present;
  wire           column;
  wire           column_weight;
  wire           column_present;
  wire           tap;
  wire           tap_window;
  wire           tap_inside;
  wire           tap_uses_b;
  wire           tap_first;
  wire           tap_last;
  wire           tap_final;
  wire           tap_tag;
  wire [PW-1:0]  tap_param;
  wire [UW-1:0]  tap_out_row;
  wire           rows_on_way;
  wire           b_pop;
  wire           c_pop;

  tpu_vector_issue #(
    .UB_ROWS    (UB_ROWS),
    .ACC_ROWS   (ACC_ROWS),
    .PARAM_ROWS (PARAM_ROWS)
  ) u_issue (
    .clk              (clk),
    .rst              (rst),
    .cmd_valid        (slot_valid),
    .cmd              (slot),
    .cmd_index        (slot_index),
    .cmd_columns      (slot_columns),
    .cmd_pair         (slot_pair),
    .cmd_seen         (b_seen && c_seen),
    .cmd_take         (take),
    .halt             (halt),
    .stop             (stop),
    .busy             (issue_busy),
    .bank_busy        (bank_busy),
    .take_tag         (take_tag),
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
    .column           (column),
    .column_weight    (column_weight),
    .column_present   (column_present),
    .tap              (tap),
    .tap_window       (tap_window),
    .tap_inside       (tap_inside),
    .tap_uses_b       (tap_uses_b),
    .tap_first        (tap_first),
    .tap_last         (tap_last),
    .tap_final        (tap_final),
    .tap_tag          (tap_tag),
    .tap_param        (tap_param),
    .tap_out_row      (tap_out_row),
    .err_valid        (err_valid),
    .err_code         (err_code),
    .err_index        (err_index),
    .ev_active        (ev_active),
    .ev_stall_port    (ev_stall_port),
    .ev_stall_operand (ev_stall_operand),
    .ev_stall_output  (ev_stall_output)
  );

  tpu_vector_operand #(
    .STREAM  (1),
    .N       (N),
    .UB_ROWS (UB_ROWS)
  ) u_stream_1 (
    .clk          (clk),
    .rst          (rst),
    .cmd_valid    (slot_valid),
    .cmd          (slot),
    .cmd_columns  (slot_columns),
    .cmd_pair     (slot_pair),
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

  tpu_vector_operand #(
    .STREAM  (2),
    .N       (N),
    .UB_ROWS (UB_ROWS)
  ) u_stream_2 (
    .clk          (clk),
    .rst          (rst),
    .cmd_valid    (slot_valid),
    .cmd          (slot),
    .cmd_columns  (slot_columns),
    .cmd_pair     (slot_pair),
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

  // ---- Lanes -----------------------------------------------------------------------------------
  wire           out_valid;
  wire [8*N-1:0] out_bytes;
  wire [`TPU_TOKEN_BITS-1:0] token;

  assign token[`TPU_TOKEN_TAP]    = tap;
  assign token[`TPU_TOKEN_COLUMN] = column;
  assign token[`TPU_TOKEN_WEIGHT] = column_weight;
  assign token[`TPU_TOKEN_UPPER]  = column_present;
  assign token[`TPU_TOKEN_WINDOW] = tap_window;
  assign token[`TPU_TOKEN_INSIDE] = tap_inside;
  assign token[`TPU_TOKEN_USES_B] = tap_uses_b;
  assign token[`TPU_TOKEN_FIRST]  = tap_first;
  assign token[`TPU_TOKEN_LAST]   = tap && tap_last;
  assign token[`TPU_TOKEN_FINAL]  = tap && tap_final;
  assign token[`TPU_TOKEN_BANK]   = tap_tag;

  tpu_vector_lanes #(
    .LANES         (N),
    .PARAM_ROWS    (PARAM_ROWS),
    .WINDOW        (WINDOW),
    .REQUANT_LANES (REQUANT_LANES)
  ) u_lanes (
    .clk            (clk),
    .rst            (rst),
    .take           (take),
    .take_bank      (take_tag),
    .cmd            (slot),
    .bank_busy      (bank_busy),
    .token          (token),
    .token_param    (tap_param),
    .a_bytes        (va_rd_data),
    .a_words        (acc_rd_data),
    .b_bytes        (b_row),
    .b_present      (b_present),
    .b_pop          (b_pop),
    .c_bytes        (c_row),
    .c_present      (c_present),
    .c_pop          (c_pop),
    .out_valid      (out_valid),
    .out_bytes      (out_bytes),
    .param_wr_valid (param_wr_valid),
    .param_wr_entry (param_wr_entry),
    .param_wr_chunk (param_wr_chunk),
    .param_wr_data  (param_wr_data),
    .lut_wr_valid   (lut_wr_valid),
    .lut_wr_addr    (lut_wr_addr),
    .lut_wr_data    (lut_wr_data)
  );

  // ---- Write-back ------------------------------------------------------------------------------
  tpu_vector_output #(
    .LANES   (N),
    .UB_ROWS (UB_ROWS)
  ) u_output (
    .clk           (clk),
    .rst           (rst),
    .in_row_valid  (tap && tap_last),
    .in_row        (tap_out_row),
    .in_final      (tap_final),
    .in_data_valid (out_valid),
    .in_data       (out_bytes),
    .vo_wr_valid   (vo_wr_valid),
    .vo_wr_row     (vo_wr_row),
    .vo_wr_data    (vo_wr_data),
    .rows_on_way   (rows_on_way),
    .done          (done)
  );

endmodule

`default_nettype wire
