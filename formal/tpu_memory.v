// tpu_memory: from the second cycle behind a halt or a reset of the core on, nothing new is offered to the bus, whatever units and fetch ask for.
//
// Ports that are not connected are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_memory #(
  parameter ROW_BYTES = 4,
  parameter UB_ROWS = 16,
  parameter PARAM_ROWS = 4,
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 32
) (
  input wire clk,
  input wire core_rst,
  input wire halt,
  input wire m_axi_awready,
  input wire m_axi_arready
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire m_axi_awvalid;
  wire m_axi_arvalid;

  tpu_memory #(
    .ROW_BYTES      (ROW_BYTES),
    .UB_ROWS        (UB_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (core_rst),
    .halt          (halt),
    .m_axi_awvalid (m_axi_awvalid),
    .m_axi_awready (m_axi_awready),
    .m_axi_arvalid (m_axi_arvalid),
    .m_axi_arready (m_axi_arready)
  );

  // Offers that were not taken stand; the cycles before were ones of a halt or a reset.
  reg aw_stands_q;
  reg ar_stands_q;
  reg stop1_q;
  reg stop2_q;

  always @(posedge clk) begin
    aw_stands_q <= !rst && m_axi_awvalid && !m_axi_awready;
    ar_stands_q <= !rst && m_axi_arvalid && !m_axi_arready;
    stop1_q     <= !rst && (halt || core_rst);
    stop2_q     <= !rst && stop1_q;
  end

  always @* begin
    if (!rst) begin
      a_no_new_write: assert (!stop2_q || !m_axi_awvalid || aw_stands_q);
      a_no_new_read:  assert (!stop2_q || !m_axi_arvalid || ar_stands_q);
    end
  end

endmodule

`default_nettype wire
