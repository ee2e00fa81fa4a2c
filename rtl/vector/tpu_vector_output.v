// Write-back of the vector unit: joins the rows that leave the lanes with their addresses.
//
// A row's address enters when the row's last tap is issued, the bytes when the row leaves the lanes, which is a fixed time later. The
// unified buffer takes every row at once, because the vector unit goes before LOAD; so as many addresses wait as rows are in the lanes.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_vector_output #(
  // Lanes
  parameter LANES = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384,
  // Rows that may be between their last tap and the unified buffer, a power of two: one in each of 19 cycles, fewer where lanes share a
  // requantiser
  parameter DEPTH = 32
) (
  input  wire                       clk,
  input  wire                       rst,

  // Address of a row that is on its way
  input  wire                       in_row_valid,
  input  wire [$clog2(UB_ROWS)-1:0] in_row,
  // Bytes of the oldest row still on its way; `in_final`: the last of its instruction
  input  wire                       in_data_valid,
  input  wire                       in_final,
  input  wire [8*LANES-1:0]             in_data,

  // Unified buffer, which takes every row
  output wire                       vo_wr_valid,
  output wire [$clog2(UB_ROWS)-1:0] vo_wr_row,
  output wire [8*LANES-1:0]             vo_wr_data,

  // A row is between its last tap and the unified buffer
  output wire                       rows_on_way,
  // An instruction's last row is written in this cycle: who is granted a read from now on reads it
  output wire                       done
);

  localparam UW = $clog2(UB_ROWS);

  reg           valid_q;
  reg [8*LANES-1:0] data_q;
  reg           done_q;
  wire          row_ready;
  wire          row_valid;
  wire [$clog2(DEPTH):0] row_level;

  assign vo_wr_valid = valid_q;
  assign vo_wr_data  = data_q;
  assign rows_on_way = row_valid;
  assign done        = done_q;

  always @(posedge clk) begin
    data_q  <= in_data;
    valid_q <= in_data_valid;
    done_q  <= in_final;
    if (rst) begin
      valid_q <= 1'b0;
      done_q  <= 1'b0;
    end
  end

  tpu_fifo #(
    .WIDTH (UW),
    .DEPTH (DEPTH)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_row_valid),
    .in_ready  (row_ready),
    .in_data   (in_row),
    .out_valid (row_valid),
    .out_ready (valid_q),
    .out_data  (vo_wr_row),
    .level     (row_level)
  );

  `TPU_ASSERT(a_room_for_every_address, row_ready || !in_row_valid)
  `TPU_ASSERT(a_address_before_data, row_valid || !valid_q)

  wire unused = &{1'b0, row_ready, row_level};

endmodule

`default_nettype wire
