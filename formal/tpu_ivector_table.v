// tpu_ivector_table: a word is read as its four bytes were last written, each by its own table's address, and stays until the next read.
//
// Entry 165 of the last four tables stands for all.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_ivector_table (
  input wire        clk,
  input wire        wr_en,
  input wire [10:0] wr_addr,
  input wire [7:0]  wr_data,
  input wire        rd_en,
  input wire [8:0]  rd_addr
);

  localparam [8:0] ENTRY = {1'b1, 8'd165};

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [31:0] rd_data;

  tpu_ivector_table dut (
    .clk     (clk),
    .wr_en   (wr_en),
    .wr_addr (wr_addr),
    .wr_data (wr_data),
    .rd_en   (rd_en),
    .rd_addr (rd_addr),
    .rd_data (rd_data)
  );

  //// Reference: the entry's bytes that have been written, and those of the last read ////

  reg [31:0] bytes_q;
  reg [3:0]  known_q;
  reg [31:0] read_q;
  reg [3:0]  known_read_q;
  // Bits 9 and 8 of an address are the table among its four.
  wire       writes = wr_en && {wr_addr[10], wr_addr[7:0]} == ENTRY;

  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1) begin
      if (writes && wr_addr[9:8] == i) begin
        bytes_q[8*i +: 8] <= wr_data;
        known_q[i]        <= 1'b1;
      end
    end
    if (rd_en) begin
      read_q       <= bytes_q;
      known_read_q <= rd_addr == ENTRY && !writes ? known_q : 4'd0;
    end
    if (rst) begin
      known_q      <= 4'd0;
      known_read_q <= 4'd0;
    end
  end

  (* hierconn *) wire [31:0] \dut.memory[421] ;

  integer b;
  always @* begin
    if (!rst) begin
      for (b = 0; b < 4; b = b + 1) begin
        assert (!known_read_q[b] || rd_data[8*b +: 8] == read_q[8*b +: 8]);
        // Invariant
        assert (!known_q[b] || \dut.memory[421] [8*b +: 8] == bytes_q[8*b +: 8]);
      end
    end
  end

endmodule

`default_nettype wire
