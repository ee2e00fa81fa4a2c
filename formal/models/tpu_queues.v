// The units' queues for proofs of the scheduler around them: they may fill any head with anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_queues #(
  parameter WORD_BITS = 128,
  parameter POS_BITS = 3
) (
  input  wire                      clk,
  input  wire                      rst,
  input  wire [`TPU_NUM_UNITS-1:0] in_unit,
  output wire                      in_ready,
  input  wire [POS_BITS-1:0]       in_pos,
  input  wire [WORD_BITS-1:0]      in_data,
  input  wire [31:0]               in_index,
  input  wire [`TPU_NUM_UNITS-1:0] start,
  output wire [`TPU_NUM_UNITS-1:0] fill,
  output wire [POS_BITS-1:0]       fill_pos,
  output wire [WORD_BITS-1:0]      fill_data,
  output wire [31:0]               fill_index
);

  (* anyseq *) wire [`TPU_NUM_UNITS+POS_BITS+WORD_BITS+32:0] any;

  assign {in_ready, fill, fill_pos, fill_data, fill_index} = any;

endmodule

`default_nettype wire
