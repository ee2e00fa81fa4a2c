// tpu_run_control: each accepted start ends exactly once, behind a whole reset of the core; the first error stops the program and stays; the core is
// not reset while the bus may still have something for it; nothing times out before its time.
//
// Host, core and bus are the solver's.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_run_control (
  input wire        clk,
  input wire        reset,
  input wire        start_request,
  input wire        soft_reset_request,
  input wire        prog_out_of_range,
  input wire        program_done,
  input wire        error_valid,
  input wire [3:0]  error_code,
  input wire [2:0]  error_unit,
  input wire [31:0] error_index,
  input wire        all_drained,
  input wire        wait_valid,
  input wire [2:0]  wait_unit,
  input wire [31:0] wait_index,
  input wire [2:0]  busy_unit,
  input wire [31:0] busy_index,
  input wire        progress
);

  reg power_on_q = 1'b1;
  always @(posedge clk) power_on_q <= 1'b0;
  wire rst = power_on_q || reset;

  // The host leaves it alone while a program runs.
  (* anyconst *) wire [31:0] watchdog;

  wire        core_rst;
  wire        start;
  wire        halt;
  wire        running;
  wire        busy;
  wire        stopping;
  wire        done;
  wire        failed;
  wire [3:0]  failed_code;
  wire [2:0]  failed_unit;
  wire [31:0] failed_index;
  wire        ended;
  wire        cleared;

  tpu_run_control dut (
    .clk                (clk),
    .rst                (rst),
    .start_request      (start_request),
    .soft_reset_request (soft_reset_request),
    .prog_out_of_range  (prog_out_of_range),
    .watchdog           (watchdog),
    .core_rst           (core_rst),
    .start              (start),
    .halt               (halt),
    .running            (running),
    .program_done       (program_done),
    .error_valid        (error_valid),
    .error_code         (error_code),
    .error_unit         (error_unit),
    .error_index        (error_index),
    .all_drained        (all_drained),
    .wait_valid         (wait_valid),
    .wait_unit          (wait_unit),
    .wait_index         (wait_index),
    .busy_unit          (busy_unit),
    .busy_index         (busy_index),
    .progress           (progress),
    .busy               (busy),
    .stopping           (stopping),
    .done               (done),
    .failed             (failed),
    .failed_code        (failed_code),
    .failed_unit        (failed_unit),
    .failed_index       (failed_index),
    .ended              (ended),
    .cleared            (cleared)
  );

  // ---- History ---------------------------------------------------------------------------------------
  wire accepted = start_request && !soft_reset_request && !busy;
  // Of the last four cycles, the last one in bit 0: the core was reset.
  reg  [3:0]  core_rst_q;
  // Of the cycle before
  reg         accepted_q;
  reg         soft_q;
  reg         out_of_range_q;
  reg         running_q;
  reg         stopping_q;
  reg         start_q;
  reg         drained_q;
  reg         error_q;
  reg         done_q;
  reg         cleared_q;
  reg         ended_q;
  reg         halt_q;
  reg         reset_q;
  reg         progress_q;
  reg  [38:0] error_says_q;
  reg  [38:0] timeout_says_q;
  reg  [38:0] failed_says_q;
  // A run was accepted and has not ended; one ended, and nothing was accepted since.
  reg         pending_q;
  reg         over_q;
  // A soft reset was accepted and the machine has not been idle since.
  reg         softly_q;

  wire [38:0] failed_says = {failed_code, failed_unit, failed_index};

  always @(posedge clk) begin
    core_rst_q     <= {core_rst_q[2:0], core_rst};
    accepted_q     <= accepted;
    soft_q         <= soft_reset_request;
    out_of_range_q <= prog_out_of_range;
    running_q      <= running;
    stopping_q     <= stopping;
    start_q        <= start;
    drained_q      <= all_drained;
    error_q        <= error_valid;
    done_q         <= program_done;
    cleared_q      <= cleared;
    ended_q        <= ended;
    halt_q         <= halt;
    reset_q        <= rst;
    progress_q     <= !rst && progress;
    error_says_q   <= {error_code, error_unit, error_index};
    timeout_says_q <= wait_valid ? {`TPU_ERR_SEM_TIMEOUT, wait_unit, wait_index} : {`TPU_ERR_BUS_TIMEOUT, busy_unit, busy_index};
    failed_says_q  <= failed_says;
    pending_q      <= !rst && !soft_reset_request && (accepted || (pending_q && !ended));
    softly_q       <= !rst && (soft_reset_request || (softly_q && busy));
    over_q         <= !rst && !cleared && (over_q || ended);
  end

  // ---- Silence ---------------------------------------------------------------------------------------
  // Cycles without progress, of a program that runs or of a stop; whether they were as many as the watchdog waits for one or two cycles ago, as the
  // RTL sees progress a cycle late and decides a cycle later.
  reg  [32:0] silent_q;
  reg  [1:0]  long_q;
  wire [32:0] silent  = stopping && !stopping_q ? 33'd0 : silent_q;
  wire        watched = (running || stopping) && !soft_reset_request;

  always @(posedge clk) begin
    if (rst || !watched || progress) begin
      silent_q <= 33'd0;
    end else if (!(&silent)) begin
      silent_q <= silent + 33'd1;
    end
    long_q <= {long_q[0], watchdog != 0 && silent >= watchdog};
  end

  wire        silent_long = long_q != 2'd0;

  // ---- Invariant -------------------------------------------------------------------------------------
  (* hierconn *) wire [2:0]  \dut.state_q ;
  (* hierconn *) wire [1:0]  \dut.pause_q ;
  (* hierconn *) wire [31:0] \dut.still_q ;
  (* hierconn *) wire        \dut.progress_q ;
  (* hierconn *) wire        \dut.timeout_q ;
  (* hierconn *) wire        \dut.soft_q ;
  (* hierconn *) wire        \dut.to_run_q ;
  (* hierconn *) wire        \dut.done_q ;
  (* hierconn *) wire        \dut.failed_q ;
  (* hierconn *) wire        \dut.out_of_range_q ;
  wire idle     = \dut.state_q == 3'd0;
  wire resets   = \dut.state_q == 3'd1;
  wire starts   = \dut.state_q == 3'd2;
  wire runs     = \dut.state_q == 3'd3;
  wire stops    = \dut.state_q == 3'd4;
  wire [1:0] k  = \dut.pause_q ;
  wire [3:0] reset_for = resets ? (4'd1 << k) - 4'd1 : starts ? 4'hF : 4'h0;

  always @* begin
    if (!power_on_q) begin
      i_states:  assert (idle || resets || starts || runs || stops);
      i_soft:    assert (!\dut.soft_q || stops);
      i_pending: assert (pending_q == ((resets && \dut.to_run_q ) || starts || runs || (stops && !\dut.soft_q )));
      i_softly:  assert ((softly_q && !idle) == ((stops && \dut.soft_q ) || (resets && !\dut.to_run_q )));
      i_reset:   assert ((core_rst_q & reset_for) == reset_for && (!resets || core_rst) && (!(starts || runs || stops && !\dut.soft_q ) || !core_rst));
      i_halted:  assert (!stops || halt);
      i_over:    assert (over_q == (idle && (\dut.done_q || \dut.failed_q )) && !(\dut.done_q && \dut.failed_q ) && (!\dut.done_q || idle));
      i_failed:  assert (idle || \dut.failed_q == (stops && !\dut.soft_q ));
      i_range:   assert (\dut.out_of_range_q == out_of_range_q && \dut.progress_q == progress_q);
      i_still:   assert (!(runs || stops) || \dut.progress_q || {1'b0, \dut.still_q } <= silent);
      i_progress: assert (!(runs || stops) || !\dut.progress_q || silent == 0);
      i_waits:   assert (!runs || watchdog == 0 || \dut.timeout_q
                         || (\dut.still_q <= watchdog && silent <= {1'b0, \dut.still_q } + 33'd1));
      i_timeout: assert (!(runs || stops) || !\dut.timeout_q || long_q[0]);
    end
  end

  // ---- Claims ----------------------------------------------------------------------------------------
  wire fails_q = running_q && stopping && !soft_q;

  always @* begin
    if (!power_on_q && !reset_q) begin
      // A start is accepted when idle, and resets the core at once; it ends once, unless a soft reset ends it.
      a_accepts:      assert (!accepted_q || (busy && core_rst));
      a_cleared:      assert (cleared == (soft_reset_request || accepted));
      a_ends_once:    assert (!ended || pending_q);
      a_ends_all:     assert (busy || !pending_q);
      // The program starts behind four cycles of reset, in the cycle after, and runs then.
      a_reset_first:  assert (!start || (&core_rst_q && !core_rst && pending_q));
      a_runs_then:    assert (!running || running_q || (start_q && !soft_q));
      a_starts:       assert (!(core_rst_q[0] && !core_rst && pending_q) || start || out_of_range_q);
      a_no_bad_start: assert (!start || !out_of_range_q);
      // A soft reset ends behind four such cycles, too.
      a_soft:         assert (!soft_q || stopping);
      a_soft_resets:  assert (!(softly_q && !busy) || &core_rst_q);
      // It runs until it is done or fails, or a soft reset comes.
      a_done:         assert (!(running_q && done_q && !error_q && !soft_q) || (!busy && done && ended_q));
      a_error_stops:  assert (!(running_q && error_q && !soft_q) || (stopping && halt));
      a_runs_on:      assert (!(running_q && !running) || soft_q || done_q || error_q || stopping);
      // What an error says: the core's, or what the timeout found; it stays until something is accepted.
      a_status:       assert (over_q ? done != failed : !done && !failed);
      a_over:         assert (!over_q || !busy);
      a_error:        assert (!fails_q || failed_says == (error_q ? error_says_q : timeout_says_q));
      a_bad_start:    assert (!(stopping && !stopping_q && !running_q && !soft_q)
                              || failed_says == {`TPU_ERR_ADDR_RANGE, `TPU_UNIT_FRONTEND, 32'd0});
      a_stays:        assert (cleared_q || failed_says == failed_says_q || stopping && !stopping_q);
      // While it stops, and until its next reset, the core is halted.
      a_halted:       assert (!stopping_q || halt);
      a_stays_halted: assert (!(halt_q && !halt) || core_rst_q[0]);
      // A stop lasts until the bus has drained; the core is reset only then, or when a start is accepted.
      a_drained:      assert (!(stopping_q && !stopping) || drained_q || silent_long);
      a_core_rst:     assert (!core_rst || core_rst_q[0] || accepted_q || (stopping_q && (drained_q || silent_long)));
      // Nothing times out before its time; a program that runs does, two cycles late at most.
      a_timeout:      assert (!(fails_q && !error_q) || silent_long);
      a_times_out:    assert (!running || watchdog == 0 || silent <= {1'b0, watchdog} + 33'd2);
    end
  end

endmodule

`default_nettype wire
