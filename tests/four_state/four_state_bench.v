// The whole machine in a simulator with four-valued logic, from power-on: every register and memory starts as X.
//
// Runs programs one after the other and writes the memory behind the machine into a file. An X on a handshake of either bus ends the
// run, as does a program that fails or does not end.
//
//   +image=FILE              memory before, $readmemh, a beat a word
//   +result=FILE             memory after
//   +runs=FILE               of each program its address and its granules, $readmemh
//   +core_reset_cycles=N     cuts each reset of the core down to N cycles, and leaves out the one before the first program
//   +idle=N +dump=FILE       instead of running programs, stands idle for N cycles and writes all signals into a value change dump
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns / 1ns

`include "tpu_regs.vh"

module four_state_bench;

  parameter N = 4;
  parameter UB_ROWS = 512;
  parameter ACC_ROWS = 64;
  parameter PARAM_ROWS = 16;
  parameter WFIFO_TILES = 2;
  parameter WINDOW = 1;
  parameter REQUANT_LANES = 1;
  parameter AXI_DATA_WIDTH = 128;
  parameter AXI_ADDR_WIDTH = 32;
  parameter BF16 = 0;
  parameter INT16 = 1;
  parameter FLOAT_ROUNDING = 0;
  // Beats of memory
  parameter WORDS = 65536;
  // Programs to run
  parameter RUNS = 3;

  localparam DW      = AXI_DATA_WIDTH;
  localparam AW      = AXI_ADDR_WIDTH;
  localparam BW      = $clog2(DW / 8);
  // Accepted and unanswered bursts
  localparam QUEUE   = 64;
  localparam LATENCY = 5;
  localparam TIMEOUT = 200000;

  reg             clk = 1'b0;
  reg             rst = 1'b1;
  wire            irq;
  reg  [11:0]     awaddr = 12'd0;
  reg             awvalid = 1'b0;
  wire            awready;
  reg  [31:0]     wdata = 32'd0;
  reg             wvalid = 1'b0;
  wire            wready;
  wire            bvalid;
  reg  [11:0]     araddr = 12'd0;
  reg             arvalid = 1'b0;
  wire            arready;
  wire [31:0]     rdata;
  wire            rvalid;

  wire [2:0]      m_awid;
  wire [AW-1:0]   m_awaddr;
  wire [7:0]      m_awlen;
  wire            m_awvalid;
  wire [DW-1:0]   m_wdata;
  wire [DW/8-1:0] m_wstrb;
  wire            m_wlast;
  wire            m_wvalid;
  reg  [2:0]      m_bid = 3'd0;
  reg             m_bvalid = 1'b0;
  wire            m_bready;
  wire [2:0]      m_arid;
  wire [AW-1:0]   m_araddr;
  wire [7:0]      m_arlen;
  wire            m_arvalid;
  reg  [2:0]      m_rid = 3'd0;
  reg  [DW-1:0]   m_rdata = {DW{1'b0}};
  reg             m_rlast = 1'b0;
  reg             m_rvalid = 1'b0;
  wire            m_rready;

  tpu_top #(
    .N              (N),
    .UB_ROWS        (UB_ROWS),
    .ACC_ROWS       (ACC_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .WFIFO_TILES    (WFIFO_TILES),
    .WINDOW         (WINDOW),
    .REQUANT_LANES  (REQUANT_LANES),
    .AXI_DATA_WIDTH (DW),
    .AXI_ADDR_WIDTH (AW),
    .BF16           (BF16),
    .INT16          (INT16),
    .FLOAT_ROUNDING (FLOAT_ROUNDING)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .irq            (irq),
    .s_axil_awaddr  (awaddr),
    .s_axil_awprot  (3'd0),
    .s_axil_awvalid (awvalid),
    .s_axil_awready (awready),
    .s_axil_wdata   (wdata),
    .s_axil_wstrb   (4'hF),
    .s_axil_wvalid  (wvalid),
    .s_axil_wready  (wready),
    .s_axil_bresp   (),
    .s_axil_bvalid  (bvalid),
    .s_axil_bready  (1'b1),
    .s_axil_araddr  (araddr),
    .s_axil_arprot  (3'd0),
    .s_axil_arvalid (arvalid),
    .s_axil_arready (arready),
    .s_axil_rdata   (rdata),
    .s_axil_rresp   (),
    .s_axil_rvalid  (rvalid),
    .s_axil_rready  (1'b1),
    .m_axi_awid     (m_awid),
    .m_axi_awaddr   (m_awaddr),
    .m_axi_awlen    (m_awlen),
    .m_axi_awsize   (),
    .m_axi_awburst  (),
    .m_axi_awlock   (),
    .m_axi_awcache  (),
    .m_axi_awprot   (),
    .m_axi_awqos    (),
    .m_axi_awvalid  (m_awvalid),
    .m_axi_awready  (1'b1),
    .m_axi_wdata    (m_wdata),
    .m_axi_wstrb    (m_wstrb),
    .m_axi_wlast    (m_wlast),
    .m_axi_wvalid   (m_wvalid),
    .m_axi_wready   (1'b1),
    .m_axi_bid      (m_bid),
    .m_axi_bresp    (2'd0),
    .m_axi_bvalid   (m_bvalid),
    .m_axi_bready   (m_bready),
    .m_axi_arid     (m_arid),
    .m_axi_araddr   (m_araddr),
    .m_axi_arlen    (m_arlen),
    .m_axi_arsize   (),
    .m_axi_arburst  (),
    .m_axi_arlock   (),
    .m_axi_arcache  (),
    .m_axi_arprot   (),
    .m_axi_arqos    (),
    .m_axi_arvalid  (m_arvalid),
    .m_axi_arready  (reads - answers < QUEUE),
    .m_axi_rid      (m_rid),
    .m_axi_rdata    (m_rdata),
    .m_axi_rresp    (2'd0),
    .m_axi_rlast    (m_rlast),
    .m_axi_rvalid   (m_rvalid),
    .m_axi_rready   (m_rready)
  );

  always #1 clk = !clk;

  // ---- Resets of the core, cut short ----------------------------------------------------------------

  // The first program starts from the reset at power-on, with X in all that this one reset does not reach.
  reg     started_once = 1'b0;
  wire    resetting = rst || dut.u_host.u_run_control.core_rst_q;
  integer most_reset = 0;
  integer reset_cycles = 0;

  always @(posedge clk) reset_cycles <= resetting === 1'b1 ? reset_cycles + 1 : 0;

  initial begin
    if (!$value$plusargs("core_reset_cycles=%d", most_reset)) most_reset = 0;
  end

  always @(negedge clk) begin
    if (most_reset != 0 && resetting === 1'b1 && (reset_cycles >= most_reset || (!rst && !started_once))) begin
      force dut.core_rst = 1'b0;
    end else begin
      release dut.core_rst;
    end
  end

  // ---- Memory --------------------------------------------------------------------------------------

  reg [DW-1:0] memory [0:WORDS-1];
  reg [AW-1:0] read_addr [0:QUEUE-1];
  reg [7:0]    read_len [0:QUEUE-1];
  reg [2:0]    read_id [0:QUEUE-1];
  integer      read_due [0:QUEUE-1];
  integer      reads = 0;
  integer      answers = 0;
  integer      beat = 0;
  reg [AW-1:0] write_addr [0:QUEUE-1];
  reg [2:0]    write_id [0:QUEUE-1];
  integer      writes = 0;
  integer      written = 0;
  integer      write_beat = 0;
  integer      responses = 0;
  integer      cycle = 0;
  integer      i;
  reg [AW-1:0] at;

  always @(posedge clk) begin
    cycle <= cycle + 1;
    // Requests of this cycle are answered in later ones.
    m_rvalid <= 1'b0;
    if (answers < reads && cycle >= read_due[answers % QUEUE]) begin
      at       = (read_addr[answers % QUEUE] >> BW) + beat;
      m_rvalid <= 1'b1;
      m_rid    <= read_id[answers % QUEUE];
      m_rdata  <= memory[at];
      m_rlast  <= beat == read_len[answers % QUEUE];
      if (beat == read_len[answers % QUEUE]) begin
        answers <= answers + 1;
        beat    <= 0;
      end else begin
        beat <= beat + 1;
      end
    end
    if (m_arvalid && reads - answers < QUEUE) begin
      read_addr[reads % QUEUE] <= m_araddr;
      read_len[reads % QUEUE]  <= m_arlen;
      read_id[reads % QUEUE]   <= m_arid;
      read_due[reads % QUEUE]  <= cycle + LATENCY;
      reads <= reads + 1;
    end
    m_bvalid <= responses < written;
    m_bid    <= write_id[responses % QUEUE];
    if (responses < written) responses <= responses + 1;
    if (m_awvalid) begin
      write_addr[writes % QUEUE] = m_awaddr;
      write_id[writes % QUEUE]   = m_awid;
      writes = writes + 1;
    end
    if (m_wvalid) begin
      at = (write_addr[written % QUEUE] >> BW) + write_beat;
      for (i = 0; i < DW / 8; i = i + 1) begin
        if (m_wstrb[i]) memory[at][8*i +: 8] = m_wdata[8*i +: 8];
      end
      write_beat = m_wlast ? 0 : write_beat + 1;
      written    = m_wlast ? written + 1 : written;
    end
  end

  // ---- Checks --------------------------------------------------------------------------------------

  wire [9:0] handshakes = {irq, awready, wready, bvalid, arready, rvalid, m_awvalid, m_wvalid, m_arvalid, m_rready};

  always @(posedge clk) begin
    if (!rst && cycle > 4 && ^handshakes === 1'bx) begin
      $display("FAILED: X on a handshake at cycle %0d: irq, awready, wready, bvalid, arready, rvalid, m_awvalid, m_wvalid, m_arvalid, m_rready = %b",
               cycle, handshakes);
      $finish;
    end
  end

  // ---- Host ----------------------------------------------------------------------------------------

  task write_register(input [11:0] offset, input [31:0] value);
    begin
      @(negedge clk);
      awaddr  = offset;
      wdata   = value;
      awvalid = 1'b1;
      wvalid  = 1'b1;
      while (awvalid || wvalid) begin
        #0;
        if (awready === 1'b1 && wready === 1'b1) begin
          @(negedge clk);
          awvalid = 1'b0;
          wvalid  = 1'b0;
        end else begin
          @(negedge clk);
        end
      end
      while (bvalid !== 1'b1) @(negedge clk);
      @(negedge clk);
    end
  endtask

  task read_register(input [11:0] offset, output [31:0] value);
    begin
      @(negedge clk);
      araddr  = offset;
      arvalid = 1'b1;
      while (arready !== 1'b1) @(negedge clk);
      @(negedge clk);
      arvalid = 1'b0;
      while (rvalid !== 1'b1) @(negedge clk);
      value = rdata;
      @(negedge clk);
    end
  endtask

  reg [8*256-1:0] image;
  reg [8*256-1:0] result;
  reg [8*256-1:0] runs;
  reg [31:0]      run [0:2*RUNS-1];
  reg [31:0]      status;
  reg [31:0]      error;
  integer         r;
  integer         start_cycle;

  reg [8*256-1:0] dump;
  integer         idle;

  initial if ($value$plusargs("idle=%d", idle) && $value$plusargs("dump=%s", dump)) begin
    repeat (2) @(negedge clk);
    rst = 1'b0;
    repeat (idle) @(negedge clk);
    $dumpfile(dump);
    $dumpvars(0, dut);
    @(negedge clk);
    $finish;
  end else begin
    if (!$value$plusargs("image=%s", image) || !$value$plusargs("result=%s", result) || !$value$plusargs("runs=%s", runs)) begin
      $display("FAILED: give +image, +result and +runs");
      $finish;
    end
    $readmemh(image, memory);
    $readmemh(runs, run);
    repeat (2) @(negedge clk);
    rst = 1'b0;
    for (r = 0; r < RUNS; r = r + 1) begin
      write_register(`TPU_REG_PROG_ADDR_LO, run[2*r]);
      write_register(`TPU_REG_PROG_ADDR_HI, 32'd0);
      write_register(`TPU_REG_PROG_GRANULES, run[2*r+1]);
      write_register(`TPU_REG_WATCHDOG, 32'd10000);
      write_register(`TPU_REG_CONTROL, 32'd5);
      start_cycle = cycle;
      while (irq !== 1'b1 && cycle - start_cycle < TIMEOUT) @(negedge clk);
      read_register(`TPU_REG_STATUS, status);
      if (status[`TPU_STATUS_DONE] !== 1'b1) begin
        read_register(`TPU_REG_ERROR, error);
        $display("FAILED: program %0d ends at cycle %0d with STATUS %b, ERROR %h", r, cycle, status, error);
        $finish;
      end
      write_register(`TPU_REG_IRQ_CLEAR, 32'd1);
      started_once = 1'b1;
    end
    $writememh(result, memory);
    $display("PASSED: %0d cycles", cycle);
    $finish;
  end

endmodule

`default_nettype wire
