// SPDX-License-Identifier: Apache-2.0
// What $finish in the RTL (a failed assertion) does to the simulating program. Verilator's own
// version ends the whole program with status 0 at the second $finish, which a test runner takes for
// success.
#include <verilated.h>

#include "base/error.h"

void vl_finish(const char* filename, int linenum, const char* /*hier*/) {
  throw tpu::Error::Format("the RTL stopped itself at {}:{}: an assertion failed (see above)",
                           filename, linenum);
}
