// tpu_dma_read: a burst is accepted only where all that get it have a place for it: the burst queue, and for one that is requested the register before AR.
// Each of them gets it then.
//
// Bursts are the solver's: tpu_dma_bursts ends with a range error, and so would never fill the queue, whose words else each have a beat reserved. Queue
// and register may be full at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_dma_read_accept #(
  parameter AXI_DATA_WIDTH = 32,
  parameter AXI_ADDR_WIDTH = 32,
  parameter FIFO_BEATS = 32
) (
  input wire clk,
  input wire reset,
  input wire stop,
  input wire ar_ready,
  input wire out_ready
);

  localparam AW = AXI_ADDR_WIDTH;
  localparam BW = $clog2(AXI_DATA_WIDTH / 8);

  reg  start_q = 1'b1;
  wire rst     = start_q || reset;
  always @(posedge clk) start_q <= 1'b0;

  tpu_dma_read #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH),
    .AXI_ADDR_WIDTH (AXI_ADDR_WIDTH),
    .FIFO_BEATS     (FIFO_BEATS)
  ) dut (
    .clk             (clk),
    .rst             (rst),
    .stop            (stop),
    .cmd_valid       (1'b0),
    .cmd_ready       (),
    .cmd_addr        ({(AW+1){1'b0}}),
    .cmd_span        ({(AW+1){1'b0}}),
    .cmd_more        (32'd0),
    .cmd_stride      (32'd0),
    .ar_valid        (),
    .ar_ready        (ar_ready),
    .ar_addr         (),
    .ar_len          (),
    .r_valid         (1'b0),
    .r_data          ({AXI_DATA_WIDTH{1'b0}}),
    .r_resp          (2'd0),
    .r_last          (1'b0),
    .out_valid       (),
    .out_ready       (out_ready),
    .out_data        (),
    .out_offset      (),
    .out_count       (),
    .out_bus_error   (),
    .out_range_error ()
  );

  (* hierconn *) wire            \dut.u_bursts.burst_valid ;
  (* hierconn *) wire            \dut.u_bursts.burst_ready ;
  (* hierconn *) wire [AW-1:0]   \dut.u_bursts.burst_addr ;
  (* hierconn *) wire [4:0]      \dut.u_bursts.burst_len ;
  (* hierconn *) wire [BW-1:0]   \dut.u_bursts.burst_first ;
  (* hierconn *) wire [BW-1:0]   \dut.u_bursts.burst_end ;
  (* hierconn *) wire            \dut.u_bursts.burst_range ;
  (* hierconn *) wire            \dut.u_queue.in_valid ;
  (* hierconn *) wire            \dut.u_queue.in_ready ;
  (* hierconn *) wire [2*BW:0]   \dut.u_queue.in_data ;
  (* hierconn *) wire            \dut.u_requests.in_valid ;
  (* hierconn *) wire            \dut.u_requests.in_ready ;
  (* hierconn *) wire [AW-BW+4:0] \dut.u_requests.in_data ;

  wire accepted  = \dut.u_bursts.burst_valid && \dut.u_bursts.burst_ready ;
  wire requested = accepted && !\dut.u_bursts.burst_range ;

  always @* begin
    if (!rst) begin
      assert (\dut.u_queue.in_valid == accepted);
      assert (\dut.u_requests.in_valid == requested);
      if (accepted) begin
        assert (\dut.u_queue.in_ready );
        assert (\dut.u_queue.in_data == {\dut.u_bursts.burst_range , \dut.u_bursts.burst_first , \dut.u_bursts.burst_end });
      end
      if (requested) begin
        assert (\dut.u_requests.in_ready );
        assert (\dut.u_requests.in_data == {\dut.u_bursts.burst_addr [AW-1:BW], \dut.u_bursts.burst_len });
      end
    end
  end

endmodule

`default_nettype wire
