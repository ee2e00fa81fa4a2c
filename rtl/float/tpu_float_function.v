// Exponential, logarithm, reciprocal, reciprocal square root, hyperbolic tangent and logistic function of binary32 numbers, by the steps of
// docs/float.md section 3: a table and a polynomial, evaluated with one fused multiply-adder.
//
// Seven numbers circulate. Each visits the multiplier once per turn of seven cycles and does one step of its function there:
//
//   F   the step's result comes back. The number leaves, or goes on; a new one may take the place of one that leaves.
//   R   the table is read at the address of the number's segment
//   O   operands of the next step
//   +4  the multiplier's stages
//
// Steps: exponential 8, logarithm 5, reciprocal and reciprocal square root 4, tangent 6, logistic function 13. As seven numbers circulate, this
// is also how many cycles a result takes on average. in_ready says that the place in F is free; it does not depend on in_valid. Numbers
// of the same function leave in the order in which they came; of others `in_tag`, which comes out as `out_tag`, says which they are.
//
// Data of an empty place stay as they are: an idle unit costs a simulation, and a chip, nothing. What a step makes (t, address) is 0 in a new
// number, so that no number's steps work with another one's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_function #(
  parameter TAG_BITS = 8
) (
  input  wire                clk,
  input  wire                rst,

  input  wire                in_valid,
  output wire                in_ready,
  // 1 exponential, 2 logarithm, 3 reciprocal, 4 reciprocal square root, 5 tangent, 6 logistic function
  input  wire [2:0]          in_function,
  input  wire [31:0]         in_value,
  input  wire [TAG_BITS-1:0] in_tag,

  // One cycle; nobody can hold it back. Value and tag stay until the next result.
  output wire                out_valid,
  output wire [31:0]         out_value,
  output wire [TAG_BITS-1:0] out_tag
);

