// tpu_acc_column: each row holds the sum of what was added to it since it was last overwritten, also when the same row is read,
// added to and written in consecutive cycles. The RAM gives rubbish where a row is read while it is written, so forwarding must hide it.
//
// One row, chosen by the solver, stands for all.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_acc_column #(
  // The invariant names the rows one by one, so only 8
  parameter ACC_ROWS = 8,
  parameter PSUM_BITS = 18
) (
  input wire                        clk,
  input wire                        tag_valid,
  input wire                        tag_accumulate,
  input wire [$clog2(ACC_ROWS)-1:0] tag_row,
  input wire [PSUM_BITS-1:0]       psum,
  input wire                        drain_en,
  input wire [$clog2(ACC_ROWS)-1:0] drain_row,
  // The row that is watched: the same in all cycles
  input wire [$clog2(ACC_ROWS)-1:0] row
);

  localparam AW = $clog2(ACC_ROWS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg  [AW-1:0] row_q;
  always @(posedge clk) row_q <= row;
  always @* if (!rst) assume (row == row_q);

  //// Tags as the array makes them (proved in tpu_array.v): those of the rows of one, two and three cycles ago ////

  reg           valid_1_q;
  reg           valid_2_q;
  reg           valid_3_q;
  reg           accumulate_1_q;
  reg           accumulate_2_q;
  reg  [AW-1:0] row_1_q;
  reg  [AW-1:0] row_2_q;
  reg  [AW-1:0] row_3_q;
  reg           forward_1_1_q;
  reg           forward_1_2_q;
  reg           forward_2_1_q;
  wire          valid     = tag_valid && !rst;
  wire          forward_1 = tag_accumulate && valid_1_q && row_1_q == tag_row;
  wire          forward_2 = tag_accumulate && valid_2_q && row_2_q == tag_row;

  always @(posedge clk) begin
    valid_1_q      <= valid;
    valid_2_q      <= valid_1_q && !rst;
    valid_3_q      <= valid_2_q && !rst;
    accumulate_1_q <= tag_accumulate;
    accumulate_2_q <= accumulate_1_q;
    row_1_q        <= tag_row;
    row_2_q        <= row_1_q;
    row_3_q        <= row_2_q;
    forward_1_1_q  <= forward_1;
    forward_1_2_q  <= forward_1_1_q;
    forward_2_1_q  <= forward_2;
  end

  // As the array drives them: one cycle after the drain.
  reg           drain_take_q;
  reg           drain_half_q;
  always @(posedge clk) begin
    drain_take_q <= !rst && drain_en;
    drain_half_q <= drain_row[AW-1];
  end

  wire [31:0]   drain_data;
  wire          bf16_out;

  tpu_acc_column #(
    .ACC_ROWS  (ACC_ROWS),
    .PSUM_BITS (PSUM_BITS)
  ) dut (
    .clk        (clk),
    .rd_lo      (valid && tag_accumulate && !tag_row[AW-1]),
    .rd_hi      (valid && tag_accumulate && tag_row[AW-1]),
    .rd_row     (tag_row[AW-2:0]),
    .sel_zero   (!accumulate_1_q),
    .sel_half   (row_1_q[AW-1]),
    .sel_before (forward_2_1_q),
    .add_before (forward_1_2_q),
    .psum       (psum),
    .bf16_in    (1'b0),
    .bf16_out   (bf16_out),
    .float_en   (1'b0),
    .wr_lo      (valid_2_q && !row_2_q[AW-1]),
    .wr_hi      (valid_2_q && row_2_q[AW-1]),
    .wr_row     (row_2_q[AW-2:0]),
    .drain_lo   (drain_en && !drain_row[AW-1]),
    .drain_hi   (drain_en && drain_row[AW-1]),
    .drain_row  (drain_row[AW-2:0]),
    .drain_take (drain_take_q),
    .drain_half (drain_half_q),
    .drain_data (drain_data)
  );

  // The array grants no drain in the half that is read for accumulation. Programs drain no row that is being written: it is
  // semaphores that keep them from it.
  always @* begin
    if (!rst) begin
      assume (!(drain_en && tag_valid && tag_accumulate && tag_row[AW-1] == drain_row[AW-1]));
      assume (!(drain_en && valid_2_q && row_2_q == drain_row));
    end
  end

  //// Reference: the row's value, and two cycles of drain ////

  reg [31:0] value_q;
  // The row was summed in the cycle before.
  reg        summed_q;
  // The row was read for draining one and two cycles ago, with this value.
  reg        drain_1_q;
  reg        drain_2_q;
  reg [31:0] value_1_q;
  reg [31:0] value_2_q;

  always @(posedge clk) begin
    if (valid_2_q && !rst && row_2_q == row) begin
      value_q <= (accumulate_2_q ? value_q : 32'd0) + {{(32-PSUM_BITS){psum[PSUM_BITS-1]}}, psum};
    end
    summed_q  <= !rst && valid_2_q && row_2_q == row;
    drain_1_q <= !rst && drain_en && drain_row == row;
    value_1_q <= value_q;
    drain_2_q <= !rst && drain_1_q;
    value_2_q <= value_1_q;
  end

  // The row's first use overwrites it or takes what is in the RAM.
  wire [32*ACC_ROWS/2-1:0] low;
  wire [32*ACC_ROWS/2-1:0] high;
  wire [31:0] stored = row[AW-1] ? high[32*row[AW-2:0] +: 32] : low[32*row[AW-2:0] +: 32];
  reg fresh_q;
  always @(posedge clk) fresh_q <= rst;
  always @* if (!rst && fresh_q) assume (value_q == stored);

  always @* if (!rst && drain_2_q) assert (drain_data == value_2_q);

  //// What makes it inductive: the registers and the RAM hold what the reference holds ////

  (* hierconn *) wire [31:0] \dut.u_half_lo.memory[0] ;
  (* hierconn *) wire [31:0] \dut.u_half_lo.memory[1] ;
  (* hierconn *) wire [31:0] \dut.u_half_lo.memory[2] ;
  (* hierconn *) wire [31:0] \dut.u_half_lo.memory[3] ;
  (* hierconn *) wire [31:0] \dut.u_half_hi.memory[0] ;
  (* hierconn *) wire [31:0] \dut.u_half_hi.memory[1] ;
  (* hierconn *) wire [31:0] \dut.u_half_hi.memory[2] ;
  (* hierconn *) wire [31:0] \dut.u_half_hi.memory[3] ;
  (* hierconn *) wire [31:0] \dut.data_lo ;
  (* hierconn *) wire [31:0] \dut.data_hi ;
  (* hierconn *) wire [31:0] \dut.addend_q ;
  (* hierconn *) wire [31:0] \dut.g_int32.sum_q ;
  assign low  = {\dut.u_half_lo.memory[3] , \dut.u_half_lo.memory[2] , \dut.u_half_lo.memory[1] , \dut.u_half_lo.memory[0] };
  assign high = {\dut.u_half_hi.memory[3] , \dut.u_half_hi.memory[2] , \dut.u_half_hi.memory[1] , \dut.u_half_hi.memory[0] };

  wire [31:0] read = row[AW-1] ? \dut.data_hi : \dut.data_lo ;

  always @* begin
    if (!rst) begin
      // How the tags of consecutive cycles go together
      if (valid_1_q) assert (forward_1_1_q == (accumulate_1_q && valid_2_q && row_2_q == row_1_q));
      if (valid_1_q) assert (forward_2_1_q == (accumulate_1_q && valid_3_q && row_3_q == row_1_q));
      if (valid_2_q) assert (forward_1_2_q == (accumulate_2_q && valid_3_q && row_3_q == row_2_q));
      assert (summed_q == (valid_3_q && row_3_q == row));
      assert (stored == value_q);
      assert (!summed_q || \dut.g_int32.sum_q == value_q);
      if (valid_1_q && accumulate_1_q && row_1_q == row && !forward_2_1_q) assert (read == value_q);
      if (valid_2_q && row_2_q == row && !forward_1_2_q) assert (\dut.addend_q == (accumulate_2_q ? value_q : 32'd0));
      if (drain_1_q) assert (drain_take_q && drain_half_q == row[AW-1] && read == value_1_q);
    end
  end

endmodule

`default_nettype wire
