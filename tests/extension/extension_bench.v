// Control with a sixth unit: a WEIGHTS with the field that was added posts, the added unit's instruction waits for it (extension_test.py).
//
// SPDX-License-Identifier: Apache-2.0
`timescale 1ns / 1ns
`default_nettype none

`include "tpu_isa.vh"

module extension_bench;

  parameter AXI_DATA_WIDTH = 128;

  localparam U        = `TPU_NUM_UNITS;
  localparam WEIGHTS  = `TPU_INDEX_WEIGHTS;
  localparam EXTRA    = `TPU_INDEX_EXTRA;
  localparam GRANULE  = `TPU_GRANULE_BITS;

  reg                       clk = 1'b0;
  reg                       rst = 1'b1;
  reg                       start = 1'b0;
  wire                      program_done;
  wire                      error_valid;
  wire [3:0]                error_code;
  wire [2:0]                error_unit;
  wire [31:0]               error_index;
  wire                      ar_valid;
  wire [31:0]               ar_addr;
  wire [7:0]                ar_len;
  reg                       r_valid = 1'b0;
  reg  [AXI_DATA_WIDTH-1:0] r_data;
  wire [U-1:0]              cmd_valid;
  wire [U*`TPU_CMD_BITS-1:0] cmd;
  reg  [U-1:0]              done = {U{1'b0}};
  wire [U-1:0]              starts;

  tpu_control #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (32)
  ) u_control (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_addr     (32'd0),
    .prog_granules (32'd2),
    .halt          (1'b0),
    .program_done  (program_done),
    .error_valid   (error_valid),
    .error_code    (error_code),
    .error_unit    (error_unit),
    .error_index   (error_index),
    .wait_valid    (),
    .wait_unit     (),
    .wait_index    (),
    .busy_unit     (),
    .busy_index    (),
    .ar_valid      (ar_valid),
    .ar_ready      (1'b1),
    .ar_addr       (ar_addr),
    .ar_len        (ar_len),
    .r_valid       (r_valid),
    .r_data        (r_data),
    .r_resp        (2'b00),
    .r_last        (1'b0),
    .cmd_valid     (cmd_valid),
    .cmd_ready     ({U{1'b1}}),
    .cmd           (cmd),
    .cmd_index     (),
    .done          (done),
    .err_valid     ({U{1'b0}}),
    .err_code      ({4*U{1'b0}}),
    .err_index     ({32*U{1'b0}}),
    .queued        (),
    .waiting       (),
    .wait_class    (),
    .inflight      (),
    .starts        (starts)
  );

  reg [2*GRANULE-1:0] memory;
  reg [U-1:0]         started;
  reg [U-1:0]         last;
  integer             cycle;
  integer             beat;

  task check;
    input condition;
    input integer number;
    if (condition !== 1'b1) begin
      $display("check %0d failed in cycle %0d", number, cycle);
      $finish;
    end
  endtask

  // Both instructions, the second one with this count.
  task run;
    input [15:0] count;
    begin
      memory = {2*GRANULE{1'b0}};
      memory[`TPU_OPCODE]                = `TPU_OP_WEIGHTS;
      memory[`TPU_POST]                  = 32'h8000_0000;
      memory[`TPU_WEIGHTS_TILES]         = 32'd1;
      memory[`TPU_WEIGHTS_MORE]          = 12'hABC;
      memory[GRANULE +: 8]               = `TPU_OP_EXTRA;
      memory[GRANULE+32 +: 32]           = 32'h8000_0000;
      memory[GRANULE+96 +: 16]           = count;
      memory[GRANULE+504 +: 8]           = 8'h5A;
      rst     = 1'b1;
      started = {U{1'b0}};
      last    = {U{1'b0}};
      beat    = 2 * GRANULE / AXI_DATA_WIDTH;
      for (cycle = 0; cycle < 200 && !program_done && !error_valid || cycle < 10; cycle = cycle + 1) begin
        clk = 1'b1;
        #1 clk = 1'b0;
        rst     = cycle < 3;
        start   = cycle == 4;
        // The burst starts in the cycle after its request.
        if (ar_valid === 1'b1) begin
          check(ar_addr == 32'd0 && ar_len == 2 * GRANULE / AXI_DATA_WIDTH - 1, 1);
          beat = 0;
        end else if (r_valid) begin
          beat = beat + 1;
        end
        r_valid = beat < 2 * GRANULE / AXI_DATA_WIDTH && ar_valid === 1'b0;
        if (r_valid) begin
          r_data = memory[AXI_DATA_WIDTH*beat +: AXI_DATA_WIDTH];
        end
        // What has started is done a cycle later.
        done = last;
        #1 if (!rst) begin
          check((starts & ~({{(U-1){1'b0}}, 1'b1} << WEIGHTS) & ~({{(U-1){1'b0}}, 1'b1} << EXTRA)) == {U{1'b0}}, 2);
          check((starts & started) == {U{1'b0}}, 3);
          if (starts[WEIGHTS]) begin
            check(cmd[`TPU_CMD_BITS*WEIGHTS +: GRANULE] == memory[0 +: GRANULE], 4);
          end
          if (starts[EXTRA]) begin
            check(started[WEIGHTS], 5);
            check(cmd[`TPU_CMD_BITS*EXTRA +: GRANULE] == memory[GRANULE +: GRANULE], 6);
          end
          started = started | starts;
          last    = starts;
        end
      end
    end
  endtask

  initial begin
    run(16'd1);
    check(program_done && started[WEIGHTS] && started[EXTRA], 7);
    run(16'd0);
    check(!program_done && error_code == `TPU_ERR_ILLEGAL_FIELD && error_unit == `TPU_UNIT_FRONTEND && error_index == 32'd1, 8);
    check(!started[EXTRA], 9);
    $display("passed");
    $finish;
  end

endmodule

`default_nettype wire
