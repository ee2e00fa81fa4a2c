// Nested loop counters: the control half of every address generator.
//
// Loop 0 is the innermost. `load` sets all loops to their first iteration (and may come in the cycle of the last `step`, so that
// one nest follows another without a bubble); each `step` moves to the next iteration of the whole nest.
//
//   level        the loop that this iteration's `step` advances: all loops inside it are at their last
//                iteration and return to the first. LEVELS-1 at most; meaningless when `last`.
//   last         all loops are at their last iteration
//   first_mask   bit i: loop i is at its first iteration
//   last_mask    bit i: loop i is at its last iteration
//
// All outputs are valid from the cycle after `load`.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_loop_counter #(
  // Loops in the nest
  parameter LEVELS = 3,
  // Bits of a count
  parameter COUNT_WIDTH = 16
) (
  input  wire                          clk,

  input  wire                          load,
  // Iterations of loop i in bits [i*COUNT_WIDTH +: COUNT_WIDTH], at least 1; sampled by `load`
  input  wire [LEVELS*COUNT_WIDTH-1:0] counts,
  input  wire                          step,

  output reg  [$clog2(LEVELS)-1:0]     level,
  output wire                          last,
  output wire [LEVELS-1:0]             first_mask,
  output wire [LEVELS-1:0]             last_mask
);

  localparam LW = $clog2(LEVELS);

  generate
    if (LEVELS < 2) begin : g_check_levels
      ERROR_tpu_loop_counter_LEVELS_must_be_at_least_2 check ();
    end
  endgenerate

  assign last = &last_mask;

  genvar i;
  generate
    for (i = 0; i < LEVELS; i = i + 1) begin : g_loop
      // Iterations left after this one, less one, so that its sign tells the last. And the value to return to.
      reg [COUNT_WIDTH:0]    left_q;
      reg [COUNT_WIDTH:0]    start_q;
      reg                    first_q;
      // All loops inside this one are at their last iteration.
      wire                   inner_last = &(last_mask | ({LEVELS{1'b1}} << i));
      wire [COUNT_WIDTH-1:0] count      = counts[i*COUNT_WIDTH +: COUNT_WIDTH];
      wire [COUNT_WIDTH:0]   loaded     = {1'b0, count} - {{(COUNT_WIDTH-1){1'b0}}, 2'd2};

      assign last_mask[i]  = left_q[COUNT_WIDTH];
      assign first_mask[i] = first_q;

      // Not `step && inner_last`: simulators then test `step` once for all loops. And one assignment to each register: they then need no
      // second copy of it.
      always @(posedge clk) begin
        if (load || step) begin
          if (load || inner_last) begin
            first_q <= load || left_q[COUNT_WIDTH];
            left_q  <= load ? loaded : left_q[COUNT_WIDTH] ? start_q : left_q - 1'b1;
          end
        end
        if (load) begin
          start_q <= loaded;
        end
      end
    end
  endgenerate

  // The innermost loop that is not at its last iteration.
  integer k;
  always @* begin
    level = LEVELS[LW-1:0] - 1'b1;
    for (k = LEVELS - 2; k >= 0; k = k - 1) begin
      if (!last_mask[k]) begin
        level = k[LW-1:0];
      end
    end
  end

endmodule

`default_nettype wire
