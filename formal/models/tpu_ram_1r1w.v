// Block RAM for proofs: as rtl/common/tpu_ram_1r1w.v, but reading the row that is being written gives any value at all.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_ram_1r1w #(
  parameter WIDTH = 32,
  parameter DEPTH = 512
) (
  input  wire                     clk,

  input  wire                     wr_en,
  input  wire [$clog2(DEPTH)-1:0] wr_addr,
  input  wire [WIDTH-1:0]         wr_data,

  input  wire                     rd_en,
  input  wire [$clog2(DEPTH)-1:0] rd_addr,
  output reg  [WIDTH-1:0]         rd_data
);

  reg [WIDTH-1:0] memory [0:DEPTH-1];
  (* anyseq *) wire [WIDTH-1:0] undefined;

  always @(posedge clk) begin
    if (wr_en) begin
      memory[wr_addr] <= wr_data;
    end
    if (rd_en) begin
      rd_data <= wr_en && wr_addr == rd_addr ? undefined : memory[rd_addr];
    end
  end

endmodule

`default_nettype wire
