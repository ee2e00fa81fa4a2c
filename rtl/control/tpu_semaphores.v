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

  function [511:0] counted;
    input [511:0] counts;
    input [31:0]  more;
    input [31:0]  less;
    integer s;
    for (s = 0; s < 32; s = s + 1) begin
      counted[16*s +: 16] = more[s] ? counts[16*s +: 16] + 16'd1
                          : less[s] ? counts[16*s +: 16] - 16'd1 : counts[16*s +: 16];
    end
  endfunction

  // Bit s: counter s is `value`.
  function [31:0] equal;
    input [511:0] counts;
    input [15:0]  value;
    integer s;
    for (s = 0; s < 32; s = s + 1) begin
      equal[s] = counts[16*s +: 16] == value;
    end
  endfunction

  wire [31:0] more = up & ~full_q;

  // Functions, so that simulators work them out when a semaphore changes only, and copy no counters when none does.
  always @(posedge clk) begin
    if (active) begin
      nonzero_q <= (nonzero_q | more) & ~(down & equal(count_q, 16'd1));
      full_q    <= (full_q & ~down) | (more & equal(count_q, 16'hFFFE));
      count_q   <= counted(count_q, more, down);
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
