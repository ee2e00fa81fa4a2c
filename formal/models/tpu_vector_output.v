// Write-back of VECTOR for proofs of tpu_vector around it: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_vector_output #(
  parameter LANES = 16,
  parameter UB_ROWS = 16384,
  parameter DEPTH = 32
) (
  input  wire                       clk,
  input  wire                       rst,
  input  wire                       in_row_valid,
  input  wire [$clog2(UB_ROWS)-1:0] in_row,
  input  wire                       in_data_valid,
  input  wire                       in_final,
  input  wire [8*LANES-1:0]         in_data,
  output wire                       vo_wr_valid,
  output wire [$clog2(UB_ROWS)-1:0] vo_wr_row,
  output wire [8*LANES-1:0]         vo_wr_data,
  output wire                       rows_on_way,
  output wire                       done
);

  (* anyseq *) wire                       any_vo_wr_valid;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0] any_vo_wr_row;
  (* anyseq *) wire [8*LANES-1:0]         any_vo_wr_data;
  (* anyseq *) wire                       any_rows_on_way;
  (* anyseq *) wire                       any_done;

  assign vo_wr_valid = any_vo_wr_valid;
  assign vo_wr_row   = any_vo_wr_row;
  assign vo_wr_data  = any_vo_wr_data;
  assign rows_on_way = any_rows_on_way;
  assign done        = any_done;

endmodule

`default_nettype wire
