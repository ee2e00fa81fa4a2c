// Front end: fetches and decodes the program, queues instructions per unit, starts them when their semaphores allow.
//
//   tpu_fetch ▶ tpu_decode ▶ tpu_scheduler ▶ units
//
// Small instructions flow at one per two cycles (VECTOR three).
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
  wire          out_ready;
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
    .out_ready     (out_ready),
    .out_cmd       (out_cmd),
    .out_index     (out_index),
    .err_valid     (decode_err_valid),
    .err_code      (decode_err_code)
  );

  //// Schedule ////

  wire        all_idle;
  wire        overflow;
  wire [2:0]  post_unit;
  wire [31:0] post_index;

  tpu_scheduler u_scheduler (
    .clk           (clk),
    .rst           (rst),
    .clear         (start),
    .stop          (stop),
    .in_unit       (out_unit),
    .in_ready      (out_ready),
    .in_cmd        (out_cmd),
    .in_index      (out_index),
    .all_idle      (all_idle),
    .overflow      (overflow),
    .post_unit     (post_unit),
    .post_index    (post_index),
    .wd_wait_valid (wd_wait_valid),
    .wd_wait_unit  (wd_wait_unit),
    .wd_wait_index (wd_wait_index),
    .wd_busy_unit  (wd_busy_unit),
    .wd_busy_index (wd_busy_index),
    .ld_cmd_valid  (ld_cmd_valid),
    .ld_cmd_ready  (ld_cmd_ready),
    .ld_cmd        (ld_cmd),
    .ld_cmd_index  (ld_cmd_index),
    .ld_done       (ld_done),
    .ld_queued     (ld_queued),
    .ld_waiting    (ld_waiting),
    .ld_inflight   (ld_inflight),
    .ld_start      (ld_start),
    .wt_cmd_valid  (wt_cmd_valid),
    .wt_cmd_ready  (wt_cmd_ready),
    .wt_cmd        (wt_cmd),
    .wt_cmd_index  (wt_cmd_index),
    .wt_done       (wt_done),
    .wt_queued     (wt_queued),
    .wt_waiting    (wt_waiting),
    .wt_inflight   (wt_inflight),
    .wt_start      (wt_start),
    .mm_cmd_valid  (mm_cmd_valid),
    .mm_cmd_ready  (mm_cmd_ready),
    .mm_cmd        (mm_cmd),
    .mm_cmd_index  (mm_cmd_index),
    .mm_done       (mm_done),
    .mm_queued     (mm_queued),
    .mm_waiting    (mm_waiting),
    .mm_wait_class (mm_wait_class),
    .mm_inflight   (mm_inflight),
    .mm_start      (mm_start),
    .vx_cmd_valid  (vx_cmd_valid),
    .vx_cmd_ready  (vx_cmd_ready),
    .vx_cmd        (vx_cmd),
    .vx_cmd_index  (vx_cmd_index),
    .vx_done       (vx_done),
    .vx_queued     (vx_queued),
    .vx_waiting    (vx_waiting),
    .vx_inflight   (vx_inflight),
    .vx_start      (vx_start),
    .st_cmd_valid  (st_cmd_valid),
    .st_cmd_ready  (st_cmd_ready),
    .st_cmd        (st_cmd),
    .st_cmd_index  (st_cmd_index),
    .st_done       (st_done),
    .st_queued     (st_queued),
    .st_waiting    (st_waiting),
    .st_inflight   (st_inflight),
    .st_start      (st_start)
  );

  //// Errors and completion ////

  tpu_first_error u_first_error (
    .clk            (clk),
    .rst            (rst),
    .fe_err_valid   (decode_err_valid),
    .fe_err_code    (decode_err_code),
    .fe_err_index   (out_index),
    .ld_err_valid   (ld_err_valid),
    .ld_err_code    (ld_err_code),
    .ld_err_index   (ld_err_index),
    .wt_err_valid   (wt_err_valid),
    .wt_err_code    (wt_err_code),
    .wt_err_index   (wt_err_index),
    .mm_err_valid   (mm_err_valid),
    .mm_err_code    (mm_err_code),
    .mm_err_index   (mm_err_index),
    .vx_err_valid   (vx_err_valid),
    .vx_err_code    (vx_err_code),
    .vx_err_index   (vx_err_index),
    .st_err_valid   (st_err_valid),
    .st_err_code    (st_err_code),
    .st_err_index   (st_err_index),
    .overflow       (overflow),
    .post_unit      (post_unit),
    .post_index     (post_index),
    .err_valid      (fe_err_valid),
    .err_code       (fe_err_code),
    .err_unit       (fe_err_unit),
    .err_index      (fe_err_index)
  );

  // A program has been started and is not done; is done.
  reg  active_q;
  reg  done_q;
  wire all_done = active_q && decode_finished && all_idle;

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

endmodule

`default_nettype wire
