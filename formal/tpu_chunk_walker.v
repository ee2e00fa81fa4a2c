// tpu_chunk_walker: the chunks of a stream of any length, and of a stream without end, in order: each as long as stream, pixel and row allow,
// at its row, with its number; instructions follow each other without a gap.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_chunk_walker #(
  parameter ROW_BYTES = 4,
  parameter LENGTH_BITS = 33
) (
  input wire                   clk,
  input wire                   start_valid,
  input wire [LENGTH_BITS-1:0] start_length,
  input wire [15:0]            start_row,
  input wire [15:0]            start_plane_stride,
  input wire [23:0]            start_pixel_bytes,
  input wire [15:0]            start_pixel_stride,
  input wire                   start_single,
  input wire [19:0]            start_beyond,
  input wire                   chunk_ready
);

  localparam CW = $clog2(ROW_BYTES);
  localparam TW = LENGTH_BITS;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        start_ready;
  wire        chunk_valid;
  wire [19:0] chunk_row;
  wire        chunk_outside;
  wire [CW:0] chunk_length;
  wire [7:0]  chunk_index;
  wire        chunk_last;

  tpu_chunk_walker #(
    .ROW_BYTES   (ROW_BYTES),
    .LENGTH_BITS (TW)
  ) dut (
    .clk                (clk),
    .rst                (rst),
    .start_valid        (start_valid),
    .start_ready        (start_ready),
    .start_length       (start_length),
    .start_row          (start_row),
    .start_plane_stride (start_plane_stride),
    .start_pixel_bytes  (start_pixel_bytes),
    .start_pixel_stride (start_pixel_stride),
    .start_single       (start_single),
    .start_more         (2'd0),
    .start_beyond       (start_beyond),
    .chunk_valid        (chunk_valid),
    .chunk_ready        (chunk_ready),
    .chunk_row          (chunk_row),
    .chunk_outside      (chunk_outside),
    .chunk_length       (chunk_length),
    .chunk_index        (chunk_index),
    .chunk_last         (chunk_last)
  );

  always @* assume (start_pixel_bytes != 0);

  //// Reference: bytes left of stream and pixel, this chunk's among them ////

  reg          busy_q;
  reg          endless_q;
  reg [TW:0]   left_q;
  reg [23:0]   pixel_left_q;
  reg [23:0]   pixel_bytes_q;
  reg          single_q;
  reg [19:0]   beyond_q;
  reg [15:0]   plane_stride_q;
  reg [15:0]   pixel_stride_q;
  reg [19:0]   row_q;
  reg [19:0]   pixel_row_q;
  reg [7:0]    index_q;

  wire [23:0]  limit     = single_q ? 1 : ROW_BYTES;
  wire [23:0]  of_pixel  = pixel_left_q < limit ? pixel_left_q : limit;
  wire [23:0]  length    = endless_q || of_pixel < left_q ? of_pixel : left_q;
  wire         last      = !endless_q && length == left_q;
  wire         ends      = pixel_left_q == length;
  wire         step      = chunk_valid && chunk_ready;
  wire         start     = start_valid && start_ready;

  always @(posedge clk) begin
    if (start) begin
      busy_q         <= 1'b1;
      endless_q      <= start_length[TW-1];
      left_q         <= start_length[TW-2:0] + 1'b1;
      pixel_left_q   <= start_pixel_bytes;
      pixel_bytes_q  <= start_pixel_bytes;
      single_q       <= start_single;
      beyond_q       <= start_beyond;
      plane_stride_q <= start_plane_stride;
      pixel_stride_q <= start_pixel_stride;
      row_q          <= start_row;
      pixel_row_q    <= start_row;
      index_q        <= 0;
    end else if (step) begin
      busy_q       <= !last;
      left_q       <= left_q - length;
      pixel_left_q <= ends ? pixel_bytes_q : pixel_left_q - length;
      row_q        <= ends ? pixel_row_q + pixel_stride_q : row_q + plane_stride_q;
      pixel_row_q  <= ends ? pixel_row_q + pixel_stride_q : pixel_row_q;
      index_q      <= ends ? 0 : index_q + 1'b1;
    end
    if (rst) busy_q <= 1'b0;
  end

  always @* begin
    if (!rst) begin
      assert (chunk_valid == busy_q);
      assert (start_ready == (!busy_q || (chunk_ready && last)));
      if (chunk_valid) begin
        assert (chunk_length == length && chunk_last == last);
        assert (chunk_row == row_q && chunk_index == index_q);
        assert (chunk_outside == |(row_q & beyond_q));
      end
    end
  end

  //// What makes it inductive ////

  (* hierconn *) wire [TW-1:0] \dut.rest_q ;
  (* hierconn *) wire          \dut.final_q ;
  (* hierconn *) wire [23:0]   \dut.left_q ;
  (* hierconn *) wire          \dut.ends_pixel_q ;
  (* hierconn *) wire [19:0]   \dut.pixel_row_q ;
  (* hierconn *) wire [15:0]   \dut.g_int8.plane_stride_q ;
  (* hierconn *) wire [23:0]   \dut.pixel_bytes_q ;
  (* hierconn *) wire [15:0]   \dut.pixel_stride_q ;
  (* hierconn *) wire          \dut.single_q ;
  (* hierconn *) wire [19:0]   \dut.beyond_q ;
  // The stream ends in this pixel; its bytes behind it
  wire        final_pixel = !endless_q && left_q <= pixel_left_q;
  wire [TW:0] behind      = left_q - pixel_left_q - 1'b1;
  wire [23:0] in_pixel    = final_pixel ? left_q : pixel_left_q;

  always @* begin
    if (!rst && busy_q) begin
      assert (endless_q || (left_q <= {2'b01, {(TW-1){1'b0}}} && left_q != 0));
      assert (pixel_left_q != 0 && pixel_left_q <= pixel_bytes_q);
      assert (\dut.final_q == final_pixel && \dut.rest_q [TW-1] == endless_q);
      assert (endless_q || final_pixel || \dut.rest_q [TW-2:0] == behind);
      assert (\dut.left_q == in_pixel - 1'b1 && \dut.ends_pixel_q == (in_pixel <= limit));
      assert (\dut.pixel_row_q == pixel_row_q && \dut.g_int8.plane_stride_q == plane_stride_q && \dut.pixel_stride_q == pixel_stride_q);
      assert (\dut.pixel_bytes_q == pixel_bytes_q && \dut.single_q == single_q && \dut.beyond_q == beyond_q);
    end
  end

endmodule

`default_nettype wire
