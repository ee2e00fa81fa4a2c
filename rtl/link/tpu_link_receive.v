// Collects a frame of the host: its header in registers, its bytes in the buffer, its CRC checked.
//
// A frame stands at the output until it is taken; the bytes of the next one wait meanwhile. A byte's place in the buffer is that of its
// address in a block, so that words of the buffer are words of the bus.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_link.vh"

module tpu_link_receive (
  input  wire        clk,
  input  wire        rst,

  // From the wire
  input  wire        in_valid,
  output wire        in_ready,
  input  wire [7:0]  in_data,

  // Buffer: with each byte behind the header its word is written, in which the byte's own lane alone is new.
  output wire        wr_en,
  output wire [7:0]  wr_word,
  output wire [31:0] wr_data,

  output reg         frame_valid,
  input  wire        frame_taken,
  // The frame is as the host sent it. Otherwise nothing below counts.
  output wire        frame_good,
  output wire [7:0]  frame_number,
  output wire [7:0]  frame_command,
  output wire [31:0] frame_address,
  output wire [31:0] frame_length
);

  localparam HEADER_BITS = 8 * `TPU_LINK_HEADER_BYTES;
  localparam [31:0] HEADER_BYTES = `TPU_LINK_HEADER_BYTES;
  localparam [31:0] FRAME_BYTES  = `TPU_LINK_HEADER_BYTES + `TPU_LINK_CRC_BYTES;

  wire       byte_valid;
  wire [7:0] byte_data;
  wire       frame_end;
  wire       whole;

  tpu_cobs_decode u_decode (
    .clk (clk), .rst (rst),
    .in_valid (in_valid), .in_ready (in_ready), .in_data (in_data),
    .out_valid (byte_valid), .out_data (byte_data), .out_end (frame_end), .out_good (whole), .out_ready (!frame_valid)
  );

  // Bytes so far; stays at the greatest number.
  reg [10:0]            count_q;
  reg                   whole_q;
  reg [HEADER_BITS-1:0] header_q;
  reg [31:0]            word_q;
  wire [31:0]           crc;

  wire        in_header = count_q < HEADER_BYTES[10:0];
  wire        writes    = frame_command == `TPU_LINK_COMMAND_WRITE_MEMORY || frame_command == `TPU_LINK_COMMAND_WRITE_REGISTERS;
  // The place in the block of the byte that comes
  wire [11:0] place     = {2'd0, frame_address[9:0]} + {1'b0, count_q} - HEADER_BYTES[11:0];
  wire [1:0]  lane      = place[1:0];

  assign frame_number  = header_q[7:0];
  assign frame_command = header_q[15:8];
  assign frame_address = header_q[47:16];
  assign frame_length  = header_q[79:48];
  assign frame_good    = whole_q && crc == `TPU_LINK_CRC_RESIDUE &&
                         {21'd0, count_q} == FRAME_BYTES + (writes ? frame_length : 32'd0);

  // The CRC lies behind the bytes in the buffer, or behind its end, where nothing is written.
  assign wr_en   = byte_valid && !in_header && place[11:10] == 2'd0;
  assign wr_word = place[9:2];
  assign wr_data = {lane == 2'd3 ? byte_data : word_q[31:24], lane == 2'd2 ? byte_data : word_q[23:16],
                    lane == 2'd1 ? byte_data : word_q[15:8],  lane == 2'd0 ? byte_data : word_q[7:0]};

  tpu_crc32 u_crc (
    .clk (clk), .clear (rst || frame_taken), .en (byte_valid), .data (byte_data), .state (crc)
  );

  always @(posedge clk) begin
    if (byte_valid) begin
      count_q <= &count_q ? count_q : count_q + 11'd1;
      if (in_header) begin
        header_q <= {byte_data, header_q[HEADER_BITS-1:8]};
      end else begin
        word_q <= wr_data;
      end
    end
    if (frame_end) begin
      frame_valid <= 1'b1;
      whole_q     <= whole;
    end
    if (rst || frame_taken) begin
      frame_valid <= 1'b0;
      count_q     <= 11'd0;
    end
  end

endmodule

`default_nettype wire
