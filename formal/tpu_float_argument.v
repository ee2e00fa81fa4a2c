// tpu_float_argument: what docs/float.md section 3 says of an argument before a function's first step, for each function and each argument.
// Sizes of numbers are compared as words without their sign.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_argument (
  input wire        clk,
  input wire        en,
  input wire [2:0]  fn,
  input wire [31:0] value
);

  wire        known;
  wire [31:0] x;
  wire        beyond;
  wire [9:0]  scale;

  tpu_float_argument dut (
    .en     (en),
    .fn     (fn),
    .value  (value),
    .known  (known),
    .x      (x),
    .beyond (beyond),
    .scale  (scale)
  );

  localparam [2:0] EXP        = 3'd1;
  localparam [2:0] LOG        = 3'd2;
  localparam [2:0] RECIPROCAL = 3'd3;
  localparam [2:0] RSQRT      = 3'd4;
  localparam [2:0] TANH       = 3'd5;
  localparam [2:0] LOGISTIC   = 3'd6;

  localparam [30:0] SMALLEST = 31'h00800000;
  localparam [30:0] SIXTEEN  = 31'h41800000;
  localparam [30:0] BOUND    = 31'h43000000;
  localparam [30:0] INFINITY = 31'h7F800000;

  wire        negative = value[31];
  wire [30:0] size     = value[30:0];
  wire        zero     = size < SMALLEST;
  wire        infinite = size == INFINITY;

  // {known, result}
  reg [32:0] expected;

  always @* begin
    expected = 33'd0;
    if (size > INFINITY) expected = {1'b1, 32'h7FC00000};
    else if (fn == EXP && size >= BOUND) expected = {1'b1, negative ? 32'd0 : {1'b0, INFINITY}};
    else if (fn == LOG && zero) expected = {1'b1, 1'b1, INFINITY};
    else if (fn == LOG && negative) expected = {1'b1, 32'h7FC00000};
    else if (fn == LOG && infinite) expected = {1'b1, 1'b0, INFINITY};
    else if (fn == RECIPROCAL && zero) expected = {1'b1, negative, INFINITY};
    else if (fn == RECIPROCAL && infinite) expected = {1'b1, negative, 31'd0};
    else if (fn == RSQRT && zero) expected = {1'b1, negative, INFINITY};
    else if (fn == RSQRT && negative) expected = {1'b1, 32'h7FC00000};
    else if (fn == RSQRT && infinite) expected = {1'b1, 32'd0};
    else if (fn == TANH && size >= SIXTEEN) expected = {1'b1, negative, 31'h3F800000};
  end

  wire signed [9:0] k      = $signed({2'd0, size[30:23]}) - 10'sd127;
  wire signed [9:0] even_k = k[0] ? k - 10'sd1 : k;
  wire              upper  = size[22:0] >= 23'd53 << 16;
  wire signed [9:0] moved  = scale;

  // Nothing has a register, but without one no trace can be replayed.
  reg begun_q = 1'b0;
  always @(posedge clk) begun_q <= 1'b1;

  always @* begin
    if (begun_q && en) begin
      assert (known == expected[32]);
      if (known) assert (x == expected[31:0]);
      else assert (x == {negative || fn == LOGISTIC, zero ? 31'd0 : size});
      assert (beyond == (fn == LOGISTIC && size >= BOUND));
      if (fn == LOG) assert (known || moved == k + $signed({9'd0, upper}));
      else if (fn == RECIPROCAL) assert (known || moved == -k);
      else if (fn == RSQRT) assert (known || moved + moved == -even_k);
      else assert (moved == 0);
    end else if (begun_q) begin
      assert (!known);
      assert (moved == 0);
    end
  end

endmodule

`default_nettype wire
