// Outputs are anything, for a proof of the wires around.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_control #(
  parameter AXI_DATA_WIDTH = 128,
  parameter AXI_ADDR_WIDTH = 40,
  parameter BF16 = 0,
  parameter INT16 = 0,
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                            clk,
  input  wire                            rst,
  input  wire                            start,
  input  wire [AXI_ADDR_WIDTH-1:0]       prog_addr,
  input  wire [31:0]                     prog_granules,
  input  wire                            halt,
  output wire                            program_done,
  output wire                            error_valid,
  output wire [3:0]                      error_code,
  output wire [2:0]                      error_unit,
  output wire [31:0]                     error_index,
  output wire                            wait_valid,
  output wire [2:0]                      wait_unit,
  output wire [31:0]                     wait_index,
  output wire [2:0]                      busy_unit,
  output wire [31:0]                     busy_index,
  output wire                            ar_valid,
  input  wire                            ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]       ar_addr,
  output wire [7:0]                      ar_len,
  input  wire                            r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]       r_data,
  input  wire [1:0]                      r_resp,
  input  wire                            r_last,
  output wire [`TPU_NUM_UNITS-1:0]                    cmd_valid,
  input  wire [`TPU_NUM_UNITS-1:0]                    cmd_ready,
  output wire [`TPU_NUM_UNITS*`TPU_CMD_BITS-1:0]      cmd,
  output wire [32*`TPU_NUM_UNITS-1:0]                 cmd_index,
  input  wire [`TPU_NUM_UNITS-1:0]                    done,
  input  wire [`TPU_NUM_UNITS-1:0]                    err_valid,
  input  wire [4*`TPU_NUM_UNITS-1:0]                  err_code,
  input  wire [32*`TPU_NUM_UNITS-1:0]                 err_index,
  output wire [`TPU_NUM_UNITS-1:0]                    queued,
  output wire [`TPU_NUM_UNITS-1:0]                    waiting,
  output wire [2*`TPU_NUM_UNITS-1:0]                  wait_class,
  output wire [`TPU_NUM_UNITS-1:0]                    inflight,
  output wire [`TPU_NUM_UNITS-1:0]                    starts
);


  (* anyseq *) wire                                    any_program_done;
  (* anyseq *) wire                                    any_error_valid;
  (* anyseq *) wire [3:0]                              any_error_code;
  (* anyseq *) wire [2:0]                              any_error_unit;
  (* anyseq *) wire [31:0]                             any_error_index;
  (* anyseq *) wire                                    any_wait_valid;
  (* anyseq *) wire [2:0]                              any_wait_unit;
  (* anyseq *) wire [31:0]                             any_wait_index;
  (* anyseq *) wire [2:0]                              any_busy_unit;
  (* anyseq *) wire [31:0]                             any_busy_index;
  (* anyseq *) wire                                    any_ar_valid;
  (* anyseq *) wire [AXI_ADDR_WIDTH-1:0]               any_ar_addr;
  (* anyseq *) wire [7:0]                              any_ar_len;
  (* anyseq *) wire [`TPU_NUM_UNITS-1:0]               any_cmd_valid;
  (* anyseq *) wire [`TPU_NUM_UNITS*`TPU_CMD_BITS-1:0] any_cmd;
  (* anyseq *) wire [32*`TPU_NUM_UNITS-1:0]            any_cmd_index;
  (* anyseq *) wire [`TPU_NUM_UNITS-1:0]               any_queued;
  (* anyseq *) wire [`TPU_NUM_UNITS-1:0]               any_waiting;
  (* anyseq *) wire [2*`TPU_NUM_UNITS-1:0]             any_wait_class;
  (* anyseq *) wire [`TPU_NUM_UNITS-1:0]               any_inflight;
  (* anyseq *) wire [`TPU_NUM_UNITS-1:0]               any_starts;

  assign program_done = any_program_done;
  assign error_valid  = any_error_valid;
  assign error_code   = any_error_code;
  assign error_unit   = any_error_unit;
  assign error_index  = any_error_index;
  assign wait_valid   = any_wait_valid;
  assign wait_unit    = any_wait_unit;
  assign wait_index   = any_wait_index;
  assign busy_unit    = any_busy_unit;
  assign busy_index   = any_busy_index;
  assign ar_valid     = any_ar_valid;
  assign ar_addr      = any_ar_addr;
  assign ar_len       = any_ar_len;
  assign cmd_valid    = any_cmd_valid;
  assign cmd          = any_cmd;
  assign cmd_index    = any_cmd_index;
  assign queued       = any_queued;
  assign waiting      = any_waiting;
  assign wait_class   = any_wait_class;
  assign inflight     = any_inflight;
  assign starts       = any_starts;

endmodule

`default_nettype wire
