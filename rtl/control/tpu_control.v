// Control: fetches and decodes the program, queues instructions per unit, starts them when their semaphores allow.
//
//   tpu_fetch ▶ tpu_decode ▶ tpu_scheduler ▶ units
//
// The program passes in words of a bus beat, or of 128 bits on narrower buses: one word per cycle, so that nothing here is slower than
// the bus. From an instruction's last beat to its start: 6 cycles (tpu_fetch 2, tpu_decode 1, tpu_queues and head 3).
//
// `start` comes after a reset or program_done. The first error stops fetching, decoding and starting; the host then halts the units.
//
// More than 300 lines, half of them ports and the connections of the parts drawn above, each of which is a module.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_control #(
  // Bits per bus beat: 32, 64, 128, 256 or 512
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Floating-point opcodes and formats are legal (docs/isa.md, 10)
  parameter BF16 = 0,
  // IVECTOR and planes of int16 are legal (docs/isa.md, 11)
  parameter INT16 = 0,
  // The field float_rounding is legal (docs/isa.md, 7)
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                            clk,
  input  wire                            rst,

  // Run control
  input  wire                            start,
  input  wire [AXI_ADDR_WIDTH-1:0]       prog_addr,
  input  wire [31:0]                     prog_granules,
  input  wire                            halt,
  output wire                            program_done,

  // First error of the machine, level until reset
  output wire                            error_valid,
  output wire [3:0]                      error_code,
  output wire [2:0]                      error_unit,
  output wire [31:0]                     error_index,

  // What a timeout names, two cycles late: the first unit that waits for a semaphore; the first one with an instruction in flight
  output wire                            wait_valid,
  output wire [2:0]                      wait_unit,
  output wire [31:0]                     wait_index,
  output wire [2:0]                      busy_unit,
  output wire [31:0]                     busy_index,

  // Read client of the memory port
  output wire                            ar_valid,
  input  wire                            ar_ready,
  output wire [AXI_ADDR_WIDTH-1:0]       ar_addr,
  output wire [7:0]                      ar_len,
  input  wire                            r_valid,
  input  wire [AXI_DATA_WIDTH-1:0]       r_data,
  input  wire [1:0]                      r_resp,
  input  wire                            r_last,

  // Units, unit i in place i: instructions, completion, errors
  output wire [`TPU_NUM_UNITS-1:0]                    cmd_valid,
  input  wire [`TPU_NUM_UNITS-1:0]                    cmd_ready,
  output wire [`TPU_NUM_UNITS*`TPU_CMD_BITS-1:0]      cmd,
  output wire [32*`TPU_NUM_UNITS-1:0]                 cmd_index,
  input  wire [`TPU_NUM_UNITS-1:0]                    done,
  input  wire [`TPU_NUM_UNITS-1:0]                    err_valid,
  input  wire [4*`TPU_NUM_UNITS-1:0]                  err_code,
  input  wire [32*`TPU_NUM_UNITS-1:0]                 err_index,

  // Of each unit: an instruction is at the head of the queue; a semaphore of this class keeps it there; some are in flight; one starts
  output wire [`TPU_NUM_UNITS-1:0]                    queued,
  output wire [`TPU_NUM_UNITS-1:0]                    waiting,
  output wire [2*`TPU_NUM_UNITS-1:0]                  wait_class,
  output wire [`TPU_NUM_UNITS-1:0]                    inflight,
  output wire [`TPU_NUM_UNITS-1:0]                    starts
);

  localparam U         = `TPU_NUM_UNITS;
  localparam WORD_BITS = AXI_DATA_WIDTH < 128 ? 128 : AXI_DATA_WIDTH;
  // Words of the longest instruction, bits of a place among them
  localparam MAX_WORDS = `TPU_MAX_GRANULES * `TPU_GRANULE_BITS / WORD_BITS;
  localparam POS_BITS  = MAX_WORDS == 1 ? 1 : $clog2(MAX_WORDS);

  // A halt takes a cycle, so that its wire across the chip ends in a register.
  reg  halt_q;
  wire stop = halt_q || error_valid;

  always @(posedge clk) begin
    halt_q <= halt && !rst;
  end

  // ---- Fetch and decode -----------------------------------------------------------------------------

  wire                 g_valid;
  wire                 g_ready;
  wire [WORD_BITS-1:0] g_data;
  wire                 g_bus_error;
  wire                 range_error;

  tpu_fetch #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .WORD_BITS      (WORD_BITS)
  ) u_fetch (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_addr     (prog_addr),
    .prog_granules (prog_granules),
    .stop          (stop),
    .ar_valid      (ar_valid),
    .ar_ready      (ar_ready),
    .ar_addr       (ar_addr),
    .ar_len        (ar_len),
    .r_valid       (r_valid),
    .r_data        (r_data),
    .r_resp        (r_resp),
    .r_last        (r_last),
    .g_valid       (g_valid),
    .g_ready       (g_ready),
    .g_data        (g_data),
    .g_bus_error   (g_bus_error),
    .range_error   (range_error)
  );

  wire                 decoded_all;
  wire [U-1:0]         word_unit;
  wire                 word_ready;
  wire [POS_BITS-1:0]  word_pos;
  wire [WORD_BITS-1:0] word_data;
  wire [31:0]          index;
  wire [U-1:0]         delivered;
  wire                 decode_err_valid;
  wire [3:0]           decode_err_code;
  wire [31:0]          decode_err_index;

  tpu_decode #(
    .WORD_BITS      (WORD_BITS),
    .POS_BITS       (POS_BITS),
    .BF16           (BF16),
    .INT16          (INT16),
    .FLOAT_ROUNDING (FLOAT_ROUNDING)
  ) u_decode (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_granules (prog_granules),
    .stop          (stop),
    .finished      (decoded_all),
    .g_valid       (g_valid),
    .g_ready       (g_ready),
    .g_data        (g_data),
    .g_bus_error   (g_bus_error),
    .range_error   (range_error),
    .out_unit      (word_unit),
    .out_ready     (word_ready),
    .out_pos       (word_pos),
    .out_data      (word_data),
    .out_index     (index),
    .delivered     (delivered),
    .err_valid     (decode_err_valid),
    .err_code      (decode_err_code),
    .err_index     (decode_err_index)
  );

  // ---- Schedule -------------------------------------------------------------------------------------

  wire            all_idle;
  wire [U-1:0]    overflow;
  wire [32*U-1:0] oldest_index;

  tpu_scheduler #(
    .WORD_BITS (WORD_BITS),
    .POS_BITS  (POS_BITS)
  ) u_scheduler (
    .clk          (clk),
    .rst          (rst),
    .clear        (start),
    .stop         (stop),
    .in_unit      (word_unit),
    .in_ready     (word_ready),
    .in_pos       (word_pos),
    .in_data      (word_data),
    .in_index     (index),
    .delivered    (delivered),
    .all_idle     (all_idle),
    .cmd_valid    (cmd_valid),
    .cmd_ready    (cmd_ready),
    .cmd          (cmd),
    .cmd_index    (cmd_index),
    .done         (done),
    .overflow     (overflow),
    .oldest_index (oldest_index),
    .queued       (queued),
    .waiting      (waiting),
    .wait_class   (wait_class),
    .inflight     (inflight),
    .starts       (starts)
  );

  // ---- Errors, and what a timeout names -----------------------------------------------------------------

  // Numbers of the units in their places
  wire [3*U-1:0] units;
  genvar u;
  generate
    for (u = 0; u < U; u = u + 1) begin : g_unit
      localparam [2:0] UNIT = u + 1;
      assign units[3*u +: 3] = UNIT;
    end
  endgenerate

  wire error_coming;

  // Lowest place first: the front end, the units, posts of full semaphores.
  tpu_first_error #(
    .SOURCES (1 + 2 * U)
  ) u_first_error (
    .clk          (clk),
    .rst          (rst),
    .in_valid     ({overflow, err_valid, decode_err_valid}),
    .in_code      ({{U{`TPU_ERR_SEM_OVERFLOW}}, err_code, decode_err_code}),
    .in_unit      ({units, units, `TPU_UNIT_FRONTEND}),
    .in_index     ({oldest_index, err_index, decode_err_index}),
    .error_coming (error_coming),
    .error_valid  (error_valid),
    .error_code   (error_code),
    .error_unit   (error_unit),
    .error_index  (error_index)
  );

  reg [U-1:0] waiting_q;
  reg [U-1:0] inflight_q;
  reg [2:0]   wait_first;
  reg [31:0]  wait_its_index;
  reg [2:0]   busy_first;
  reg [31:0]  busy_its_index;
  integer     i;

  // Down to the first unit; the front end with its next instruction if there is none.
  always @* begin
    wait_first     = `TPU_UNIT_FRONTEND;
    wait_its_index = index;
    busy_first     = `TPU_UNIT_FRONTEND;
    busy_its_index = index;
    for (i = U - 1; i >= 0; i = i - 1) begin
      if (waiting_q[i]) begin
        wait_first     = units[3*i +: 3];
        wait_its_index = cmd_index[32*i +: 32];
      end
      if (inflight_q[i]) begin
        busy_first     = units[3*i +: 3];
        busy_its_index = oldest_index[32*i +: 32];
      end
    end
  end

  reg        wait_valid_q;
  reg [2:0]  wait_unit_q;
  reg [31:0] wait_index_q;
  reg [2:0]  busy_unit_q;
  reg [31:0] busy_index_q;

  always @(posedge clk) begin
    waiting_q    <= waiting;
    inflight_q   <= inflight;
    wait_valid_q <= waiting_q != {U{1'b0}};
    wait_unit_q  <= wait_first;
    wait_index_q <= wait_its_index;
    busy_unit_q  <= busy_first;
    busy_index_q <= busy_its_index;
  end

  assign wait_valid = wait_valid_q;
  assign wait_unit  = wait_unit_q;
  assign wait_index = wait_index_q;
  assign busy_unit  = busy_unit_q;
  assign busy_index = busy_index_q;

  // ---- Completion -----------------------------------------------------------------------------------

  // A program has been started; is done.
  reg  active_q;
  reg  done_q;
  wire all_done = active_q && decoded_all && all_idle;

  assign program_done = done_q;

  always @(posedge clk) begin
    if (start) begin
      active_q <= 1'b1;
      done_q   <= 1'b0;
    // A program whose last instruction fails is not done: its error comes in the cycle before, or has come.
    end else if (all_done && !stop && !error_coming) begin
      done_q   <= 1'b1;
    end
    if (rst) begin
      active_q <= 1'b0;
      done_q   <= 1'b0;
    end
  end

endmodule

`default_nettype wire
