// Outputs are anything, for a proof of the wires around.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_regs.vh"

module tpu_host #(
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
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40
) (
  input  wire                         clk,
  input  wire                         rst,
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
  output wire                         core_rst,
  output wire                         start,
  output wire [AXI_ADDR_WIDTH-1:0]    prog_addr,
  output wire [31:0]                  prog_granules,
  output wire                         halt,
  output wire                         running,
  input  wire                         program_done,
  input  wire                         all_drained,
  input  wire                         error_valid,
  input  wire [3:0]                   error_code,
  input  wire [2:0]                   error_unit,
  input  wire [31:0]                  error_index,
  input  wire                         wait_valid,
  input  wire [2:0]                   wait_unit,
  input  wire [31:0]                  wait_index,
  input  wire [2:0]                   busy_unit,
  input  wire [31:0]                  busy_index,
  input  wire [`TPU_NUM_UNITS-1:0]    queued,
  input  wire [`TPU_NUM_UNITS-1:0]    waiting,
  input  wire [2*`TPU_NUM_UNITS-1:0]  wait_class,
  input  wire [`TPU_NUM_UNITS-1:0]    inflight,
  input  wire [`TPU_NUM_UNITS-1:0]    starts,
  input  wire [`TPU_NUM_UNITS-1:0]    done,
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
  output wire [`TPU_NUM_COUNTERS-1:0] events,
  output wire [`TPU_NUM_UNITS-1:0]    event_starts
);


  (* anyseq *) wire                         any_s_axil_awready;
  (* anyseq *) wire                         any_s_axil_wready;
  (* anyseq *) wire [1:0]                   any_s_axil_bresp;
  (* anyseq *) wire                         any_s_axil_bvalid;
  (* anyseq *) wire                         any_s_axil_arready;
  (* anyseq *) wire [31:0]                  any_s_axil_rdata;
  (* anyseq *) wire [1:0]                   any_s_axil_rresp;
  (* anyseq *) wire                         any_s_axil_rvalid;
  (* anyseq *) wire                         any_irq;
  (* anyseq *) wire                         any_core_rst;
  (* anyseq *) wire                         any_start;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]    any_prog_addr;
  (* anyseq *) wire [31:0]                  any_prog_granules;
  (* anyseq *) wire                         any_halt;
  (* anyseq *) wire                         any_running;
  (* anyseq *) wire [`TPU_NUM_COUNTERS-1:0] any_events;
  (* anyseq *) wire [`TPU_NUM_UNITS-1:0]    any_event_starts;

  assign s_axil_awready = any_s_axil_awready;
  assign s_axil_wready  = any_s_axil_wready;
  assign s_axil_bresp   = any_s_axil_bresp;
  assign s_axil_bvalid  = any_s_axil_bvalid;
  assign s_axil_arready = any_s_axil_arready;
  assign s_axil_rdata   = any_s_axil_rdata;
  assign s_axil_rresp   = any_s_axil_rresp;
  assign s_axil_rvalid  = any_s_axil_rvalid;
  assign irq            = any_irq;
  assign core_rst       = any_core_rst;
  assign start          = any_start;
  assign prog_addr      = any_prog_addr;
  assign prog_granules  = any_prog_granules;
  assign halt           = any_halt;
  assign running        = any_running;
  assign events         = any_events;
  assign event_starts   = any_event_starts;

endmodule

`default_nettype wire
