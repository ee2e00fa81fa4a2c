// One unit's instruction queue, and the instructions it has in flight.
//
//   queue ▶ head: `take_request` when its semaphores allow ▶ `take`, cmd_valid ▶ accepted: in flight
//         ▶ `done` ▶ `post_request` ▶ `post`, retired
//
// Taking and posting are granted by the front end to one unit per cycle each. Taking happens up to the unit's readiness ahead of
// the start; as only one unit waits for a semaphore, nobody can tell. An instruction that posts nothing retires without
// asking. Eight instructions queue, one is at the head, eight may be in flight. `done` must not come in
// the cycle of the acceptance.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_issue #(
  // Bits of an instruction
  parameter CMD_WIDTH = 512,
  // Bits of it that are not always zero; the others are not stored
  parameter CMD_USED = 512
) (
  input  wire                 clk,
  input  wire                 rst,

  // No instruction starts
  input  wire                 stop,

  // From decode
  input  wire                 in_valid,
  output wire                 in_ready,
  input  wire [CMD_USED-1:0]  in_cmd,
  input  wire [31:0]          in_index,

  // Semaphores
  input  wire [31:0]          nonzero,
  output wire                 take_request,
  input  wire                 take,
  output wire [31:0]          wait_mask,
  output wire                 post_request,
  input  wire                 post,
  output wire [31:0]          post_mask,

  // Unit
  output wire                 cmd_valid,
  input  wire                 cmd_ready,
  output wire [CMD_WIDTH-1:0] cmd,
  output wire [31:0]          cmd_index,
  input  wire                 done,

  // Neither queued nor in flight nor to be posted
  output wire                 idle,
  // An instruction is at the head; a semaphore keeps it there; class of the lowest-numbered such semaphore
  output wire                 queued,
  output wire                 waiting,
  output wire [1:0]           wait_class,
  // An instruction has started and is not done; index of the oldest, up to its posting
  output wire                 inflight,
  output wire [31:0]          oldest_index,
  // An instruction starts
  output wire                 start_event
);

  //// Queue ////

  wire                head_valid;
  wire [CMD_USED-1:0] head_cmd;

  tpu_fifo_ram #(
    .WIDTH (32 + CMD_USED),
    .DEPTH (8)
  ) u_queue (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (in_valid),
    .in_ready  (in_ready),
    .in_data   ({in_index, in_cmd}),
    .out_valid (head_valid),
    .out_ready (start_event),
    .out_data  ({cmd_index, head_cmd})
  );

  generate
    if (CMD_WIDTH == CMD_USED) begin : g_whole
      assign cmd = head_cmd;
    end else begin : g_padded
      assign cmd = {{(CMD_WIDTH-CMD_USED){1'b0}}, head_cmd};
    end
  endgenerate

  //// Start ////

  // The head has taken its semaphores.
  reg         granted_q;
  wire        room;
  // Semaphores that keep the head waiting.
  wire [31:0] unmet = wait_mask & ~nonzero;

  assign wait_mask   = head_cmd[`TPU_WAIT];
  assign take_request = head_valid && !granted_q && unmet == 32'd0 && room && !stop;
  assign waiting     = head_valid && !granted_q && unmet != 32'd0;
  assign wait_class  = unmet[7:0]   != 8'd0 ? 2'd0
                     : unmet[15:8]  != 8'd0 ? 2'd1
                     : unmet[23:16] != 8'd0 ? 2'd2
                     :                        2'd3;
  assign queued      = head_valid;
  assign cmd_valid   = granted_q && !stop;
  assign start_event = cmd_valid && cmd_ready;

  //// In flight ////

  // Instructions done whose semaphores are still to be posted, and instructions delivered by decode and not retired.
  reg  [3:0]  done_q;
  reg  [4:0]  count_q;
  wire        oldest_valid;
  wire [3:0]  level;
  wire        finished = done || done_q != 4'd0;
  wire        pushed   = in_valid && in_ready;
  wire        retire   = finished && (post || post_mask == 32'd0);

  assign post_request = finished && post_mask != 32'd0;
  assign idle         = count_q == 5'd0;
  assign inflight     = level != done_q;

  tpu_fifo #(
    .WIDTH (64),
    .DEPTH (8)
  ) u_inflight (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (start_event),
    .in_ready  (room),
    .in_data   ({cmd_index, head_cmd[`TPU_POST]}),
    .out_valid (oldest_valid),
    .out_ready (retire),
    .out_data  ({oldest_index, post_mask}),
    .level     (level)
  );

  always @(posedge clk) begin
    granted_q <= take || (granted_q && !start_event);
    if (done || retire) begin
      done_q <= done_q + {3'd0, done} - {3'd0, retire};
    end
    if (pushed || retire) begin
      count_q <= count_q + {4'd0, pushed} - {4'd0, retire};
    end
    if (rst) begin
      granted_q <= 1'b0;
      done_q    <= 4'd0;
      count_q   <= 5'd0;
    end
  end

  wire unused = &{1'b0, oldest_valid};

  `TPU_ASSERT(a_done_only_in_flight, !finished || oldest_valid)

endmodule

`default_nettype wire
