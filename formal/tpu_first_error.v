// tpu_first_error: the first error comes out two cycles later and stays; of errors in the same cycle the one in the lowest place.
//
// One place, chosen by the solver, is followed.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_first_error #(
  parameter SOURCES = 3
) (
  input wire                  clk,
  input wire                  reset,
  input wire [SOURCES-1:0]    in_valid,
  input wire [4*SOURCES-1:0]  in_code,
  input wire [3*SOURCES-1:0]  in_unit,
  input wire [32*SOURCES-1:0] in_index
);

  reg power_on_q = 1'b1;
  always @(posedge clk) power_on_q <= 1'b0;
  wire rst = power_on_q || reset;

  wire        error_coming;
  wire        error_valid;
  wire [3:0]  error_code;
  wire [2:0]  error_unit;
  wire [31:0] error_index;

  tpu_first_error #(
    .SOURCES (SOURCES)
  ) dut (
    .clk          (clk),
    .rst          (rst),
    .in_valid     (in_valid),
    .in_code      (in_code),
    .in_unit      (in_unit),
    .in_index     (in_index),
    .error_coming (error_coming),
    .error_valid  (error_valid),
    .error_code   (error_code),
    .error_unit   (error_unit),
    .error_index  (error_index)
  );

  // The place that is followed, and the places below.
  (* anyconst *) wire [$clog2(SOURCES)-1:0] place;
  wire [SOURCES-1:0] below = (1 << place) - 1;
  always @* assume (place < SOURCES);

  // Errors came in the cycle before; in any earlier cycle since the reset; in any before that one.
  reg         came_q;
  reg         seen_q;
  reg         kept_q;
  // The first of them was in the place that is followed, and said this.
  reg         mine_q;
  reg  [38:0] said_q;

  always @(posedge clk) begin
    came_q <= !rst && in_valid != 0;
    seen_q <= !rst && (seen_q || in_valid != 0);
    kept_q <= !rst && seen_q;
    if (!seen_q && in_valid != 0) begin
      mine_q <= in_valid[place] && (in_valid & below) == 0;
      said_q <= {in_code[4*place +: 4], in_unit[3*place +: 3], in_index[32*place +: 32]};
    end
    if (rst) mine_q <= 1'b0;
  end

  always @* begin
    if (!power_on_q) begin
      a_coming: assert (error_coming == came_q);
      a_valid:  assert (error_valid == kept_q);
      a_first:  assert (!(error_valid && mine_q) || {error_code, error_unit, error_index} == said_q);
    end
  end

endmodule

`default_nettype wire
