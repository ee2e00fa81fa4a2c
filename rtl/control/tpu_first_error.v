// Keeps the first error of the machine until reset.
//
// Of errors in the same cycle the lowest unit number wins. A semaphore overflow is reported with the unit and the index of the
// instruction that posted; a unit's own error goes before it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_first_error (
  input  wire         clk,
  input  wire         rst,

  // Per unit, front end in bit 0: error, code in bits [4*u +: 4], index in bits [32*u +: 32]
  input  wire [5:0]   unit_valid,
  input  wire [23:0]  unit_code,
  input  wire [191:0] unit_index,

  // Bit u: unit u posted a full semaphore
  input  wire [5:0]   overflow,
  input  wire [31:0]  overflow_index,

  output wire         err_valid,
  output wire [3:0]   err_code,
  output wire [2:0]   err_unit,
  output wire [31:0]  err_index
);

  reg        valid_q;
  reg [3:0]  code_q;
  reg [2:0]  unit_q;
  reg [31:0] index_q;

  assign err_valid = valid_q;
  assign err_code  = code_q;
  assign err_unit  = unit_q;
  assign err_index = index_q;

  integer u;
  always @(posedge clk) begin
    if (!valid_q && (unit_valid | overflow) != 6'd0) begin
      valid_q <= 1'b1;
      // The last assignment stands: the lowest unit's.
      for (u = 5; u >= 0; u = u - 1) begin
        if (unit_valid[u]) begin
          code_q  <= unit_code[4*u +: 4];
          unit_q  <= u[2:0];
          index_q <= unit_index[32*u +: 32];
        end else if (overflow[u]) begin
          code_q  <= `TPU_ERR_SEM_OVERFLOW;
          unit_q  <= u[2:0];
          index_q <= overflow_index;
        end
      end
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
