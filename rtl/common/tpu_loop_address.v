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

  output wire [WIDTH-1:0]          addr,
  // What `addr` is in the next cycle
  output wire [WIDTH-1:0]          next_addr
);

  localparam LW = $clog2(LEVELS);

  wire [WIDTH-1:0] next = g_loop[0].start + g_loop[0].stride;

  assign addr      = g_loop[0].start_q;
  assign next_addr = load ? base : step ? next : addr;

  genvar i;
  generate
    for (i = 0; i < LEVELS; i = i + 1) begin : g_loop
      // Address at the start of the current iteration.
      reg  [WIDTH-1:0] start_q;
      // This loop advances; this loop or one outside of it advances.
      wire             advances = level == i[LW-1:0];
      wire             restarts;
      // Operands of the adder, if this loop or one outside of it advances, else 0. ANDs and ORs select them: a part select by `level`
      // would become a multiplier and a barrel shifter.
      wire [WIDTH-1:0] own_start  = start_q & {WIDTH{advances}};
      wire [WIDTH-1:0] own_stride = strides[i*WIDTH +: WIDTH] & {WIDTH{advances}};
      wire [WIDTH-1:0] start;
      wire [WIDTH-1:0] stride;
      if (i == LEVELS - 1) begin : g_outermost
        assign restarts = advances;
        assign start    = own_start;
        assign stride   = own_stride;
      end else begin : g_inner
        assign restarts = advances || g_loop[i+1].restarts;
        assign start    = own_start | g_loop[i+1].start;
        assign stride   = own_stride | g_loop[i+1].stride;
      end

      always @(posedge clk) begin
        if (load || (step && restarts)) begin
          start_q <= next_addr;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
