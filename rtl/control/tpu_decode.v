// Decoder: granules to checked instructions, one at a time, in program order.
//
// An instruction of one granule takes two cycles, VECTOR three. The first fault (opcode, field, a program that ends inside an
// instruction, an error of fetch) raises err_valid with the index of the instruction until reset; nothing is delivered after it.
//
// All checks are registered as the granule is taken, so that they cost nothing in cycles without one.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_decode (
  input  wire          clk,
  input  wire          rst,

  // Program; `start` only when idle
  input  wire          start,
  input  wire [31:0]   prog_granules,
  input  wire          stop,
  // Every instruction was delivered; level until the next start
  output wire          finished,

  // Granules
  input  wire          g_valid,
  output wire          g_ready,
  input  wire [511:0]  g_data,
  input  wire          g_bus_error,
  input  wire          range_error,

  // Instructions; out_unit is one-hot: load, weights, matmul, vector, store from bit 0
  output wire [4:0]    out_unit,
  input  wire          out_ready,
  output wire [1023:0] out_cmd,
  output wire [31:0]   out_index,

  // First fault
  output wire          err_valid,
  output wire [3:0]    err_code
);

  localparam [1:0] ST_FIRST  = 2'd0;
  localparam [1:0] ST_SECOND = 2'd1;
  localparam [1:0] ST_OUT    = 2'd2;
  localparam [1:0] ST_ERROR  = 2'd3;

  reg [1:0]   state_q;
  // Granules not yet taken, index of the instruction in hand.
  reg [31:0]  left_q;
  reg [31:0]  index_q;
  reg [511:0] first_q;
  reg [511:0] second_q;
  reg [4:0]   unit_q;
  reg         legal_q;
  reg [3:0]   err_code_q;

  //// Checks ////

  function [4:0] unit_of;
    input [7:0] opcode;
    begin
      case (opcode)
        `TPU_OP_LOAD:    unit_of = 5'b00001;
        `TPU_OP_WEIGHTS: unit_of = 5'b00010;
        `TPU_OP_MATMUL:  unit_of = 5'b00100;
        `TPU_OP_VECTOR:  unit_of = 5'b01000;
        `TPU_OP_STORE:   unit_of = 5'b10000;
        default:         unit_of = 5'b00000;
      endcase
    end
  endfunction

  function legal_single;
    input [511:0] i;
    begin
      case (i[`TPU_OPCODE])
        `TPU_OP_LOAD:    legal_single = `TPU_LOAD_LEGAL(i);
        `TPU_OP_WEIGHTS: legal_single = `TPU_WEIGHTS_LEGAL(i);
        `TPU_OP_MATMUL:  legal_single = `TPU_MATMUL_LEGAL(i);
        default:         legal_single = `TPU_STORE_LEGAL(i);
      endcase
    end
  endfunction

  function legal_vector;
    input [1023:0] i;
    legal_vector = `TPU_VECTOR_LEGAL(i)
      && (i[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_UB || i[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_COPY);
  endfunction

  //// Control ////

  wire       more      = left_q != 32'd0;
  wire       wanted    = state_q == ST_FIRST || state_q == ST_SECOND;
  wire       take      = g_valid && g_ready;
  wire       truncated = state_q == ST_SECOND && !more;
  wire       out_valid = state_q == ST_OUT && legal_q && !stop;
  wire [4:0] unit      = unit_of(g_data[`TPU_OPCODE]);

  assign g_ready   = wanted && more && !stop;
  assign finished  = state_q == ST_FIRST && !more;
  assign out_unit  = out_valid ? unit_q : 5'd0;
  assign out_cmd   = {second_q, first_q};
  assign out_index = index_q;
  assign err_valid = state_q == ST_ERROR;
  assign err_code  = err_code_q;

  always @(posedge clk) begin
    // The second granule first: simulators need no copy of a register that is read before it is written.
    if (take && state_q == ST_SECOND) begin
      second_q <= g_data;
      legal_q  <= legal_vector({g_data, first_q});
    end
    if (take && state_q == ST_FIRST) begin
      first_q <= g_data;
      unit_q  <= unit;
      legal_q <= legal_single(g_data);
    end
    if (take) begin
      left_q <= left_q - 32'd1;
    end
    case (state_q)
      // first granule of an instruction
      ST_FIRST, ST_SECOND: begin
        if (truncated) begin
          state_q    <= ST_ERROR;
          err_code_q <= `TPU_ERR_TRUNCATED;
        end else if (wanted && more && range_error) begin
          state_q    <= ST_ERROR;
          err_code_q <= `TPU_ERR_ADDR_RANGE;
        end else if (take && g_bus_error) begin
          state_q    <= ST_ERROR;
          err_code_q <= `TPU_ERR_BUS_READ;
        end else if (take && state_q == ST_FIRST && unit == 5'd0) begin
          state_q    <= ST_ERROR;
          err_code_q <= `TPU_ERR_ILLEGAL_OPCODE;
        end else if (take) begin
          state_q <= (state_q == ST_FIRST && unit[3]) ? ST_SECOND : ST_OUT;
        end
      end
      // deliver the instruction, unless it is illegal
      ST_OUT: begin
        if (!legal_q) begin
          state_q    <= ST_ERROR;
          err_code_q <= `TPU_ERR_ILLEGAL_FIELD;
        end else if (out_valid && out_ready) begin
          state_q <= ST_FIRST;
          index_q <= index_q + 32'd1;
        end
      end
      // wait for reset
      default: state_q <= ST_ERROR;
    endcase
    if (start) begin
      left_q  <= prog_granules;
      index_q <= 32'd0;
    end
    if (rst) begin
      state_q <= ST_FIRST;
      left_q  <= 32'd0;
      index_q <= 32'd0;
    end
  end

endmodule

`default_nettype wire
