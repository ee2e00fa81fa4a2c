// Lookup tables of 32 bits for IVECTOR: entry i of four tables of bytes is one word, the first table's byte lowest.
//
// Read data comes in the cycle after rd_en and stays until the next rd_en. An entry that is being written reads as an undefined value.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_ivector_table (
  input  wire        clk,

  // Write: table, byte
  input  wire        wr_en,
  input  wire [10:0] wr_addr,
  input  wire [7:0]  wr_data,

  // Read: the first or the last four tables, byte
  input  wire        rd_en,
  input  wire [8:0]  rd_addr,
  output reg  [31:0] rd_data
);

  // One block RAM that writes bytes
  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  reg [31:0] memory [0:511];

  wire [3:0] wr_bytes = {3'd0, wr_en} << wr_addr[9:8];
  wire [8:0] wr_entry = {wr_addr[10], wr_addr[7:0]};

  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1) begin
      if (wr_bytes[i]) begin
        memory[wr_entry][8*i +: 8] <= wr_data;
      end
    end
  end

  always @(posedge clk) begin
    if (rd_en) begin
      rd_data <= memory[rd_addr];
    end
  end

endmodule

`default_nettype wire
