// Keeps the first error of the machine until reset: of errors in the same cycle the one in the lowest place.
//
//   cycle t    in_valid
//   t+1        errors of cycle t in registers, as they come from all over the chip, with their lowest place: error_coming
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

  // The lowest place with an error, one bit each.
  reg  [SOURCES-1:0]    first_q;
  reg  [4*SOURCES-1:0]  source_code_q;
  reg  [3*SOURCES-1:0]  source_unit_q;
  reg  [32*SOURCES-1:0] source_index_q;

  integer               s;

  always @(posedge clk) begin
    first_q <= in_valid & (~in_valid + 1'b1);
    for (s = 0; s < SOURCES; s = s + 1) begin
      if (in_valid[s]) begin
        source_code_q[4*s +: 4]    <= in_code[4*s +: 4];
        source_unit_q[3*s +: 3]    <= in_unit[3*s +: 3];
        source_index_q[32*s +: 32] <= in_index[32*s +: 32];
      end
    end
    if (rst) begin
      first_q <= {SOURCES{1'b0}};
    end
  end

  reg        valid_q;
  reg [3:0]  code_q;
  reg [2:0]  unit_q;
  reg [31:0] index_q;

  assign error_coming = first_q != {SOURCES{1'b0}};
  assign error_valid  = valid_q;
  assign error_code   = code_q;
  assign error_unit   = unit_q;
  assign error_index  = index_q;

  // What the first error says.
  reg  [38:0] said;
  integer     i;

  always @* begin
    said = 39'd0;
    for (i = 0; i < SOURCES; i = i + 1) begin
      said = said | ({39{first_q[i]}} & {source_code_q[4*i +: 4], source_unit_q[3*i +: 3], source_index_q[32*i +: 32]});
    end
  end

  always @(posedge clk) begin
    if (!valid_q && error_coming) begin
      valid_q <= 1'b1;
      {code_q, unit_q, index_q} <= said;
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
