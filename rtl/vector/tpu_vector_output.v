// Write-back of the vector unit: output rows wait here for the unified buffer's write port.
//
// Addresses enter when the row's last tap is issued, data when the row leaves the lanes, both in order. Whoever issues keeps count
// of the rows, so that neither FIFO ever overflows.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_vector_output #(
  // Lanes
  parameter N = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Rows held, a power of two
  parameter DEPTH = 32
) (
  input  wire                       clk,
  input  wire                       rst,

  // Address of a row that is on its way; `in_final`: the last of its instruction
  input  wire                       in_row_valid,
  input  wire [$clog2(UB_ROWS)-1:0] in_row,
  input  wire                       in_final,
  // Bytes of the oldest row still on its way
  input  wire                       in_data_valid,
  input  wire [8*N-1:0]             in_data,

  // Unified buffer
  output wire                       vo_wr_valid,
  input  wire                       vo_wr_ready,
  output wire [$clog2(UB_ROWS)-1:0] vo_wr_row,
  output wire [8*N-1:0]             vo_wr_data,

  // A row is written in this cycle
  output wire                       written,
  // An instruction's last row was written in the cycle before
  output wire                       done
);

  localparam UW = $clog2(UB_ROWS);

  reg  done_q;
  wire final_row;
  wire row_ready;
  wire row_valid;
  wire data_ready;
  wire [$clog2(DEPTH):0] row_level;
  wire [$clog2(DEPTH):0] data_level;

  assign written = vo_wr_valid && vo_wr_ready;
  assign done    = done_q;

  always @(posedge clk) begin
    done_q <= written && final_row;
    if (rst) begin
      done_q <= 1'b0;
    end
  end

  tpu_fifo #(
    .WIDTH (UW + 1),
    .DEPTH (DEPTH)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_row_valid),
    .in_ready  (row_ready),
    .in_data   ({in_final, in_row}),
    .out_valid (row_valid),
    .out_ready (written),
    .out_data  ({final_row, vo_wr_row}),
    .level     (row_level)
  );

  tpu_fifo #(
    .WIDTH (8 * N),
    .DEPTH (DEPTH)
  ) u_data (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_data_valid),
    .in_ready  (data_ready),
    .in_data   (in_data),
    .out_valid (vo_wr_valid),
    .out_ready (vo_wr_ready),
    .out_data  (vo_wr_data),
    .level     (data_level)
  );

  `TPU_ASSERT(a_room_for_every_address, row_ready || !in_row_valid)
  `TPU_ASSERT(a_room_for_every_row, data_ready || !in_data_valid)
  `TPU_ASSERT(a_address_before_data, row_valid || !vo_wr_valid)

  wire unused = &{1'b0, row_ready, row_valid, data_ready, row_level, data_level};

endmodule

`default_nettype wire
