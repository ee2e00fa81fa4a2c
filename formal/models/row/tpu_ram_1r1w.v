// Block RAM for proofs that follow one word: it keeps a single row, chosen by the solver, and reads any value from all others. Reading the row
// that is being written gives any value, too.
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

  // The same in all cycles
  (* anyseq *) wire [$clog2(DEPTH)-1:0] watched;
  reg [$clog2(DEPTH)-1:0]               watched_q;
  reg                                   begun_q = 1'b0;
  always @(posedge clk) begin
    watched_q <= watched;
    begun_q   <= 1'b1;
  end
  always @* if (begun_q) assume (watched == watched_q);

  (* anyseq *) wire [WIDTH-1:0] undefined;
  reg [WIDTH-1:0]               row_q;

  always @(posedge clk) begin
    if (wr_en && wr_addr == watched) begin
      row_q <= wr_data;
    end
    if (rd_en) begin
      rd_data <= rd_addr != watched || (wr_en && wr_addr == rd_addr) ? undefined : row_q;
    end
  end

endmodule

`default_nettype wire
