// Keeps the first error of the machine until reset.
//
// Of errors in the same cycle the lowest unit number wins; a semaphore overflow, reported with the unit and index of the instruction
// that posted, comes last.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_first_error (
  input  wire        clk,
  input  wire        rst,

  // Front end, load, weights, matmul, vector, store
  input  wire        fe_err_valid,
  input  wire [3:0]  fe_err_code,
  input  wire [31:0] fe_err_index,
  input  wire        ld_err_valid,
  input  wire [3:0]  ld_err_code,
  input  wire [31:0] ld_err_index,
  input  wire        wt_err_valid,
  input  wire [3:0]  wt_err_code,
  input  wire [31:0] wt_err_index,
  input  wire        mm_err_valid,
  input  wire [3:0]  mm_err_code,
  input  wire [31:0] mm_err_index,
  input  wire        vx_err_valid,
  input  wire [3:0]  vx_err_code,
  input  wire [31:0] vx_err_index,
  input  wire        st_err_valid,
  input  wire [3:0]  st_err_code,
  input  wire [31:0] st_err_index,

  // The posting instruction raises a full semaphore
  input  wire        overflow,
  input  wire [2:0]  post_unit,
  input  wire [31:0] post_index,

  output wire        err_valid,
  output wire [3:0]  err_code,
  output wire [2:0]  err_unit,
  output wire [31:0] err_index
);

  reg        valid_q;
  reg [3:0]  code_q;
  reg [2:0]  unit_q;
  reg [31:0] index_q;

  assign err_valid = valid_q;
  assign err_code  = code_q;
  assign err_unit  = unit_q;
  assign err_index = index_q;

  wire any = fe_err_valid || ld_err_valid || wt_err_valid || mm_err_valid || vx_err_valid || st_err_valid || overflow;

  always @(posedge clk) begin
    if (!valid_q && any) begin
      valid_q <= 1'b1;
      if (fe_err_valid) begin
        code_q  <= fe_err_code;
        unit_q  <= `TPU_UNIT_FRONTEND;
        index_q <= fe_err_index;
      end else if (ld_err_valid) begin
        code_q  <= ld_err_code;
        unit_q  <= `TPU_UNIT_LOAD;
        index_q <= ld_err_index;
      end else if (wt_err_valid) begin
        code_q  <= wt_err_code;
        unit_q  <= `TPU_UNIT_WEIGHTS;
        index_q <= wt_err_index;
      end else if (mm_err_valid) begin
        code_q  <= mm_err_code;
        unit_q  <= `TPU_UNIT_MATMUL;
        index_q <= mm_err_index;
      end else if (vx_err_valid) begin
        code_q  <= vx_err_code;
        unit_q  <= `TPU_UNIT_VECTOR;
        index_q <= vx_err_index;
      end else if (st_err_valid) begin
        code_q  <= st_err_code;
        unit_q  <= `TPU_UNIT_STORE;
        index_q <= st_err_index;
      end else begin
        code_q  <= `TPU_ERR_SEM_OVERFLOW;
        unit_q  <= post_unit;
        index_q <= post_index;
      end
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
