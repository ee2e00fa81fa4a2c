// Host interface: AXI4-Lite registers, interrupt, run control, counters.
//
// The register map is docs/registers_tables.md. Accepting a start or a soft reset clears STATUS.done, STATUS.error, ERROR, ERROR_INDEX and
// the pending interrupt; the interrupt becomes pending, whether enabled or not, when a run ends. Counters are cleared with the core. Registers may be read and
// written at any time; a program takes PROG_ADDR and PROG_GRANULES as they are when its start is accepted, so that the next ones may
// be written right behind the doorbell.
//
// More than 300 lines and 40 ports: the register map, the bus and what every unit reports meet here. What has a state of its own is
// in tpu_axil, tpu_run_control, tpu_events and tpu_counters.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_regs.vh"

module tpu_host #(
  // Configuration, as read back by software: sizes in docs/architecture.md
  parameter N              = 16,
  parameter UB_ROWS        = 16384,
  parameter UB_BANKS       = 4,
  parameter ACC_ROWS       = 2048,
  parameter PARAM_ROWS     = 512,
  parameter LUT_TABLES     = 8,
  parameter WFIFO_TILES    = 4,
  parameter WINDOW         = 1,
  parameter REQUANT_LANES  = 1,
  parameter BF16           = 0,
  parameter INT16          = 0,
  parameter FLOAT_ROUNDING = 0,
  // Bits
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                         clk,
  input  wire                         rst,

  // AXI4-Lite
  input  wire [11:0]                  s_axil_awaddr,
  input  wire [2:0]                   s_axil_awprot,
  input  wire                         s_axil_awvalid,
  output wire                         s_axil_awready,
  input  wire [31:0]                  s_axil_wdata,
  input  wire [3:0]                   s_axil_wstrb,
  input  wire                         s_axil_wvalid,
  output wire                         s_axil_wready,
  output wire [1:0]                   s_axil_bresp,
  output wire                         s_axil_bvalid,
  input  wire                         s_axil_bready,
  input  wire [11:0]                  s_axil_araddr,
  input  wire [2:0]                   s_axil_arprot,
  input  wire                         s_axil_arvalid,
  output wire                         s_axil_arready,
  output wire [31:0]                  s_axil_rdata,
  output wire [1:0]                   s_axil_rresp,
  output wire                         s_axil_rvalid,
  input  wire                         s_axil_rready,

  output wire                         irq,

  // Run control of the core
  output wire                         core_rst,
  output wire                         start,
  output wire [AXI_ADDR_WIDTH-1:0]    prog_addr,
  output wire [31:0]                  prog_granules,
  output wire                         halt,
  output wire                         running,
  input  wire                         program_done,
  input  wire                         all_drained,

  // First error of the core
  input  wire                         error_valid,
  input  wire [3:0]                   error_code,
  input  wire [2:0]                   error_unit,
  input  wire [31:0]                  error_index,

  // Watchdog
  input  wire                         wait_valid,
  input  wire [2:0]                   wait_unit,
  input  wire [31:0]                  wait_index,
  input  wire [2:0]                   busy_unit,
  input  wire [31:0]                  busy_index,

  // Units, unit i in place i: an instruction is at the head; a semaphore of this class keeps it there; some are in flight; one starts; is done
  input  wire [`TPU_NUM_UNITS-1:0]    queued,
  input  wire [`TPU_NUM_UNITS-1:0]    waiting,
  input  wire [2*`TPU_NUM_UNITS-1:0]  wait_class,
  input  wire [`TPU_NUM_UNITS-1:0]    inflight,
  input  wire [`TPU_NUM_UNITS-1:0]    starts,
  input  wire [`TPU_NUM_UNITS-1:0]    done,

  // What matmul and vector do, bus beats, a row is written to the unified buffer
  input  wire                         mm_active,
  input  wire                         mm_pad,
  input  wire                         mm_wait_weights,
  input  wire                         mm_weight_shift,
  input  wire                         vx_active,
  input  wire                         vx_stall_port,
  input  wire                         vx_stall_operand,
  input  wire                         vx_stall_output,
  input  wire                         fe_beat,
  input  wire                         ld_beat,
  input  wire                         wt_beat,
  input  wire                         st_beat,

  // For observers: what the cycle before counts as, and which units started an instruction in it
  output wire [`TPU_NUM_COUNTERS-1:0] events,
  output wire [`TPU_NUM_UNITS-1:0]    event_starts
);

  // ---- Bus ---------------------------------------------------------------------------------------------

  wire        wr_en;
  wire [9:0]  wr_word;
  wire [31:0] wr_data;
  wire [3:0]  wr_strb;
  wire        rd_en;
  wire [9:0]  rd_word;
  wire [11:0] rd_addr       = {rd_word, 2'b00};
  wire        rd_is_counter = rd_addr[11:8] == 4'h1;
  // Of registers what the word said in the cycle before, which stands from rd_en to rd_done
  reg  [31:0] register_q;
  wire        counter_done;
  wire [31:0] counter_data;

  tpu_axil u_axil (
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
    .wr_en          (wr_en),
    .wr_word        (wr_word),
    .wr_data        (wr_data),
    .wr_strb        (wr_strb),
    .rd_en          (rd_en),
    .rd_word        (rd_word),
    .rd_done        (!rd_is_counter || counter_done),
    .rd_data        (rd_is_counter ? counter_data : register_q)
  );

  // ---- Writable registers ------------------------------------------------------------------------------

  reg        irq_enable_q;
  reg [63:0] prog_addr_q;
  reg [31:0] prog_granules_q;
  reg [31:0] watchdog_q;

  wire [11:0] wr_addr    = {wr_word, 2'b00};
  wire        wr_control = wr_en && wr_addr == `TPU_REG_CONTROL && wr_strb[0];
  wire        irq_clear  = wr_en && wr_addr == `TPU_REG_IRQ_CLEAR && wr_strb[0] && wr_data[0];
  integer     b;

  always @(posedge clk) begin
    if (wr_control) begin
      irq_enable_q <= wr_data[`TPU_CONTROL_IRQ_ENABLE];
    end
    for (b = 0; b < 4; b = b + 1) begin
      if (wr_en && wr_strb[b]) begin
        case (wr_addr)
          `TPU_REG_PROG_ADDR_LO:  prog_addr_q[8*b +: 8]      <= wr_data[8*b +: 8];
          `TPU_REG_PROG_ADDR_HI:  prog_addr_q[32+8*b +: 8]   <= wr_data[8*b +: 8];
          `TPU_REG_PROG_GRANULES: prog_granules_q[8*b +: 8]  <= wr_data[8*b +: 8];
          `TPU_REG_WATCHDOG:      watchdog_q[8*b +: 8]       <= wr_data[8*b +: 8];
          default: ;
        endcase
      end
    end
    if (rst) begin
      irq_enable_q    <= 1'b0;
      prog_addr_q     <= 64'd0;
      prog_granules_q <= 32'd0;
      watchdog_q      <= `TPU_WATCHDOG_RESET;
    end
  end

  // ---- Run control -------------------------------------------------------------------------------------

  wire        busy;
  wire        stopping;
  wire        run_done;
  wire        failed;
  wire [3:0]  failed_code;
  wire [2:0]  failed_unit;
  wire [31:0] failed_index;
  wire        ended;
  wire        progress;
  wire        cleared;
  wire        prog_out_of_range;

  // Of the program that runs.
  reg [63:0] run_addr_q;
  reg [31:0] run_granules_q;

  always @(posedge clk) begin
    if (cleared) begin
      run_addr_q     <= prog_addr_q;
      run_granules_q <= prog_granules_q;
    end
  end

  // With one bit more than any address width
  wire [64:0] run_addr = {1'b0, run_addr_q};

  assign prog_out_of_range = run_addr[64:AXI_ADDR_WIDTH] != {(65-AXI_ADDR_WIDTH){1'b0}} && run_granules_q != 32'd0;
  assign prog_addr         = run_addr[AXI_ADDR_WIDTH-1:0];
  assign prog_granules     = run_granules_q;

  tpu_run_control u_run_control (
    .clk                (clk),
    .rst                (rst),
    .start_request      (wr_control && wr_data[`TPU_CONTROL_START]),
    .soft_reset_request (wr_control && wr_data[`TPU_CONTROL_SOFT_RESET]),
    .prog_out_of_range  (prog_out_of_range),
    .watchdog           (watchdog_q),
    .core_rst           (core_rst),
    .start              (start),
    .halt               (halt),
    .running            (running),
    .program_done       (program_done),
    .error_valid       (error_valid),
    .error_code        (error_code),
    .error_unit        (error_unit),
    .error_index       (error_index),
    .all_drained        (all_drained),
    .wait_valid      (wait_valid),
    .wait_unit       (wait_unit),
    .wait_index      (wait_index),
    .busy_unit       (busy_unit),
    .busy_index      (busy_index),
    .progress           (progress),
    .busy               (busy),
    .stopping           (stopping),
    .done               (run_done),
    .failed             (failed),
    .failed_code        (failed_code),
    .failed_unit        (failed_unit),
    .failed_index       (failed_index),
    .ended              (ended),
    .cleared            (cleared)
  );

  // ---- Interrupt ---------------------------------------------------------------------------------------

  reg irq_pending_q;

  assign irq = irq_pending_q && irq_enable_q;

  always @(posedge clk) begin
    irq_pending_q <= ended || (irq_pending_q && !irq_clear && !cleared);
    if (rst) begin
      irq_pending_q <= 1'b0;
    end
  end

  // ---- Counters ------------------------------------------------------------------------------------

  tpu_events u_events (
    .clk              (clk),
    .queued           (queued),
    .waiting          (waiting),
    .wait_class       (wait_class),
    .inflight         (inflight),
    .starts           (starts),
    .done             (done),
    .mm_active        (mm_active),
    .mm_pad           (mm_pad),
    .mm_wait_weights  (mm_wait_weights),
    .mm_weight_shift  (mm_weight_shift),
    .vx_active        (vx_active),
    .vx_stall_port    (vx_stall_port),
    .vx_stall_operand (vx_stall_operand),
    .vx_stall_output  (vx_stall_output),
    .fe_beat          (fe_beat),
    .ld_beat          (ld_beat),
    .wt_beat          (wt_beat),
    .st_beat          (st_beat),
    .events           (events),
    .event_starts     (event_starts),
    .progress         (progress)
  );

  // ---- Reading -----------------------------------------------------------------------------------------

  // Of the cycle before, as `events`.
  reg         running_q;

  always @(posedge clk) begin
    running_q <= running;
  end

  tpu_counters #(
    .COUNT (`TPU_NUM_COUNTERS)
  ) u_counters (
    .clk     (clk),
    .rst     (rst),
    .clear   (core_rst),
    .running (running_q),
    .events  (events),
    .rd_en   (rd_en && rd_is_counter),
    .rd_word (rd_word[5:0]),
    .rd_done (counter_done),
    .rd_data (counter_data)
  );

  always @(posedge clk) begin
    case (rd_addr)
      `TPU_REG_ID:                register_q <= `TPU_ID_VALUE;
      `TPU_REG_VERSION:           register_q <= `TPU_VERSION_VALUE;
      `TPU_REG_CONTROL:           register_q <= {29'd0, irq_enable_q, 2'b00};
      `TPU_REG_STATUS:            register_q <= {27'd0, irq_pending_q, stopping, failed, run_done, busy};
      `TPU_REG_ERROR:             register_q <= {21'd0, failed_unit, 4'd0, failed_code};
      `TPU_REG_ERROR_INDEX:       register_q <= failed_index;
      `TPU_REG_PROG_ADDR_LO:      register_q <= prog_addr_q[31:0];
      `TPU_REG_PROG_ADDR_HI:      register_q <= prog_addr_q[63:32];
      `TPU_REG_PROG_GRANULES:     register_q <= prog_granules_q;
      `TPU_REG_WATCHDOG:          register_q <= watchdog_q;
      `TPU_REG_CONFIG_N:          register_q <= N[31:0];
      `TPU_REG_CONFIG_UB_ROWS:    register_q <= UB_ROWS[31:0];
      `TPU_REG_CONFIG_ACC_ROWS:   register_q <= ACC_ROWS[31:0];
      `TPU_REG_CONFIG_PARAM_ROWS: register_q <= PARAM_ROWS[31:0];
      `TPU_REG_CONFIG_LUT_TABLES: register_q <= LUT_TABLES[31:0];
      `TPU_REG_CONFIG_FIFO_TILES: register_q <= WFIFO_TILES[31:0];
      `TPU_REG_CONFIG_AXI_DATA:   register_q <= AXI_DATA_WIDTH[31:0];
      `TPU_REG_CONFIG_AXI_ADDR:   register_q <= AXI_ADDR_WIDTH[31:0];
      `TPU_REG_CONFIG_UB_BANKS:   register_q <= UB_BANKS[31:0];
      `TPU_REG_CONFIG_WINDOW:     register_q <= WINDOW[31:0];
      `TPU_REG_CONFIG_REQUANT_LANES: register_q <= REQUANT_LANES[31:0];
      `TPU_REG_CONFIG_BF16:       register_q <= BF16[31:0];
      `TPU_REG_CONFIG_INT16:      register_q <= INT16[31:0];
      `TPU_REG_CONFIG_FLOAT_ROUNDING: register_q <= FLOAT_ROUNDING[31:0];
      default:                    register_q <= 32'd0;
    endcase
  end

endmodule

`default_nettype wire
