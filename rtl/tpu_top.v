// TPU: AXI4-Lite control, AXI4 memory, everything between. Ports and five instances only:
//
//   u_host     registers, run control, counters               rtl/host
//   u_control  instruction fetch to issue                     rtl/control
//   u_memory   unified buffer, DMA units, memory ports        rtl/memory
//   u_matrix   systolic array and accumulators                rtl/matrix
//   u_vector   vector lanes                                   rtl/vector
//
// What every unit that executes instructions has (cmd_*, done, err_*, status) travels in buses with one place per unit, at
// `TPU_INDEX_<unit>. Ports that belong together stand on one line. More than 300 lines and 40 ports, as two AXI ports and the buses of
// all units are named here.
//
// Drop it into a board design: connect m_axi to memory, s_axil to a host, irq to an interrupt input. One clock, synchronous
// active-high reset. docs/architecture.md describes the parts, docs/isa.md the programs, docs/registers_tables.md the registers.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
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
  // 1: the vector unit does 3 x 3 windows column by column; 0: tap by tap, without nine multipliers a lane
  parameter WINDOW = 1,
  // Vector lanes that share a requantiser, a power of two up to N: an output row takes as many cycles
  parameter REQUANT_LANES = 1,
  // 1: bf16 and fp32, too (docs/isa.md, 10)
  parameter BF16 = 0,
  // 1: int16, too (docs/isa.md, 11)
  parameter INT16 = 0,
  // 1: VECTOR rounds as float32, too (docs/isa.md, 7)
  parameter FLOAT_ROUNDING = 0,
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
  // Bytes of a row of the unified buffer
  localparam ROW_BYTES  = N;
  // Bits of a number in the array; cycles of its multiplications, and of additions to the accumulators
  localparam LANE_BITS  = BF16 != 0 ? 16 : 8;
  localparam ADD_CYCLES = BF16 != 0 ? 3 : 1;
  // Numbers of two bytes and more lie in the unified buffer
  localparam WIDE       = BF16 != 0 || INT16 != 0;
  localparam U          = `TPU_NUM_UNITS;
  localparam RW         = $clog2(UB_ROWS);
  localparam AW         = $clog2(ACC_ROWS);
  localparam PW         = $clog2(PARAM_ROWS);

  generate
    if (N != 4 && N != 8 && N != 16 && N != 32 && N != 64) begin : g_check_n
      ERROR_tpu_top_N_must_be_4_8_16_32_or_64 check ();
    end
    if (BF16 != 0 && BF16 != 1) begin : g_check_bf16
      ERROR_tpu_top_BF16_must_be_0_or_1 check ();
    end
    if (INT16 != 0 && INT16 != 1) begin : g_check_int16
      ERROR_tpu_top_INT16_must_be_0_or_1 check ();
    end
    if (FLOAT_ROUNDING != 0 && FLOAT_ROUNDING != 1) begin : g_check_float_rounding
      ERROR_tpu_top_FLOAT_ROUNDING_must_be_0_or_1 check ();
    end
    if (AXI_ADDR_WIDTH < 32 || AXI_ADDR_WIDTH > 64) begin : g_check_axi_addr_width
      ERROR_tpu_top_AXI_ADDR_WIDTH_must_be_32_to_64 check ();
    end
  endgenerate

  // ---- Run control, between u_host and u_control ------------------------------------------------
  wire                            core_rst, halt, start, program_done, error_valid, wait_valid, drained;
  wire [AXI_ADDR_WIDTH-1:0]       prog_addr;
  wire [31:0]                     prog_granules, error_index, wait_index, busy_index;
  wire [3:0]                      error_code;
  wire [2:0]                      error_unit, wait_unit, busy_unit;

  // ---- Units: instructions, errors, status ------------------------------------------------------
  wire [U-1:0]                    cmd_valid, cmd_ready, done, err_valid, queued, waiting, inflight, starts;
  wire [U*`TPU_CMD_BITS-1:0]      cmd;
  wire [32*U-1:0]                 cmd_index, err_index;
  wire [4*U-1:0]                  err_code;
  wire [2*U-1:0]                  wait_class;

  // ---- What happened in a cycle, for the counters -----------------------------------------------
  wire                            mm_active, mm_pad, mm_wait_weights, mm_weight_shift;
  wire                            vx_active, vx_stall_port, vx_stall_operand, vx_stall_output, vx_busy;
  wire                            fe_beat, ld_beat, wt_beat, st_beat, running;
  wire [`TPU_NUM_COUNTERS-1:0]    events;
  wire [U-1:0]                    event_starts;

  // ---- Streams between the parts ----------------------------------------------------------------
  // Fetch's reads of memory
  wire                            fe_ar_valid, fe_ar_ready, fe_r_valid, fe_r_last;
  wire [AXI_ADDR_WIDTH-1:0]       fe_ar_addr;
  wire [7:0]                      fe_ar_len;
  wire [AXI_DATA_WIDTH-1:0]       fe_r_data;
  wire [1:0]                      fe_r_resp;
  // Reads of the unified buffer: array, operands A, B and C of the vector unit; its output
  wire                            mm_rd_valid, va_rd_valid, va_rd_ready, vb_rd_valid, vb_rd_ready, vc_rd_valid, vc_rd_ready;
  wire                            vo_wr_valid;
  wire [3:0]                      mm_rd_banks;
  wire [RW+$clog2(ROW_BYTES)-1:0] mm_rd_addr;
  wire [RW-1:0]                   va_rd_row, vb_rd_row, vc_rd_row, vo_wr_row;
  wire [8*ROW_BYTES-1:0]          va_rd_data, vb_rd_data, vc_rd_data, vo_wr_data;
  wire [(WIDE ? 16 : 8)*ROW_BYTES-1:0] mm_rd_data;
  // Rows of weights
  wire                            wt_valid, wt_ready;
  wire [LANE_BITS*N-1:0]          wt_data;
  // Parameters and lookup tables of the vector unit
  wire                            param_wr_valid, lut_wr_valid;
  wire [PW-1:0]                   param_wr_entry;
  wire [3:0]                      param_wr_chunk;
  wire [8*ROW_BYTES-1:0]          param_wr_data;
  wire [10:0]                     lut_wr_addr;
  wire [7:0]                      lut_wr_data;
  // Accumulators
  wire                            acc_rd_valid, acc_rd_ready;
  wire [AW-1:0]                   acc_rd_row;
  wire [32*N-1:0]                 acc_rd_data;

  // ---- Instances ---------------------------------------------------------------------------------------
  tpu_host #(
    .N              (N),
    .UB_ROWS        (UB_ROWS),
    .UB_BANKS       (UB_BANKS),
    .ACC_ROWS       (ACC_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .LUT_TABLES     (LUT_TABLES),
    .WFIFO_TILES    (WFIFO_TILES),
    .WINDOW         (WINDOW),
    .REQUANT_LANES  (REQUANT_LANES),
    .BF16           (BF16),
    .INT16          (INT16),
    .FLOAT_ROUNDING (FLOAT_ROUNDING),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_host (
    .clk(clk), .rst(rst),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot), .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
    .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
    .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .irq(irq), .core_rst(core_rst), .halt(halt), .all_drained(drained),
    .start(start), .prog_addr(prog_addr), .prog_granules(prog_granules), .program_done(program_done),
    .error_valid(error_valid), .error_code(error_code), .error_unit(error_unit), .error_index(error_index),
    .wait_valid(wait_valid), .wait_unit(wait_unit), .wait_index(wait_index), .busy_unit(busy_unit), .busy_index(busy_index),
    .done(done), .queued(queued), .waiting(waiting), .wait_class(wait_class), .inflight(inflight), .starts(starts),
    .mm_active(mm_active), .mm_pad(mm_pad), .mm_wait_weights(mm_wait_weights), .mm_weight_shift(mm_weight_shift),
    .vx_active(vx_active), .vx_stall_port(vx_stall_port), .vx_stall_operand(vx_stall_operand), .vx_stall_output(vx_stall_output),
    .fe_beat(fe_beat), .ld_beat(ld_beat), .wt_beat(wt_beat), .st_beat(st_beat),
    .running(running), .events(events), .event_starts(event_starts)
  );

  tpu_control #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .BF16           (BF16),
    .INT16          (INT16),
    .FLOAT_ROUNDING (FLOAT_ROUNDING)
  ) u_control (
    .clk(clk), .rst(core_rst), .halt(halt),
    .start(start), .prog_addr(prog_addr), .prog_granules(prog_granules), .program_done(program_done),
    .error_valid(error_valid), .error_code(error_code), .error_unit(error_unit), .error_index(error_index),
    .wait_valid(wait_valid), .wait_unit(wait_unit), .wait_index(wait_index), .busy_unit(busy_unit), .busy_index(busy_index),
    .ar_valid(fe_ar_valid), .ar_ready(fe_ar_ready), .ar_addr(fe_ar_addr), .ar_len(fe_ar_len),
    .r_valid(fe_r_valid), .r_data(fe_r_data), .r_resp(fe_r_resp), .r_last(fe_r_last),
    .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd(cmd), .cmd_index(cmd_index),
    .err_valid(err_valid), .err_code(err_code), .err_index(err_index),
    .done(done), .queued(queued), .waiting(waiting), .wait_class(wait_class), .inflight(inflight), .starts(starts)
  );

  tpu_memory #(
    .ROW_BYTES      (ROW_BYTES),
    .UB_ROWS        (UB_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .WIDE           (WIDE),
    .BF16           (BF16)
  ) u_memory (
    .clk(clk), .rst(rst), .core_rst(core_rst), .halt(halt), .drained(drained),
    .ld_cmd_valid(cmd_valid[`TPU_INDEX_LOAD]), .ld_cmd_ready(cmd_ready[`TPU_INDEX_LOAD]),
    .ld_cmd(cmd[`TPU_INDEX_LOAD*`TPU_CMD_BITS +: `TPU_LOAD_USED]), .ld_cmd_index(cmd_index[`TPU_INDEX_LOAD*32 +: 32]),
    .ld_done(done[`TPU_INDEX_LOAD]),
    .ld_err_valid(err_valid[`TPU_INDEX_LOAD]), .ld_err_code(err_code[`TPU_INDEX_LOAD*4 +: 4]),
    .ld_err_index(err_index[`TPU_INDEX_LOAD*32 +: 32]),
    .wt_cmd_valid(cmd_valid[`TPU_INDEX_WEIGHTS]), .wt_cmd_ready(cmd_ready[`TPU_INDEX_WEIGHTS]),
    .wt_cmd(cmd[`TPU_INDEX_WEIGHTS*`TPU_CMD_BITS +: `TPU_WEIGHTS_USED]), .wt_cmd_index(cmd_index[`TPU_INDEX_WEIGHTS*32 +: 32]),
    .wt_done(done[`TPU_INDEX_WEIGHTS]),
    .wt_err_valid(err_valid[`TPU_INDEX_WEIGHTS]), .wt_err_code(err_code[`TPU_INDEX_WEIGHTS*4 +: 4]),
    .wt_err_index(err_index[`TPU_INDEX_WEIGHTS*32 +: 32]),
    .st_cmd_valid(cmd_valid[`TPU_INDEX_STORE]), .st_cmd_ready(cmd_ready[`TPU_INDEX_STORE]),
    .st_cmd(cmd[`TPU_INDEX_STORE*`TPU_CMD_BITS +: `TPU_STORE_USED]), .st_cmd_index(cmd_index[`TPU_INDEX_STORE*32 +: 32]),
    .st_done(done[`TPU_INDEX_STORE]),
    .st_err_valid(err_valid[`TPU_INDEX_STORE]), .st_err_code(err_code[`TPU_INDEX_STORE*4 +: 4]),
    .st_err_index(err_index[`TPU_INDEX_STORE*32 +: 32]),
    .fe_ar_valid(fe_ar_valid), .fe_ar_ready(fe_ar_ready), .fe_ar_addr(fe_ar_addr), .fe_ar_len(fe_ar_len),
    .fe_r_valid(fe_r_valid), .fe_r_data(fe_r_data), .fe_r_resp(fe_r_resp), .fe_r_last(fe_r_last),
    .mm_rd_valid(mm_rd_valid), .mm_rd_banks(mm_rd_banks), .mm_rd_addr(mm_rd_addr), .mm_rd_data(mm_rd_data),
    .va_rd_valid(va_rd_valid), .va_rd_ready(va_rd_ready), .va_rd_row(va_rd_row), .va_rd_data(va_rd_data),
    .vb_rd_valid(vb_rd_valid), .vb_rd_ready(vb_rd_ready), .vb_rd_row(vb_rd_row), .vb_rd_data(vb_rd_data),
    .vc_rd_valid(vc_rd_valid), .vc_rd_ready(vc_rd_ready), .vc_rd_row(vc_rd_row), .vc_rd_data(vc_rd_data),
    .vo_wr_valid(vo_wr_valid), .vo_wr_row(vo_wr_row), .vo_wr_data(vo_wr_data),
    .wt_valid(wt_valid), .wt_ready(wt_ready), .wt_data(wt_data),
    .param_wr_valid(param_wr_valid), .param_wr_entry(param_wr_entry), .param_wr_chunk(param_wr_chunk),
    .param_wr_data(param_wr_data),
    .lut_wr_valid(lut_wr_valid), .lut_wr_addr(lut_wr_addr), .lut_wr_data(lut_wr_data),
    .fe_beat(fe_beat), .ld_beat(ld_beat), .wt_beat(wt_beat), .st_beat(st_beat),
    .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
    .m_axi_awburst(m_axi_awburst), .m_axi_awlock(m_axi_awlock), .m_axi_awcache(m_axi_awcache), .m_axi_awprot(m_axi_awprot),
    .m_axi_awqos(m_axi_awqos), .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
    .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_wvalid(m_axi_wvalid),
    .m_axi_wready(m_axi_wready),
    .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready),
    .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize),
    .m_axi_arburst(m_axi_arburst), .m_axi_arlock(m_axi_arlock), .m_axi_arcache(m_axi_arcache), .m_axi_arprot(m_axi_arprot),
    .m_axi_arqos(m_axi_arqos), .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
    .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
    .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready)
  );

  tpu_matrix #(
    .LANES       (N),
    .ROW_BYTES   (ROW_BYTES),
    .UB_ROWS     (UB_ROWS),
    .ACC_ROWS    (ACC_ROWS),
    .WFIFO_TILES (WFIFO_TILES),
    .MAC_LATENCY (ADD_CYCLES),
    .ADD_LATENCY (ADD_CYCLES),
    .BF16        (BF16),
    .INT16       (INT16)
  ) u_matrix (
    .clk(clk), .rst(core_rst), .halt(halt),
    .cmd_valid(cmd_valid[`TPU_INDEX_MATMUL]), .cmd_ready(cmd_ready[`TPU_INDEX_MATMUL]),
    .cmd(cmd[`TPU_INDEX_MATMUL*`TPU_CMD_BITS +: `TPU_MATMUL_USED]), .cmd_index(cmd_index[`TPU_INDEX_MATMUL*32 +: 32]),
    .done(done[`TPU_INDEX_MATMUL]),
    .err_valid(err_valid[`TPU_INDEX_MATMUL]), .err_code(err_code[`TPU_INDEX_MATMUL*4 +: 4]),
    .err_index(err_index[`TPU_INDEX_MATMUL*32 +: 32]),
    .mm_rd_valid(mm_rd_valid), .mm_rd_banks(mm_rd_banks), .mm_rd_addr(mm_rd_addr), .mm_rd_data(mm_rd_data),
    .wt_valid(wt_valid), .wt_ready(wt_ready), .wt_data(wt_data),
    .acc_rd_valid(acc_rd_valid), .acc_rd_ready(acc_rd_ready), .acc_rd_row(acc_rd_row), .acc_rd_data(acc_rd_data),
    .ev_active(mm_active), .ev_pad(mm_pad), .ev_wait_weights(mm_wait_weights), .ev_weight_shift(mm_weight_shift)
  );

  tpu_vector #(
    .LANES          (N),
    .ROW_BYTES      (N),
    .UB_ROWS        (UB_ROWS),
    .ACC_ROWS       (ACC_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .WINDOW         (WINDOW),
    .REQUANT_LANES  (REQUANT_LANES),
    .BF16           (BF16),
    .INT16          (INT16),
    .FLOAT_ROUNDING (FLOAT_ROUNDING)
  ) u_vector (
    .clk(clk), .rst(core_rst), .halt(halt),
    .cmd_valid(cmd_valid[`TPU_INDEX_VECTOR]), .cmd_ready(cmd_ready[`TPU_INDEX_VECTOR]),
    .cmd(cmd[`TPU_INDEX_VECTOR*`TPU_CMD_BITS +: `TPU_VECTOR_USED]), .cmd_index(cmd_index[`TPU_INDEX_VECTOR*32 +: 32]),
    .done(done[`TPU_INDEX_VECTOR]),
    .err_valid(err_valid[`TPU_INDEX_VECTOR]), .err_code(err_code[`TPU_INDEX_VECTOR*4 +: 4]),
    .err_index(err_index[`TPU_INDEX_VECTOR*32 +: 32]),
    .busy(vx_busy),
    .va_rd_valid(va_rd_valid), .va_rd_ready(va_rd_ready), .va_rd_row(va_rd_row), .va_rd_data(va_rd_data),
    .vb_rd_valid(vb_rd_valid), .vb_rd_ready(vb_rd_ready), .vb_rd_row(vb_rd_row), .vb_rd_data(vb_rd_data),
    .vc_rd_valid(vc_rd_valid), .vc_rd_ready(vc_rd_ready), .vc_rd_row(vc_rd_row), .vc_rd_data(vc_rd_data),
    .vo_wr_valid(vo_wr_valid), .vo_wr_row(vo_wr_row), .vo_wr_data(vo_wr_data),
    .acc_rd_valid(acc_rd_valid), .acc_rd_ready(acc_rd_ready), .acc_rd_row(acc_rd_row), .acc_rd_data(acc_rd_data),
    .param_wr_valid(param_wr_valid), .param_wr_entry(param_wr_entry), .param_wr_chunk(param_wr_chunk),
    .param_wr_data(param_wr_data),
    .lut_wr_valid(lut_wr_valid), .lut_wr_addr(lut_wr_addr), .lut_wr_data(lut_wr_data),
    .ev_active(vx_active), .ev_stall_port(vx_stall_port), .ev_stall_operand(vx_stall_operand), .ev_stall_output(vx_stall_output)
  );

  // For observers: waveforms and timelines.
  wire unused = &{1'b0, running, events, event_starts, vx_busy, cmd};

endmodule

`default_nettype wire
