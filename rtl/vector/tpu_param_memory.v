// Parameter memory: PARAM_ROWS entries of LANES biases, LANES multipliers and LANES shifts.
//
// An entry is written in nine chunks of LANES bytes (docs/isa.md section 4): 0-3 biases, 4-7 multipliers, 8 shifts; one block
// RAM per chunk. A read gives the biases in the cycle after rd_en, multipliers and shifts one cycle later, when the lanes need them; each until
// the next read.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_param_memory #(
  // Lanes
  parameter LANES = 16,
  // Entries
  parameter PARAM_ROWS = 512
) (
  input  wire                          clk,

  // Write
  input  wire                          wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] wr_entry,
  input  wire [3:0]                    wr_chunk,
  input  wire [8*LANES-1:0]                wr_data,

  // Read
  input  wire                          rd_en,
  input  wire [$clog2(PARAM_ROWS)-1:0] rd_entry,
  output wire [32*LANES-1:0]               biases,
  output wire [32*LANES-1:0]               multipliers,
  output wire [8*LANES-1:0]                shifts
);

  wire [72*LANES-1:0] entry;

  assign {shifts, multipliers, biases} = entry;

  reg                          rd_en_q;
  reg [$clog2(PARAM_ROWS)-1:0] rd_entry_q;

  always @(posedge clk) begin
    rd_en_q    <= rd_en;
    rd_entry_q <= rd_entry;
  end

  wire [8:0] wr_select = wr_valid ? 9'd1 << wr_chunk : 9'd0;

  genvar i;
  generate
    for (i = 0; i < 9; i = i + 1) begin : g_chunk
      tpu_ram_1r1w #(
        .WIDTH (8 * LANES),
        .DEPTH (PARAM_ROWS)
      ) u_ram (
        .clk     (clk),
        .wr_en   (wr_select[i]),
        .wr_addr (wr_entry),
        .wr_data (wr_data),
        .rd_en   (i < 4 ? rd_en : rd_en_q),
        .rd_addr (i < 4 ? rd_entry : rd_entry_q),
        .rd_data (entry[i*8*LANES +: 8*LANES])
      );
    end
  endgenerate

endmodule

`default_nettype wire
