// Delays a value by a fixed number of cycles.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_delay #(
  parameter WIDTH = 8,
  // 0: `out` is `in`
  parameter CYCLES = 1
) (
  input  wire             clk,
  input  wire [WIDTH-1:0] in,
  output wire [WIDTH-1:0] out
);

  generate
    if (CYCLES == 0) begin : g_wire
      wire unused = &{1'b0, clk};
      assign out = in;
    end else begin : g_registers
      // The youngest value in the lowest bits
      reg  [CYCLES*WIDTH-1:0]     values_q;
      wire [(CYCLES+1)*WIDTH-1:0] values = {values_q, in};
      always @(posedge clk) begin
        values_q <= values[CYCLES*WIDTH-1:0];
      end
      assign out = values[CYCLES*WIDTH +: WIDTH];
    end
  endgenerate

endmodule

`default_nettype wire
