// tpu_ivector_pipe: from the cycle in which both banks are free, all that the lanes see stands still until an instruction starts, also where lines,
// taps and turns are left in the stages, as an instruction was said to end before its last tap.
//
// Taps are the solver's; only the module's own assertions bind them: nothing is issued while no bank is busy, and a turn's parameter entry is there.
// One lane to a group, so that rows cannot meet.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_ivector_lane.vh"

module formal_tpu_ivector_pipe_idle #(
  parameter PARAM_ROWS = 2
) (
  input wire                         clk,
  input wire                         reset,
  input wire                         take,
  input wire                         take_bank,
  input wire [`TPU_IVECTOR_USED-1:0] cmd,
  input wire                         a_line,
  input wire                         a_high,
  input wire                         b_line,
  input wire                         tap,
  input wire                         tap_bank,
  input wire                         tap_inside,
  input wire                         tap_first,
  input wire                         tap_last,
  input wire                         tap_final,
  input wire                         tap_param
);

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  wire [1:0]                       bank_busy;
  wire                             take_a;
  wire                             take_acc;
  wire                             take_b;
  wire [`TPU_IVECTOR_TAP_BITS-1:0] tap_control;
  wire [`TPU_IVECTOR_ROW_BITS-1:0] row_control;
  wire                             param_en;
  wire [5:0]                       turn9;
  wire [5:0]                       turn10;
  wire                             row_done;
  wire                             row_final;
  wire [1:0]                       row_last;

  tpu_ivector_pipe #(
    .PARAM_ROWS  (PARAM_ROWS),
    .INT16_LANES (1)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .take        (take),
    .take_bank   (take_bank),
    .cmd         (cmd),
    .bank_busy   (bank_busy),
    .a_line      (a_line),
    .a_high      (a_high),
    .b_line      (b_line),
    .tap         (tap),
    .tap_bank    (tap_bank),
    .tap_inside  (tap_inside),
    .tap_first   (tap_first),
    .tap_last    (tap_last),
    .tap_final   (tap_final),
    .tap_param   (tap_param),
    .take_a      (take_a),
    .take_acc    (take_acc),
    .take_b      (take_b),
    .tap_control (tap_control),
    .row_control (row_control),
    .param_en    (param_en),
    .param_entry (),
    .turn9       (turn9),
    .turn10      (turn10),
    .row_done    (row_done),
    .row_final   (row_final),
    .row_last    (row_last)
  );

  //// The issuing side, and the queue of parameter entries ////

  wire runs = bank_busy != 2'd0;

  (* hierconn *) wire \dut.u_entries.in_ready ;
  (* hierconn *) wire \dut.u_entries.out_valid ;

  always @* begin
    assume (rst || runs || !(a_line || b_line || tap));
    assume (\dut.u_entries.in_ready && \dut.u_entries.out_valid );
  end

  //// What the lanes see ////

  localparam BITS = `TPU_IVECTOR_TAP_BITS + `TPU_IVECTOR_ROW_BITS + 17;

  wire [BITS-1:0] seen = {take_a, take_b, tap_control, row_control, param_en, turn9, turn10, row_done, row_final};
  // These two come from a bank's configuration.
  wire [2:0]      set  = {take_acc, row_last};
  reg  [BITS-1:0] seen_q;
  reg  [2:0]      set_q;
  reg             still_q;
  reg             take_q;

  always @(posedge clk) begin
    seen_q  <= seen;
    set_q   <= set;
    still_q <= !rst && !runs;
    take_q  <= take;
  end

  always @* begin
    if (!start_q && still_q) begin
      assert (seen == seen_q);
      assert (take_q || set == set_q);
    end
  end

endmodule

`default_nettype wire
