// tpu_semaphores: every semaphore counts its posts less its takes, stays where it is when it is full, and does not count below zero.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_semaphores (
  input wire        clk,
  input wire        clear,
  input wire [31:0] post_mask,
  input wire [31:0] take_mask
);

  localparam BITS = `TPU_SEMAPHORE_BITS;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [31:0] nonzero;
  wire [31:0] full;

  tpu_semaphores dut (
    .clk       (clk),
    .rst       (rst),
    .clear     (clear),
    .post_mask (post_mask),
    .take_mask (take_mask),
    .nonzero   (nonzero),
    .full      (full)
  );

  // The registers of the module: equal to what they stand for, which makes the proof inductive.
  (* hierconn *) wire [32*BITS-1:0] \dut.count_q ;

  genvar s;
  generate
    for (s = 0; s < 32; s = s + 1) begin : g_semaphore
      reg [BITS-1:0] count_q;

      always @(posedge clk) begin
        if (rst || clear) begin
          count_q <= {BITS{1'b0}};
        end else if (post_mask[s] && !take_mask[s] && count_q != {BITS{1'b1}}) begin
          count_q <= count_q + 1'b1;
        end else if (take_mask[s] && !post_mask[s] && count_q != 0) begin
          count_q <= count_q - 1'b1;
        end
      end

      always @* begin
        if (!rst) begin
          assert (nonzero[s] == (count_q != 0));
          assert (full[s] == (count_q == {BITS{1'b1}} && !take_mask[s]));
          assert (\dut.count_q [BITS*s +: BITS] == count_q);
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
