// tpu_dma_read: each burst goes to AR once and stands; no beat is requested for which the receive FIFO has no room reserved, so that
// it takes every beat that comes.
//
// The memory answers with any beats that it owes. The assertions in the RTL (room for each beat) are part of the proof.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_dma_read #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 32,
  parameter FIFO_BEATS = 32
) (
  input wire       clk,
  input wire       stop,
  input wire       cmd_valid,
  input wire       ar_ready,
  input wire       r_valid,
  input wire [1:0] r_resp,
  input wire       r_last,
  input wire       out_ready
);

  localparam BEAT = AXI_DATA_WIDTH / 8;
  localparam BW   = $clog2(BEAT);
  localparam AW   = AXI_ADDR_WIDTH;
  localparam FW   = $clog2(FIFO_BEATS);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire          ar_valid;
  wire [AW-1:0] ar_addr;
  wire [7:0]    ar_len;
  wire          out_valid;
  wire [BW-1:0] out_offset;
  wire [BW:0]   out_count;
  wire          out_bus_error;
  wire          out_range_error;

  tpu_dma_read #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .FIFO_BEATS     (FIFO_BEATS)
  ) dut (
    .clk             (clk),
    .rst             (rst),
    .stop            (stop),
    .cmd_valid       (cmd_valid),
    .cmd_ready       (),
    .cmd_addr        (64'd0),
    .cmd_bytes       (64'd0),
    .cmd_rows        (32'd0),
    .cmd_stride      (32'd0),
    .ar_valid        (ar_valid),
    .ar_ready        (ar_ready),
    .ar_addr         (ar_addr),
    .ar_len          (ar_len),
    .r_valid         (r_valid),
    .r_data          ({AXI_DATA_WIDTH{1'b0}}),
    .r_resp          (r_resp),
    .r_last          (r_last),
    .out_valid       (out_valid),
    .out_ready       (out_ready),
    .out_data        (),
    .out_offset      (out_offset),
    .out_count       (out_count),
    .out_bus_error   (out_bus_error),
    .out_range_error (out_range_error)
  );

  (* hierconn *) wire          \dut.burst_valid ;
  (* hierconn *) wire          \dut.burst_ready ;
  (* hierconn *) wire          \dut.burst_range ;
  (* hierconn *) wire [AW-1:0] \dut.burst_addr ;
  (* hierconn *) wire [4:0]    \dut.burst_len ;

  wire issue = \dut.burst_valid && \dut.burst_ready && !\dut.burst_range ;
  wire ar    = ar_valid && ar_ready;
  wire take  = out_valid && out_ready && !out_range_error;

  //// Reference ////

  // Bursts issued that have not been accepted on AR; accepted, and not finished
  reg        asked_q;
  reg [FW:0] bursts_q;
  // Beats of accepted bursts that have not come; beats that have come and not been taken
  reg [FW:0] owed_q;
  reg [FW:0] stored_q;
  reg [AW+4:0] burst_q;
  reg          waits_q;

  always @(posedge clk) begin
    asked_q  <= issue || (asked_q && !ar);
    bursts_q <= bursts_q + ar - (r_valid && r_last);
    owed_q   <= owed_q + (ar ? ar_len + 1'b1 : 0) - r_valid;
    stored_q <= stored_q + r_valid - take;
    if (issue) burst_q <= {\dut.burst_addr , \dut.burst_len };
    waits_q  <= !rst && ar_valid && !ar_ready;
    if (rst) begin
      asked_q  <= 1'b0;
      bursts_q <= 0;
      owed_q   <= 0;
      stored_q <= 0;
    end
  end

  // Beats come for bursts that were accepted, and the last one of each burst, of which each has at least one, says so.
  always @* begin
    if (!rst) begin
      assume (!r_valid || (bursts_q != 0 && owed_q >= bursts_q + !r_last));
      assume (!(r_valid && r_last && bursts_q == 1) || owed_q == 1);
    end
  end

  wire [FW+1:0] requested = asked_q ? ar_len + 1'b1 : 0;

  always @* begin
    if (!rst) begin
      assert (ar_valid == asked_q && (!asked_q || {ar_addr, ar_len} == {burst_q[AW+4:5], 3'd0, burst_q[4:0]}));
      assert (!issue || !ar_valid || ar_ready);
      assert (!waits_q || ar_valid);
      // Every beat that may still come has its place.
      assert (requested + owed_q + stored_q <= FIFO_BEATS);
      assert (!issue || !stop);
      assert (!take || stored_q != 0);
      assert (!out_bus_error || !out_range_error);
    end
  end

  //// What makes it inductive ////

  (* hierconn *) wire [FW:0] \dut.free_q ;
  (* hierconn *) wire [FW:0] \dut.u_beats.wr_ptr_q ;
  (* hierconn *) wire [FW:0] \dut.u_beats.rd_ptr_q ;
  (* hierconn *) wire        \dut.u_beats.out_valid_q ;
  (* hierconn *) wire [FW:0] \dut.u_queue.wr_ptr_q ;
  (* hierconn *) wire [FW:0] \dut.u_queue.rd_ptr_q ;
  wire [FW:0] level  = \dut.u_beats.wr_ptr_q - \dut.u_beats.rd_ptr_q ;
  wire [FW:0] queued = \dut.u_queue.wr_ptr_q - \dut.u_queue.rd_ptr_q ;

  always @* begin
    if (!rst) begin
      assert (\dut.free_q == FIFO_BEATS - requested - owed_q - stored_q);
      assert (bursts_q <= owed_q && (bursts_q != 0 || owed_q == 0));
      assert (level <= FIFO_BEATS && level + \dut.u_beats.out_valid_q == stored_q);
      assert (queued <= FIFO_BEATS);
    end
  end

endmodule

`default_nettype wire
