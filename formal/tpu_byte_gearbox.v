// tpu_byte_gearbox: bytes come out once, unchanged and in order, at the place asked for and between zeros; never stuck.
//
// One bit of one byte, both chosen by the solver, is followed through the ring.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_byte_gearbox #(
  parameter IN_BYTES = 2,
  parameter OUT_BYTES = 4
) (
  input wire                         clk,
  input wire                         in_valid,
  input wire [8*IN_BYTES-1:0]        in_data,
  input wire [$clog2(IN_BYTES)-1:0]  in_offset,
  input wire [$clog2(IN_BYTES):0]    in_count,
  input wire [$clog2(OUT_BYTES):0]   cut_length,
  input wire [$clog2(OUT_BYTES)-1:0] cut_offset,
  input wire                         cut_en
);

  localparam LANES = IN_BYTES > OUT_BYTES ? IN_BYTES : OUT_BYTES;
  localparam HW    = $clog2(4 * LANES + 1);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                   in_ready;
  wire                   cut_ready;
  wire [8*OUT_BYTES-1:0] cut_data;

  tpu_byte_gearbox #(
    .IN_BYTES  (IN_BYTES),
    .OUT_BYTES (OUT_BYTES)
  ) dut (
    .clk        (clk),
    .rst        (rst),
    .in_valid   (in_valid),
    .in_ready   (in_ready),
    .in_data    (in_data),
    .in_offset  (in_offset),
    .in_count   (in_count),
    .cut_length (cut_length),
    .cut_offset (cut_offset),
    .cut_ready  (cut_ready),
    .cut_en     (cut_en),
    .cut_data   (cut_data)
  );

  always @* begin
    assume (in_count >= 1 && in_offset + in_count <= IN_BYTES);
    assume (cut_length >= 1 && cut_offset + cut_length <= OUT_BYTES);
    assume (!cut_en || cut_ready);
  end

  wire push = in_valid && in_ready;

  // Bytes inside
  reg  [HW-1:0] held_q;
  wire [HW-1:0] kept = held_q - (cut_en ? cut_length : 0);

  // The byte that is followed: its number in its word; how many bytes are in front of it
  (* anyseq *) wire                         mark;
  (* anyseq *) wire [$clog2(IN_BYTES):0]    number;
  // The same in all cycles: the bit that is followed, and a byte of pieces that is watched for zeros
  (* anyseq *) wire [2:0]                   bit_number;
  (* anyseq *) wire [$clog2(OUT_BYTES)-1:0] outside;
  reg          [2:0]                        bit_number_q;
  reg          [$clog2(OUT_BYTES)-1:0]      outside_q;
  always @(posedge clk) {bit_number_q, outside_q} <= {bit_number, outside};
  always @* if (!rst) assume ({bit_number, outside} == {bit_number_q, outside_q});
  reg            marked_q;
  reg            value_q;
  reg  [HW-1:0]  ahead_q;
  always @* assume (number < in_count);

  // It was cut in the cycle before, to this byte of the piece
  reg                          cut_q;
  reg  [$clog2(OUT_BYTES)-1:0] place_q;
  // Zeros are expected in the bytes outside offset .. offset + length - 1
  reg                          piece_q;
  reg  [$clog2(OUT_BYTES):0]   length_q;
  reg  [$clog2(OUT_BYTES)-1:0] offset_q;
  // The output of the cycle before, if nothing was cut in that cycle
  reg                          rest_q;
  reg  [8*OUT_BYTES-1:0]       data_q;

  wire goes = marked_q && cut_en && ahead_q < cut_length;

  always @(posedge clk) begin
    held_q <= kept + (push ? in_count : 0);
    if (!marked_q && push && mark) begin
      marked_q <= 1'b1;
      value_q  <= in_data[8*(in_offset+number)+bit_number];
      ahead_q  <= kept + number;
    end else if (goes) begin
      marked_q <= 1'b0;
    end else if (cut_en) begin
      ahead_q <= ahead_q - cut_length;
    end
    cut_q   <= goes;
    place_q <= cut_offset + ahead_q;
    piece_q <= cut_en;
    rest_q  <= !rst && !cut_en;
    data_q  <= cut_data;
    if (cut_en) begin
      length_q <= cut_length;
      offset_q <= cut_offset;
    end
    if (rst) begin
      held_q   <= 0;
      marked_q <= 1'b0;
      cut_q    <= 1'b0;
      piece_q  <= 1'b0;
    end
  end

  always @* begin
    if (!rst) begin
      assert (cut_ready == (held_q >= cut_length));
      // Two rows of bytes always fit, so that any piece can be completed.
      assert (in_ready || held_q > 2 * LANES);
      assert (held_q < 4 * LANES);
      assert (!marked_q || ahead_q < held_q);
      assert (!cut_q || cut_data[8*place_q+bit_number] == value_q);
      assert (!(piece_q && (outside < offset_q || outside >= offset_q + length_q)) || cut_data[8*outside+bit_number] == 1'b0);
      // A piece stays until the next cut (as models/tpu_byte_gearbox.v has it).
      assert (!rest_q || cut_data == data_q);
    end
  end

  //// What makes it inductive: where the byte that is followed lies in the ring ////

  localparam PW = $clog2(4 * LANES);
  (* hierconn *) wire [PW-1:0]      \dut.wr_ptr_q ;
  (* hierconn *) wire [PW-1:0]      \dut.cut_ptr_q ;
  // The lanes' memories by name, so only 4 lanes
  (* hierconn *) wire [7:0]         \dut.g_lane[0].bytes[0] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[1].bytes[0] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[2].bytes[0] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[3].bytes[0] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[0].bytes[1] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[1].bytes[1] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[2].bytes[1] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[3].bytes[1] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[0].bytes[2] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[1].bytes[2] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[2].bytes[2] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[3].bytes[2] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[0].bytes[3] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[1].bytes[3] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[2].bytes[3] ;
  (* hierconn *) wire [7:0]         \dut.g_lane[3].bytes[3] ;
  wire [32*LANES-1:0] ring     = {\dut.g_lane[3].bytes[3] , \dut.g_lane[2].bytes[3] , \dut.g_lane[1].bytes[3] , \dut.g_lane[0].bytes[3] ,
                               \dut.g_lane[3].bytes[2] , \dut.g_lane[2].bytes[2] , \dut.g_lane[1].bytes[2] , \dut.g_lane[0].bytes[2] ,
                               \dut.g_lane[3].bytes[1] , \dut.g_lane[2].bytes[1] , \dut.g_lane[1].bytes[1] , \dut.g_lane[0].bytes[1] ,
                               \dut.g_lane[3].bytes[0] , \dut.g_lane[2].bytes[0] , \dut.g_lane[1].bytes[0] , \dut.g_lane[0].bytes[0] };
  wire [PW-1:0]       position = \dut.cut_ptr_q + ahead_q;
  wire [PW-1:0]       distance = \dut.wr_ptr_q - \dut.cut_ptr_q ;

  always @* begin
    if (!rst) begin
      assert (held_q == distance);
      assert (held_q + \dut.cut_ptr_q [$clog2(LANES)-1:0] < 3 * LANES + IN_BYTES);
      assert (!marked_q || ring[8*position+bit_number] == value_q);
    end
  end

endmodule

`default_nettype wire
