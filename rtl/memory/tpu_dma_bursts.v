// Splits a transfer of strided rows into AXI bursts.
//
// Memory is seen in windows of 32 beats (at most 4 KiB); a burst never leaves its window, which keeps the 4 KiB rule and the
// length limit without further arithmetic. One burst per cycle; the first one cycle after the command.
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

  // Transfer: cmd_rows rows of cmd_bytes bytes, cmd_stride bytes apart; counts at least 1
  input  wire                                  cmd_valid,
  output wire                                  cmd_ready,
  input  wire [63:0]                           cmd_addr,
  input  wire [63:0]                           cmd_bytes,
  input  wire [31:0]                           cmd_rows,
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

  reg         active_q;
  reg         dead_q;
  // Addresses have one bit more than the bus: set when the address does not exist.
  reg  [AW:0] addr_q;
  reg  [AW:0] next_row_q;
  reg  [63:0] left_q;
  reg  [31:0] rows_left_q;
  reg  [63:0] bytes_q;
  reg  [31:0] stride_q;

  wire [64:0]   cmd_addr_ext = {1'b0, cmd_addr};
  wire [AW:0]   cmd_start    = {|cmd_addr_ext[64:AW], cmd_addr[AW-1:0]};
  wire [AW:0]   cmd_stride_ext = {{(AW-31){1'b0}}, cmd_stride};
  wire [AW:0]   stride_ext     = {{(AW-31){1'b0}}, stride_q};

  wire [WW-1:0] position  = addr_q[WW-1:0];
  wire [WW:0]   room      = {1'b1, {WW{1'b0}}} - {1'b0, position};
  wire          ends_row  = left_q <= {{(63-WW){1'b0}}, room};
  wire [WW-1:0] end_bytes = position + left_q[WW-1:0] - 1'b1;
  wire [WW-1:0] end_pos   = ends_row ? end_bytes : {WW{1'b1}};
  wire          last_row  = rows_left_q == 32'd0;
  wire          step      = burst_valid && burst_ready;

  assign cmd_ready   = !active_q && !dead_q;
  assign burst_valid = active_q && !stop;
  assign burst_addr  = {addr_q[AW-1:BW], {BW{1'b0}}};
  assign burst_len   = end_pos[WW-1:BW] - position[WW-1:BW];
  assign burst_first = position[BW-1:0];
  assign burst_end   = end_pos[BW-1:0];
  assign burst_last  = ends_row && last_row;
  assign burst_range = addr_q[AW];

  wire unused = &{1'b0, cmd_addr_ext};

  // What reads a register before what only writes it, and one assignment for both: simulators then need no second copy of it.
  always @(posedge clk) begin
    if (step) begin
      addr_q <= ends_row ? next_row_q : {addr_q[AW:WW] + 1'b1, {WW{1'b0}}};
      left_q <= ends_row ? bytes_q : left_q - {{(63-WW){1'b0}}, room};
      if (ends_row) begin
        active_q    <= !last_row;
        next_row_q  <= next_row_q + stride_ext;
        rows_left_q <= rows_left_q - 32'd1;
      end
      if (burst_range) begin
        active_q <= 1'b0;
        dead_q   <= 1'b1;
      end
    end
    // Never together with `step`.
    if (cmd_valid && cmd_ready) begin
      active_q    <= 1'b1;
      addr_q      <= cmd_start;
      next_row_q  <= cmd_start + cmd_stride_ext;
      left_q      <= cmd_bytes;
      rows_left_q <= cmd_rows - 32'd1;
      bytes_q     <= cmd_bytes;
      stride_q    <= cmd_stride;
    end
    if (rst) begin
      active_q <= 1'b0;
      dead_q   <= 1'b0;
    end
  end

endmodule

`default_nettype wire
