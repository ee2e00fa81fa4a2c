// Run control: starts a program, watches it, stops it, resets the core.
//
//   IDLE ─ start ▶ RESET ▶ START ▶ RUN ─ done ▶ IDLE
//                                   │ error, timeout ▶ STOP ─ drained ▶ IDLE (error), core stays halted
//   any state ─ soft reset ─────────────────────────▶ STOP ─ drained ▶ RESET ▶ IDLE
//
// Every start resets the core first, which empties the weight FIFO and the semaphores and clears what an error left behind.
// STOP gives the halt a few cycles to take effect, then waits for the bus; if nothing moves for `watchdog` cycles it goes on
// all the same. With `watchdog` 0 it waits until the bus has drained or `watchdog` is set.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_run_control (
  input  wire        clk,
  input  wire        rst,

  // Requests of the host; a start is ignored unless idle
  input  wire        start_request,
  input  wire        soft_reset_request,
  // The program's address lies outside the address width
  input  wire        prog_out_of_range,
  // Cycles without progress before a timeout, 0: none
  input  wire [31:0] watchdog,

  // Core
  output wire        core_rst,
  output wire        start,
  output wire        halt,
  output wire        running,
  input  wire        program_done,
  input  wire        error_valid,
  input  wire [3:0]  error_code,
  input  wire [2:0]  error_unit,
  input  wire [31:0] error_index,
  input  wire        all_drained,
  input  wire        wait_valid,
  input  wire [2:0]  wait_unit,
  input  wire [31:0] wait_index,
  input  wire [2:0]  busy_unit,
  input  wire [31:0] busy_index,
  input  wire        progress,

  // Status
  output wire        busy,
  output wire        stopping,
  output wire        done,
  output wire        failed,
  output wire [3:0]  failed_code,
  output wire [2:0]  failed_unit,
  output wire [31:0] failed_index,
  // A run ends, done or with an error; a start or soft reset is accepted
  output wire        ended,
  output wire        cleared
);

  localparam [2:0] ST_IDLE  = 3'd0;
  localparam [2:0] ST_RESET = 3'd1;
  localparam [2:0] ST_START = 3'd2;
  localparam [2:0] ST_RUN   = 3'd3;
  localparam [2:0] ST_STOP  = 3'd4;

  // Cycles that the core reset lasts, and that a halt has to take effect before `all_drained` counts; less 1.
  localparam [1:0] PAUSE = 2'd3;

  reg [2:0]  state_q;
  // Cycles spent in RESET or STOP, up to PAUSE.
  reg [1:0]  pause_q;
  // Cycles without progress in RUN or STOP; as many as the watchdog waits for. Both are a few cycles late, which nobody can tell.
  reg [31:0] still_q;
  reg        progress_q;
  // Of the program's registers, which stand long before START.
  reg        out_of_range_q;
  reg        timeout_q;
  // The stop is a soft reset's, the reset precedes a run.
  reg        soft_q;
  reg        to_run_q;
  // From power-on, as the core would otherwise run on undefined state for a cycle.
  reg        core_rst_q = 1'b1;
  reg        halt_q;
  reg        done_q;
  reg        failed_q;
  reg [3:0]  failed_code_q;
  reg [2:0]  failed_unit_q;
  reg [31:0] failed_index_q;

  wire accept_start = start_request && !soft_reset_request && state_q == ST_IDLE;
  wire paused       = pause_q == PAUSE;
  wire timeout      = timeout_q;
  wire bad_start    = state_q == ST_START && out_of_range_q;
  wire fails        = bad_start || (state_q == ST_RUN && (error_valid || (timeout && !program_done)));
  wire stopped      = state_q == ST_STOP && paused && (all_drained || timeout);

  assign core_rst     = core_rst_q;
  // Also in the cycle of a soft reset: the stop that follows ends the program.
  assign start        = state_q == ST_START && !out_of_range_q;
  assign halt         = halt_q;
  assign running      = state_q == ST_RUN;
  assign busy         = state_q != ST_IDLE;
  assign stopping     = state_q == ST_STOP;
  assign done         = done_q;
  assign failed       = failed_q && !stopping;
  assign failed_code  = failed_code_q;
  assign failed_unit  = failed_unit_q;
  assign failed_index = failed_index_q;
  assign cleared      = accept_start || soft_reset_request;
  assign ended        = !soft_reset_request
                        && ((state_q == ST_RUN && program_done && !fails) || (stopped && !soft_q));

  always @(posedge clk) begin
    case (state_q)
      // wait for the doorbell
      ST_IDLE: begin
        if (accept_start) begin
          state_q  <= ST_RESET;
          to_run_q <= 1'b1;
        end
      end
      // hold the core in reset
      ST_RESET: begin
        if (paused) begin
          state_q <= to_run_q ? ST_START : ST_IDLE;
        end
      end
      // hand over the program
      ST_START: state_q <= bad_start ? ST_STOP : ST_RUN;
      // until the program is done or fails
      ST_RUN: begin
        if (fails) begin
          state_q <= ST_STOP;
        end else if (program_done) begin
          state_q <= ST_IDLE;
          done_q  <= 1'b1;
        end
      end
      // STOP: until the bus is quiet
      default: begin
        if (stopped) begin
          state_q  <= soft_q ? ST_RESET : ST_IDLE;
          to_run_q <= 1'b0;
        end
      end
    endcase
    if (fails) begin
      failed_q       <= 1'b1;
      failed_code_q  <= bad_start   ? `TPU_ERR_ADDR_RANGE
                      : error_valid ? error_code
                      : wait_valid  ? `TPU_ERR_SEM_TIMEOUT
                      :               `TPU_ERR_BUS_TIMEOUT;
      failed_unit_q  <= bad_start   ? `TPU_UNIT_FRONTEND
                      : error_valid ? error_unit
                      : wait_valid  ? wait_unit
                      :               busy_unit;
      failed_index_q <= bad_start   ? 32'd0
                      : error_valid ? error_index
                      : wait_valid  ? wait_index
                      :               busy_index;
    end
    if (cleared) begin
      done_q         <= 1'b0;
      failed_q       <= 1'b0;
      failed_code_q  <= `TPU_ERR_NONE;
      failed_unit_q  <= `TPU_UNIT_FRONTEND;
      failed_index_q <= 32'd0;
    end
    if (soft_reset_request) begin
      state_q <= ST_STOP;
      soft_q  <= 1'b1;
    end else if (stopped) begin
      soft_q <= 1'b0;
    end
    // In all cycles of RESET, and over when START hands the program to the front end.
    core_rst_q <= accept_start || (stopped && soft_q) || (state_q == ST_RESET && !paused);
    // Kept after an error until the next reset of the core.
    halt_q     <= state_q == ST_STOP || fails || soft_reset_request || (halt_q && !core_rst_q);
    if (rst) begin
      state_q     <= ST_IDLE;
      soft_q      <= 1'b0;
      to_run_q    <= 1'b0;
      core_rst_q  <= 1'b1;
      halt_q      <= 1'b0;
      done_q         <= 1'b0;
      failed_q       <= 1'b0;
      failed_code_q  <= `TPU_ERR_NONE;
      failed_unit_q  <= `TPU_UNIT_FRONTEND;
      failed_index_q <= 32'd0;
    end
  end

  // Time spent in a state: both counters start again when a run begins or a stop begins.
  wire restart = state_q == ST_IDLE || state_q == ST_START || fails || stopped || soft_reset_request;

  always @(posedge clk) begin
    if (restart) begin
      pause_q <= 2'd0;
    end else if (!paused) begin
      pause_q <= pause_q + 2'd1;
    end
    progress_q     <= progress;
    out_of_range_q <= prog_out_of_range;
    if (restart || progress_q) begin
      still_q   <= 32'd0;
      timeout_q <= 1'b0;
    end else begin
      still_q   <= still_q + 32'd1;
      timeout_q <= watchdog != 32'd0 && still_q >= watchdog;
    end
    if (rst) begin
      pause_q    <= 2'd0;
      still_q    <= 32'd0;
      progress_q <= 1'b0;
      timeout_q  <= 1'b0;
    end
  end

endmodule

`default_nettype wire
