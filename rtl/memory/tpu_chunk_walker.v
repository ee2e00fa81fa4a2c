// Where each chunk of a LOAD's or STORE's byte stream lies in the on-chip memory.
//
//   for p in pixels of pixel_bytes:             # the stream's last pixel and each
//     for c in chunks of ROW_BYTES bytes:       # pixel's last chunk may be shorter
//       row = first_row + c*plane_stride + p*pixel_stride     (mod 2^20)
//
// With WIDE chunks may have E = 2 or 4 times as many bytes and lie in E rows, one behind the other, that are given as chunks of their own
// (docs/isa.md, 10.2): those that have bytes, or with WHOLE all of them.
//
// One chunk per cycle; instructions follow each other without a gap. Numbers of bytes are kept less one: then the borrow of a
// subtraction tells whether the stream ends in a pixel, and a chunk is the pixel's last when the bits above a chunk are zero.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_chunk_walker #(
  // Most bytes per chunk, a power of two
  parameter ROW_BYTES = 16,
  // Bits of a length
  parameter LENGTH_BITS = 41,
  // Streams of numbers of 2 or 4 bytes, too
  parameter WIDE = 0,
  // A pixel's last chunk has E rows, the last ones of no bytes
  parameter WHOLE = 0
) (
  input  wire                         clk,
  input  wire                         rst,

  input  wire                         start_valid,
  output wire                         start_ready,
  // Bytes in the stream - 1; with the top bit set the stream has no end
  input  wire [LENGTH_BITS-1:0]       start_length,
  input  wire [15:0]                  start_row,
  input  wire [15:0]                  start_plane_stride,
  input  wire [23:0]                  start_pixel_bytes,
  input  wire [15:0]                  start_pixel_stride,
  // Chunks of one byte
  input  wire                         start_single,
  // E - 1: 0, 1 or 3; 0 with chunks of one byte
  input  wire [1:0]                   start_more,
  // The bits of a row that are zero in all rows that exist
  input  wire [19:0]                  start_beyond,

  output wire                         chunk_valid,
  input  wire                         chunk_ready,
  output wire [19:0]                  chunk_row,
  // The row does not exist
  output wire                         chunk_outside,
  output wire [$clog2(ROW_BYTES):0]   chunk_length,
  // Number of the chunk within its pixel, mod 256
  output wire [7:0]                   chunk_index,
  // The stream's last
  output wire                         chunk_last
);

  localparam CW = $clog2(ROW_BYTES);
  localparam TW = LENGTH_BITS;

  reg          valid_q;
  // Bytes of the stream from the next pixel on, less one
  reg [TW-1:0] rest_q;
  // The stream ends in this pixel
  reg          final_q;
  // Bytes of this pixel, less one
  reg [23:0]   left_q;
  // This chunk is the pixel's last
  reg          ends_pixel_q;
  reg [19:0]   row_q;
  reg          outside_q;
  reg [19:0]   pixel_row_q;
  reg [7:0]    index_q;

  reg [23:0]   pixel_bytes_q;
  reg [15:0]   pixel_stride_q;
  reg          single_q;
  reg [19:0]   beyond_q;

  wire         step  = chunk_valid && chunk_ready;
  wire         start = start_valid && start_ready;
  // What comes next is a stream's first chunk, if anything comes.
  wire         fresh = !valid_q || chunk_last;

  // A chunk that begins where so many bytes, and one, are left of the pixel is the pixel's last.
  function ends;
    input [23:0] left;
    input        single;
    begin
      ends = left[23:CW] == {(24-CW){1'b0}} && (!single || left[CW-1:0] == {CW{1'b0}});
    end
  endfunction

  // ---- The next pixel --------------------------------------------------------------------------

  wire [TW-1:0] stream      = fresh ? start_length : rest_q;
  wire [23:0]   pixel_bytes = fresh ? start_pixel_bytes : pixel_bytes_q;
  wire          single      = fresh ? start_single : single_q;
  wire [23:0]   whole_left  = pixel_bytes - 24'd1;
  wire [TW-1:0] rest        = {1'b0, stream[TW-2:0]} - {{(TW-24){1'b0}}, pixel_bytes};
  wire          final_pixel = rest[TW-1] && !stream[TW-1];
  wire [23:0]   pixel_left  = final_pixel ? stream[23:0] : whole_left;
  wire          pixel_ends  = final_pixel ? ends(stream[23:0], single) : ends(whole_left, single);

  // ---- The next chunk --------------------------------------------------------------------------

  wire          next_pixel  = fresh || ends_pixel_q;
  wire [23:0]   left        = left_q - (single_q ? 24'd1 : ROW_BYTES[23:0]);
  // The pixel's bytes end in the next row; it is the pixel's last
  wire          here_ends   = next_pixel ? pixel_ends : ends(left, single_q);
  wire          next_ends;
  // From this row to the next one of the pixel; bytes of this row, unless it is a single one
  wire [19:0]   row_step;
  wire [CW:0]   row_length;
  wire [19:0]   next_row    = fresh ? {4'd0, start_row} : pixel_row_q + {4'd0, pixel_stride_q};
  wire [19:0]   row         = next_pixel ? next_row : row_q + row_step;
  wire [19:0]   beyond      = fresh ? start_beyond : beyond_q;

  assign start_ready   = !valid_q || (chunk_ready && chunk_last);
  assign chunk_valid   = valid_q;
  assign chunk_row     = row_q;
  assign chunk_outside = outside_q;
  assign chunk_last    = ends_pixel_q && final_q;
  assign chunk_length  = single_q ? {{CW{1'b0}}, 1'b1} : row_length;
  assign chunk_index   = index_q;

  always @(posedge clk) begin
    if (start || step) begin
      left_q       <= next_pixel ? pixel_left : left;
      ends_pixel_q <= next_ends;
      row_q        <= row;
      outside_q    <= (row & beyond) != 20'd0;
      index_q      <= next_pixel ? 8'd0 : index_q + 8'd1;
      if (next_pixel) begin
        rest_q      <= {stream[TW-1], rest[TW-2:0]};
        final_q     <= final_pixel;
        pixel_row_q <= next_row;
      end
    end
    if (start) begin
      pixel_bytes_q  <= start_pixel_bytes;
      pixel_stride_q <= start_pixel_stride;
      single_q       <= start_single;
      beyond_q       <= start_beyond;
    end
  end

  generate
    if (WIDE != 0) begin : g_formats
      // E - 1; the row within the chunk; its chunk's last
      reg  [1:0]  more_q;
      reg  [1:0]  line_q;
      reg         last_line_q;
      // The pixel's bytes end in this row, or did before it
      reg         ended_q;
      reg         empty_q;
      // From a chunk's last row to the next chunk's first
      reg  [19:0] plane_step_q;

      wire [1:0]  more      = fresh ? start_more : more_q;
      wire [1:0]  next_line = next_pixel || last_line_q ? 2'd0 : line_q + 2'd1;
      wire        next_last = next_line == more;
      wire        ended     = here_ends || (!next_pixel && ended_q);

      assign row_step    = last_line_q ? plane_step_q : 20'd1;
      assign next_ends   = ended && (WHOLE == 0 || next_last);
      assign row_length = empty_q ? {(CW+1){1'b0}} : ended_q ? {1'b0, left_q[CW-1:0]} + 1'b1 : ROW_BYTES[CW:0];

      always @(posedge clk) begin
        if (start || step) begin
          line_q      <= next_line;
          last_line_q <= next_last;
          ended_q     <= ended;
          empty_q     <= !next_pixel && ended_q;
        end
        if (start) begin
          more_q       <= start_more;
          plane_step_q <= {4'd0, start_plane_stride} - {18'd0, start_more};
        end
      end
    end else begin : g_int8
      reg  [15:0] plane_stride_q;

      wire unused = &{1'b0, start_more};

      assign row_step    = {4'd0, plane_stride_q};
      assign next_ends   = here_ends;
      assign row_length = ends_pixel_q ? {1'b0, left_q[CW-1:0]} + 1'b1 : ROW_BYTES[CW:0];

      always @(posedge clk) begin
        if (start) begin
          plane_stride_q <= start_plane_stride;
        end
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (start) begin
      valid_q <= 1'b1;
    end else if (step && chunk_last) begin
      valid_q <= 1'b0;
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
