// Block RAM with one read and one write port.
//
// Read data is registered: it appears in the cycle after rd_en and stays until the next rd_en. Reading the
// row that is being written gives an undefined value; whoever uses the memory avoids it or forwards.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_ram_1r1w #(
  // Bits per row
  parameter WIDTH = 32,
  // Rows
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

  generate
    if (DEPTH < 2) begin : g_check_depth
      ERROR_tpu_ram_1r1w_DEPTH_must_be_at_least_2 check ();
    end
  endgenerate

  // For synthesis only, in the words of several vendors. Shallow memories are cheaper in LUTs.
  /* verilator lint_off UNUSEDPARAM */
  localparam STYLE = DEPTH >= 128 ? "block" : "auto";
  /* verilator lint_on UNUSEDPARAM */

  (* no_rw_check, ramstyle = "no_rw_check", ram_style = STYLE *)
  reg [WIDTH-1:0] memory [0:DEPTH-1];

  always @(posedge clk) begin
    if (wr_en) begin
      memory[wr_addr] <= wr_data;
    end
  end

  always @(posedge clk) begin
    if (rd_en) begin
      rd_data <= memory[rd_addr];
    end
  end

endmodule

`default_nettype wire
