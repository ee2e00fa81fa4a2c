// Gearbox for proofs of tpu_dma_write around it: ready at any time, any bytes, which stay until the next cut. That they are the right
// ones is proved in formal/tpu_byte_gearbox.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_byte_gearbox #(
  parameter IN_BYTES = 16,
  parameter OUT_BYTES = 16
) (
  input  wire                         clk,
  input  wire                         rst,
  input  wire                         in_valid,
  output wire                         in_ready,
  input  wire [8*IN_BYTES-1:0]        in_data,
  input  wire [$clog2(IN_BYTES)-1:0]  in_offset,
  input  wire [$clog2(IN_BYTES):0]    in_count,
  input  wire [$clog2(OUT_BYTES):0]   cut_length,
  input  wire [$clog2(OUT_BYTES)-1:0] cut_offset,
  output wire                         cut_ready,
  input  wire                         cut_en,
  output reg  [8*OUT_BYTES-1:0]       cut_data
);

  (* anyseq *) wire                   ready;
  (* anyseq *) wire                   full;
  (* anyseq *) wire [8*OUT_BYTES-1:0] any;

  assign in_ready  = !full;
  assign cut_ready = ready;

  always @(posedge clk) begin
    if (cut_en) begin
      cut_data <= any;
    end
  end

endmodule

`default_nettype wire
