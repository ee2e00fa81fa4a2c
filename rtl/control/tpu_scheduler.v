// Scheduler: a queue per unit, the semaphores, and what they allow to start.
//
//   decode ▶ tpu_issue per unit ▶ unit
//               ▲ ▼ waits, posts
//           tpu_semaphores
//
// One unit takes its semaphores and one posts per cycle; the lowest unit number goes first. From `done` to the cmd_valid of an
// instruction that waited for it: two cycles.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_scheduler (
  input  wire          clk,
  input  wire          rst,

  // All semaphores to zero; nothing starts
  input  wire          clear,
  input  wire          stop,

  // From decode; in_unit is one-hot: load, weights, matmul, vector, store from bit 0
  input  wire [4:0]    in_unit,
  output wire          in_ready,
  input  wire [1023:0] in_cmd,
  input  wire [31:0]   in_index,

  // No instruction is queued or in flight
  output wire          all_idle,

  // A full semaphore is posted; by whom
  output wire          overflow,
  output wire [2:0]    post_unit,
  output wire [31:0]   post_index,

  // What a timeout names: first unit that waits for a semaphore, else the next instruction to come; first unit with an
  // instruction in flight, else the same
  output wire          wd_wait_valid,
  output wire [2:0]    wd_wait_unit,
  output wire [31:0]   wd_wait_index,
  output wire [2:0]    wd_busy_unit,
  output wire [31:0]   wd_busy_index,

  // Load: queued, waiting: an instruction is at the head, a semaphore keeps it there
  output wire          ld_cmd_valid,
  input  wire          ld_cmd_ready,
  output wire [511:0]  ld_cmd,
  output wire [31:0]   ld_cmd_index,
  input  wire          ld_done,
  output wire          ld_queued,
  output wire          ld_waiting,
  output wire          ld_inflight,
  output wire          ld_start,

  // Weights
  output wire          wt_cmd_valid,
  input  wire          wt_cmd_ready,
  output wire [511:0]  wt_cmd,
  output wire [31:0]   wt_cmd_index,
  input  wire          wt_done,
  output wire          wt_queued,
  output wire          wt_waiting,
  output wire          wt_inflight,
  output wire          wt_start,

  // Matmul
  // mm_wait_class: class of the lowest-numbered semaphore it waits for
  output wire          mm_cmd_valid,
  input  wire          mm_cmd_ready,
  output wire [511:0]  mm_cmd,
  output wire [31:0]   mm_cmd_index,
  input  wire          mm_done,
  output wire          mm_queued,
  output wire          mm_waiting,
  output wire [1:0]    mm_wait_class,
  output wire          mm_inflight,
  output wire          mm_start,

  // Vector
  output wire          vx_cmd_valid,
  input  wire          vx_cmd_ready,
  output wire [1023:0] vx_cmd,
  output wire [31:0]   vx_cmd_index,
  input  wire          vx_done,
  output wire          vx_queued,
  output wire          vx_waiting,
  output wire          vx_inflight,
  output wire          vx_start,

  // Store
  output wire          st_cmd_valid,
  input  wire          st_cmd_ready,
  output wire [511:0]  st_cmd,
  output wire [31:0]   st_cmd_index,
  input  wire          st_done,
  output wire          st_queued,
  output wire          st_waiting,
  output wire          st_inflight,
  output wire          st_start
);

  //// Semaphores ////

  wire        ld_queue_ready;
  wire        ld_take_request;
  wire        ld_post_request;
  wire [31:0] ld_wait_mask;
  wire [31:0] ld_post_mask;
  wire [1:0]  ld_wait_class;
  wire [31:0] ld_oldest_index;
  wire        ld_idle;
  wire        wt_queue_ready;
  wire        wt_take_request;
  wire        wt_post_request;
  wire [31:0] wt_wait_mask;
  wire [31:0] wt_post_mask;
  wire [1:0]  wt_wait_class;
  wire [31:0] wt_oldest_index;
  wire        wt_idle;
  wire        mm_queue_ready;
  wire        mm_take_request;
  wire        mm_post_request;
  wire [31:0] mm_wait_mask;
  wire [31:0] mm_post_mask;
  wire [31:0] mm_oldest_index;
  wire        mm_idle;
  wire        vx_queue_ready;
  wire        vx_take_request;
  wire        vx_post_request;
  wire [31:0] vx_wait_mask;
  wire [31:0] vx_post_mask;
  wire [1:0]  vx_wait_class;
  wire [31:0] vx_oldest_index;
  wire        vx_idle;
  wire        st_queue_ready;
  wire        st_take_request;
  wire        st_post_request;
  wire [31:0] st_wait_mask;
  wire [31:0] st_post_mask;
  wire [1:0]  st_wait_class;
  wire [31:0] st_oldest_index;
  wire        st_idle;

  wire [31:0] nonzero;

  // Of the units that ask the first takes its semaphores, and the first posts.
  wire        ld_take = ld_take_request;
  wire        wt_take = wt_take_request && !ld_take_request;
  wire        mm_take = mm_take_request && !ld_take_request && !wt_take_request;
  wire        vx_take = vx_take_request && !ld_take_request && !wt_take_request && !mm_take_request;
  wire        st_take = st_take_request && !ld_take_request && !wt_take_request && !mm_take_request && !vx_take_request;

  wire        ld_post = ld_post_request;
  wire        wt_post = wt_post_request && !ld_post_request;
  wire        mm_post = mm_post_request && !ld_post_request && !wt_post_request;
  wire        vx_post = vx_post_request && !ld_post_request && !wt_post_request && !mm_post_request;
  wire        st_post = st_post_request && !ld_post_request && !wt_post_request && !mm_post_request && !vx_post_request;

  wire [31:0] take_mask  = ld_take_request ? ld_wait_mask
                         : wt_take_request ? wt_wait_mask
                         : mm_take_request ? mm_wait_mask
                         : vx_take_request ? vx_wait_mask
                         : st_take_request ? st_wait_mask
                         : 32'd0;
  wire [31:0] post_mask  = ld_post_request ? ld_post_mask
                         : wt_post_request ? wt_post_mask
                         : mm_post_request ? mm_post_mask
                         : vx_post_request ? vx_post_mask
                         : st_post_request ? st_post_mask
                         : 32'd0;

  assign post_unit  = ld_post_request ? `TPU_UNIT_LOAD
                    : wt_post_request ? `TPU_UNIT_WEIGHTS
                    : mm_post_request ? `TPU_UNIT_MATMUL
                    : vx_post_request ? `TPU_UNIT_VECTOR
                    : `TPU_UNIT_STORE;
  assign post_index = ld_post_request ? ld_oldest_index
                    : wt_post_request ? wt_oldest_index
                    : mm_post_request ? mm_oldest_index
                    : vx_post_request ? vx_oldest_index
                    : st_oldest_index;

  tpu_semaphores u_semaphores (
    .clk       (clk),
    .rst       (rst),
    .clear     (clear),
    .post_mask (post_mask),
    .take_mask (take_mask),
    .nonzero   (nonzero),
    .overflow  (overflow)
  );

  //// Units ////

  tpu_issue #(
    .CMD_WIDTH (`TPU_LOAD_BITS),
    .CMD_USED  (`TPU_LOAD_USED)
  ) u_issue_ld (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (in_unit[0]),
    .in_ready     (ld_queue_ready),
    .in_cmd       (in_cmd[`TPU_LOAD_USED-1:0]),
    .in_index     (in_index),
    .nonzero      (nonzero),
    .take_request (ld_take_request),
    .take         (ld_take),
    .wait_mask    (ld_wait_mask),
    .post_request (ld_post_request),
    .post         (ld_post),
    .post_mask    (ld_post_mask),
    .cmd_valid    (ld_cmd_valid),
    .cmd_ready    (ld_cmd_ready),
    .cmd          (ld_cmd),
    .cmd_index    (ld_cmd_index),
    .done         (ld_done),
    .idle         (ld_idle),
    .queued       (ld_queued),
    .waiting      (ld_waiting),
    .wait_class   (ld_wait_class),
    .inflight     (ld_inflight),
    .oldest_index (ld_oldest_index),
    .start_event  (ld_start)
  );

  tpu_issue #(
    .CMD_WIDTH (`TPU_WEIGHTS_BITS),
    .CMD_USED  (`TPU_WEIGHTS_USED)
  ) u_issue_wt (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (in_unit[1]),
    .in_ready     (wt_queue_ready),
    .in_cmd       (in_cmd[`TPU_WEIGHTS_USED-1:0]),
    .in_index     (in_index),
    .nonzero      (nonzero),
    .take_request (wt_take_request),
    .take         (wt_take),
    .wait_mask    (wt_wait_mask),
    .post_request (wt_post_request),
    .post         (wt_post),
    .post_mask    (wt_post_mask),
    .cmd_valid    (wt_cmd_valid),
    .cmd_ready    (wt_cmd_ready),
    .cmd          (wt_cmd),
    .cmd_index    (wt_cmd_index),
    .done         (wt_done),
    .idle         (wt_idle),
    .queued       (wt_queued),
    .waiting      (wt_waiting),
    .wait_class   (wt_wait_class),
    .inflight     (wt_inflight),
    .oldest_index (wt_oldest_index),
    .start_event  (wt_start)
  );

  tpu_issue #(
    .CMD_WIDTH (`TPU_MATMUL_BITS),
    .CMD_USED  (`TPU_MATMUL_USED)
  ) u_issue_mm (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (in_unit[2]),
    .in_ready     (mm_queue_ready),
    .in_cmd       (in_cmd[`TPU_MATMUL_USED-1:0]),
    .in_index     (in_index),
    .nonzero      (nonzero),
    .take_request (mm_take_request),
    .take         (mm_take),
    .wait_mask    (mm_wait_mask),
    .post_request (mm_post_request),
    .post         (mm_post),
    .post_mask    (mm_post_mask),
    .cmd_valid    (mm_cmd_valid),
    .cmd_ready    (mm_cmd_ready),
    .cmd          (mm_cmd),
    .cmd_index    (mm_cmd_index),
    .done         (mm_done),
    .idle         (mm_idle),
    .queued       (mm_queued),
    .waiting      (mm_waiting),
    .wait_class   (mm_wait_class),
    .inflight     (mm_inflight),
    .oldest_index (mm_oldest_index),
    .start_event  (mm_start)
  );

  tpu_issue #(
    .CMD_WIDTH (`TPU_VECTOR_BITS),
    .CMD_USED  (`TPU_VECTOR_USED)
  ) u_issue_vx (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (in_unit[3]),
    .in_ready     (vx_queue_ready),
    .in_cmd       (in_cmd[`TPU_VECTOR_USED-1:0]),
    .in_index     (in_index),
    .nonzero      (nonzero),
    .take_request (vx_take_request),
    .take         (vx_take),
    .wait_mask    (vx_wait_mask),
    .post_request (vx_post_request),
    .post         (vx_post),
    .post_mask    (vx_post_mask),
    .cmd_valid    (vx_cmd_valid),
    .cmd_ready    (vx_cmd_ready),
    .cmd          (vx_cmd),
    .cmd_index    (vx_cmd_index),
    .done         (vx_done),
    .idle         (vx_idle),
    .queued       (vx_queued),
    .waiting      (vx_waiting),
    .wait_class   (vx_wait_class),
    .inflight     (vx_inflight),
    .oldest_index (vx_oldest_index),
    .start_event  (vx_start)
  );

  tpu_issue #(
    .CMD_WIDTH (`TPU_STORE_BITS),
    .CMD_USED  (`TPU_STORE_USED)
  ) u_issue_st (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (in_unit[4]),
    .in_ready     (st_queue_ready),
    .in_cmd       (in_cmd[`TPU_STORE_USED-1:0]),
    .in_index     (in_index),
    .nonzero      (nonzero),
    .take_request (st_take_request),
    .take         (st_take),
    .wait_mask    (st_wait_mask),
    .post_request (st_post_request),
    .post         (st_post),
    .post_mask    (st_post_mask),
    .cmd_valid    (st_cmd_valid),
    .cmd_ready    (st_cmd_ready),
    .cmd          (st_cmd),
    .cmd_index    (st_cmd_index),
    .done         (st_done),
    .idle         (st_idle),
    .queued       (st_queued),
    .waiting      (st_waiting),
    .wait_class   (st_wait_class),
    .inflight     (st_inflight),
    .oldest_index (st_oldest_index),
    .start_event  (st_start)
  );

  //// Status ////

  assign in_ready = (in_unit[0] && ld_queue_ready)
                 || (in_unit[1] && wt_queue_ready)
                 || (in_unit[2] && mm_queue_ready)
                 || (in_unit[3] && vx_queue_ready)
                 || (in_unit[4] && st_queue_ready);
  assign all_idle = ld_idle && wt_idle && mm_idle && vx_idle && st_idle;

  assign wd_wait_valid = ld_waiting || wt_waiting || mm_waiting || vx_waiting || st_waiting;
  assign wd_wait_unit  = ld_waiting  ? `TPU_UNIT_LOAD
                       : wt_waiting  ? `TPU_UNIT_WEIGHTS
                       : mm_waiting  ? `TPU_UNIT_MATMUL
                       : vx_waiting  ? `TPU_UNIT_VECTOR
                       : st_waiting  ? `TPU_UNIT_STORE
                       : `TPU_UNIT_FRONTEND;
  assign wd_wait_index = ld_waiting  ? ld_cmd_index
                       : wt_waiting  ? wt_cmd_index
                       : mm_waiting  ? mm_cmd_index
                       : vx_waiting  ? vx_cmd_index
                       : st_waiting  ? st_cmd_index
                       : in_index;
  assign wd_busy_unit  = ld_inflight ? `TPU_UNIT_LOAD
                       : wt_inflight ? `TPU_UNIT_WEIGHTS
                       : mm_inflight ? `TPU_UNIT_MATMUL
                       : vx_inflight ? `TPU_UNIT_VECTOR
                       : st_inflight ? `TPU_UNIT_STORE
                       : `TPU_UNIT_FRONTEND;
  assign wd_busy_index = ld_inflight ? ld_oldest_index
                       : wt_inflight ? wt_oldest_index
                       : mm_inflight ? mm_oldest_index
                       : vx_inflight ? vx_oldest_index
                       : st_inflight ? st_oldest_index
                       : in_index;

  wire unused = &{1'b0, ld_wait_class, wt_wait_class, vx_wait_class, st_wait_class, in_cmd[1023:704]};

endmodule

`default_nettype wire
