// SPDX-License-Identifier: Apache-2.0
// What LiteRT and a delegate hand to each other, as C structures: LiteRT's tflite/core/c/common.h.
// The order and the types of the members are LiteRT's, which only adds members at the end.
// tests/delegate holds them to the ai-edge-litert package.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tpu::delegate {

using TfLiteStatus = int;
inline constexpr TfLiteStatus kTfLiteOk = 0;
inline constexpr TfLiteStatus kTfLiteError = 1;

/// Numbers of types, which are not those of model files.
using TfLiteType = int;

/// As many int follow as `size` says.
struct TfLiteIntArray {
  int size;
};
/// As many float follow as `size` says.
struct TfLiteFloatArray {
  int size;
};

/// None for no array.
template <typename T, typename Array>
std::span<const T> ValuesOf(const Array* array) {
  if (array == nullptr) return {};
  return {reinterpret_cast<const T*>(array + 1), static_cast<std::size_t>(array->size)};
}
inline std::span<const int> Values(const TfLiteIntArray* array) { return ValuesOf<int>(array); }
inline std::span<const float> Values(const TfLiteFloatArray* array) {
  return ValuesOf<float>(array);
}

/// Of a whole tensor. `TfLiteQuantization` says the same and more.
struct TfLiteQuantizationParams {
  float scale;
  std::int32_t zero_point;
};

struct TfLiteAffineQuantization {
  TfLiteFloatArray* scale;
  TfLiteIntArray* zero_point;
  std::int32_t quantized_dimension;
};

inline constexpr TfLiteType kTfLiteInt8 = 9;

inline constexpr int kTfLiteNoQuantization = 0;
inline constexpr int kTfLiteAffineQuantization = 1;

struct TfLiteQuantization {
  int type;
  void* params;  ///< A TfLiteAffineQuantization, if `type` says so.
};

// Of TfLiteTensor::allocation_type.
inline constexpr int kTfLiteMmapRo = 1;   ///< Contents of the model file: a constant.
inline constexpr int kTfLiteArenaRw = 2;  ///< Memory of a size that is known before a run.
inline constexpr int kTfLiteDynamic = 4;  ///< Memory of a size that only a run tells.

struct TfLiteDelegate;

struct TfLiteTensor {
  TfLiteType type;
  std::uint8_t* data;
  TfLiteIntArray* dims;
  TfLiteQuantizationParams params;
  int allocation_type;
  std::size_t bytes;
  const void* allocation;
  const char* name;
  TfLiteDelegate* delegate;
  int buffer_handle;
  bool data_is_stale;
  bool is_variable;
  TfLiteQuantization quantization;
  const void* sparsity;
  const TfLiteIntArray* dims_signature;
};

struct TfLiteNode {
  TfLiteIntArray* inputs;  ///< Indices of tensors; -1 where one is left out.
  TfLiteIntArray* outputs;
  TfLiteIntArray* intermediates;
  TfLiteIntArray* temporaries;
  void* user_data;           ///< What TfLiteRegistration::init gave.
  const void* builtin_data;  ///< src/delegate/litert_parameters.h.
  const void* custom_initial_data;
  int custom_initial_data_size;
  TfLiteDelegate* delegate;
  bool might_have_side_effect;
};

/// A part of the graph that becomes one node.
struct TfLiteDelegateParams {
  TfLiteDelegate* delegate;
  TfLiteIntArray* nodes_to_replace;
  TfLiteIntArray* input_tensors;
  TfLiteIntArray* output_tensors;
};

struct TfLiteContext;

/// What an operator, or a part that a delegate runs, is made, run and destroyed with.
struct TfLiteRegistration {
  /// `buffer` is a TfLiteDelegateParams.
  void* (*init)(TfLiteContext* context, const char* buffer, std::size_t length);
  void (*free)(TfLiteContext* context, void* user_data);
  TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
  TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
  const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
  std::int32_t builtin_code;
  const char* custom_name;
  int version;
  void* registration_external;
  void* (*async_kernel)(TfLiteContext* context, TfLiteNode* node);
  std::uint64_t inplace_operator;
};

/// A function that is not called here.
using Unused = void (*)();

struct TfLiteContext {
  std::size_t tensors_size;
  TfLiteStatus (*get_execution_plan)(TfLiteContext* context, TfLiteIntArray** execution_plan);
  TfLiteTensor* tensors;
  void* impl;
  Unused resize_tensor;
  void (*report_error)(TfLiteContext* context, const char* format, ...);
  Unused add_tensors;
  TfLiteStatus (*get_node_and_registration)(TfLiteContext* context, int node_index,
                                            TfLiteNode** node, TfLiteRegistration** registration);
  /// Each group of nodes that can run together becomes one node.
  TfLiteStatus (*replace_node_subsets_with_delegate_kernels)(TfLiteContext* context,
                                                             TfLiteRegistration registration,
                                                             const TfLiteIntArray* nodes_to_replace,
                                                             TfLiteDelegate* delegate);
  int recommended_num_threads;
  Unused get_external_context;
  Unused set_external_context;
  bool allow_fp32_relax_to_fp16;
  void* profiler;
  Unused allocate_persistent_buffer;
  Unused allocate_buffer_for_eval;
  Unused request_scratch_buffer_in_arena;
  Unused get_scratch_buffer;
  Unused resize_tensor_explicit;
  /// The groups that these nodes would become. They stay valid until the next call.
  TfLiteStatus (*preview_delegate_partitioning)(TfLiteContext* context,
                                                const TfLiteIntArray* nodes_to_replace,
                                                TfLiteDelegateParams** partitions,
                                                int* num_partitions);
  // More members follow in LiteRT, which makes all contexts.
};

/// Shapes may change, and then kernels are prepared again.
inline constexpr std::int64_t kTfLiteDelegateFlagsAllowDynamicTensors = 1;
/// LiteRT prepares the operators that a kernel stands for, too, so that all tensors have shapes.
inline constexpr std::int64_t kTfLiteDelegateFlagsRequirePropagatedShapes = 2;

struct TfLiteDelegate {
  void* data;
  TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteDelegate* delegate);
  Unused copy_from_buffer_handle;
  Unused copy_to_buffer_handle;
  Unused free_buffer_handle;
  std::int64_t flags;
  void* opaque_delegate_builder;
};

}  // namespace tpu::delegate
