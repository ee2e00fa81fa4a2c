// SPDX-License-Identifier: Apache-2.0
// The last step of every floating-point operation: rounds a significand and makes a binary32 number of it. Included within a module.
//
// Numbers are IEEE 754 binary32 without subnormal numbers: a subnormal operand counts as zero of its sign, and a subnormal result becomes
// zero of its sign. Whether a result is subnormal is decided after it was rounded as if exponents had no bounds. Rounding is to
// nearest, ties to even. The only NaN that is produced is 7FC00000.
`define TPU_FLOAT_NAN 32'h7FC00000

// No guard: each module that includes this file needs the function.
function [31:0] float_rounded;
  input        sign;
  // Biased exponent of the leading bit, two's complement
  input [9:0]  exponent;
  // Leading bit, 23 bits behind the point, the next bit, and whether any further bit is set. Without a leading bit the number is zero.
  input [25:0] significand;
  reg   [31:0] rounded;
  begin
    // A significand that rounds up to 2 carries into the exponent. Where that is negative, the number stays too small.
    rounded       = {exponent[8:0], significand[24:2]} + {31'd0, significand[1] && (significand[0] || significand[2])};
    float_rounded = !significand[25] || exponent[9] || rounded[31:23] == 9'd0 ? {sign, 31'd0}
                    : rounded[31] || rounded[30:23] == 8'hFF ? {sign, 8'hFF, 23'd0} : {sign, rounded[30:0]};
  end
endfunction
