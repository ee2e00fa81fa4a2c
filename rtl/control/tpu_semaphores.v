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
  localparam [BITS-1:0] MOST = {BITS{1'b1}};

  reg  [31:0] nonzero_q;
  reg  [31:0] full_q;

  // Semaphores that both or neither mask names keep their value.
  wire [31:0] up   = post_mask & ~take_mask & ~full_q;
  wire [31:0] down = take_mask & ~post_mask & nonzero_q;

  assign nonzero = nonzero_q;
  assign full    = full_q & ~take_mask;

  genvar s;
  generate
    for (s = 0; s < 32; s = s + 1) begin : g_semaphore
      reg [BITS-1:0] count_q;

      always @(posedge clk) begin
        if (up[s] || down[s]) begin
          count_q      <= up[s] ? count_q + 1'b1 : count_q - 1'b1;
          nonzero_q[s] <= up[s] || count_q != 1;
          full_q[s]    <= up[s] && count_q == MOST - 1'b1;
        end
        if (clear || rst) begin
          count_q      <= {BITS{1'b0}};
          nonzero_q[s] <= 1'b0;
          full_q[s]    <= 1'b0;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
