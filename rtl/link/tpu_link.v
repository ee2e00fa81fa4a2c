// The host's link to a board: frames over a serial line to memory and registers. Ports and instances only.
//
//   u_uart_rx, u_uart_tx       bits and bytes
//   u_bytes, u_byte            bytes that wait while a frame is done, and the next one
//   u_receive                  frames of the host
//   u_control                  what is done with them
//   u_memory, u_registers      masters of the board's buses
//   u_send                     answers
//
// The buffer holds the bytes of the one frame that is received, done or answered. Nothing here waits for the host but a frame's end; the zero
// with which each host begins ends what another has left behind. docs/boards.md describes the frames.
//
// More than 200 lines and 40 ports, as two bus ports and the signals between the parts are named here.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_link #(
  // Clock cycles of a bit on the serial line, at least 4
  parameter BIT_CYCLES = 60,
  // What the host is told: Hz of the clock
  parameter CLOCK_HZ = 60000000,
  // and bytes of memory, from address 0 on
  parameter MEMORY_BYTES = 33554432
) (
  input  wire        clk,
  input  wire        rst,

  // Serial line
  input  wire        rx,
  output wire        tx,

  // Interrupt of the TPU
  input  wire        irq,

  // Registers
  output wire [31:0] m_axil_awaddr,
  output wire [2:0]  m_axil_awprot,
  output wire        m_axil_awvalid,
  input  wire        m_axil_awready,
  output wire [31:0] m_axil_wdata,
  output wire [3:0]  m_axil_wstrb,
  output wire        m_axil_wvalid,
  input  wire        m_axil_wready,
  input  wire [1:0]  m_axil_bresp,
  input  wire        m_axil_bvalid,
  output wire        m_axil_bready,
  output wire [31:0] m_axil_araddr,
  output wire [2:0]  m_axil_arprot,
  output wire        m_axil_arvalid,
  input  wire        m_axil_arready,
  input  wire [31:0] m_axil_rdata,
  input  wire [1:0]  m_axil_rresp,
  input  wire        m_axil_rvalid,
  output wire        m_axil_rready,

  // Memory
  output wire [31:0] m_axi_awaddr,
  output wire [7:0]  m_axi_awlen,
  output wire [2:0]  m_axi_awsize,
  output wire [1:0]  m_axi_awburst,
  output wire        m_axi_awvalid,
  input  wire        m_axi_awready,
  output wire [31:0] m_axi_wdata,
  output wire [3:0]  m_axi_wstrb,
  output wire        m_axi_wlast,
  output wire        m_axi_wvalid,
  input  wire        m_axi_wready,
  input  wire [1:0]  m_axi_bresp,
  input  wire        m_axi_bvalid,
  output wire        m_axi_bready,
  output wire [31:0] m_axi_araddr,
  output wire [7:0]  m_axi_arlen,
  output wire [2:0]  m_axi_arsize,
  output wire [1:0]  m_axi_arburst,
  output wire        m_axi_arvalid,
  input  wire        m_axi_arready,
  input  wire [31:0] m_axi_rdata,
  input  wire [1:0]  m_axi_rresp,
  input  wire        m_axi_rlast,
  input  wire        m_axi_rvalid,
  output wire        m_axi_rready
);

  // More than the requests that a host sends ahead while it reads
  localparam WAITING_BYTES = 512;

  wire        rx_valid, byte_valid, byte_ready, tx_valid, tx_ready;
  wire [7:0]  rx_data, byte_data, tx_data;
  wire        frame_valid, frame_taken, frame_good;
  wire [7:0]  frame_number, frame_command;
  wire [31:0] frame_address, frame_length;
  wire        memory_read, memory_write, memory_crc, memory_done, memory_failed;
  wire        registers_read, registers_write, registers_done, registers_failed;
  wire [7:0]  registers_last_word;
  wire [31:0] crc;
  wire        answer, answer_done;
  wire [7:0]  answer_number, answer_status;
  wire [9:0]  answer_first;
  wire [10:0] answer_count;

  // Ports of the buffer, of which one part uses each at a time
  wire        rc_wr_en, ct_wr_en, me_wr_en, rg_wr_en, me_rd_en, rg_rd_en, sd_rd_en;
  wire [7:0]  rc_wr_word, ct_wr_word, me_wr_word, rg_wr_word, me_rd_word, rg_rd_word, sd_rd_word;
  wire [31:0] rc_wr_data, ct_wr_data, me_wr_data, rg_wr_data, rd_data;

  assign m_axil_awprot = 3'b000;
  assign m_axil_arprot = 3'b000;

  tpu_uart_rx #(
    .BIT_CYCLES (BIT_CYCLES)
  ) u_uart_rx (
    .clk (clk), .rst (rst), .rx (rx), .valid (rx_valid), .data (rx_data)
  );

  // A byte of a block RAM is read a cycle before what it does: that reaches as far as the buffer's write port.
  wire       bytes_ready;
  wire       waiting_valid;
  wire       waiting_ready;
  wire [7:0] waiting_data;

  tpu_fifo_ram #(
    .WIDTH (8),
    .DEPTH (WAITING_BYTES)
  ) u_bytes (
    .clk (clk), .rst (rst),
    .in_valid (rx_valid), .in_ready (bytes_ready), .in_data (rx_data),
    .out_valid (waiting_valid), .out_ready (waiting_ready), .out_data (waiting_data)
  );
  tpu_skid #(
    .WIDTH (8)
  ) u_byte (
    .clk (clk), .rst (rst),
    .in_valid (waiting_valid), .in_ready (waiting_ready), .in_data (waiting_data),
    .out_valid (byte_valid), .out_ready (byte_ready), .out_data (byte_data)
  );

  tpu_link_receive u_receive (
    .clk (clk), .rst (rst),
    .in_valid (byte_valid), .in_ready (byte_ready), .in_data (byte_data),
    .wr_en (rc_wr_en), .wr_word (rc_wr_word), .wr_data (rc_wr_data),
    .frame_valid (frame_valid), .frame_taken (frame_taken), .frame_good (frame_good), .frame_number (frame_number),
    .frame_command (frame_command), .frame_address (frame_address), .frame_length (frame_length)
  );

  tpu_link_control #(
    .CLOCK_HZ     (CLOCK_HZ),
    .MEMORY_BYTES (MEMORY_BYTES)
  ) u_control (
    .clk (clk), .rst (rst), .irq (irq),
    .frame_valid (frame_valid), .frame_taken (frame_taken), .frame_good (frame_good), .frame_number (frame_number),
    .frame_command (frame_command), .frame_address (frame_address), .frame_length (frame_length),
    .memory_read (memory_read), .memory_write (memory_write), .memory_crc (memory_crc), .memory_done (memory_done),
    .memory_failed (memory_failed), .crc (crc),
    .registers_read (registers_read), .registers_write (registers_write), .registers_last_word (registers_last_word),
    .registers_done (registers_done), .registers_failed (registers_failed),
    .wr_en (ct_wr_en), .wr_word (ct_wr_word), .wr_data (ct_wr_data),
    .answer (answer), .answer_number (answer_number), .answer_status (answer_status), .answer_first (answer_first),
    .answer_count (answer_count), .answer_done (answer_done)
  );

  tpu_link_memory u_memory (
    .clk (clk), .rst (rst),
    .start_read (memory_read), .start_write (memory_write), .start_crc (memory_crc), .address (frame_address),
    .length (frame_length), .done (memory_done), .failed (memory_failed), .crc (crc),
    .wr_en (me_wr_en), .wr_word (me_wr_word), .wr_data (me_wr_data), .rd_en (me_rd_en), .rd_word (me_rd_word), .rd_data (rd_data),
    .m_axi_awaddr (m_axi_awaddr), .m_axi_awlen (m_axi_awlen), .m_axi_awsize (m_axi_awsize), .m_axi_awburst (m_axi_awburst),
    .m_axi_awvalid (m_axi_awvalid), .m_axi_awready (m_axi_awready),
    .m_axi_wdata (m_axi_wdata), .m_axi_wstrb (m_axi_wstrb), .m_axi_wlast (m_axi_wlast), .m_axi_wvalid (m_axi_wvalid),
    .m_axi_wready (m_axi_wready),
    .m_axi_bresp (m_axi_bresp), .m_axi_bvalid (m_axi_bvalid), .m_axi_bready (m_axi_bready),
    .m_axi_araddr (m_axi_araddr), .m_axi_arlen (m_axi_arlen), .m_axi_arsize (m_axi_arsize), .m_axi_arburst (m_axi_arburst),
    .m_axi_arvalid (m_axi_arvalid), .m_axi_arready (m_axi_arready),
    .m_axi_rdata (m_axi_rdata), .m_axi_rresp (m_axi_rresp), .m_axi_rlast (m_axi_rlast), .m_axi_rvalid (m_axi_rvalid),
    .m_axi_rready (m_axi_rready)
  );

  tpu_link_registers u_registers (
    .clk (clk), .rst (rst),
    .start_read (registers_read), .start_write (registers_write), .address (frame_address), .last_word (registers_last_word),
    .done (registers_done), .failed (registers_failed),
    .wr_en (rg_wr_en), .wr_word (rg_wr_word), .wr_data (rg_wr_data), .rd_en (rg_rd_en), .rd_word (rg_rd_word), .rd_data (rd_data),
    .m_axil_awaddr (m_axil_awaddr), .m_axil_awvalid (m_axil_awvalid), .m_axil_awready (m_axil_awready),
    .m_axil_wdata (m_axil_wdata), .m_axil_wstrb (m_axil_wstrb), .m_axil_wvalid (m_axil_wvalid), .m_axil_wready (m_axil_wready),
    .m_axil_bresp (m_axil_bresp), .m_axil_bvalid (m_axil_bvalid), .m_axil_bready (m_axil_bready),
    .m_axil_araddr (m_axil_araddr), .m_axil_arvalid (m_axil_arvalid), .m_axil_arready (m_axil_arready),
    .m_axil_rdata (m_axil_rdata), .m_axil_rresp (m_axil_rresp), .m_axil_rvalid (m_axil_rvalid), .m_axil_rready (m_axil_rready)
  );

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (256)
  ) u_buffer (
    .clk     (clk),
    .wr_en   (rc_wr_en || ct_wr_en || me_wr_en || rg_wr_en),
    .wr_addr (rc_wr_en ? rc_wr_word : ct_wr_en ? ct_wr_word : me_wr_en ? me_wr_word : rg_wr_word),
    .wr_data (rc_wr_en ? rc_wr_data : ct_wr_en ? ct_wr_data : me_wr_en ? me_wr_data : rg_wr_data),
    .rd_en   (me_rd_en || rg_rd_en || sd_rd_en),
    .rd_addr (me_rd_en ? me_rd_word : rg_rd_en ? rg_rd_word : sd_rd_word),
    .rd_data (rd_data)
  );

  tpu_link_send u_send (
    .clk (clk), .rst (rst),
    .start (answer), .number (answer_number), .status (answer_status), .first (answer_first), .count (answer_count),
    .done (answer_done), .rd_en (sd_rd_en), .rd_word (sd_rd_word), .rd_data (rd_data),
    .out_valid (tx_valid), .out_ready (tx_ready), .out_data (tx_data)
  );

  tpu_uart_tx #(
    .BIT_CYCLES (BIT_CYCLES)
  ) u_uart_tx (
    .clk (clk), .rst (rst), .valid (tx_valid), .ready (tx_ready), .data (tx_data), .tx (tx)
  );

  // A byte that finds no place is lost, which the frame's CRC shows.
  wire unused = &{1'b0, bytes_ready};

endmodule

`default_nettype wire
