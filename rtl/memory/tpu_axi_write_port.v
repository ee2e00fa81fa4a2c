// The write side of the memory port: STORE's bursts on AXI4, across every reset of the core.
//
//   aw_* ──▶ AW register ──▶ m_axi_aw*              ID: {epoch, 0}
//      └───▶ lengths of bursts ──▶ burst whose beats come ──▶ beats, from 2 cycles after the address was taken
//   w_*  ──▶ W register ──▶ m_axi_w*                (w_data stands in the writer's own register)
//   b_*  ◀── fresh answers ◀── m_axi_b*             answers to requests from before the core's reset are dropped
//
// The core's reset does not reset this module, because AXI lets no VALID fall before its READY, and because a slave that has taken an
// address waits for all the beats. A halt or a reset of the core therefore ends in order: the port takes no more bursts, and
// gives the missing beats of those that it has taken itself, with all strobes off.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_axi_write_port #(
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Bursts whose beats have not all been given, a power of two
  parameter MAX_BURSTS = 64,
  // Unanswered bursts, a power of two
  parameter MAX_OWED = 128
) (
  input  wire                        clk,
  input  wire                        rst,
  // Reset of the writer
  input  wire                        core_rst,
  // Takes no more bursts and completes those that it has taken
  input  wire                        halt,
  // All bursts of this epoch have been answered
  output wire                        drained,

  // Bursts: address of the first beat, beats - 1; one in each cycle, if the bus takes them
  input  wire                        aw_valid,
  output wire                        aw_ready,
  input  wire [AXI_ADDR_WIDTH-1:0]   aw_addr,
  input  wire [4:0]                  aw_len,

  // Beats of the bursts, in order. w_data holds the bytes of the beat taken last, from the cycle after it was taken
  input  wire                        w_valid,
  output wire                        w_ready,
  input  wire [AXI_DATA_WIDTH/8-1:0] w_strb,
  input  wire [AXI_DATA_WIDTH-1:0]   w_data,
  // The next beat is the first, the last of its burst
  output wire                        w_first,
  output wire                        w_last,

  // Answers to the bursts, in order
  output wire                        b_valid,
  output wire [1:0]                  b_resp,

  // AXI4 write channels
  output wire [2:0]                  m_axi_awid,
  output wire [AXI_ADDR_WIDTH-1:0]   m_axi_awaddr,
  output wire [7:0]                  m_axi_awlen,
  output wire [2:0]                  m_axi_awsize,
  output wire [1:0]                  m_axi_awburst,
  output wire                        m_axi_awlock,
  output wire [3:0]                  m_axi_awcache,
  output wire [2:0]                  m_axi_awprot,
  output wire [3:0]                  m_axi_awqos,
  output wire                        m_axi_awvalid,
  input  wire                        m_axi_awready,
  output wire [AXI_DATA_WIDTH-1:0]   m_axi_wdata,
  output wire [AXI_DATA_WIDTH/8-1:0] m_axi_wstrb,
  output wire                        m_axi_wlast,
  output wire                        m_axi_wvalid,
  input  wire                        m_axi_wready,
  input  wire [2:0]                  m_axi_bid,
  input  wire [1:0]                  m_axi_bresp,
  input  wire                        m_axi_bvalid,
  output wire                        m_axi_bready
);

  // ---- Epochs ----------------------------------------------------------------------------------

  wire epoch;
  wire open;
  wire fresh;
  wire take = aw_valid && aw_ready;

  tpu_axi_epoch #(
    .MAX_OWED (MAX_OWED)
  ) u_epoch (
    .clk          (clk),
    .rst          (rst),
    .core_rst     (core_rst),
    .request      (take),
    .epoch        (epoch),
    .open         (open),
    .answer       (m_axi_bvalid),
    .answer_epoch (m_axi_bid[2]),
    .fresh        (fresh),
    .drained      (drained)
  );

  // ---- Addresses -------------------------------------------------------------------------------

  // Bursts are taken no more, and the beats that they lack are the port's own.
  reg                       abandon_q;
  reg                       aw_valid_q;
  reg                       aw_epoch_q;
  reg  [AXI_ADDR_WIDTH-1:0] aw_addr_q;
  reg  [4:0]                aw_len_q;

  wire                      abandon = halt || core_rst || abandon_q;
  wire                      lengths_ready;

  assign aw_ready = !abandon && open && lengths_ready && (!aw_valid_q || m_axi_awready);

  always @(posedge clk) begin
    if (take) begin
      aw_epoch_q <= epoch;
      aw_addr_q  <= aw_addr;
      aw_len_q   <= aw_len;
    end
  end

  always @(posedge clk) begin
    if (take) begin
      aw_valid_q <= 1'b1;
    end else if (m_axi_awready) begin
      aw_valid_q <= 1'b0;
    end
    if (rst) begin
      aw_valid_q <= 1'b0;
    end
  end

  assign m_axi_awid    = {aw_epoch_q, 2'd0};
  assign m_axi_awaddr  = aw_addr_q;
  assign m_axi_awlen   = {3'd0, aw_len_q};
  assign m_axi_awvalid = aw_valid_q;

  tpu_axi_attributes #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH)
  ) u_attributes (
    .size  (m_axi_awsize),
    .burst (m_axi_awburst),
    .lock  (m_axi_awlock),
    .cache (m_axi_awcache),
    .prot  (m_axi_awprot),
    .qos   (m_axi_awqos)
  );

  // ---- Data ------------------------------------------------------------------------------------

  wire                        len_valid;
  wire [4:0]                  len;
  wire [$clog2(MAX_BURSTS):0] lengths_level;

  // A burst lacks beats: so many behind the next one, which is its first, its last. In registers, as the writer works with them in the same
  // cycle.
  reg                         burst_q;
  reg  [4:0]                  left_q;
  reg                         first_q;
  reg                         last_q;
  reg                         w_valid_q;
  reg                         w_last_q;
  reg  [AXI_DATA_WIDTH/8-1:0] w_strb_q;

  wire                        w_free = !w_valid_q || m_axi_wready;
  wire                        beat   = burst_q && w_free && (abandon || w_valid);
  wire                        ends   = beat && last_q;
  wire                        next   = !burst_q || ends;

  tpu_fifo #(
    .WIDTH (5),
    .DEPTH (MAX_BURSTS)
  ) u_lengths (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (take),
    .in_ready  (lengths_ready),
    .in_data   (aw_len),
    .out_valid (len_valid),
    .out_ready (next),
    .out_data  (len),
    .level     (lengths_level)
  );

  assign w_ready = burst_q && w_free && !abandon;
  assign w_first = first_q;
  assign w_last  = last_q;

  always @(posedge clk) begin
    if (next) begin
      left_q  <= len;
      first_q <= 1'b1;
      last_q  <= len == 5'd0;
    end else if (beat) begin
      left_q  <= left_q - 5'd1;
      first_q <= 1'b0;
      last_q  <= left_q == 5'd1;
    end
    if (beat) begin
      w_strb_q <= abandon ? {AXI_DATA_WIDTH/8{1'b0}} : w_strb;
      w_last_q <= last_q;
    end
  end

  always @(posedge clk) begin
    abandon_q <= abandon && (burst_q || len_valid);
    if (next) begin
      burst_q <= len_valid;
    end
    if (beat) begin
      w_valid_q <= 1'b1;
    end else if (m_axi_wready) begin
      w_valid_q <= 1'b0;
    end
    if (rst) begin
      abandon_q <= 1'b0;
      burst_q   <= 1'b0;
      w_valid_q <= 1'b0;
    end
  end

  assign m_axi_wdata  = w_data;
  assign m_axi_wstrb  = w_strb_q;
  assign m_axi_wlast  = w_last_q;
  assign m_axi_wvalid = w_valid_q;

  // ---- Answers ---------------------------------------------------------------------------------

  assign m_axi_bready = 1'b1;
  assign b_valid      = m_axi_bvalid && fresh;
  assign b_resp       = m_axi_bresp;

  wire unused = &{1'b0, m_axi_bid[1:0], lengths_level};

endmodule

`default_nettype wire
