// Where each chunk of a LOAD's or STORE's byte stream lies in the on-chip memory.
//
//   for p in pixels of pixel_bytes:          # the stream's last pixel and each
//     for c in chunks of `limit` bytes:      # pixel's last chunk may be shorter
//       row = first_row + c*plane_stride + p*pixel_stride     (mod 2^20)
//
// One chunk per cycle; instructions follow each other without a gap.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_chunk_walker #(
  // Most bytes per chunk
  parameter N = 16
) (
  input  wire                 clk,
  input  wire                 rst,

  input  wire                 start_valid,
  output wire                 start_ready,
  // Bytes in the stream
  input  wire [63:0]          start_total,
  input  wire [15:0]          start_row,
  input  wire [15:0]          start_plane_stride,
  input  wire [23:0]          start_pixel_bytes,
  input  wire [15:0]          start_pixel_stride,
  // Bytes per chunk, 1 .. N
  input  wire [$clog2(N):0]   start_limit,

  output wire                 chunk_valid,
  input  wire                 chunk_ready,
  output wire [19:0]          chunk_row,
  output wire [$clog2(N):0]   chunk_length,
  // Number of the chunk within its pixel, mod 256
  output wire [7:0]           chunk_index,
  // The stream's last
  output wire                 chunk_last
);

  localparam LW = $clog2(N) + 1;

  reg           valid_q;
  reg  [63:0]   left_q;
  reg  [23:0]   pixel_left_q;
  reg  [19:0]   row_q;
  reg  [19:0]   pixel_row_q;
  reg  [7:0]    index_q;

  reg  [15:0]   plane_stride_q;
  reg  [23:0]   pixel_bytes_q;
  reg  [15:0]   pixel_stride_q;
  reg  [LW-1:0] limit_q;

  wire          ends_pixel = pixel_left_q <= {{(24-LW){1'b0}}, limit_q};
  wire [LW-1:0] in_pixel   = ends_pixel ? pixel_left_q[LW-1:0] : limit_q;
  wire [19:0]   next_pixel = pixel_row_q + {4'd0, pixel_stride_q};
  wire          step       = chunk_valid && chunk_ready;
  wire          start      = start_valid && start_ready;

  assign start_ready  = !valid_q || (chunk_ready && chunk_last);
  assign chunk_valid  = valid_q;
  assign chunk_row    = row_q;
  assign chunk_last   = left_q <= {{(64-LW){1'b0}}, in_pixel};
  assign chunk_length = chunk_last ? left_q[LW-1:0] : in_pixel;
  assign chunk_index  = index_q;

  always @(posedge clk) begin
    // One assignment to each register: simulators then need no second copy of it.
    if (start || step) begin
      left_q       <= start ? start_total : left_q - {{(64-LW){1'b0}}, in_pixel};
      row_q        <= start ? {4'd0, start_row} : ends_pixel ? next_pixel : row_q + {4'd0, plane_stride_q};
      index_q      <= start || ends_pixel ? 8'd0 : index_q + 8'd1;
      pixel_left_q <= start ? start_pixel_bytes : ends_pixel ? pixel_bytes_q : pixel_left_q - {{(24-LW){1'b0}}, in_pixel};
      if (start || ends_pixel) begin
        pixel_row_q <= start ? {4'd0, start_row} : next_pixel;
      end
    end
    if (start) begin
      plane_stride_q <= start_plane_stride;
      pixel_bytes_q  <= start_pixel_bytes;
      pixel_stride_q <= start_pixel_stride;
      limit_q        <= start_limit;
    end
  end

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
