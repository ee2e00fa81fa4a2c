// Keeps the first error of the machine until reset: of errors in the same cycle the one in the lowest place.
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

  output wire                  error_valid,
  output wire [3:0]            error_code,
  output wire [2:0]            error_unit,
  output wire [31:0]           error_index
);

  reg        valid_q;
  reg [3:0]  code_q;
  reg [2:0]  unit_q;
  reg [31:0] index_q;

  assign error_valid = valid_q;
  assign error_code  = code_q;
  assign error_unit  = unit_q;
  assign error_index = index_q;

  // The lowest place with an error.
  localparam PW = $clog2(SOURCES);
  reg [PW-1:0] place;
  integer      i;

  always @* begin
    place = {PW{1'b0}};
    for (i = SOURCES - 1; i >= 0; i = i - 1) begin
      if (in_valid[i]) begin
        place = i[PW-1:0];
      end
    end
  end

  always @(posedge clk) begin
    if (!valid_q && in_valid != {SOURCES{1'b0}}) begin
      valid_q <= 1'b1;
      code_q  <= in_code[4*place +: 4];
      unit_q  <= in_unit[3*place +: 3];
      index_q <= in_index[32*place +: 32];
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
