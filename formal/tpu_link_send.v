// tpu_link_send: an answer is its number, its status, as many bytes of the buffer as `count` said when it began, from the place on that `first` said then,
// the CRC of all these, and an end; each byte is offered until it is taken, two cycles at most behind the one before. A reset at any time ends it.
//
// Words of the buffer, the CRC and the encoder behind are the solver's. `first` and `count` are anything once the answer has begun.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_link_send (
  input wire        clk,
  input wire        reset,
  input wire        start,
  input wire [7:0]  number,
  input wire [7:0]  status,
  input wire [9:0]  first,
  input wire [10:0] count,
  input wire [31:0] rd_data
);

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  wire       done;
  wire       rd_en;
  wire [7:0] rd_word;

  tpu_link_send dut (
    .clk       (clk),
    .rst       (rst),
    .start     (start),
    .number    (number),
    .status    (status),
    .first     (first),
    .count     (count),
    .done      (done),
    .rd_en     (rd_en),
    .rd_word   (rd_word),
    .rd_data   (rd_data),
    .out_valid (),
    .out_ready (1'b0),
    .out_data  ()
  );

  (* hierconn *) wire        \dut.u_encode.in_valid ;
  (* hierconn *) wire        \dut.u_encode.in_end ;
  (* hierconn *) wire        \dut.u_encode.in_ready ;
  (* hierconn *) wire [7:0]  \dut.u_encode.in_data ;
  (* hierconn *) wire        \dut.u_crc.clear ;
  (* hierconn *) wire        \dut.u_crc.en ;
  (* hierconn *) wire [7:0]  \dut.u_crc.data ;
  (* hierconn *) wire [31:0] \dut.u_crc.state ;
  wire       valid  = \dut.u_encode.in_valid ;
  wire       is_end = \dut.u_encode.in_end ;
  wire [7:0] data   = \dut.u_encode.in_data ;
  wire       take   = valid && \dut.u_encode.in_ready ;

  //// Reference: what of the answer is still to come ////

  reg        busy_q;
  reg [15:0] sent_q;  // number and status
  reg [1:0]  head_q;  // Bytes of them so far
  reg [9:0]  place_q;
  reg [10:0] left_q;
  reg [2:0]  tail_q;  // Bytes of the CRC so far
  reg [1:0]  pause_q; // Cycles in which nothing was offered
  // The byte was read in the cycle before; it is there.
  reg        read_q;
  reg        there_q;
  reg [7:0]  byte_q;
  reg [31:0] crc_q;
  reg        crc_moves_q;

  wire in_head  = head_q != 2'd2;
  wire in_bytes = !in_head && left_q != 11'd0;
  wire in_tail  = !in_head && !in_bytes && tail_q != 3'd4;
  wire [7:0] picked = rd_data >> (8 * place_q[1:0]);
  wire [7:0] tail   = ~\dut.u_crc.state >> (8 * tail_q[1:0]);

  always @(posedge clk) begin
    crc_q       <= \dut.u_crc.state ;
    crc_moves_q <= \dut.u_crc.clear || \dut.u_crc.en ;
    sent_q      <= {status, number};
    read_q      <= !rst && rd_en;
    there_q     <= !rst && (read_q || (there_q && !take));
    pause_q     <= valid || !busy_q ? 2'd0 : pause_q + 2'd1;
    if (read_q) byte_q <= picked;
    if (!busy_q) begin
      busy_q  <= start;
      head_q  <= 2'd0;
      place_q <= first;
      left_q  <= count;
      tail_q  <= 3'd0;
    end else if (take) begin
      if (in_head) head_q <= head_q + 2'd1;
      if (in_bytes) begin
        place_q <= place_q + 10'd1;
        left_q  <= left_q - 11'd1;
      end
      if (in_tail) tail_q <= tail_q + 3'd1;
      if (is_end) busy_q <= 1'b0;
    end
    if (rst) busy_q <= 1'b0;
  end

  always @* begin
    if (!rst) begin
      assume (!busy_q || {status, number} == sent_q);
      assume (crc_moves_q || \dut.u_crc.state == crc_q);
    end
  end

  always @* begin
    if (!rst) begin
      if (valid) begin
        assert (busy_q);
        assert (is_end == !(in_head || in_bytes || in_tail));
        if (in_head) assert (data == (head_q[0] ? status : number));
        if (in_bytes) assert (there_q && data == byte_q);
        if (in_tail) assert (data == tail);
      end
      assert (!busy_q || valid || pause_q != 2'd2);
      if (rd_en) assert (busy_q && in_bytes && !there_q && rd_word == place_q[9:2]);
      assert (done == (take && is_end));
      // The CRC begins anew before each answer and gets each byte once.
      assert (\dut.u_crc.clear == !busy_q);
      assert (\dut.u_crc.en == (take && (in_head || in_bytes)));
      assert (!\dut.u_crc.en || \dut.u_crc.data == data);
    end
  end

endmodule

`default_nettype wire
