// A unit's queue for proofs of the scheduler around it: it may ask for anything at any time, but for semaphores only when they are above
// zero (proved in formal/tpu_issue.v).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_issue #(
  parameter CMD_WIDTH = 512,
  parameter CMD_USED = 512
) (
  input  wire                 clk,
  input  wire                 rst,
  input  wire                 stop,
  input  wire                 in_valid,
  output wire                 in_ready,
  input  wire [CMD_USED-1:0]  in_cmd,
  input  wire [31:0]          in_index,
  input  wire [31:0]          nonzero,
  output wire                 take_request,
  input  wire                 take,
  output wire [31:0]          wait_mask,
  output wire                 post_request,
  input  wire                 post,
  output wire [31:0]          post_mask,
  output wire                 cmd_valid,
  input  wire                 cmd_ready,
  output wire [CMD_WIDTH-1:0] cmd,
  output wire [31:0]          cmd_index,
  input  wire                 done,
  output wire                 idle,
  output wire                 queued,
  output wire                 waiting,
  output wire [1:0]           wait_class,
  output wire                 inflight,
  output wire [31:0]          oldest_index,
  output wire                 start_event
);

  (* anyseq *) wire [CMD_WIDTH+138:0] any;

  assign {in_ready, take_request, wait_mask, post_request, post_mask, cmd_valid, cmd, cmd_index, idle, queued, waiting, wait_class,
          inflight, oldest_index, start_event} = any;

  always @* assume (!take_request || (wait_mask & ~nonzero) == 32'd0);

endmodule

`default_nettype wire
