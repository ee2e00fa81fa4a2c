// Parameter memory: PARAM_ROWS entries of N biases, N multipliers and N shifts.
//
// An entry is written in nine chunks of N bytes (docs/isa.md section 4): 0-3 biases, 4-7 multipliers, 8 shifts; one block
// RAM per chunk. A read gives the whole entry in the cycle after rd_en, until the next read.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_param_memory #(
  // Lanes
  parameter N = 16,
  // Entries
  parameter PARAM_ROWS = 512
) (
  input  wire                          clk,

  // Write
  input  wire                          wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] wr_entry,
  input  wire [3:0]                    wr_chunk,
  input  wire [8*N-1:0]                wr_data,

  // Read
  input  wire                          rd_en,
  input  wire [$clog2(PARAM_ROWS)-1:0] rd_entry,
  output wire [32*N-1:0]               biases,
  output wire [32*N-1:0]               multipliers,
  output wire [8*N-1:0]                shifts
);

  wire [72*N-1:0] entry;

  assign {shifts, multipliers, biases} = entry;

  wire [8:0] wr_select = wr_valid ? 9'd1 << wr_chunk : 9'd0;

  genvar i;
  generate
    for (i = 0; i < 9; i = i + 1) begin : g_chunk
      tpu_ram_1r1w #(
        .WIDTH (8 * N),
        .DEPTH (PARAM_ROWS)
      ) u_ram (
        .clk     (clk),
        .wr_en   (wr_select[i]),
        .wr_addr (wr_entry),
        .wr_data (wr_data),
        .rd_en   (rd_en),
        .rd_addr (rd_entry),
        .rd_data (entry[i*8*N +: 8*N])
      );
    end
  endgenerate

endmodule

`default_nettype wire
