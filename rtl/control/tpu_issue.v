// One unit's next instruction, the head, and the instructions it has in flight.
//
//   fill ▶ head: takes its semaphores as soon as all are above zero ▶ complete, delivered: cmd_valid ▶ accepted: in flight
//        ▶ `done`: posts, retired
//
//   cycle   0        1           2
//           met      `take`                 semaphores are met and taken; cmd_valid at 1 if the head is complete
//           `done`   posted      met        an instruction that waits for what another one posts: cmd_valid at 2
//
// The semaphores show a take two cycles after it was decided on. Nobody can tell: only one unit waits for a semaphore, and its next
// instruction comes later. Eight instructions may be in flight. `done` must not come in the cycle of the acceptance.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_issue #(
  // Bits of an instruction up to its highest field
  parameter CMD_USED = 504,
  // Bits of a word, bits of its place in an instruction
  parameter WORD_BITS = 128,
  parameter POS_BITS = 3,
  // Bits of the number of instructions that a queue can hold, with the head
  parameter COUNT_BITS = 7
) (
  input  wire                 clk,
  input  wire                 rst,

  // No instruction starts
  input  wire                 stop,

  // A legal instruction has come into the queue
  input  wire                 delivered,

  // Words of the head
  input  wire                 fill,
  input  wire [POS_BITS-1:0]  fill_pos,
  input  wire [WORD_BITS-1:0] fill_data,
  input  wire [31:0]          fill_index,

  // Semaphores
  input  wire [31:0]          nonzero,
  output wire                 take,
  output wire [31:0]          wait_mask,
  output wire [31:0]          post_mask,

  // Unit
  output wire                 cmd_valid,
  input  wire                 cmd_ready,
  output wire [CMD_USED-1:0]  cmd,
  output wire [31:0]          cmd_index,
  input  wire                 done,

  // Neither queued nor in flight
  output wire                 idle,
  // An instruction is at the head; a semaphore keeps it there; class of the lowest-numbered such semaphore
  output wire                 queued,
  output wire                 waiting,
  output wire [1:0]           wait_class,
  // An instruction has started and is not done; index of the oldest
  output wire                 inflight,
  output wire [31:0]          oldest_index,
  // An instruction starts
  output wire                 start_event
);

  // Words of an instruction
  localparam integer WORDS = (CMD_USED + WORD_BITS - 1) / WORD_BITS;
  localparam integer LAST  = WORDS - 1;

  // ---- Head ---------------------------------------------------------------------------------------

  reg [CMD_USED-1:0] cmd_q;
  reg [31:0]         cmd_index_q;
  // The head holds its first word, which has the semaphores; all its words.
  reg                first_q;
  reg                complete_q;

  genvar w;
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : g_word
      localparam [POS_BITS-1:0] POS = w;
      localparam integer BITS = (w + 1) * WORD_BITS > CMD_USED ? CMD_USED - w * WORD_BITS : WORD_BITS;
      always @(posedge clk) begin
        if (fill && fill_pos == POS) begin
          cmd_q[WORD_BITS*w +: BITS] <= fill_data[BITS-1:0];
        end
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (fill) begin
      cmd_index_q <= fill_index;
    end
    first_q    <= fill || (first_q && !start_event);
    complete_q <= (fill && fill_pos == LAST[POS_BITS-1:0]) || (complete_q && !start_event);
    if (rst) begin
      first_q    <= 1'b0;
      complete_q <= 1'b0;
    end
  end

  // ---- Start --------------------------------------------------------------------------------------

  // The head has taken its semaphores; has just decided to.
  reg                  granted_q;
  reg                  take_q;
  // Legal instructions that have not started; there is one.
  reg [COUNT_BITS-1:0] count_q;
  reg                  some_q;
  wire                 room;
  // Semaphores that keep the head waiting.
  wire [31:0]          unmet    = wait_mask & ~nonzero;
  wire                 take_now = first_q && !granted_q && unmet == 32'd0 && room && !stop;

  assign take        = take_q;
  assign wait_mask   = cmd_q[`TPU_WAIT];
  assign waiting     = first_q && !granted_q && unmet != 32'd0;
  assign wait_class  = unmet[7:0]   != 8'd0 ? 2'd0
                     : unmet[15:8]  != 8'd0 ? 2'd1
                     : unmet[23:16] != 8'd0 ? 2'd2
                     :                        2'd3;
  assign queued      = first_q;
  assign cmd_valid   = granted_q && complete_q && some_q && !stop;
  assign cmd         = cmd_q;
  assign cmd_index   = cmd_index_q;
  assign start_event = cmd_valid && cmd_ready;

  always @(posedge clk) begin
    granted_q <= take_now || (granted_q && !start_event);
    take_q    <= take_now;
    if (delivered != start_event) begin
      count_q <= delivered ? count_q + 1'b1 : count_q - 1'b1;
    end
    // A cycle late after a start, when the head is not complete.
    some_q    <= count_q != {COUNT_BITS{1'b0}};
    if (rst) begin
      granted_q <= 1'b0;
      take_q    <= 1'b0;
      count_q   <= {COUNT_BITS{1'b0}};
      some_q    <= 1'b0;
    end
  end

  // ---- In flight ----------------------------------------------------------------------------------

  wire [3:0] level;

  assign idle     = count_q == {COUNT_BITS{1'b0}} && !inflight;

  tpu_fifo #(
    .WIDTH (64),
    .DEPTH (8)
  ) u_inflight (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (start_event),
    .in_ready  (room),
    .in_data   ({cmd_index, cmd_q[`TPU_POST]}),
    .out_valid (inflight),
    .out_ready (done),
    .out_data  ({oldest_index, post_mask}),
    .level     (level)
  );

  // Of the last word not all bits are used.
  wire unused = &{1'b0, level, fill_data};

  `TPU_ASSERT(a_done_only_in_flight, !done || inflight)

endmodule

`default_nettype wire
