// Control of the integer lanes for proofs of tpu_ivector_lanes around it: anything at any time, but a turn is a lane's of a group.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"

module tpu_ivector_pipe #(
  parameter PARAM_ROWS = 512,
  parameter INT16_LANES = 4
) (
  input  wire                             clk,
  input  wire                             rst,
  input  wire                             take,
  input  wire                             take_bank,
  input  wire [`TPU_IVECTOR_USED-1:0]     cmd,
  output wire [1:0]                       bank_busy,
  input  wire                             a_line,
  input  wire                             a_high,
  input  wire                             b_line,
  input  wire                             tap,
  input  wire                             tap_bank,
  input  wire                             tap_inside,
  input  wire                             tap_first,
  input  wire                             tap_last,
  input  wire                             tap_final,
  input  wire [$clog2(PARAM_ROWS)-1:0]    tap_param,
  output wire                             take_a,
  output wire                             take_acc,
  output wire                             take_b,
  output wire [`TPU_IVECTOR_TAP_BITS-1:0] tap_control,
  output wire [`TPU_IVECTOR_ROW_BITS-1:0] row_control,
  output wire                             param_en,
  output wire [$clog2(PARAM_ROWS)-1:0]    param_entry,
  output wire [5:0]                       turn9,
  output wire [5:0]                       turn10,
  output wire                             row_done,
  output wire                             row_final,
  output wire [1:0]                       row_last
);

  (* anyseq *) wire [2:0]                       takes;
  (* anyseq *) wire [`TPU_IVECTOR_ROW_BITS-1:0] controls;
  (* anyseq *) wire [11:0]                      turns;

  assign {take_a, take_acc, take_b} = takes;
  assign row_control                = controls;
  assign {turn9, turn10}            = turns;
  assign tap_control                = {`TPU_IVECTOR_TAP_BITS{1'b0}};
  assign bank_busy                  = 2'd0;
  assign param_en                   = 1'b0;
  assign param_entry                = {$clog2(PARAM_ROWS){1'b0}};
  assign row_done                   = 1'b0;
  assign row_final                  = 1'b0;
  assign row_last                   = 2'd0;

  always @* assume (turn9 < INT16_LANES && turn10 < INT16_LANES);

endmodule

`default_nettype wire
