// tpu_fetch: the bursts cover the program's granules exactly once, in order, as far as they can be reached; none crosses 256 bytes; each comes as soon
// as there is room, but no sooner than the bus can have brought the one before; the FIFO has room for every word; each word that enters the FIFO is the next beats of the memory, with an error if one of them had one.
//
// The FIFO is models/tpu_fifo_ram.v: that it keeps words and their order is the proof `fifo_ram`.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_fetch #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 32,
  parameter WORD_BITS = 128
) (
  input wire                      clk,
  input wire                      start,
  input wire [AXI_ADDR_WIDTH-1:0] prog_addr,
  input wire [31:0]               prog_granules,
  input wire                      stop,
  input wire                      ar_ready,
  input wire                      r_valid,
  input wire [AXI_DATA_WIDTH-1:0] r_data,
  input wire [1:0]                r_resp,
  input wire                      r_last,
  input wire                      g_ready
);

  localparam BEATS = 512 / AXI_DATA_WIDTH;
  localparam PARTS = WORD_BITS / AXI_DATA_WIDTH;
  localparam DEPTH = 32 * 512 / WORD_BITS;
  localparam LP    = $clog2(PARTS);
  localparam FW    = $clog2(DEPTH) + 1;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                      ar_valid;
  wire [AXI_ADDR_WIDTH-1:0] ar_addr;
  wire [7:0]                ar_len;
  wire                      g_valid;
  wire [WORD_BITS-1:0]      g_data;
  wire                      g_bus_error;
  wire                      range_error;

  tpu_fetch #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .WORD_BITS      (WORD_BITS)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_addr     (prog_addr),
    .prog_granules (prog_granules),
    .stop          (stop),
    .ar_valid      (ar_valid),
    .ar_ready      (ar_ready),
    .ar_addr       (ar_addr),
    .ar_len        (ar_len),
    .r_valid       (r_valid),
    .r_data        (r_data),
    .r_resp        (r_resp),
    .r_last        (r_last),
    .g_valid       (g_valid),
    .g_ready       (g_ready),
    .g_data        (g_data),
    .g_bus_error   (g_bus_error),
    .range_error   (range_error)
  );

  (* hierconn *) wire [FW-1:0]                       \dut.u_fifo.level_q ;
  (* hierconn *) wire                                \dut.u_fifo.in_valid ;
  (* hierconn *) wire                                \dut.u_fifo.in_ready ;
  (* hierconn *) wire [WORD_BITS:0]                  \dut.u_fifo.in_data ;
  (* hierconn *) wire [AXI_ADDR_WIDTH:0]             \dut.addr_q ;
  (* hierconn *) wire [31:0]                         \dut.left_q ;
  (* hierconn *) wire [FW-1:0]                       \dut.reserved_q ;
  (* hierconn *) wire [5:0]                          \dut.pace_q ;
  (* hierconn *) wire [WORD_BITS-AXI_DATA_WIDTH-1:0] \dut.g_parts.part_q ;
  (* hierconn *) wire                                \dut.g_parts.error_q ;
  (* hierconn *) wire [LP-1:0]                       \dut.g_parts.beat_q ;

  // ---- Reference: what was accepted, and what came ------------------------------------------------------

  // The next granule that no accepted burst covers, granules from there on; beats accepted and not answered
  reg [AXI_ADDR_WIDTH:0]   next_q;
  reg [31:0]               left_q;
  reg [11:0]               owed_q;
  // Beats of the word in hand, the last ones of all, and which of them had an error
  reg [LP-1:0]             beats_q;
  reg [WORD_BITS-1:0]      last_q;
  reg [PARTS-1:0]          bad_q;
  // Of the cycle before
  reg                      stood_q;
  reg                      free_q;
  reg                      must_q;
  reg                      stop_q;
  reg [5:0]                early_q;
  reg [AXI_ADDR_WIDTH-1:0] addr_q;
  reg [7:0]                len_q;

  wire        accepted = ar_valid && ar_ready;
  wire [8:0]  beats    = ar_len + 1'b1;
  wire [2:0]  granules = beats / BEATS;
  wire [2:0]  to_end   = 4 - next_q[7:6];
  wire        beyond   = next_q[AXI_ADDR_WIDTH] || next_q[5:0] != 0;
  wire [FW-1:0] held   = \dut.u_fifo.level_q ;
  wire [15:0] inside   = held * PARTS + owed_q + beats_q + (ar_valid ? beats : 0);
  // Cycles in which the next burst would come too early, from the one on in which the last one stands there first
  wire        raised   = ar_valid && !stood_q;
  wire [5:0]  early    = raised ? beats - 1 : early_q == 0 ? 0 : early_q - 1;
  wire        idle     = left_q == 0 && owed_q == 0 && !ar_valid && held == 0;

  // The memory answers what it was asked for; a program starts behind another one.
  always @* begin
    if (!rst) begin
      assume (!r_valid || owed_q != 0);
      assume (!start || idle);
    end
  end

  always @(posedge clk) begin
    if (accepted) begin
      next_q <= next_q + granules * 64;
      left_q <= left_q - granules;
    end
    owed_q <= owed_q + (accepted ? beats : 0) - r_valid;
    if (r_valid) begin
      beats_q <= beats_q + 1'b1;
      last_q  <= {r_data, last_q[WORD_BITS-1:AXI_DATA_WIDTH]};
      bad_q   <= {r_resp[1], bad_q[PARTS-1:1]};
    end
    if (start) begin
      next_q <= prog_addr;
      left_q <= prog_granules;
    end
    stood_q <= !rst && ar_valid && !ar_ready;
    free_q  <= !ar_valid || ar_ready;
    must_q  <= !rst && !start && !ar_valid && left_q != 0 && !beyond && !stop && early == 0 && inside <= (DEPTH - 4 * 512 / WORD_BITS) * PARTS;
    stop_q  <= stop;
    early_q <= early;
    addr_q  <= ar_addr;
    len_q   <= ar_len;
    if (rst) begin
      left_q  <= 0;
      owed_q  <= 0;
      beats_q <= 0;
      early_q <= 0;
    end
  end

  wire [WORD_BITS-1:0] word  = {r_data, last_q[WORD_BITS-1:AXI_DATA_WIDTH]};
  wire [PARTS-1:0]     wrong = {r_resp[1], bad_q[PARTS-1:1]};
  // Of the word in hand, with this beat
  integer              i;
  reg                  some_bad;
  always @* begin
    some_bad = 1'b0;
    for (i = 0; i < PARTS - 1; i = i + 1) begin
      if (i < beats_q && bad_q[PARTS-1-i]) some_bad = 1'b1;
    end
  end

  always @* begin
    if (!rst) begin
      if (ar_valid) begin
        assert (!beyond && ar_addr == next_q[AXI_ADDR_WIDTH-1:0]);
        assert (beats % BEATS == 0 && granules == (left_q < to_end ? left_q : to_end) && granules != 0);
      end
      assert (!stood_q || (ar_valid && ar_addr == addr_q && ar_len == len_q));
      assert (!(free_q && stop_q) || !ar_valid);
      assert (!must_q || ar_valid);
      assert (!raised || early_q == 0);
      assert (range_error == (left_q != 0 && beyond && inside == 0));
      assert (\dut.u_fifo.in_valid == (r_valid && beats_q == PARTS - 1));
      assert (!\dut.u_fifo.in_valid || (\dut.u_fifo.in_ready && \dut.u_fifo.in_data == {wrong != 0, word}));
    end
  end

  // ---- What makes it inductive ----------------------------------------------------------------------------

  always @* begin
    if (!rst) begin
      assert (\dut.addr_q == next_q + (ar_valid ? granules * 64 : 0) || (left_q == 0 && !ar_valid));
      assert (\dut.left_q == left_q - (ar_valid ? granules : 0));
      assert (\dut.pace_q == early);
      assert (\dut.reserved_q * PARTS == inside && inside <= DEPTH * PARTS);
      assert (\dut.g_parts.beat_q == beats_q);
      assert (\dut.g_parts.part_q == last_q[WORD_BITS-1:AXI_DATA_WIDTH]);
      assert (\dut.g_parts.error_q == some_bad);
      assert ((owed_q + beats_q) % PARTS == 0);
    end
  end

endmodule

`default_nettype wire
