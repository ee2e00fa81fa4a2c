// tpu_scheduler: of the units that ask, exactly the first takes its semaphores and exactly the first posts; the semaphores see its
// masks and no others; decode, units and status are each wired to their own queue; a timeout names the first unit that waits or is busy.
//
// The queues are replaced by models/tpu_issue.v, which asks for anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_scheduler (
  input wire          clk,
  input wire          clear,
  input wire          stop,
  input wire [4:0]    in_unit,
  input wire [1023:0] in_cmd,
  input wire [31:0]   in_index,
  // By unit: load, weights, matmul, vector, store from bit 0
  input wire [4:0]    cmd_ready,
  input wire [4:0]    done
);

  localparam UNITS = 5;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        in_ready;
  wire        all_idle;
  wire        overflow;
  wire [2:0]  post_unit;
  wire [31:0] post_index;
  wire        wd_wait_valid;
  wire [2:0]  wd_wait_unit;
  wire [31:0] wd_wait_index;
  wire [2:0]  wd_busy_unit;
  wire [31:0] wd_busy_index;
  wire [1:0]  mm_wait_class;

  wire [4:0]        cmd_valid;
  wire [5*1024-1:0] cmd;
  wire [5*32-1:0]   cmd_index;
  wire [4:0]        queued;
  wire [4:0]        waiting;
  wire [4:0]        inflight;
  wire [4:0]        start;

  tpu_scheduler dut (
    .clk           (clk),
    .rst           (rst),
    .clear         (clear),
    .stop          (stop),
    .in_unit       (in_unit),
    .in_ready      (in_ready),
    .in_cmd        (in_cmd),
    .in_index      (in_index),
    .all_idle      (all_idle),
    .overflow      (overflow),
    .post_unit     (post_unit),
    .post_index    (post_index),
    .wd_wait_valid (wd_wait_valid),
    .wd_wait_unit  (wd_wait_unit),
    .wd_wait_index (wd_wait_index),
    .wd_busy_unit  (wd_busy_unit),
    .wd_busy_index (wd_busy_index),
    .ld_cmd_valid  (cmd_valid[0]),
    .ld_cmd_ready  (cmd_ready[0]),
    .ld_cmd        (cmd[0 +: 512]),
    .ld_cmd_index  (cmd_index[0 +: 32]),
    .ld_done       (done[0]),
    .ld_queued     (queued[0]),
    .ld_waiting    (waiting[0]),
    .ld_inflight   (inflight[0]),
    .ld_start      (start[0]),
    .wt_cmd_valid  (cmd_valid[1]),
    .wt_cmd_ready  (cmd_ready[1]),
    .wt_cmd        (cmd[1024 +: 512]),
    .wt_cmd_index  (cmd_index[32 +: 32]),
    .wt_done       (done[1]),
    .wt_queued     (queued[1]),
    .wt_waiting    (waiting[1]),
    .wt_inflight   (inflight[1]),
    .wt_start      (start[1]),
    .mm_cmd_valid  (cmd_valid[2]),
    .mm_cmd_ready  (cmd_ready[2]),
    .mm_cmd        (cmd[2048 +: 512]),
    .mm_cmd_index  (cmd_index[64 +: 32]),
    .mm_done       (done[2]),
    .mm_queued     (queued[2]),
    .mm_waiting    (waiting[2]),
    .mm_wait_class (mm_wait_class),
    .mm_inflight   (inflight[2]),
    .mm_start      (start[2]),
    .vx_cmd_valid  (cmd_valid[3]),
    .vx_cmd_ready  (cmd_ready[3]),
    .vx_cmd        (cmd[3072 +: 1024]),
    .vx_cmd_index  (cmd_index[96 +: 32]),
    .vx_done       (done[3]),
    .vx_queued     (queued[3]),
    .vx_waiting    (waiting[3]),
    .vx_inflight   (inflight[3]),
    .vx_start      (start[3]),
    .st_cmd_valid  (cmd_valid[4]),
    .st_cmd_ready  (cmd_ready[4]),
    .st_cmd        (cmd[4096 +: 512]),
    .st_cmd_index  (cmd_index[128 +: 32]),
    .st_done       (done[4]),
    .st_queued     (queued[4]),
    .st_waiting    (waiting[4]),
    .st_inflight   (inflight[4]),
    .st_start      (start[4])
  );

  //// The queues' ports ////

  (* hierconn *) wire          \dut.u_issue_ld.in_valid ;
  (* hierconn *) wire          \dut.u_issue_ld.in_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_ld.in_index ;
  (* hierconn *) wire [31:0]   \dut.u_issue_ld.nonzero ;
  (* hierconn *) wire          \dut.u_issue_ld.take_request ;
  (* hierconn *) wire          \dut.u_issue_ld.take ;
  (* hierconn *) wire [31:0]   \dut.u_issue_ld.wait_mask ;
  (* hierconn *) wire          \dut.u_issue_ld.post_request ;
  (* hierconn *) wire          \dut.u_issue_ld.post ;
  (* hierconn *) wire [31:0]   \dut.u_issue_ld.post_mask ;
  (* hierconn *) wire          \dut.u_issue_ld.cmd_valid ;
  (* hierconn *) wire          \dut.u_issue_ld.cmd_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_ld.cmd_index ;
  (* hierconn *) wire          \dut.u_issue_ld.done ;
  (* hierconn *) wire          \dut.u_issue_ld.idle ;
  (* hierconn *) wire          \dut.u_issue_ld.queued ;
  (* hierconn *) wire          \dut.u_issue_ld.waiting ;
  (* hierconn *) wire          \dut.u_issue_ld.inflight ;
  (* hierconn *) wire [31:0]   \dut.u_issue_ld.oldest_index ;
  (* hierconn *) wire          \dut.u_issue_ld.start_event ;
  (* hierconn *) wire          \dut.u_issue_ld.stop ;
  (* hierconn *) wire [511:0]  \dut.u_issue_ld.cmd ;
  (* hierconn *) wire [`TPU_LOAD_USED-1:0] \dut.u_issue_ld.in_cmd ;
  (* hierconn *) wire          \dut.u_issue_wt.in_valid ;
  (* hierconn *) wire          \dut.u_issue_wt.in_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_wt.in_index ;
  (* hierconn *) wire [31:0]   \dut.u_issue_wt.nonzero ;
  (* hierconn *) wire          \dut.u_issue_wt.take_request ;
  (* hierconn *) wire          \dut.u_issue_wt.take ;
  (* hierconn *) wire [31:0]   \dut.u_issue_wt.wait_mask ;
  (* hierconn *) wire          \dut.u_issue_wt.post_request ;
  (* hierconn *) wire          \dut.u_issue_wt.post ;
  (* hierconn *) wire [31:0]   \dut.u_issue_wt.post_mask ;
  (* hierconn *) wire          \dut.u_issue_wt.cmd_valid ;
  (* hierconn *) wire          \dut.u_issue_wt.cmd_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_wt.cmd_index ;
  (* hierconn *) wire          \dut.u_issue_wt.done ;
  (* hierconn *) wire          \dut.u_issue_wt.idle ;
  (* hierconn *) wire          \dut.u_issue_wt.queued ;
  (* hierconn *) wire          \dut.u_issue_wt.waiting ;
  (* hierconn *) wire          \dut.u_issue_wt.inflight ;
  (* hierconn *) wire [31:0]   \dut.u_issue_wt.oldest_index ;
  (* hierconn *) wire          \dut.u_issue_wt.start_event ;
  (* hierconn *) wire          \dut.u_issue_wt.stop ;
  (* hierconn *) wire [511:0]  \dut.u_issue_wt.cmd ;
  (* hierconn *) wire [`TPU_WEIGHTS_USED-1:0] \dut.u_issue_wt.in_cmd ;
  (* hierconn *) wire          \dut.u_issue_mm.in_valid ;
  (* hierconn *) wire          \dut.u_issue_mm.in_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_mm.in_index ;
  (* hierconn *) wire [31:0]   \dut.u_issue_mm.nonzero ;
  (* hierconn *) wire          \dut.u_issue_mm.take_request ;
  (* hierconn *) wire          \dut.u_issue_mm.take ;
  (* hierconn *) wire [31:0]   \dut.u_issue_mm.wait_mask ;
  (* hierconn *) wire          \dut.u_issue_mm.post_request ;
  (* hierconn *) wire          \dut.u_issue_mm.post ;
  (* hierconn *) wire [31:0]   \dut.u_issue_mm.post_mask ;
  (* hierconn *) wire          \dut.u_issue_mm.cmd_valid ;
  (* hierconn *) wire          \dut.u_issue_mm.cmd_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_mm.cmd_index ;
  (* hierconn *) wire          \dut.u_issue_mm.done ;
  (* hierconn *) wire          \dut.u_issue_mm.idle ;
  (* hierconn *) wire          \dut.u_issue_mm.queued ;
  (* hierconn *) wire          \dut.u_issue_mm.waiting ;
  (* hierconn *) wire          \dut.u_issue_mm.inflight ;
  (* hierconn *) wire [31:0]   \dut.u_issue_mm.oldest_index ;
  (* hierconn *) wire          \dut.u_issue_mm.start_event ;
  (* hierconn *) wire          \dut.u_issue_mm.stop ;
  (* hierconn *) wire [511:0]  \dut.u_issue_mm.cmd ;
  (* hierconn *) wire [`TPU_MATMUL_USED-1:0] \dut.u_issue_mm.in_cmd ;
  (* hierconn *) wire          \dut.u_issue_vx.in_valid ;
  (* hierconn *) wire          \dut.u_issue_vx.in_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_vx.in_index ;
  (* hierconn *) wire [31:0]   \dut.u_issue_vx.nonzero ;
  (* hierconn *) wire          \dut.u_issue_vx.take_request ;
  (* hierconn *) wire          \dut.u_issue_vx.take ;
  (* hierconn *) wire [31:0]   \dut.u_issue_vx.wait_mask ;
  (* hierconn *) wire          \dut.u_issue_vx.post_request ;
  (* hierconn *) wire          \dut.u_issue_vx.post ;
  (* hierconn *) wire [31:0]   \dut.u_issue_vx.post_mask ;
  (* hierconn *) wire          \dut.u_issue_vx.cmd_valid ;
  (* hierconn *) wire          \dut.u_issue_vx.cmd_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_vx.cmd_index ;
  (* hierconn *) wire          \dut.u_issue_vx.done ;
  (* hierconn *) wire          \dut.u_issue_vx.idle ;
  (* hierconn *) wire          \dut.u_issue_vx.queued ;
  (* hierconn *) wire          \dut.u_issue_vx.waiting ;
  (* hierconn *) wire          \dut.u_issue_vx.inflight ;
  (* hierconn *) wire [31:0]   \dut.u_issue_vx.oldest_index ;
  (* hierconn *) wire          \dut.u_issue_vx.start_event ;
  (* hierconn *) wire          \dut.u_issue_vx.stop ;
  (* hierconn *) wire [1023:0] \dut.u_issue_vx.cmd ;
  (* hierconn *) wire [`TPU_VECTOR_USED-1:0] \dut.u_issue_vx.in_cmd ;
  (* hierconn *) wire          \dut.u_issue_st.in_valid ;
  (* hierconn *) wire          \dut.u_issue_st.in_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_st.in_index ;
  (* hierconn *) wire [31:0]   \dut.u_issue_st.nonzero ;
  (* hierconn *) wire          \dut.u_issue_st.take_request ;
  (* hierconn *) wire          \dut.u_issue_st.take ;
  (* hierconn *) wire [31:0]   \dut.u_issue_st.wait_mask ;
  (* hierconn *) wire          \dut.u_issue_st.post_request ;
  (* hierconn *) wire          \dut.u_issue_st.post ;
  (* hierconn *) wire [31:0]   \dut.u_issue_st.post_mask ;
  (* hierconn *) wire          \dut.u_issue_st.cmd_valid ;
  (* hierconn *) wire          \dut.u_issue_st.cmd_ready ;
  (* hierconn *) wire [31:0]   \dut.u_issue_st.cmd_index ;
  (* hierconn *) wire          \dut.u_issue_st.done ;
  (* hierconn *) wire          \dut.u_issue_st.idle ;
  (* hierconn *) wire          \dut.u_issue_st.queued ;
  (* hierconn *) wire          \dut.u_issue_st.waiting ;
  (* hierconn *) wire          \dut.u_issue_st.inflight ;
  (* hierconn *) wire [31:0]   \dut.u_issue_st.oldest_index ;
  (* hierconn *) wire          \dut.u_issue_st.start_event ;
  (* hierconn *) wire          \dut.u_issue_st.stop ;
  (* hierconn *) wire [511:0]  \dut.u_issue_st.cmd ;
  (* hierconn *) wire [`TPU_STORE_USED-1:0] \dut.u_issue_st.in_cmd ;
  (* hierconn *) wire [1:0]    \dut.u_issue_mm.wait_class ;
  (* hierconn *) wire [31:0]   \dut.u_semaphores.take_mask ;
  (* hierconn *) wire [31:0]   \dut.u_semaphores.post_mask ;
  (* hierconn *) wire [31:0]   \dut.u_semaphores.nonzero ;

  wire [4:0]    q_in_valid     = {\dut.u_issue_st.in_valid , \dut.u_issue_vx.in_valid , \dut.u_issue_mm.in_valid ,
                                  \dut.u_issue_wt.in_valid , \dut.u_issue_ld.in_valid };
  wire [4:0]    q_in_ready     = {\dut.u_issue_st.in_ready , \dut.u_issue_vx.in_ready , \dut.u_issue_mm.in_ready ,
                                  \dut.u_issue_wt.in_ready , \dut.u_issue_ld.in_ready };
  wire [159:0]  q_in_index     = {\dut.u_issue_st.in_index , \dut.u_issue_vx.in_index , \dut.u_issue_mm.in_index ,
                                  \dut.u_issue_wt.in_index , \dut.u_issue_ld.in_index };
  wire [159:0]  q_nonzero      = {\dut.u_issue_st.nonzero , \dut.u_issue_vx.nonzero , \dut.u_issue_mm.nonzero ,
                                  \dut.u_issue_wt.nonzero , \dut.u_issue_ld.nonzero };
  wire [4:0]    q_take_request = {\dut.u_issue_st.take_request , \dut.u_issue_vx.take_request , \dut.u_issue_mm.take_request ,
                                  \dut.u_issue_wt.take_request , \dut.u_issue_ld.take_request };
  wire [4:0]    q_take         = {\dut.u_issue_st.take , \dut.u_issue_vx.take , \dut.u_issue_mm.take , \dut.u_issue_wt.take ,
                                  \dut.u_issue_ld.take };
  wire [159:0]  q_wait_mask    = {\dut.u_issue_st.wait_mask , \dut.u_issue_vx.wait_mask , \dut.u_issue_mm.wait_mask ,
                                  \dut.u_issue_wt.wait_mask , \dut.u_issue_ld.wait_mask };
  wire [4:0]    q_post_request = {\dut.u_issue_st.post_request , \dut.u_issue_vx.post_request , \dut.u_issue_mm.post_request ,
                                  \dut.u_issue_wt.post_request , \dut.u_issue_ld.post_request };
  wire [4:0]    q_post         = {\dut.u_issue_st.post , \dut.u_issue_vx.post , \dut.u_issue_mm.post , \dut.u_issue_wt.post ,
                                  \dut.u_issue_ld.post };
  wire [159:0]  q_post_mask    = {\dut.u_issue_st.post_mask , \dut.u_issue_vx.post_mask , \dut.u_issue_mm.post_mask ,
                                  \dut.u_issue_wt.post_mask , \dut.u_issue_ld.post_mask };
  wire [4:0]    q_cmd_valid    = {\dut.u_issue_st.cmd_valid , \dut.u_issue_vx.cmd_valid , \dut.u_issue_mm.cmd_valid ,
                                  \dut.u_issue_wt.cmd_valid , \dut.u_issue_ld.cmd_valid };
  wire [4:0]    q_cmd_ready    = {\dut.u_issue_st.cmd_ready , \dut.u_issue_vx.cmd_ready , \dut.u_issue_mm.cmd_ready ,
                                  \dut.u_issue_wt.cmd_ready , \dut.u_issue_ld.cmd_ready };
  wire [159:0]  q_cmd_index    = {\dut.u_issue_st.cmd_index , \dut.u_issue_vx.cmd_index , \dut.u_issue_mm.cmd_index ,
                                  \dut.u_issue_wt.cmd_index , \dut.u_issue_ld.cmd_index };
  wire [4:0]    q_done         = {\dut.u_issue_st.done , \dut.u_issue_vx.done , \dut.u_issue_mm.done , \dut.u_issue_wt.done ,
                                  \dut.u_issue_ld.done };
  wire [4:0]    q_idle         = {\dut.u_issue_st.idle , \dut.u_issue_vx.idle , \dut.u_issue_mm.idle , \dut.u_issue_wt.idle ,
                                  \dut.u_issue_ld.idle };
  wire [4:0]    q_queued       = {\dut.u_issue_st.queued , \dut.u_issue_vx.queued , \dut.u_issue_mm.queued ,
                                  \dut.u_issue_wt.queued , \dut.u_issue_ld.queued };
  wire [4:0]    q_waiting      = {\dut.u_issue_st.waiting , \dut.u_issue_vx.waiting , \dut.u_issue_mm.waiting ,
                                  \dut.u_issue_wt.waiting , \dut.u_issue_ld.waiting };
  wire [4:0]    q_inflight     = {\dut.u_issue_st.inflight , \dut.u_issue_vx.inflight , \dut.u_issue_mm.inflight ,
                                  \dut.u_issue_wt.inflight , \dut.u_issue_ld.inflight };
  wire [159:0]  q_oldest_index = {\dut.u_issue_st.oldest_index , \dut.u_issue_vx.oldest_index , \dut.u_issue_mm.oldest_index ,
                                  \dut.u_issue_wt.oldest_index , \dut.u_issue_ld.oldest_index };
  wire [4:0]    q_start_event  = {\dut.u_issue_st.start_event , \dut.u_issue_vx.start_event , \dut.u_issue_mm.start_event ,
                                  \dut.u_issue_wt.start_event , \dut.u_issue_ld.start_event };
  wire [4:0]    q_stop         = {\dut.u_issue_st.stop , \dut.u_issue_vx.stop , \dut.u_issue_mm.stop , \dut.u_issue_wt.stop ,
                                  \dut.u_issue_ld.stop };

  wire [5*1024-1:0] q_cmd = {{512{1'b0}}, \dut.u_issue_st.cmd ,
                             \dut.u_issue_vx.cmd ,
                             {512{1'b0}}, \dut.u_issue_mm.cmd ,
                             {512{1'b0}}, \dut.u_issue_wt.cmd ,
                             {512{1'b0}}, \dut.u_issue_ld.cmd };

  assign cmd[512 +: 512] = 512'd0;
  assign cmd[1536 +: 512] = 512'd0;
  assign cmd[2560 +: 512] = 512'd0;
  assign cmd[4608 +: 512] = 512'd0;

  //// Grants ////

  // The first of those that ask
  function [4:0] first(input [4:0] mask);
    first = mask & (~mask + 1'b1);
  endfunction

  function [31:0] of_first(input [4:0] mask, input [5*32-1:0] words);
    of_first = mask[0] ? words[0 +: 32]
             : mask[1] ? words[32 +: 32]
             : mask[2] ? words[64 +: 32]
             : mask[3] ? words[96 +: 32]
             :           words[128 +: 32];
  endfunction

  function [2:0] unit(input [4:0] mask);
    unit = mask[0] ? `TPU_UNIT_LOAD
         : mask[1] ? `TPU_UNIT_WEIGHTS
         : mask[2] ? `TPU_UNIT_MATMUL
         : mask[3] ? `TPU_UNIT_VECTOR
         :           `TPU_UNIT_STORE;
  endfunction

  always @* begin
    if (!rst) begin
      assert (q_take == first(q_take_request));
      assert (q_post == first(q_post_request));
      assert (\dut.u_semaphores.take_mask == (q_take == 0 ? 32'd0 : of_first(q_take, q_wait_mask)));
      assert (\dut.u_semaphores.post_mask == (q_post == 0 ? 32'd0 : of_first(q_post, q_post_mask)));
      // Nothing is taken that is not there (as the proof `semaphores` assumes).
      assert ((\dut.u_semaphores.take_mask & ~\dut.u_semaphores.nonzero ) == 32'd0);
      // What an overflow is blamed on
      assert (q_post == 0 || (post_unit == unit(q_post) && post_index == of_first(q_post, q_oldest_index)));
      assert (!overflow || q_post != 0);

      assert (q_in_valid == in_unit && in_ready == ((in_unit & q_in_ready) != 0));
      assert (q_cmd_ready == cmd_ready && q_done == done && q_stop == {5{stop}});
      assert (cmd_valid == q_cmd_valid && cmd == q_cmd && cmd_index == q_cmd_index);
      assert (queued == q_queued && waiting == q_waiting && inflight == q_inflight && start == q_start_event);
      assert (mm_wait_class == \dut.u_issue_mm.wait_class );
      assert (all_idle == &q_idle);

      assert (wd_wait_valid == (q_waiting != 0));
      assert (wd_wait_unit == (q_waiting == 0 ? `TPU_UNIT_FRONTEND : unit(q_waiting)));
      assert (wd_wait_index == (q_waiting == 0 ? in_index : of_first(q_waiting, q_cmd_index)));
      assert (wd_busy_unit == (q_inflight == 0 ? `TPU_UNIT_FRONTEND : unit(q_inflight)));
      assert (wd_busy_index == (q_inflight == 0 ? in_index : of_first(q_inflight, q_oldest_index)));

      assert (\dut.u_issue_ld.in_cmd == in_cmd[`TPU_LOAD_USED-1:0]);
      assert (\dut.u_issue_wt.in_cmd == in_cmd[`TPU_WEIGHTS_USED-1:0]);
      assert (\dut.u_issue_mm.in_cmd == in_cmd[`TPU_MATMUL_USED-1:0]);
      assert (\dut.u_issue_vx.in_cmd == in_cmd[`TPU_VECTOR_USED-1:0]);
      assert (\dut.u_issue_st.in_cmd == in_cmd[`TPU_STORE_USED-1:0]);
    end
  end

  genvar i;
  generate
    for (i = 0; i < UNITS; i = i + 1) begin : g_unit
      always @* if (!rst) assert (q_in_index[32*i +: 32] == in_index && q_nonzero[32*i +: 32] == \dut.u_semaphores.nonzero );
    end
  endgenerate

endmodule

`default_nettype wire
