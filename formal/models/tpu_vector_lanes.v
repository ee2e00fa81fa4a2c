// Lanes of VECTOR for proofs of tpu_vector around them: anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_vector_token.vh"

module tpu_vector_lanes #(
  parameter LANES = 16,
  parameter PARAM_ROWS = 512,
  parameter WINDOW = 1,
  parameter REQUANT_LANES = 1,
  parameter SHARED = 0,
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  output wire [1:0]                    bank_busy,
  input  wire [`TPU_TOKEN_BITS-1:0]    token,
  input  wire [$clog2(PARAM_ROWS)-1:0] token_param,
  input  wire [8*LANES-1:0]            a_bytes,
  input  wire [32*LANES-1:0]           a_words,
  input  wire [8*LANES-1:0]            b_bytes,
  input  wire                          b_present,
  output wire                          b_pop,
  input  wire [8*LANES-1:0]            c_bytes,
  input  wire                          c_present,
  output wire                          c_pop,
  output wire                          out_valid,
  output wire                          out_final,
  output wire [8*LANES-1:0]            out_bytes,
  input  wire                          other_en,
  input  wire [$clog2(PARAM_ROWS)-1:0] other_entry,
  output wire [32*LANES-1:0]           other_biases,
  output wire [32*LANES-1:0]           other_multipliers,
  output wire [8*LANES-1:0]            other_shifts,
  input  wire                          param_wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input  wire [3:0]                    param_wr_chunk,
  input  wire [8*LANES-1:0]            param_wr_data,
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data
);

  (* anyseq *) wire [1:0]          any_bank_busy;
  (* anyseq *) wire                any_b_pop;
  (* anyseq *) wire                any_c_pop;
  (* anyseq *) wire                any_out_valid;
  (* anyseq *) wire                any_out_final;
  (* anyseq *) wire [8*LANES-1:0]  any_out_bytes;
  (* anyseq *) wire [32*LANES-1:0] any_other_biases;
  (* anyseq *) wire [32*LANES-1:0] any_other_multipliers;
  (* anyseq *) wire [8*LANES-1:0]  any_other_shifts;

  assign bank_busy         = any_bank_busy;
  assign b_pop             = any_b_pop;
  assign c_pop             = any_c_pop;
  assign out_valid         = any_out_valid;
  assign out_final         = any_out_final;
  assign out_bytes         = any_out_bytes;
  assign other_biases      = any_other_biases;
  assign other_multipliers = any_other_multipliers;
  assign other_shifts      = any_other_shifts;

endmodule

`default_nettype wire
