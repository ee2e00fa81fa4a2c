// tpu_float_function: numbers circulate in seven places, each with its own function, step, tag and data; a step's result does with them what
// docs/float.md section 3 says, whatever results the multiply-adder, the segments and the operands have. The registers of an empty place hold
// what they have.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_function (
  input wire        clk,
  input wire        rst,
  input wire        in_valid,
  input wire [2:0]  in_function,
  input wire [31:0] in_value,
  input wire [1:0]  in_tag
);

  // First there is a reset or any state that the invariant allows: a number needs up to 90 cycles for a way that a proof can see in one.
  reg begun_q = 1'b0;
  always @(posedge clk) begun_q <= 1'b1;

  wire        in_ready;
  wire        out_valid;
  wire [31:0] out_value;
  wire [1:0]  out_tag;

  tpu_float_function #(
    .TAG_BITS (2)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .in_valid    (in_valid),
    .in_ready    (in_ready),
    .in_function (in_function),
    .in_value    (in_value),
    .in_tag      (in_tag),
    .out_valid   (out_valid),
    .out_value   (out_value),
    .out_tag     (out_tag)
  );

  localparam [2:0] EXP        = 3'd1;
  localparam [2:0] RECIPROCAL = 3'd3;
  localparam [2:0] RSQRT      = 3'd4;
  localparam [2:0] TANH       = 3'd5;
  localparam [2:0] LOGISTIC   = 3'd6;

  // Steps of exp; of tanh the first one; those that all others have in common
  localparam [3:0] NEAREST  = 4'd0;
  localparam [3:0] WHOLE    = 4'd1;
  localparam [3:0] LOW      = 4'd3;
  localparam [3:0] SUM      = 4'd7;
  localparam [3:0] SQUARE   = 4'd8;
  localparam [3:0] DISTANCE = 4'd9;
  localparam [3:0] HORNER_0 = 4'd12;
  localparam [3:0] LAST     = 4'd13;

  // The parts around
  (* hierconn *) wire [31:0] \dut.u_fma.result ;
  (* hierconn *) wire [3:0]  \dut.u_fma.en ;
  (* hierconn *) wire [31:0] \dut.u_fma.a ;
  (* hierconn *) wire [31:0] \dut.u_fma.b ;
  (* hierconn *) wire [31:0] \dut.u_fma.c ;
  (* hierconn *) wire        \dut.u_argument.en ;
  (* hierconn *) wire [2:0]  \dut.u_argument.fn ;
  (* hierconn *) wire [31:0] \dut.u_argument.value ;
  (* hierconn *) wire        \dut.u_argument.known ;
  (* hierconn *) wire [31:0] \dut.u_argument.x ;
  (* hierconn *) wire        \dut.u_argument.beyond ;
  (* hierconn *) wire [9:0]  \dut.u_argument.scale ;
  (* hierconn *) wire        \dut.u_segment.en ;
  (* hierconn *) wire        \dut.u_segment.choose ;
  (* hierconn *) wire [2:0]  \dut.u_segment.fn ;
  (* hierconn *) wire [31:0] \dut.u_segment.x ;
  (* hierconn *) wire [31:0] \dut.u_segment.square ;
  (* hierconn *) wire [8:0]  \dut.u_segment.address_in ;
  (* hierconn *) wire [8:0]  \dut.u_segment.address_out ;
  (* hierconn *) wire [31:0] \dut.u_segment.y ;
  (* hierconn *) wire [31:0] \dut.u_segment.start ;
  (* hierconn *) wire [31:0] \dut.u_segment.c0 ;
  (* hierconn *) wire [31:0] \dut.u_segment.c1 ;
  (* hierconn *) wire [31:0] \dut.u_segment.c2 ;
  (* hierconn *) wire [31:0] \dut.u_segment.c3 ;
  (* hierconn *) wire        \dut.u_operands.en ;
  (* hierconn *) wire [2:0]  \dut.u_operands.fn ;
  (* hierconn *) wire [3:0]  \dut.u_operands.step ;
  (* hierconn *) wire        \dut.u_operands.negative ;
  (* hierconn *) wire [31:0] \dut.u_operands.x ;
  (* hierconn *) wire [31:0] \dut.u_operands.t ;
  (* hierconn *) wire [8:0]  \dut.u_operands.exponent ;
  (* hierconn *) wire [31:0] \dut.u_operands.p ;
  (* hierconn *) wire [31:0] \dut.u_operands.y ;
  (* hierconn *) wire [31:0] \dut.u_operands.start ;
  (* hierconn *) wire [31:0] \dut.u_operands.c0 ;
  (* hierconn *) wire [31:0] \dut.u_operands.c1 ;
  (* hierconn *) wire [31:0] \dut.u_operands.c2 ;
  (* hierconn *) wire [31:0] \dut.u_operands.c3 ;
  (* hierconn *) wire [31:0] \dut.u_operands.a ;
  (* hierconn *) wire [31:0] \dut.u_operands.b ;
  (* hierconn *) wire [31:0] \dut.u_operands.addend ;

  //// Reference: the places R, O, the multiplier's 0 to 3, and F, in this order ////

  // Function, step, known, beyond, negative, tag
  localparam CONTROL = 12;
  // x, t, how far the exponent is moved, address
  localparam DATA = 83;

  reg [6:0]         valid_q;
  reg [CONTROL-1:0] control_q[0:6];
  reg [DATA-1:0]    data_q[0:6];
  // The result of the step before, in R and O, and whether the number there is no new one
  reg [31:0]        p_r_q;
  reg [31:0]        p_o_q;
  reg [1:0]         old_q;

  wire [2:0]  fn;
  wire [3:0]  step;
  wire        known;
  wire        beyond;
  wire        negative;
  wire [1:0]  tag;
  wire [31:0] x;
  wire [31:0] t;
  wire [9:0]  moved;
  wire [8:0]  address;

  assign {fn, step, known, beyond, negative, tag} = control_q[6];
  assign {x, t, moved, address} = data_q[6];

  wire [31:0] p = \dut.u_fma.result ;
  wire        last = step == LAST || (fn == EXP && step == SUM) || ((fn == RECIPROCAL || fn == RSQRT) && step == HORNER_0);
  wire        enters = in_valid && (!valid_q[6] || last);

  // An exponent is moved by -256 to 255: of small_exp by 185 at most, as |x| is below 128, of others by what tpu_float_argument says.
  function in_range;
    input [9:0] k;
    in_range = k[9] == k[8];
  endfunction

  // The nearest integer, in words; its lowest bits are an exponential's address.
  wire [31:0] n = p - 32'h4B400000;

  always @* assume ((step != NEAREST || in_range(n[15:6])) && in_range(\dut.u_argument.scale ));

  // scale(p, k): two's complement
  wire signed [10:0] exponent = $signed({3'd0, p[30:23]}) + $signed({moved[9], moved});
  wire        [30:0] size     = exponent >= 11'sd255 ? 31'h7F800000 : exponent <= 11'sd0 ? 31'd0 : {exponent[7:0], p[22:0]};
  wire        [31:0] scaled   = {p[31], size};

  integer i;

  always @(posedge clk) begin
    valid_q <= rst ? 7'd0 : {valid_q[5:0], enters || (valid_q[6] && !last)};
    for (i = 1; i < 7; i = i + 1) begin
      control_q[i] <= control_q[i-1];
      data_q[i]    <= data_q[i-1];
    end
    data_q[1][8:0] <= \dut.u_segment.address_out ;
    if (enters) begin
      control_q[0] <= {in_function, in_function == EXP || in_function == LOGISTIC ? NEAREST : in_function == TANH ? SQUARE : DISTANCE,
                       \dut.u_argument.known , \dut.u_argument.beyond , in_value[31], in_tag};
      data_q[0]    <= {\dut.u_argument.x , 32'd0, \dut.u_argument.scale , 9'd0};
    end else begin
      control_q[0] <= {fn, step == SUM ? DISTANCE : step + 4'd1, known, beyond, negative, tag};
      data_q[0]    <= {step != SUM || known ? x : beyond ? 32'd0 : scaled,
                       step == WHOLE || step == LOW || step == DISTANCE ? p : t,
                       step == NEAREST ? n[15:6] : moved, step == NEAREST ? {3'd0, n[5:0]} : address};
    end
    p_r_q  <= p;
    p_o_q  <= p_r_q;
    old_q  <= {old_q[0], !enters};
  end

  reg        leaves_q;
  reg [31:0] value_q;
  reg [1:0]  tag_q;
  reg [31:0] out_value_q;
  reg [1:0]  out_tag_q;

  always @(posedge clk) begin
    leaves_q    <= !rst && valid_q[6] && last;
    tag_q       <= tag;
    value_q     <= known                        ? x
                 : fn == EXP || fn == RSQRT     ? scaled
                 : fn == RECIPROCAL             ? {negative, size}
                 : fn == TANH && x[30:0] >= 31'h3F000000 ? {negative, p[30:0]} : p;
    out_value_q <= out_value;
    out_tag_q   <= out_tag;
  end

  reg reset_q = 1'b0;
  always @(posedge clk) reset_q <= rst;

  always @* begin
    if (begun_q) begin
      assert (in_ready == (!valid_q[6] || last));
      assert (out_valid == leaves_q);
      // A result; and until the next one, but for a reset
      if (out_valid) assert (out_value == value_q && out_tag == tag_q);
      else if (!reset_q) assert (out_value == out_value_q && out_tag == out_tag_q);
    end
  end

  //// What the parts around get ////

  wire [CONTROL-1:0] control_r = control_q[0];
  wire [CONTROL-1:0] control_o = control_q[1];
  wire [DATA-1:0]    data_r    = data_q[0];
  wire [DATA-1:0]    data_o    = data_q[1];

  always @* begin
    if (begun_q) begin
      assert (\dut.u_argument.en == enters);
      if (enters) assert ({\dut.u_argument.fn , \dut.u_argument.value } == {in_function, in_value});
      assert (\dut.u_segment.en == valid_q[0]);
      if (valid_q[0]) begin
        assert (\dut.u_segment.choose == (control_r[8:5] == DISTANCE));
        assert (\dut.u_segment.fn == control_r[11:9]);
        assert ({\dut.u_segment.x , \dut.u_segment.address_in } == {data_r[82:51], data_r[8:0]});
        if (old_q[0]) assert (\dut.u_segment.square == p_r_q);
      end
      assert (\dut.u_operands.en == valid_q[1]);
      if (valid_q[1]) begin
        assert ({\dut.u_operands.fn , \dut.u_operands.step , \dut.u_operands.negative } == {control_o[11:5], control_o[2]});
        assert ({\dut.u_operands.x , \dut.u_operands.t , \dut.u_operands.exponent } == {data_o[82:19], data_o[17:9]});
        if (old_q[1]) assert (\dut.u_operands.p == p_o_q);
      end
      assert ({\dut.u_operands.y , \dut.u_operands.start } == {\dut.u_segment.y , \dut.u_segment.start });
      assert ({\dut.u_operands.c0 , \dut.u_operands.c1 } == {\dut.u_segment.c0 , \dut.u_segment.c1 });
      assert ({\dut.u_operands.c2 , \dut.u_operands.c3 } == {\dut.u_segment.c2 , \dut.u_segment.c3 });
      assert (\dut.u_fma.en == valid_q[5:2]);
      assert ({\dut.u_fma.a , \dut.u_fma.b , \dut.u_fma.c } == {\dut.u_operands.a , \dut.u_operands.b , \dut.u_operands.addend });
    end
  end

  //// Invariant: the registers of each place ////

  (* hierconn *) wire [CONTROL:0] \dut.control_r_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_r_q ;
  (* hierconn *) wire [CONTROL:0] \dut.control_o_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_o_q ;
  (* hierconn *) wire [CONTROL:0] \dut.control_0_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_0_q ;
  (* hierconn *) wire [CONTROL:0] \dut.control_1_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_1_q ;
  (* hierconn *) wire [CONTROL:0] \dut.control_2_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_2_q ;
  (* hierconn *) wire [CONTROL:0] \dut.control_3_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_3_q ;
  (* hierconn *) wire [CONTROL:0] \dut.control_4_q ;
  (* hierconn *) wire [DATA-1:0]  \dut.data_4_q ;
  (* hierconn *) wire [31:0]      \dut.p_r_q ;
  (* hierconn *) wire [31:0]      \dut.p_o_q ;

  wire [CONTROL:0] controls[0:6];
  wire [DATA-1:0]  datas[0:6];

  assign controls[0] = \dut.control_r_q ;
  assign datas[0]    = \dut.data_r_q ;
  assign controls[1] = \dut.control_o_q ;
  assign datas[1]    = \dut.data_o_q ;
  assign controls[2] = \dut.control_0_q ;
  assign datas[2]    = \dut.data_0_q ;
  assign controls[3] = \dut.control_1_q ;
  assign datas[3]    = \dut.data_1_q ;
  assign controls[4] = \dut.control_2_q ;
  assign datas[4]    = \dut.data_2_q ;
  assign controls[5] = \dut.control_3_q ;
  assign datas[5]    = \dut.data_3_q ;
  assign controls[6] = \dut.control_4_q ;
  assign datas[6]    = \dut.data_4_q ;

  // Data of an empty place stay as they are: an idle unit costs a simulation, and a chip, nothing.
  // The reset before was the first one: what there was before is nobody's.
  reg            reset_first_q;
  reg [6:0]      moved_q;
  reg [DATA-1:0] before_q[0:6];
  reg [31:0]     p_r_before_q;
  reg [31:0]     p_o_before_q;

  always @(posedge clk) begin
    reset_first_q <= !begun_q && rst;
    moved_q       <= {valid_q[5:0], enters || valid_q[6]};
    p_r_before_q  <= \dut.p_r_q ;
    p_o_before_q  <= \dut.p_o_q ;
  end

  wire [6:0] places_ok;
  wire [6:0] holds_ok;
  wire       before_ok = (!valid_q[0] || !old_q[0] || \dut.p_r_q == p_r_q) && (!valid_q[1] || !old_q[1] || \dut.p_o_q == p_o_q);

  genvar k;
  generate
    for (k = 0; k < 7; k = k + 1) begin : g_place
      assign places_ok[k] = controls[k][CONTROL] == valid_q[k]
                            && (!valid_q[k] || (in_range(datas[k][18:9]) && controls[k][CONTROL-1:0] == control_q[k] && datas[k] == data_q[k]));
      assign holds_ok[k]  = moved_q[k] || datas[k] == before_q[k];

      always @(posedge clk) before_q[k] <= datas[k];
    end
  endgenerate

  always @* begin
    if (begun_q) begin
      assert (&places_ok);
      assert (before_ok);
      assert (reset_first_q || &holds_ok);
      assert (reset_first_q || moved_q[0] || \dut.p_r_q == p_r_before_q);
      assert (reset_first_q || moved_q[1] || \dut.p_o_q == p_o_before_q);
    end else if (!rst) begin
      assume (&places_ok && before_ok);
    end
  end

endmodule

`default_nettype wire
