// tpu_skid: words come out once, unchanged and in order; at most two are inside, and a word is offered in the cycle after it came, or after the
// one before it was taken. in_ready and out_valid say only how many are inside: they hang on no input.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_skid #(
  parameter WIDTH = 4
) (
  input wire             clk,
  input wire             in_valid,
  input wire [WIDTH-1:0] in_data,
  input wire             out_ready
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire             in_ready;
  wire             out_valid;
  wire [WIDTH-1:0] out_data;
  wire [1:0]       held;

  tpu_skid #(
    .WIDTH (WIDTH)
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
    .CAPACITY (2)
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
      assert (in_ready == (held != 2));
      assert (out_valid == (held != 0));
    end
  end

endmodule

`default_nettype wire
