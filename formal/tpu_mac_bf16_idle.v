// tpu_mac_bf16: where floating-point arithmetic is not enabled, an int8 sum comes out, and its registers hold what they have.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_mac_bf16_idle #(
  parameter PSUM_BITS = 20
) (
  input wire        clk,
  input wire        rst,
  input wire        swap,
  input wire        float_en,
  input wire        weights_en,
  input wire        shift_in,
  input wire [8:0]  a_in,
  input wire [8:0]  scale_in,
  input wire [15:0] w_in,
  input wire [31:0] p_in
);

  wire [31:0] p_out;
  wire        shift_out;
  wire [8:0]  a_out;
  wire [8:0]  scale_out;
  wire [15:0] w_out;

  tpu_mac_bf16 #(
    .PSUM_BITS (PSUM_BITS)
  ) dut (
    .clk        (clk),
    .rst        (rst),
    .swap       (swap),
    .float_en   (float_en),
    .weights_en (weights_en),
    .shift_in   (shift_in),
    .shift_out  (shift_out),
    .a_in       (a_in),
    .a_out      (a_out),
    .scale_in   (scale_in),
    .scale_out  (scale_out),
    .w_in       (w_in),
    .w_out      (w_out),
    .p_in       (p_in),
    .p_out      (p_out)
  );

  //// Reference: the sum of the element's own operands ////

  (* hierconn *) wire signed [8:0] \dut.a_q ;
  (* hierconn *) wire signed [8:0] \dut.weight_q ;

  wire signed [8:0]  factor_a = \dut.a_q ;
  wire signed [8:0]  factor_w = \dut.weight_q ;
  wire signed [17:0] product  = factor_a * factor_w;
  reg  signed [15:0] product_q;
  reg  [31:0]        p_q;
  reg  [31:0]        sum_1_q;
  reg  [31:0]        sum_q;
  reg                enabled_q;
  reg  [2:0]         given_q = 3'd0;

  always @(posedge clk) begin
    product_q <= product[15:0];
    p_q       <= p_in;
    sum_1_q   <= p_q + {{16{product_q[15]}}, product_q};
    sum_q     <= sum_1_q;
    enabled_q <= float_en;
    given_q   <= {given_q[1:0], 1'b1};
  end

  always @* if (given_q[2] && !enabled_q) assert (p_out == {{(32-PSUM_BITS){1'b0}}, sum_q[PSUM_BITS-1:0]});

  // Invariant: the registers of int8 sums
  (* hierconn *) wire [15:0]          \dut.product_q ;
  (* hierconn *) wire [31:0]          \dut.p_1_q ;
  (* hierconn *) wire [PSUM_BITS-1:0] \dut.int8_sum_q ;

  always @* begin
    if (given_q[0]) assert (\dut.product_q == product_q && \dut.p_1_q == p_q);
    if (given_q[1]) assert (\dut.int8_sum_q == sum_1_q[PSUM_BITS-1:0]);
    assert (given_q[0] || !given_q[1]);
    assert (given_q[1] || !given_q[2]);
  end

  //// Registers of floating-point arithmetic ////

  (* hierconn *) wire        \dut.bf16_1_q ;
  (* hierconn *) wire        \dut.bf16_2_q ;
  (* hierconn *) wire [22:0] \dut.terms_q ;
  (* hierconn *) wire [12:0] \dut.scale_q ;
  (* hierconn *) wire [30:0] \dut.total_q ;

  wire [75:0] held = {scale_out, \dut.terms_q , \dut.scale_q , \dut.total_q };
  reg  [75:0] held_q;
  reg  [1:0]  bf16_q;
  reg         reset_q;

  always @(posedge clk) begin
    held_q  <= held;
    bf16_q  <= {\dut.bf16_1_q , \dut.bf16_2_q };
    reset_q <= rst;
  end

  always @* begin
    if (given_q[0]) begin
      assert (enabled_q || held == held_q);
      if (reset_q) assert ({\dut.bf16_1_q , \dut.bf16_2_q } == 2'd0);
      else assert (enabled_q || {\dut.bf16_1_q , \dut.bf16_2_q } == bf16_q);
    end
  end

endmodule

`default_nettype wire
