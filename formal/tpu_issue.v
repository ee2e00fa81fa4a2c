// tpu_issue: instructions start in program order, each after its semaphores were taken once, and post once, after they are done,
// in program order.
//
// One instruction, chosen by the solver among all that decode delivers, is followed through the queue and through flight.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_issue #(
  parameter CMD_WIDTH = 100,
  // As far as the semaphore masks, at least
  parameter CMD_USED = 96
) (
  input wire                clk,
  input wire                stop,
  input wire                in_valid,
  input wire [CMD_USED-1:0] in_cmd,
  input wire [31:0]         in_index,
  input wire [31:0]         nonzero,
  input wire                take,
  input wire                post,
  input wire                cmd_ready,
  input wire                done,
  // The instruction that enters is the one to follow
  input wire                mark
);

  localparam DEPTH = 8;
  localparam WIDTH = 32 + CMD_USED;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                 in_ready;
  wire                 take_request;
  wire [31:0]          wait_mask;
  wire                 post_request;
  wire [31:0]          post_mask;
  wire                 cmd_valid;
  wire [CMD_WIDTH-1:0] cmd;
  wire [31:0]          cmd_index;
  wire                 idle;
  wire                 queued;
  wire                 waiting;
  wire [1:0]           wait_class;
  wire                 inflight;
  wire [31:0]          oldest_index;
  wire                 start_event;

  tpu_issue #(
    .CMD_WIDTH (CMD_WIDTH),
    .CMD_USED  (CMD_USED)
  ) dut (
    .clk          (clk),
    .rst          (rst),
    .stop         (stop),
    .in_valid     (in_valid),
    .in_ready     (in_ready),
    .in_cmd       (in_cmd),
    .in_index     (in_index),
    .nonzero      (nonzero),
    .take_request (take_request),
    .take         (take),
    .wait_mask    (wait_mask),
    .post_request (post_request),
    .post         (post),
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

  //// Reference: how many are where ////

  // Delivered and not started; started and not retired; of these, done
  reg  [3:0] held_q;
  reg  [3:0] flying_q;
  reg  [3:0] finished_q;
  // The next to start has taken its semaphores.
  reg        took_q;

  wire       push   = in_valid && in_ready;
  wire       start  = cmd_valid && cmd_ready;
  wire       retire = (done || finished_q != 0) && (post || post_mask == 0);

  // The scheduler grants only what is asked for (proved in tpu_scheduler.v). A unit finishes only what it started in an
  // earlier cycle: not proved, but asserted by tpu_issue.v in simulation.
  always @* begin
    if (!rst) begin
      assume (!take || take_request);
      assume (!post || post_request);
      assume (!done || finished_q < flying_q);
    end
  end

  always @(posedge clk) begin
    held_q     <= rst ? 4'd0 : held_q + push - start;
    flying_q   <= rst ? 4'd0 : flying_q + start - retire;
    finished_q <= rst ? 4'd0 : finished_q + done - retire;
    took_q     <= !rst && (take || (took_q && !start));
  end

  //// Reference: the instruction that is followed ////

  reg             in_queue_q;
  reg             in_flight_q;
  // It is done.
  reg             done_q;
  // Instructions in front of it; in flight, of these those that are not done
  reg [3:0]       ahead_q;
  reg [3:0]       undone_q;
  reg [WIDTH-1:0] value_q;
  wire [31:0]     its_wait = value_q[`TPU_WAIT];
  wire [31:0]     its_post = value_q[`TPU_POST];
  wire            next     = in_queue_q && ahead_q == 0;
  wire            oldest   = in_flight_q && ahead_q == 0;

  always @(posedge clk) begin
    if (!in_queue_q && !in_flight_q && push && mark) begin
      in_queue_q <= 1'b1;
      ahead_q    <= held_q - start;
      value_q    <= {in_index, in_cmd};
    end else if (next && start) begin
      in_queue_q  <= 1'b0;
      in_flight_q <= 1'b1;
      ahead_q     <= flying_q - retire;
      undone_q    <= flying_q - finished_q - done;
      done_q      <= 1'b0;
    end else if (in_queue_q) begin
      ahead_q <= ahead_q - start;
    end else if (in_flight_q) begin
      ahead_q     <= ahead_q - retire;
      in_flight_q <= !(oldest && retire);
      undone_q    <= undone_q - (done && undone_q != 0);
      done_q      <= done_q || (done && undone_q == 0);
    end
    if (rst) begin
      in_queue_q  <= 1'b0;
      in_flight_q <= 1'b0;
    end
  end

  wire [31:0] unmet = wait_mask & ~nonzero;

  always @* begin
    if (!rst) begin
      // Semaphores are asked for exactly when they allow it, once, and if the instruction can be held while it is in flight.
      assert (take_request == (queued && !took_q && unmet == 0 && flying_q != DEPTH && !stop));
      assert (cmd_valid == (took_q && !stop));
      assert (!took_q || (queued && flying_q != DEPTH));
      assert (start_event == start);
      assert (!queued || held_q != 0);
      assert (waiting == (queued && !took_q && unmet != 0));
      assert (!waiting || (unmet & (32'hFF << 8 * wait_class)) != 0 && (unmet & ~({32{1'b1}} << 8 * wait_class)) == 0);
      if (next && queued) begin
        assert ({cmd_index, cmd} == {value_q[WIDTH-1 -: 32], {(CMD_WIDTH-CMD_USED){1'b0}}, value_q[CMD_USED-1:0]});
        assert (wait_mask == its_wait);
      end
      // Whoever posts is done, and posts its own mask; whoever has something to post asks until it may.
      if (oldest) begin
        assert (oldest_index == value_q[WIDTH-1 -: 32] && post_mask == its_post);
        assert (post_request == ((done_q || (done && undone_q == 0)) && its_post != 0));
        assert (!retire || done_q || (done && undone_q == 0));
      end
      assert (in_ready || held_q >= DEPTH);
      assert (idle == (held_q == 0 && flying_q == 0));
      assert (inflight == (flying_q != finished_q));
    end
  end

  //// What makes it inductive: counts, and where the instruction lies ////

  (* hierconn *) wire [3:0]       \dut.u_queue.wr_ptr_q ;
  (* hierconn *) wire [3:0]       \dut.u_queue.rd_ptr_q ;
  (* hierconn *) wire             \dut.u_queue.out_valid_q ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.rd_data ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[0] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[1] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[2] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[3] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[4] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[5] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[6] ;
  (* hierconn *) wire [WIDTH-1:0] \dut.u_queue.u_ram.memory[7] ;
  (* hierconn *) wire [3:0]       \dut.u_inflight.wr_ptr_q ;
  (* hierconn *) wire [3:0]       \dut.u_inflight.rd_ptr_q ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[0] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[1] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[2] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[3] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[4] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[5] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[6] ;
  (* hierconn *) wire [63:0]      \dut.u_inflight.words[7] ;
  (* hierconn *) wire             \dut.granted_q ;
  (* hierconn *) wire [3:0]       \dut.done_q ;
  (* hierconn *) wire [4:0]       \dut.count_q ;

  wire [DEPTH*WIDTH-1:0] memory = {\dut.u_queue.u_ram.memory[7] , \dut.u_queue.u_ram.memory[6] ,
                                   \dut.u_queue.u_ram.memory[5] , \dut.u_queue.u_ram.memory[4] ,
                                   \dut.u_queue.u_ram.memory[3] , \dut.u_queue.u_ram.memory[2] ,
                                   \dut.u_queue.u_ram.memory[1] , \dut.u_queue.u_ram.memory[0] };
  wire [DEPTH*64-1:0]    words  = {\dut.u_inflight.words[7] , \dut.u_inflight.words[6] ,
                                   \dut.u_inflight.words[5] , \dut.u_inflight.words[4] ,
                                   \dut.u_inflight.words[3] , \dut.u_inflight.words[2] ,
                                   \dut.u_inflight.words[1] , \dut.u_inflight.words[0] };
  wire [3:0] level  = \dut.u_queue.wr_ptr_q - \dut.u_queue.rd_ptr_q ;
  wire [3:0] flying = \dut.u_inflight.wr_ptr_q - \dut.u_inflight.rd_ptr_q ;
  wire [2:0] row    = \dut.u_queue.rd_ptr_q [2:0] + ahead_q[2:0] - \dut.u_queue.out_valid_q ;
  wire [2:0] word   = \dut.u_inflight.rd_ptr_q [2:0] + ahead_q[2:0];

  always @* begin
    if (!rst) begin
      assert (level <= DEPTH && level + \dut.u_queue.out_valid_q == held_q);
      assert (flying <= DEPTH && flying == flying_q);
      assert (finished_q <= flying_q && \dut.done_q == finished_q);
      assert (\dut.granted_q == took_q);
      assert (\dut.count_q == held_q + flying_q);
      assert (!(in_queue_q && in_flight_q));
      if (in_queue_q) begin
        assert (ahead_q < held_q);
        if (ahead_q == 0 && \dut.u_queue.out_valid_q ) begin
          assert (\dut.u_queue.u_ram.rd_data == value_q);
        end else begin
          assert (memory[WIDTH*row +: WIDTH] == value_q);
        end
      end
      if (in_flight_q) begin
        assert (ahead_q < flying_q);
        assert (words[64*word +: 64] == {value_q[WIDTH-1 -: 32], its_post});
        assert (done_q == (ahead_q < finished_q));
        assert (done_q || undone_q == ahead_q - finished_q);
      end
    end
  end

endmodule

`default_nettype wire
