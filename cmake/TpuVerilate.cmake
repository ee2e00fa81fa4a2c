# SPDX-License-Identifier: Apache-2.0
# tpu_verilate(NAME TOP module [PREFIX Vname] [PARAMS N=4 ...] [TRACE] [FAST] [PARTS n] [PROFILE file] [NO_COVERAGE] [SOURCE file] [SELDOM])
#
# Declares the static library NAME: module TOP, verilated with the given parameters, as C++ class PREFIX (default V<TOP>).
# Verilating and compiling happen at build time and only when something needs the library; Debian's verilate() runs
# Verilator while CMake configures, once per model, which made every configure take a minute. A model is made again when one of its own
# files changes.
#
#   TRACE  the model can write FST waveforms (slower even when it does not). With the option TPU_WAVES every model can.
#   FAST   optimised for long runs. Otherwise for quick compilation, and registers without reset start
#          at random values so that tests find what depends on them.
#   PARTS    files that the model is compiled as, to use several cores on a large one.
#   PROFILE  how often each piece of the model's code runs, merged by llvm-profdata: what runs seldom is moved out of the way of what always
#          runs. Programs with NAME_training, a second library of the same model, count that (clang's profile).
#   NO_COVERAGE  too large for it. With the option TPU_COVERAGE every model that is neither this nor FAST counts lines, branches and
#          toggles; its registers start with zero, so that two changes of a bit are one in either direction.
#   SOURCE a file that a command makes and that holds TOP, in another tool's style, perhaps with cells of sim/ecp5.
#   SELDOM built only for what is linked with it. All others are the target tpu_models, those in sim/ the target tpu_machine_models, too.
# With TPU_RTL_DIR the sources come from another folder than rtl/, and need not pass lint: mutants (`make mutate`).
set(TPU_RTL_DIR ${CMAKE_SOURCE_DIR}/rtl CACHE PATH "Where the Verilog is read from")
option(TPU_COVERAGE "Count coverage in the models (`make coverage`)" OFF)
option(TPU_WAVES "Build every model with waveforms (`make wave TEST=...`)" OFF)
set(TPU_MODELS "" CACHE PATH "Another build folder, whose models are used instead of making them again (`make sanitize`)")
add_custom_target(tpu_models)
add_custom_target(tpu_machine_models)
find_program(TPU_PYTHON python3 REQUIRED)
execute_process(COMMAND ${TPU_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE TPU_VERILATOR_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
add_library(tpu_verilator_runtime STATIC
  ${TPU_VERILATOR_ROOT}/include/verilated.cpp
  $<$<BOOL:${TPU_COVERAGE}>:${TPU_VERILATOR_ROOT}/include/verilated_cov.cpp>
  ${TPU_VERILATOR_ROOT}/include/verilated_fst_c.cpp
  ${TPU_VERILATOR_ROOT}/include/verilated_threads.cpp
  ${CMAKE_SOURCE_DIR}/tb/verilated_finish.cpp)
set_target_properties(tpu_verilator_runtime PROPERTIES UNITY_BUILD OFF)
target_include_directories(tpu_verilator_runtime SYSTEM PUBLIC
  ${TPU_VERILATOR_ROOT}/include ${TPU_VERILATOR_ROOT}/include/vltstd)
target_compile_options(tpu_verilator_runtime PRIVATE -O2 -w)
target_compile_definitions(tpu_verilator_runtime PRIVATE VL_USER_FINISH)
target_include_directories(tpu_verilator_runtime PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
if(TPU_COVERAGE)
  target_compile_definitions(tpu_verilator_runtime PUBLIC TPU_COVERAGE)
endif()
target_link_libraries(tpu_verilator_runtime PUBLIC Threads::Threads ZLIB::ZLIB fmt::fmt)

# What models are compiled with, and those that are not optimised for long runs.
set(TPU_MODEL_OPTIONS -w -g0 -fcf-protection=none $<$<CXX_COMPILER_ID:Clang>:-fbracket-depth=4096>)
tpu_headers(tpu_model_headers HEADERS <verilated.h> <verilated_dpi.h> OPTIONS -O1 ${TPU_MODEL_OPTIONS} DEPENDS tpu_verilator_runtime)
# And those that are. The code of a cycle hardly fits the instruction cache, so the smaller code wins: g++ -O2 runs 15 % slower than
# clang -O2, though -Os 2 % slower, too. docs/performance.md has the figures.
set(TPU_FAST_MODEL_OPTIONS -O2 -march=native "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -slp-min-reg-size=32>"
  -include ${CMAKE_SOURCE_DIR}/tb/verilated_signed.h)
# SSE4a's insertq, which clang likes on processors of AMD, takes the time of a hundred other instructions.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mno-sse4a TPU_KNOWS_SSE4A)
if(TPU_KNOWS_SSE4A)
  list(APPEND TPU_FAST_MODEL_OPTIONS -mno-sse4a)
endif()
tpu_headers(tpu_fast_model_headers HEADERS <verilated.h> <verilated_dpi.h> OPTIONS ${TPU_FAST_MODEL_OPTIONS} ${TPU_MODEL_OPTIONS}
  DEPENDS tpu_verilator_runtime)

# Of a model with floating-point arithmetic: a row of elements becomes vector instructions only where all choices are selections, not jumps.
# With them bf16 work runs 1.5 times as fast. The compiler otherwise selects where it saves at most a few instructions.
set(TPU_FLOAT_MODEL_OPTIONS "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -two-entry-phi-node-folding-threshold=100>")

function(tpu_verilate name)
  cmake_parse_arguments(ARG "TRACE;FAST;NO_COVERAGE;SELDOM" "TOP;PREFIX;PARTS;PROFILE;SOURCE" "PARAMS" ${ARGN})
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX V${ARG_TOP})
  endif()
  if(NOT ARG_PARTS)
    set(ARG_PARTS 1)
  endif()
  add_library(${name}_headers INTERFACE)
  target_link_libraries(${name}_headers INTERFACE tpu_verilator_runtime)
  set(build ${CMAKE_CURRENT_BINARY_DIR})
  if(TPU_MODELS)
    string(REPLACE ${CMAKE_BINARY_DIR} ${TPU_MODELS} build ${build})
  endif()
  set(dir ${build}/${name}.dir)
  target_include_directories(${name}_headers SYSTEM INTERFACE ${dir})
  set_target_properties(${name}_headers PROPERTIES INTERFACE_TPU_MODEL_FOLDER ${dir})
  if(TPU_MODELS)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${build}/lib${name}.a ${name}_headers)
    return()
  endif()
  set(args --cc --top-module ${ARG_TOP} -O3 -Wall --default-language 1364-2005 -I${TPU_RTL_DIR}/include
    ${CMAKE_SOURCE_DIR}/sim/verilator.vlt)
  foreach(group common float host control memory matrix vector link .)
    list(APPEND args -y ${TPU_RTL_DIR}/${group})
  endforeach()
  # Modules of the test bench lie beside the tests.
  list(APPEND args -y ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT ARG_SOURCE)
    set(source ${ARG_TOP}.v)
  else()
    set(source ${ARG_SOURCE})
  endif()
  if(ARG_SOURCE)
    list(APPEND args -Wno-COMBDLY -Wno-TIMESCALEMOD -y ${CMAKE_SOURCE_DIR}/sim/ecp5)
  endif()
  if(ARG_SOURCE OR NOT TPU_RTL_DIR STREQUAL ${CMAKE_SOURCE_DIR}/rtl)
    list(APPEND args -Wno-lint -Wno-style)
  endif()
  if(NOT TPU_WERROR)
    list(APPEND args -Wno-fatal)
  endif()
  foreach(param ${ARG_PARAMS})
    list(APPEND args -G${param})
  endforeach()
  if(ARG_TRACE OR TPU_WAVES)
    list(APPEND args --trace-fst --trace-structs)
  endif()
  set(cold)
  if(ARG_TRACE)
    # What runs once names each signal to the waveform, and what records them is one function each otherwise: both take long to optimise.
    set(cold --cold)
    list(APPEND args --output-split-ctrace 1000)
  endif()
  set(opt -O1)
  set(headers tpu_model_headers)
  set(fast)
  if(TPU_COVERAGE AND NOT ARG_FAST AND NOT ARG_NO_COVERAGE)
    list(APPEND args --coverage --x-assign unique --x-initial 0)
  elseif(ARG_FAST)
    # Without the data-flow optimiser the machine runs a few per cent faster: what it shares is cheaper to compute twice.
    list(APPEND args --x-assign fast --x-initial fast -fno-dfg)
    if(NOT ARG_TRACE)
      # Without assertions, which the traced machine and those for tests check.
      list(APPEND args -DSYNTHESIS)
      set(opt ${TPU_FAST_MODEL_OPTIONS})
      if("BF16=1" IN_LIST ARG_PARAMS)
        list(APPEND opt ${TPU_FLOAT_MODEL_OPTIONS})
      endif()
      set(headers tpu_fast_model_headers)
      # The code shrinks when what it names most is within short offsets, and the lanes' halves when their registers lie side by side.
      set(fast --fast)
      # One function for all of a cycle: sim/arrange_statements.py divides it.
      list(APPEND args --output-split 0 --output-split-cfuncs 0)
    endif()
  else()
    list(APPEND args --x-assign unique --x-initial unique)
  endif()

  set(sources)
  math(EXPR last "${ARG_PARTS} - 1")
  foreach(part RANGE ${last})
    list(APPEND sources ${dir}/${ARG_PREFIX}_${part}.cpp)
  endforeach()
  if(cold)
    list(APPEND sources ${dir}/${ARG_PREFIX}_cold.cpp)
    set_source_files_properties(${dir}/${ARG_PREFIX}_cold.cpp PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
  endif()
  set(made ${dir}/${ARG_PREFIX}.h ${dir}/${ARG_PREFIX}_clock.h ${sources})
  add_custom_command(OUTPUT ${made}
    COMMAND ${TPU_PYTHON} ${CMAKE_SOURCE_DIR}/cmake/verilate.py ${dir} ${ARG_PREFIX} ${ARG_PARTS} ${fast} ${cold} --
            ${TPU_VERILATOR} ${args} ${source}
    DEPENDS ${ARG_SOURCE} ${CMAKE_SOURCE_DIR}/cmake/verilate.py ${CMAKE_SOURCE_DIR}/sim/arrange_members.py
            ${CMAKE_SOURCE_DIR}/sim/arrange_statements.py ${CMAKE_SOURCE_DIR}/sim/lane_loops.py ${CMAKE_SOURCE_DIR}/sim/shift_registers.py
            ${CMAKE_SOURCE_DIR}/sim/statement_order.py ${CMAKE_SOURCE_DIR}/sim/verilated_statements.py
    DEPFILE ${dir}/${ARG_PREFIX}.d
    COMMENT "Verilating ${ARG_TOP} ${ARG_PARAMS}"
    VERBATIM)
  add_custom_target(${name}_made DEPENDS ${made})
  add_dependencies(${name}_headers ${name}_made)
  set(libraries ${name})
  if(ARG_PROFILE)
    list(APPEND libraries ${name}_training)
  endif()
  foreach(library ${libraries})
    add_library(${library} STATIC ${sources})
    set_target_properties(${library} PROPERTIES UNITY_BUILD OFF)
    target_compile_options(${library} PRIVATE ${opt} ${TPU_MODEL_OPTIONS})
    target_precompile_headers(${library} REUSE_FROM ${headers})
    target_link_libraries(${library} PUBLIC ${name}_headers)
  endforeach()
  if(ARG_SELDOM)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  else()
    add_dependencies(tpu_models ${name})
    if(CMAKE_CURRENT_SOURCE_DIR STREQUAL ${CMAKE_SOURCE_DIR}/sim)
      add_dependencies(tpu_machine_models ${name})
    endif()
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${CMAKE_SOURCE_DIR}/tests/")
      add_dependencies(tpu_generated_tests ${name}_made)
    else()
      add_dependencies(tpu_generated ${name}_made)
    endif()
  endif()
  if(ARG_PROFILE)
    add_custom_target(${name}_profile DEPENDS ${ARG_PROFILE})
    add_dependencies(${name} ${name}_profile)
    target_compile_options(${name} PRIVATE -fprofile-instr-use=${ARG_PROFILE} "SHELL:-Xclang -fdepfile-entry=${ARG_PROFILE}")
    # What is counted does not depend on the optimisation; with less of it the code is compiled sooner.
    target_compile_options(${name}_training PRIVATE -fprofile-instr-generate -O1)
    target_link_options(${name}_training INTERFACE -fprofile-instr-generate)
  endif()
endfunction()
