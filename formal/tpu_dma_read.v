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
  parameter FIFO_BEATS = 64
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
    .cmd_addr        ({(AW+1){1'b0}}),
    .cmd_span        ({(AW+1){1'b0}}),
    .cmd_more        (32'd0),
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

  // Beats of bursts that were issued and have not been accepted on AR
  reg [FW:0] asked_q;
  // Bursts that were accepted and have not finished
  reg [FW:0] bursts_q;
  // Beats of accepted bursts that have not come; beats that have come and not been taken
  reg [FW:0] owed_q;
  reg [FW:0] stored_q;
  reg          waits_q;
  reg [AW+7:0] payload_q;

  always @(posedge clk) begin
    asked_q  <= asked_q + (issue ? \dut.burst_len + 1'b1 : 0) - (ar ? ar_len + 1'b1 : 0);
    bursts_q <= bursts_q + ar - (r_valid && r_last);
    owed_q   <= owed_q + (ar ? ar_len + 1'b1 : 0) - r_valid;
    stored_q <= stored_q + r_valid - take;
    waits_q   <= !rst && ar_valid && !ar_ready;
    payload_q <= {ar_addr, ar_len};
    if (rst) begin
      asked_q  <= 0;
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

  wire [1:0] asked_bursts;

  stream_order #(
    .WIDTH    (AW - BW + 5),
    .CAPACITY (2)
  ) u_order (
    .clk       (clk),
    .rst       (rst),
    .push      (issue),
    .in_data   ({\dut.burst_addr [AW-1:BW], \dut.burst_len }),
    .out_valid (ar_valid),
    .pop       (ar),
    .out_data  ({ar_addr[AW-1:BW], ar_len[4:0]}),
    .held      (asked_bursts)
  );

  always @* begin
    if (!rst) begin
      assert (ar_addr[BW-1:0] == 0 && ar_len[7:5] == 0);
      // A burst stands on AR in the cycle after it was issued, unless others stand before it, and until it is accepted.
      assert (ar_valid == (asked_bursts != 0));
      assert (!waits_q || (ar_valid && {ar_addr, ar_len} == payload_q));
      // Every beat that may still come has its place.
      assert (asked_q + owed_q + stored_q <= FIFO_BEATS);
      assert (!issue || !stop);
      assert (!take || stored_q != 0);
      assert (!out_bus_error || !out_range_error);
    end
  end

  //// What makes it inductive ////

  (* hierconn *) wire [FW:0] \dut.free_q ;
  (* hierconn *) wire        \u_order.marked ;
  (* hierconn *) wire [1:0]  \u_order.ahead ;
  (* hierconn *) wire [AW-BW+4:0] \u_order.value ;
  (* hierconn *) wire        \dut.u_requests.spare_valid_q ;
  (* hierconn *) wire [AW-BW+4:0] \dut.u_requests.spare_q ;
  (* hierconn *) wire [FW:0] \dut.u_beats.wr_ptr_q ;
  (* hierconn *) wire [FW:0] \dut.u_beats.rd_ptr_q ;
  (* hierconn *) wire        \dut.u_beats.out_valid_q ;
  (* hierconn *) wire [FW:0] \dut.u_queue.wr_ptr_q ;
  (* hierconn *) wire [FW:0] \dut.u_queue.rd_ptr_q ;
  wire [FW:0] level  = \dut.u_beats.wr_ptr_q - \dut.u_beats.rd_ptr_q ;
  wire [FW:0] queued = \dut.u_queue.wr_ptr_q - \dut.u_queue.rd_ptr_q ;

  always @* begin
    if (!rst) begin
      assert (\dut.free_q == FIFO_BEATS - asked_q - owed_q - stored_q);
      assert (asked_q == (ar_valid ? ar_len + 1'b1 : 0) + (\dut.u_requests.spare_valid_q ? \dut.u_requests.spare_q [4:0] + 1'b1 : 0));
      assert (asked_bursts == ar_valid + \dut.u_requests.spare_valid_q );
      assert (ar_valid || !\dut.u_requests.spare_valid_q );
      assert (!\u_order.marked  || \u_order.ahead  != 1 || \dut.u_requests.spare_q == \u_order.value );
      assert (bursts_q <= owed_q && (bursts_q != 0 || owed_q == 0));
      assert (level <= FIFO_BEATS && level + \dut.u_beats.out_valid_q == stored_q);
      assert (queued <= FIFO_BEATS);
    end
  end

endmodule

`default_nettype wire
