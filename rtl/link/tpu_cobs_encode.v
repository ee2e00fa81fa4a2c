// Puts consistent overhead byte stuffing on (tpu_cobs_decode.v): bytes of frames to bytes of the wire.
//
// A block's first byte is known at the block's end. So the memory, a ring, keeps a place for it, and the output reads closed blocks alone.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_cobs_encode (
  input  wire       clk,
  input  wire       rst,

  // A byte of a frame; with in_end the frame ends instead
  input  wire       in_valid,
  input  wire       in_end,
  input  wire [7:0] in_data,
  output wire       in_ready,

  output wire       out_valid,
  input  wire       out_ready,
  output wire [7:0] out_data
);

  // Two blocks: one is sent, one is filled.
  localparam DEPTH = 512;
  localparam AW    = 9;
  // Places that may be filled: a word in the output stage is not in the ring any more, and two places are taken at once at a frame's end.
  localparam [AW:0] MOST = DEPTH - 4;

  // Place of the open block's first byte
  reg [AW:0] code_q;
  // Bytes of the open block, with the first
  reg [7:0]  count_q;
  // The zero behind a frame is due.
  reg        delimiter_q;
  // The memory's read register is the output stage.
  reg [AW:0] rd_ptr_q;
  reg        out_valid_q;

  wire [AW:0] next   = code_q + {2'd0, count_q};
  wire        full   = count_q == 8'hff;
  wire        room   = (next - rd_ptr_q) < MOST;
  wire        take   = in_valid && in_ready;
  wire        append = take && !in_end && in_data != 8'd0;
  // A block ends at a zero, at a frame's end, or when it holds all that it may.
  wire        close  = full || (take && !append);
  wire        fetch  = rd_ptr_q != code_q && (!out_valid_q || out_ready);

  assign in_ready  = room && !full && !delimiter_q;
  assign out_valid = out_valid_q;

  tpu_ram_1r1w #(
    .WIDTH (8),
    .DEPTH (DEPTH)
  ) u_ring (
    .clk     (clk),
    .wr_en   (append || close || delimiter_q),
    .wr_addr (append ? next[AW-1:0] : code_q[AW-1:0]),
    .wr_data (append ? in_data : delimiter_q ? 8'd0 : count_q),
    .rd_en   (fetch),
    .rd_addr (rd_ptr_q[AW-1:0]),
    .rd_data (out_data)
  );

  always @(posedge clk) begin
    delimiter_q <= take && in_end;
    if (delimiter_q) begin
      code_q <= code_q + 1'b1;
    end else if (close) begin
      code_q  <= next;
      count_q <= 8'd1;
    end else if (append) begin
      count_q <= count_q + 8'd1;
    end
    if (fetch) begin
      rd_ptr_q    <= rd_ptr_q + 1'b1;
      out_valid_q <= 1'b1;
    end else if (out_ready) begin
      out_valid_q <= 1'b0;
    end
    if (rst) begin
      delimiter_q <= 1'b0;
      code_q      <= {(AW+1){1'b0}};
      count_q     <= 8'd1;
      rd_ptr_q    <= {(AW+1){1'b0}};
      out_valid_q <= 1'b0;
    end
  end

  `TPU_ASSERT(a_level_within_depth, (next - rd_ptr_q) <= DEPTH[AW:0])

endmodule

`default_nettype wire
