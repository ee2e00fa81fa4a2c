// Multiplexer behind two PFUMX or two L6MUX21: functions of six and seven inputs. SD chooses D1.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module L6MUX21 (
  input  wire D0,
  input  wire D1,
  input  wire SD,
  output wire Z
);

  assign Z = SD ? D1 : D0;

endmodule

`default_nettype wire
