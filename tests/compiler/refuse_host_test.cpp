// SPDX-License-Identifier: Apache-2.0
// The first operator of the host is named.
#include "compiler/legalise/refuse_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "network.h"

namespace tpu::compiler {
namespace {

using testing::HasSubstr;

TEST(RefuseHost, NamesTheOperator) {
  Network network(1);
  const ir::TensorId a = network.Apply(network.Input({1, 8}));
  network.graph().outputs = {network.Make(ir::Softmax{}, {a}, {1, 8})};
  try {
    RefuseHost(network.graph());
    FAIL() << "an operator of the host was let through";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("op1 (SOFTMAX): runs on the host, and only the device is allowed"));
  }
}

TEST(RefuseHost, LetsTheDevicesOperatorsThrough) {
  Network network(1);
  network.graph().outputs = {network.Apply(network.Input({1, 8}))};
  EXPECT_NO_THROW(RefuseHost(network.graph()));
}

}  // namespace
}  // namespace tpu::compiler
