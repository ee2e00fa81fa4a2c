// The 32 semaphores: counters, one post mask and one take mask per cycle.
//
// A post in cycle t shows in `nonzero` in cycle t+1. A post to a semaphore in `full` leaves it as it is, and so does taking from one that
// is zero.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_semaphores (
  input  wire        clk,
  input  wire        rst,

  // All to zero
  input  wire        clear,

  input  wire [31:0] post_mask,
  input  wire [31:0] take_mask,

  output wire [31:0] nonzero,
  // At the maximum, and not taken from in this cycle
  output wire [31:0] full
);

  localparam BITS = `TPU_SEMAPHORE_BITS;

  // Counter s in place s; bit s: counter s is above zero.
  reg  [32*BITS-1:0] count_q;
  reg  [31:0]        nonzero_q;

  // Semaphores that both or neither mask names keep their value.
  wire [31:0] most;
  wire [31:0] up   = post_mask & ~take_mask & ~most;
  wire [31:0] down = take_mask & ~post_mask & nonzero_q;

  assign nonzero = nonzero_q;
  assign full    = most & ~take_mask;

  genvar s;
  generate
    for (s = 0; s < 32; s = s + 1) begin : g_semaphore
      assign most[s] = &count_q[BITS*s +: BITS];
    end
  endgenerate

  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 32; i = i + 1) begin
      if (up[i] || down[i]) begin
        // One more, or one less, which adds ones everywhere.
        count_q[BITS*i +: BITS] <= count_q[BITS*i +: BITS] + {{(BITS-1){down[i]}}, 1'b1};
        nonzero_q[i]            <= up[i] || count_q[BITS*i +: BITS] != {{(BITS-1){1'b0}}, 1'b1};
      end
    end
    if (clear || rst) begin
      count_q   <= {32*BITS{1'b0}};
      nonzero_q <= 32'd0;
    end
  end

endmodule

`default_nettype wire
