// tpu_lane_map: the first two weights of a window's middle row are those that the window handed on, in order, as numbers of 8 bits; whatever factors of
// taps the registers held before, a column meets no others. Columns whose middle pixel is 1 show them.
//
// The window is the solver's, and so is what is done in each stage.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_lane_control.vh"

module formal_tpu_lane_map_window (
  input wire                     clk,
  input wire [`TPU_TAP_BITS-1:0] tap,
  input wire [2:0]               present,
  input wire [7:0]               a_byte,
  input wire [31:0]              a_word,
  input wire [7:0]               b_byte,
  input wire [7:0]               c_byte
);

  tpu_lane_map #(
    .WINDOW (1)
  ) dut (
    .clk     (clk),
    .tap     (tap),
    .present (present),
    .a_byte  (a_byte),
    .a_word  (a_word),
    .b_byte  (b_byte),
    .c_byte  (c_byte),
    .sum     ()
  );

  (* hierconn *) wire [7:0]  \dut.g_window.u_window.third_weight ;
  (* hierconn *) wire [8:0]  \dut.g_window.u_window.middle_pixel ;
  (* hierconn *) wire [15:0] \dut.g_window.u_window.middle_product0 ;
  (* hierconn *) wire [15:0] \dut.g_window.u_window.middle_product1 ;
  wire signed [15:0] product0 = \dut.g_window.u_window.middle_product0 ;
  wire signed [15:0] product1 = \dut.g_window.u_window.middle_product1 ;

  // Weights that came behind the last tap, up to two, and these
  reg        [1:0] weights_q = 2'd0;
  reg signed [7:0] weight0_q;
  reg signed [7:0] weight1_q;

  always @(posedge clk) begin
    if (tap[`TPU_TAP_2_EN]) begin
      weights_q <= 2'd0;
    end else if (tap[`TPU_TAP_2_WEIGHT]) begin
      weights_q <= {weights_q[0], 1'b1};
      weight0_q <= weight1_q;
      weight1_q <= \dut.g_window.u_window.third_weight ;
    end
  end

  // In the cycle before a column with a middle pixel of 1 was multiplied; with these.
  reg              column_q = 1'b0;
  reg        [1:0] known_q;
  reg signed [7:0] factor0_q;
  reg signed [7:0] factor1_q;

  always @(posedge clk) begin
    column_q  <= tap[`TPU_TAP_3_COLUMN] && \dut.g_window.u_window.middle_pixel == 9'd1;
    known_q   <= weights_q;
    factor0_q <= weight0_q;
    factor1_q <= weight1_q;
  end

  always @* begin
    if (column_q && known_q[0]) begin
      assert (product0 >= -16'sd128 && product0 <= 16'sd127);
      assert (product1 == factor1_q);
      assert (!known_q[1] || product0 == factor0_q);
    end
  end

endmodule

`default_nettype wire
