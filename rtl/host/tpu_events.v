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

`include "tpu_isa.vh"
`include "tpu_regs.vh"

module tpu_events (
  input  wire                         clk,

  // Units, unit i in place i: an instruction is at the head; a semaphore of this class keeps it there (0 input, 1 dependence, 2 space,
  // 3 other); some are in flight; one starts; one is done
  input  wire [`TPU_NUM_UNITS-1:0]    queued,
  input  wire [`TPU_NUM_UNITS-1:0]    waiting,
  input  wire [2*`TPU_NUM_UNITS-1:0]  wait_class,
  input  wire [`TPU_NUM_UNITS-1:0]    inflight,
  input  wire [`TPU_NUM_UNITS-1:0]    starts,
  input  wire [`TPU_NUM_UNITS-1:0]    done,

  // Matmul
  input  wire                         mm_active,
  input  wire                         mm_pad,
  input  wire                         mm_wait_weights,
  input  wire                         mm_weight_shift,

  // Vector
  input  wire                         vx_active,
  input  wire                         vx_stall_port,
  input  wire                         vx_stall_operand,
  input  wire                         vx_stall_output,

  // Bus beats
  input  wire                         fe_beat,
  input  wire                         ld_beat,
  input  wire                         wt_beat,
  input  wire                         st_beat,

  output wire [`TPU_NUM_COUNTERS-1:0] events,
  output wire [`TPU_NUM_UNITS-1:0]    event_starts,
  // An instruction starts or is done, a row is issued, a beat moves. (Rows written to the buffer follow such a cycle, 20 later at most.)
  output wire                         progress
);

  wire mm_issuing      = mm_active || mm_wait_weights || mm_weight_shift;
  wire mm_blocked      = !mm_issuing && queued[`TPU_INDEX_MATMUL];
  wire mm_on_semaphore = mm_blocked && waiting[`TPU_INDEX_MATMUL];
  wire vx_issuing      = vx_active || vx_stall_port || vx_stall_operand || vx_stall_output;

  wire [1:0] mm_class  = wait_class[2*`TPU_INDEX_MATMUL +: 2];

  reg [`TPU_NUM_COUNTERS-1:0] events_q;
  reg [`TPU_NUM_UNITS-1:0]    starts_q;
  reg [`TPU_NUM_UNITS-1:0]    done_q;

  assign events       = events_q;
  assign event_starts = starts_q;

  always @(posedge clk) begin
    events_q[`TPU_CNT_CYCLES]                <= 1'b1;
    events_q[`TPU_CNT_ARRAY_ACTIVE]          <= mm_active;
    events_q[`TPU_CNT_ARRAY_WAIT_WEIGHTS]    <= mm_wait_weights;
    events_q[`TPU_CNT_ARRAY_WEIGHT_SHIFT]    <= mm_weight_shift;
    events_q[`TPU_CNT_ARRAY_WAIT_INPUT]      <= mm_on_semaphore && mm_class == 2'd0;
    events_q[`TPU_CNT_ARRAY_WAIT_DEPENDENCE] <= mm_on_semaphore && mm_class == 2'd1;
    events_q[`TPU_CNT_ARRAY_WAIT_SPACE]      <= mm_on_semaphore && mm_class == 2'd2;
    events_q[`TPU_CNT_ARRAY_WAIT_OTHER]      <= mm_blocked && (!waiting[`TPU_INDEX_MATMUL] || mm_class == 2'd3);
    events_q[`TPU_CNT_ARRAY_NO_WORK]         <= !mm_issuing && !queued[`TPU_INDEX_MATMUL];
    events_q[`TPU_CNT_ARRAY_PAD_ROWS]        <= mm_pad;
    events_q[`TPU_CNT_VECTOR_ACTIVE]         <= vx_active;
    events_q[`TPU_CNT_VECTOR_STALL_PORT]     <= vx_stall_port;
    events_q[`TPU_CNT_VECTOR_STALL_OPERAND]  <= vx_stall_operand;
    events_q[`TPU_CNT_VECTOR_STALL_OUTPUT]   <= vx_stall_output;
    events_q[`TPU_CNT_VECTOR_WAIT]           <= !vx_issuing && queued[`TPU_INDEX_VECTOR];
    events_q[`TPU_CNT_VECTOR_NO_WORK]        <= !vx_issuing && !queued[`TPU_INDEX_VECTOR];
    events_q[`TPU_CNT_LOAD_BUSY]             <= inflight[`TPU_INDEX_LOAD];
    events_q[`TPU_CNT_LOAD_WAIT]             <= waiting[`TPU_INDEX_LOAD];
    events_q[`TPU_CNT_WEIGHTS_BUSY]          <= inflight[`TPU_INDEX_WEIGHTS];
    events_q[`TPU_CNT_WEIGHTS_WAIT]          <= waiting[`TPU_INDEX_WEIGHTS];
    events_q[`TPU_CNT_STORE_BUSY]            <= inflight[`TPU_INDEX_STORE];
    events_q[`TPU_CNT_STORE_WAIT]            <= waiting[`TPU_INDEX_STORE];
    events_q[`TPU_CNT_FETCH_BEATS]           <= fe_beat;
    events_q[`TPU_CNT_LOAD_BEATS]            <= ld_beat;
    events_q[`TPU_CNT_WEIGHTS_BEATS]         <= wt_beat;
    events_q[`TPU_CNT_STORE_BEATS]           <= st_beat;
    events_q[`TPU_CNT_LOAD_RETIRED]          <= done[`TPU_INDEX_LOAD];
    events_q[`TPU_CNT_WEIGHTS_RETIRED]       <= done[`TPU_INDEX_WEIGHTS];
    events_q[`TPU_CNT_MATMUL_RETIRED]        <= done[`TPU_INDEX_MATMUL];
    events_q[`TPU_CNT_VECTOR_RETIRED]        <= done[`TPU_INDEX_VECTOR];
    events_q[`TPU_CNT_STORE_RETIRED]         <= done[`TPU_INDEX_STORE];
    starts_q <= starts;
    done_q   <= done;
  end

  assign progress = starts_q != {`TPU_NUM_UNITS{1'b0}} || done_q != {`TPU_NUM_UNITS{1'b0}}
                 || events_q[`TPU_CNT_ARRAY_ACTIVE] || events_q[`TPU_CNT_VECTOR_ACTIVE]
                 || events_q[`TPU_CNT_FETCH_BEATS] || events_q[`TPU_CNT_LOAD_BEATS] || events_q[`TPU_CNT_WEIGHTS_BEATS]
                 || events_q[`TPU_CNT_STORE_BEATS];

  wire unused = &{1'b0, queued, waiting, wait_class, inflight};

endmodule

`default_nettype wire
