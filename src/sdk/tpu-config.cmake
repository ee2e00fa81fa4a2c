# SPDX-License-Identifier: Apache-2.0
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/tpu-targets.cmake)
