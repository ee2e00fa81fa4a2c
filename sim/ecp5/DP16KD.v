// ECP5: a block of memory of 2048 x 9 bits with two ports (Lattice FPGA-TN-02204), without output registers and resets.
//
// A port of 18 bits reads and writes two cells of 9 bits, ADx0 and ADx1 enable their writes. A port of 36 bits writes (A) or reads (B) four cells, and takes
// the pins of data of both ports; ADA0 to ADA3 enable writes. The memory starts with any contents: whoever makes a netlist for this model has to see that none are asked for.
//
// A cell that one port writes while the other one reads it reads as its complement: the device promises nothing.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module DP16KD #(
  parameter DATA_WIDTH_A = 18,
  parameter DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA",
  parameter CLKBMUX = "CLKB",
  parameter GSR = "ENABLED"
) (
  input  wire CLKA,
  input  wire WEA,
  input  wire CEA,
  input  wire OCEA,
  input  wire RSTA,
  input  wire CSA0,
  input  wire CSA1,
  input  wire CSA2,
  input  wire ADA0,
  input  wire ADA1,
  input  wire ADA2,
  input  wire ADA3,
  input  wire ADA4,
  input  wire ADA5,
  input  wire ADA6,
  input  wire ADA7,
  input  wire ADA8,
  input  wire ADA9,
  input  wire ADA10,
  input  wire ADA11,
  input  wire ADA12,
  input  wire ADA13,
  input  wire DIA0,
  input  wire DIA1,
  input  wire DIA2,
  input  wire DIA3,
  input  wire DIA4,
  input  wire DIA5,
  input  wire DIA6,
  input  wire DIA7,
  input  wire DIA8,
  input  wire DIA9,
  input  wire DIA10,
  input  wire DIA11,
  input  wire DIA12,
  input  wire DIA13,
  input  wire DIA14,
  input  wire DIA15,
  input  wire DIA16,
  input  wire DIA17,
  output wire DOA0,
  output wire DOA1,
  output wire DOA2,
  output wire DOA3,
  output wire DOA4,
  output wire DOA5,
  output wire DOA6,
  output wire DOA7,
  output wire DOA8,
  output wire DOA9,
  output wire DOA10,
  output wire DOA11,
  output wire DOA12,
  output wire DOA13,
  output wire DOA14,
  output wire DOA15,
  output wire DOA16,
  output wire DOA17,
  input  wire CLKB,
  input  wire WEB,
  input  wire CEB,
  input  wire OCEB,
  input  wire RSTB,
  input  wire CSB0,
  input  wire CSB1,
  input  wire CSB2,
  input  wire ADB0,
  input  wire ADB1,
  input  wire ADB2,
  input  wire ADB3,
  input  wire ADB4,
  input  wire ADB5,
  input  wire ADB6,
  input  wire ADB7,
  input  wire ADB8,
  input  wire ADB9,
  input  wire ADB10,
  input  wire ADB11,
  input  wire ADB12,
  input  wire ADB13,
  input  wire DIB0,
  input  wire DIB1,
  input  wire DIB2,
  input  wire DIB3,
  input  wire DIB4,
  input  wire DIB5,
  input  wire DIB6,
  input  wire DIB7,
  input  wire DIB8,
  input  wire DIB9,
  input  wire DIB10,
  input  wire DIB11,
  input  wire DIB12,
  input  wire DIB13,
  input  wire DIB14,
  input  wire DIB15,
  input  wire DIB16,
  input  wire DIB17,
  output wire DOB0,
  output wire DOB1,
  output wire DOB2,
  output wire DOB3,
  output wire DOB4,
  output wire DOB5,
  output wire DOB6,
  output wire DOB7,
  output wire DOB8,
  output wire DOB9,
  output wire DOB10,
  output wire DOB11,
  output wire DOB12,
  output wire DOB13,
  output wire DOB14,
  output wire DOB15,
  output wire DOB16,
  output wire DOB17
);

  generate
    if ((DATA_WIDTH_A != 9 && DATA_WIDTH_A != 18 && DATA_WIDTH_A != 36) || (DATA_WIDTH_B != 9 && DATA_WIDTH_B != 18 && DATA_WIDTH_B != 36))
    begin : g_check_width
      ERROR_DP16KD_widths_must_be_9_18_or_36 check ();
    end
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB")
    begin : g_check_mode
      ERROR_DP16KD_this_model_has_no_such_mode check ();
    end
  endgenerate

  localparam CELLS_A = DATA_WIDTH_A / 9;
  localparam CELLS_B = DATA_WIDTH_B / 9;
  // A port of 36 bits does one thing.
  localparam READS_A = CELLS_A != 4 && CELLS_B != 4;
  localparam WRITES_B = CELLS_A != 4 && CELLS_B != 4;

  wire [13:0] ad_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] ad_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] di_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] di_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire        en_a = CEA && !CSA0 && !CSA1 && !CSA2;
  wire        en_b = CEB && !CSB0 && !CSB1 && !CSB2;
  wire        write_a = en_a && WEA;
  wire        write_b = en_b && WEB && WRITES_B;

  // First cell; which of the cells behind it are written; data
  wire [10:0] cell_a  = ad_a[13:3] & ~(CELLS_A[10:0] - 11'd1);
  wire [10:0] cell_b  = ad_b[13:3] & ~(CELLS_B[10:0] - 11'd1);
  wire [3:0]  which_a = !write_a ? 4'd0 : CELLS_A == 1 ? 4'd1 : CELLS_A == 2 ? {2'd0, ad_a[1:0]} : ad_a[3:0];
  wire [3:0]  which_b = !write_b ? 4'd0 : CELLS_B == 1 ? 4'd1 : {2'd0, ad_b[1:0]};
  wire [35:0] data_a  = {di_b, di_a};
  wire [35:0] data_b  = {18'd0, di_b};

  reg  [8:0]  memory [0:2047];
  reg  [35:0] q_a;
  reg  [35:0] q_b;
  integer     a;
  integer     b;

  // Whether a port that writes cells from `first` on, `which` of them, writes `place`
  function writes;
    input [10:0] first;
    input [3:0]  which;
    input [10:0] place;
    reg   [10:0] behind;
    begin
      behind = place - first;
      writes = behind < 11'd4 && which[behind[1:0]];
    end
  endfunction

  always @(posedge CLKA) begin
    for (a = 0; a < CELLS_A; a = a + 1) begin
      if (which_a[a]) begin
        memory[cell_a+a[10:0]] <= data_a[9*a +: 9];
      end
      if (READS_A && en_a && (!WEA || WRITEMODE_A != "NORMAL")) begin
        q_a[9*a +: 9] <= WEA && WRITEMODE_A == "WRITETHROUGH" && which_a[a] ? data_a[9*a +: 9]
                         : memory[cell_a+a[10:0]] ^ {9{writes(cell_b, which_b, cell_a + a[10:0])}};
      end
    end
  end

  always @(posedge CLKB) begin
    for (b = 0; b < CELLS_B; b = b + 1) begin
      if (which_b[b]) begin
        memory[cell_b+b[10:0]] <= data_b[9*b +: 9];
      end
      if (en_b && (!write_b || WRITEMODE_B != "NORMAL")) begin
        q_b[9*b +: 9] <= write_b && WRITEMODE_B == "WRITETHROUGH" && which_b[b] ? data_b[9*b +: 9]
                         : memory[cell_b+b[10:0]] ^ {9{writes(cell_a, which_a, cell_b + b[10:0])}};
      end
    end
  end

  wire [17:0] do_a = CELLS_B == 4 ? q_b[17:0] : q_a[17:0];
  wire [17:0] do_b = CELLS_B == 4 ? q_b[35:18] : q_b[17:0];

  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = do_a;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = do_b;

  wire unused = &{1'b0, q_a, q_b, OCEA, OCEB, RSTA, RSTB};

endmodule

`default_nettype wire
