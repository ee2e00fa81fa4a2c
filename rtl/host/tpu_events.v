// What each cycle was used for: one event bit per hardware counter (tpu_regs.def).
//
// The array's eight categories exclude each other and one is always set; so do the vector unit's six. A cycle in which an
// instruction is at the head of its queue, waits for no semaphore, and nothing is issued is the one in which it
// starts: it counts as wait_other for the array, as vector_wait for the vector unit.
//
// Registered: what a cycle was used for shows in the one after it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_regs.vh"

module tpu_events (
  input  wire                         clk,

  // Matmul: what it does, or what its next instruction waits for
  input  wire                         mm_active,
  input  wire                         mm_pad,
  input  wire                         mm_wait_weights,
  input  wire                         mm_weight_shift,
  input  wire                         mm_queued,
  input  wire                         mm_waiting,
  // Semaphore class: 0 input, 1 dependence, 2 space, 3 other
  input  wire [1:0]                   mm_wait_class,

  // Vector
  input  wire                         vx_active,
  input  wire                         vx_stall_port,
  input  wire                         vx_stall_operand,
  input  wire                         vx_stall_output,
  input  wire                         vx_queued,

  // DMA units: instruction in flight, waiting for a semaphore
  input  wire                         ld_inflight,
  input  wire                         ld_waiting,
  input  wire                         wt_inflight,
  input  wire                         wt_waiting,
  input  wire                         st_inflight,
  input  wire                         st_waiting,

  // Bus beats
  input  wire                         fe_beat,
  input  wire                         ld_beat,
  input  wire                         wt_beat,
  input  wire                         st_beat,

  // Instructions started
  input  wire                         ld_start,
  input  wire                         wt_start,
  input  wire                         mm_start,
  input  wire                         vx_start,
  input  wire                         st_start,

  // Instructions completed
  input  wire                         ld_done,
  input  wire                         wt_done,
  input  wire                         mm_done,
  input  wire                         vx_done,
  input  wire                         st_done,

  // A row is written to the unified buffer
  input  wire                         row_written,

  output reg  [`TPU_NUM_COUNTERS-1:0] events,
  // LOAD, WEIGHTS, MATMUL, VECTOR, STORE from bit 0
  output reg  [4:0]                   starts,
  // Anything moved
  output wire                         progress
);

  wire mm_issuing      = mm_active || mm_wait_weights || mm_weight_shift;
  wire mm_blocked      = !mm_issuing && mm_queued;
  wire mm_on_semaphore = mm_blocked && mm_waiting;
  wire vx_issuing      = vx_active || vx_stall_port || vx_stall_operand || vx_stall_output;

  reg row_written_q;

  always @(posedge clk) begin
    events[`TPU_CNT_CYCLES]                <= 1'b1;
    events[`TPU_CNT_ARRAY_ACTIVE]          <= mm_active;
    events[`TPU_CNT_ARRAY_WAIT_WEIGHTS]    <= mm_wait_weights;
    events[`TPU_CNT_ARRAY_WEIGHT_SHIFT]    <= mm_weight_shift;
    events[`TPU_CNT_ARRAY_WAIT_INPUT]      <= mm_on_semaphore && mm_wait_class == 2'd0;
    events[`TPU_CNT_ARRAY_WAIT_DEPENDENCE] <= mm_on_semaphore && mm_wait_class == 2'd1;
    events[`TPU_CNT_ARRAY_WAIT_SPACE]      <= mm_on_semaphore && mm_wait_class == 2'd2;
    events[`TPU_CNT_ARRAY_WAIT_OTHER]      <= mm_blocked && (!mm_waiting || mm_wait_class == 2'd3);
    events[`TPU_CNT_ARRAY_NO_WORK]         <= !mm_issuing && !mm_queued;
    events[`TPU_CNT_ARRAY_PAD_ROWS]        <= mm_pad;
    events[`TPU_CNT_VECTOR_ACTIVE]         <= vx_active;
    events[`TPU_CNT_VECTOR_STALL_PORT]     <= vx_stall_port;
    events[`TPU_CNT_VECTOR_STALL_OPERAND]  <= vx_stall_operand;
    events[`TPU_CNT_VECTOR_STALL_OUTPUT]   <= vx_stall_output;
    events[`TPU_CNT_VECTOR_WAIT]           <= !vx_issuing && vx_queued;
    events[`TPU_CNT_VECTOR_NO_WORK]        <= !vx_issuing && !vx_queued;
    events[`TPU_CNT_LOAD_BUSY]             <= ld_inflight;
    events[`TPU_CNT_LOAD_WAIT]             <= ld_waiting;
    events[`TPU_CNT_WEIGHTS_BUSY]          <= wt_inflight;
    events[`TPU_CNT_WEIGHTS_WAIT]          <= wt_waiting;
    events[`TPU_CNT_STORE_BUSY]            <= st_inflight;
    events[`TPU_CNT_STORE_WAIT]            <= st_waiting;
    events[`TPU_CNT_FETCH_BEATS]           <= fe_beat;
    events[`TPU_CNT_LOAD_BEATS]            <= ld_beat;
    events[`TPU_CNT_WEIGHTS_BEATS]         <= wt_beat;
    events[`TPU_CNT_STORE_BEATS]           <= st_beat;
    events[`TPU_CNT_LOAD_RETIRED]          <= ld_done;
    events[`TPU_CNT_WEIGHTS_RETIRED]       <= wt_done;
    events[`TPU_CNT_MATMUL_RETIRED]        <= mm_done;
    events[`TPU_CNT_VECTOR_RETIRED]        <= vx_done;
    events[`TPU_CNT_STORE_RETIRED]         <= st_done;
    starts        <= {st_start, vx_start, mm_start, wt_start, ld_start};
    row_written_q <= row_written;
  end

  assign progress = starts != 5'd0 || row_written_q
                 || events[`TPU_CNT_LOAD_RETIRED] || events[`TPU_CNT_WEIGHTS_RETIRED] || events[`TPU_CNT_MATMUL_RETIRED]
                 || events[`TPU_CNT_VECTOR_RETIRED] || events[`TPU_CNT_STORE_RETIRED]
                 || events[`TPU_CNT_ARRAY_ACTIVE] || events[`TPU_CNT_VECTOR_ACTIVE]
                 || events[`TPU_CNT_FETCH_BEATS] || events[`TPU_CNT_LOAD_BEATS] || events[`TPU_CNT_WEIGHTS_BEATS]
                 || events[`TPU_CNT_STORE_BEATS];

endmodule

`default_nettype wire
