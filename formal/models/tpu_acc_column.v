// Accumulators of a column for proofs of tpu_array around them: outputs are anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_acc_column #(
  parameter ACC_ROWS = 2048,
  parameter PSUM_BITS = 20,
  parameter LATENCY = 1,
  parameter BF16 = 0
) (
  input  wire                        clk,

  input  wire                        rd_lo,
  input  wire                        rd_hi,
  input  wire [$clog2(ACC_ROWS)-2:0] rd_row,

  input  wire                        sel_zero,
  input  wire                        sel_before,
  input  wire                        sel_half,

  input  wire                        add_before,
  input  wire [(BF16 != 0 ? 32 : PSUM_BITS)-1:0] psum,
  input  wire                        bf16_in,
  output wire                        bf16_out,
  input  wire                        float_en,

  input  wire                        wr_lo,
  input  wire                        wr_hi,
  input  wire [$clog2(ACC_ROWS)-2:0] wr_row,

  input  wire                        drain_lo,
  input  wire                        drain_hi,
  input  wire [$clog2(ACC_ROWS)-2:0] drain_row,
  input  wire                        drain_take,
  input  wire                        drain_half,
  output wire [31:0]                 drain_data
);

  (* anyseq *) wire any_bf16_out;
  (* anyseq *) wire [31:0] any_drain_data;

  assign {bf16_out, drain_data} = {any_bf16_out, any_drain_data};

endmodule

`default_nettype wire
