// Front end: fetches and decodes the program, queues instructions per unit, starts them when their semaphores allow.
//
//   tpu_fetch ▶ tpu_decode ▶ tpu_issue per unit ▶ unit
//                               ▲ ▼ waits, posts
//                            tpu_semaphores
//
// One unit starts and one unit posts per cycle; the lowest unit number goes first. From a `done` to the cmd_valid of an instruction that waited
// for it: two cycles. Small instructions flow at one per two cycles (VECTOR three).
//
// `start` comes after a reset or program_done. The first error stops fetching, decoding and starting; the host then halts the units.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_frontend #(
  // Bits per bus beat: 32, 64, 128, 256 or 512
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                      clk,
  input  wire                      rst,

  // Run control
  input  wire                      start,
  input  wire [AXI_ADDR_WIDTH-1:0] prog_addr,
  input  wire [31:0]               prog_granules,
  input  wire                      halt,
  output wire                      program_done,

  // First error, level until reset
  output wire                      fe_err_valid,
  output wire [3:0]                fe_err_code,
  output wire [2:0]                fe_err_unit,
  output wire [31:0]               fe_err_index,

  // What a timeout names
  output wire                      wd_wait_valid,
  output wire [2:0]                wd_wait_unit,
  output wire [31:0]               wd_wait_index,
  output wire [2:0]                wd_busy_unit,
  output wire [31:0]               wd_busy_index,

  // Read client
  output wire                      ar_valid,
  input  wire                      ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0] ar_addr,
  output wire [7:0]                ar_len,
  input  wire                      r_valid,
  input  wire [AXI_DATA_WIDTH-1:0] r_data,
  input  wire [1:0]                r_resp,
  input  wire                      r_last,
  output wire                      drained,

  // Load: queued, waiting: an instruction is at the head, a semaphore keeps it there
  output wire                      ld_cmd_valid,
  input  wire                      ld_cmd_ready,
  output wire [511:0]              ld_cmd,
  output wire [31:0]               ld_cmd_index,
  input  wire                      ld_done,
  input  wire                      ld_err_valid,
  input  wire [3:0]                ld_err_code,
  input  wire [31:0]               ld_err_index,
  output wire                      ld_queued,
  output wire                      ld_waiting,
  output wire                      ld_inflight,
  output wire                      ld_start,

  // Weights
  output wire                      wt_cmd_valid,
  input  wire                      wt_cmd_ready,
  output wire [511:0]              wt_cmd,
  output wire [31:0]               wt_cmd_index,
  input  wire                      wt_done,
  input  wire                      wt_err_valid,
  input  wire [3:0]                wt_err_code,
  input  wire [31:0]               wt_err_index,
  output wire                      wt_queued,
  output wire                      wt_waiting,
  output wire                      wt_inflight,
  output wire                      wt_start,

  // Matmul
  // mm_wait_class: class of the lowest-numbered semaphore it waits for
  output wire                      mm_cmd_valid,
  input  wire                      mm_cmd_ready,
  output wire [511:0]              mm_cmd,
  output wire [31:0]               mm_cmd_index,
  input  wire                      mm_done,
  input  wire                      mm_err_valid,
  input  wire [3:0]                mm_err_code,
  input  wire [31:0]               mm_err_index,
  output wire                      mm_queued,
  output wire                      mm_waiting,
  output wire [1:0]                mm_wait_class,
  output wire                      mm_inflight,
  output wire                      mm_start,

  // Vector
  output wire                      vx_cmd_valid,
  input  wire                      vx_cmd_ready,
  output wire [1023:0]             vx_cmd,
  output wire [31:0]               vx_cmd_index,
  input  wire                      vx_done,
  input  wire                      vx_err_valid,
  input  wire [3:0]                vx_err_code,
  input  wire [31:0]               vx_err_index,
  output wire                      vx_queued,
  output wire                      vx_waiting,
  output wire                      vx_inflight,
  output wire                      vx_start,

  // Store
  output wire                      st_cmd_valid,
  input  wire                      st_cmd_ready,
  output wire [511:0]              st_cmd,
  output wire [31:0]               st_cmd_index,
  input  wire                      st_done,
  input  wire                      st_err_valid,
  input  wire [3:0]                st_err_code,
  input  wire [31:0]               st_err_index,
  output wire                      st_queued,
  output wire                      st_waiting,
  output wire                      st_inflight,
  output wire                      st_start
);

  wire stop = halt || fe_err_valid;

  //// Fetch and decode ////

  wire          g_valid;
  wire          g_ready;
  wire [511:0]  g_data;
  wire          g_bus_error;
  wire          range_error;
  wire          decode_finished;
  wire [4:0]    out_unit;
  wire [4:0]    queue_ready;
  wire [1023:0] out_cmd;
  wire [31:0]   out_index;
  wire          decode_err_valid;
  wire [3:0]    decode_err_code;

  tpu_fetch #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_fetch (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_addr     (prog_addr),
    .prog_granules (prog_granules),
    .stop          (stop),
    .drained       (drained),
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

  tpu_decode u_decode (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_granules (prog_granules),
    .stop          (stop),
    .finished      (decode_finished),
    .g_valid       (g_valid),
    .g_ready       (g_ready),
    .g_data        (g_data),
    .g_bus_error   (g_bus_error),
    .range_error   (range_error),
    .out_unit      (out_unit),
    .out_ready     ((out_unit & queue_ready) != 5'd0),
    .out_cmd       (out_cmd),
    .out_index     (out_index),
    .err_valid     (decode_err_valid),
    .err_code      (decode_err_code)
  );

  //// Semaphores ////

  // Bit u: load, weights, matmul, vector, store.
  wire [4:0]  request;
  wire [4:0]  post_request;
  // The lowest bit set.
  wire [4:0]  grant      = request      & (~request + 5'd1);
  wire [4:0]  post_grant = post_request & (~post_request + 5'd1);
  wire [31:0] nonzero;
  wire        overflow;

  wire [31:0] ld_wait_mask;
  wire [31:0] ld_post_mask;
  wire [1:0]  ld_wait_class;
  wire [31:0] ld_oldest_index;
  wire        ld_idle;
  wire [31:0] wt_wait_mask;
  wire [31:0] wt_post_mask;
  wire [1:0]  wt_wait_class;
  wire [31:0] wt_oldest_index;
  wire        wt_idle;
  wire [31:0] mm_wait_mask;
  wire [31:0] mm_post_mask;
  wire [31:0] mm_oldest_index;
  wire        mm_idle;
  wire [31:0] vx_wait_mask;
  wire [31:0] vx_post_mask;
  wire [1:0]  vx_wait_class;
  wire [31:0] vx_oldest_index;
  wire        vx_idle;
  wire [31:0] st_wait_mask;
  wire [31:0] st_post_mask;
  wire [1:0]  st_wait_class;
  wire [31:0] st_oldest_index;
  wire        st_idle;

  wire [31:0] take_mask  = ({32{grant[0]}} & ld_wait_mask)
                      | ({32{grant[1]}} & wt_wait_mask)
                      | ({32{grant[2]}} & mm_wait_mask)
                      | ({32{grant[3]}} & vx_wait_mask)
                      | ({32{grant[4]}} & st_wait_mask);
  wire [31:0] post_mask  = ({32{post_grant[0]}} & ld_post_mask)
                      | ({32{post_grant[1]}} & wt_post_mask)
                      | ({32{post_grant[2]}} & mm_post_mask)
                      | ({32{post_grant[3]}} & vx_post_mask)
                      | ({32{post_grant[4]}} & st_post_mask);
  wire [31:0] post_index = ({32{post_grant[0]}} & ld_oldest_index)
                      | ({32{post_grant[1]}} & wt_oldest_index)
                      | ({32{post_grant[2]}} & mm_oldest_index)
                      | ({32{post_grant[3]}} & vx_oldest_index)
                      | ({32{post_grant[4]}} & st_oldest_index);

  tpu_semaphores u_semaphores (
    .clk       (clk),
    .rst       (rst),
    .clear     (start),
    .post_mask (post_mask),
    .take_mask (take_mask),
    .nonzero   (nonzero),
    .overflow  (overflow)
  );

  //// Units ////

  tpu_issue #(
    .CMD_WIDTH (`TPU_LOAD_BITS),
    .CMD_USED  (352)
  ) u_issue_ld (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (out_unit[0]),
    .in_ready     (queue_ready[0]),
    .in_cmd       (out_cmd[351:0]),
    .in_index     (out_index),
    .nonzero      (nonzero),
    .request      (request[0]),
    .grant        (grant[0]),
    .wait_mask    (ld_wait_mask),
    .post_request (post_request[0]),
    .post_grant   (post_grant[0]),
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
    .CMD_USED  (192)
  ) u_issue_wt (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (out_unit[1]),
    .in_ready     (queue_ready[1]),
    .in_cmd       (out_cmd[191:0]),
    .in_index     (out_index),
    .nonzero      (nonzero),
    .request      (request[1]),
    .grant        (grant[1]),
    .wait_mask    (wt_wait_mask),
    .post_request (post_request[1]),
    .post_grant   (post_grant[1]),
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
    .CMD_USED  (512)
  ) u_issue_mm (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (out_unit[2]),
    .in_ready     (queue_ready[2]),
    .in_cmd       (out_cmd[511:0]),
    .in_index     (out_index),
    .nonzero      (nonzero),
    .request      (request[2]),
    .grant        (grant[2]),
    .wait_mask    (mm_wait_mask),
    .post_request (post_request[2]),
    .post_grant   (post_grant[2]),
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
    .CMD_USED  (704)
  ) u_issue_vx (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (out_unit[3]),
    .in_ready     (queue_ready[3]),
    .in_cmd       (out_cmd[703:0]),
    .in_index     (out_index),
    .nonzero      (nonzero),
    .request      (request[3]),
    .grant        (grant[3]),
    .wait_mask    (vx_wait_mask),
    .post_request (post_request[3]),
    .post_grant   (post_grant[3]),
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
    .CMD_USED  (352)
  ) u_issue_st (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (out_unit[4]),
    .in_ready     (queue_ready[4]),
    .in_cmd       (out_cmd[351:0]),
    .in_index     (out_index),
    .nonzero      (nonzero),
    .request      (request[4]),
    .grant        (grant[4]),
    .wait_mask    (st_wait_mask),
    .post_request (post_request[4]),
    .post_grant   (post_grant[4]),
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
                       : out_index;
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
                       : out_index;

  tpu_first_error u_first_error (
    .clk            (clk),
    .rst            (rst),
    .unit_valid     ({st_err_valid, vx_err_valid, mm_err_valid, wt_err_valid, ld_err_valid, decode_err_valid}),
    .unit_code      ({st_err_code,  vx_err_code,  mm_err_code,  wt_err_code,  ld_err_code,  decode_err_code}),
    .unit_index     ({st_err_index, vx_err_index, mm_err_index, wt_err_index, ld_err_index, out_index}),
    .overflow       ({post_grant & {5{overflow}}, 1'b0}),
    .overflow_index (post_index),
    .err_valid      (fe_err_valid),
    .err_code       (fe_err_code),
    .err_unit       (fe_err_unit),
    .err_index      (fe_err_index)
  );

  // A program has been started and is not done; is done.
  reg  active_q;
  reg  done_q;
  wire all_done = active_q && decode_finished && ld_idle && wt_idle && mm_idle && vx_idle && st_idle;

  assign program_done = done_q;

  always @(posedge clk) begin
    if (start) begin
      active_q <= 1'b1;
      done_q   <= 1'b0;
    end else if (all_done && !stop) begin
      active_q <= 1'b0;
      done_q   <= 1'b1;
    end
    if (rst) begin
      active_q <= 1'b0;
      done_q   <= 1'b0;
    end
  end

  wire unused = &{1'b0, ld_wait_class, wt_wait_class, vx_wait_class, st_wait_class, out_cmd[1023:704]};

endmodule

`default_nettype wire
