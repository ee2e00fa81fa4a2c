// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile_training.h"

#include "base/error.h"

namespace tpu::compiler {

TrainingExecutables CompileTraining(const tensor::Model& /*model*/,
                                    const tensor::TrainStep& /*step*/,
                                    const isa::HardwareConfig& /*config*/) {
  throw Error("the compiler does not lower the tensor language yet");
}

}  // namespace tpu::compiler
