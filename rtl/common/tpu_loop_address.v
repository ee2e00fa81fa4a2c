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

  localparam LW = $clog2(LEVELS);

  // Bit i: loop i is `level` or inside it.
  wire [LEVELS-1:0] restart = ~(({LEVELS{1'b1}} << level) << 1);
  // Nothing in particular without a step: simulators then add for one only.
  wire [WIDTH-1:0]  next    = step ? g_loop[0].start + g_loop[0].stride : {WIDTH{1'bx}};

  assign addr = g_loop[0].start_q;

  genvar i;
  generate
    for (i = 0; i < LEVELS; i = i + 1) begin : g_loop
      // Address at the start of the current iteration; not a slice of one register, which simulators pack and unpack in every cycle.
      reg  [WIDTH-1:0] start_q;
      // Operands of the adder, for a `level` of this loop or outside. A selection by comparison: with `level*WIDTH +: WIDTH` synthesis
      // builds a multiplier and a barrel shifter.
      wire [WIDTH-1:0] start;
      wire [WIDTH-1:0] stride;
      if (i == LEVELS - 1) begin : g_outermost
        assign start  = start_q;
        assign stride = strides[i*WIDTH +: WIDTH];
      end else begin : g_inner
        assign start  = level == i[LW-1:0] ? start_q : g_loop[i+1].start;
        assign stride = level == i[LW-1:0] ? strides[i*WIDTH +: WIDTH] : g_loop[i+1].stride;
      end

      always @(posedge clk) begin
        if (load) begin
          start_q <= base;
        // Not `step && restart[i]`: simulators then test `step` once for all loops.
        end else if (step) begin
          if (restart[i]) begin
            start_q <= next;
          end
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
