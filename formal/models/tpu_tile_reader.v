// Tile reader for proofs of what is around it: any rows; behind one that does not exist none is an instruction's last, before all stops. More about
// it is proved in formal/tpu_tile_reader.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_tile_reader #(
  parameter ROW_BYTES = 16,
  parameter LANES = 16,
  parameter UB_ROWS = 16384
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          stop,

  input  wire                          start,
  input  wire [`TPU_UBWEIGHTS_USED-1:0] cmd,

  output wire                          rd_valid,
  input  wire                          rd_ready,
  output wire                          rd_pair,
  output wire [$clog2(UB_ROWS)-1:0]    rd_row,
  input  wire [16*ROW_BYTES-1:0]       rd_data,
  output wire                          fault,

  output wire                          row_ready,
  output wire                          row_last,
  input  wire                          row_en,
  output wire [16*ROW_BYTES-1:0]       row_data
);

  (* anyseq *) wire                       any_rd_valid;
  (* anyseq *) wire                       any_rd_pair;
  (* anyseq *) wire [$clog2(UB_ROWS)-1:0] any_rd_row;
  (* anyseq *) wire                       any_fault;
  (* anyseq *) wire                       any_ready;
  (* anyseq *) wire                       any_last;
  (* anyseq *) wire [16*ROW_BYTES-1:0]    any_data;

  reg  fault_q;

  assign rd_valid  = any_rd_valid;
  assign rd_pair   = any_rd_pair;
  assign rd_row    = any_rd_row;
  assign fault     = any_fault;
  assign row_ready = any_ready;
  assign row_last  = any_last && (stop || !(fault || fault_q));
  assign row_data  = any_data;

  always @(posedge clk) fault_q <= !rst && !start && (fault || fault_q);

endmodule

`default_nettype wire
