// What tpu_axi_epoch promises the port around it: every request is answered or dropped exactly once, and an answer is fresh if its request was
// made after the last reset of the core.
//
// The checker counts the unanswered requests of each epoch, those from before the last reset of the core and those from after it, and compares
// the registers of tpu_axi_epoch with them. It also keeps the bus to what the bus may do: it answers requests that it has accepted.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module epoch_order #(
  parameter MAX_OWED = 2
) (
  input wire                      clk,
  input wire                      rst,
  input wire                      core_rst,
  // A request is made, in this epoch
  input wire                      request,
  input wire                      epoch,
  // A request stands on the bus that has not accepted it
  input wire                      standing,
  input wire                      standing_epoch,
  // An answer comes; it is the request's last beat, if it has several
  input wire                      answer,
  input wire                      answer_ends,
  input wire                      answer_epoch,
  // What the module says
  input wire                      drained,
  input wire                      stale,
  input wire [$clog2(MAX_OWED):0] owed0,
  input wire [$clog2(MAX_OWED):0] owed1,
  // The answer's request was made before the last reset of the core
  output wire                     of_old
);

  localparam OW = $clog2(MAX_OWED) + 1;

  reg  [OW-1:0] before_of [0:1];
  reg  [OW-1:0] after_of [0:1];

  assign of_old = before_of[answer_epoch] != 0;

  always @* if (!rst) assume (!answer || before_of[answer_epoch] + after_of[answer_epoch] > (standing && standing_epoch == answer_epoch));

  genvar n;
  generate
    for (n = 0; n < 2; n = n + 1) begin : g_epoch
      wire requested = request && epoch == n;
      wire answered  = answer && answer_ends && answer_epoch == n;
      always @(posedge clk) begin
        before_of[n] <= before_of[n] + (core_rst ? after_of[n] : 0) - answered * (of_old || core_rst);
        after_of[n]  <= core_rst ? 0 : after_of[n] + requested - (answered && !of_old);
        if (rst) begin
          before_of[n] <= 0;
          after_of[n]  <= 0;
        end
      end
    end
  endgenerate

  always @* begin
    if (!rst) begin
      // What the module counts is what is unanswered, and no more than it can count.
      assert (owed0 == before_of[0] + after_of[0] && owed1 == before_of[1] + after_of[1]);
      assert (before_of[0] + after_of[0] <= MAX_OWED && before_of[1] + after_of[1] <= MAX_OWED);
      assert (before_of[0] <= MAX_OWED && before_of[1] <= MAX_OWED);
      // One epoch never holds requests of both sides of a reset, and only the present one holds requests from after it.
      assert (before_of[0] == 0 || after_of[0] == 0);
      assert (before_of[1] == 0 || after_of[1] == 0);
      assert (after_of[!epoch] == 0);
      assert (stale || before_of[epoch] == 0);
      assert (!stale || after_of[epoch] == 0);
      // `drained` leaves nothing of this side unanswered.
      assert (!drained || (after_of[0] == 0 && after_of[1] == 0));
      assert (drained || stale || after_of[0] != 0 || after_of[1] != 0);
      // The request on the bus is counted.
      assert (!standing || before_of[standing_epoch] + after_of[standing_epoch] != 0);
    end
  end

endmodule

`default_nettype wire
