// tpu_float_operands: each step multiplies and adds what docs/float.md section 3 says, whatever the other inputs hold; operands stay until the next
// step.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_operands (
  input wire        clk,
  input wire        en,
  input wire [2:0]  fn,
  input wire [3:0]  step,
  input wire        negative,
  input wire [31:0] x,
  input wire [31:0] t,
  input wire [8:0]  exponent,
  input wire [31:0] p,
  input wire [31:0] y,
  input wire [31:0] start,
  input wire [31:0] c0,
  input wire [31:0] c1,
  input wire [31:0] c2,
  input wire [31:0] c3
);

  wire [31:0] a;
  wire [31:0] b;
  wire [31:0] addend;

  tpu_float_operands dut (
    .clk      (clk),
    .en       (en),
    .fn       (fn),
    .step     (step),
    .negative (negative),
    .x        (x),
    .t        (t),
    .exponent (exponent),
    .p        (p),
    .y        (y),
    .start    (start),
    .c0       (c0),
    .c1       (c1),
    .c2       (c2),
    .c3       (c3),
    .a        (a),
    .b        (b),
    .addend   (addend)
  );

  localparam [2:0] LOG      = 3'd2;
  localparam [2:0] LOGISTIC = 3'd6;

  localparam [31:0] ONE        = 32'h3F800000;
  localparam [31:0] MINUS_ONE  = 32'hBF800000;
  localparam [31:0] MINUS_ZERO = 32'h80000000;
  localparam [31:0] S          = 32'h42B8AA3B;
  localparam [31:0] H          = 32'hBC317218;
  localparam [31:0] L          = 32'h2E02E308;
  localparam [31:0] M          = 32'h4B400000;
  localparam [31:0] MINUS_M    = 32'hCB400000;
  localparam [31:0] LN2        = 32'h3F317218;

  wire [8:0]  exponent_size = exponent[8] ? -exponent : exponent;
  wire [31:0] rounded;

  rounding #(
    .BITS (9)
  ) u_rounding (
    .negative (exponent[8]),
    .size     (exponent_size),
    .unit     (10'd127),
    .result   (rounded)
  );

  wire [31:0] k     = exponent == 9'd0 ? 32'd0 : rounded;
  wire        small = x[30:0] < 31'h3F000000;

  // fma(s, a, b) of docs/float.md: addend, and both factors
  reg [95:0] expected;

  always @* begin
    case (step)
      // small_exp
      4'd0:       expected = {M, x, S};
      4'd1:       expected = {p, ONE, MINUS_M};
      4'd2:       expected = {x, p, H};
      4'd3:       expected = {p, t, L};
      4'd4:       expected = {c2, p, c3};
      4'd5:       expected = {c0, t, p};
      4'd6:       expected = {c1, t, p};
      4'd7:       expected = {c0, ONE, p};
      // tanh: below 1/2 the square
      4'd8:       expected = small ? {MINUS_ZERO, x, x} : {MINUS_ZERO, 1'b0, x[30:0], ONE};
      // sub(y, start), horner
      4'd9:       expected = {y, start, MINUS_ONE};
      4'd10:      expected = {c2, p, c3};
      4'd11:      expected = {c1, t, p};
      4'd12:      expected = {c0, t, p};
      default: begin
        if (fn == LOG) expected = {p, k, LN2};
        else if (fn == LOGISTIC) expected = negative ? {x, x, p} : {ONE, ONE, p};
        else expected = small ? {x, x, p} : {MINUS_ZERO, ONE, p};
      end
    endcase
  end

  reg        given_q = 1'b0;
  reg [95:0] expected_q;

  always @(posedge clk) begin
    if (en) begin
      // The exponent of a number, and 1 more at most
      given_q    <= exponent != 9'h100;
      expected_q <= expected;
    end
  end

  always @* if (given_q) assert ({addend, a, b} == expected_q);

endmodule

`default_nettype wire
