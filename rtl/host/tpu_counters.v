// The hardware counters: 64 bits each, counting the cycles in which their event bit is set while `running`.
//
// The counts lie in a RAM. Small counters take the events and are added to the RAM in turn, one in a cycle, in four stages; a counter that
// is in a later stage is not taken up again before its sum is written. A read takes the place of the next turn, so that it is exact:
//
//   cycle   0        1                                2       3              4
//           `index`  row read, small counter to zero  `row`   sum, written   rd_done, rd_data
//
// In the first lap after a clear, of 32 cycles, rows count as zero. rd_done comes five cycles after rd_en, or up to three later
// if the counter was just taken up, but not before the first lap is over. rd_word stays until then: word 2*i is the low half of counter i,
// word 2*i+1 the high half, anything beyond is zero. Reading does not disturb counting; the halves are not read at the same time.
//
// A turn comes after 32 cycles, or 64 at most while reads take every other cycle.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_counters #(
  // Counters
  parameter COUNT = 31
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             clear,
  input  wire             running,
  input  wire [COUNT-1:0] events,

  input  wire             rd_en,
  input  wire [5:0]       rd_word,
  output wire             rd_done,
  output wire [31:0]      rd_data
);

  // Bits of a small counter: more events than between two turns. They lie at powers of two, for the multiplexer.
  localparam SMALL = 7;
  localparam PLACE = 8;

  generate
    if (COUNT < 2 || COUNT > 32) begin : g_check_count
      ERROR_tpu_counters_COUNT_must_be_2_to_32 check ();
    end
  endgenerate

  // ---- Turns ----------------------------------------------------------------------------------------

  // The first lap is over; a read waits; the counter whose turn is next; the counters in stages 0 to 2, and whether they are read.
  reg        known_q;
  reg        asked_q;
  reg [4:0]  turn_q;
  reg        valid_0_q;
  reg        valid_1_q;
  reg        valid_2_q;
  reg        asked_0_q;
  reg        asked_1_q;
  reg        asked_2_q;
  reg [4:0]  index_0_q;
  reg [4:0]  index_1_q;
  reg [4:0]  index_2_q;

  wire       read  = asked_q && known_q && !asked_0_q && !asked_1_q && !asked_2_q;
  wire [4:0] index = read ? rd_word[5:1] : turn_q;
  wire       go    = !(valid_0_q && index == index_0_q) && !(valid_1_q && index == index_1_q) && !(valid_2_q && index == index_2_q);

  always @(posedge clk) begin
    if (go && !read) begin
      turn_q  <= turn_q + 5'd1;
      known_q <= known_q || turn_q == 5'd31;
    end
    valid_0_q <= go;
    valid_1_q <= valid_0_q;
    valid_2_q <= valid_1_q;
    asked_0_q <= go && read;
    asked_1_q <= asked_0_q;
    asked_2_q <= asked_1_q;
    index_0_q <= index;
    index_1_q <= index_0_q;
    index_2_q <= index_1_q;
    if (clear) begin
      known_q   <= 1'b0;
      turn_q    <= 5'd0;
      valid_0_q <= 1'b0;
      valid_1_q <= 1'b0;
      valid_2_q <= 1'b0;
      asked_0_q <= 1'b0;
      asked_1_q <= 1'b0;
      asked_2_q <= 1'b0;
    end
    asked_q <= rd_en || (asked_q && !asked_2_q);
    if (rst) begin
      asked_q <= 1'b0;
    end
  end

  // ---- Small counters ---------------------------------------------------------------------------------

  wire [PLACE*32-1:0] parts;
  // Bit i: counter i counts; its small counter is taken into the block RAM.
  wire [COUNT-1:0]    counted = running ? events : {COUNT{1'b0}};
  wire [COUNT-1:0]    taken   = {{(COUNT-1){1'b0}}, valid_0_q} << index_0_q;

  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_counter
      if (i < COUNT) begin : g_small
        reg [SMALL-1:0] small_q;
        assign parts[PLACE*i +: PLACE] = {{(PLACE-SMALL){1'b0}}, small_q};
        always @(posedge clk) begin
          if (counted[i]) begin
            small_q <= small_q + 1'b1;
          end
          if (taken[i]) begin
            small_q <= {{(SMALL-1){1'b0}}, counted[i]};
          end
          if (clear) begin
            small_q <= {SMALL{1'b0}};
          end
        end
      end else begin : g_none
        assign parts[PLACE*i +: PLACE] = {PLACE{1'b0}};
      end
    end
  endgenerate

  // ---- Counts -----------------------------------------------------------------------------------------

  reg              known_0_q;
  reg              row_known_q;
  reg  [PLACE-1:0] more_1_q;
  reg  [PLACE-1:0] more_2_q;
  reg  [63:0]      base_q;
  reg              rd_done_q;
  reg  [31:0]      rd_data_q;
  wire [63:0]      row;
  wire [63:0]      sum = base_q + {{(64-PLACE){1'b0}}, more_2_q};

  assign rd_done = rd_done_q;
  assign rd_data = rd_data_q;

  tpu_ram_1r1w #(
    .WIDTH (64),
    .DEPTH (32)
  ) u_ram (
    .clk     (clk),
    .wr_en   (valid_2_q),
    .wr_addr (index_2_q),
    .wr_data (sum),
    .rd_en   (valid_0_q),
    .rd_addr (index_0_q),
    .rd_data (row)
  );

  always @(posedge clk) begin
    more_1_q    <= parts[PLACE*index_0_q +: PLACE];
    more_2_q    <= more_1_q;
    known_0_q   <= known_q;
    row_known_q <= known_0_q;
    base_q      <= row_known_q ? row : 64'd0;
    rd_data_q   <= rd_word[0] ? sum[63:32] : sum[31:0];
    rd_done_q   <= asked_2_q;
    if (rst) begin
      rd_done_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
