// Control of the floating-point lanes for proofs of tpu_fvector_lanes around it: anything at any time, but a turn is a lane's of a group.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_float_lane.vh"
`include "tpu_isa.vh"

module tpu_fvector_pipe #(
  parameter PARAM_ROWS = 512,
  parameter FLOAT_LANES = 2
) (
  input  wire                           clk,
  input  wire                           rst,
  input  wire                           take,
  input  wire                           take_bank,
  input  wire [`TPU_FVECTOR_USED-1:0]   cmd,
  output wire [1:0]                     bank_busy,
  input  wire                           a_line,
  input  wire                           b_line,
  input  wire                           tap,
  input  wire                           tap_bank,
  input  wire                           tap_inside,
  input  wire                           tap_first,
  input  wire                           tap_last,
  input  wire                           tap_final,
  input  wire [$clog2(PARAM_ROWS)-1:0]  tap_param,
  output wire                           take_a,
  output wire                           take_acc,
  output wire                           take_b,
  output wire                           adam,
  input  wire                           adam_final,
  output wire [`TPU_FLOAT_TAP_BITS-1:0] tap_control,
  output wire [`TPU_FLOAT_ROW_BITS-1:0] row_control,
  output wire                           param_en,
  output wire [$clog2(PARAM_ROWS)-1:0]  param_entry,
  output wire [5:0]                     turn10,
  output wire [5:0]                     turn11,
  output wire                           row_done,
  output wire                           row_final,
  output wire [1:0]                     row_last,
  output wire                           row_interleave
);

  (* anyseq *) wire [1:0]                     any_bank_busy;
  (* anyseq *) wire                           any_take_a;
  (* anyseq *) wire                           any_take_acc;
  (* anyseq *) wire                           any_take_b;
  (* anyseq *) wire                           any_adam;
  (* anyseq *) wire [`TPU_FLOAT_TAP_BITS-1:0] any_tap_control;
  (* anyseq *) wire [`TPU_FLOAT_ROW_BITS-1:0] any_row_control;
  (* anyseq *) wire                           any_param_en;
  (* anyseq *) wire [$clog2(PARAM_ROWS)-1:0]  any_param_entry;
  (* anyseq *) wire [5:0]                     any_turn10;
  (* anyseq *) wire [5:0]                     any_turn11;
  (* anyseq *) wire                           any_row_done;
  (* anyseq *) wire                           any_row_final;
  (* anyseq *) wire [1:0]                     any_row_last;
  (* anyseq *) wire                           any_row_interleave;

  assign bank_busy      = any_bank_busy;
  assign take_a         = any_take_a;
  assign take_acc       = any_take_acc;
  assign take_b         = any_take_b;
  assign adam           = any_adam;
  assign tap_control    = any_tap_control;
  assign row_control    = any_row_control;
  assign param_en       = any_param_en;
  assign param_entry    = any_param_entry;
  assign turn10         = any_turn10;
  assign turn11         = any_turn11;
  assign row_done       = any_row_done;
  assign row_final      = any_row_final;
  assign row_last       = any_row_last;
  assign row_interleave = any_row_interleave;

  always @* assume (turn10 < FLOAT_LANES && turn11 < FLOAT_LANES);

endmodule

`default_nettype wire
