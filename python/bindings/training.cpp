// SPDX-License-Identifier: Apache-2.0
// Training, as `tpu train` does it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>

#include "bindings/bindings.h"
#include "bindings/callback.h"
#include "tools/tpu/training_run.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

/// Tells a function of Python the step, how many there are, and the step's loss.
class Watcher final : public tools::TrainWatcher {
 public:
  explicit Watcher(nb::handle progress) : progress_(progress) {}

  void Begin(const tools::TrainPlan& plan) override { steps_ = plan.settings.steps; }
  void Step(const training::History& history, const tools::StepTime&) override {
    Call(progress_, history.Steps(), steps_, history.losses.back());
  }
  void Test(const training::History&) override {}
  void Cycles(const training::History&, std::uint64_t) override { Call(nb::handle(Py_None)); }
  // Signals end the work with an exception.
  bool Interrupted() override { return false; }
  void End() override {}

 private:
  nb::handle progress_;
  std::uint64_t steps_ = 0;
};

std::string Train(const tools::TrainFlags& flags, nb::handle progress) {
  const nb::gil_scoped_release unlocked;
  Watcher watcher(progress);
  return tools::Train(flags, watcher).summary;
}

}  // namespace

void BindTraining(nb::module_& module) {
  using tools::TrainFlags;
  nb::class_<TrainFlags>(module, "TrainFlags")
      .def(nb::init<>())
      .def_rw("model", &TrainFlags::model)
      .def_rw("inputs", &TrainFlags::inputs)
      .def_rw("labels", &TrainFlags::labels)
      .def_rw("test_inputs", &TrainFlags::test_inputs)
      .def_rw("test_labels", &TrainFlags::test_labels)
      .def_rw("loss", &TrainFlags::loss)
      .def_rw("optimizer", &TrainFlags::optimizer)
      .def_rw("schedule", &TrainFlags::schedule)
      .def_rw("learning_rate", &TrainFlags::learning_rate, nb::arg().none())
      .def_rw("momentum", &TrainFlags::momentum, nb::arg().none())
      .def_rw("weight_decay", &TrainFlags::weight_decay, nb::arg().none())
      .def_rw("batch", &TrainFlags::batch)
      .def_rw("accumulate", &TrainFlags::accumulate)
      .def_rw("epochs", &TrainFlags::epochs, nb::arg().none())
      .def_rw("steps", &TrainFlags::steps, nb::arg().none())
      .def_rw("seed", &TrainFlags::seed)
      .def_rw("initialise", &TrainFlags::initialise)
      .def_rw("also_trained", &TrainFlags::also_trained)
      .def_rw("backend", &TrainFlags::backend)
      .def_rw("config", &TrainFlags::config)
      .def_rw("output", &TrainFlags::output)
      .def_rw("checkpoint", &TrainFlags::checkpoint)
      .def_rw("resume", &TrainFlags::resume)
      .def_rw("report", &TrainFlags::report)
      .def_rw("html", &TrainFlags::html);
  module.def("train", &Train, nb::arg("flags"), nb::arg("progress").none());
}

}  // namespace tpu::python
