// Decoder: words of the program to words of checked instructions, in program order.
//
// A word takes one cycle. It is offered to the queues one cycle after it was taken, before its checks are known: the queues may hold
// words of an instruction that turns out to be illegal, but `delivered` tells, one cycle after its last word, that it is legal as a whole,
// and it must not start before.
//
//   cycle   0            1                                         2
//           word taken   out_unit, out_pos, out_data; is checked   delivered, or err_valid
//
// The first fault (opcode, field, a program that ends inside an instruction, an error of fetch) raises err_valid until reset, in its first
// cycle with the index of the instruction; nothing is delivered after it. Instructions are counted whether they are legal or not: a count
// that hung on the checks would be the front end's longest path.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_decode #(
  // Bits of a word: 128, 256 or 512
  parameter WORD_BITS = 128,
  // Bits of a word's place in an instruction
  parameter POS_BITS = 3,
  // Floating-point opcodes and formats are legal (docs/isa.md, 10)
  parameter BF16 = 0,
  // IVECTOR and planes of int16 are legal (docs/isa.md, 11)
  parameter INT16 = 0,
  // The field float_rounding is legal (docs/isa.md, 7)
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                      clk,
  input  wire                      rst,

  // Program; `start` only when idle
  input  wire                      start,
  input  wire [31:0]               prog_granules,
  input  wire                      stop,
  // Every instruction was delivered; level until the next start
  output wire                      finished,

  // Words of the program
  input  wire                      g_valid,
  output wire                      g_ready,
  input  wire [WORD_BITS-1:0]      g_data,
  input  wire                      g_bus_error,
  input  wire                      range_error,

  // Words of instructions, each with its unit (one-hot; none: no word) and its place
  output wire [`TPU_NUM_UNITS-1:0] out_unit,
  input  wire                      out_ready,
  output wire [POS_BITS-1:0]       out_pos,
  output wire [WORD_BITS-1:0]      out_data,
  // The instruction in hand
  output wire [31:0]               out_index,
  // A legal instruction of this unit is complete
  output wire [`TPU_NUM_UNITS-1:0] delivered,

  // First fault
  output wire                      err_valid,
  output wire [3:0]                err_code,
  output wire [31:0]               err_index
);

  localparam U         = `TPU_NUM_UNITS;
  // Words in a granule; 32-bit words in a word
  localparam WORDS     = `TPU_GRANULE_BITS / WORD_BITS;
  localparam LOG_WORDS = $clog2(WORDS);
  localparam PARTS     = WORD_BITS / 32;
  localparam LOG_PARTS = $clog2(PARTS);

  generate
    if (WORD_BITS != 128 && WORD_BITS != 256 && WORD_BITS != 512) begin : g_check_word_bits
      ERROR_tpu_decode_WORD_BITS_must_be_128_256_or_512 check ();
    end
    if (1 << POS_BITS < `TPU_MAX_GRANULES * WORDS) begin : g_check_pos_bits
      ERROR_tpu_decode_POS_BITS_is_too_small_for_the_longest_instruction check ();
    end
  endgenerate

  // Words not yet taken; there is one.
  reg [31+LOG_WORDS:0] left_q;
  reg                  more_q;
  // The word in hand; without one, pos_q is the place of the next.
  reg                  valid_q;
  reg [WORD_BITS-1:0]  data_q;
  reg                  bus_error_q;
  reg [POS_BITS-1:0]   pos_q;
  // Of the instruction that the word in hand belongs to.
  reg [7:0]            opcode_q;
  reg [U-1:0]          unit_q;
  reg [31:0]           index_q;
  // index_q went on in the cycle before.
  reg                  counted_q;
  reg [U-1:0]          delivered_q;
  reg                  error_q;
  reg [3:0]            err_code_q;

  // ---- Checks of the word in hand ---------------------------------------------------------------

  function illegal_word;
    input [7:0]                    opcode;
    input [POS_BITS+LOG_PARTS-1:0] word;
    input [31:0]                   i;
    illegal_word = `TPU_ILLEGAL_WORD(opcode, word, i, BF16 != 0, INT16 != 0, FLOAT_ROUNDING != 0);
  endfunction

  wire [PARTS-1:0] illegal;
  wire             first = pos_q == {POS_BITS{1'b0}};
  // It is the last word of the unit's instruction; it is the first, and the program has too few behind it.
  wire [U-1:0]     ends;
  wire [U-1:0]     lacks;
  genvar k;
  generate
    for (k = 0; k < PARTS; k = k + 1) begin : g_part
      localparam [LOG_PARTS-1:0] PART = k;
      assign illegal[k] = illegal_word(opcode_q, {pos_q, PART}, data_q[32*k +: 32]);
    end
    for (k = 0; k < U; k = k + 1) begin : g_unit
      localparam integer LAST = `TPU_UNIT_GRANULES(k) * WORDS - 1;
      // Bit i: i words are less than come behind the first.
      localparam [(1<<POS_BITS)-1:0] FEW = ~({(1<<POS_BITS){1'b1}} << LAST);
      assign ends[k]  = unit_q[k] && pos_q == LAST[POS_BITS-1:0];
      assign lacks[k] = unit_q[k] && first && left_q[31+LOG_WORDS:POS_BITS] == {(32+LOG_WORDS-POS_BITS){1'b0}}
                        && FEW[left_q[POS_BITS-1:0]];
    end
  endgenerate

  // Rules that tie fields together: all of them stand in an instruction's first 32 bits.
  wire bad_wide;
  wire bad_float;
  wire bad_int16;
  generate
    if (BF16 != 0 || INT16 != 0) begin : g_wide
      // Numbers of more than one byte go to the unified buffer alone.
      assign bad_wide = opcode_q == `TPU_OP_LOAD && data_q[`TPU_LOAD_FORMAT] != `TPU_NUMBER_FORMAT_INT8
                        && data_q[`TPU_LOAD_DESTINATION] != `TPU_LOAD_DESTINATION_UB;
    end else begin : g_bytes
      assign bad_wide = 1'b0;
    end
    if (BF16 != 0) begin : g_float
      wire [1:0] a_format = data_q[`TPU_FVECTOR_A_FORMAT];
      // A bf16 lane outside of a window is zero, and bf16 has no planes; accumulators hold words.
      wire bad_matmul  = opcode_q == `TPU_OP_MATMUL && data_q[`TPU_MATMUL_FORMAT] != `TPU_NUMBER_FORMAT_INT8
                         && (data_q[`TPU_MATMUL_ZERO_POINT] != 8'd0
                             || (INT16 != 0 && data_q[`TPU_MATMUL_PLANES]));
      wire bad_a       = data_q[`TPU_FVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC
                         && a_format != `TPU_NUMBER_FORMAT_FP32 && a_format != `TPU_NUMBER_FORMAT_INT32;
      // Quarters of rows of bf16 change places, of no others.
      wire bad_output  = data_q[`TPU_FVECTOR_INTERLEAVE] != `TPU_FLOAT_INTERLEAVE_NONE && data_q[`TPU_FVECTOR_O_FORMAT] != `TPU_NUMBER_FORMAT_BF16;
      wire bad_fvector = opcode_q == `TPU_OP_FVECTOR && (bad_a || bad_output);
      assign bad_float = bad_matmul || bad_fvector;
    end else begin : g_no_float
      assign bad_float = 1'b0;
    end
    if (INT16 != 0) begin : g_int16
      wire [1:0] a_format = data_q[`TPU_IVECTOR_A_FORMAT];
      wire       acc      = data_q[`TPU_IVECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      wire       pair     = a_format == `TPU_INTEGER_FORMAT_PAIR;
      // Pairs lie in the accumulators, which hold words.
      assign bad_int16 = opcode_q == `TPU_OP_IVECTOR && (acc ? !pair && a_format != `TPU_INTEGER_FORMAT_INT32 : pair);
    end else begin : g_no_int16
      assign bad_int16 = 1'b0;
    end
  endgenerate

  wire last        = ends != {U{1'b0}};
  wire bad_opcode  = unit_q == {U{1'b0}};
  wire truncated   = lacks != {U{1'b0}};
  // VECTOR copies accumulators, nothing else.
  wire bad_map     = first && opcode_q == `TPU_OP_VECTOR && data_q[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC
                     && data_q[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
  wire bad_fields  = first && (bad_wide || bad_float || bad_int16);
  wire fault       = bad_opcode || truncated || illegal != {PARTS{1'b0}} || bad_map || bad_fields || bus_error_q;

  // ---- Flow -------------------------------------------------------------------------------------

  wire                advance = valid_q && out_ready;
  wire                take    = g_valid && g_ready;
  wire [POS_BITS-1:0] next    = !advance ? pos_q : last ? {POS_BITS{1'b0}} : pos_q + 1'b1;

  assign g_ready   = more_q && !stop && !error_q && (!valid_q || out_ready);
  assign finished  = !more_q && !valid_q && !error_q && delivered_q == {U{1'b0}};
  assign out_unit  = valid_q ? unit_q : {U{1'b0}};
  assign out_pos   = pos_q;
  assign out_data  = data_q;
  assign out_index = index_q;
  assign delivered = delivered_q;
  assign err_valid = error_q;
  assign err_code  = err_code_q;
  assign err_index = index_q - {31'd0, counted_q};

  always @(posedge clk) begin
    if (take) begin
      data_q      <= g_data;
      bus_error_q <= g_bus_error;
      if (next == {POS_BITS{1'b0}}) begin
        opcode_q <= g_data[`TPU_OPCODE];
        unit_q   <= `TPU_UNIT_OF_OPCODE(g_data[`TPU_OPCODE], BF16 != 0, INT16 != 0);
      end
    end
    valid_q     <= take || (valid_q && !out_ready);
    pos_q       <= next;
    delivered_q <= {U{1'b0}};
    counted_q   <= advance && last;
    if (start || take) begin
      left_q <= start ? {prog_granules, {LOG_WORDS{1'b0}}} : left_q - 1'b1;
      more_q <= start ? prog_granules != 32'd0 : left_q != {{(31+LOG_WORDS){1'b0}}, 1'b1};
    end
    if (advance && !error_q) begin
      if (fault) begin
        error_q    <= 1'b1;
        err_code_q <= bus_error_q ? `TPU_ERR_BUS_READ : bad_opcode ? `TPU_ERR_ILLEGAL_OPCODE
                    : truncated ? `TPU_ERR_TRUNCATED : `TPU_ERR_ILLEGAL_FIELD;
      end else begin
        delivered_q <= ends;
      end
    end
    if (advance && last) begin
      index_q <= index_q + 32'd1;
    end
    if (!error_q && !valid_q && more_q && range_error) begin
      error_q    <= 1'b1;
      err_code_q <= `TPU_ERR_ADDR_RANGE;
    end
    if (start) begin
      index_q <= 32'd0;
    end
    if (rst) begin
      left_q      <= {(32+LOG_WORDS){1'b0}};
      more_q      <= 1'b0;
      valid_q     <= 1'b0;
      pos_q       <= {POS_BITS{1'b0}};
      index_q     <= 32'd0;
      delivered_q <= {U{1'b0}};
      error_q     <= 1'b0;
    end
  end

  // So nothing is left of one when the program has no more words.
  `TPU_ASSERT(a_programs_end_with_an_instruction, more_q || valid_q || error_q || first)

endmodule

`default_nettype wire
