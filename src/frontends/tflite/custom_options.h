// SPDX-License-Identifier: Apache-2.0
// Options of custom operators: a FlexBuffer with a map of names to numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {

/// All methods throw tpu::Error naming the file and the operator; damaged options are refused.
class CustomOptions {
 public:
  explicit CustomOptions(const OperatorReader& op);

  /// The integer or bool of that name, which must be there.
  [[nodiscard]] std::int64_t Integer(const std::string& name) const;

 private:
  const OperatorReader& op_;
  std::map<std::string, std::int64_t> numbers_;
};

}  // namespace tpu::tflite
