# SPDX-License-Identifier: Apache-2.0
# Functions that every library, program and test of the project is declared with.
find_program(TPU_CCACHE ccache)
if(TPU_CCACHE)
  # What ccache asks of projects with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${TPU_CCACHE})
endif()

# The versions of Debian 12 and 13, which continuous integration builds with. Another version may warn of what these accept, and that must
# not stop a user.
find_program(TPU_VERILATOR verilator REQUIRED)
execute_process(COMMAND ${TPU_VERILATOR} --version OUTPUT_VARIABLE verilator_version COMMAND_ERROR_IS_FATAL ANY)
set(werror OFF)
if("${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^Clang (14|19)[.]"
   AND verilator_version MATCHES "^Verilator 5[.]0(06|32) ")
  set(werror ON)
endif()
option(TPU_WERROR "Warnings of the compiler and of Verilator are errors" ${werror})

add_library(tpu_options INTERFACE)
target_include_directories(tpu_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_options(tpu_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(TPU_WERROR)
  target_compile_options(tpu_options INTERFACE -Werror)
endif()
# What a designated initializer leaves out is zero, and is left out for that. Older versions do not know the warning.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  target_compile_options(tpu_options INTERFACE -Wno-missing-designated-field-initializers)
endif()
if(TPU_SANITIZE)
  target_compile_options(tpu_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tpu_options INTERFACE -fsanitize=address,undefined)
endif()

if(TPU_CXX_COVERAGE)
  target_compile_options(tpu_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(tpu_options INTERFACE -fprofile-instr-generate)
endif()

if(TPU_FUZZ)
  target_compile_options(tpu_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tpu_options INTERFACE -fsanitize=address,undefined)
endif()

# tpu_library(NAME SOURCES a.cpp ... DEPENDS tpu_x ...)
# Headers are found from src/, so `#include "isa/encoding.h"` names the library it comes from.
function(tpu_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tpu_options fmt::fmt ${ARG_DEPENDS})
  target_precompile_headers(${name} REUSE_FROM tpu_library_headers)
  set_property(GLOBAL APPEND PROPERTY TPU_LIBRARIES ${name})
endfunction()

# All headers that a program writes: what has to be there before clang-tidy can read the C++ (`make tidy`), and that of the tests, too.
add_custom_target(tpu_generated)
add_custom_target(tpu_generated_tests)
add_dependencies(tpu_generated_tests tpu_generated)

# tpu_schema(LIBRARY name.fbs)
# The library includes what flatc makes of the schema as "folder of the library/name_generated.h".
find_program(TPU_FLATC flatc REQUIRED)
function(tpu_schema library schema)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  get_filename_component(name ${schema} NAME_WE)
  set(generated ${CMAKE_BINARY_DIR}/generated)
  set(header ${generated}/${folder}/${name}_generated.h)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${TPU_FLATC} --cpp --cpp-std c++17 --gen-object-api -o ${generated}/${folder} ${CMAKE_CURRENT_SOURCE_DIR}/${schema}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${schema}
    VERBATIM)
  target_sources(${library} PRIVATE ${header})
  add_custom_target(${library}_schema DEPENDS ${header})
  add_dependencies(tpu_generated ${library}_schema)
  # Not written to the project's warning options.
  target_include_directories(${library} SYSTEM PUBLIC ${generated})
endfunction()

# tpu_program(NAME SOURCES ... DEPENDS ...)
# A program for users: `NAME --help` says how it is used, which tests/help looks at.
# What takes the time when it runs belongs into a library.
function(tpu_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tpu_options fmt::fmt ${ARG_DEPENDS})
  tpu_compile_quickly(${name})
  set_property(GLOBAL APPEND PROPERTY TPU_PROGRAMS ${name})
endfunction()

# tpu_program_library(NAME SOURCES ... DEPENDS ...)
# What several programs or tests share: a library whose code takes longer to optimise than to run.
function(tpu_program_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tpu_options fmt::fmt ${ARG_DEPENDS})
  tpu_compile_quickly(${name})
endfunction()

# tpu_test(NAME SOURCES ... DEPENDS ... [TIMEOUT seconds])
# One GoogleTest program, registered with ctest as one test per TEST case.
function(tpu_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tpu_options fmt::fmt GTest::gtest GTest::gmock GTest::gtest_main ${ARG_DEPENDS})
  target_compile_definitions(${name} PRIVATE TPU_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  tpu_compile_quickly(${name})
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX ${name}. PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()
