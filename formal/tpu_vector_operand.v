// tpu_vector_operand: each row of the walk that lies inside the image and the buffer is read once, in order; the FIFO that source A pops gets
// these rows, and for each column outside the image a place without a row; a row out of range is never read.
//
// The walk's steps and the grants are the solver's. The assertions in the RTL (room for each row, no row popped before it is there) are part of
// the proof.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_vector_operand #(
  parameter STREAM = 1,
  parameter UB_ROWS = 8
) (
  input wire                        clk,
  input wire                        cmd_valid,
  input wire [`TPU_VECTOR_USED-1:0] cmd,
  input wire                        cmd_columns,
  input wire                        cmd_take,
  input wire                        stop,
  input wire                        other_hungry,
  input wire [1:0]                  other_bank,
  input wire                        claim,
  input wire                        pop,
  input wire                        rd_ready
);

  localparam UW = $clog2(UB_ROWS);
  // Rows in the FIFO, and steps in the queue before it
  localparam DEPTH = 8;
  localparam STEPS = 2;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire          cmd_seen;
  wire          have;
  wire          hungry;
  wire [1:0]    bank;
  wire          fault;
  wire          rd_valid;
  wire [UW-1:0] rd_row;

  tpu_vector_operand #(
    .STREAM    (STREAM),
    .ROW_BYTES (1),
    .UB_ROWS   (UB_ROWS)
  ) dut (
    .clk          (clk),
    .rst          (rst),
    .cmd_valid    (cmd_valid),
    .cmd          (cmd),
    .cmd_columns  (cmd_columns),
    .cmd_n_column (16'd0),
    .cmd_take     (cmd_take),
    .cmd_seen     (cmd_seen),
    .stop         (stop),
    .have         (have),
    .hungry       (hungry),
    .bank         (bank),
    .other_hungry (other_hungry),
    .other_bank   (other_bank),
    .fault        (fault),
    .claim        (claim),
    .pop          (pop),
    .data         (),
    .present      (),
    .rd_valid     (rd_valid),
    .rd_ready     (rd_ready),
    .rd_row       (rd_row),
    .rd_data      (8'd0)
  );

  // The walk's side
  (* hierconn *) wire        \dut.load ;
  (* hierconn *) wire        \dut.walking_q ;
  (* hierconn *) wire        \dut.u_walk.step ;
  (* hierconn *) wire [19:0] \dut.walk_row ;
  (* hierconn *) wire        \dut.walk_inside ;
  (* hierconn *) wire        \dut.walk_last ;
  wire walk = \dut.u_walk.step ;
  wire last = walk && \dut.walk_last ;

  // ---- Instructions ----------------------------------------------------------------------------------
  wire uses = cmd_columns || (STREAM == 1 && cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY);

  // An instruction waits; this stream has started it. The walk goes on, by column.
  reg waits_q;
  reg uses_q;
  reg columns_q;
  reg loaded_q;
  reg walks_q;
  reg by_column_q;

  always @(posedge clk) begin
    waits_q   <= !rst && cmd_valid && !cmd_take;
    uses_q    <= uses;
    columns_q <= cmd_columns;
    loaded_q  <= !rst && !cmd_take && (loaded_q || \dut.load );
    walks_q   <= !rst && (\dut.load || (walks_q && !last));
    if (\dut.load ) by_column_q <= cmd_columns;
  end

  always @* begin
    if (rst) begin
      assume (!cmd_take && !claim && !pop);
    end else begin
      // An instruction that uses this stream is held until source A takes it, after this stream has seen it. Another one may go, and one that
      // uses the stream may take its place.
      assume (!waits_q || !uses_q || (cmd_valid && uses && cmd_columns == columns_q));
      assume (!cmd_take || (cmd_valid && cmd_seen));
      assume (STREAM == 1 || !cmd_valid || cmd_columns || !uses);
    end
  end

  // ---- Places: what source A claims, and pops three or more cycles later -------------------------------
  // The step in the walk is read; it takes a place.
  wire in_range = \dut.walk_row [19:UW] == 0;
  wire reads    = \dut.walk_inside && in_range;
  wire places   = reads || (by_column_q && !\dut.walk_inside );
  wire granted  = rd_valid && rd_ready;
  reg  [3:1] grants_q;
  reg  [2:1] claims_q;
  reg  [3:0] claimed_q;

  always @(posedge clk) begin
    grants_q  <= rst ? 3'd0 : {grants_q[2:1], granted};
    claims_q  <= rst ? 2'd0 : {claims_q[1], claim};
    claimed_q <= rst ? 4'd0 : claimed_q + claims_q[2] - pop;
  end

  always @* begin
    if (!rst) begin
      assume (!claim || have);
      assume (!pop || claimed_q != 0);
    end
  end

  wire [1:0] rows_waiting;
  wire [2:0] places_coming;

  // Rows to be read
  stream_order #(
    .WIDTH    (UW),
    .CAPACITY (STEPS)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .push      (walk && reads),
    .in_data   (\dut.walk_row [UW-1:0]),
    .out_valid (rd_valid),
    .pop       (granted),
    .out_data  (rd_row),
    .held      (rows_waiting)
  );

  // Places on their way into the FIFO, each three cycles after it was taken: with or without a row
  (* hierconn *) wire [2:0] \dut.taken_q ;
  (* hierconn *) wire [2:0] \dut.granted_q ;

  stream_order #(
    .WIDTH    (1),
    .CAPACITY (STEPS + 3)
  ) u_places (
    .clk       (clk),
    .rst       (rst),
    .push      (walk && places),
    .in_data   (reads),
    .out_valid (\dut.taken_q [2]),
    .pop       (\dut.taken_q [2]),
    .out_data  (\dut.granted_q [2]),
    .held      (places_coming)
  );

  // ---- Claims ----------------------------------------------------------------------------------------
  // A row out of range was met.
  (* hierconn *) wire [3:0] \dut.free_q ;
  (* hierconn *) wire [3:0] \dut.held_q ;
  (* hierconn *) wire       \dut.step_valid ;
  (* hierconn *) wire       \dut.step_reads ;
  reg  fault_q;
  always @(posedge clk) fault_q <= !rst && fault;

  wire starves = other_hungry && other_bank == bank && !hungry;
  wire asks    = \dut.step_valid && \dut.step_reads && !stop && \dut.held_q != DEPTH;

  always @* begin
    if (!rst) begin
      // Each instruction that uses the stream is started once, when the walk before has ended; the others pass by.
      a_started_once:   assert (!\dut.load || (cmd_valid && uses && !loaded_q && (!walks_q || last)));
      a_as_soon:        assert (\dut.load || !cmd_valid || !uses || loaded_q || (walks_q && !last));
      a_seen:           assert (cmd_seen == (loaded_q || !uses));
      a_walks:          assert (\dut.walking_q == walks_q);
      // It steps only then.
      a_steps:          assert (!walk || walks_q);
      // Reads are in range, after all before them, and not after a stop; only a bank that another stream needs more urgently holds them back.
      a_nothing_bad:    assert (!rd_valid || !(fault || stop));
      a_fault_stays:    assert (!fault_q || fault);
      a_bank:           assert (!rd_valid || bank == rd_row[1:0]);
      a_asks:           assert (rd_valid == (asks && !starves));
      a_hungry:         assert (hungry == (asks && \dut.free_q <= 1));
      // Claims and pops never lack a row.
      a_have:           assert (have == (\dut.free_q != 0));
      a_free:           assert (\dut.free_q + claims_q[1] + claims_q[2] + claimed_q == \dut.held_q );
      a_held:           assert (\dut.held_q <= DEPTH);
      // What enters the FIFO with a row was granted three cycles before, when the buffer's data comes.
      a_data:           assert (!\dut.taken_q [2] || \dut.granted_q [2] == grants_q[3]);
      a_no_row_lost:    assert (!grants_q[3] || \dut.taken_q [2]);
    end
  end

endmodule

`default_nettype wire
