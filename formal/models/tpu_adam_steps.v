// Control of ADAM for proofs of tpu_fvector_lanes around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_isa.vh"

module tpu_adam_steps #(
  parameter PARAM_ROWS = 512,
  parameter FLOAT_LANES = 2
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          take,
  input  wire [`TPU_ADAM_USED-1:0]     cmd,
  input  wire                          first_tap,
  input  wire                          second_tap,
  input  wire                          final_tap,
  output wire [`TPU_UPDATE_BITS-1:0]   control,
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  output wire                          out_kept,
  output wire                          out_weight,
  output wire                          out_final
);

  (* anyseq *) wire [`TPU_UPDATE_BITS-1:0]   any_control;
  (* anyseq *) wire                          any_param_en;
  (* anyseq *) wire [$clog2(PARAM_ROWS)-1:0] any_param_entry;
  (* anyseq *) wire                          any_out_kept;
  (* anyseq *) wire                          any_out_weight;
  (* anyseq *) wire                          any_out_final;

  assign control     = any_control;
  assign param_en    = any_param_en;
  assign param_entry = any_param_entry;
  assign out_kept    = any_out_kept;
  assign out_weight  = any_out_weight;
  assign out_final   = any_out_final;

endmodule

`default_nettype wire
