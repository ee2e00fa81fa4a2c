// tpu_decode: every word of the program is offered once, in order, with the unit and index of its instruction and its place in it; exactly the
// instructions that are legal are delivered, once, a cycle after their last word was taken; the first fault raises its error, and
// nothing is delivered after it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_decode #(
  parameter WORD_BITS = 128,
  parameter POS_BITS = 3,
  parameter INT16 = 0
) (
  input wire                 clk,
  input wire                 start,
  input wire [31:0]          prog_granules,
  input wire                 stop,
  input wire                 g_valid,
  input wire [WORD_BITS-1:0] g_data,
  input wire                 g_bus_error,
  input wire                 range_error,
  input wire                 out_ready
);

  localparam U     = `TPU_NUM_UNITS;
  localparam WORDS = `TPU_GRANULE_BITS / WORD_BITS;
  localparam PARTS = WORD_BITS / 32;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire                 finished;
  wire                 g_ready;
  wire [U-1:0]         out_unit;
  wire [POS_BITS-1:0]  out_pos;
  wire [WORD_BITS-1:0] out_data;
  wire [31:0]          out_index;
  wire [U-1:0]         delivered;
  wire                 err_valid;
  wire [3:0]           err_code;
  wire [31:0]          err_index;

  tpu_decode #(
    .WORD_BITS (WORD_BITS),
    .POS_BITS  (POS_BITS),
    .INT16     (INT16)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .start         (start),
    .prog_granules (prog_granules),
    .stop          (stop),
    .finished      (finished),
    .g_valid       (g_valid),
    .g_ready       (g_ready),
    .g_data        (g_data),
    .g_bus_error   (g_bus_error),
    .range_error   (range_error),
    .out_unit      (out_unit),
    .out_ready     (out_ready),
    .out_pos       (out_pos),
    .out_data      (out_data),
    .out_index     (out_index),
    .delivered     (delivered),
    .err_valid     (err_valid),
    .err_code      (err_code),
    .err_index     (err_index)
  );

  wire take  = g_valid && g_ready;
  // A word without a unit is waited for by nobody (proof `queues`).
  always @* if (!rst) assume (out_unit != 0 || out_ready);
  // A program starts when the one before has finished, without an error.
  always @* if (!rst) assume (!start || (finished && !err_valid && !take));

  // ---- Reference: words of the program, as they come -------------------------------------------------

  // Granules of which no word has come, words of the last that have not
  reg [31:0]          granules_q;
  reg [POS_BITS-1:0]  rest_q;
  // Of the instruction of the next word: its opcode if its first word has come, words that have come, its index
  reg [7:0]           opcode_q;
  reg [POS_BITS:0]    come_q;
  reg [31:0]          index_q;
  // The word that came last, until it is taken: its own opcode, place and index
  reg                 word_q;
  reg [WORD_BITS-1:0] data_q;
  reg                 bus_error_q;
  reg [7:0]           its_opcode_q;
  reg [POS_BITS-1:0]  its_pos_q;
  reg [31:0]          its_index_q;
  // Too few granules are left for its instruction.
  reg                 short_q;
  // A fault was found.
  reg                 error_q;
  reg [3:0]           code_q;
  reg [31:0]          fault_index_q;
  // It was found in the cycle before.
  reg                 found_q;
  reg [U-1:0]         deliver_q;

  function [POS_BITS:0] words_of(input [7:0] opcode);
    words_of = opcode == `TPU_OP_VECTOR || (INT16 != 0 && opcode == `TPU_OP_IVECTOR) ? 2 * WORDS : WORDS;
  endfunction
  function [U-1:0] unit_of(input [7:0] opcode);
    unit_of = opcode == `TPU_OP_LOAD    ? 1 << `TPU_INDEX_LOAD
            : opcode == `TPU_OP_WEIGHTS ? 1 << `TPU_INDEX_WEIGHTS
            : opcode == `TPU_OP_MATMUL  ? 1 << `TPU_INDEX_MATMUL
            : opcode == `TPU_OP_VECTOR  ? 1 << `TPU_INDEX_VECTOR
            : INT16 != 0 && opcode == `TPU_OP_IVECTOR ? 1 << `TPU_INDEX_VECTOR
            : opcode == `TPU_OP_STORE   ? 1 << `TPU_INDEX_STORE : 0;
  endfunction
  function illegal(input [7:0] opcode, input [7:0] word, input [31:0] i);
    illegal = `TPU_ILLEGAL_WORD(opcode, word, i, 1'b0, INT16 != 0, 1'b0);
  endfunction

  wire [7:0]        opcode = come_q == 0 ? g_data[`TPU_OPCODE] : opcode_q;
  wire              ends   = come_q + 1'b1 == words_of(opcode);
  wire              leaves = word_q && out_ready;
  reg  [PARTS-1:0]  wrong;
  integer           k;

  always @* begin
    for (k = 0; k < PARTS; k = k + 1) begin
      wrong[k] = illegal(its_opcode_q, its_pos_q * PARTS + k, data_q[32*k +: 32]);
    end
  end

  wire map_fault = its_opcode_q == `TPU_OP_VECTOR && its_pos_q == 0 && data_q[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC
                   && data_q[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
  // int16 goes to the unified buffer alone; pairs lie in the accumulators, which hold words.
  wire wide_fault = INT16 != 0 && its_opcode_q == `TPU_OP_LOAD && its_pos_q == 0 && data_q[`TPU_LOAD_FORMAT] != `TPU_NUMBER_FORMAT_INT8
                    && data_q[`TPU_LOAD_DESTINATION] != `TPU_LOAD_DESTINATION_UB;
  wire [1:0] a_format = data_q[`TPU_IVECTOR_A_FORMAT];
  wire sum_fault  = INT16 != 0 && its_opcode_q == `TPU_OP_IVECTOR && its_pos_q == 0
                    && (data_q[`TPU_IVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC
                        ? a_format != `TPU_INTEGER_FORMAT_PAIR && a_format != `TPU_INTEGER_FORMAT_INT32 : a_format == `TPU_INTEGER_FORMAT_PAIR);
  wire fault     = bus_error_q || unit_of(its_opcode_q) == 0 || short_q || wrong != 0 || map_fault || wide_fault || sum_fault;
  wire its_end   = unit_of(its_opcode_q) != 0 && its_pos_q + 1'b1 == words_of(its_opcode_q);

  always @(posedge clk) begin
    if (leaves) word_q <= 1'b0;
    if (take) begin
      word_q       <= 1'b1;
      data_q       <= g_data;
      bus_error_q  <= g_bus_error;
      its_opcode_q <= opcode;
      its_pos_q    <= come_q[POS_BITS-1:0];
      its_index_q  <= index_q;
      short_q      <= words_of(opcode) != WORDS && come_q == 0 && granules_q == 1;
      opcode_q     <= opcode;
      come_q       <= ends ? 0 : come_q + 1'b1;
      index_q      <= ends ? index_q + 1'b1 : index_q;
      granules_q   <= rest_q == 0 ? granules_q - 1'b1 : granules_q;
      rest_q       <= rest_q == 0 ? WORDS - 1 : rest_q - 1'b1;
    end
    found_q       <= !error_q;
    fault_index_q <= word_q ? its_index_q : index_q;
    deliver_q <= leaves && its_end && !fault && !error_q ? unit_of(its_opcode_q) : 0;
    if (leaves && fault && !error_q) begin
      error_q <= 1'b1;
      code_q  <= bus_error_q ? `TPU_ERR_BUS_READ : unit_of(its_opcode_q) == 0 ? `TPU_ERR_ILLEGAL_OPCODE
               : short_q ? `TPU_ERR_TRUNCATED : `TPU_ERR_ILLEGAL_FIELD;
    end else if (!word_q && !error_q && range_error && (granules_q != 0 || rest_q != 0)) begin
      error_q <= 1'b1;
      code_q  <= `TPU_ERR_ADDR_RANGE;
    end
    if (start) begin
      granules_q <= prog_granules;
      rest_q     <= 0;
      index_q    <= 0;
      come_q     <= 0;
    end
    if (rst) begin
      granules_q <= 0;
      rest_q     <= 0;
      index_q    <= 0;
      come_q     <= 0;
      word_q     <= 1'b0;
      error_q    <= 1'b0;
      deliver_q  <= 0;
    end
  end

  always @* begin
    if (!rst) begin
      assert (err_valid == error_q && delivered == deliver_q);
      assert (!(error_q && g_ready));
      assert (!error_q || err_code == code_q);
      assert (!(error_q && found_q) || err_index == fault_index_q);
      if (!error_q) begin
        assert (out_unit == (word_q ? unit_of(its_opcode_q) : {U{1'b0}}));
        assert (!word_q || (out_pos == its_pos_q && out_data == data_q));
        assert (out_index == (word_q ? its_index_q : index_q));
        assert (g_ready == ((granules_q != 0 || rest_q != 0) && !stop && (!word_q || out_ready)));
        assert (finished == (granules_q == 0 && rest_q == 0 && !word_q && come_q == 0 && deliver_q == 0));
      end
    end
  end

  // ---- What makes it inductive -------------------------------------------------------------------------

  (* hierconn *) wire [31+$clog2(WORDS):0] \dut.left_q ;
  (* hierconn *) wire                      \dut.more_q ;
  (* hierconn *) wire                      \dut.valid_q ;
  (* hierconn *) wire                      \dut.bus_error_q ;
  (* hierconn *) wire [POS_BITS-1:0]       \dut.pos_q ;
  (* hierconn *) wire [7:0]                \dut.opcode_q ;
  (* hierconn *) wire [U-1:0]              \dut.unit_q ;

  wire [POS_BITS:0] behind = its_pos_q + 1'b1 == words_of(its_opcode_q) ? 0 : its_pos_q + 1'b1;

  always @* begin
    if (!rst && !error_q) begin
      assert (\dut.left_q == granules_q * WORDS + rest_q && rest_q < WORDS && \dut.more_q == (\dut.left_q != 0));
      assert (\dut.valid_q == word_q);
      assert ((come_q + rest_q) % WORDS == 0);
      if (word_q) begin
        assert (\dut.bus_error_q == bus_error_q && \dut.pos_q == its_pos_q);
        assert (come_q == behind && opcode_q == its_opcode_q && index_q == its_index_q + (behind == 0));
        assert (short_q == (words_of(its_opcode_q) != WORDS && its_pos_q == 0 && granules_q == 0));
      end else begin
        assert (\dut.pos_q == come_q);
      end
      if (word_q || come_q != 0) assert (\dut.opcode_q == opcode_q && \dut.unit_q == unit_of(opcode_q));
      assert (come_q < words_of(opcode_q) || come_q == 0);
      // The program has all words of an instruction that is not short.
      assert (come_q == 0 || word_q && short_q || \dut.left_q >= words_of(opcode_q) - come_q);
      // Instructions of no unit end in an error.
      assert (word_q || come_q == 0 || unit_of(opcode_q) != 0);
      assert (!word_q || its_pos_q == 0 || unit_of(its_opcode_q) != 0);
    end
  end

endmodule

`default_nettype wire
