// tpu_weights: an error comes only while an instruction is inside, and its code and its instruction stay until the next reset, whatever memory and the
// unified buffer give then.
//
// Until the error is reported a bad beat stands, and the gearbox makes no further row without bytes. Otherwise memory, gearbox and buffer are
// the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_weights_error #(
  parameter BF16 = 0
) (
  input wire                          clk,
  input wire                          reset,
  input wire                          cmd_valid,
  input wire [`TPU_WEIGHTS_USED-1:0]  cmd,
  input wire [31:0]                   cmd_index,
  input wire                          halt,
  input wire                          wt_ready
);

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  wire        cmd_ready;
  wire        err_valid;
  wire [3:0]  err_code;
  wire [31:0] err_index;
  wire        busy;

  tpu_weights #(
    .ROW_BYTES      (4),
    .LANES          (4),
    .AXI_DATA_WIDTH (32),
    .AXI_ADDR_WIDTH (32),
    .UB_ROWS        (16),
    .BF16           (BF16)
  ) dut (
    .clk       (clk),
    .rst       (rst),
    .cmd_valid (cmd_valid),
    .cmd_ready (cmd_ready),
    .cmd       (cmd),
    .cmd_index (cmd_index),
    .done      (),
    .err_valid (err_valid),
    .err_code  (err_code),
    .err_index (err_index),
    .halt      (halt),
    .busy      (busy),
    .ar_valid  (),
    .ar_ready  (1'b0),
    .ar_addr   (),
    .ar_len    (),
    .r_valid   (1'b0),
    .r_data    (32'd0),
    .r_resp    (2'd0),
    .r_last    (1'b0),
    .rd_valid  (),
    .rd_ready  (1'b0),
    .rd_pair   (),
    .rd_row    (),
    .rd_data   (64'd0),
    .wt_valid  (),
    .wt_ready  (wt_ready),
    .wt_data   ()
  );

  //// Memory and the gearbox ////

  (* hierconn *) wire \dut.u_read.out_valid ;
  (* hierconn *) wire \dut.u_read.out_bus_error ;
  (* hierconn *) wire \dut.u_read.out_range_error ;
  (* hierconn *) wire \dut.u_gearbox.in_valid ;
  (* hierconn *) wire \dut.u_gearbox.cut_ready ;
  wire [1:0] beat_errors = {2{\dut.u_read.out_valid }} & {\dut.u_read.out_range_error , \dut.u_read.out_bus_error };

  reg [1:0] beat_errors_q;
  reg       starves_q;

  always @(posedge clk) begin
    beat_errors_q <= rst ? 2'd0 : beat_errors;
    starves_q     <= !rst && !\dut.u_gearbox.cut_ready && !\dut.u_gearbox.in_valid ;
  end

  always @* begin
    if (!rst && !err_valid) begin
      assume (beat_errors_q == 2'd0 || beat_errors == beat_errors_q);
      assume (beat_errors_q == 2'd0 || !starves_q || !\dut.u_gearbox.cut_ready );
    end
  end

  //// Errors ////

  // Since the reset there has been an instruction; an error is reported, and what has been said of it.
  reg        given_q;
  reg  [1:0] busy_q;
  reg        error_q;
  reg [35:0] said_q;

  always @(posedge clk) begin
    given_q <= !rst && (given_q || (cmd_valid && cmd_ready));
    busy_q  <= rst ? 2'd0 : {busy_q[0], busy};
    error_q <= !rst && err_valid;
    said_q  <= {err_index, err_code};
  end

  always @* begin
    if (!start_q) begin
      assert (given_q || !err_valid);
      // An instruction was inside in the cycle in which it was found.
      assert (error_q || !err_valid || busy_q[1]);
      assert (!error_q || (err_valid && {err_index, err_code} == said_q));
    end
  end

endmodule

`default_nettype wire
