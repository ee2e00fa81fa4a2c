// What is the same in all bursts of the memory port, reads and writes: whole beats at rising addresses, of normal memory that may be buffered.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_axi_attributes #(
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128
) (
  output wire [2:0] size,
  output wire [1:0] burst,
  output wire       lock,
  output wire [3:0] cache,
  output wire [2:0] prot,
  output wire [3:0] qos
);

  localparam [31:0] BEAT_SIZE  = $clog2(AXI_DATA_WIDTH / 8);
  localparam [1:0]  BURST_INCR = 2'b01;
  localparam [3:0]  CACHE_NORMAL_BUFFERABLE = 4'b0011;

  assign size  = BEAT_SIZE[2:0];
  assign burst = BURST_INCR;
  assign lock  = 1'b0;
  assign cache = CACHE_NORMAL_BUFFERABLE;
  assign prot  = 3'b000;
  assign qos   = 4'd0;

endmodule

`default_nettype wire
