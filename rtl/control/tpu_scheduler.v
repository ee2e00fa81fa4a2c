// Scheduler: a queue, a head and flights for each unit, and the semaphores between them.
//
//   decode ▶ tpu_queues ▶ tpu_issue, one for each unit ▶ unit
//                              ▲ ▼
//                         tpu_semaphores
//
// Any number of units take and post in one cycle: only one unit waits for a semaphore, and only one posts it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_scheduler #(
  // Bits of a word: 128, 256 or 512
  parameter WORD_BITS = 128,
  // Bits of a word's place in an instruction
  parameter POS_BITS = 3
) (
  input  wire                                    clk,
  input  wire                                    rst,

  // Semaphores to zero; nothing starts
  input  wire                                    clear,
  input  wire                                    stop,

  // From decode; in_unit and delivered are one-hot, or none
  input  wire [`TPU_NUM_UNITS-1:0]               in_unit,
  output wire                                    in_ready,
  input  wire [POS_BITS-1:0]                     in_pos,
  input  wire [WORD_BITS-1:0]                    in_data,
  input  wire [31:0]                             in_index,
  input  wire [`TPU_NUM_UNITS-1:0]               delivered,

  // No instruction is queued or in flight
  output wire                                    all_idle,

  // Units, unit i in place i
  output wire [`TPU_NUM_UNITS-1:0]               cmd_valid,
  input  wire [`TPU_NUM_UNITS-1:0]               cmd_ready,
  output wire [`TPU_NUM_UNITS*`TPU_CMD_BITS-1:0] cmd,
  output wire [32*`TPU_NUM_UNITS-1:0]            cmd_index,
  input  wire [`TPU_NUM_UNITS-1:0]               done,

  // An instruction that is done posts a full semaphore: the one of oldest_index
  output wire [`TPU_NUM_UNITS-1:0]               overflow,
  output wire [32*`TPU_NUM_UNITS-1:0]            oldest_index,

  // An instruction is at the head; a semaphore of this class keeps it there; some are in flight; one starts
  output wire [`TPU_NUM_UNITS-1:0]               queued,
  output wire [`TPU_NUM_UNITS-1:0]               waiting,
  output wire [2*`TPU_NUM_UNITS-1:0]             wait_class,
  output wire [`TPU_NUM_UNITS-1:0]               inflight,
  output wire [`TPU_NUM_UNITS-1:0]               starts
);

  localparam U = `TPU_NUM_UNITS;
  // Instructions of one word fill a queue with most of them.
  localparam COUNT_BITS = $clog2(8 * `TPU_MAX_GRANULES * `TPU_GRANULE_BITS / WORD_BITS) + 1;

  // ---- Queues -------------------------------------------------------------------------------------

  wire [U-1:0]         fill;
  wire [POS_BITS-1:0]  fill_pos;
  wire [WORD_BITS-1:0] fill_data;
  wire [31:0]          fill_index;

  tpu_queues #(
    .WORD_BITS (WORD_BITS),
    .POS_BITS  (POS_BITS)
  ) u_queues (
    .clk        (clk),
    .rst        (rst),
    .in_unit    (in_unit),
    .in_ready   (in_ready),
    .in_pos     (in_pos),
    .in_data    (in_data),
    .in_index   (in_index),
    .start      (starts),
    .fill       (fill),
    .fill_pos   (fill_pos),
    .fill_data  (fill_data),
    .fill_index (fill_index)
  );

  // ---- Semaphores ---------------------------------------------------------------------------------

  wire [U-1:0]    take;
  wire [32*U-1:0] wait_mask;
  wire [32*U-1:0] post_mask;
  wire [31:0]     nonzero;
  wire [31:0]     full;
  reg  [31:0]     taken;
  reg  [31:0]     posted;
  integer         i;

  always @* begin
    taken  = 32'd0;
    posted = 32'd0;
    for (i = 0; i < U; i = i + 1) begin
      taken  = taken  | (take[i] ? wait_mask[32*i +: 32] : 32'd0);
      posted = posted | (done[i] ? post_mask[32*i +: 32] : 32'd0);
    end
  end

  tpu_semaphores u_semaphores (
    .clk       (clk),
    .rst       (rst),
    .clear     (clear),
    .post_mask (posted),
    .take_mask (taken),
    .nonzero   (nonzero),
    .full      (full)
  );

  // ---- Units --------------------------------------------------------------------------------------

  wire [U-1:0] idle;
  genvar u;
  generate
    for (u = 0; u < U; u = u + 1) begin : g_unit
      localparam integer USED = `TPU_UNIT_USED(u);
      wire [USED-1:0] head;

      tpu_issue #(
        .CMD_USED   (USED),
        .WORD_BITS  (WORD_BITS),
        .POS_BITS   (POS_BITS),
        .COUNT_BITS (COUNT_BITS)
      ) u_issue (
        .clk          (clk),
        .rst          (rst),
        .stop         (stop),
        .delivered    (delivered[u]),
        .fill         (fill[u]),
        .fill_pos     (fill_pos),
        .fill_data    (fill_data),
        .fill_index   (fill_index),
        .nonzero      (nonzero),
        .take         (take[u]),
        .wait_mask    (wait_mask[32*u +: 32]),
        .post_mask    (post_mask[32*u +: 32]),
        .cmd_valid    (cmd_valid[u]),
        .cmd_ready    (cmd_ready[u]),
        .cmd          (head),
        .cmd_index    (cmd_index[32*u +: 32]),
        .done         (done[u]),
        .idle         (idle[u]),
        .queued       (queued[u]),
        .waiting      (waiting[u]),
        .wait_class   (wait_class[2*u +: 2]),
        .inflight     (inflight[u]),
        .oldest_index (oldest_index[32*u +: 32]),
        .start_event  (starts[u])
      );

      if (USED == `TPU_CMD_BITS) begin : g_whole
        assign cmd[`TPU_CMD_BITS*u +: `TPU_CMD_BITS] = head;
      end else begin : g_padded
        assign cmd[`TPU_CMD_BITS*u +: `TPU_CMD_BITS] = {{(`TPU_CMD_BITS-USED){1'b0}}, head};
      end
      assign overflow[u] = done[u] && (post_mask[32*u +: 32] & full) != 32'd0;
    end
  endgenerate

  assign all_idle = &idle;

endmodule

`default_nettype wire
