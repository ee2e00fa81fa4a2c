// TPU: AXI4-Lite control, AXI4 memory, everything between. Instances and wires only.
//
// Drop it into a board design: connect m_axi to memory, s_axil to a host, irq to an interrupt input. One clock, synchronous
// active-high reset. docs/architecture.md describes the parts, docs/isa.md the programs, docs/registers_tables.md the registers.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_regs.vh"

module tpu_top #(
  // Rows and columns of the array, lanes of the vector unit: 4, 8, 16, 32 or 64
  parameter N = 16,
  // Unified buffer rows of N bytes, a power of two up to 65536
  parameter UB_ROWS = 16384,
  // Accumulator rows of N x 32 bits, a power of two up to 65536
  parameter ACC_ROWS = 2048,
  // Parameter entries, a power of two
  parameter PARAM_ROWS = 512,
  // Weight FIFO depth in tiles, a power of two
  parameter WFIFO_TILES = 4,
  // Bits per memory beat: 32, 64, 128, 256 or 512
  parameter AXI_DATA_WIDTH = (8 * N > 512) ? 512 : 8 * N,
  // Bits of a memory address, at most 64
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                          clk,
  input  wire                          rst,

  // High while an interrupt is pending and enabled
  output wire                          irq,

  // Control and status registers
  input  wire [11:0]                   s_axil_awaddr,
  input  wire [2:0]                    s_axil_awprot,
  input  wire                          s_axil_awvalid,
  output wire                          s_axil_awready,
  input  wire [31:0]                   s_axil_wdata,
  input  wire [3:0]                    s_axil_wstrb,
  input  wire                          s_axil_wvalid,
  output wire                          s_axil_wready,
  output wire [1:0]                    s_axil_bresp,
  output wire                          s_axil_bvalid,
  input  wire                          s_axil_bready,
  input  wire [11:0]                   s_axil_araddr,
  input  wire [2:0]                    s_axil_arprot,
  input  wire                          s_axil_arvalid,
  output wire                          s_axil_arready,
  output wire [31:0]                   s_axil_rdata,
  output wire [1:0]                    s_axil_rresp,
  output wire                          s_axil_rvalid,
  input  wire                          s_axil_rready,

  // Memory
  output wire [2:0]                    m_axi_awid,
  output wire [AXI_ADDR_WIDTH-1:0]     m_axi_awaddr,
  output wire [7:0]                    m_axi_awlen,
  output wire [2:0]                    m_axi_awsize,
  output wire [1:0]                    m_axi_awburst,
  output wire                          m_axi_awlock,
  output wire [3:0]                    m_axi_awcache,
  output wire [2:0]                    m_axi_awprot,
  output wire [3:0]                    m_axi_awqos,
  output wire                          m_axi_awvalid,
  input  wire                          m_axi_awready,
  output wire [AXI_DATA_WIDTH-1:0]     m_axi_wdata,
  output wire [AXI_DATA_WIDTH/8-1:0]   m_axi_wstrb,
  output wire                          m_axi_wlast,
  output wire                          m_axi_wvalid,
  input  wire                          m_axi_wready,
  input  wire [2:0]                    m_axi_bid,
  input  wire [1:0]                    m_axi_bresp,
  input  wire                          m_axi_bvalid,
  output wire                          m_axi_bready,
  output wire [2:0]                    m_axi_arid,
  output wire [AXI_ADDR_WIDTH-1:0]     m_axi_araddr,
  output wire [7:0]                    m_axi_arlen,
  output wire [2:0]                    m_axi_arsize,
  output wire [1:0]                    m_axi_arburst,
  output wire                          m_axi_arlock,
  output wire [3:0]                    m_axi_arcache,
  output wire [2:0]                    m_axi_arprot,
  output wire [3:0]                    m_axi_arqos,
  output wire                          m_axi_arvalid,
  input  wire                          m_axi_arready,
  input  wire [2:0]                    m_axi_rid,
  input  wire [AXI_DATA_WIDTH-1:0]     m_axi_rdata,
  input  wire [1:0]                    m_axi_rresp,
  input  wire                          m_axi_rlast,
  input  wire                          m_axi_rvalid,
  output wire                          m_axi_rready
);

  localparam UB_BANKS   = 4;
  localparam LUT_TABLES = 8;
  localparam RW         = $clog2(UB_ROWS);
  localparam AW         = $clog2(ACC_ROWS);
  localparam PW         = $clog2(PARAM_ROWS);

  generate
    if (N != 4 && N != 8 && N != 16 && N != 32 && N != 64) begin : g_check_n
      ERROR_tpu_top_N_must_be_4_8_16_32_or_64 check ();
    end
    if (AXI_ADDR_WIDTH < 32 || AXI_ADDR_WIDTH > 64) begin : g_check_axi_addr_width
      ERROR_tpu_top_AXI_ADDR_WIDTH_must_be_32_to_64 check ();
    end
  endgenerate

  // --------------------------------------------------------------------------------------------
  // Host and front end
  // --------------------------------------------------------------------------------------------
  wire                          core_rst;
  wire                          halt;
  wire                          start;
  wire [AXI_ADDR_WIDTH-1:0]     prog_addr;
  wire [31:0]                   prog_granules;
  wire                          program_done;
  wire                          fe_err_valid;
  wire [3:0]                    fe_err_code;
  wire [2:0]                    fe_err_unit;
  wire [31:0]                   fe_err_index;
  wire                          wd_wait_valid;
  wire [2:0]                    wd_wait_unit;
  wire [31:0]                   wd_wait_index;
  wire [2:0]                    wd_busy_unit;
  wire [31:0]                   wd_busy_index;
  wire                          read_drained;
  wire                          write_drained;
  wire                          progress;
  wire                          running;
  wire [`TPU_NUM_COUNTERS-1:0]  events;
  wire [4:0]                    starts;

  tpu_host #(
    .N              (N),
    .UB_ROWS        (UB_ROWS),
    .UB_BANKS       (UB_BANKS),
    .ACC_ROWS       (ACC_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .LUT_TABLES     (LUT_TABLES),
    .WFIFO_TILES    (WFIFO_TILES),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_host (
    .clk            (clk),
    .rst            (rst),
    .s_axil_awaddr  (s_axil_awaddr),
    .s_axil_awprot  (s_axil_awprot),
    .s_axil_awvalid (s_axil_awvalid),
    .s_axil_awready (s_axil_awready),
    .s_axil_wdata   (s_axil_wdata),
    .s_axil_wstrb   (s_axil_wstrb),
    .s_axil_wvalid  (s_axil_wvalid),
    .s_axil_wready  (s_axil_wready),
    .s_axil_bresp   (s_axil_bresp),
    .s_axil_bvalid  (s_axil_bvalid),
    .s_axil_bready  (s_axil_bready),
    .s_axil_araddr  (s_axil_araddr),
    .s_axil_arprot  (s_axil_arprot),
    .s_axil_arvalid (s_axil_arvalid),
    .s_axil_arready (s_axil_arready),
    .s_axil_rdata   (s_axil_rdata),
    .s_axil_rresp   (s_axil_rresp),
    .s_axil_rvalid  (s_axil_rvalid),
    .s_axil_rready  (s_axil_rready),
    .irq            (irq),
    .core_rst       (core_rst),
    .halt           (halt),
    .start          (start),
    .prog_addr      (prog_addr),
    .prog_granules  (prog_granules),
    .program_done   (program_done),
    .fe_err_valid   (fe_err_valid),
    .fe_err_code    (fe_err_code),
    .fe_err_unit    (fe_err_unit),
    .fe_err_index   (fe_err_index),
    .all_drained    (read_drained && write_drained),
    .wd_wait_valid  (wd_wait_valid),
    .wd_wait_unit   (wd_wait_unit),
    .wd_wait_index  (wd_wait_index),
    .wd_busy_unit   (wd_busy_unit),
    .wd_busy_index  (wd_busy_index),
    .progress       (progress),
    .running        (running),
    .events         (events)
  );

  wire                          ld_cmd_valid;
  wire                          ld_cmd_ready;
  wire [511:0]                  ld_cmd;
  wire [31:0]                   ld_cmd_index;
  wire                          ld_done;
  wire                          ld_err_valid;
  wire [3:0]                    ld_err_code;
  wire [31:0]                   ld_err_index;
  wire                          ld_queued;
  wire                          ld_waiting;
  wire                          ld_inflight;
  wire                          ld_start;
  wire                          wt_cmd_valid;
  wire                          wt_cmd_ready;
  wire [511:0]                  wt_cmd;
  wire [31:0]                   wt_cmd_index;
  wire                          wt_done;
  wire                          wt_err_valid;
  wire [3:0]                    wt_err_code;
  wire [31:0]                   wt_err_index;
  wire                          wt_queued;
  wire                          wt_waiting;
  wire                          wt_inflight;
  wire                          wt_start;
  wire                          mm_cmd_valid;
  wire                          mm_cmd_ready;
  wire [511:0]                  mm_cmd;
  wire [31:0]                   mm_cmd_index;
  wire                          mm_done;
  wire                          mm_err_valid;
  wire [3:0]                    mm_err_code;
  wire [31:0]                   mm_err_index;
  wire                          mm_queued;
  wire                          mm_waiting;
  wire                          mm_inflight;
  wire                          mm_start;
  wire                          vx_cmd_valid;
  wire                          vx_cmd_ready;
  wire [1023:0]                 vx_cmd;
  wire [31:0]                   vx_cmd_index;
  wire                          vx_done;
  wire                          vx_err_valid;
  wire [3:0]                    vx_err_code;
  wire [31:0]                   vx_err_index;
  wire                          vx_queued;
  wire                          vx_waiting;
  wire                          vx_inflight;
  wire                          vx_start;
  wire                          st_cmd_valid;
  wire                          st_cmd_ready;
  wire [511:0]                  st_cmd;
  wire [31:0]                   st_cmd_index;
  wire                          st_done;
  wire                          st_err_valid;
  wire [3:0]                    st_err_code;
  wire [31:0]                   st_err_index;
  wire                          st_queued;
  wire                          st_waiting;
  wire                          st_inflight;
  wire                          st_start;
  wire [1:0]                    mm_wait_class;
  wire                          ld_busy;
  wire                          wt_busy;
  wire                          vx_busy;
  wire                          st_busy;
  wire                          fe_ar_valid;
  wire                          fe_ar_ready;
  wire [AXI_ADDR_WIDTH-1:0]     fe_ar_addr;
  wire [7:0]                    fe_ar_len;
  wire                          fe_r_valid;
  wire [AXI_DATA_WIDTH-1:0]     fe_r_data;
  wire [1:0]                    fe_r_resp;
  wire                          fe_r_last;
  wire                          ld_ar_valid;
  wire                          ld_ar_ready;
  wire [AXI_ADDR_WIDTH-1:0]     ld_ar_addr;
  wire [7:0]                    ld_ar_len;
  wire                          ld_r_valid;
  wire [AXI_DATA_WIDTH-1:0]     ld_r_data;
  wire [1:0]                    ld_r_resp;
  wire                          ld_r_last;
  wire                          wt_ar_valid;
  wire                          wt_ar_ready;
  wire [AXI_ADDR_WIDTH-1:0]     wt_ar_addr;
  wire [7:0]                    wt_ar_len;
  wire                          wt_r_valid;
  wire [AXI_DATA_WIDTH-1:0]     wt_r_data;
  wire [1:0]                    wt_r_resp;
  wire                          wt_r_last;

  tpu_frontend #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_frontend (
    .clk           (clk),
    .rst           (core_rst),
    .start         (start),
    .prog_addr     (prog_addr),
    .prog_granules (prog_granules),
    .halt          (halt),
    .program_done  (program_done),
    .fe_err_valid  (fe_err_valid),
    .fe_err_code   (fe_err_code),
    .fe_err_unit   (fe_err_unit),
    .fe_err_index  (fe_err_index),
    .wd_wait_valid (wd_wait_valid),
    .wd_wait_unit  (wd_wait_unit),
    .wd_wait_index (wd_wait_index),
    .wd_busy_unit  (wd_busy_unit),
    .wd_busy_index (wd_busy_index),
    .ar_valid      (fe_ar_valid),
    .ar_ready      (fe_ar_ready),
    .ar_addr       (fe_ar_addr),
    .ar_len        (fe_ar_len),
    .r_valid       (fe_r_valid),
    .r_data        (fe_r_data),
    .r_resp        (fe_r_resp),
    .r_last        (fe_r_last),
    .ld_cmd_valid  (ld_cmd_valid),
    .ld_cmd_ready  (ld_cmd_ready),
    .ld_cmd        (ld_cmd),
    .ld_cmd_index  (ld_cmd_index),
    .ld_done       (ld_done),
    .ld_err_valid  (ld_err_valid),
    .ld_err_code   (ld_err_code),
    .ld_err_index  (ld_err_index),
    .ld_queued     (ld_queued),
    .ld_waiting    (ld_waiting),
    .ld_inflight   (ld_inflight),
    .ld_start      (ld_start),
    .wt_cmd_valid  (wt_cmd_valid),
    .wt_cmd_ready  (wt_cmd_ready),
    .wt_cmd        (wt_cmd),
    .wt_cmd_index  (wt_cmd_index),
    .wt_done       (wt_done),
    .wt_err_valid  (wt_err_valid),
    .wt_err_code   (wt_err_code),
    .wt_err_index  (wt_err_index),
    .wt_queued     (wt_queued),
    .wt_waiting    (wt_waiting),
    .wt_inflight   (wt_inflight),
    .wt_start      (wt_start),
    .mm_cmd_valid  (mm_cmd_valid),
    .mm_cmd_ready  (mm_cmd_ready),
    .mm_cmd        (mm_cmd),
    .mm_cmd_index  (mm_cmd_index),
    .mm_done       (mm_done),
    .mm_err_valid  (mm_err_valid),
    .mm_err_code   (mm_err_code),
    .mm_err_index  (mm_err_index),
    .mm_queued     (mm_queued),
    .mm_waiting    (mm_waiting),
    .mm_inflight   (mm_inflight),
    .mm_start      (mm_start),
    .vx_cmd_valid  (vx_cmd_valid),
    .vx_cmd_ready  (vx_cmd_ready),
    .vx_cmd        (vx_cmd),
    .vx_cmd_index  (vx_cmd_index),
    .vx_done       (vx_done),
    .vx_err_valid  (vx_err_valid),
    .vx_err_code   (vx_err_code),
    .vx_err_index  (vx_err_index),
    .vx_queued     (vx_queued),
    .vx_waiting    (vx_waiting),
    .vx_inflight   (vx_inflight),
    .vx_start      (vx_start),
    .st_cmd_valid  (st_cmd_valid),
    .st_cmd_ready  (st_cmd_ready),
    .st_cmd        (st_cmd),
    .st_cmd_index  (st_cmd_index),
    .st_done       (st_done),
    .st_err_valid  (st_err_valid),
    .st_err_code   (st_err_code),
    .st_err_index  (st_err_index),
    .st_queued     (st_queued),
    .st_waiting    (st_waiting),
    .st_inflight   (st_inflight),
    .st_start      (st_start),
    .mm_wait_class (mm_wait_class)
  );

  // --------------------------------------------------------------------------------------------
  // DMA units
  // --------------------------------------------------------------------------------------------
  wire                          ld_wr_valid;
  wire                          ld_wr_ready;
  wire [RW-1:0]                 ld_wr_row;
  wire [8*N-1:0]                ld_wr_data;
  wire                          param_wr_valid;
  wire [PW-1:0]                 param_wr_entry;
  wire [3:0]                    param_wr_chunk;
  wire [8*N-1:0]                param_wr_data;
  wire                          lut_wr_valid;
  wire [10:0]                   lut_wr_addr;
  wire [7:0]                    lut_wr_data;
  wire                          weights_valid;
  wire                          weights_ready;
  wire [8*N-1:0]                weights_data;
  wire                          st_rd_valid;
  wire                          st_rd_ready;
  wire [RW-1:0]                 st_rd_row;
  wire [8*N-1:0]                st_rd_data;
  wire                          st_aw_valid;
  wire                          st_aw_ready;
  wire [AXI_ADDR_WIDTH-1:0]     st_aw_addr;
  wire [4:0]                    st_aw_len;
  wire                          st_w_valid;
  wire                          st_w_ready;
  wire [AXI_DATA_WIDTH/8-1:0]   st_w_strb;
  wire [AXI_DATA_WIDTH-1:0]     st_w_data;
  wire                          st_w_first;
  wire                          st_w_last;
  wire                          st_b_valid;
  wire [1:0]                    st_b_resp;

  tpu_load #(
    .N              (N),
    .UB_ROWS        (UB_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_load (
    .clk            (clk),
    .rst            (core_rst),
    .cmd_valid      (ld_cmd_valid),
    .cmd_ready      (ld_cmd_ready),
    .cmd            (ld_cmd),
    .cmd_index      (ld_cmd_index),
    .done           (ld_done),
    .err_valid      (ld_err_valid),
    .err_code       (ld_err_code),
    .err_index      (ld_err_index),
    .halt           (halt),
    .busy           (ld_busy),
    .ar_valid       (ld_ar_valid),
    .ar_ready       (ld_ar_ready),
    .ar_addr        (ld_ar_addr),
    .ar_len         (ld_ar_len),
    .r_valid        (ld_r_valid),
    .r_data         (ld_r_data),
    .r_resp         (ld_r_resp),
    .r_last         (ld_r_last),
    .ld_wr_valid    (ld_wr_valid),
    .ld_wr_ready    (ld_wr_ready),
    .ld_wr_row      (ld_wr_row),
    .ld_wr_data     (ld_wr_data),
    .param_wr_valid (param_wr_valid),
    .param_wr_entry (param_wr_entry),
    .param_wr_chunk (param_wr_chunk),
    .param_wr_data  (param_wr_data),
    .lut_wr_valid   (lut_wr_valid),
    .lut_wr_addr    (lut_wr_addr),
    .lut_wr_data    (lut_wr_data)
  );

  tpu_weights #(
    .N              (N),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_weights (
    .clk       (clk),
    .rst       (core_rst),
    .cmd_valid (wt_cmd_valid),
    .cmd_ready (wt_cmd_ready),
    .cmd       (wt_cmd),
    .cmd_index (wt_cmd_index),
    .done      (wt_done),
    .err_valid (wt_err_valid),
    .err_code  (wt_err_code),
    .err_index (wt_err_index),
    .halt      (halt),
    .busy      (wt_busy),
    .ar_valid  (wt_ar_valid),
    .ar_ready  (wt_ar_ready),
    .ar_addr   (wt_ar_addr),
    .ar_len    (wt_ar_len),
    .r_valid   (wt_r_valid),
    .r_data    (wt_r_data),
    .r_resp    (wt_r_resp),
    .r_last    (wt_r_last),
    .wt_valid  (weights_valid),
    .wt_ready  (weights_ready),
    .wt_data   (weights_data)
  );

  tpu_store #(
    .N              (N),
    .UB_ROWS        (UB_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_store (
    .clk           (clk),
    .rst           (core_rst),
    .cmd_valid     (st_cmd_valid),
    .cmd_ready     (st_cmd_ready),
    .cmd           (st_cmd),
    .cmd_index     (st_cmd_index),
    .done          (st_done),
    .err_valid     (st_err_valid),
    .err_code      (st_err_code),
    .err_index     (st_err_index),
    .halt          (halt),
    .busy          (st_busy),
    .st_rd_valid   (st_rd_valid),
    .st_rd_ready   (st_rd_ready),
    .st_rd_row     (st_rd_row),
    .st_rd_data    (st_rd_data),
    .aw_valid      (st_aw_valid),
    .aw_ready      (st_aw_ready),
    .aw_addr       (st_aw_addr),
    .aw_len        (st_aw_len),
    .w_valid       (st_w_valid),
    .w_ready       (st_w_ready),
    .w_strb        (st_w_strb),
    .w_data        (st_w_data),
    .w_first       (st_w_first),
    .w_last        (st_w_last),
    .b_valid       (st_b_valid),
    .b_resp        (st_b_resp)
  );

  // --------------------------------------------------------------------------------------------
  // Memory port: not reset with the core
  // --------------------------------------------------------------------------------------------
  tpu_axi_read_port #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_read_port (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (core_rst),
    .halt          (halt),
    .drained       (read_drained),
    .fe_ar_valid   (fe_ar_valid),
    .fe_ar_ready   (fe_ar_ready),
    .fe_ar_addr    (fe_ar_addr),
    .fe_ar_len     (fe_ar_len),
    .fe_r_valid    (fe_r_valid),
    .fe_r_data     (fe_r_data),
    .fe_r_resp     (fe_r_resp),
    .fe_r_last     (fe_r_last),
    .ld_ar_valid   (ld_ar_valid),
    .ld_ar_ready   (ld_ar_ready),
    .ld_ar_addr    (ld_ar_addr),
    .ld_ar_len     (ld_ar_len),
    .ld_r_valid    (ld_r_valid),
    .ld_r_data     (ld_r_data),
    .ld_r_resp     (ld_r_resp),
    .ld_r_last     (ld_r_last),
    .wt_ar_valid   (wt_ar_valid),
    .wt_ar_ready   (wt_ar_ready),
    .wt_ar_addr    (wt_ar_addr),
    .wt_ar_len     (wt_ar_len),
    .wt_r_valid    (wt_r_valid),
    .wt_r_data     (wt_r_data),
    .wt_r_resp     (wt_r_resp),
    .wt_r_last     (wt_r_last),
    .m_axi_arid    (m_axi_arid),
    .m_axi_araddr  (m_axi_araddr),
    .m_axi_arlen   (m_axi_arlen),
    .m_axi_arsize  (m_axi_arsize),
    .m_axi_arburst (m_axi_arburst),
    .m_axi_arlock  (m_axi_arlock),
    .m_axi_arcache (m_axi_arcache),
    .m_axi_arprot  (m_axi_arprot),
    .m_axi_arqos   (m_axi_arqos),
    .m_axi_arvalid (m_axi_arvalid),
    .m_axi_arready (m_axi_arready),
    .m_axi_rid     (m_axi_rid),
    .m_axi_rdata   (m_axi_rdata),
    .m_axi_rresp   (m_axi_rresp),
    .m_axi_rlast   (m_axi_rlast),
    .m_axi_rvalid  (m_axi_rvalid),
    .m_axi_rready  (m_axi_rready)
  );

  tpu_axi_write_port #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_write_port (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (core_rst),
    .halt          (halt),
    .drained       (write_drained),
    .aw_valid      (st_aw_valid),
    .aw_ready      (st_aw_ready),
    .aw_addr       (st_aw_addr),
    .aw_len        (st_aw_len),
    .w_valid       (st_w_valid),
    .w_ready       (st_w_ready),
    .w_strb        (st_w_strb),
    .w_data        (st_w_data),
    .w_first       (st_w_first),
    .w_last        (st_w_last),
    .b_valid       (st_b_valid),
    .b_resp        (st_b_resp),
    .m_axi_awid    (m_axi_awid),
    .m_axi_awaddr  (m_axi_awaddr),
    .m_axi_awlen   (m_axi_awlen),
    .m_axi_awsize  (m_axi_awsize),
    .m_axi_awburst (m_axi_awburst),
    .m_axi_awlock  (m_axi_awlock),
    .m_axi_awcache (m_axi_awcache),
    .m_axi_awprot  (m_axi_awprot),
    .m_axi_awqos   (m_axi_awqos),
    .m_axi_awvalid (m_axi_awvalid),
    .m_axi_awready (m_axi_awready),
    .m_axi_wdata   (m_axi_wdata),
    .m_axi_wstrb   (m_axi_wstrb),
    .m_axi_wlast   (m_axi_wlast),
    .m_axi_wvalid  (m_axi_wvalid),
    .m_axi_wready  (m_axi_wready),
    .m_axi_bid     (m_axi_bid),
    .m_axi_bresp   (m_axi_bresp),
    .m_axi_bvalid  (m_axi_bvalid),
    .m_axi_bready  (m_axi_bready)
  );

  // --------------------------------------------------------------------------------------------
  // Unified buffer
  // --------------------------------------------------------------------------------------------
  wire                          mm_rd_valid;
  wire [RW+$clog2(N)-1:0]       mm_rd_addr;
  wire [8*N-1:0]                mm_rd_data;
  wire                          va_rd_valid;
  wire                          va_rd_ready;
  wire [RW-1:0]                 va_rd_row;
  wire [8*N-1:0]                va_rd_data;
  wire                          vb_rd_valid;
  wire                          vb_rd_ready;
  wire [RW-1:0]                 vb_rd_row;
  wire [8*N-1:0]                vb_rd_data;
  wire                          vc_rd_valid;
  wire                          vc_rd_ready;
  wire [RW-1:0]                 vc_rd_row;
  wire [8*N-1:0]                vc_rd_data;
  wire                          vo_wr_valid;
  wire [RW-1:0]                 vo_wr_row;
  wire [8*N-1:0]                vo_wr_data;

  tpu_unified_buffer #(
    .N       (N),
    .UB_ROWS (UB_ROWS)
  ) u_unified_buffer (
    .clk         (clk),
    .rst         (core_rst),
    .mm_rd_valid (mm_rd_valid),
    .mm_rd_addr  (mm_rd_addr),
    .mm_rd_data  (mm_rd_data),
    .va_rd_valid (va_rd_valid),
    .va_rd_ready (va_rd_ready),
    .va_rd_row   (va_rd_row),
    .va_rd_data  (va_rd_data),
    .vb_rd_valid (vb_rd_valid),
    .vb_rd_ready (vb_rd_ready),
    .vb_rd_row   (vb_rd_row),
    .vb_rd_data  (vb_rd_data),
    .vc_rd_valid (vc_rd_valid),
    .vc_rd_ready (vc_rd_ready),
    .vc_rd_row   (vc_rd_row),
    .vc_rd_data  (vc_rd_data),
    .st_rd_valid (st_rd_valid),
    .st_rd_ready (st_rd_ready),
    .st_rd_row   (st_rd_row),
    .st_rd_data  (st_rd_data),
    .vo_wr_valid (vo_wr_valid),
    .vo_wr_row   (vo_wr_row),
    .vo_wr_data  (vo_wr_data),
    .ld_wr_valid (ld_wr_valid),
    .ld_wr_ready (ld_wr_ready),
    .ld_wr_row   (ld_wr_row),
    .ld_wr_data  (ld_wr_data)
  );

  // --------------------------------------------------------------------------------------------
  // Matmul and vector units
  // --------------------------------------------------------------------------------------------
  wire                          acc_rd_valid;
  wire                          acc_rd_ready;
  wire [AW-1:0]                 acc_rd_row;
  wire [32*N-1:0]               acc_rd_data;
  wire                          mm_active;
  wire                          mm_pad;
  wire                          mm_wait_weights;
  wire                          mm_weight_shift;
  wire                          vx_active;
  wire                          vx_stall_port;
  wire                          vx_stall_operand;
  wire                          vx_stall_output;

  tpu_matmul #(
    .N           (N),
    .UB_ROWS     (UB_ROWS),
    .ACC_ROWS    (ACC_ROWS),
    .WFIFO_TILES (WFIFO_TILES)
  ) u_matmul (
    .clk             (clk),
    .rst             (core_rst),
    .cmd_valid       (mm_cmd_valid),
    .cmd_ready       (mm_cmd_ready),
    .cmd             (mm_cmd),
    .cmd_index       (mm_cmd_index),
    .done            (mm_done),
    .err_valid       (mm_err_valid),
    .err_code        (mm_err_code),
    .err_index       (mm_err_index),
    .halt            (halt),
    .mm_rd_valid     (mm_rd_valid),
    .mm_rd_addr      (mm_rd_addr),
    .mm_rd_data      (mm_rd_data),
    .wt_valid        (weights_valid),
    .wt_ready        (weights_ready),
    .wt_data         (weights_data),
    .acc_rd_valid    (acc_rd_valid),
    .acc_rd_ready    (acc_rd_ready),
    .acc_rd_row      (acc_rd_row),
    .acc_rd_data     (acc_rd_data),
    .ev_active       (mm_active),
    .ev_pad          (mm_pad),
    .ev_wait_weights (mm_wait_weights),
    .ev_weight_shift (mm_weight_shift)
  );

  tpu_vector #(
    .N          (N),
    .UB_ROWS    (UB_ROWS),
    .ACC_ROWS   (ACC_ROWS),
    .PARAM_ROWS (PARAM_ROWS)
  ) u_vector (
    .clk              (clk),
    .rst              (core_rst),
    .cmd_valid        (vx_cmd_valid),
    .cmd_ready        (vx_cmd_ready),
    .cmd              (vx_cmd),
    .cmd_index        (vx_cmd_index),
    .done             (vx_done),
    .err_valid        (vx_err_valid),
    .err_code         (vx_err_code),
    .err_index        (vx_err_index),
    .halt             (halt),
    .busy             (vx_busy),
    .va_rd_valid      (va_rd_valid),
    .va_rd_ready      (va_rd_ready),
    .va_rd_row        (va_rd_row),
    .va_rd_data       (va_rd_data),
    .vb_rd_valid      (vb_rd_valid),
    .vb_rd_ready      (vb_rd_ready),
    .vb_rd_row        (vb_rd_row),
    .vb_rd_data       (vb_rd_data),
    .vc_rd_valid      (vc_rd_valid),
    .vc_rd_ready      (vc_rd_ready),
    .vc_rd_row        (vc_rd_row),
    .vc_rd_data       (vc_rd_data),
    .acc_rd_valid     (acc_rd_valid),
    .acc_rd_ready     (acc_rd_ready),
    .acc_rd_row       (acc_rd_row),
    .acc_rd_data      (acc_rd_data),
    .vo_wr_valid      (vo_wr_valid),
    .vo_wr_row        (vo_wr_row),
    .vo_wr_data       (vo_wr_data),
    .param_wr_valid   (param_wr_valid),
    .param_wr_entry   (param_wr_entry),
    .param_wr_chunk   (param_wr_chunk),
    .param_wr_data    (param_wr_data),
    .lut_wr_valid     (lut_wr_valid),
    .lut_wr_addr      (lut_wr_addr),
    .lut_wr_data      (lut_wr_data),
    .ev_active        (vx_active),
    .ev_stall_port    (vx_stall_port),
    .ev_stall_operand (vx_stall_operand),
    .ev_stall_output  (vx_stall_output)
  );

  // --------------------------------------------------------------------------------------------
  // Accounting
  // --------------------------------------------------------------------------------------------
  tpu_events u_events (
    .clk              (clk),
    .mm_active        (mm_active),
    .mm_pad           (mm_pad),
    .mm_wait_weights  (mm_wait_weights),
    .mm_weight_shift  (mm_weight_shift),
    .mm_queued        (mm_queued),
    .mm_waiting       (mm_waiting),
    .mm_wait_class    (mm_wait_class),
    .vx_active        (vx_active),
    .vx_stall_port    (vx_stall_port),
    .vx_stall_operand (vx_stall_operand),
    .vx_stall_output  (vx_stall_output),
    .vx_queued        (vx_queued),
    .ld_inflight      (ld_inflight),
    .ld_waiting       (ld_waiting),
    .wt_inflight      (wt_inflight),
    .wt_waiting       (wt_waiting),
    .st_inflight      (st_inflight),
    .st_waiting       (st_waiting),
    .fe_beat          (fe_r_valid),
    .ld_beat          (ld_r_valid),
    .wt_beat          (wt_r_valid),
    .st_beat          (m_axi_wvalid && m_axi_wready),
    .ld_start         (ld_start),
    .wt_start         (wt_start),
    .mm_start         (mm_start),
    .vx_start         (vx_start),
    .st_start         (st_start),
    .ld_done          (ld_done),
    .wt_done          (wt_done),
    .mm_done          (mm_done),
    .vx_done          (vx_done),
    .st_done          (st_done),
    .row_written      (vo_wr_valid || (ld_wr_valid && ld_wr_ready)),
    .events           (events),
    .starts           (starts),
    .progress         (progress)
  );

  // For observers: waveforms and timelines.
  wire unused = &{1'b0, running, starts, ld_busy, wt_busy, vx_busy, st_busy, ld_queued, wt_queued, st_queued,
                  mm_inflight, vx_inflight, vx_waiting};

endmodule

`default_nettype wire
