// A unit's head and flights for proofs of the scheduler around them: they may do anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_issue #(
  parameter CMD_USED = 504,
  parameter WORD_BITS = 128,
  parameter POS_BITS = 3,
  parameter COUNT_BITS = 7
) (
  input  wire                 clk,
  input  wire                 rst,
  input  wire                 stop,
  input  wire                 delivered,
  input  wire                 fill,
  input  wire [POS_BITS-1:0]  fill_pos,
  input  wire [WORD_BITS-1:0] fill_data,
  input  wire [31:0]          fill_index,
  input  wire [31:0]          nonzero,
  output wire                 take,
  output wire [31:0]          wait_mask,
  output wire [31:0]          post_mask,
  output wire                 cmd_valid,
  input  wire                 cmd_ready,
  output wire [CMD_USED-1:0]  cmd,
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

  (* anyseq *) wire [CMD_USED+136:0] any;

  assign {take, wait_mask, post_mask, cmd_valid, cmd, cmd_index, idle, queued, waiting, wait_class, inflight, oldest_index, start_event} = any;

endmodule

`default_nettype wire
