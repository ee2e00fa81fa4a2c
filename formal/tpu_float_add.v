// tpu_float_add: the sum is the exact sum of both numbers, rounded once.
//
// The reference adds integers in units of the smaller number's last bit. It moves the larger number by as many places as the exponents differ,
// but by 30 at most: then the smaller number is less than a 32nd of the larger one's last bit, and its size no longer matters.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_add #(
  // How much the exponents differ
  parameter FROM = 0,
  parameter TO = 255
) (
  input wire        clk,
  input wire [31:0] a,
  input wire [31:0] b
);

  wire [31:0] sum;

  tpu_float_add dut (
    .clk    (clk),
    .en     (1'b1),
    .a      (a),
    .b      (b),
    .finish (1'b1),
    .sum    (sum)
  );

  wire [7:0] distance = a[30:23] > b[30:23] ? a[30:23] - b[30:23] : b[30:23] - a[30:23];

  always @* assume (distance >= FROM && distance <= TO);

  // ---- Reference -----------------------------------------------------------------------------------
  reg [31:0] a_q;
  reg [31:0] b_q;
  reg        given_q = 1'b0;

  always @(posedge clk) begin
    a_q     <= a;
    b_q     <= b;
    given_q <= 1'b1;
  end

  localparam PLACES = TO < 30 ? TO : 30;
  localparam BITS   = PLACES + 26;

  wire            a_large = a_q[30:23] > b_q[30:23];
  wire [31:0]     upper   = a_large ? a_q : b_q;
  wire [31:0]     lower   = a_large ? b_q : a_q;
  wire [7:0]      between = upper[30:23] - lower[30:23];
  wire [7:0]      places  = between > PLACES ? PLACES : between;
  wire [BITS-1:0] upper_units = upper[30:23] == 8'd0 ? 0 : {1'b1, upper[22:0]} << places;
  wire [BITS-1:0] lower_units = lower[30:23] == 8'd0 ? 0 : {1'b1, lower[22:0]};
  wire [BITS-1:0] total       = (upper[31] ? -upper_units : upper_units) + (lower[31] ? -lower_units : lower_units);

  wire [31:0]     rounded;

  rounding #(
    .BITS (BITS)
  ) u_rounding (
    .negative (total[BITS-1]),
    .size     (total[BITS-1] ? -total : total),
    .unit     ({2'd0, upper[30:23]} - {2'd0, places} - 10'd23),
    .result   (rounded)
  );

  wire a_nan      = &a_q[30:23] && |a_q[22:0];
  wire b_nan      = &b_q[30:23] && |b_q[22:0];
  wire a_infinite = &a_q[30:23] && ~|a_q[22:0];
  wire b_infinite = &b_q[30:23] && ~|b_q[22:0];

  always @* begin
    if (given_q) begin
      if (a_nan || b_nan || (a_infinite && b_infinite && a_q[31] != b_q[31])) assert (sum == 32'h7FC00000);
      else if (a_infinite) assert (sum == a_q);
      else if (b_infinite) assert (sum == b_q);
      else if (total == 0) assert (sum == {a_q[31] && b_q[31], 31'd0});
      else assert (sum == rounded);
    end
  end

endmodule

`default_nettype wire
