# SPDX-License-Identifier: Apache-2.0
# Headers of other projects, which take longer to read than most of our files: compiled once for all libraries, once for all programs and
# tests, and once for all Verilated models. What the files of a set are compiled with has to be the same. `make lint` compiles every file
# without, and so finds what a file forgets to include.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers.cpp CONTENT "")

# tpu_headers(NAME HEADERS ... OPTIONS ... DEPENDS ...)
function(tpu_headers name)
  cmake_parse_arguments(ARG "" "" "HEADERS;OPTIONS;DEPENDS" ${ARGN})
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/headers.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  # Without the time, the same headers are the same file, and ccache knows what is compiled with them.
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS} $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  # The file names the folder that it was made in, so it must not come from a cache that several folders share.
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

set(standard <algorithm> <array> <filesystem> <fstream> <functional> <map> <memory> <optional> <random> <set> <span> <string> <variant> <vector>)
tpu_headers(tpu_library_headers HEADERS ${standard} <fmt/format.h> DEPENDS tpu_options fmt::fmt)
tpu_headers(tpu_program_headers
  HEADERS ${standard} <CLI/CLI.hpp> <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <verilated.h>
  OPTIONS -O0
  DEPENDS tpu_options fmt::fmt GTest::gtest nlohmann_json::nlohmann_json tpu_verilator_runtime)

# tpu_compile_quickly(TARGET)
# For code that takes longer to optimise than to run, unless it runs with counters or thousands of mutants.
function(tpu_compile_quickly name)
  if(NOT TPU_COVERAGE AND TPU_RTL_DIR STREQUAL ${CMAKE_SOURCE_DIR}/rtl)
    target_compile_options(${name} PRIVATE -O0)
    target_precompile_headers(${name} REUSE_FROM tpu_program_headers)
  else()
    target_precompile_headers(${name} REUSE_FROM tpu_library_headers)
  endif()
endfunction()
