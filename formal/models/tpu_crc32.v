// Stands in for tpu_crc32: its state is anything.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_crc32 (
  input  wire        clk,
  input  wire        clear,
  input  wire        en,
  input  wire [7:0]  data,
  output wire [31:0] state
);

  (* anyseq *) wire [31:0] anything;

  assign state = anything;

endmodule

`default_nettype wire
