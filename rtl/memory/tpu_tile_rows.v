// Tile rows of a machine with bf16: from memory or the unified buffer, with 16 bits a weight, transposed or as they are.
//
//   gearbox ───────────────┐
//   tpu_tile_reader ──row──┴──▶ 16 bits a weight ──▶ tpu_transposer ──▶ wt_*
//                                     └────────────────────────────────▶
//
// Either of the two sources has its own register for the row that was cut last; tpu_weights says whether the register is full. A row that is not
// transposed leaves when the transposer is empty, so that rows keep their order.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_tile_rows #(
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Rows of a tile, a power of two; weights of a row
  parameter LANES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384
) (
  input  wire                       clk,
  input  wire                       rst,
  // No more reads of the unified buffer
  input  wire                       stop,

  // A WEIGHTS or UBWEIGHTS becomes the active instruction; of the active one: its source, its format
  input  wire                       start,
  input  wire [`TPU_WEIGHTS_USED-1:0] cmd,
  output wire                       from_ub,
  output wire                       bf16,

  // Unified buffer, data three cycles after the grant
  output wire                       rd_valid,
  input  wire                       rd_ready,
  output wire                       rd_pair,
  output wire [$clog2(UB_ROWS)-1:0] rd_row,
  input  wire [16*ROW_BYTES-1:0]    rd_data,

  // The next row from the unified buffer is there; it is the instruction's last; it does not exist
  output wire                       ub_there,
  output wire                       ub_last,
  output wire                       ub_fault,

  // The next row goes into its source's register. That of rows from memory
  input  wire                       cut_en,
  input  wire [16*ROW_BYTES-1:0]    memory_data,

  // The register is full; the row leaves it if so; the row is its instruction's last
  input  wire                       row_valid,
  output wire                       row_leaves,
  input  wire                       row_last,

  // Weight FIFO
  output wire                       wt_valid,
  input  wire                       wt_ready,
  output wire [16*LANES-1:0]        wt_data,
  output wire                       wt_last,

  // Rows are in the transposer
  output wire                       busy
);

  // ---- The active instruction, the row cut last ----------------------------------------------------

  reg from_ub_q;
  reg bf16_q;
  reg transpose_q;
  reg row_from_ub_q;
  reg row_bf16_q;
  reg row_transpose_q;

  wire starts_ub = start && cmd[`TPU_OPCODE] == `TPU_OP_UBWEIGHTS;

  assign from_ub = from_ub_q;
  assign bf16    = bf16_q;

  always @(posedge clk) begin
    // Format and transposition stand at the same places of both instructions.
    if (start) begin
      from_ub_q   <= starts_ub;
      bf16_q      <= cmd[`TPU_WEIGHTS_FORMAT] != `TPU_NUMBER_FORMAT_INT8;
      transpose_q <= cmd[`TPU_WEIGHTS_TRANSPOSE];
    end
    if (cut_en) begin
      row_from_ub_q   <= from_ub_q;
      row_bf16_q      <= bf16_q;
      row_transpose_q <= transpose_q;
    end
  end

  wire [16*ROW_BYTES-1:0] ub_data;

  tpu_tile_reader #(
    .ROW_BYTES (ROW_BYTES),
    .LANES     (LANES),
    .UB_ROWS   (UB_ROWS)
  ) u_reader (
    .clk       (clk),
    .rst       (rst),
    .stop      (stop),
    .start     (starts_ub),
    .cmd       (cmd),
    .rd_valid  (rd_valid),
    .rd_ready  (rd_ready),
    .rd_pair   (rd_pair),
    .rd_row    (rd_row),
    .rd_data   (rd_data),
    .fault     (ub_fault),
    .row_ready (ub_there),
    .row_last  (ub_last),
    .row_en    (cut_en && from_ub_q),
    .row_data  (ub_data)
  );

  // ---- To the FIFO ---------------------------------------------------------------------------------

  wire [16*ROW_BYTES-1:0] bytes = row_from_ub_q ? ub_data : memory_data;
  wire [16*ROW_BYTES-1:0] row_data;

  genvar k;
  generate
    for (k = 0; k < ROW_BYTES; k = k + 1) begin : g_lane
      assign row_data[16*k +: 8]   = row_bf16_q ? bytes[16*k +: 8] : bytes[8*k +: 8];
      assign row_data[16*k+8 +: 8] = row_bf16_q ? bytes[16*k+8 +: 8] : 8'd0;
    end
  endgenerate

  wire                in_ready;
  wire                out_valid;
  wire [16*LANES-1:0] out_data;
  wire                out_last;
  wire                empty;

  tpu_transposer #(
    .LANES  (LANES),
    .W_BITS (16)
  ) u_transposer (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (row_valid && row_transpose_q),
    .in_ready  (in_ready),
    .in_data   (row_data),
    .in_last   (row_last),
    .out_valid (out_valid),
    .out_ready (wt_ready),
    .out_data  (out_data),
    .out_last  (out_last),
    .empty     (empty)
  );

  assign row_leaves = row_transpose_q ? in_ready : empty && wt_ready;
  assign wt_valid   = out_valid || (row_valid && !row_transpose_q && empty);
  assign wt_data    = out_valid ? out_data : row_data;
  assign wt_last    = out_valid ? out_last : row_last;
  assign busy       = !empty;

endmodule

`default_nettype wire
