// tpu_line_output: rows become lines of bytes, of halves or of words, and two that are interleaved become four lines with a quarter of both; they are
// written one after the other from the cycle behind the row on, each at its row's address. Behind the last one the data are 0.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_line_output #(
  parameter LANES = 2,
  parameter INTERLEAVE = 1
) (
  input wire                clk,
  input wire                any_rst,
  input wire                in_row_valid,
  input wire [1:0]          in_row,
  input wire                in_valid,
  input wire                in_final,
  input wire [1:0]          in_last,
  input wire                in_interleave,
  input wire [32*LANES-1:0] in_words
);

  localparam LINE = 8 * LANES;

  // A reset comes first, and then at any time.
  reg  begun_q = 1'b0;
  wire rst = any_rst || !begun_q;
  always @(posedge clk) begun_q <= 1'b1;

  wire            wr_valid;
  wire [1:0]      wr_row;
  wire [LINE-1:0] wr_data;
  wire            rows_on_way;
  wire            done;

  tpu_line_output #(
    .LANES      (LANES),
    .UB_ROWS    (4),
    .DEPTH      (4),
    .INTERLEAVE (INTERLEAVE)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .in_row_valid  (in_row_valid),
    .in_row        (in_row),
    .in_valid      (in_valid),
    .in_final      (in_final),
    .in_last       (in_last),
    .in_interleave (in_interleave),
    .in_words      (in_words),
    .wr_valid      (wr_valid),
    .wr_row        (wr_row),
    .wr_data       (wr_data),
    .rows_on_way   (rows_on_way),
    .done          (done)
  );

  (* hierconn *) wire       \dut.u_rows.in_ready ;
  (* hierconn *) wire       \dut.u_rows.out_valid ;
  (* hierconn *) wire       \dut.u_rows.out_ready ;
  (* hierconn *) wire [1:0] \dut.u_rows.out_data ;

  //// Reference: the lines that are still to be written, the next one on the right ////

  reg [2:0]          left_q;
  reg [2:0]          number_q;
  reg [4*LINE-1:0]   lines_q;
  reg                final_q;
  reg                two_q;
  reg                waits_q;
  reg [16*LANES-1:0] first_q;

  wire [8*LANES-1:0]  bytes;
  wire [16*LANES-1:0] halves;
  wire [4*LINE-1:0]   quarters;

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      assign bytes[8*i +: 8]    = in_words[32*i +: 8];
      assign halves[16*i +: 16] = in_words[32*i +: 16];
    end
    for (i = 0; i < 4; i = i + 1) begin : g_quarter
      assign quarters[LINE*i +: LINE] = {halves[LINE/2*i +: LINE/2], first_q[LINE/2*i +: LINE/2]};
    end
  endgenerate

  wire waits  = INTERLEAVE && in_valid && in_interleave && !waits_q && !in_final;
  wire starts = in_valid && !waits;

  always @* begin
    assume (!in_row_valid || \dut.u_rows.in_ready );
    assume (in_last != 2'd2);
    if (begun_q) begin
      // A row comes when the one before has no line behind this cycle's; its address has come. The second one of two is like the first one.
      assume (!starts || left_q <= 3'd1);
      assume (left_q == 3'd0 || \dut.u_rows.out_valid );
      assume (!in_valid || !waits_q || in_interleave);
    end
    assume (!INTERLEAVE || !in_valid || !in_interleave || in_last == 2'd1);
  end

  always @(posedge clk) begin
    if (in_valid) {first_q, waits_q} <= {halves, waits};
    if (starts) begin
      left_q   <= waits_q ? 3'd4 : {1'b0, in_last} + 3'd1;
      number_q <= 3'd0;
      final_q  <= in_final;
      two_q    <= waits_q;
      lines_q  <= waits_q ? quarters : in_last == 2'd0 ? bytes : in_last == 2'd1 ? halves : in_words;
    end else if (left_q != 3'd0) begin
      left_q   <= left_q - 3'd1;
      number_q <= number_q + 3'd1;
      lines_q  <= lines_q >> LINE;
    end
    if (rst) begin
      left_q  <= 3'd0;
      waits_q <= 1'b0;
    end
  end

  // Behind a row's last line
  reg            ended_q;
  reg            idle_q;
  reg [LINE-1:0] data_q;

  always @(posedge clk) begin
    ended_q <= !rst && !starts && (left_q == 3'd1 || ended_q);
    idle_q  <= begun_q && !starts && left_q == 3'd0;
    data_q  <= wr_data;
  end

  wire       any_line = left_q != 3'd0;
  wire [2:0] row      = {1'b0, \dut.u_rows.out_data } + (two_q ? {2'd0, number_q[0]} : number_q);

  always @* begin
    if (begun_q) begin
      assert (rows_on_way == \dut.u_rows.out_valid );
      assert (wr_valid == (any_line && !row[2]));
      assert (done == (left_q == 3'd1 && final_q));
      assert (\dut.u_rows.out_ready == (left_q == 3'd1 || (any_line && two_q && number_q == 3'd1)));
      if (wr_valid) assert (wr_row == row[1:0]);
      if (any_line) assert (wr_data == lines_q[LINE-1:0]);
      else if (ended_q) assert (wr_data == {LINE{1'b0}});
      if (idle_q) assert (wr_data == data_q);
    end
  end

endmodule

`default_nettype wire
