// ECP5: two bits a cycle at a pin, D0 while the clock is high.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module ODDRX1F #(
  parameter GSR = "ENABLED"
) (
  input  wire SCLK,
  input  wire RST,
  input  wire D0,
  input  wire D1,
  output wire Q
);

  reg d0;
  reg d1;

  assign Q = SCLK ? d0 : d1;

  always @(posedge SCLK) begin
    d0 <= D0;
    d1 <= D1;
    if (RST) begin
      d0 <= 1'b0;
      d1 <= 1'b0;
    end
  end

endmodule

`default_nettype wire
