// SPDX-License-Identifier: Apache-2.0
// Options of custom operators: a FlexBuffer with a map of names to numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {

/// All methods throw tpu::Error naming the file and the operator; damaged options are refused.
class CustomOptions {
 public:
  explicit CustomOptions(const OperatorReader& op);

  /// The integer or bool of that name, which must be there.
  [[nodiscard]] std::int64_t Integer(const std::string& name) const;
  /// The same of one that may be missing.
  [[nodiscard]] std::int64_t Integer(const std::string& name, std::int64_t otherwise) const;
  /// The number of that name, whole or not, which must be there.
  [[nodiscard]] float Real(const std::string& name) const;

 private:
  const OperatorReader& op_;
  std::map<std::string, std::variant<std::int64_t, double>> numbers_;
};

}  // namespace tpu::tflite
