// The 32 semaphores: 16-bit counters, one post mask and one take mask per cycle.
//
// A post in cycle t shows in `nonzero` in cycle t+1. Taking from a semaphore that is zero is not allowed. A post that would
// exceed 65535 raises `overflow` in its own cycle and leaves that counter as it is.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_semaphores (
  input  wire        clk,
  input  wire        rst,

  // All to zero
  input  wire        clear,

  input  wire [31:0] post_mask,
  input  wire [31:0] take_mask,

  output wire [31:0] nonzero,
  output wire        overflow
);

  // Counter s in bits [16*s +: 16].
  reg [511:0] count_q;
  // Bit s: semaphore s is above zero, is at its maximum.
  reg [31:0]  nonzero_q;
  reg [31:0]  full_q;

  // Semaphores that both or neither mask names keep their value.
  wire [31:0] up     = post_mask & ~take_mask;
  wire [31:0] down   = take_mask & ~post_mask;
  wire        active = (up | down) != 32'd0;

  assign nonzero  = nonzero_q;
  assign overflow = (up & full_q) != 32'd0;

  integer s;
  always @(posedge clk) begin
    if (active) begin
      for (s = 0; s < 32; s = s + 1) begin
        if (up[s] && !full_q[s]) begin
          count_q[16*s +: 16] <= count_q[16*s +: 16] + 16'd1;
          nonzero_q[s]        <= 1'b1;
          full_q[s]           <= count_q[16*s +: 16] == 16'hFFFE;
        end else if (down[s]) begin
          count_q[16*s +: 16] <= count_q[16*s +: 16] - 16'd1;
          nonzero_q[s]        <= count_q[16*s +: 16] != 16'd1;
          full_q[s]           <= 1'b0;
        end
      end
    end
    if (clear || rst) begin
      count_q   <= 512'd0;
      nonzero_q <= 32'd0;
      full_q    <= 32'd0;
    end
  end

  `TPU_ASSERT(a_take_only_what_is_there, (take_mask & ~nonzero_q) == 32'd0)

endmodule

`default_nettype wire
