// SPDX-License-Identifier: Apache-2.0
// More than 400 lines: one class, whose parts share the places of a tile.
#include "compiler/lower/lower_vector.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "compiler/lower/computed_parameters.h"
#include "compiler/lower/equal_runs.h"
#include "compiler/lower/rounding.h"
#include "compiler/program/fields.h"
#include "compiler/tile/vector_tiling.h"

namespace tpu::compiler {
namespace {

// An instruction should not keep the unit longer, or drains of the accumulators wait too long.
constexpr std::int64_t kMostCycles = 1024;

struct VectorStep {
  ir::Range blocks;
  std::int64_t image = 0;
  ir::Range rows;
  ir::Range columns;
  bool first_of_blocks = false;
};

// Where the operands of the step's first channel block lie.
struct Operands {
  std::vector<Tile> inputs;
  Tile output;
  std::int64_t weights_row = 0;
  std::int64_t parameters = 0;
};

// What an input has of a range of the output, all of which is one row, column or channel block if
// it repeats.
ir::Range Own(ir::Range range, std::int64_t size) {
  return range.end > size ? ir::Range{.begin = 0, .end = size} : range;
}

class VectorLowering {
 public:
  VectorLowering(const VectorJob& job, Emitter& emitter)
      : job_(job), emitter_(emitter), n_(emitter.Lanes()) {
    const VectorShape shape = {
        .inputs = job.inputs,
        .output = job.output,
        .copy = job.copy,
        .y = job.y,
        .x = job.x,
        .weight_rows = job.weights.empty() ? 0 : WeightRows(),
        .parameters_per_block = job.shared_parameters || job.row_entries ? 0 : 1,
        .parameters_per_row = job.row_entries ? 1 : 0};
    tiling_ = ChooseVectorTiling(shape, emitter.Config(), emitter.LayerRows());
    if (tiling_.rows.empty()) {
      tiling_ = ChooseVectorTiling(shape, emitter.Config(), emitter.BufferRows());
    }
    if (tiling_.rows.empty()) {
      throw DoesNotFit(fmt::format(
          "{}: one output pixel's window does not fit the machine's buffers", emitter.LayerName()));
    }
  }

