// Lookup tables for proofs of tpu_ivector_lane around them: a word is anything. What is read is proved in formal/tpu_ivector_table.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_ivector_table (
  input  wire        clk,
  input  wire        wr_en,
  input  wire [10:0] wr_addr,
  input  wire [7:0]  wr_data,
  input  wire        rd_en,
  input  wire [8:0]  rd_addr,
  output wire [31:0] rd_data
);

  (* anyseq *) wire [31:0] undefined;
  assign rd_data = undefined;

endmodule

`default_nettype wire
