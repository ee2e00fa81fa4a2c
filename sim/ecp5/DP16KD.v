// Block RAM of 16 Kbit and 2 Kbit of parity, as yosys uses it for memories with one writing and one reading port: port A writes, port B
// reads. In a word of 36 bits both ports together carry data: DIA and DOA the lower half, DIB and DOB the upper one.
//
// Words are of 9, 18 or 36 bits. Addresses count bits, without those of parity: a word of 9 begins at each multiple of 8. In words of several
// bytes of 9 bits, the lowest bits of ADA are no address, but say which bytes are written.
//
// Reading gives the word at the clock's edge. It is undefined while port A writes the same bytes in the same cycle; the model then
// gives anything, so that a machine that looks at such a word fails. The memory starts with anything, too, although the device could load it.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module DP16KD #(
  parameter integer DATA_WIDTH_A = 18,
  parameter integer DATA_WIDTH_B = 18,
  parameter         CLKAMUX      = "CLKA",
  parameter         CLKBMUX      = "CLKB",
  // No registers behind the outputs
  parameter         REGMODE_A    = "NOREG",
  parameter         REGMODE_B    = "NOREG",
  // The chip selects that enable the ports
  parameter         CSDECODE_A   = "0b000",
  parameter         CSDECODE_B   = "0b000",
  parameter         GSR          = "DISABLED",
  // What a port reads while itself writes, and how it is reset: the machine does neither.
  parameter         WRITEMODE_A  = "NORMAL",
  parameter         WRITEMODE_B  = "NORMAL",
  parameter         RESETMODE    = "SYNC",
  parameter         ASYNC_RESET_RELEASE = "SYNC",
  // yosys writes zeros for a memory without contents at the start.
  parameter [319:0]
                  INITVAL_00 = 320'b0, INITVAL_01 = 320'b0, INITVAL_02 = 320'b0, INITVAL_03 = 320'b0, INITVAL_04 = 320'b0,
                  INITVAL_05 = 320'b0, INITVAL_06 = 320'b0, INITVAL_07 = 320'b0, INITVAL_08 = 320'b0, INITVAL_09 = 320'b0,
                  INITVAL_0A = 320'b0, INITVAL_0B = 320'b0, INITVAL_0C = 320'b0, INITVAL_0D = 320'b0, INITVAL_0E = 320'b0,
                  INITVAL_0F = 320'b0, INITVAL_10 = 320'b0, INITVAL_11 = 320'b0, INITVAL_12 = 320'b0, INITVAL_13 = 320'b0,
                  INITVAL_14 = 320'b0, INITVAL_15 = 320'b0, INITVAL_16 = 320'b0, INITVAL_17 = 320'b0, INITVAL_18 = 320'b0,
                  INITVAL_19 = 320'b0, INITVAL_1A = 320'b0, INITVAL_1B = 320'b0, INITVAL_1C = 320'b0, INITVAL_1D = 320'b0,
                  INITVAL_1E = 320'b0, INITVAL_1F = 320'b0, INITVAL_20 = 320'b0, INITVAL_21 = 320'b0, INITVAL_22 = 320'b0,
                  INITVAL_23 = 320'b0, INITVAL_24 = 320'b0, INITVAL_25 = 320'b0, INITVAL_26 = 320'b0, INITVAL_27 = 320'b0,
                  INITVAL_28 = 320'b0, INITVAL_29 = 320'b0, INITVAL_2A = 320'b0, INITVAL_2B = 320'b0, INITVAL_2C = 320'b0,
                  INITVAL_2D = 320'b0, INITVAL_2E = 320'b0, INITVAL_2F = 320'b0, INITVAL_30 = 320'b0, INITVAL_31 = 320'b0,
                  INITVAL_32 = 320'b0, INITVAL_33 = 320'b0, INITVAL_34 = 320'b0, INITVAL_35 = 320'b0, INITVAL_36 = 320'b0,
                  INITVAL_37 = 320'b0, INITVAL_38 = 320'b0, INITVAL_39 = 320'b0, INITVAL_3A = 320'b0, INITVAL_3B = 320'b0,
                  INITVAL_3C = 320'b0, INITVAL_3D = 320'b0, INITVAL_3E = 320'b0, INITVAL_3F = 320'b0
) (
  input  wire CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2,
  input  wire ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12,
              ADA13,
  input  wire DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12,
              DIA13, DIA14, DIA15, DIA16, DIA17,
  output wire DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12,
              DOA13, DOA14, DOA15, DOA16, DOA17,
  input  wire CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
  input  wire ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12,
              ADB13,
  input  wire DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12,
              DIB13, DIB14, DIB15, DIB16, DIB17,
  output wire DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12,
              DOB13, DOB14, DOB15, DOB16, DOB17
);

  // Bytes of 9 bits
  localparam BYTES = DATA_WIDTH_A / 9;

  generate
    if (DATA_WIDTH_A != DATA_WIDTH_B || (DATA_WIDTH_A != 9 && DATA_WIDTH_A != 18 && DATA_WIDTH_A != 36)) begin : g_check_width
      ERROR_DP16KD_has_a_model_for_two_ports_of_9_18_or_36_bits_only check ();
    end
    if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || GSR != "DISABLED" ||
        CSDECODE_A != "0b000" || CSDECODE_B != "0b000") begin : g_check_mode
      ERROR_DP16KD_has_a_model_for_rising_edges_no_registers_no_GSR_and_chip_selects_of_0_only check ();
    end
    if ({INITVAL_00, INITVAL_01, INITVAL_02, INITVAL_03, INITVAL_04, INITVAL_05, INITVAL_06, INITVAL_07, INITVAL_08, INITVAL_09,
         INITVAL_0A, INITVAL_0B, INITVAL_0C, INITVAL_0D, INITVAL_0E, INITVAL_0F, INITVAL_10, INITVAL_11, INITVAL_12, INITVAL_13,
         INITVAL_14, INITVAL_15, INITVAL_16, INITVAL_17, INITVAL_18, INITVAL_19, INITVAL_1A, INITVAL_1B, INITVAL_1C, INITVAL_1D,
         INITVAL_1E, INITVAL_1F, INITVAL_20, INITVAL_21, INITVAL_22, INITVAL_23, INITVAL_24, INITVAL_25, INITVAL_26, INITVAL_27,
         INITVAL_28, INITVAL_29, INITVAL_2A, INITVAL_2B, INITVAL_2C, INITVAL_2D, INITVAL_2E, INITVAL_2F, INITVAL_30, INITVAL_31,
         INITVAL_32, INITVAL_33, INITVAL_34, INITVAL_35, INITVAL_36, INITVAL_37, INITVAL_38, INITVAL_39, INITVAL_3A, INITVAL_3B,
         INITVAL_3C, INITVAL_3D, INITVAL_3E, INITVAL_3F} != 0) begin : g_check_contents
      ERROR_DP16KD_with_contents_at_the_start_has_no_model check ();
    end
  endgenerate

  // ---- Ports as buses ------------------------------------------------------------------------------

  wire [13:0] ada = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  wire [13:0] adb = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  wire [17:0] dia = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0
  };
  wire [17:0] dib = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0
  };
  wire [17:0] doa;
  wire [17:0] dob;
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0
  } = doa;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
  } = dob;

  wire write = CEA && WEA && {CSA2, CSA1, CSA0} == 3'd0;
  wire read  = CEB && {CSB2, CSB1, CSB0} == 3'd0;

  // ---- Memory --------------------------------------------------------------------------------------

  wire [10:0] row_a = ada[13:3] & ~(BYTES[10:0] - 11'd1);
  wire [10:0] row_b = adb[13:3] & ~(BYTES[10:0] - 11'd1);
  wire [35:0] data  = {dib, dia};
  reg  [35:0] word;
  reg  [8:0]  bytes [0:2047];

  genvar i;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      wire byte_write = write && (BYTES == 1 || ada[i]);

      always @(posedge CLKA) begin
        if (byte_write) begin
          bytes[row_a | i[10:0]] <= data[9*i +: 9];
        end
      end
      always @(posedge CLKB) begin
        if (read) begin
          word[9*i +: 9] <= byte_write && row_a == row_b ? 9'bx : bytes[row_b | i[10:0]];
        end
      end
    end
  endgenerate

  // What port A reads is not modelled.
  assign doa = BYTES == 4 ? word[17:0] : 18'bx;
  assign dob = BYTES == 4 ? word[35:18] : word[17:0];

  always @(posedge CLKA) begin
    if (WEB || RSTA || RSTB) begin
      $display("DP16KD %m: has a model without a second writing port and without resets");
      $finish;
    end
  end

endmodule

`default_nettype wire
