// The hardware counters: 64 bits each, counting the cycles in which their event bit is set while `running`.
//
// rd_data is valid in the cycle after rd_en: word 2*i is the low half of counter i, word 2*i+1 the high half, anything
// beyond is zero. Reading does not disturb counting; the halves are not read at the same time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_counters #(
  // Counters
  parameter COUNT = 31
) (
  input  wire             clk,

  input  wire             clear,
  input  wire             running,
  input  wire [COUNT-1:0] events,

  input  wire             rd_en,
  input  wire [5:0]       rd_word,
  output reg  [31:0]      rd_data
);

  generate
    if (COUNT < 2 || COUNT > 32) begin : g_check_count
      ERROR_tpu_counters_COUNT_must_be_2_to_32 check ();
    end
  endgenerate

  // A net array rather than a packed bus: simulators copy a packed bus as a whole whenever one counter changes.
  wire [63:0] counts [0:31];

  genvar i;
  generate
    for (i = 0; i < COUNT; i = i + 1) begin : g_counter
      reg [63:0] count_q;
      assign counts[i] = count_q;
      // Adds nothing where there is no event, rather than nothing being added: simulators count several events with one instruction.
      always @(posedge clk) begin
        if (!clear) begin
          count_q <= count_q + {63'd0, running && events[i]};
        end else begin
          count_q <= 64'd0;
        end
      end
    end
    for (i = COUNT; i < 32; i = i + 1) begin : g_none
      assign counts[i] = 64'd0;
    end
  endgenerate

  wire [63:0] selected = counts[rd_word[5:1]];

  always @(posedge clk) begin
    if (rd_en) begin
      rd_data <= rd_word[0] ? selected[63:32] : selected[31:0];
    end
  end

endmodule

`default_nettype wire
