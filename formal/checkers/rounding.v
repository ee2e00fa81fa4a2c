// Rounds an integer to binary32: the reference of the proofs about floating-point modules. An integer of zero is nobody's case here.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module rounding #(
  parameter BITS = 56
) (
  input  wire            negative,
  input  wire [BITS-1:0] size,
  // Biased exponent of a number whose leading bit is the integer's last one, two's complement
  input  wire [9:0]      unit,
  output reg  [31:0]     result
);

  integer          i;
  reg [9:0]        top;
  reg [BITS+23:0]  moved;
  reg [24:0]       kept;
  reg [9:0]        exponent;

  always @* begin
    top = 0;
    for (i = 0; i < BITS; i = i + 1) begin
      if (size[i]) top = i;
    end
    moved = {size, 24'd0} << (BITS - 1 - top);
    kept  = moved[BITS+23:BITS];
    // Half of the last bit, or more
    if (moved[BITS-1] && (kept[0] || |moved[BITS-2:0])) kept = kept + 1;
    exponent = unit + top + kept[24];
    if (exponent[9] || exponent == 0) result = {negative, 31'd0};
    else if (exponent >= 255) result = {negative, 8'hFF, 23'd0};
    else result = {negative, exponent[7:0], kept[22:0]};
  end

endmodule

`default_nettype wire
