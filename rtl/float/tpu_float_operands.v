// What a step of tpu_float_function multiplies and adds (docs/float.md section 3).
//
//   cycle t    en: the step, and all that steps may need
//         t+1  a, b, addend, until the next step
//
// A step looks at no other input than those that its formula names. The first step of a tangent makes of x what is looked up: below 1/2 its
// square, from there on its size.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_operands (
  input  wire        clk,

  input  wire        en,
  // As in tpu_float_function
  input  wire [2:0]  fn,
  input  wire [3:0]  step,
  // The argument's sign
  input  wire        negative,
  // The argument; of the logistic function exp(-|argument|)
  input  wire [31:0] x,
  // How far into its segment the number lies that is looked up
  input  wire [31:0] t,
  // Of the logarithm, two's complement
  input  wire [8:0]  exponent,
  // The result of the step before
  input  wire [31:0] p,
  // The number that is looked up, where its segment begins, the segment's polynomial
  input  wire [31:0] y,
  input  wire [31:0] start,
  input  wire [31:0] c0,
  input  wire [31:0] c1,
  input  wire [31:0] c2,
  input  wire [31:0] c3,

  output wire [31:0] a,
  output wire [31:0] b,
  output wire [31:0] addend
);

`include "tpu_float_function.vh"

  // A number of nine bits as a binary32 number; all but -256, which no exponent is
  function [31:0] small_number;
    input [8:0] number;
    reg   [7:0] size;
    reg   [7:0] by_4;
    reg   [7:0] by_2;
    reg   [7:0] by_1;
    reg   [2:0] places;
    begin
      size         = number[8] ? -number[7:0] : number[7:0];
      places[2]    = ~|size[7:4];
      by_4         = places[2] ? {size[3:0], 4'd0} : size;
      places[1]    = ~|by_4[7:6];
      by_2         = places[1] ? {by_4[5:0], 2'd0} : by_4;
      places[0]    = ~by_2[7];
      by_1         = places[0] ? {by_2[6:0], 1'd0} : by_2;
      small_number = by_1[7] ? {number[8], 8'd134 - {5'd0, places}, by_1[6:0], 16'd0} : 32'd0;
    end
  endfunction

  wire       below_half = x[30:23] < 8'd126;
  // Addend, and both factors
  reg [95:0] operands_q;

  assign {addend, a, b} = operands_q;

  always @(posedge clk) begin
    if (en) begin
      case (step)
        `TPU_FLOAT_EXP_NEAREST: operands_q <= {`TPU_FLOAT_WHOLE, x, `TPU_FLOAT_STEPS};
        `TPU_FLOAT_EXP_WHOLE:   operands_q <= {p, `TPU_FLOAT_ONE, `TPU_FLOAT_MINUS_WHOLE};
        `TPU_FLOAT_EXP_HIGH:    operands_q <= {x, p, `TPU_FLOAT_STEP_HIGH};
        `TPU_FLOAT_EXP_LOW:     operands_q <= {p, t, `TPU_FLOAT_STEP_LOW};
        `TPU_FLOAT_EXP_C2:      operands_q <= {c2, p, c3};
        `TPU_FLOAT_EXP_C0:      operands_q <= {c0, t, p};
        `TPU_FLOAT_EXP_C1:      operands_q <= {c1, t, p};
        `TPU_FLOAT_EXP_SUM:     operands_q <= {c0, `TPU_FLOAT_ONE, p};
        `TPU_FLOAT_SQUARE:      operands_q <= below_half ? {`TPU_FLOAT_MINUS_ZERO, x, x} : {`TPU_FLOAT_MINUS_ZERO, 1'b0, x[30:0], `TPU_FLOAT_ONE};
        `TPU_FLOAT_DISTANCE:    operands_q <= {y, start, `TPU_FLOAT_MINUS_ONE};
        `TPU_FLOAT_HORNER_2:    operands_q <= {c2, p, c3};
        `TPU_FLOAT_HORNER_1:    operands_q <= {c1, t, p};
        `TPU_FLOAT_HORNER_0:    operands_q <= {c0, t, p};
        default:     operands_q <= fn == `TPU_FLOAT_LOG      ? {p, small_number(exponent), `TPU_FLOAT_LN2}
                              : fn == `TPU_FLOAT_LOGISTIC ? (negative ? {x, x, p} : {`TPU_FLOAT_ONE, `TPU_FLOAT_ONE, p})
                              : below_half    ? {x, x, p} : {`TPU_FLOAT_MINUS_ZERO, `TPU_FLOAT_ONE, p};
      endcase
    end
  end

endmodule

`default_nettype wire
