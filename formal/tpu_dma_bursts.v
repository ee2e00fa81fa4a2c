// tpu_dma_bursts: the bursts of a transfer cover each of its bytes exactly once and in order, and each burst is one that AXI4 allows.
//
// The reference walks the transfer byte range by byte range with addresses wide enough not to wrap.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_dma_bursts #(
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40
) (
  input wire        clk,
  input wire        stop,
  input wire        cmd_valid,
  input wire [63:0] cmd_addr,
  input wire [63:0] cmd_bytes,
  input wire [31:0] cmd_rows,
  input wire [31:0] cmd_stride,
  input wire        burst_ready
);

  localparam BEAT = AXI_DATA_WIDTH / 8;
  localparam BW   = $clog2(BEAT);
  localparam AW   = AXI_ADDR_WIDTH;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [64:0]   addr = cmd_addr;
  wire [64:0]   span = cmd_bytes - 64'd1;
  wire          cmd_ready;
  wire          burst_valid;
  wire [AW-1:0] burst_addr;
  wire [4:0]    burst_len;
  wire [BW-1:0] burst_first;
  wire [BW-1:0] burst_end;
  wire          burst_last;
  wire          burst_range;

  tpu_dma_bursts #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .stop        (stop),
    .cmd_valid   (cmd_valid),
    .cmd_ready   (cmd_ready),
    .cmd_addr    ({|addr[64:AW], addr[AW-1:0]}),
    .cmd_span    ({|span[64:AW], span[AW-1:0]}),
    .cmd_more    (cmd_rows - 1'b1),
    .cmd_stride  (cmd_stride),
    .burst_valid (burst_valid),
    .burst_ready (burst_ready),
    .burst_addr  (burst_addr),
    .burst_len   (burst_len),
    .burst_first (burst_first),
    .burst_end   (burst_end),
    .burst_last  (burst_last),
    .burst_range (burst_range)
  );

  // Counts are at least 1.
  always @* assume (cmd_bytes != 0 && cmd_rows != 0);

  //// Reference: next byte of the row, bytes and rows left with it ////

  reg         busy_q;
  // The cycle after the command, in which its first row is loaded
  reg         fresh_q;
  // After a range error nothing comes.
  reg         dead_q;
  reg  [66:0] byte_q;
  reg  [66:0] row_q;
  reg  [63:0] left_q;
  reg  [31:0] rows_q;
  reg  [63:0] bytes_q;
  reg  [31:0] stride_q;

  wire        step    = burst_valid && burst_ready;
  wire [66:0] first   = {{(67-AW){1'b0}}, burst_addr} + burst_first;
  wire [66:0] last    = {{(67-AW){1'b0}}, burst_addr} + burst_len * BEAT + burst_end;
  wire [66:0] count   = last - first + 1'b1;
  wire        ends    = count == left_q;
  wire        outside = byte_q >> AW != 0;

  always @(posedge clk) begin
    fresh_q <= !rst && cmd_valid && cmd_ready;
    if (cmd_valid && cmd_ready) begin
      busy_q   <= 1'b1;
      byte_q   <= cmd_addr;
      row_q    <= cmd_addr;
      left_q   <= cmd_bytes;
      rows_q   <= cmd_rows;
      bytes_q  <= cmd_bytes;
      stride_q <= cmd_stride;
    end else if (step && outside) begin
      busy_q <= 1'b0;
      dead_q <= 1'b1;
    end else if (step && ends) begin
      busy_q <= rows_q != 1;
      byte_q <= row_q + stride_q;
      row_q  <= row_q + stride_q;
      left_q <= bytes_q;
      rows_q <= rows_q - 1'b1;
    end else if (step) begin
      byte_q <= last + 1'b1;
      left_q <= left_q - count;
    end
    if (rst) begin
      busy_q <= 1'b0;
      dead_q <= 1'b0;
    end
  end

  always @* begin
    if (!rst) begin
      assert (cmd_ready == (!busy_q && !dead_q));
      assert (burst_valid == (busy_q && !fresh_q && !stop));
      // As models/tpu_dma_bursts.v has it
      assert (!burst_valid || burst_range || burst_len != 0 || burst_first <= burst_end);
      if (burst_valid && outside) begin
        assert (burst_range);
      end
      if (burst_valid && !outside) begin
        assert (!burst_range);
        // Continues where the one before ended, with at least one byte and at most what is left.
        assert (first == byte_q);
        assert (last >= first && count <= left_q);
        assert (burst_last == (ends && rows_q == 1));
        // A full-width INCR burst of whole beats inside 4 KiB; its length has 5 bits, so it is at most 32 beats.
        assert (burst_addr[BW-1:0] == 0);
        assert (burst_addr >> 12 == (burst_addr + burst_len * BEAT + BEAT - 1) >> 12);
        assert (last >> AW == 0);
      end
    end
  end

  //// A burst that is not taken stays as it is ////

  reg               waits_q;
  reg [AW+7+2*BW-1:0] payload_q;
  wire [AW+7+2*BW-1:0] payload = {burst_addr, burst_len, burst_first, burst_end, burst_last, burst_range};

  always @(posedge clk) begin
    waits_q   <= !rst && burst_valid && !burst_ready;
    payload_q <= payload;
  end
  always @* if (!rst && waits_q && !stop) assert (burst_valid && payload == payload_q);

  //// What makes it inductive: the registers hold what the reference holds ////

  (* hierconn *) wire        \dut.waits_q ;
  (* hierconn *) wire        \dut.valid_q ;
  (* hierconn *) wire        \dut.final_q ;
  (* hierconn *) wire        \dut.dead_q ;
  (* hierconn *) wire [AW:0] \dut.addr_q ;
  (* hierconn *) wire [AW:0] \dut.last_q ;
  (* hierconn *) wire [AW:0] \dut.row_q ;
  (* hierconn *) wire [AW:0] \dut.span_q ;
  (* hierconn *) wire [31:0] \dut.rows_q ;
  (* hierconn *) wire [31:0] \dut.stride_q ;
  wire [66:0] next_row = fresh_q ? row_q : row_q + stride_q;
  wire [66:0] row_last = row_q + bytes_q - 1'b1;
  wire [63:0] row_span = bytes_q - 1'b1;

  always @* begin
    if (!rst) begin
      assert (\dut.valid_q == (busy_q && !fresh_q) && \dut.dead_q == dead_q);
      assert (\dut.waits_q == (busy_q && (fresh_q || rows_q != 1)));
      assert (!fresh_q || busy_q);
      if (busy_q) begin
        // Addresses have one bit more than the bus, which is enough for the next row while this row is on the bus.
        assert (row_q >> AW != 0 || rows_q == 1 && !fresh_q || \dut.row_q == next_row);
        assert (!fresh_q || \dut.row_q [AW] == outside);
        assert (!fresh_q || byte_q == row_q);
        assert (row_q <= byte_q && row_q >> 65 == 0 && (outside || byte_q - row_q + left_q == bytes_q));
        assert (\dut.stride_q == stride_q && rows_q != 0 && left_q != 0 && bytes_q != 0);
        assert (\dut.span_q [AW] == ({1'b0, row_span} >> AW != 0));
        assert (\dut.span_q [AW-1:0] == row_span[AW-1:0]);
        assert (fresh_q ? \dut.rows_q == rows_q - 1 : rows_q == 1 || \dut.rows_q == rows_q - 2);
      end
      if (busy_q && !fresh_q) begin
        assert (\dut.addr_q [AW] == outside);
        assert (outside || \dut.addr_q [AW-1:0] == byte_q);
        assert (\dut.final_q == (rows_q == 1));
        assert (outside || \dut.last_q [AW] == (row_last >> AW != 0));
        assert (outside || \dut.last_q [AW] || \dut.last_q == row_last);
      end
    end
    if (!rst && waits_q) begin
      assert (busy_q && !fresh_q && payload == payload_q);
    end
  end

endmodule

`default_nettype wire
