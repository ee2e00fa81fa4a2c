// Tells answers to requests made before the last core reset from answers to requests made after it.
//
// A slow or dead bus may still owe answers when the core is reset. Those answers come later, perhaps while the next program runs, and must not
// reach a unit. Every request therefore carries the epoch, one bit of its ID, and the bus returns that bit with the answer. When the core is
// reset while answers are owed, the other epoch begins, as soon as that epoch owes nothing itself; until then `open` is low, and
// no request may be made. So all requests that are unanswered in one epoch are of one side of the last core reset.
//
//   core_rst  __/‾‾‾‾‾‾‾\___________________
//   epoch     ======X=======================      the old epoch owes answers: the other one begins
//   open      ‾‾\_________/‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
//   answer            old        new   old        `fresh` for the new one only
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_axi_epoch #(
  // Requests that one epoch may owe answers to, a power of two
  parameter MAX_OWED = 512
) (
  input  wire clk,
  input  wire rst,
  // Reset of everything that makes requests
  input  wire core_rst,

  // A request is made with the bit `epoch`; only while `open`
  input  wire request,
  output wire epoch,
  output wire open,

  // A request is answered in full; `fresh`: it was made since the last core reset. `fresh` follows answer_epoch, also without an answer
  input  wire answer,
  input  wire answer_epoch,
  output wire fresh,

  // All requests of the present epoch are answered
  output wire drained
);

  localparam OW = $clog2(MAX_OWED) + 1;

  generate
    if (MAX_OWED < 2 || (MAX_OWED & (MAX_OWED - 1)) != 0) begin : g_check_max_owed
      ERROR_tpu_axi_epoch_MAX_OWED_must_be_a_power_of_two check ();
    end
  endgenerate

  reg          epoch_q;
  // All that the present epoch owes was requested before the last core reset.
  reg          stale_q;
  // Unanswered requests of epoch 0, of epoch 1.
  reg [OW-1:0] owed0_q;
  reg [OW-1:0] owed1_q;

  wire         clear0 = owed0_q == {OW{1'b0}};
  wire         clear1 = owed1_q == {OW{1'b0}};
  wire         full   = epoch_q ? owed1_q[OW-1] : owed0_q[OW-1];
  wire         other_clear = epoch_q ? clear0 : clear1;

  assign epoch   = epoch_q;
  assign drained = epoch_q ? clear1 : clear0;
  assign open    = !stale_q && !full && !core_rst;
  assign fresh   = !stale_q && answer_epoch == epoch_q;

  always @(posedge clk) begin
    owed0_q <= owed0_q + {{(OW-1){1'b0}}, request && !epoch_q} - {{(OW-1){1'b0}}, answer && !answer_epoch};
    owed1_q <= owed1_q + {{(OW-1){1'b0}}, request && epoch_q} - {{(OW-1){1'b0}}, answer && answer_epoch};
    if (stale_q) begin
      stale_q <= !drained && !other_clear;
      epoch_q <= epoch_q ^ (!drained && other_clear);
    end else if (core_rst && !drained) begin
      stale_q <= 1'b1;
    end
    if (rst) begin
      epoch_q <= 1'b0;
      stale_q <= 1'b0;
      owed0_q <= {OW{1'b0}};
      owed1_q <= {OW{1'b0}};
    end
  end

endmodule

`default_nettype wire
