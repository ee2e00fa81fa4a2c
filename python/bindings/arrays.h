// SPDX-License-Identifier: Apache-2.0
// Tensors as NumPy arrays, without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>

#include "executable/executable.h"
#include "runtime/values.h"

namespace tpu::python {

/// Contiguous, of any type and shape.
using Array = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

/// Valid as long as the array.
std::span<const std::uint8_t> BytesOf(const Array& array);

/// A NumPy array that owns the values.
nanobind::object ArrayOf(const executable::TensorBinding& tensor, runtime::Bytes values);

/// (name, shape, name of the type, scale, zero point).
nanobind::tuple Describe(const executable::TensorBinding& tensor);

}  // namespace tpu::python
