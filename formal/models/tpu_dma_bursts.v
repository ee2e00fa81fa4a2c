// Bursts for proofs of the DMA engines around tpu_dma_bursts: any sequence of what formal/tpu_dma_bursts.v proves to come out: a burst
// stands until it is taken or everything stops; one of a single beat ends where it begins or later unless it is out of range; nothing follows a range error.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_dma_bursts #(
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                                clk,
  input  wire                                rst,
  input  wire                                stop,
  input  wire                                cmd_valid,
  output wire                                cmd_ready,
  input  wire [AXI_ADDR_WIDTH:0]             cmd_addr,
  input  wire [AXI_ADDR_WIDTH:0]             cmd_span,
  input  wire [31:0]                         cmd_more,
  input  wire [31:0]                         cmd_stride,
  output wire                                burst_valid,
  input  wire                                burst_ready,
  output wire [AXI_ADDR_WIDTH-1:0]           burst_addr,
  output wire [4:0]                          burst_len,
  output wire [$clog2(AXI_DATA_WIDTH/8)-1:0] burst_first,
  output wire [$clog2(AXI_DATA_WIDTH/8)-1:0] burst_end,
  output wire                                burst_last,
  output wire                                burst_range
);

  localparam BW = $clog2(AXI_DATA_WIDTH / 8);
  localparam WIDTH = AXI_ADDR_WIDTH + 5 + 2 * BW + 2;

  (* anyseq *) wire             valid;
  (* anyseq *) wire             ready;
  (* anyseq *) wire [WIDTH-1:0] any;

  reg             waits_q;
  reg             dead_q;
  reg [WIDTH-1:0] any_q;

  assign cmd_ready   = ready;
  assign burst_valid = valid && !stop && !dead_q;
  assign {burst_addr, burst_len, burst_first, burst_end, burst_last, burst_range} = any;

  always @(posedge clk) begin
    waits_q <= !rst && burst_valid && !burst_ready;
    dead_q  <= !rst && (dead_q || (burst_valid && burst_ready && burst_range));
    any_q   <= any;
  end

  always @* begin
    assume (!waits_q || (valid && any == any_q));
    assume (burst_range || burst_len != 0 || burst_first <= burst_end);
  end

endmodule

`default_nettype wire
