// tpu_array with BF16: a row of elements computes in floating point, and moves weights, exactly in the cycles that tpu_mac_bf16 asks for (and the
// accumulators add in floating point in those that tpu_acc_add_float does): not for rows of int8, nor for bubbles, nor after a reset for what was there
// before. row_done comes when the table in the array's header says.
//
// Elements and columns are replaced by models that do anything: what they compute is proved in their own proofs and in formal/tpu_array.v.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_array_bf16 #(
  parameter ACC_ROWS = 4
) (
  input wire                        clk,
  input wire                        rst_asked,
  input wire                        row_valid,
  input wire [63:0]                 row_data,
  input wire [$clog2(ACC_ROWS)-1:0] row_acc,
  input wire                        row_accumulate,
  input wire                        row_last,
  input wire                        row_bf16,
  input wire [63:0]                 wt_data,
  input wire                        wt_first,
  input wire                        tile_swap,
  input wire                        acc_rd_valid,
  input wire [$clog2(ACC_ROWS)-1:0] acc_rd_row
);

  // The smallest array there is
  localparam N       = 4;
  localparam LATENCY = 3;
  // A row's first sum is added so many cycles after the row entered, its last one written so many.
  localparam ADD     = N * LATENCY + 1;
  localparam DONE    = N * LATENCY + N + LATENCY - 1;
  localparam HISTORY = ADD + N + LATENCY;

  // A reset at first, and at any time
  reg begins = 1'b1;
  always @(posedge clk) begins <= 1'b0;
  wire rst = begins || rst_asked;

  wire row_done;

  tpu_array #(
    .LANES       (N),
    .ACC_ROWS    (ACC_ROWS),
    .A_BITS      (16),
    .W_BITS      (16),
    .PSUM_BITS   (18),
    .LATENCY     (LATENCY),
    .ADD_LATENCY (LATENCY),
    .BF16        (1)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .row_valid      (row_valid),
    .row_data       (row_data),
    .row_acc        (row_acc),
    .row_accumulate (row_accumulate),
    .row_last       (row_last),
    .row_bf16       (row_bf16),
    .row_done       (row_done),
    .wt_data        (wt_data),
    .wt_first       (wt_first),
    .tile_swap      (tile_swap),
    .acc_rd_valid   (acc_rd_valid),
    .acc_rd_ready   (),
    .acc_rd_row     (acc_rd_row),
    .acc_rd_data    ()
  );

  //// Reference: bit d is what happened d cycles ago, after the last reset ////

  // A row of bf16 entered; one that is its instruction's last; a row of weights
  reg  [HISTORY:1] float_q;
  reg  [HISTORY:1] last_q;
  reg  [HISTORY:1] weights_q;
  // Rows of the tile that have still to come
  reg  [2:0]       left_q;
  wire [HISTORY:0] float_row  = {float_q, row_valid && row_bf16};
  wire [HISTORY:0] last_row   = {last_q, row_valid && row_last};
  wire [HISTORY:0] weight_row = {weights_q, wt_first || left_q != 0};

  always @(posedge clk) begin
    float_q   <= rst ? 0 : float_row;
    last_q    <= rst ? 0 : last_row;
    weights_q <= rst ? 0 : weight_row;
    left_q    <= rst ? 0 : wt_first ? N - 1 : left_q - (left_q != 0);
  end

  (* hierconn *) wire \dut.g_row[0].g_column[0].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[1].g_column[0].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[2].g_column[0].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[3].g_column[0].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[0].g_column[3].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[1].g_column[3].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[2].g_column[3].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[3].g_column[3].g_bf16.u_mac.float_en ;
  (* hierconn *) wire \dut.g_row[0].g_column[0].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[1].g_column[0].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[2].g_column[0].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[3].g_column[0].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[0].g_column[3].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[1].g_column[3].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[2].g_column[3].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_row[3].g_column[3].g_bf16.u_mac.weights_en ;
  (* hierconn *) wire \dut.g_acc[0].u_column.float_en ;
  (* hierconn *) wire \dut.g_acc[3].u_column.float_en ;
  (* hierconn *) wire \dut.g_acc[0].u_column.bf16_in ;

  // Of the first and of the last element of each array row
  wire [N-1:0] float_first   = {\dut.g_row[3].g_column[0].g_bf16.u_mac.float_en , \dut.g_row[2].g_column[0].g_bf16.u_mac.float_en ,
                                \dut.g_row[1].g_column[0].g_bf16.u_mac.float_en , \dut.g_row[0].g_column[0].g_bf16.u_mac.float_en };
  wire [N-1:0] float_last    = {\dut.g_row[3].g_column[3].g_bf16.u_mac.float_en , \dut.g_row[2].g_column[3].g_bf16.u_mac.float_en ,
                                \dut.g_row[1].g_column[3].g_bf16.u_mac.float_en , \dut.g_row[0].g_column[3].g_bf16.u_mac.float_en };
  wire [N-1:0] weights_first = {\dut.g_row[3].g_column[0].g_bf16.u_mac.weights_en , \dut.g_row[2].g_column[0].g_bf16.u_mac.weights_en ,
                                \dut.g_row[1].g_column[0].g_bf16.u_mac.weights_en , \dut.g_row[0].g_column[0].g_bf16.u_mac.weights_en };
  wire [N-1:0] weights_last  = {\dut.g_row[3].g_column[3].g_bf16.u_mac.weights_en , \dut.g_row[2].g_column[3].g_bf16.u_mac.weights_en ,
                                \dut.g_row[1].g_column[3].g_bf16.u_mac.weights_en , \dut.g_row[0].g_column[3].g_bf16.u_mac.weights_en };

  genvar r;
  generate
    for (r = 0; r < N; r = r + 1) begin : g_row
      // The first element's activation comes r * LATENCY cycles after the row entered, the last one's N - 1 later; each needs LATENCY cycles more.
      wire float_en   = |float_row[r*LATENCY +: N+LATENCY];
      // A weight likewise, and it needs two cycles more.
      wire weights_en = |weight_row[r*LATENCY +: N+2];
      always @* begin
        if (!rst) begin
          assert (float_first[r] == float_en && float_last[r] == float_en);
          assert (weights_first[r] == weights_en && weights_last[r] == weights_en);
        end
      end
    end
  endgenerate

  // The first column adds a row's sum in one cycle and rounds it in the next, the last column does N - 1 cycles later.
  wire adds = |float_row[ADD +: N+LATENCY];

  always @* begin
    if (!rst) begin
      assert (\dut.g_acc[0].u_column.bf16_in == float_row[ADD]);
      assert (\dut.g_acc[0].u_column.float_en == adds && \dut.g_acc[3].u_column.float_en == adds);
      assert (row_done == last_row[DONE]);
    end
  end

endmodule

`default_nettype wire
