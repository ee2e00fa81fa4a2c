// Splits a transfer of strided rows into AXI bursts.
//
// Memory is seen in windows of 32 beats (at most 4 KiB); a burst never leaves its window, which keeps the 4 KiB rule and the
// length limit without further arithmetic. Two stages, one burst per cycle:
//
//   cycle t    command accepted: address of the first row
//   t+1        that row is loaded: addresses of its first and last byte
//   t+2        first burst; a row is loaded in the cycle of the last burst of the row before it
//
// A byte beyond the address width gives one last burst with burst_range set instead of an address, and nothing after it until reset.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_dma_bursts #(
  // Bits of a beat: 32 .. 1024
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address: 32 .. 64
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                                  clk,
  input  wire                                  rst,
  // Gives no more bursts
  input  wire                                  stop,

  // Transfer: rows of cmd_span + 1 bytes, cmd_stride bytes apart; cmd_more of them behind the first. The top bits of cmd_addr and cmd_span
  // say that there are not so many addresses, whatever the other bits are
  input  wire                                  cmd_valid,
  output wire                                  cmd_ready,
  input  wire [AXI_ADDR_WIDTH:0]               cmd_addr,
  input  wire [AXI_ADDR_WIDTH:0]               cmd_span,
  input  wire [31:0]                           cmd_more,
  input  wire [31:0]                           cmd_stride,

  // Bursts: the transfer's bytes are those from byte burst_first of the first beat to byte burst_end of the last
  output wire                                  burst_valid,
  input  wire                                  burst_ready,
  output wire [AXI_ADDR_WIDTH-1:0]             burst_addr,
  // Beats - 1
  output wire [4:0]                            burst_len,
  output wire [$clog2(AXI_DATA_WIDTH/8)-1:0]   burst_first,
  output wire [$clog2(AXI_DATA_WIDTH/8)-1:0]   burst_end,
  // The transfer's last
  output wire                                  burst_last,
  output wire                                  burst_range
);

  localparam BW = $clog2(AXI_DATA_WIDTH / 8);
  // Bits of a position in a window
  localparam WW = BW + 5;
  localparam AW = AXI_ADDR_WIDTH;

  generate
    if (AXI_DATA_WIDTH < 32 || AXI_DATA_WIDTH > 1024 || (AXI_DATA_WIDTH & (AXI_DATA_WIDTH - 1)) != 0) begin : g_check_data
      ERROR_tpu_dma_bursts_AXI_DATA_WIDTH_must_be_a_power_of_two_from_32_to_1024 check ();
    end
    if (AXI_ADDR_WIDTH < 32 || AXI_ADDR_WIDTH > 64) begin : g_check_addr
      ERROR_tpu_dma_bursts_AXI_ADDR_WIDTH_must_be_32_to_64 check ();
    end
  endgenerate

  // ---- Rows ------------------------------------------------------------------------------------

  // Addresses have one bit more than the bus: set when the address does not exist.
  reg         waits_q;
  reg  [AW:0] row_q;
  reg  [AW:0] span_q;
  reg  [31:0] stride_q;
  // Rows behind the one that waits
  reg  [31:0] rows_q;

  wire [AW:0] row_last  = {1'b0, row_q[AW-1:0]} + {1'b0, span_q[AW-1:0]};
  wire        final_row = rows_q == 32'd0;
  wire        load;

  always @(posedge clk) begin
    if (cmd_ready) begin
      row_q    <= cmd_addr;
      span_q   <= cmd_span;
      stride_q <= cmd_stride;
      rows_q   <= cmd_more;
    end else if (load) begin
      row_q  <= row_q + {{(AW-31){1'b0}}, stride_q};
      rows_q <= rows_q - 32'd1;
    end
  end

  // ---- Bursts of a row -------------------------------------------------------------------------

  reg           valid_q;
  reg           final_q;
  reg           dead_q;
  // Next byte of the row; its last byte
  reg  [AW:0]   addr_q;
  reg  [AW:0]   last_q;

  wire [WW-1:0] position = addr_q[WW-1:0];
  wire          ends_row = addr_q[AW:WW] == last_q[AW:WW];
  wire [WW-1:0] end_pos  = ends_row ? last_q[WW-1:0] : {WW{1'b1}};
  wire          step     = burst_valid && burst_ready;

  assign load        = waits_q && (!valid_q || (step && ends_row));
  assign cmd_ready   = !waits_q && !valid_q && !dead_q;
  assign burst_valid = valid_q && !stop;
  assign burst_addr  = {addr_q[AW-1:BW], {BW{1'b0}}};
  assign burst_len   = end_pos[WW-1:BW] - position[WW-1:BW];
  assign burst_first = position[BW-1:0];
  assign burst_end   = end_pos[BW-1:0];
  assign burst_last  = ends_row && final_q;
  assign burst_range = addr_q[AW];

  always @(posedge clk) begin
    if (load || step) begin
      addr_q <= load ? row_q : {addr_q[AW:WW] + 1'b1, {WW{1'b0}}};
    end
    if (load) begin
      last_q  <= {span_q[AW] || row_last[AW], row_last[AW-1:0]};
      final_q <= final_row;
    end
  end

  always @(posedge clk) begin
    if (cmd_valid && cmd_ready) begin
      waits_q <= 1'b1;
    end else if (load && final_row) begin
      waits_q <= 1'b0;
    end
    if (load) begin
      valid_q <= 1'b1;
    end else if (step && ends_row) begin
      valid_q <= 1'b0;
    end
    if (step && burst_range) begin
      waits_q <= 1'b0;
      valid_q <= 1'b0;
      dead_q  <= 1'b1;
    end
    if (rst) begin
      waits_q <= 1'b0;
      valid_q <= 1'b0;
      dead_q  <= 1'b0;
    end
  end

endmodule

`default_nettype wire
