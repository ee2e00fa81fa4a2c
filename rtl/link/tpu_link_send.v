// Sends an answer: its number, its status, bytes of the buffer, and their CRC.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_link.vh"

module tpu_link_send (
  input  wire        clk,
  input  wire        rst,

  // The answer; number and status stay until done.
  input  wire        start,
  input  wire [7:0]  number,
  input  wire [7:0]  status,
  // With start: place of the first byte in the buffer, and how many
  input  wire [9:0]  first,
  input  wire [10:0] count,
  output wire        done,

  // Buffer
  output wire        rd_en,
  output wire [7:0]  rd_word,
  input  wire [31:0] rd_data,

  // To the wire
  output wire        out_valid,
  input  wire        out_ready,
  output wire [7:0]  out_data
);

  localparam [2:0] IDLE   = 3'd0;
  localparam [2:0] HEADER = 3'd1;
  localparam [2:0] FETCH  = 3'd2; // Reads the byte's word.
  localparam [2:0] PICK   = 3'd3; // Takes the byte out of the word, in a cycle of its own: a block RAM gives words late.
  localparam [2:0] BYTE   = 3'd4;
  localparam [2:0] CRC    = 3'd5;
  localparam [2:0] END    = 3'd6;

  reg [2:0]  state_q;
  // Bytes of the header or of the CRC so far
  reg [1:0]  part_q;
  reg [9:0]  place_q;
  reg [10:0] left_q;
  reg [7:0]  byte_q;

  wire [31:0] crc_state;
  wire        in_ready;
  wire        in_end   = state_q == END;
  wire        in_valid = state_q == HEADER || state_q == BYTE || state_q == CRC || in_end;
  wire        take     = in_valid && in_ready;
  reg  [7:0]  data;

  assign done    = take && in_end;
  assign rd_en   = state_q == FETCH;
  assign rd_word = place_q[9:2];

  always @* begin
    case (state_q)
      HEADER:  data = part_q[0] ? status : number;
      BYTE:    data = byte_q;
      default: data = ~crc_state[8*part_q +: 8];
    endcase
  end

  tpu_crc32 u_crc (
    .clk (clk), .clear (state_q == IDLE), .en (take && (state_q == HEADER || state_q == BYTE)), .data (data), .state (crc_state)
  );

  tpu_cobs_encode u_encode (
    .clk (clk), .rst (rst),
    .in_valid (in_valid), .in_end (in_end), .in_data (data), .in_ready (in_ready),
    .out_valid (out_valid), .out_ready (out_ready), .out_data (out_data)
  );

  always @(posedge clk) begin
    case (state_q)
      IDLE: begin
        part_q  <= 2'd0;
        place_q <= first;
        left_q  <= count;
        if (start) begin
          state_q <= HEADER;
        end
      end

      HEADER: begin
        if (take) begin
          part_q <= {1'b0, !part_q[0]};
          if (part_q[0]) begin
            state_q <= left_q == 11'd0 ? CRC : FETCH;
          end
        end
      end

      FETCH: begin
        state_q <= PICK;
      end

      PICK: begin
        byte_q  <= rd_data[8*place_q[1:0] +: 8];
        state_q <= BYTE;
      end

      BYTE: begin
        if (take) begin
          place_q <= place_q + 10'd1;
          left_q  <= left_q - 11'd1;
          state_q <= left_q == 11'd1 ? CRC : FETCH;
        end
      end

      CRC: begin
        if (take) begin
          part_q <= part_q + 2'd1;
          if (part_q == 2'd3) begin
            state_q <= END;
          end
        end
      end

      default: begin
        if (take) begin
          state_q <= IDLE;
        end
      end
    endcase
    if (rst) begin
      state_q <= IDLE;
    end
  end

endmodule

`default_nettype wire
