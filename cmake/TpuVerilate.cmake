# tpu_verilate(NAME TOP module [PREFIX Vname] [PARAMS N=4 ...] [TRACE] [FAST] [COUNT | PROFILE file] [NO_COVERAGE])
#
# Declares the static library NAME: module TOP, verilated with the given parameters, as C++ class PREFIX (default V<TOP>).
# Verilating and compiling happen at build time and only when something needs the library; Debian's verilate() runs
# Verilator while CMake configures, once per model, which made every configure take a minute.
#
#   TRACE  the model can write FST waveforms (slower even when it does not). With the option TPU_WAVES every model can.
#   FAST   optimised for long runs. Otherwise for quick compilation, and registers without reset start
#          at random values so that tests find what depends on them.
#   COUNT    a program with the model counts how often each piece of the model's code runs (clang's profile).
#   PROFILE  such counts, merged by llvm-profdata: what runs seldom is moved out of the way of what always runs.
#   NO_COVERAGE  too large for it. With the option TPU_COVERAGE every model that is neither this nor FAST counts lines, branches and
#          toggles; its registers start with zero, so that two changes of a bit are one in either direction.
# With TPU_RTL_DIR the sources come from another folder than rtl/, and need not pass lint: mutants (`make mutate`).
set(TPU_RTL_DIR ${CMAKE_SOURCE_DIR}/rtl CACHE PATH "Where the Verilog is read from")
option(TPU_COVERAGE "Count coverage in the models (`make coverage`)" OFF)
option(TPU_WAVES "Build every model with waveforms (`make wave TEST=...`)" OFF)
find_program(TPU_PYTHON python3 REQUIRED)
execute_process(COMMAND ${TPU_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE TPU_VERILATOR_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
add_library(tpu_verilator_runtime STATIC
  ${TPU_VERILATOR_ROOT}/include/verilated.cpp
  ${TPU_VERILATOR_ROOT}/include/verilated_cov.cpp
  ${TPU_VERILATOR_ROOT}/include/verilated_fst_c.cpp
  ${TPU_VERILATOR_ROOT}/include/verilated_threads.cpp
  ${CMAKE_SOURCE_DIR}/tb/verilated_finish.cpp)
set_target_properties(tpu_verilator_runtime PROPERTIES UNITY_BUILD OFF)
target_include_directories(tpu_verilator_runtime SYSTEM PUBLIC
  ${TPU_VERILATOR_ROOT}/include ${TPU_VERILATOR_ROOT}/include/vltstd)
target_compile_options(tpu_verilator_runtime PRIVATE -O2 -w)
target_compile_definitions(tpu_verilator_runtime PRIVATE VL_USER_FINISH)
target_include_directories(tpu_verilator_runtime PRIVATE ${CMAKE_SOURCE_DIR}/src)
if(TPU_COVERAGE)
  target_compile_definitions(tpu_verilator_runtime PUBLIC TPU_COVERAGE)
endif()
target_link_libraries(tpu_verilator_runtime PUBLIC Threads::Threads ZLIB::ZLIB fmt::fmt)

function(tpu_verilate name)
  cmake_parse_arguments(ARG "TRACE;FAST;COUNT;NO_COVERAGE" "TOP;PREFIX;PROFILE" "PARAMS" ${ARGN})
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX V${ARG_TOP})
  endif()
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir)
  set(args --cc --top-module ${ARG_TOP} --prefix ${ARG_PREFIX} --Mdir ${dir} -O3 -Wall
    --default-language 1364-2005 -I${TPU_RTL_DIR}/include ${CMAKE_SOURCE_DIR}/sim/verilator.vlt)
  foreach(group common host control memory matrix vector .)
    list(APPEND args -y ${TPU_RTL_DIR}/${group})
  endforeach()
  if(NOT TPU_RTL_DIR STREQUAL ${CMAKE_SOURCE_DIR}/rtl)
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
  if(TPU_COVERAGE AND NOT ARG_FAST AND NOT ARG_NO_COVERAGE)
    list(APPEND args --coverage --x-assign unique --x-initial 0)
    set(opt "-O1")
  elseif(ARG_FAST)
    # Without the data-flow optimiser the machine runs a few per cent faster: what it shares is cheaper to compute twice.
    list(APPEND args --x-assign fast --x-initial fast -fno-dfg)
    # The code of a cycle hardly fits the instruction cache, so the smaller code wins: g++ -O2 runs 15 % slower than clang -O2, though -Os
    # 2 % slower, too. docs/performance.md has the figures.
    set(opt "-O2 -march=native -include ${CMAKE_SOURCE_DIR}/tb/verilated_signed.h")
    # The code shrinks when what it names most is within short offsets, and the lanes' halves when their registers lie side by side.
    set(arrange_members COMMAND ${TPU_PYTHON} ${CMAKE_SOURCE_DIR}/sim/arrange_members.py ${dir}/${ARG_PREFIX}___024root.h)
    if(NOT ARG_TRACE)
      # Without assertions, which the traced machine and those for tests check.
      list(APPEND args -DSYNTHESIS)
    endif()
  else()
    list(APPEND args --x-assign unique --x-initial unique)
    set(opt "-O1")
  endif()
  if(ARG_COUNT)
    string(APPEND opt " -fprofile-instr-generate")
  elseif(ARG_PROFILE)
    string(APPEND opt " -fprofile-instr-use=${ARG_PROFILE}")
  endif()
  file(GLOB_RECURSE rtl CONFIGURE_DEPENDS ${TPU_RTL_DIR}/*.v ${TPU_RTL_DIR}/*.vh)
  set(archive ${dir}/${ARG_PREFIX}__ALL.a)
  add_custom_command(OUTPUT ${archive}
    BYPRODUCTS ${dir}/${ARG_PREFIX}.h
    # From nothing, as make would not see that options or counts are others. ccache knows what is the same.
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}
    COMMAND ${TPU_VERILATOR} ${args} ${ARG_TOP}.v
    ${arrange_members}
    COMMAND make -C ${dir} -f ${ARG_PREFIX}.mk --no-print-directory -s -j 2 CXX=${CMAKE_CXX_COMPILER}
            LINK=${CMAKE_CXX_COMPILER} "OBJCACHE=${TPU_CCACHE}" "OPT_FAST=${opt}" OPT_SLOW=-O0 ${ARG_PREFIX}__ALL.a
    DEPENDS ${rtl} ${CMAKE_SOURCE_DIR}/sim/verilator.vlt ${CMAKE_SOURCE_DIR}/sim/arrange_members.py ${CMAKE_SOURCE_DIR}/tb/verilated_signed.h
            ${ARG_PROFILE}
    COMMENT "Verilating ${ARG_TOP} ${ARG_PARAMS}"
    VERBATIM)
  add_custom_target(${name}_build DEPENDS ${archive})
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_build)
  target_include_directories(${name} SYSTEM INTERFACE ${dir})
  target_link_libraries(${name} INTERFACE ${archive} tpu_verilator_runtime)
  if(ARG_COUNT)
    target_link_options(${name} INTERFACE -fprofile-instr-generate)
  endif()
endfunction()
