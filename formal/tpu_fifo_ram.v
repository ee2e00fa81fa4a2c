// tpu_fifo_ram: order, capacity, and delay. The RAM gives rubbish where a row is read while it is written.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_fifo_ram #(
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
  wire [$clog2(DEPTH+2)-1:0] held;

  tpu_fifo_ram #(
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
    .out_data  (out_data)
  );

  stream_order #(
    .WIDTH    (WIDTH),
    .CAPACITY (DEPTH + 1)
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

  // The words offered and in the cycle before.
  reg             waited_q;
  reg             offered_q;
  reg [WIDTH-1:0] data_q;

  always @(posedge clk) begin
    waited_q  <= !rst && held != 0 && !(held == 1 && out_valid && out_ready);
    offered_q <= !rst && out_valid && !out_ready;
    data_q    <= out_data;
  end

  always @* begin
    if (!rst) begin
      // Room is refused only when the RAM is full.
      assert (in_ready || held >= DEPTH);
      // A word that was inside in the cycle before, behind none that was taken, is offered.
      assert (out_valid || !waited_q);
      // An offer stands, unchanged, until it is taken.
      assert (!offered_q || (out_valid && out_data == data_q));
    end
  end

endmodule

`default_nettype wire
