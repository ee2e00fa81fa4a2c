// The read side of the memory port: three clients, instruction fetch (0), load (1) and weights (2), on AXI4, across every reset of the core.
//
//   *_ar_* ──▶ arbiter ──────▶ AR register ──▶ m_axi_ar*      ID: {epoch, client}
//   *_r_*  ◀── fresh answers ◀── m_axi_r*                     answers to requests from before the core's reset are dropped
//
// Load and weights take turns. Fetch, which reads far ahead, gives way to both: they request only what instructions ask for that were
// fetched before, so fetch does not wait for ever.
//
// Answers are always accepted, because the clients have reserved room for what they request. The core's reset does not reset this module,
// because AXI lets no VALID fall before its READY.
//
// More than 40 ports: the channels of three clients and of the bus.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_axi_read_port #(
  // Bits of a beat
  parameter AXI_DATA_WIDTH = 128,
  // Bits of a memory address
  parameter AXI_ADDR_WIDTH = 40,
  // Unanswered bursts, a power of two: more than the clients have room for
  parameter MAX_OWED = 512
) (
  input  wire                      clk,
  input  wire                      rst,
  // Reset of the clients
  input  wire                      core_rst,
  // Takes no more bursts
  input  wire                      halt,
  // All bursts of this epoch have been answered
  output wire                      drained,

  // Instruction fetch
  input  wire                      fe_ar_valid,
  output wire                      fe_ar_ready,
  input  wire [AXI_ADDR_WIDTH-1:0] fe_ar_addr,
  input  wire [7:0]                fe_ar_len,
  output wire                      fe_r_valid,
  output wire [AXI_DATA_WIDTH-1:0] fe_r_data,
  output wire [1:0]                fe_r_resp,
  output wire                      fe_r_last,

  // Load
  input  wire                      ld_ar_valid,
  output wire                      ld_ar_ready,
  input  wire [AXI_ADDR_WIDTH-1:0] ld_ar_addr,
  input  wire [7:0]                ld_ar_len,
  output wire                      ld_r_valid,
  output wire [AXI_DATA_WIDTH-1:0] ld_r_data,
  output wire [1:0]                ld_r_resp,
  output wire                      ld_r_last,

  // Weights
  input  wire                      wt_ar_valid,
  output wire                      wt_ar_ready,
  input  wire [AXI_ADDR_WIDTH-1:0] wt_ar_addr,
  input  wire [7:0]                wt_ar_len,
  output wire                      wt_r_valid,
  output wire [AXI_DATA_WIDTH-1:0] wt_r_data,
  output wire [1:0]                wt_r_resp,
  output wire                      wt_r_last,

  // AXI4 read channels
  output wire [2:0]                m_axi_arid,
  output wire [AXI_ADDR_WIDTH-1:0] m_axi_araddr,
  output wire [7:0]                m_axi_arlen,
  output wire [2:0]                m_axi_arsize,
  output wire [1:0]                m_axi_arburst,
  output wire                      m_axi_arlock,
  output wire [3:0]                m_axi_arcache,
  output wire [2:0]                m_axi_arprot,
  output wire [3:0]                m_axi_arqos,
  output wire                      m_axi_arvalid,
  input  wire                      m_axi_arready,
  input  wire [2:0]                m_axi_rid,
  input  wire [AXI_DATA_WIDTH-1:0] m_axi_rdata,
  input  wire [1:0]                m_axi_rresp,
  input  wire                      m_axi_rlast,
  input  wire                      m_axi_rvalid,
  output wire                      m_axi_rready
);

  localparam [1:0]  ID_FETCH   = 2'd0;
  localparam [1:0]  ID_LOAD    = 2'd1;
  localparam [1:0]  ID_WEIGHTS = 2'd2;

  // ---- Epochs ----------------------------------------------------------------------------------

  wire epoch;
  wire open;
  wire fresh;
  wire take;

  tpu_axi_epoch #(
    .MAX_OWED (MAX_OWED)
  ) u_epoch (
    .clk          (clk),
    .rst          (rst),
    .core_rst     (core_rst),
    .request      (take),
    .epoch        (epoch),
    .open         (open),
    .answer       (m_axi_rvalid && m_axi_rlast),
    .answer_epoch (m_axi_rid[2]),
    .fresh        (fresh),
    .drained      (drained)
  );

  // ---- Requests --------------------------------------------------------------------------------

  reg                       valid_q;
  reg                       epoch_q;
  reg  [1:0]                id_q;
  reg  [AXI_ADDR_WIDTH-1:0] addr_q;
  reg  [7:0]                len_q;

  wire       load_next = ld_ar_valid && !(wt_ar_valid && id_q == ID_LOAD);
  wire [1:0] chosen    = load_next ? ID_LOAD : wt_ar_valid ? ID_WEIGHTS : ID_FETCH;
  wire       any       = fe_ar_valid || ld_ar_valid || wt_ar_valid;
  wire       free      = open && !halt && (!valid_q || m_axi_arready);

  assign take = any && free;

  assign fe_ar_ready = free && chosen == ID_FETCH;
  assign ld_ar_ready = free && chosen == ID_LOAD;
  assign wt_ar_ready = free && chosen == ID_WEIGHTS;

  always @(posedge clk) begin
    if (take) begin
      epoch_q <= epoch;
      addr_q  <= chosen == ID_FETCH ? fe_ar_addr : chosen == ID_LOAD ? ld_ar_addr : wt_ar_addr;
      len_q   <= chosen == ID_FETCH ? fe_ar_len : chosen == ID_LOAD ? ld_ar_len : wt_ar_len;
    end
  end

  always @(posedge clk) begin
    if (take) begin
      valid_q <= 1'b1;
      id_q    <= chosen;
    end else if (m_axi_arready) begin
      valid_q <= 1'b0;
    end
    if (rst) begin
      valid_q <= 1'b0;
      id_q    <= ID_FETCH;
    end
  end

  assign m_axi_arid    = {epoch_q, id_q};
  assign m_axi_araddr  = addr_q;
  assign m_axi_arlen   = len_q;
  assign m_axi_arvalid = valid_q;

  tpu_axi_attributes #(
    .AXI_DATA_WIDTH (AXI_DATA_WIDTH)
  ) u_attributes (
    .size  (m_axi_arsize),
    .burst (m_axi_arburst),
    .lock  (m_axi_arlock),
    .cache (m_axi_arcache),
    .prot  (m_axi_arprot),
    .qos   (m_axi_arqos)
  );

  // ---- Answers ---------------------------------------------------------------------------------

  assign m_axi_rready = 1'b1;

  assign fe_r_valid = m_axi_rvalid && fresh && m_axi_rid[1:0] == ID_FETCH;
  assign fe_r_data  = m_axi_rdata;
  assign fe_r_resp  = m_axi_rresp;
  assign fe_r_last  = m_axi_rlast;
  assign ld_r_valid = m_axi_rvalid && fresh && m_axi_rid[1:0] == ID_LOAD;
  assign ld_r_data  = m_axi_rdata;
  assign ld_r_resp  = m_axi_rresp;
  assign ld_r_last  = m_axi_rlast;
  assign wt_r_valid = m_axi_rvalid && fresh && m_axi_rid[1:0] == ID_WEIGHTS;
  assign wt_r_data  = m_axi_rdata;
  assign wt_r_resp  = m_axi_rresp;
  assign wt_r_last  = m_axi_rlast;

endmodule

`default_nettype wire