`include "tpu_float_function.vh"

  // ---- F: a result comes back -------------------------------------------------------------------------
  // Valid, function, step, the result is known, beyond 128, x's sign, tag
  localparam CONTROL_BITS = TAG_BITS + 11;
  // x, or the known result, or exp within logistic; t; by how much the exponent is moved; address of the segment
  localparam DATA_BITS = 83;

  wire [CONTROL_BITS-1:0] control_f;
  wire [DATA_BITS-1:0]    data_f;
  wire [31:0]             fma_result;

  wire                f_valid    = control_f[CONTROL_BITS-1];
  wire [2:0]          f_function = control_f[TAG_BITS+9:TAG_BITS+7];
  wire [3:0]          f_step     = control_f[TAG_BITS+6:TAG_BITS+3];
  wire                f_known    = control_f[TAG_BITS+2];
  wire                f_beyond   = control_f[TAG_BITS+1];
  wire                f_negative = control_f[TAG_BITS];
  wire [31:0]         f_x        = data_f[82:51];
  wire [31:0]         f_t        = data_f[50:19];
  wire [9:0]          f_scale    = data_f[18:9];

  wire f_last = f_step == `TPU_FLOAT_LAST || (f_step == `TPU_FLOAT_EXP_SUM && f_function == `TPU_FLOAT_EXP)
                || (f_step == `TPU_FLOAT_HORNER_0 && (f_function == `TPU_FLOAT_RECIPROCAL || f_function == `TPU_FLOAT_RSQRT));
  wire leaves = f_valid && f_last;
  wire enters = in_valid && in_ready;

  assign in_ready = !f_valid || f_last;

  // The exponent is moved; without rounding
  function [31:0] scaled;
    input [31:0] p;
    input [9:0]  k;
    reg   [9:0]  exponent;
    begin
      exponent = {2'd0, p[30:23]} + k;
      if (exponent[9] || exponent == 10'd0) begin
        scaled = {p[31], 31'd0};
      end else if (exponent >= 10'd255) begin
        scaled = {p[31], `TPU_FLOAT_INFINITY_SIZE};
      end else begin
        scaled = {p[31], exponent[7:0], p[22:0]};
      end
    end
  endfunction

  // Computed only where it is wanted, for the simulation's sake
  reg  [31:0] f_scaled;

  always @* begin
    f_scaled = 32'd0;
    if (f_valid) begin
      f_scaled = scaled(fma_result, f_scale);
    end
  end

  wire        f_small  = f_x[30:23] < 8'd126;

  reg                out_valid_q;
  reg [31:0]         out_value_q;
  reg [TAG_BITS-1:0] out_tag_q;

  assign out_valid = out_valid_q;
  assign out_value = out_value_q;
  assign out_tag   = out_tag_q;

  always @(posedge clk) begin
    out_valid_q <= leaves;
    if (leaves) begin
      out_tag_q <= control_f[TAG_BITS-1:0];
      if (f_known) begin
        out_value_q <= f_x;
      end else if (f_function == `TPU_FLOAT_EXP || f_function == `TPU_FLOAT_RSQRT) begin
        out_value_q <= f_scaled;
      end else if (f_function == `TPU_FLOAT_RECIPROCAL) begin
        out_value_q <= {f_negative, f_scaled[30:0]};
      end else begin
        out_value_q <= {f_function == `TPU_FLOAT_TANH && !f_small ? f_negative : fma_result[31], fma_result[30:0]};
      end
    end
    if (rst) begin
      out_valid_q <= 1'b0;
    end
  end

  // What comes in
  wire [31:0] in_x;
  wire        in_known;
  wire        in_beyond;
  wire [9:0]  in_scale;
  wire [3:0]  in_step = in_function == `TPU_FLOAT_EXP || in_function == `TPU_FLOAT_LOGISTIC ? `TPU_FLOAT_EXP_NEAREST : in_function == `TPU_FLOAT_TANH ? `TPU_FLOAT_SQUARE : `TPU_FLOAT_DISTANCE;

  tpu_float_argument u_argument (
    .en     (enters),
    .fn     (in_function),
    .value  (in_value),
    .x      (in_x),
    .known  (in_known),
    .beyond (in_beyond),
    .scale  (in_scale)
  );

  reg [CONTROL_BITS-1:0] control_r_q;
  reg [DATA_BITS-1:0]    data_r_q;
  // The result of the step before
  reg [31:0]             p_r_q;

  // exp within logistic has ended: it is the argument from here on.
  wire [31:0] f_z = f_beyond ? 32'd0 : f_scaled;
  // n, whose lowest six bits are the address, and the others by how much exp's exponent is moved
  wire [18:0] f_n = f_step == `TPU_FLOAT_EXP_NEAREST ? {fma_result[15:6], 3'd0, fma_result[5:0]} : data_f[18:0];

  always @(posedge clk) begin
    control_r_q <= enters ? {1'b1, in_function, in_step, in_known, in_beyond, in_value[31], in_tag}
                 : {f_valid && !f_last, f_function, f_step == `TPU_FLOAT_EXP_SUM ? `TPU_FLOAT_DISTANCE : f_step + 4'd1, control_f[TAG_BITS+2:0]};
    if (enters) begin
      data_r_q <= {in_x, 32'd0, in_scale, 9'd0};
    end else if (f_valid) begin
      data_r_q <= {f_step == `TPU_FLOAT_EXP_SUM && !f_known ? f_z : f_x,
                   f_step == `TPU_FLOAT_EXP_WHOLE || f_step == `TPU_FLOAT_EXP_LOW || f_step == `TPU_FLOAT_DISTANCE ? fma_result : f_t, f_n};
      p_r_q    <= fma_result;
    end
    if (rst) begin
      control_r_q[CONTROL_BITS-1] <= 1'b0;
    end
  end

  // ---- R: segment --------------------------------------------------------------------------------------
  wire                r_valid    = control_r_q[CONTROL_BITS-1];
  wire [2:0]          r_function = control_r_q[TAG_BITS+9:TAG_BITS+7];
  wire [3:0]          r_step     = control_r_q[TAG_BITS+6:TAG_BITS+3];

  wire [8:0]  r_address;
  wire [31:0] o_y;
  wire [31:0] o_start;
  wire [31:0] c0;
  wire [31:0] c1;
  wire [31:0] c2;
  wire [31:0] c3;

  tpu_float_segment u_segment (
    .clk         (clk),
    .en          (r_valid),
    .choose      (r_step == `TPU_FLOAT_DISTANCE),
    .fn          (r_function),
    .x           (data_r_q[82:51]),
    .square      (p_r_q),
    .address_in  (data_r_q[8:0]),
    .address_out (r_address),
    .y           (o_y),
    .start       (o_start),
    .c0          (c0),
    .c1          (c1),
    .c2          (c2),
    .c3          (c3)
  );

  reg [CONTROL_BITS-1:0] control_o_q;
  reg [DATA_BITS-1:0]    data_o_q;
  reg [31:0]             p_o_q;

  always @(posedge clk) begin
    control_o_q <= control_r_q;
    if (r_valid) begin
      data_o_q <= {data_r_q[DATA_BITS-1:9], r_address};
      p_o_q    <= p_r_q;
    end
    if (rst) begin
      control_o_q[CONTROL_BITS-1] <= 1'b0;
    end
  end

  // ---- O: operands ---------------------------------------------------------------------------------------
  wire        o_valid = control_o_q[CONTROL_BITS-1];
  wire [31:0] factor_a;
  wire [31:0] factor_b;
  wire [31:0] addend;

  tpu_float_operands u_operands (
    .clk      (clk),
    .en       (o_valid),
    .fn       (control_o_q[TAG_BITS+9:TAG_BITS+7]),
    .step     (control_o_q[TAG_BITS+6:TAG_BITS+3]),
    .negative (control_o_q[TAG_BITS]),
    .x        (data_o_q[82:51]),
    .t        (data_o_q[50:19]),
    .exponent (data_o_q[17:9]),
    .p        (p_o_q),
    .y        (o_y),
    .start    (o_start),
    .c0       (c0),
    .c1       (c1),
    .c2       (c2),
    .c3       (c3),
    .a        (factor_a),
    .b        (factor_b),
    .addend   (addend)
  );

  // ---- Multiplier; control and data travel beside it -------------------------------------------------------
  reg [CONTROL_BITS-1:0] control_0_q, control_1_q, control_2_q, control_3_q, control_4_q;
  reg [DATA_BITS-1:0]    data_0_q, data_1_q, data_2_q, data_3_q, data_4_q;

  wire [3:0] en = {control_3_q[CONTROL_BITS-1], control_2_q[CONTROL_BITS-1], control_1_q[CONTROL_BITS-1], control_0_q[CONTROL_BITS-1]};

  assign control_f = control_4_q;
  assign data_f    = data_4_q;

  tpu_float_fma u_fma (
    .clk    (clk),
    .en     (en),
    .a      (factor_a),
    .b      (factor_b),
    .c      (addend),
    .result (fma_result)
  );

  always @(posedge clk) begin
    control_0_q <= control_o_q;
    control_1_q <= control_0_q;
    control_2_q <= control_1_q;
    control_3_q <= control_2_q;
    control_4_q <= control_3_q;
    if (o_valid) begin
      data_0_q <= data_o_q;
    end
    if (en[0]) begin
      data_1_q <= data_0_q;
    end
    if (en[1]) begin
      data_2_q <= data_1_q;
    end
    if (en[2]) begin
      data_3_q <= data_2_q;
    end
    if (en[3]) begin
      data_4_q <= data_3_q;
    end
    if (rst) begin
      control_0_q[CONTROL_BITS-1] <= 1'b0;
      control_1_q[CONTROL_BITS-1] <= 1'b0;
      control_2_q[CONTROL_BITS-1] <= 1'b0;
      control_3_q[CONTROL_BITS-1] <= 1'b0;
      control_4_q[CONTROL_BITS-1] <= 1'b0;
    end
  end

endmodule

`default_nettype wire
