// tpu_issue: instructions start in program order, each after its semaphores were above zero and taken once and after all its words came and
// decode found it legal, and post once, when they are done, in program order.
//
// One instruction, chosen by the solver among all that come, is followed through the head and through flight.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_issue #(
  // Two words
  parameter CMD_USED = 130,
  parameter WORD_BITS = 128,
  parameter POS_BITS = 1,
  parameter COUNT_BITS = 4
) (
  input wire                 clk,
  input wire                 stop,
  input wire                 delivered,
  input wire                 fill,
  input wire [POS_BITS-1:0]  fill_pos,
  input wire [WORD_BITS-1:0] fill_data,
  input wire [31:0]          fill_index,
  input wire [31:0]          nonzero,
  input wire                 cmd_ready,
  input wire                 done,
  // The instruction whose first word comes is the one to follow
  input wire                 mark
);

  localparam DEPTH = 8;
  localparam REST  = CMD_USED - WORD_BITS;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                take;
  wire [31:0]         wait_mask;
  wire [31:0]         post_mask;
  wire                cmd_valid;
  wire [CMD_USED-1:0] cmd;
  wire [31:0]         cmd_index;
  wire                idle;
  wire                queued;
  wire                waiting;
  wire [1:0]          wait_class;
  wire                inflight;
  wire [31:0]         oldest_index;
  wire                start_event;

  tpu_issue #(
    .CMD_USED   (CMD_USED),
    .WORD_BITS  (WORD_BITS),
    .POS_BITS   (POS_BITS),
    .COUNT_BITS (COUNT_BITS)
  ) dut (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .delivered    (delivered),
    .fill         (fill),
    .fill_pos     (fill_pos),
    .fill_data    (fill_data),
    .fill_index   (fill_index),
    .nonzero      (nonzero),
    .take         (take),
    .wait_mask    (wait_mask),
    .post_mask    (post_mask),
    .cmd_valid    (cmd_valid),
    .cmd_ready    (cmd_ready),
    .cmd          (cmd),
    .cmd_index    (cmd_index),
    .done         (done),
    .idle         (idle),
    .queued       (queued),
    .waiting      (waiting),
    .wait_class   (wait_class),
    .inflight     (inflight),
    .oldest_index (oldest_index),
    .start_event  (start_event)
  );

  // ---- Reference: how many are where ----------------------------------------------------------------

  // Words that the head has; legal instructions that have not started, now and a cycle before; instructions in flight
  reg  [1:0]            words_q;
  reg  [COUNT_BITS-1:0] legal_q;
  reg  [COUNT_BITS-1:0] legal_before_q;
  reg  [3:0]            flying_q;
  // The head has taken its semaphores; in this cycle the semaphores see it.
  reg                   took_q;
  reg                   takes_q;
  // A start one cycle ago, two cycles ago.
  reg                   started_1_q;

  wire                  start = cmd_valid && cmd_ready;

  // Words come in order, not for a full head, and not in the cycles right behind a start (proof `queues`); a queue does not count
  // over. A unit finishes only what it started in an earlier cycle: not proved, but asserted by tpu_issue.v in simulation.
  always @* begin
    if (!rst) begin
      assume (!fill || (words_q < 2 && fill_pos == words_q[0] && !started_1_q));
      assume (!delivered || legal_q != {COUNT_BITS{1'b1}});
      assume (!done || flying_q != 0);
    end
  end

  wire [31:0] unmet = wait_mask & ~nonzero;
  wire        met   = words_q != 0 && !took_q && unmet == 0 && flying_q != DEPTH && !stop;

  always @(posedge clk) begin
    words_q        <= rst || start ? 2'd0 : words_q + fill;
    legal_q        <= rst ? {COUNT_BITS{1'b0}} : legal_q + delivered - start;
    legal_before_q <= rst ? {COUNT_BITS{1'b0}} : legal_q;
    flying_q       <= rst ? 4'd0 : flying_q + start - done;
    took_q         <= !rst && (met || (took_q && !start));
    takes_q        <= !rst && met;
    started_1_q    <= !rst && start;
  end

  // ---- Reference: the instruction that is followed ------------------------------------------------

  reg                in_head_q;
  reg                in_flight_q;
  // Instructions in flight in front of it
  reg [3:0]          ahead_q;
  reg [31:0]         index_q;
  reg [CMD_USED-1:0] value_q;
  wire               oldest = in_flight_q && ahead_q == 0;

  always @(posedge clk) begin
    if (!in_head_q && !in_flight_q && fill && fill_pos == 0 && mark) begin
      in_head_q              <= 1'b1;
      index_q                <= fill_index;
      value_q[WORD_BITS-1:0] <= fill_data;
    end else if (in_head_q && fill) begin
      index_q                        <= fill_index;
      value_q[CMD_USED-1:WORD_BITS] <= fill_data[REST-1:0];
    end
    if (in_head_q && start) begin
      in_head_q   <= 1'b0;
      in_flight_q <= 1'b1;
      ahead_q     <= flying_q - done;
    end else if (in_flight_q) begin
      ahead_q     <= ahead_q - done;
      in_flight_q <= !(oldest && done);
    end
    if (rst) begin
      in_head_q   <= 1'b0;
      in_flight_q <= 1'b0;
    end
  end

  always @* begin
    if (!rst) begin
      // A start needs everything: semaphores taken, all words, a legal instruction, and place in flight.
      assert (!cmd_valid || (took_q && words_q == 2 && legal_q != 0 && flying_q != DEPTH && !stop));
      // And nothing else, a cycle after decode's word.
      assert (cmd_valid || !(took_q && words_q == 2 && legal_q != 0 && legal_before_q != 0 && !stop));
      assert (take == takes_q && (!take || took_q));
      assert (start_event == start);
      assert (queued == (words_q != 0));
      assert (waiting == (queued && !took_q && unmet != 0));
      assert (!waiting || (unmet & (32'hFF << 8 * wait_class)) != 0 && (unmet & ~({32{1'b1}} << 8 * wait_class)) == 0);
      if (in_head_q) begin
        assert (wait_mask == value_q[`TPU_WAIT]);
        assert (!cmd_valid || (cmd == value_q && cmd_index == index_q));
      end
      if (oldest) assert (oldest_index == index_q && post_mask == value_q[`TPU_POST]);
      assert (idle == (legal_q == 0 && flying_q == 0));
      assert (inflight == (flying_q != 0));
    end
  end

  // ---- What makes it inductive: counts, and where the instruction lies -----------------------------

  (* hierconn *) wire [CMD_USED-1:0]   \dut.cmd_q ;
  (* hierconn *) wire [31:0]           \dut.cmd_index_q ;
  (* hierconn *) wire                  \dut.first_q ;
  (* hierconn *) wire                  \dut.complete_q ;
  (* hierconn *) wire                  \dut.granted_q ;
  (* hierconn *) wire                  \dut.take_q ;
  (* hierconn *) wire                  \dut.some_q ;
  (* hierconn *) wire [COUNT_BITS-1:0] \dut.count_q ;
  (* hierconn *) wire [3:0]            \dut.u_inflight.wr_ptr_q ;
  (* hierconn *) wire [3:0]            \dut.u_inflight.rd_ptr_q ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[0] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[1] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[2] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[3] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[4] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[5] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[6] ;
  (* hierconn *) wire [63:0]           \dut.u_inflight.words[7] ;

  wire [DEPTH*64-1:0] words  = {\dut.u_inflight.words[7] , \dut.u_inflight.words[6] ,
                                \dut.u_inflight.words[5] , \dut.u_inflight.words[4] ,
                                \dut.u_inflight.words[3] , \dut.u_inflight.words[2] ,
                                \dut.u_inflight.words[1] , \dut.u_inflight.words[0] };
  wire [3:0]          flying = \dut.u_inflight.wr_ptr_q - \dut.u_inflight.rd_ptr_q ;
  wire [2:0]          word   = \dut.u_inflight.rd_ptr_q [2:0] + ahead_q[2:0];

  always @* begin
    if (!rst) begin
      assert (words_q <= 2);
      assert (\dut.first_q == (words_q != 0) && \dut.complete_q == (words_q == 2));
      assert (\dut.granted_q == took_q && (!took_q || (words_q != 0 && flying_q != DEPTH)));
      assert (\dut.take_q == takes_q);
      assert (\dut.count_q == legal_q && \dut.some_q == (legal_before_q != 0));
      // Only a start takes one away, and nothing can start right behind it.
      assert (!(legal_before_q != 0 && legal_q == 0) || started_1_q);
      assert (!started_1_q || words_q == 0);
      assert (flying == flying_q && flying_q <= DEPTH);
      assert (!(in_head_q && in_flight_q));
      if (in_head_q) begin
        assert (words_q != 0 && \dut.cmd_index_q == index_q);
        assert (\dut.cmd_q [WORD_BITS-1:0] == value_q[WORD_BITS-1:0]);
        assert (words_q != 2 || \dut.cmd_q == value_q);
      end
      if (in_flight_q) begin
        assert (ahead_q < flying_q);
        assert (words[64*word +: 64] == {index_q, value_q[`TPU_POST]});
      end
    end
  end

endmodule

`default_nettype wire
