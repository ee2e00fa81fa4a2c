// SPDX-License-Identifier: Apache-2.0
// The operators that the host runs: one structure for each, which the graph, executables and
// kernels share. Comments say which tensors an operator takes and makes. A state is a tensor that a
// run takes over from the run before: it is an operator's last input, and its last output is what
// the next run takes over.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "tpu/operators.h"

namespace tpu::host_operators {

/// Over the last axis.
struct Softmax {
  float beta = 1.0F;
  bool of_onnx = false;  ///< ONNX Runtime's QLinearSoftmax on int8, to any scale, without beta.
};

/// Over the last axis. On int8 to scale 1/16 and zero point 127.
struct LogSoftmax {};

/// The index of the largest (or smallest) value along an axis, the first of equals.
struct ArgExtreme {
  std::int64_t axis = 0;
  bool smallest = false;
};

/// How float32 become integers, before the zero point is added.
enum class FloatSteps : std::uint8_t {
  kQuotientAway,  ///< x / scale, halves away from zero: TensorFlow Lite Micro's.
  kQuotientEven,  ///< x / scale, halves to even: ONNX Runtime's.
  kProductEven,   ///< x * (1 / scale), halves to even: XNNPACK's.
};

/// From float32 or integers to integers of another scale, zero point or width.
struct Quantize {
  FloatSteps steps = FloatSteps::kQuotientAway;
};

/// From integers to float32.
struct Dequantize {};

/// int8 images to another height and width.
struct ResizeBilinear {
  bool align_corners = false;
  bool half_pixel_centers = false;
  /// Positions in float32 and then in 1/2048 of a pixel, as XNNPACK has them; halves go towards
  /// plus infinity.
  bool float_positions = false;
};

enum class UnaryOperation : std::uint8_t { kFloor, kCeil, kRound, kSin, kCos, kLogicalNot };

/// A function of each element: of float32, kLogicalNot of bool.
struct Unary {
  UnaryOperation operation = UnaryOperation::kFloor;
};

enum class BinaryOperation : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,  ///< Of integers towards zero.
  kMaximum,
  kMinimum,
  kFloorDiv,
  kFloorMod,
  kLogicalAnd,
  kLogicalOr
};

/// Of two tensors of one type that broadcast: int32, int64 or float32; the logical ones of bool.
/// The elements are plain numbers without scale and zero point. Integers wrap around.
struct Binary {
  BinaryOperation operation = BinaryOperation::kAdd;
  Activation activation = Activation::kNone;
};

enum class Relation : std::uint8_t {
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kLess,
  kLessEqual
};

/// Of two tensors of one type that broadcast, to bool. Of int8 and int16 the real values count.
struct Comparison {
  Relation relation = Relation::kEqual;
};

/// The same numbers as another type, as C++ converts them.
struct Cast {};

/// Inputs: a condition of bool, what counts where it is true, and where it is false.
struct Select {};

/// The largest (or smallest) element over `axes`, which ascend and count from 0.
struct ReduceExtreme {
  std::vector<std::int64_t> axes;
  bool smallest = false;
};

/// Sums of an element and those before it (or, `reverse`, behind it) along an axis; `exclusive`:
/// without the element.
struct CumulativeSum {
  std::int64_t axis = 0;
  bool exclusive = false;
  bool reverse = false;
};

/// The square root of the mean of the squares in each window, of float32.
struct L2Pool {
  Extent filter;
  Extent stride;
  Padding padding;
  Activation activation = Activation::kNone;
};

/// The quotient of two int8 tensors that broadcast.
struct Divide {};

/// The square of the difference of two int8 tensors that broadcast.
struct SquaredDifference {};

/// The sum of two or more int8 tensors of one shape, scale and zero point.
struct AddN {};

/// int8 rows of the last axis, divided by their lengths, in 128ths.
struct L2Normalization {};

/// Inputs: a tensor, int32 indices along `axis`. The first `batch_dims` dimensions of both are one.
struct Gather {
  std::int64_t axis = 0;
  std::int64_t batch_dims = 0;
};

/// Inputs: a tensor, int32 indices [.., k] into its first k dimensions.
struct GatherNd {};

/// Inputs: int32 rows, a table. int8 rows of zero point 0 may become float32.
struct EmbeddingLookup {};

/// Inputs: a tensor, what replaces a part of it, where that begins: int32 or int64, moved inside.
struct DynamicUpdateSlice {};

/// The shape that two shapes broadcast to.
struct BroadcastArgs {};

// The signal library of TensorFlow Lite Micro.

/// Inputs: int16 frames, int16 weights for each of a frame's samples.
struct SignalWindow {
  std::int64_t shift = 0;
};

