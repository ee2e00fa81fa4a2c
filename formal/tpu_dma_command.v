// tpu_dma_command: an instruction comes out once, with its fields and with the length of its stream, however long; contiguous rows are one
// transfer; a stream that has more bytes than there are addresses, and is not contiguous, has no address.
//
// The reference multiplies by hand, without losing a bit: one row length, shifted, for each bit of rows - 1. Numbers are compared
// with those of the addresses only.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_dma_command #(
  parameter AXI_ADDR_WIDTH = 40,
  parameter REST_BITS = 2
) (
  input wire                 clk,
  input wire                 stop,
  input wire                 cmd_valid,
  input wire [63:0]          cmd_addr,
  input wire [31:0]          cmd_row_bytes,
  input wire [31:0]          cmd_rows,
  input wire [31:0]          cmd_stride,
  input wire [REST_BITS-1:0] cmd_rest,
  input wire                 out_ready
);

  localparam AW = AXI_ADDR_WIDTH;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                 cmd_ready;
  wire                 out_valid;
  wire [AW:0]          out_addr;
  wire [AW:0]          out_span;
  wire [31:0]          out_more;
  wire [31:0]          out_stride;
  wire [AW:0]          out_length;
  wire [REST_BITS-1:0] out_rest;
  wire                 busy;

  tpu_dma_command #(
    .AXI_ADDR_WIDTH (AW),
    .REST_BITS      (REST_BITS)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .stop          (stop),
    .cmd_valid     (cmd_valid),
    .cmd_ready     (cmd_ready),
    .cmd_addr      (cmd_addr),
    .cmd_row_bytes (cmd_row_bytes),
    .cmd_rows      (cmd_rows),
    .cmd_stride    (cmd_stride),
    .cmd_rest      (cmd_rest),
    .out_valid     (out_valid),
    .out_ready     (out_ready),
    .out_addr      (out_addr),
    .out_span      (out_span),
    .out_more      (out_more),
    .out_stride    (out_stride),
    .out_length    (out_length),
    .out_rest      (out_rest),
    .busy          (busy)
  );

  // Counts are at least 1.
  always @* assume (cmd_row_bytes != 0 && cmd_rows != 0);

  //// Reference ////

  reg                 busy_q;
  reg [63:0]          addr_q;
  reg [31:0]          row_bytes_q;
  reg [31:0]          more_q;
  reg [31:0]          stride_q;
  reg [REST_BITS-1:0] rest_q;
  // Bits of more_q that are counted; bytes of so many rows and of one more, less one
  reg [5:0]           bits_q;
  reg [64:0]          length_q;

  wire                accept   = cmd_valid && cmd_ready;
  wire [64:0]         shifted  = {33'd0, row_bytes_q} << bits_q;
  wire [31:0]         uncounted = more_q >> bits_q;
  wire                computed = uncounted == 0;

  always @(posedge clk) begin
    if (accept) begin
      busy_q      <= 1'b1;
      addr_q      <= cmd_addr;
      row_bytes_q <= cmd_row_bytes;
      more_q      <= cmd_rows - 1'b1;
      stride_q    <= cmd_stride;
      rest_q      <= cmd_rest;
      bits_q      <= 0;
      length_q    <= cmd_row_bytes - 1'b1;
    end else begin
      if (out_valid && out_ready) busy_q <= 1'b0;
      if (!computed) bits_q <= bits_q + 1'b1;
      if (uncounted[0]) length_q <= length_q + shifted;
    end
    if (rst) busy_q <= 1'b0;
  end

  wire        contiguous = stride_q == row_bytes_q || more_q == 0;
  wire        too_long   = length_q >> AW != 0;
  wire [63:0] row_span   = row_bytes_q - 1'b1;

  always @* begin
    if (!rst) begin
      assert (cmd_ready == (!busy_q && !stop) && busy == busy_q);
      assert (out_valid == (busy_q && computed && !stop));
      if (out_valid) begin
        assert (out_length[AW] == too_long && (too_long || out_length[AW-1:0] == length_q));
        // The rows of one transfer, or all of them as one row
        if (contiguous) assert (out_more == 0 && out_span[AW] == too_long && (too_long || out_span == length_q));
        else assert (out_more == more_q && out_span == row_span);
        assert (out_addr[AW] == ({1'b0, addr_q} >> AW != 0 || (too_long && !contiguous)));
        assert (out_addr[AW-1:0] == addr_q[AW-1:0] && out_stride == stride_q && out_rest == rest_q);
      end
    end
  end

  //// What makes it inductive ////

  (* hierconn *) wire [31:0] \dut.span_q ;
  (* hierconn *) wire [31:0] \dut.more_q ;
  (* hierconn *) wire        \dut.contiguous_q ;
  (* hierconn *) wire [AW:0] \dut.length_q ;
  (* hierconn *) wire [AW:0] \dut.multiplicand_q ;
  (* hierconn *) wire [31:0] \dut.multiplier_q ;
  (* hierconn *) wire [AW:0] \dut.addr_q ;

  always @* begin
    if (!rst && busy_q) begin
      assert (bits_q <= 32 && (bits_q == 0 || more_q >> (bits_q - 1) != 0));
      assert (row_bytes_q != 0 && length_q < shifted && (bits_q != 0 || length_q == row_span));
      assert (\dut.multiplier_q == uncounted);
      if (!computed) begin
        assert (\dut.multiplicand_q [AW] == (shifted >> AW != 0) && \dut.multiplicand_q [AW-1:0] == shifted[AW-1:0]);
      end
      assert (\dut.length_q [AW] == too_long && \dut.length_q [AW-1:0] == length_q[AW-1:0]);
      assert (\dut.span_q == row_span && out_stride == stride_q && out_rest == rest_q);
      assert (\dut.contiguous_q == (stride_q == row_bytes_q) && \dut.more_q == (stride_q == row_bytes_q ? 0 : more_q));
      assert (\dut.addr_q [AW] == ({1'b0, addr_q} >> AW != 0) && \dut.addr_q [AW-1:0] == addr_q[AW-1:0]);
    end
  end

endmodule

`default_nettype wire
