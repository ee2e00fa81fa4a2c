// tpu_fifo: order, capacity, level and handshake.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_fifo #(
  parameter WIDTH = 4,
  parameter DEPTH = 4
) (
  input wire             clk,
  input wire             in_valid,
  input wire [WIDTH-1:0] in_data,
  input wire             out_ready
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                       in_ready;
  wire                       out_valid;
  wire [WIDTH-1:0]           out_data;
  wire [$clog2(DEPTH):0]     level;
  wire [$clog2(DEPTH+1)-1:0] held;

  tpu_fifo #(
    .WIDTH (WIDTH),
    .DEPTH (DEPTH)
  ) dut (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_valid),
    .in_ready  (in_ready),
    .in_data   (in_data),
    .out_valid (out_valid),
    .out_ready (out_ready),
    .out_data  (out_data),
    .level     (level)
  );

  stream_order #(
    .WIDTH    (WIDTH),
    .CAPACITY (DEPTH)
  ) u_order (
    .clk       (clk),
    .rst       (rst),
    .push      (in_valid && in_ready),
    .in_data   (in_data),
    .out_valid (out_valid),
    .pop       (out_valid && out_ready),
    .out_data  (out_data),
    .held      (held)
  );

  always @* begin
    if (!rst) begin
      assert (level == held);
      assert (in_ready == (held != DEPTH));
      assert (out_valid == (held != 0));
    end
  end

endmodule

`default_nettype wire