/// int16 samples shifted left as far as they fit, and int32: how far.
struct SignalFftAutoScale {};

/// The Fourier transform of `length` real numbers (int16, int32 or float32) to pairs of real and
/// imaginary part; or back (`inverse`). Zeros stand behind fewer numbers.
struct SignalFft {
  std::int64_t length = 0;
  bool inverse = false;
};

/// The squared magnitudes, uint32, of the int16 pairs begin to end - 1; the others are 0.
struct SignalEnergy {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Inputs: uint32 energies; of int16 weights, their complements, and for each channel and one more
/// the first energy, the first weight and the number of both. Output: uint64 channels.
struct SignalFilterBank {};

/// Inputs: uint64 channels, int32: how far their roots are shifted right. Output: uint32.
struct SignalSquareRoot {};

/// Outputs: uint32 channels without noise, the estimated noise. State: the estimated noise. Factors
/// have `bits` fraction bits, those of even channels and those of odd ones.
struct SignalSpectralSubtraction {
  std::int64_t smoothing = 0;
  std::int64_t one_minus_smoothing = 0;
  std::int64_t alternate_smoothing = 0;
  std::int64_t alternate_one_minus_smoothing = 0;
  std::int64_t smoothing_bits = 0;
  std::int64_t bits = 0;
  std::int64_t min_signal_remaining = 0;
  bool clamping = false;
};

/// Inputs: uint32 channels, estimated noise, int16 table of gains.
struct SignalPcan {
  std::int64_t snr_shift = 0;
};

/// Logarithms of uint32 as int16.
struct SignalLog {
  std::int64_t output_scale = 0;
  std::int64_t correction_bits = 0;
};

/// int16 frames, `length` samples later. State: the samples that are still to come.
struct SignalDelay {
  std::int64_t length = 0;
};

/// Frames of `size` int16 samples, `step` apart, and bool: whether there were enough samples.
/// State: int32, for each frame sequence how many samples there are, and the samples.
struct SignalFramer {
  std::int64_t size = 0;
  std::int64_t step = 0;
};

/// The sum of overlapping frames (int16 or float32), `step` samples apart. State: what later frames
/// are added to.
struct SignalOverlapAdd {
  std::int64_t step = 0;
};

/// int16 frames of `channels` one behind the other with those before and behind, and bool: whether
/// there were enough. State: int32, how many numbers there are, whether there was a frame, and the
/// numbers.
struct SignalStacker {
  std::int64_t channels = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t step = 0;

  [[nodiscard]] std::int64_t Numbers() const { return channels * (left + right + 1); }
};

/// The best boxes of an object detector. Inputs, float32: encoded boxes [1, n, 4 or more] (y, x,
/// height, width); scores [1, n, classes], with one column more in front for the background if
/// there is one; anchors [n, 4]. Outputs, float32: boxes (ymin, xmin, ymax, xmax), classes from 0,
/// scores, as many as `max_detections` or more, zeros behind the last one; and how many there are.
struct DetectionPostprocess {
  std::int64_t max_detections = 0;
  std::int64_t classes = 0;
  bool each_class = false;  ///< A box competes with those of its class alone; else with all.
  std::int64_t detections_per_class = 0;  ///< With each_class.
  float score_threshold = 0.0F;           ///< The least score.
  float overlap_threshold = 0.0F;         ///< Most of the intersection over the union of two boxes.
  float y_scale = 1.0F;
  float x_scale = 1.0F;
  float h_scale = 1.0F;
  float w_scale = 1.0F;
};

/// Products of matrices of int16, of zero point 0: [.., m, k] and [.., k, n], each of them
/// `transposed` or not, whose dimensions before the last two broadcast.
struct BatchMatMul {
  std::array<bool, 2> transposed = {false, false};
};

using Attributes =
    std::variant<Softmax, LogSoftmax, ArgExtreme, Quantize, Dequantize, ResizeBilinear, Unary,
                 Binary, Comparison, Cast, Select, ReduceExtreme, CumulativeSum, L2Pool, Divide,
                 SquaredDifference, AddN, L2Normalization, Gather, GatherNd, EmbeddingLookup,
                 DynamicUpdateSlice, BroadcastArgs, SignalWindow, SignalFftAutoScale, SignalFft,
                 SignalEnergy, SignalFilterBank, SignalSquareRoot, SignalSpectralSubtraction,
                 SignalPcan, SignalLog, SignalDelay, SignalFramer, SignalOverlapAdd, SignalStacker,
                 DetectionPostprocess, BatchMatMul>;

/// TensorFlow Lite's name of the operator, e.g. "SOFTMAX".
std::string_view Name(const Attributes& attributes);

}  // namespace tpu::host_operators
