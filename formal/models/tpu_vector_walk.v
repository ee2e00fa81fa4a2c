// A loop nest for proofs of what is around it: any steps, of which any may be the last (what it really does is simulated).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_walk #(
  parameter STREAM = 0
) (
  input  wire                        clk,

  input  wire                        load,
  input  wire [`TPU_VECTOR_USED-1:0] cmd,
  input  wire                        columns,
  input  wire [15:0]                 n_column,

  input  wire                        step,
  output wire [19:0]                 row,
  output wire                        inside,
  output wire                        weight,
  output wire                        window_first,
  output wire                        window_last,
  output wire                        last,
  output wire [2:0]                  level
);

  (* anyseq *) wire [27:0] any;

  assign {row, inside, weight, window_first, window_last, last, level} = any;

endmodule

`default_nettype wire
