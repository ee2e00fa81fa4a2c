// Another stream of the vector unit for proofs around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_operand #(
  parameter STREAM = 1,
  parameter ROW_BYTES = 16,
  parameter UB_ROWS = 16384,
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input  wire                        clk,
  input  wire                        rst,
  input  wire                        cmd_valid,
  input  wire [`TPU_VECTOR_USED-1:0] cmd,
  input  wire                        cmd_columns,
  input  wire [15:0]                 cmd_n_column,
  input  wire                        cmd_take,
  output wire                        cmd_seen,
  input  wire                        stop,
  output wire                        have,
  output wire                        hungry,
  output wire [1:0]                  bank,
  input  wire                        other_hungry,
  input  wire [1:0]                  other_bank,
  output wire                        fault,
  input  wire                        claim,
  input  wire                        pop,
  output wire [8*ROW_BYTES-1:0]      data,
  output wire                        present,
  output wire                        rd_valid,
  input  wire                        rd_ready,
  output wire [$clog2(UB_ROWS)-1:0]  rd_row,
  input  wire [8*ROW_BYTES-1:0]      rd_data
);

  (* anyseq *) wire                       any_cmd_seen;
  (* anyseq *) wire                       any_have;
  (* anyseq *) wire                       any_hungry;
  (* anyseq *) wire [1:0]                 any_bank;
  (* anyseq *) wire                       any_fault;
  (* anyseq *) wire [8*ROW_BYTES-1:0]     any_data;
  (* anyseq *) wire                       any_present;
  (* anyseq *) wire                       any_rd_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0] any_rd_row;

  assign cmd_seen = any_cmd_seen;
  assign have     = any_have;
  assign hungry   = any_hungry;
  assign bank     = any_bank;
  assign fault    = any_fault;
  assign data     = any_data;
  assign present  = any_present;
  assign rd_valid = any_rd_valid;
  assign rd_row   = any_rd_row;

endmodule

`default_nettype wire
