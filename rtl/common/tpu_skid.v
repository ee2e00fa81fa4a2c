// Two-entry queue in registers that cuts both directions of a handshake: in_ready, out_valid and out_data come from registers.
//
// A word appears at the output in the cycle after it was taken; one word per cycle passes, also behind a stall.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_skid #(
  // Bits per word
  parameter WIDTH = 32
) (
  input  wire             clk,
  input  wire             rst,

  input  wire             in_valid,
  output wire             in_ready,
  input  wire [WIDTH-1:0] in_data,

  output wire             out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_data
);

  reg             valid_q;
  reg [WIDTH-1:0] data_q;
  // The word behind the one at the output, if the output stood when it came
  reg             spare_valid_q;
  reg [WIDTH-1:0] spare_q;

  wire push = in_valid && in_ready;
  wire free = !valid_q || out_ready;

  assign in_ready  = !spare_valid_q;
  assign out_valid = valid_q;
  assign out_data  = data_q;

  always @(posedge clk) begin
    if (free) begin
      data_q <= spare_valid_q ? spare_q : in_data;
    end
    if (push) begin
      spare_q <= in_data;
    end
  end

  always @(posedge clk) begin
    if (free) begin
      valid_q       <= spare_valid_q || push;
      spare_valid_q <= 1'b0;
    end else if (push) begin
      spare_valid_q <= 1'b1;
    end
    if (rst) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end
  end

  `TPU_ASSERT(a_spare_behind_a_word, valid_q || !spare_valid_q)

endmodule

`default_nettype wire
