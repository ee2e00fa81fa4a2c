// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: boxes that overlap a better one are suppressed.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

using host_operators::DetectionPostprocess;

struct Box {
  float ymin = 0.0F;
  float xmin = 0.0F;
  float ymax = 0.0F;
  float xmax = 0.0F;

  [[nodiscard]] float Area() const { return (ymax - ymin) * (xmax - xmin); }
};

struct Interval {
  float begin = 0.0F;
  float end = 0.0F;
};

// Along one axis: the encoded center and size, relative to the anchor's.
Interval Decode(float center, float size, float anchor_center, float anchor_size,
                float center_scale, float size_scale) {
  const auto middle = static_cast<float>(
      double{center} / double{center_scale} * double{anchor_size} + double{anchor_center});
  const auto half =
      static_cast<float>(0.5 * std::exp(double{size} / double{size_scale}) * double{anchor_size});
  return {.begin = middle - half, .end = middle + half};
}

float Overlap(const Box& a, const Box& b) {
  if (a.Area() <= 0 || b.Area() <= 0) return 0.0F;
  const float height = std::min(a.ymax, b.ymax) - std::max(a.ymin, b.ymin);
  const float width = std::min(a.xmax, b.xmax) - std::max(a.xmin, b.xmin);
  const float both = std::max(height, 0.0F) * std::max(width, 0.0F);
  return both / (a.Area() + b.Area() - both);
}

struct Detection {
  std::size_t box = 0;
  std::size_t label = 0;
  float score = 0.0F;
};

class Detector {
 public:
  Detector(Invocation& call, const DetectionPostprocess& op)
      : op_(op),
        scores_(call.Read<float>(1)),
        columns_(static_cast<std::size_t>(call.In(1).shape[2])),
        labels_(static_cast<std::size_t>(op.classes)) {
    ReadBoxes(call);
  }

  [[nodiscard]] const Box& BoxOf(const Detection& detection) const { return boxes_[detection.box]; }

  // Suppression for each class by itself.
  [[nodiscard]] std::vector<Detection> EachClass() const {
    std::vector<Detection> found;
    for (std::size_t label = 0; label < labels_; ++label) {
      std::vector<float> scores(boxes_.size());
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = Score(i, label);
      for (const std::size_t box : Select(scores, op_.detections_per_class)) {
        found.push_back({.box = box, .label = label, .score = scores[box]});
      }
      std::ranges::stable_sort(found, std::ranges::greater{}, &Detection::score);
      if (found.size() > Most()) found.resize(Most());
    }
    return found;
  }

  // One suppression, by the best class of each box.
  [[nodiscard]] std::vector<Detection> BestClasses() const {
    std::vector<Detection> best(boxes_.size());
    std::vector<float> scores;
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = {.box = i, .label = 0, .score = Score(i, 0)};
      for (std::size_t label = 1; label < labels_; ++label) {
        if (Score(i, label) > best[i].score) best[i] = {i, label, Score(i, label)};
      }
      scores.push_back(best[i].score);
    }
    std::vector<Detection> found;
    for (const std::size_t box : Select(scores, op_.max_detections)) found.push_back(best[box]);
    return found;
  }

 private:
  [[nodiscard]] std::size_t Most() const { return static_cast<std::size_t>(op_.max_detections); }

  // The background, if the scores have it, comes first.
  [[nodiscard]] float Score(std::size_t box, std::size_t label) const {
    return scores_[box * columns_ + columns_ - labels_ + label];
  }

  void ReadBoxes(const Invocation& call) {
    const std::vector<float> encodings = call.Read<float>(0);
    const std::vector<float> anchors = call.Read<float>(2);
    const auto numbers = static_cast<std::size_t>(call.In(0).shape[2]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(call.In(0).shape[1]); ++i) {
      const float* code = &encodings[i * numbers];  // y, x, height, width
      const float* anchor = &anchors[i * 4];
      const Interval y = Decode(code[0], code[2], anchor[0], anchor[2], op_.y_scale, op_.h_scale);
      const Interval x = Decode(code[1], code[3], anchor[1], anchor[3], op_.x_scale, op_.w_scale);
      boxes_.push_back({.ymin = y.begin, .xmin = x.begin, .ymax = y.end, .xmax = x.end});
      if (boxes_[i].ymin >= boxes_[i].ymax || boxes_[i].xmin >= boxes_[i].xmax) {
        throw Error::Format("box {} is empty: rows {} to {}, columns {} to {}", i, boxes_[i].ymin,
                            boxes_[i].ymax, boxes_[i].xmin, boxes_[i].xmax);
      }
    }
  }

  // Boxes from the best one on, without those that overlap one before too much.
  [[nodiscard]] std::vector<std::size_t> Select(const std::vector<float>& scores,
                                                std::int64_t most) const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] >= op_.score_threshold) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t i) { return scores[i]; });
    std::vector<std::size_t> selected;
    for (const std::size_t box : order) {
      if (selected.size() == static_cast<std::size_t>(most)) break;
      const bool is_new = std::ranges::none_of(selected, [&](std::size_t better) {
        return Overlap(boxes_[better], boxes_[box]) > op_.overlap_threshold;
      });
      if (is_new) selected.push_back(box);
    }
    return selected;
  }

  const DetectionPostprocess& op_;
  std::vector<float> scores_;
  std::size_t columns_;
  std::size_t labels_;
  std::vector<Box> boxes_;
};

}  // namespace

void Compute(Invocation& call, const DetectionPostprocess& op) {
  const Detector detector(call, op);
  const std::vector<Detection> found =
      op.each_class ? detector.EachClass() : detector.BestClasses();
  const std::size_t count = ElementsOf(call.Out(1).shape);
  std::vector<float> boxes;
  std::vector<float> labels;
  std::vector<float> scores;
  for (const Detection& detection : found) {
    const Box& box = detector.BoxOf(detection);
    boxes.insert(boxes.end(), {box.ymin, box.xmin, box.ymax, box.xmax});
    labels.push_back(static_cast<float>(detection.label));
    scores.push_back(detection.score);
  }
  boxes.resize(4 * count);
  labels.resize(count);
  scores.resize(count);
  call.Write(0, boxes);
  call.Write(1, labels);
  call.Write(2, scores);
  call.Write(3, std::vector{static_cast<float>(found.size())});
}

}  // namespace tpu::host_kernels
