// Recuts a byte stream: words with any number of valid bytes in, pieces of any requested length out.
//
// Bytes lie in a ring of four rows of LANES = max(IN_BYTES, OUT_BYTES) bytes; each lane is a memory of four bytes. An input word is rotated
// to the lane where its first byte belongs and written from there on, around the end into the next row. So the lanes before the first
// byte write, and read, one row further than the others. A cut reads each lane once, rotates and masks:
//
//   cycle t      in_valid && in_ready: word rotated and written
//   cycle t+1    cut_ready counts its bytes; cut_en takes them
//   cycle t+2    cut_data holds the piece, until the next cut
//
// One word and one piece per cycle, whatever their alignment. A word writes all lanes, also those behind its last byte,
// so the input stops when the second of its two rows is the row to be cut.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_byte_gearbox #(
  // Bytes per input word, a power of two
  parameter IN_BYTES = 16,
  // Most bytes per piece, a power of two
  parameter OUT_BYTES = 16
) (
  input  wire                         clk,
  input  wire                         rst,

  // Input: `in_count` (1 .. IN_BYTES) bytes of in_data, from byte in_offset on
  input  wire                         in_valid,
  output wire                         in_ready,
  input  wire [8*IN_BYTES-1:0]        in_data,
  input  wire [$clog2(IN_BYTES)-1:0]  in_offset,
  input  wire [$clog2(IN_BYTES):0]    in_count,

  // Output: cut_en (only while cut_ready) takes cut_length (0 .. OUT_BYTES) bytes, which appear in cut_data in the next
  // cycle, from byte cut_offset on, between zeros
  input  wire [$clog2(OUT_BYTES):0]   cut_length,
  input  wire [$clog2(OUT_BYTES)-1:0] cut_offset,
  output wire                         cut_ready,
  input  wire                         cut_en,
  output wire [8*OUT_BYTES-1:0]       cut_data
);

  localparam LANES = IN_BYTES > OUT_BYTES ? IN_BYTES : OUT_BYTES;
  localparam LW    = $clog2(LANES);
  localparam IW    = $clog2(IN_BYTES);
  localparam OW    = $clog2(OUT_BYTES);
  // Bits of a position in the ring: two for the row, then the lane
  localparam PW    = LW + 2;

  generate
    if (IN_BYTES < 2 || (IN_BYTES & (IN_BYTES - 1)) != 0) begin : g_check_in
      ERROR_tpu_byte_gearbox_IN_BYTES_must_be_a_power_of_two check ();
    end
    if (OUT_BYTES < 2 || (OUT_BYTES & (OUT_BYTES - 1)) != 0) begin : g_check_out
      ERROR_tpu_byte_gearbox_OUT_BYTES_must_be_a_power_of_two check ();
    end
  endgenerate

  // Moves byte i to lane i + lanes, around the end.
  function [8*LANES-1:0] rotate_up;
    input [8*LANES-1:0] data;
    input [LW-1:0]      lanes;
    integer             s;
    begin
      rotate_up = data;
      for (s = 0; s < LW; s = s + 1) begin
        if (lanes[s]) begin
          rotate_up = (rotate_up << (8 << s)) | (rotate_up >> (8 * LANES - (8 << s)));
        end
      end
    end
  endfunction

  // Ones in the bytes offset .. offset + length - 1.
  function [8*LANES-1:0] piece_mask;
    input [OW-1:0] offset;
    input [OW:0]   length;
    begin
      piece_mask = ~({8*LANES{1'b1}} << {length, 3'b000}) << {offset, 3'b000};
    end
  endfunction

  // ---- Positions -------------------------------------------------------------------------------

  // Next byte to be written, next byte to be cut.
  reg  [PW-1:0] wr_ptr_q;
  reg  [PW-1:0] cut_ptr_q;

  wire [LW-1:0] wr_lane    = wr_ptr_q[LW-1:0];
  wire [1:0]    wr_row     = wr_ptr_q[PW-1:LW];
  wire [LW-1:0] cut_lane   = cut_ptr_q[LW-1:0];
  wire [1:0]    cut_row    = cut_ptr_q[PW-1:LW];
  wire [1:0]    rows_ahead = wr_row - cut_row;
  wire [PW-1:0] held       = wr_ptr_q - cut_ptr_q;
  wire          push       = in_valid && in_ready;

  assign in_ready  = rows_ahead != 2'd3;
  assign cut_ready = held >= {{(PW-OW-1){1'b0}}, cut_length};

  // ---- Ring ------------------------------------------------------------------------------------

  reg  [8*LANES-1:0] piece_q;
  // The word as often as there is room for it: of each lane counts what lies there when the word's bytes are written.
  wire [8*LANES-1:0] in_lanes   = {(LANES/IN_BYTES){in_data}};
  wire [8*LANES-1:0] in_turned;
  wire [8*LANES-1:0] cut_lanes;
  wire [LW-1:0]      in_turn    = wr_lane - {{(LW-IW){1'b0}}, in_offset};
  wire [LW-1:0]      cut_turn   = {{(LW-OW){1'b0}}, cut_offset} - cut_lane;

  // The lanes before the first byte
  wire [LANES-1:0]   wr_before  = ~({LANES{1'b1}} << wr_lane);
  wire [LANES-1:0]   cut_before = ~({LANES{1'b1}} << cut_lane);

  assign in_turned = rotate_up(in_lanes, in_turn);
  assign cut_data  = piece_q[8*OUT_BYTES-1:0];

  generate
    if (LANES > OUT_BYTES) begin : g_out_narrow
      wire unused = &{1'b0, piece_q[8*LANES-1:8*OUT_BYTES]};
    end
  endgenerate

  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_lane
      reg  [7:0] bytes [0:3];
      wire [1:0] wr_at  = wr_row + {1'b0, wr_before[l]};
      wire [1:0] cut_at = cut_row + {1'b0, cut_before[l]};

      assign cut_lanes[8*l +: 8] = bytes[cut_at];

      always @(posedge clk) begin
        if (push) begin
          bytes[wr_at] <= in_turned[8*l +: 8];
        end
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (cut_en) begin
      piece_q <= rotate_up(cut_lanes, cut_turn) & piece_mask(cut_offset, cut_length);
    end
  end

  always @(posedge clk) begin
    if (push) begin
      wr_ptr_q <= wr_ptr_q + {{(PW-IW-1){1'b0}}, in_count};
    end
    if (cut_en) begin
      cut_ptr_q <= cut_ptr_q + {{(PW-OW-1){1'b0}}, cut_length};
    end
    if (rst) begin
      wr_ptr_q  <= {PW{1'b0}};
      cut_ptr_q <= {PW{1'b0}};
    end
  end

  `TPU_ASSERT(a_cut_only_what_is_there, !cut_en || cut_ready)

endmodule

`default_nettype wire
