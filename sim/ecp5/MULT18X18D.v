// ECP5: a multiplier of 18 x 18 bits without its registers (Lattice FPGA-TN-02205). Each factor is signed or not.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module MULT18X18D (
  input  wire A0,
  input  wire A1,
  input  wire A2,
  input  wire A3,
  input  wire A4,
  input  wire A5,
  input  wire A6,
  input  wire A7,
  input  wire A8,
  input  wire A9,
  input  wire A10,
  input  wire A11,
  input  wire A12,
  input  wire A13,
  input  wire A14,
  input  wire A15,
  input  wire A16,
  input  wire A17,
  input  wire B0,
  input  wire B1,
  input  wire B2,
  input  wire B3,
  input  wire B4,
  input  wire B5,
  input  wire B6,
  input  wire B7,
  input  wire B8,
  input  wire B9,
  input  wire B10,
  input  wire B11,
  input  wire B12,
  input  wire B13,
  input  wire B14,
  input  wire B15,
  input  wire B16,
  input  wire B17,
  input  wire C0,
  input  wire C1,
  input  wire C2,
  input  wire C3,
  input  wire C4,
  input  wire C5,
  input  wire C6,
  input  wire C7,
  input  wire C8,
  input  wire C9,
  input  wire C10,
  input  wire C11,
  input  wire C12,
  input  wire C13,
  input  wire C14,
  input  wire C15,
  input  wire C16,
  input  wire C17,
  input  wire SIGNEDA,
  input  wire SIGNEDB,
  input  wire SOURCEA,
  input  wire SOURCEB,
  output wire P0,
  output wire P1,
  output wire P2,
  output wire P3,
  output wire P4,
  output wire P5,
  output wire P6,
  output wire P7,
  output wire P8,
  output wire P9,
  output wire P10,
  output wire P11,
  output wire P12,
  output wire P13,
  output wire P14,
  output wire P15,
  output wire P16,
  output wire P17,
  output wire P18,
  output wire P19,
  output wire P20,
  output wire P21,
  output wire P22,
  output wire P23,
  output wire P24,
  output wire P25,
  output wire P26,
  output wire P27,
  output wire P28,
  output wire P29,
  output wire P30,
  output wire P31,
  output wire P32,
  output wire P33,
  output wire P34,
  output wire P35
);

  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};

  wire signed [18:0] factor_a = {SIGNEDA && a[17], a};
  wire signed [18:0] factor_b = {SIGNEDB && b[17], b};
  wire signed [37:0] product  = factor_a * factor_b;

  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12, P11, P10,
    P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product[35:0];

  wire unused = &{1'b0, product[37:36], SOURCEA, SOURCEB,
    C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0};

endmodule

`default_nettype wire
