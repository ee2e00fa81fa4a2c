// tpu_scheduler: the semaphores see the masks of all units that take and that post, and no others; an overflow names each unit that posts a
// full one; decode, units and status are each wired to their own head and queue.
//
// Heads and queues are replaced by models/tpu_issue.v and models/tpu_queues.v, which do anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_scheduler #(
  parameter WORD_BITS = 128,
  parameter POS_BITS = 3
) (
  input wire                      clk,
  input wire                      clear,
  input wire                      stop,
  input wire [`TPU_NUM_UNITS-1:0] in_unit,
  input wire [POS_BITS-1:0]       in_pos,
  input wire [WORD_BITS-1:0]      in_data,
  input wire [31:0]               in_index,
  input wire [`TPU_NUM_UNITS-1:0] delivered,
  input wire [`TPU_NUM_UNITS-1:0] cmd_ready,
  input wire [`TPU_NUM_UNITS-1:0] done
);

  localparam U = `TPU_NUM_UNITS;
  localparam C = `TPU_CMD_BITS;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire            in_ready;
  wire            all_idle;
  wire [U-1:0]    cmd_valid;
  wire [U*C-1:0]  cmd;
  wire [32*U-1:0] cmd_index;
  wire [U-1:0]    overflow;
  wire [32*U-1:0] oldest_index;
  wire [U-1:0]    queued;
  wire [U-1:0]    waiting;
  wire [2*U-1:0]  wait_class;
  wire [U-1:0]    inflight;
  wire [U-1:0]    starts;

  tpu_scheduler #(
    .WORD_BITS (WORD_BITS),
    .POS_BITS  (POS_BITS)
  ) dut (
    .clk          (clk),
    .rst          (rst),
    .clear        (clear),
    .stop         (stop),
    .in_unit      (in_unit),
    .in_ready     (in_ready),
    .in_pos       (in_pos),
    .in_data      (in_data),
    .in_index     (in_index),
    .delivered    (delivered),
    .all_idle     (all_idle),
    .cmd_valid    (cmd_valid),
    .cmd_ready    (cmd_ready),
    .cmd          (cmd),
    .cmd_index    (cmd_index),
    .done         (done),
    .overflow     (overflow),
    .oldest_index (oldest_index),
    .queued       (queued),
    .waiting      (waiting),
    .wait_class   (wait_class),
    .inflight     (inflight),
    .starts       (starts)
  );

  // ---- Ports of heads, queues and semaphores --------------------------------------------------------

  (* hierconn *) wire \dut.g_unit[0].u_issue.stop ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.stop ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.stop ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.stop ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.stop ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.delivered ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.delivered ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.delivered ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.delivered ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.delivered ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.fill ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.fill ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.fill ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.fill ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.fill ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.g_unit[0].u_issue.fill_pos ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.g_unit[1].u_issue.fill_pos ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.g_unit[2].u_issue.fill_pos ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.g_unit[3].u_issue.fill_pos ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.g_unit[4].u_issue.fill_pos ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.g_unit[0].u_issue.fill_data ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.g_unit[1].u_issue.fill_data ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.g_unit[2].u_issue.fill_data ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.g_unit[3].u_issue.fill_data ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.g_unit[4].u_issue.fill_data ;
  (* hierconn *) wire [31:0] \dut.g_unit[0].u_issue.fill_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[1].u_issue.fill_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[2].u_issue.fill_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[3].u_issue.fill_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[4].u_issue.fill_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[0].u_issue.nonzero ;
  (* hierconn *) wire [31:0] \dut.g_unit[1].u_issue.nonzero ;
  (* hierconn *) wire [31:0] \dut.g_unit[2].u_issue.nonzero ;
  (* hierconn *) wire [31:0] \dut.g_unit[3].u_issue.nonzero ;
  (* hierconn *) wire [31:0] \dut.g_unit[4].u_issue.nonzero ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.cmd_ready ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.cmd_ready ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.cmd_ready ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.cmd_ready ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.cmd_ready ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.done ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.done ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.done ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.done ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.done ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.take ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.take ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.take ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.take ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.take ;
  (* hierconn *) wire [31:0] \dut.g_unit[0].u_issue.wait_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[1].u_issue.wait_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[2].u_issue.wait_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[3].u_issue.wait_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[4].u_issue.wait_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[0].u_issue.post_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[1].u_issue.post_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[2].u_issue.post_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[3].u_issue.post_mask ;
  (* hierconn *) wire [31:0] \dut.g_unit[4].u_issue.post_mask ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.cmd_valid ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.cmd_valid ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.cmd_valid ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.cmd_valid ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.cmd_valid ;
  (* hierconn *) wire [31:0] \dut.g_unit[0].u_issue.cmd_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[1].u_issue.cmd_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[2].u_issue.cmd_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[3].u_issue.cmd_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[4].u_issue.cmd_index ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.idle ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.idle ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.idle ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.idle ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.idle ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.queued ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.queued ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.queued ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.queued ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.queued ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.waiting ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.waiting ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.waiting ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.waiting ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.waiting ;
  (* hierconn *) wire [1:0] \dut.g_unit[0].u_issue.wait_class ;
  (* hierconn *) wire [1:0] \dut.g_unit[1].u_issue.wait_class ;
  (* hierconn *) wire [1:0] \dut.g_unit[2].u_issue.wait_class ;
  (* hierconn *) wire [1:0] \dut.g_unit[3].u_issue.wait_class ;
  (* hierconn *) wire [1:0] \dut.g_unit[4].u_issue.wait_class ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.inflight ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.inflight ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.inflight ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.inflight ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.inflight ;
  (* hierconn *) wire [31:0] \dut.g_unit[0].u_issue.oldest_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[1].u_issue.oldest_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[2].u_issue.oldest_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[3].u_issue.oldest_index ;
  (* hierconn *) wire [31:0] \dut.g_unit[4].u_issue.oldest_index ;
  (* hierconn *) wire \dut.g_unit[0].u_issue.start_event ;
  (* hierconn *) wire \dut.g_unit[1].u_issue.start_event ;
  (* hierconn *) wire \dut.g_unit[2].u_issue.start_event ;
  (* hierconn *) wire \dut.g_unit[3].u_issue.start_event ;
  (* hierconn *) wire \dut.g_unit[4].u_issue.start_event ;
  (* hierconn *) wire [`TPU_UNIT_USED(0)-1:0] \dut.g_unit[0].u_issue.cmd ;
  (* hierconn *) wire [`TPU_UNIT_USED(1)-1:0] \dut.g_unit[1].u_issue.cmd ;
  (* hierconn *) wire [`TPU_UNIT_USED(2)-1:0] \dut.g_unit[2].u_issue.cmd ;
  (* hierconn *) wire [`TPU_UNIT_USED(3)-1:0] \dut.g_unit[3].u_issue.cmd ;
  (* hierconn *) wire [`TPU_UNIT_USED(4)-1:0] \dut.g_unit[4].u_issue.cmd ;
  (* hierconn *) wire [31:0] \dut.u_semaphores.take_mask ;
  (* hierconn *) wire [31:0] \dut.u_semaphores.post_mask ;
  (* hierconn *) wire [31:0] \dut.u_semaphores.nonzero ;
  (* hierconn *) wire [31:0] \dut.u_semaphores.full ;
  (* hierconn *) wire        \dut.u_semaphores.clear ;
  (* hierconn *) wire [U-1:0] \dut.u_queues.in_unit ;
  (* hierconn *) wire \dut.u_queues.in_ready ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.u_queues.in_pos ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.u_queues.in_data ;
  (* hierconn *) wire [31:0] \dut.u_queues.in_index ;
  (* hierconn *) wire [U-1:0] \dut.u_queues.start ;
  (* hierconn *) wire [U-1:0] \dut.u_queues.fill ;
  (* hierconn *) wire [POS_BITS-1:0] \dut.u_queues.fill_pos ;
  (* hierconn *) wire [WORD_BITS-1:0] \dut.u_queues.fill_data ;
  (* hierconn *) wire [31:0] \dut.u_queues.fill_index ;

  wire [U-1:0] h_stop = {\dut.g_unit[4].u_issue.stop , \dut.g_unit[3].u_issue.stop , \dut.g_unit[2].u_issue.stop , \dut.g_unit[1].u_issue.stop , \dut.g_unit[0].u_issue.stop };
  wire [U-1:0] h_delivered = {\dut.g_unit[4].u_issue.delivered , \dut.g_unit[3].u_issue.delivered , \dut.g_unit[2].u_issue.delivered , \dut.g_unit[1].u_issue.delivered , \dut.g_unit[0].u_issue.delivered };
  wire [U-1:0] h_fill = {\dut.g_unit[4].u_issue.fill , \dut.g_unit[3].u_issue.fill , \dut.g_unit[2].u_issue.fill , \dut.g_unit[1].u_issue.fill , \dut.g_unit[0].u_issue.fill };
  wire [U*POS_BITS-1:0] h_fill_pos = {\dut.g_unit[4].u_issue.fill_pos , \dut.g_unit[3].u_issue.fill_pos , \dut.g_unit[2].u_issue.fill_pos , \dut.g_unit[1].u_issue.fill_pos , \dut.g_unit[0].u_issue.fill_pos };
  wire [U*WORD_BITS-1:0] h_fill_data = {\dut.g_unit[4].u_issue.fill_data , \dut.g_unit[3].u_issue.fill_data , \dut.g_unit[2].u_issue.fill_data , \dut.g_unit[1].u_issue.fill_data , \dut.g_unit[0].u_issue.fill_data };
  wire [U*32-1:0] h_fill_index = {\dut.g_unit[4].u_issue.fill_index , \dut.g_unit[3].u_issue.fill_index , \dut.g_unit[2].u_issue.fill_index , \dut.g_unit[1].u_issue.fill_index , \dut.g_unit[0].u_issue.fill_index };
  wire [U*32-1:0] h_nonzero = {\dut.g_unit[4].u_issue.nonzero , \dut.g_unit[3].u_issue.nonzero , \dut.g_unit[2].u_issue.nonzero , \dut.g_unit[1].u_issue.nonzero , \dut.g_unit[0].u_issue.nonzero };
  wire [U-1:0] h_cmd_ready = {\dut.g_unit[4].u_issue.cmd_ready , \dut.g_unit[3].u_issue.cmd_ready , \dut.g_unit[2].u_issue.cmd_ready , \dut.g_unit[1].u_issue.cmd_ready , \dut.g_unit[0].u_issue.cmd_ready };
  wire [U-1:0] h_done = {\dut.g_unit[4].u_issue.done , \dut.g_unit[3].u_issue.done , \dut.g_unit[2].u_issue.done , \dut.g_unit[1].u_issue.done , \dut.g_unit[0].u_issue.done };
  wire [U-1:0] h_take = {\dut.g_unit[4].u_issue.take , \dut.g_unit[3].u_issue.take , \dut.g_unit[2].u_issue.take , \dut.g_unit[1].u_issue.take , \dut.g_unit[0].u_issue.take };
  wire [U*32-1:0] h_wait_mask = {\dut.g_unit[4].u_issue.wait_mask , \dut.g_unit[3].u_issue.wait_mask , \dut.g_unit[2].u_issue.wait_mask , \dut.g_unit[1].u_issue.wait_mask , \dut.g_unit[0].u_issue.wait_mask };
  wire [U*32-1:0] h_post_mask = {\dut.g_unit[4].u_issue.post_mask , \dut.g_unit[3].u_issue.post_mask , \dut.g_unit[2].u_issue.post_mask , \dut.g_unit[1].u_issue.post_mask , \dut.g_unit[0].u_issue.post_mask };
  wire [U-1:0] h_cmd_valid = {\dut.g_unit[4].u_issue.cmd_valid , \dut.g_unit[3].u_issue.cmd_valid , \dut.g_unit[2].u_issue.cmd_valid , \dut.g_unit[1].u_issue.cmd_valid , \dut.g_unit[0].u_issue.cmd_valid };
  wire [U*32-1:0] h_cmd_index = {\dut.g_unit[4].u_issue.cmd_index , \dut.g_unit[3].u_issue.cmd_index , \dut.g_unit[2].u_issue.cmd_index , \dut.g_unit[1].u_issue.cmd_index , \dut.g_unit[0].u_issue.cmd_index };
  wire [U-1:0] h_idle = {\dut.g_unit[4].u_issue.idle , \dut.g_unit[3].u_issue.idle , \dut.g_unit[2].u_issue.idle , \dut.g_unit[1].u_issue.idle , \dut.g_unit[0].u_issue.idle };
  wire [U-1:0] h_queued = {\dut.g_unit[4].u_issue.queued , \dut.g_unit[3].u_issue.queued , \dut.g_unit[2].u_issue.queued , \dut.g_unit[1].u_issue.queued , \dut.g_unit[0].u_issue.queued };
  wire [U-1:0] h_waiting = {\dut.g_unit[4].u_issue.waiting , \dut.g_unit[3].u_issue.waiting , \dut.g_unit[2].u_issue.waiting , \dut.g_unit[1].u_issue.waiting , \dut.g_unit[0].u_issue.waiting };
  wire [U*2-1:0] h_wait_class = {\dut.g_unit[4].u_issue.wait_class , \dut.g_unit[3].u_issue.wait_class , \dut.g_unit[2].u_issue.wait_class , \dut.g_unit[1].u_issue.wait_class , \dut.g_unit[0].u_issue.wait_class };
  wire [U-1:0] h_inflight = {\dut.g_unit[4].u_issue.inflight , \dut.g_unit[3].u_issue.inflight , \dut.g_unit[2].u_issue.inflight , \dut.g_unit[1].u_issue.inflight , \dut.g_unit[0].u_issue.inflight };
  wire [U*32-1:0] h_oldest_index = {\dut.g_unit[4].u_issue.oldest_index , \dut.g_unit[3].u_issue.oldest_index , \dut.g_unit[2].u_issue.oldest_index , \dut.g_unit[1].u_issue.oldest_index , \dut.g_unit[0].u_issue.oldest_index };
  wire [U-1:0] h_start_event = {\dut.g_unit[4].u_issue.start_event , \dut.g_unit[3].u_issue.start_event , \dut.g_unit[2].u_issue.start_event , \dut.g_unit[1].u_issue.start_event , \dut.g_unit[0].u_issue.start_event };
  // Unit u in place u, filled up with zeros
  wire [U*C-1:0] h_cmd;
  assign h_cmd[0*C +: C] = \dut.g_unit[0].u_issue.cmd ;
  assign h_cmd[1*C +: C] = \dut.g_unit[1].u_issue.cmd ;
  assign h_cmd[2*C +: C] = \dut.g_unit[2].u_issue.cmd ;
  assign h_cmd[3*C +: C] = \dut.g_unit[3].u_issue.cmd ;
  assign h_cmd[4*C +: C] = \dut.g_unit[4].u_issue.cmd ;

  // ---- Masks ------------------------------------------------------------------------------------------

  // Of each semaphore: whether some unit takes it, posts it
  reg [31:0] taken;
  reg [31:0] posted;
  reg [U-1:0] posts_full;
  integer u;
  integer s;

  always @* begin
    taken      = 32'd0;
    posted     = 32'd0;
    posts_full = {U{1'b0}};
    for (s = 0; s < 32; s = s + 1) begin
      for (u = 0; u < U; u = u + 1) begin
        if (h_take[u] && h_wait_mask[32*u + s]) taken[s] = 1'b1;
        if (done[u] && h_post_mask[32*u + s]) posted[s] = 1'b1;
        if (done[u] && h_post_mask[32*u + s] && \dut.u_semaphores.full [s]) posts_full[u] = 1'b1;
      end
    end
  end

  always @* begin
    if (!rst) begin
      assert (\dut.u_semaphores.take_mask == taken);
      assert (\dut.u_semaphores.post_mask == posted);
      assert (\dut.u_semaphores.clear == clear);
      assert (overflow == posts_full);
      assert (h_nonzero == {U{\dut.u_semaphores.nonzero }});

      assert (h_stop == {U{stop}} && h_delivered == delivered && h_cmd_ready == cmd_ready && h_done == done);
      assert (h_fill == \dut.u_queues.fill );
      assert (h_fill_pos == {U{\dut.u_queues.fill_pos }});
      assert (h_fill_data == {U{\dut.u_queues.fill_data }});
      assert (h_fill_index == {U{\dut.u_queues.fill_index }});
      assert (cmd_valid == h_cmd_valid && cmd == h_cmd && cmd_index == h_cmd_index && starts == h_start_event);
      assert (queued == h_queued && waiting == h_waiting && wait_class == h_wait_class && inflight == h_inflight);
      assert (oldest_index == h_oldest_index);
      assert (all_idle == &h_idle);

      assert (\dut.u_queues.in_unit == in_unit && \dut.u_queues.in_pos == in_pos && \dut.u_queues.in_data == in_data);
      assert (\dut.u_queues.in_index == in_index && in_ready == \dut.u_queues.in_ready && \dut.u_queues.start == starts);
    end
  end

endmodule

`default_nettype wire
