#include "compiler/timing.h"

#include <algorithm>
#include <cmath>

namespace tpu::compiler {
namespace {

// Typical of the memories behind the bus; the machine does not know it.
constexpr double kMemoryLatency = 64;
// Pipeline stages of the vector unit, from source to unified buffer.
constexpr double kVectorLatency = 16;
constexpr double kStartCycles = 4;

struct Estimator {
  const isa::HardwareConfig& config;

  [[nodiscard]] double Bus() const { return static_cast<double>(config.axi_data_width) / 8; }

  // Beats on the bus, or rows on the chip, whichever are more.
  template <typename Transfer>
  [[nodiscard]] Duration OfTransfer(const Transfer& transfer, double chunk) const {
    const auto rows = static_cast<double>(transfer.rows);
    const auto bytes = static_cast<double>(transfer.row_bytes);
    const double beats = rows * std::ceil(bytes / Bus());
    return {.busy = kStartCycles + std::max(beats, rows * bytes / chunk),
            .latency = kMemoryLatency};
  }

  Duration operator()(const isa::Load& load) const {
    const bool pixels = load.destination == isa::LoadDestination::kUnifiedBuffer;
    return OfTransfer(load, pixels ? std::min(load.pixel_bytes, config.n) : config.n);
  }
  Duration operator()(const isa::Store& store) const {
    return OfTransfer(store, std::min(store.pixel_bytes, config.n));
  }
  Duration operator()(const isa::Weights&) const { return {}; }
  Duration operator()(const isa::Matmul& matmul) const {
    const double tiles = static_cast<double>(matmul.n_ob) * matmul.n_cb * matmul.n_kh * matmul.n_kw;
    const double rows = static_cast<double>(matmul.n_oh) * matmul.n_ow;
    const double n = config.n;
    return {.busy = tiles * std::max({rows, n, n * n / Bus()}), .latency = 2 * n};
  }
  Duration operator()(const isa::Vector& vector) const {
    const double taps =
        static_cast<double>(vector.n_cb) * vector.n_oh * vector.n_ow * vector.n_kh * vector.n_kw;
    return {.busy = kStartCycles + taps, .latency = kVectorLatency};
  }
};

}  // namespace

Duration EstimateDuration(const isa::Instruction& instruction, const isa::HardwareConfig& config) {
  return std::visit(Estimator{config}, instruction);
}

}  // namespace tpu::compiler