  void Run() {
    if (!job_.weights.empty()) weights_address_ = emitter_.AddConstant(job_.weights);
    parameters_address_ =
        job_.row_entries ? job_.row_entries->address
                         : emitter_.AddConstant(PackParameters(job_.parameters, emitter_.Config()));
    if (job_.multiplier) SetMultipliers(*job_.multiplier, parameters_address_, emitter_);
    MakeSteps();
    AllocateBuffers();
    LoadShared();
    std::array<std::vector<Tile>, 2> inputs;
    inputs[0] = Load(0);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].first_of_blocks || job_.row_entries) {
        weights_row_ = next_weights_row_;
        parameters_ = next_parameters_;
      }
      // The next tile's load goes ahead of this one's operation.
      if (i + 1 < steps_.size()) inputs[(i + 1) % 2] = Load(i + 1);
      Compute(steps_[i], inputs[i % 2]);
    }
  }

 private:
  void MakeSteps() {
    for (const ir::Range& blocks : tiling_.blocks) {
      bool first = true;
      for (std::int64_t image = 0; image < job_.output.images.n; ++image) {
        for (const ir::Range& rows : tiling_.rows) {
          for (const ir::Range& columns : tiling_.columns) {
            steps_.push_back({.blocks = blocks,
                              .image = image,
                              .rows = rows,
                              .columns = columns,
                              .first_of_blocks = std::exchange(first, false)});
          }
        }
      }
    }
  }

  void AllocateBuffers() {
    const std::int64_t copies = steps_.size() > 1 ? 2 : 1;
    const std::int64_t weight_copies = tiling_.blocks.size() > 1 ? 2 : 1;
    const std::int64_t input_rows = InputRows(job_.inputs, tiling_.input_pixels);
    const std::int64_t weight_rows =
        job_.weights.empty() ? 0 : ir::LargestSize(tiling_.blocks) * WeightRows();
    const std::int64_t rows = copies * (input_rows + tiling_.output_rows + tiling_.copy_rows) +
                              weight_copies * weight_rows;
    const std::int64_t base = emitter_.AllocateBuffer(rows);
    const std::int64_t outputs = base + copies * input_rows;
    const std::int64_t roundings = outputs + copies * tiling_.output_rows;
    const std::int64_t weights = roundings + copies * tiling_.copy_rows;
    copy_buffers_ = {roundings, roundings + (copies - 1) * tiling_.copy_rows};
    input_buffers_ = {base, base + (copies - 1) * input_rows};
    output_buffers_ = {outputs, outputs + (copies - 1) * tiling_.output_rows};
    weight_buffers_ = {weights, weights + (weight_copies - 1) * weight_rows};
    AllocateParameters(weight_copies);
  }

  void AllocateParameters(std::int64_t copies) {
    if (job_.shared_parameters) copies = 1;
    if (job_.row_entries) copies = steps_.size() > 1 ? 2 : 1;
    const std::int64_t entries = job_.row_entries ? ir::LargestSize(tiling_.rows)
                                 : job_.shared_parameters
                                     ? static_cast<std::int64_t>(job_.parameters.size()) / n_
                                     : ir::LargestSize(tiling_.blocks);
    const std::int64_t first = emitter_.AllocateParameters(copies * entries);
    parameter_buffers_ = {first, first + (copies - 1) * entries};
  }

  // Loads the tables and parameters that all tiles use.
  void LoadShared() {
    if (!job_.table.empty()) {
      lookup_ = emitter_.AllocateLookup(Tables());
      emitter_.LoadLookup(emitter_.AddConstant(job_.table), lookup_, Tables());
    }
    if (job_.shared_parameters) {
      next_parameters_ = parameter_buffers_.first;
      emitter_.LoadParameters(parameters_address_,
                              static_cast<std::int64_t>(job_.parameters.size()) / n_,
                              next_parameters_, job_.multiplier.has_value());
    }
  }

  std::vector<Tile> Load(std::size_t index) {
    const VectorStep& step = steps_[index];
    if (step.first_of_blocks) LoadBlockConstants(step.blocks);
    if (job_.row_entries) LoadEntries(step.rows, true);
    ir::Range ys = job_.y.Input(step.rows, job_.y.AllTaps());
    ir::Range xs = job_.x.Input(step.columns, job_.x.AllTaps());
    if (ys.Empty() || xs.Empty()) ys = xs = {};
    std::vector<Tile> tiles;
    std::int64_t row = input_buffers_.first;
    std::swap(input_buffers_.first, input_buffers_.second);
    for (const Placement& input : job_.inputs) {
      const ir::Range blocks = Own(step.blocks, input.Blocks(n_));
      if (input.row) {
        tiles.push_back(Tile::Resident(input, blocks.begin));
      } else {
        tiles.push_back(
            Tile::Wide(row, Own(ys, input.images.h), Own(xs, input.images.w), input.PixelRows()));
        const std::int64_t image = std::min(step.image, input.images.n - 1);
        if (!ys.Empty()) emitter_.LoadWide(input, image, blocks, tiles.back());
        row += tiling_.input_pixels * input.PixelRows();
      }
      if (input.Blocks(n_) < job_.output.Blocks(n_)) tiles.back().plane = 0;
    }
    return tiles;
  }

  void LoadBlockConstants(ir::Range blocks) {
    if (!job_.weights.empty()) {
      next_weights_row_ = weight_buffers_.first;
      std::swap(weight_buffers_.first, weight_buffers_.second);
      const std::int64_t block_bytes = WeightRows() * emitter_.RowBytes();
      emitter_.LoadRows(weights_address_ + static_cast<std::uint64_t>(blocks.begin * block_bytes),
                        blocks.Size() * block_bytes, next_weights_row_);
    }
    if (!job_.shared_parameters && !job_.row_entries) LoadEntries(blocks, false);
  }

  // Those entries, of channel blocks or image rows, into the next part of the parameter memory.
  void LoadEntries(ir::Range entries, bool computed) {
    next_parameters_ = parameter_buffers_.first;
    std::swap(parameter_buffers_.first, parameter_buffers_.second);
    emitter_.LoadParameters(
        parameters_address_ +
            static_cast<std::uint64_t>(entries.begin * emitter_.Config().ParamEntryBytes()),
        entries.Size(), next_parameters_, computed);
  }

  void Compute(const VectorStep& step, const std::vector<Tile>& inputs) {
    const Operands operands = {.inputs = inputs,
                               .output = OutputTile(step),
                               .weights_row = weights_row_,
                               .parameters = parameters_};
    if (job_.entry_of_taps.empty()) {
      EmitParts(step, operands);
    } else {
      for (const EqualRun& rows : EqualRuns(job_.y, step.rows)) {
        for (const EqualRun& columns : EqualRuns(job_.x, step.columns)) {
          VectorStep run = step;
          run.rows = rows.outputs;
          run.columns = columns.outputs;
          Operands with_entry = operands;
          with_entry.parameters +=
              job_.entry_of_taps[static_cast<std::size_t>(rows.taps * columns.taps)];
          EmitParts(run, with_entry);
        }
      }
    }
    if (!job_.output.row) {
      emitter_.StoreWide(job_.output, step.image, step.blocks, operands.output);
    }
    if (job_.copy) Copy(step, operands);
  }

  void Copy(const VectorStep& step, const Operands& operands) {
    const Tile copy =
        Tile::Wide(copy_buffers_.first, step.rows, step.columns, job_.copy->PixelRows());
    std::swap(copy_buffers_.first, copy_buffers_.second);
    EmitRounding({.tile = operands.output, .format = job_.output.format},
                 {.tile = copy, .format = job_.copy->format}, step.blocks.Size(),
                 operands.parameters, emitter_);
    emitter_.StoreWide(*job_.copy, step.image, step.blocks, copy);
  }

  // Short instructions, a few channel blocks each, let other layers' instructions in between.
  void EmitParts(const VectorStep& step, const Operands& operands) {
    if (job_.row_entries) {
      EmitRows(step, operands);
      return;
    }
    const std::int64_t cycles = step.rows.Size() * step.columns.Size() * Taps();
    const std::int64_t most = std::max<std::int64_t>(1, kMostCycles / cycles);
    for (const ir::Range& blocks : ir::Split(step.blocks.Size(), most)) {
      VectorStep part = step;
      part.blocks = {.begin = step.blocks.begin + blocks.begin,
                     .end = step.blocks.begin + blocks.end};
      EmitVector(part, From(operands, blocks.begin));
    }
  }

  // The same of image rows, each of which has an entry.
  void EmitRows(const VectorStep& step, const Operands& operands) {
    const std::int64_t most = std::max<std::int64_t>(1, kMostCycles / step.columns.Size());
    for (const ir::Range& rows : ir::Split(step.rows.Size(), most)) {
      VectorStep part = step;
      part.rows = {.begin = step.rows.begin + rows.begin, .end = step.rows.begin + rows.end};
      Operands with_entries = operands;
      with_entries.parameters += rows.begin;
      EmitVector(part, with_entries);
    }
  }

  // The operands from channel block `block` of the step on.
  [[nodiscard]] Operands From(Operands operands, std::int64_t block) const {
    for (Tile& input : operands.inputs) input.row += block * input.plane;
    operands.output.row += block * operands.output.plane;
    operands.weights_row += block * WeightRows();
    if (!job_.shared_parameters) operands.parameters += block;
    return operands;
  }

  Tile OutputTile(const VectorStep& step) {
    if (job_.output.row) return Tile::Resident(job_.output, step.blocks.begin);
    const std::int64_t row = output_buffers_.first;
    std::swap(output_buffers_.first, output_buffers_.second);
    return Tile::Wide(row, step.rows, step.columns, job_.output.PixelRows());
  }

  // The outputs step.rows x step.columns, which may be a part of the tiles.
  void EmitVector(const VectorStep& step, const Operands& operands) {
    isa::Instruction instruction = WithFields(job_.operation, [&](auto& vector) {
      vector.n_cb = U32(step.blocks.Size());
      vector.n_oh = U32(step.rows.Size());
      vector.n_ow = U32(step.columns.Size());
      vector.n_kh = U32(job_.y.size);
      vector.n_kw = U32(job_.x.size);
      vector.param_row = U32(operands.parameters);
      vector.param_stride = job_.shared_parameters ? 0 : 1;
      SetOperands(vector, step, operands);
      SetBounds(vector, step, operands.inputs[0]);
      SetFormats(vector, job_.inputs[0].format, FormatOfB(), job_.output.format);
      if (job_.row_entries) RowsAsBlocks(vector);
    });
    if (!job_.table.empty()) SetLookup(instruction, U32(lookup_));
    emitter_.Emit(std::move(instruction), AccessesOf(step, operands));
  }

  // Channel blocks alone have entries of their own: image rows take their loop.
  template <typename V>
  static void RowsAsBlocks(V& vector) {
    vector.n_cb = std::exchange(vector.n_oh, 1);
    vector.a_cb = std::exchange(vector.a_oh, 0);
    vector.b_cb = std::exchange(vector.b_oh, 0);
    vector.o_cb = std::exchange(vector.o_oh, 0);
  }

  // Without operand B any that the field can hold.
  [[nodiscard]] isa::ElementFormat FormatOfB() const {
    return job_.weights.empty() ? job_.inputs.back().format : job_.weight_format;
  }

  // UB rows of an input: the first output's first one, and from one image row or column to the
  // next, 0 where the input is repeated.
  struct Steps {
    std::int32_t first = 0;
    std::int64_t down = 0;
    std::int64_t across = 0;
  };
  [[nodiscard]] Steps StepsOf(std::size_t input, const VectorStep& step,
                              const Operands& operands) const {
    const Tile& tile = operands.inputs[input];
    const Images& images = job_.inputs[input].images;
    const bool down = !Repeats(images.h, job_.output.images.h, job_.y);
    const bool across = !Repeats(images.w, job_.output.images.w, job_.x);
    const std::int64_t y = down ? job_.y.First(step.rows, job_.y.AllTaps()) : tile.ys.begin;
    const std::int64_t x = across ? job_.x.First(step.columns, job_.x.AllTaps()) : tile.xs.begin;
    return {.first = S32(tile.RowOf(y, x)),
            .down = down ? tile.pitch : 0,
            .across = across ? tile.pixel : 0};
  }
  // Whether an input has one row or column for all of the output's.
  static bool Repeats(std::int64_t input, std::int64_t output, const ir::Window& window) {
    return input == 1 && output > 1 && window.size == 1;
  }

  template <typename V>
  void SetOperands(V& vector, const VectorStep& step, const Operands& operands) const {
    const Steps a = StepsOf(0, step, operands);
    vector.a_row = a.first;
    vector.a_cb = S32(operands.inputs[0].plane);
    vector.a_oh = S32(job_.y.stride * a.down);
    vector.a_ow = S32(job_.x.stride * a.across);
    vector.a_kh = S32(job_.y.dilation * a.down);
    vector.a_kw = S32(job_.x.dilation * a.across);
    if (!job_.weights.empty()) {
      vector.b_row = S32(operands.weights_row);
      vector.b_cb = S32(WeightRows());
      vector.b_kh = S32(WeightRows() / job_.y.size);
      vector.b_kw = S32(job_.weight_format.Bytes());
    } else if (operands.inputs.size() == 2) {
      const Steps b = StepsOf(1, step, operands);
      vector.b_row = b.first;
      vector.b_cb = S32(operands.inputs[1].plane);
      vector.b_oh = S32(b.down);
      vector.b_ow = S32(b.across);
    }
    const Tile& output = operands.output;
    vector.o_row = U32(output.RowOf(step.rows.begin, step.columns.begin));
    vector.o_cb = S32(output.plane);
    vector.o_oh = S32(output.pitch);
    vector.o_ow = S32(output.pixel);
  }

  // Coordinates count from the tile's corner: what the window needs of the image is in the tile.
  template <typename V>
  void SetBounds(V& vector, const VectorStep& step, const Tile& tile) const {
    const ir::Range ys = job_.y.Reach(step.rows, job_.y.AllTaps());
    const ir::Range xs = job_.x.Reach(step.columns, job_.x.AllTaps());
    // Two tensors go element by element.
    if (job_.inputs.size() == 2 || (tile.ys.Contains(ys) && tile.xs.Contains(xs))) {
      vector.y_bound = 1;
      vector.x_bound = 1;
      return;
    }
    vector.y0 = S32(ys.begin - tile.ys.begin);
    vector.x0 = S32(xs.begin - tile.xs.begin);
    vector.y_bound = U32(tile.ys.Size());
    vector.x_bound = U32(tile.xs.Size());
    vector.ys_oh = U32(job_.y.stride);
    vector.ys_kh = U32(job_.y.dilation);
    vector.xs_ow = U32(job_.x.stride);
    vector.xs_kw = U32(job_.x.dilation);
  }

  [[nodiscard]] std::vector<Access> AccessesOf(const VectorStep& step,
                                               const Operands& operands) const {
    const std::int64_t blocks = step.blocks.Size();
    std::vector<Access> accesses = operands.output.Accesses(step.rows, blocks, true);
    const ir::Range needed = job_.y.Input(step.rows, job_.y.AllTaps());
    for (const Tile& input : operands.inputs) {
      const ir::Range rows = input.ys.Contains(needed) ? needed : input.ys;
      for (const Access& access : input.Accesses(rows, blocks, false)) {
        accesses.push_back(access);
      }
    }
    const auto read = [&](Space space, std::int64_t begin, std::int64_t size) {
      accesses.push_back({.space = space,
                          .begin = static_cast<std::uint64_t>(begin),
                          .end = static_cast<std::uint64_t>(begin + size)});
    };
    if (!job_.weights.empty()) {
      read(Space::kUnifiedBuffer, operands.weights_row, blocks * WeightRows());
    }
    const std::int64_t entries = job_.row_entries ? step.rows.Size() : blocks;
    read(Space::kParameters, operands.parameters, job_.shared_parameters ? 1 : entries);
    if (!job_.table.empty()) read(Space::kLookup, lookup_, Tables());
    return accesses;
  }

  [[nodiscard]] std::int64_t Tables() const {
    return static_cast<std::int64_t>(job_.table.size()) / isa::kTableEntries;
  }
  [[nodiscard]] std::int64_t Taps() const { return job_.y.size * job_.x.size; }
  // UB rows of a channel block's weights.
  [[nodiscard]] std::int64_t WeightRows() const { return Taps() * job_.weight_format.Bytes(); }

  const VectorJob& job_;
  Emitter& emitter_;
  std::int64_t n_;
  VectorTiling tiling_;
  std::vector<VectorStep> steps_;
  std::uint64_t weights_address_ = 0;
  std::uint64_t parameters_address_ = 0;
  // Two of each, taken in turn; both the same when one is enough.
  std::pair<std::int64_t, std::int64_t> input_buffers_;
  std::pair<std::int64_t, std::int64_t> output_buffers_;
  std::pair<std::int64_t, std::int64_t> copy_buffers_;
  std::pair<std::int64_t, std::int64_t> weight_buffers_;
  std::pair<std::int64_t, std::int64_t> parameter_buffers_;
  // Places of weights and parameters: of the tile loaded last (next_), and of the tile computed
  // now.
  std::int64_t next_weights_row_ = 0;
  std::int64_t next_parameters_ = 0;
  std::int64_t weights_row_ = 0;
  std::int64_t parameters_ = 0;
  std::int64_t lookup_ = 0;
};

}  // namespace

void LowerVector(const VectorJob& job, Emitter& emitter) { VectorLowering(job, emitter).Run(); }

}  // namespace tpu::compiler
