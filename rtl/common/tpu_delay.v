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

  genvar d;
  generate
    if (CYCLES == 0) begin : g_wire
      wire unused = &{1'b0, clk};
      assign out = in;
    end else begin : g_registers
      for (d = 1; d <= CYCLES; d = d + 1) begin : g_stage
        reg [WIDTH-1:0] value_q;
        if (d == 1) begin : g_first
          always @(posedge clk) begin
            value_q <= in;
          end
        end else begin : g_next
          always @(posedge clk) begin
            value_q <= g_stage[d-1].value_q;
          end
        end
      end
      assign out = g_stage[CYCLES].value_q;
    end
  endgenerate

endmodule

`default_nettype wire
