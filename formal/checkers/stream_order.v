// A stream of words through a module: what goes in comes out once, unchanged and in order, and at most CAPACITY words are inside.
//
// One word, chosen by the solver among all that are pushed, is followed: its value, and how many words are in front of it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module stream_order #(
  parameter WIDTH = 4,
  parameter CAPACITY = 4
) (
  input  wire                          clk,
  input  wire                          rst,
  input  wire                          push,
  input  wire [WIDTH-1:0]              in_data,
  // A word is offered; it is taken
  input  wire                          out_valid,
  input  wire                          pop,
  input  wire [WIDTH-1:0]              out_data,
  // Words inside
  output reg  [$clog2(CAPACITY+1)-1:0] held
);

  (* anyseq *) wire             mark;
  // The same in all cycles
  (* anyseq *) wire [WIDTH-1:0] value;
  reg              [WIDTH-1:0] value_q;
  always @(posedge clk) value_q <= value;
  always @* if (!rst) assume (value == value_q);

  reg                          marked;
  reg [$clog2(CAPACITY+1)-1:0] ahead;

  always @(posedge clk) begin
    held <= held + push - pop;
    if (!marked && push && mark && in_data == value) begin
      marked <= 1'b1;
      ahead  <= held - pop;
    end else if (marked && pop) begin
      marked <= ahead != 0;
      ahead  <= ahead - 1'b1;
    end
    if (rst) begin
      marked <= 1'b0;
      held   <= 0;
    end
  end

  always @* begin
    if (!rst) begin
      assert (!push || held < CAPACITY || pop);
      assert (!out_valid || held != 0);
      assert (!marked || ahead < held);
      assert (!(marked && out_valid && ahead == 0) || out_data == value);
    end
  end

endmodule

`default_nettype wire
