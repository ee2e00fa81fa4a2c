// CRC-32 of a sequence of bytes, one a cycle; Ethernet's polynomial, as zlib computes it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_link.vh"

module tpu_crc32 (
  input  wire        clk,

  // Begins a new sequence
  input  wire        clear,
  // Takes a byte
  input  wire        en,
  input  wire [7:0]  data,

  // The register, not inverted: the CRC-32 is its complement
  output reg  [31:0] state
);

  function [31:0] next (
    input [31:0] before,
    input [7:0]  value
  );
    integer i;
    begin
      next = before ^ {24'd0, value};
      for (i = 0; i < 8; i = i + 1) begin
        next = (next >> 1) ^ (next[0] ? `TPU_LINK_CRC_POLYNOMIAL : 32'd0);
      end
    end
  endfunction

  always @(posedge clk) begin
    if (clear) begin
      state <= 32'hffffffff;
    end else if (en) begin
      state <= next(state, data);
    end
  end

endmodule

`default_nettype wire
