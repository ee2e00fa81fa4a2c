// Block RAM for proofs in which it matters only what is read when: a row is read as its address, folded into as many bits as it has.
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

  always @(posedge clk) begin
    if (rd_en) begin
      rd_data <= rd_addr ^ (rd_addr >> WIDTH);
    end
  end

endmodule

`default_nettype wire
