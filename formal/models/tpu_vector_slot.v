// The slot of the vector unit for proofs around it: any instruction at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_slot #(
  parameter UB_ROWS = 16384,
  parameter WINDOW = 1,
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input  wire                        clk,
  input  wire                        rst,
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [`TPU_VECTOR_USED-1:0] cmd,
  input  wire [31:0]                 cmd_index,
  input  wire                        stop,
  output wire                        slot_valid,
  output wire [`TPU_VECTOR_USED-1:0] slot,
  output wire [31:0]                 slot_index,
  output wire                        slot_columns,
  output wire                        slot_pair,
  output wire [15:0]                 slot_n_column,
  input  wire                        take
);

  (* anyseq *) wire                        any_cmd_ready;
  (* anyseq *) wire                        any_slot_valid;
  (* anyseq *) wire [`TPU_VECTOR_USED-1:0] any_slot;
  (* anyseq *) wire [31:0]                 any_slot_index;
  (* anyseq *) wire                        any_slot_columns;
  (* anyseq *) wire                        any_slot_pair;
  (* anyseq *) wire [15:0]                 any_slot_n_column;

  assign cmd_ready     = any_cmd_ready;
  assign slot_valid    = any_slot_valid;
  assign slot          = any_slot;
  assign slot_index    = any_slot_index;
  assign slot_columns  = any_slot_columns;
  assign slot_pair     = any_slot_pair;
  assign slot_n_column = any_slot_n_column;

endmodule

`default_nettype wire
