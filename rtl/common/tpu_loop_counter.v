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
// All outputs are valid from the cycle after `load`. `level` steers the adders of the addresses, and `last` decides what hundreds of registers
// take next. Therefore both come from registers: they are worked out one iteration ahead.
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

  output wire [$clog2(LEVELS)-1:0]     level,
  output wire                          last,
  output wire [LEVELS-1:0]             first_mask,
  output wire [LEVELS-1:0]             last_mask
);

  localparam LW = $clog2(LEVELS);
  localparam [COUNT_WIDTH-1:0] TWO = 2;

  generate
    if (LEVELS < 2) begin : g_check_levels
      ERROR_tpu_loop_counter_LEVELS_must_be_at_least_2 check ();
    end
  endgenerate

  // ---- Loops -----------------------------------------------------------------------------------
  // Bit i: loop i will be at its last iteration, after `load` or `step`.
  wire [LEVELS-1:0] last_mask_d;

  genvar i;
  generate
    for (i = 0; i < LEVELS; i = i + 1) begin : g_loop
      // Iterations, and those left with this one.
      wire [COUNT_WIDTH-1:0] count      = counts[i*COUNT_WIDTH +: COUNT_WIDTH];
      wire                   count_is_1 = count[COUNT_WIDTH-1:1] == {(COUNT_WIDTH-1){1'b0}};
      reg  [COUNT_WIDTH-1:0] count_q;
      reg  [COUNT_WIDTH-1:0] left_q;
      reg                    count_is_1_q;
      reg                    first_q;
      reg                    last_q;
      wire                   inner_last;

      assign first_mask[i]  = first_q;
      assign last_mask[i]   = last_q;
      assign last_mask_d[i] = load        ? count_is_1
                            : !inner_last ? last_q
                            : last_q      ? count_is_1_q : left_q == TWO;

      if (i == 0) begin : g_innermost
        assign inner_last = 1'b1;
      end else begin : g_outer
        assign inner_last = &last_mask[i-1:0];
      end

      always @(posedge clk) begin
        if (load) begin
          first_q      <= 1'b1;
          left_q       <= count;
          count_q      <= count;
          count_is_1_q <= count_is_1;
        end else if (step && inner_last) begin
          first_q      <= last_q;
          left_q       <= last_q ? count_q : left_q - 1'b1;
        end
        if (load || step) begin
          last_q       <= last_mask_d[i];
        end
      end
    end
  endgenerate

  // ---- Level: the innermost loop that is not at its last iteration ---------------------------------
  reg          last_q;
  reg [LW-1:0] level_q;
  reg [LW-1:0] level_d;
  integer k;

  assign last  = last_q;
  assign level = level_q;

  always @* begin
    level_d = LEVELS[LW-1:0] - 1'b1;
    for (k = LEVELS - 2; k >= 0; k = k - 1) begin
      if (!last_mask_d[k]) begin
        level_d = k[LW-1:0];
      end
    end
  end

  always @(posedge clk) begin
    if (load || step) begin
      last_q  <= &last_mask_d;
      level_q <= level_d;
    end
  end

endmodule

`default_nettype wire
