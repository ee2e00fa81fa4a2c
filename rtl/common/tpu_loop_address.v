// One strided address of a loop nest driven by tpu_loop_counter.
//
// addr = base + sum over loops of iteration * stride, modulo 2^WIDTH, with one adder: each loop keeps the address at the
// start of its current iteration; advancing loop `level` adds its stride to that and makes the sum the new start of every
// loop inside. Give the counter's `level`, and `load`/`step` in the same cycles as the counter.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_loop_address #(
  // Loops in the nest
  parameter LEVELS = 3,
  // Bits of the address and of each stride
  parameter WIDTH = 20
) (
  input  wire                      clk,

  input  wire                      load,
  // Sampled by `load`
  input  wire [WIDTH-1:0]          base,
  // Stride of loop i in bits [i*WIDTH +: WIDTH]; must be stable from `load` to the nest's last step
  input  wire [LEVELS*WIDTH-1:0]   strides,
  input  wire                      step,
  input  wire [$clog2(LEVELS)-1:0] level,

  output wire [WIDTH-1:0]          addr
);

  // Address at the start of each loop's current iteration, loop i in bits [i*WIDTH +: WIDTH].
  wire [LEVELS*WIDTH-1:0] starts;
  // Bit i: loop i is `level` or inside it.
  wire [LEVELS-1:0]       restart = ~(({LEVELS{1'b1}} << level) << 1);

  // A selection by comparison: with `level*WIDTH +: WIDTH` synthesis builds a multiplier and a barrel shifter.
  integer k;
  reg [WIDTH-1:0] start;
  reg [WIDTH-1:0] stride;
  always @* begin
    start  = starts[WIDTH-1:0];
    stride = strides[WIDTH-1:0];
    for (k = 1; k < LEVELS; k = k + 1) begin
      if (level == k[$clog2(LEVELS)-1:0]) begin
        start  = starts[k*WIDTH +: WIDTH];
        stride = strides[k*WIDTH +: WIDTH];
      end
    end
  end

  wire [WIDTH-1:0] next = start + stride;

  assign addr = starts[WIDTH-1:0];

  genvar i;
  generate
    for (i = 0; i < LEVELS; i = i + 1) begin : g_start
      reg [WIDTH-1:0] start_q;
      assign starts[i*WIDTH +: WIDTH] = start_q;
      always @(posedge clk) begin
        if (load) begin
          start_q <= base;
        end else if (step && restart[i]) begin
          start_q <= next;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
