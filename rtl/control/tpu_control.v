// Instruction front end: fetches and decodes the program, queues instructions per unit, starts them when their semaphores allow.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_control #(
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                            clk,
  input  wire                            rst,

  // Run control
  input  wire                            start,
  input  wire [AXI_ADDR_WIDTH-1:0]       prog_addr,
  input  wire [31:0]                     prog_granules,
  input  wire                            halt,
  output wire                            program_done,

  // First error of the machine, level until reset
  output wire                            error_valid,
  output wire [3:0]                      error_code,
  output wire [2:0]                      error_unit,
  output wire [31:0]                     error_index,

  // What a timeout names: the first unit that waits for a semaphore; the first one with an instruction in flight
  output wire                            wait_valid,
  output wire [2:0]                      wait_unit,
  output wire [31:0]                     wait_index,
  output wire [2:0]                      busy_unit,
  output wire [31:0]                     busy_index,

  // Read client of the memory port
  output wire                            ar_valid,
  input  wire                            ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]       ar_addr,
  output wire [7:0]                      ar_len,
  input  wire                            r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]       r_data,
  input  wire [1:0]                      r_resp,
  input  wire                            r_last,

  // Units, unit i in place i: instructions, completion, errors
  output wire [`TPU_NUM_UNITS-1:0]                    cmd_valid,
  input  wire [`TPU_NUM_UNITS-1:0]                    cmd_ready,
  output wire [`TPU_NUM_UNITS*`TPU_CMD_BITS-1:0]      cmd,
  output wire [32*`TPU_NUM_UNITS-1:0]                 cmd_index,
  input  wire [`TPU_NUM_UNITS-1:0]                    done,
  input  wire [`TPU_NUM_UNITS-1:0]                    err_valid,
  input  wire [4*`TPU_NUM_UNITS-1:0]                  err_code,
  input  wire [32*`TPU_NUM_UNITS-1:0]                 err_index,

  // Of each unit: an instruction is at the head of the queue; a semaphore of this class keeps it there; some are in flight; one starts
  output wire [`TPU_NUM_UNITS-1:0]                    queued,
  output wire [`TPU_NUM_UNITS-1:0]                    waiting,
  output wire [2*`TPU_NUM_UNITS-1:0]                  wait_class,
  output wire [`TPU_NUM_UNITS-1:0]                    inflight,
  output wire [`TPU_NUM_UNITS-1:0]                    starts
);

  assign wait_class[`TPU_INDEX_LOAD*2 +: 2] = 2'd0;
  wire [`TPU_LOAD_BITS-1:0] ld_cmd;
  assign cmd[`TPU_INDEX_LOAD*`TPU_CMD_BITS +: `TPU_CMD_BITS] = {{(`TPU_CMD_BITS-`TPU_LOAD_USED){1'b0}}, ld_cmd[`TPU_LOAD_USED-1:0]};
  assign wait_class[`TPU_INDEX_WEIGHTS*2 +: 2] = 2'd0;
  wire [`TPU_WEIGHTS_BITS-1:0] wt_cmd;
  assign cmd[`TPU_INDEX_WEIGHTS*`TPU_CMD_BITS +: `TPU_CMD_BITS] = {{(`TPU_CMD_BITS-`TPU_WEIGHTS_USED){1'b0}}, wt_cmd[`TPU_WEIGHTS_USED-1:0]};
  wire [`TPU_MATMUL_BITS-1:0] mm_cmd;
  assign cmd[`TPU_INDEX_MATMUL*`TPU_CMD_BITS +: `TPU_CMD_BITS] = {{(`TPU_CMD_BITS-`TPU_MATMUL_USED){1'b0}}, mm_cmd[`TPU_MATMUL_USED-1:0]};
  assign wait_class[`TPU_INDEX_VECTOR*2 +: 2] = 2'd0;
  wire [`TPU_VECTOR_BITS-1:0] vx_cmd;
  assign cmd[`TPU_INDEX_VECTOR*`TPU_CMD_BITS +: `TPU_CMD_BITS] = vx_cmd[`TPU_VECTOR_USED-1:0];
  assign wait_class[`TPU_INDEX_STORE*2 +: 2] = 2'd0;
  wire [`TPU_STORE_BITS-1:0] st_cmd;
  assign cmd[`TPU_INDEX_STORE*`TPU_CMD_BITS +: `TPU_CMD_BITS] = {{(`TPU_CMD_BITS-`TPU_STORE_USED){1'b0}}, st_cmd[`TPU_STORE_USED-1:0]};

  tpu_frontend #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_frontend (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_addr     (prog_addr),
    .prog_granules (prog_granules),
    .halt          (halt),
    .program_done  (program_done),
    .fe_err_valid  (error_valid),
    .fe_err_code   (error_code),
    .fe_err_unit   (error_unit),
    .fe_err_index  (error_index),
    .wd_wait_valid (wait_valid),
    .wd_wait_unit  (wait_unit),
    .wd_wait_index (wait_index),
    .wd_busy_unit  (busy_unit),
    .wd_busy_index (busy_index),
    .ar_valid      (ar_valid),
    .ar_ready      (ar_ready),
    .ar_addr       (ar_addr),
    .ar_len        (ar_len),
    .r_valid       (r_valid),
    .r_data        (r_data),
    .r_resp        (r_resp),
    .r_last        (r_last),
    .ld_cmd_valid  (cmd_valid[`TPU_INDEX_LOAD]),
    .ld_cmd_ready  (cmd_ready[`TPU_INDEX_LOAD]),
    .ld_cmd        (ld_cmd),
    .ld_cmd_index  (cmd_index[`TPU_INDEX_LOAD*32 +: 32]),
    .ld_done       (done[`TPU_INDEX_LOAD]),
    .ld_err_valid  (err_valid[`TPU_INDEX_LOAD]),
    .ld_err_code   (err_code[`TPU_INDEX_LOAD*4 +: 4]),
    .ld_err_index  (err_index[`TPU_INDEX_LOAD*32 +: 32]),
    .ld_queued     (queued[`TPU_INDEX_LOAD]),
    .ld_waiting    (waiting[`TPU_INDEX_LOAD]),
    .ld_inflight   (inflight[`TPU_INDEX_LOAD]),
    .ld_start      (starts[`TPU_INDEX_LOAD]),
    .wt_cmd_valid  (cmd_valid[`TPU_INDEX_WEIGHTS]),
    .wt_cmd_ready  (cmd_ready[`TPU_INDEX_WEIGHTS]),
    .wt_cmd        (wt_cmd),
    .wt_cmd_index  (cmd_index[`TPU_INDEX_WEIGHTS*32 +: 32]),
    .wt_done       (done[`TPU_INDEX_WEIGHTS]),
    .wt_err_valid  (err_valid[`TPU_INDEX_WEIGHTS]),
    .wt_err_code   (err_code[`TPU_INDEX_WEIGHTS*4 +: 4]),
    .wt_err_index  (err_index[`TPU_INDEX_WEIGHTS*32 +: 32]),
    .wt_queued     (queued[`TPU_INDEX_WEIGHTS]),
    .wt_waiting    (waiting[`TPU_INDEX_WEIGHTS]),
    .wt_inflight   (inflight[`TPU_INDEX_WEIGHTS]),
    .wt_start      (starts[`TPU_INDEX_WEIGHTS]),
    .mm_cmd_valid  (cmd_valid[`TPU_INDEX_MATMUL]),
    .mm_cmd_ready  (cmd_ready[`TPU_INDEX_MATMUL]),
    .mm_cmd        (mm_cmd),
    .mm_cmd_index  (cmd_index[`TPU_INDEX_MATMUL*32 +: 32]),
    .mm_done       (done[`TPU_INDEX_MATMUL]),
    .mm_err_valid  (err_valid[`TPU_INDEX_MATMUL]),
    .mm_err_code   (err_code[`TPU_INDEX_MATMUL*4 +: 4]),
    .mm_err_index  (err_index[`TPU_INDEX_MATMUL*32 +: 32]),
    .mm_queued     (queued[`TPU_INDEX_MATMUL]),
    .mm_waiting    (waiting[`TPU_INDEX_MATMUL]),
    .mm_inflight   (inflight[`TPU_INDEX_MATMUL]),
    .mm_start      (starts[`TPU_INDEX_MATMUL]),
    .mm_wait_class (wait_class[`TPU_INDEX_MATMUL*2 +: 2]),
    .vx_cmd_valid  (cmd_valid[`TPU_INDEX_VECTOR]),
    .vx_cmd_ready  (cmd_ready[`TPU_INDEX_VECTOR]),
    .vx_cmd        (vx_cmd),
    .vx_cmd_index  (cmd_index[`TPU_INDEX_VECTOR*32 +: 32]),
    .vx_done       (done[`TPU_INDEX_VECTOR]),
    .vx_err_valid  (err_valid[`TPU_INDEX_VECTOR]),
    .vx_err_code   (err_code[`TPU_INDEX_VECTOR*4 +: 4]),
    .vx_err_index  (err_index[`TPU_INDEX_VECTOR*32 +: 32]),
    .vx_queued     (queued[`TPU_INDEX_VECTOR]),
    .vx_waiting    (waiting[`TPU_INDEX_VECTOR]),
    .vx_inflight   (inflight[`TPU_INDEX_VECTOR]),
    .vx_start      (starts[`TPU_INDEX_VECTOR]),
    .st_cmd_valid  (cmd_valid[`TPU_INDEX_STORE]),
    .st_cmd_ready  (cmd_ready[`TPU_INDEX_STORE]),
    .st_cmd        (st_cmd),
    .st_cmd_index  (cmd_index[`TPU_INDEX_STORE*32 +: 32]),
    .st_done       (done[`TPU_INDEX_STORE]),
    .st_err_valid  (err_valid[`TPU_INDEX_STORE]),
    .st_err_code   (err_code[`TPU_INDEX_STORE*4 +: 4]),
    .st_err_index  (err_index[`TPU_INDEX_STORE*32 +: 32]),
    .st_queued     (queued[`TPU_INDEX_STORE]),
    .st_waiting    (waiting[`TPU_INDEX_STORE]),
    .st_inflight   (inflight[`TPU_INDEX_STORE]),
    .st_start      (starts[`TPU_INDEX_STORE])
  );

  wire unused = &{1'b0, ld_cmd, wt_cmd, mm_cmd, vx_cmd, st_cmd};

endmodule

`default_nettype wire
