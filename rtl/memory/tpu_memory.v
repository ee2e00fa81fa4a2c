// Memory: the unified buffer, the three DMA units around it, and the ports of the AXI4 bus.
//
//   m_axi ◀─▶ read port ──▶ LOAD ──────▶ unified buffer ◀─▶ matrix, vector
//                │   └────▶ WEIGHTS ──▶ rows of weights        │
//                └────────▶ fetch                              ▼
//   m_axi ◀── write port ◀──────────────────────────────── STORE
//
// Instances and wires. The two ports of the bus are not reset with the core (docs/architecture.md section 7). More than 300 lines and
// 40 ports, because three units, the bus and all users of the unified buffer meet here.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_memory #(
  // Bytes of a unified buffer row
  parameter ROW_BYTES = 16,
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // Parameter entries, a power of two
  parameter PARAM_ROWS = 512,
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // 1: numbers of 2 and 4 bytes, too; the matrix unit reads two rows' bytes
  parameter WIDE = 0,
  // 1, with WIDE: the matrix unit gets 16 bits a weight; weights from the unified buffer, transposed weights
  parameter BF16 = 0
) (
  input  wire                            clk,
  // Of the memory ports; of everything else
  input  wire                            rst,
  input  wire                            core_rst,
  input  wire                            halt,
  // The bus owes no answer to a request since the last reset of the core
  output wire                            drained,

  // LOAD instructions
  input  wire                            ld_cmd_valid,
  output wire                            ld_cmd_ready,
  input  wire [`TPU_LOAD_USED-1:0]       ld_cmd,
  input  wire [31:0]                     ld_cmd_index,
  output wire                            ld_done,
  output wire                            ld_err_valid,
  output wire [3:0]                      ld_err_code,
  output wire [31:0]                     ld_err_index,

  // WEIGHTS instructions
  input  wire                            wt_cmd_valid,
  output wire                            wt_cmd_ready,
  input  wire [`TPU_WEIGHTS_USED-1:0]    wt_cmd,
  input  wire [31:0]                     wt_cmd_index,
  output wire                            wt_done,
  output wire                            wt_err_valid,
  output wire [3:0]                      wt_err_code,
  output wire [31:0]                     wt_err_index,

  // STORE instructions
  input  wire                            st_cmd_valid,
  output wire                            st_cmd_ready,
  input  wire [`TPU_STORE_USED-1:0]      st_cmd,
  input  wire [31:0]                     st_cmd_index,
  output wire                            st_done,
  output wire                            st_err_valid,
  output wire [3:0]                      st_err_code,
  output wire [31:0]                     st_err_index,

  // Instruction fetch
  input  wire                            fe_ar_valid,
  output wire                            fe_ar_ready,
  input  wire [AXI_ADDR_WIDTH-1:0]       fe_ar_addr,
  input  wire [7:0]                      fe_ar_len,
  output wire                            fe_r_valid,
  output wire [AXI_DATA_WIDTH-1:0]       fe_r_data,
  output wire [1:0]                      fe_r_resp,
  output wire                            fe_r_last,

  // Unified buffer reads of the matrix unit: byte address, its banks; data three cycles after the request
  input  wire                            mm_rd_valid,
  input  wire [3:0]                      mm_rd_banks,
  input  wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] mm_rd_addr,
  output wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_rd_data,

  // Unified buffer reads of the vector unit, data three cycles after the grant; and its writes, always taken
  input  wire                            va_rd_valid,
  output wire                            va_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   va_rd_row,
  output wire [8*ROW_BYTES-1:0]          va_rd_data,
  input  wire                            vb_rd_valid,
  output wire                            vb_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   vb_rd_row,
  output wire [8*ROW_BYTES-1:0]          vb_rd_data,
  input  wire                            vc_rd_valid,
  output wire                            vc_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]                   vc_rd_row,
  output wire [8*ROW_BYTES-1:0]          vc_rd_data,
  input  wire                            vo_wr_valid,
  input  wire [$clog2(UB_ROWS)-1:0]                   vo_wr_row,
  input  wire [8*ROW_BYTES-1:0]          vo_wr_data,

  // Rows of weights for the matrix unit
  output wire                            wt_valid,
  input  wire                            wt_ready,
  output wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] wt_data,

  // Parameter and lookup table writes for the vector unit, always taken
  output wire                            param_wr_valid,
  output wire [$clog2(PARAM_ROWS)-1:0]                   param_wr_entry,
  output wire [3:0]                      param_wr_chunk,
  output wire [8*ROW_BYTES-1:0]          param_wr_data,
  output wire                            lut_wr_valid,
  output wire [10:0]                     lut_wr_addr,
  output wire [7:0]                      lut_wr_data,

  // Events: beats on the bus by client; a row is written to the unified buffer
  output wire                            fe_beat,
  output wire                            ld_beat,
  output wire                            wt_beat,
  output wire                            st_beat,

  // Memory, AXI4
  output wire [2:0]                      m_axi_awid,
  output wire [AXI_ADDR_WIDTH-1:0]       m_axi_awaddr,
  output wire [7:0]                      m_axi_awlen,
  output wire [2:0]                      m_axi_awsize,
  output wire [1:0]                      m_axi_awburst,
  output wire                            m_axi_awlock,
  output wire [3:0]                      m_axi_awcache,
  output wire [2:0]                      m_axi_awprot,
  output wire [3:0]                      m_axi_awqos,
  output wire                            m_axi_awvalid,
  input  wire                            m_axi_awready,
  output wire [AXI_DATA_WIDTH-1:0]       m_axi_wdata,
  output wire [AXI_DATA_WIDTH/8-1:0]     m_axi_wstrb,
  output wire                            m_axi_wlast,
  output wire                            m_axi_wvalid,
  input  wire                            m_axi_wready,
  input  wire [2:0]                      m_axi_bid,
  input  wire [1:0]                      m_axi_bresp,
  input  wire                            m_axi_bvalid,
  output wire                            m_axi_bready,
  output wire [2:0]                      m_axi_arid,
  output wire [AXI_ADDR_WIDTH-1:0]       m_axi_araddr,
  output wire [7:0]                      m_axi_arlen,
  output wire [2:0]                      m_axi_arsize,
  output wire [1:0]                      m_axi_arburst,
  output wire                            m_axi_arlock,
  output wire [3:0]                      m_axi_arcache,
  output wire [2:0]                      m_axi_arprot,
  output wire [3:0]                      m_axi_arqos,
  output wire                            m_axi_arvalid,
  input  wire                            m_axi_arready,
  input  wire [2:0]                      m_axi_rid,
  input  wire [AXI_DATA_WIDTH-1:0]       m_axi_rdata,
  input  wire [1:0]                      m_axi_rresp,
  input  wire                            m_axi_rlast,
  input  wire                            m_axi_rvalid,
  output wire                            m_axi_rready
);

  localparam RW = $clog2(UB_ROWS);

  // ---- DMA units -----------------------------------------------------------------------------------
  wire                          ld_wr_valid;
  wire                          ld_wr_ready;
  wire [RW-1:0]                 ld_wr_row;
  wire [8*ROW_BYTES-1:0]        ld_wr_data;
  wire                          st_rd_valid;
  wire                          st_rd_ready;
  wire [RW-1:0]                 st_rd_row;
  wire [8*ROW_BYTES-1:0]        st_rd_data;
  wire                          wt_rd_valid;
  wire                          wt_rd_ready;
  wire                          wt_rd_pair;
  wire [RW-1:0]                 wt_rd_row;
  wire [16*ROW_BYTES-1:0]       wt_rd_data;
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
  wire                          ld_busy;
  wire                          wt_busy;
  wire                          st_busy;

  tpu_load #(
    .ROW_BYTES      (ROW_BYTES),
    .UB_ROWS        (UB_ROWS),
    .PARAM_ROWS     (PARAM_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .WIDE           (WIDE)
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
    .ROW_BYTES      (ROW_BYTES),
    .LANES          (ROW_BYTES),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .UB_ROWS        (UB_ROWS),
    .BF16           (BF16)
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
    .rd_valid  (wt_rd_valid),
    .rd_ready  (wt_rd_ready),
    .rd_pair   (wt_rd_pair),
    .rd_row    (wt_rd_row),
    .rd_data   (wt_rd_data),
    .wt_valid  (wt_valid),
    .wt_ready  (wt_ready),
    .wt_data   (wt_data)
  );

  tpu_store #(
    .ROW_BYTES      (ROW_BYTES),
    .UB_ROWS        (UB_ROWS),
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .WIDE           (WIDE)
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

  // ---- Memory ports: not reset with the core ---------------------------------------------------------
  wire                          read_drained;
  wire                          write_drained;

  assign drained = read_drained && write_drained;

  // The ports learn of a reset and of a halt a cycle later, as the units stop asking: so these wires across the chip end in registers, and not in the
  // grants. A request of that cycle is one from before.
  reg port_core_rst_q;
  reg port_halt_q;

  always @(posedge clk) begin
    port_core_rst_q <= core_rst;
    port_halt_q     <= halt;
  end

  tpu_axi_read_port #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH)
  ) u_read_port (
    .clk           (clk),
    .rst           (rst),
    .core_rst      (port_core_rst_q),
    .halt          (port_halt_q),
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
    .core_rst      (port_core_rst_q),
    .halt          (port_halt_q),
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

  // ---- Unified buffer --------------------------------------------------------------------------------
  tpu_unified_buffer #(
    .ROW_BYTES (ROW_BYTES),
    .UB_ROWS   (UB_ROWS),
    .WIDE      (WIDE),
    .BF16      (BF16)
  ) u_unified_buffer (
    .clk         (clk),
    .rst         (core_rst),
    .mm_rd_valid (mm_rd_valid),
    .mm_rd_banks (mm_rd_banks),
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
    .wt_rd_valid (wt_rd_valid),
    .wt_rd_ready (wt_rd_ready),
    .wt_rd_pair  (wt_rd_pair),
    .wt_rd_row   (wt_rd_row),
    .wt_rd_data  (wt_rd_data),
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

  // ---- Events ----------------------------------------------------------------------------------------
  assign fe_beat = fe_r_valid;
  assign ld_beat = ld_r_valid;
  assign wt_beat = wt_r_valid;
  assign st_beat = m_axi_wvalid && m_axi_wready;

  wire unused = &{1'b0, ld_busy, wt_busy, st_busy};

endmodule

`default_nettype wire
