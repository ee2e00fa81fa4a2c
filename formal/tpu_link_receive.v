// tpu_link_receive: a frame stands from its end until it is taken, and no byte comes meanwhile; each field of its header is its bytes; it is good
// exactly if it is whole, its CRC is right, and it has as many bytes as its command asks for. Bytes behind the header, and no others, go to their
// places in the buffer, as far as that reaches. The CRC gets every byte once and in order. All of that holds behind a reset at any time, too.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_link.vh"

module formal_tpu_link_receive (
  input wire       clk,
  input wire       reset,
  input wire       in_valid,
  input wire [7:0] in_data,
  input wire       frame_taken
);

  reg first_q = 1'b1;
  always @(posedge clk) first_q <= 1'b0;
  wire rst = first_q || reset;

  wire        in_ready;
  wire        wr_en;
  wire [7:0]  wr_word;
  wire [31:0] wr_data;
  wire        frame_valid;
  wire        frame_good;
  wire [7:0]  frame_number;
  wire [7:0]  frame_command;
  wire [31:0] frame_address;
  wire [31:0] frame_length;

  tpu_link_receive dut (
    .clk           (clk),
    .rst           (rst),
    .in_valid      (in_valid),
    .in_ready      (in_ready),
    .in_data       (in_data),
    .wr_en         (wr_en),
    .wr_word       (wr_word),
    .wr_data       (wr_data),
    .frame_valid   (frame_valid),
    .frame_taken   (frame_taken),
    .frame_good    (frame_good),
    .frame_number  (frame_number),
    .frame_command (frame_command),
    .frame_address (frame_address),
    .frame_length  (frame_length)
  );

  // What comes out of the decoder
  (* hierconn *) wire        \dut.u_decode.out_valid ;
  (* hierconn *) wire [7:0]  \dut.u_decode.out_data ;
  (* hierconn *) wire        \dut.u_decode.out_end ;
  (* hierconn *) wire        \dut.u_decode.out_good ;
  // What the CRC is fed, and what it says
  (* hierconn *) wire        \dut.u_crc.clear ;
  (* hierconn *) wire        \dut.u_crc.en ;
  (* hierconn *) wire [7:0]  \dut.u_crc.data ;
  (* hierconn *) wire [31:0] \dut.u_crc.state ;
  (* hierconn *) wire [10:0] \dut.count_q ;
  (* hierconn *) wire [79:0] \dut.header_q ;
  (* hierconn *) wire [31:0] \dut.word_q ;

  wire       byte_valid = \dut.u_decode.out_valid ;
  wire [7:0] byte_data  = \dut.u_decode.out_data ;
  wire       frame_end  = \dut.u_decode.out_end ;

  localparam HEADER = `TPU_LINK_HEADER_BYTES;
  localparam CRC    = `TPU_LINK_CRC_BYTES;
  localparam BLOCK  = `TPU_LINK_BLOCK_BYTES;
  // No frame that the board takes has as many bytes.
  localparam MANY   = 2047;

  //// The frame, followed once more ////

  // Bytes so far
  reg [10:0] count_q;
  reg        ended_q;
  reg        whole_q;
  // Any byte of the header, and any lane of the buffer: the byte that came last for it, if one did in this frame
  (* anyconst *) wire [3:0] field;
  (* anyconst *) wire [1:0] lane;
  reg [7:0]  field_q;
  reg [7:0]  lane_q;
  reg        lane_known_q;

  wire        in_header = count_q < HEADER;
  wire [31:0] place     = frame_address[9:0] + count_q - HEADER;
  wire        for_lane  = byte_valid && !in_header && place[1:0] == lane;

  always @(posedge clk) begin
    if (byte_valid) begin
      count_q <= count_q == MANY ? MANY : count_q + 1;
      if (count_q == field) field_q <= byte_data;
    end
    if (for_lane) begin
      lane_q       <= byte_data;
      lane_known_q <= 1'b1;
    end
    if (frame_end) begin
      ended_q <= 1'b1;
      whole_q <= \dut.u_decode.out_good ;
    end
    if (rst || frame_taken) begin
      count_q      <= 0;
      ended_q      <= 1'b0;
      lane_known_q <= 1'b0;
    end
  end

  always @* begin
    assume (field < HEADER);
    assume (!frame_taken || frame_valid);
  end

  //// What has to hold ////

  wire        writes = frame_command == `TPU_LINK_COMMAND_WRITE_MEMORY || frame_command == `TPU_LINK_COMMAND_WRITE_REGISTERS;
  wire [79:0] header = {frame_length, frame_address, frame_command, frame_number};
  // Of the header's bytes so far, the first one stands so many places above the field's end.
  wire [3:0]  behind = in_header ? HEADER - count_q : 0;

  always @* begin
    if (!rst) begin
      assert (frame_valid == ended_q && in_ready == !frame_valid);
      assert (!frame_valid || (!byte_valid && !frame_end));
      // Lengths of more than a block are refused, whatever the frame is.
      if (frame_valid && (!writes || frame_length <= BLOCK)) begin
        assert (frame_good == (whole_q && \dut.u_crc.state == `TPU_LINK_CRC_RESIDUE && count_q == HEADER + CRC + (writes ? frame_length : 0)));
      end
      if (!in_header) assert (header[8*field +: 8] == field_q);
      assert (wr_en == (byte_valid && !in_header && place < BLOCK));
      if (wr_en) begin
        assert (wr_word == place[9:2]);
        if (for_lane) assert (wr_data[8*lane +: 8] == byte_data);
        else if (lane_known_q) assert (wr_data[8*lane +: 8] == lane_q);
      end
      assert (\dut.u_crc.en == byte_valid && \dut.u_crc.data == byte_data);
      // The same, as the registers have it: what makes the properties above inductive
      assert (\dut.count_q == count_q);
      if (count_q > field) assert (\dut.header_q [8*(field+behind) +: 8] == field_q);
      if (lane_known_q) assert (!in_header && \dut.word_q [8*lane +: 8] == lane_q);
    end
    assert (\dut.u_crc.clear == (rst || frame_taken));
  end

endmodule

`default_nettype wire
