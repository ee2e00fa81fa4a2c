// Keeps the first error of the machine until reset: of errors in the same cycle the one in the lowest place.
//
//   cycle t    in_valid
//   t+1        errors of cycle t in registers, as they come from all over the chip: error_coming; the lowest place
//   t+2        error_valid
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_first_error #(
  // Places in which errors come
  parameter SOURCES = 2
) (
  input  wire                  clk,
  input  wire                  rst,

  // Source i in place i
  input  wire [SOURCES-1:0]    in_valid,
  input  wire [4*SOURCES-1:0]  in_code,
  input  wire [3*SOURCES-1:0]  in_unit,
  input  wire [32*SOURCES-1:0] in_index,

  // error_valid comes in the next cycle, if not before
  output wire                  error_coming,
  output wire                  error_valid,
  output wire [3:0]            error_code,
  output wire [2:0]            error_unit,
  output wire [31:0]           error_index
);

  reg  [SOURCES-1:0]    source_valid_q;
  reg  [4*SOURCES-1:0]  source_code_q;
  reg  [3*SOURCES-1:0]  source_unit_q;
  reg  [32*SOURCES-1:0] source_index_q;

  always @(posedge clk) begin
    source_valid_q <= in_valid;
    source_code_q  <= in_code;
    source_unit_q  <= in_unit;
    source_index_q <= in_index;
    if (rst) begin
      source_valid_q <= {SOURCES{1'b0}};
    end
  end

  reg        valid_q;
  reg [3:0]  code_q;
  reg [2:0]  unit_q;
  reg [31:0] index_q;

  assign error_coming = source_valid_q != {SOURCES{1'b0}};
  assign error_valid  = valid_q;
  assign error_code   = code_q;
  assign error_unit   = unit_q;
  assign error_index  = index_q;

  // The lowest place with an error.
  localparam PW = $clog2(SOURCES);
  reg [PW-1:0] place;
  integer      i;

  always @* begin
    place = {PW{1'b0}};
    for (i = SOURCES - 1; i >= 0; i = i - 1) begin
      if (source_valid_q[i]) begin
        place = i[PW-1:0];
      end
    end
  end

  always @(posedge clk) begin
    if (!valid_q && error_coming) begin
      valid_q <= 1'b1;
      code_q  <= source_code_q[4*place +: 4];
      unit_q  <= source_unit_q[3*place +: 3];
      index_q <= source_index_q[32*place +: 32];
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
