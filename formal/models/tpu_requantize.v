// The requantiser for proofs of tpu_ivector_lane and tpu_lane_int8 around it: its stages hold what they would, but the result is an exclusive or of all that
// stage 9 takes.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_requantize #(
  parameter WIDE  = 0,
  parameter FLOAT = 0
) (
  input  wire        clk,
  input  wire [15:9] en,
  input  wire [14:9] as_float,
  input  wire        is_none,
  input  wire        is_double,
  input  wire        is_divide,
  input  wire        is_wide,
  input  wire [31:0] value,
  input  wire [31:0] bias,
  input  wire [15:0] value_high,
  input  wire [15:0] bias_high,
  input  wire [30:0] multiplier,
  input  wire [5:0]  shift,
  input  wire        divide_15,
  input  wire [7:0]  zero_15,
  output wire [31:0] result
);

  reg [32*7-1:0] stages_q;

  assign result = stages_q[32*6 +: 32];

  integer i;
  always @(posedge clk) begin
    if (en[9]) begin
      stages_q[31:0] <= value ^ {value_high, bias_high} ^ bias ^ {1'b0, multiplier}
                        ^ {as_float, 16'd0, is_none, is_double, is_divide, is_wide, shift};
    end
    for (i = 1; i < 7; i = i + 1) begin
      if (en[9 + i]) stages_q[32*i +: 32] <= stages_q[32*(i-1) +: 32];
    end
  end

endmodule

`default_nettype wire
