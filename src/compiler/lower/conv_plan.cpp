// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_plan.h"

#include <utility>

namespace tpu::compiler {
namespace {

class Planner {
 public:
  Planner(const ConvJob& job, const ConvTiling& tiling, std::int64_t column_tiles)
      : job_(job), tiling_(tiling), column_tiles_(column_tiles) {}

  ConvPlan Run() {
    for (std::int64_t image = 0; image < job_.input.images.n; ++image) {
      for (const ir::Range& rows : tiling_.rows) {
        for (const ir::Range& columns : tiling_.columns) {
          const bool last = image + 1 == job_.input.images.n && &rows == &tiling_.rows.back() &&
                            &columns == &tiling_.columns.back();
          AddOutputTile(image, rows, columns, last);
        }
      }
    }
    if (!tiling_.LoadsForEachSum() && !job_.input.row) HoldBackWeights();
    return std::move(plan_);
  }

 private:
  // The first tile comes in parts. Weights do not take the bus from parts that are needed sooner.
  void HoldBackWeights() {
    const std::vector<ir::Range>& parts = tiling_.first_parts;
    for (std::size_t i = 1; i <= parts.size() && i < plan_.steps.size(); ++i) {
      if (parts.size() > 1 && plan_.steps[i].input == 0)
        plan_.steps[i].weights_after = parts[i - 1];
    }
  }

  void AddOutputTile(std::int64_t image, ir::Range rows, ir::Range columns, bool last) {
    if (!tiling_.LoadsForEachSum()) {
      AddInput(image, rows, columns, tiling_.input_blocks[0], tiling_.kernel_rows[0]);
    }
    const std::size_t groups = tiling_.output_blocks.size();
    for (std::size_t group = 0; group < groups; ++group) {
      if (last && group + 1 == groups) {
        for (const OutputPart& part : tiling_.last_parts) AddSum(image, part, group);
      } else {
        AddSum(image, {.rows = rows, .columns = columns, .blocks = tiling_.output_blocks[group]},
               group);
      }
    }
  }

  void AddSum(std::int64_t image, const OutputPart& output, std::size_t group) {
    const std::vector<ir::Range>& input_groups = tiling_.InputGroups(group);
    ConvStep step = {.image = image, .output = output, .first_of_sum = true};
    step.weight_tile =
        static_cast<std::uint64_t>(output.blocks.begin * tiling_.input_blocks.back().end *
                                   tiling_.kernel_rows.back().end * column_tiles_);
    for (const ir::Range& blocks : input_groups) {
      for (const ir::Range& taps : tiling_.kernel_rows) {
        if (tiling_.LoadsForEachSum()) {
          AddInput(image, output.rows, output.columns, job_.depthwise ? output.blocks : blocks,
                   taps);
        }
        step.input = plan_.inputs.size() - 1;
        step.input_blocks = blocks;
        step.kernel_rows = taps;
        step.last_of_sum = blocks == input_groups.back() && taps == tiling_.kernel_rows.back();
        step.weight_tiles = output.blocks.Size() * blocks.Size() * taps.Size() * column_tiles_;
        plan_.steps.push_back(step);
        step.weight_tile += static_cast<std::uint64_t>(step.weight_tiles);
        step.first_of_sum = false;
      }
    }
  }

  void AddInput(std::int64_t image, ir::Range rows, ir::Range columns, ir::Range blocks,
                ir::Range kernel_rows) {
    plan_.inputs.push_back({.image = image,
                            .rows = rows,
                            .columns = columns,
                            .blocks = blocks,
                            .kernel_rows = kernel_rows});
  }

  const ConvJob& job_;
  const ConvTiling& tiling_;
  std::int64_t column_tiles_;
  ConvPlan plan_;
};

}  // namespace

ConvPlan PlanConv(const ConvJob& job, const ConvTiling& tiling, std::int64_t column_tiles) {
  return Planner(job, tiling, column_tiles).Run();
}

}  // namespace tpu::compiler
