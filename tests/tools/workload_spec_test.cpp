// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/workload_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace tpu::tools {
namespace {

using testing::HasSubstr;

TEST(WorkloadSpec, Matmul) {
  const workloads::Workload w = MakeWorkload(ParseWorkload("matmul:2x30x7"), 1);
  EXPECT_EQ(w.graph.tensors[0].shape, (std::vector<std::int64_t>{2, 30}));
  EXPECT_EQ(w.graph.tensors[1].shape, (std::vector<std::int64_t>{7, 30}));
}

TEST(WorkloadSpec, Convolution) {
  const WorkloadSpec spec = ParseWorkload("conv:12x10x3:k3x5:s2x1:p1x2:8");
  const workloads::Workload w = MakeWorkload(spec, 1);
  EXPECT_EQ(w.graph.tensors[1].shape, (std::vector<std::int64_t>{8, 3, 5, 3}));
  const ir::TensorId output = w.graph.outputs[0];
  EXPECT_EQ(w.graph.tensors[output].shape, (std::vector<std::int64_t>{1, 6, 10, 8}));
}

TEST(WorkloadSpec, Depthwise) {
  const workloads::Workload w = MakeWorkload(ParseWorkload("dw:9x9x20:k3:s2:p0"), 1);
  const ir::TensorId output = w.graph.outputs[0];
  EXPECT_EQ(w.graph.tensors[output].shape, (std::vector<std::int64_t>{1, 4, 4, 20}));
}

TEST(WorkloadSpec, Model) {
  const WorkloadSpec spec = ParseWorkload("model:a/b:c.tflite");
  EXPECT_EQ(std::get<ModelSpec>(spec.kind).file, "a/b:c.tflite");
}

TEST(WorkloadSpec, Suite) {
  const auto specs =
      ParseSuite("# heading\n\nmatmul:1x2x3   x4 # four times\n  dw:8x8x8:k3:s1:p1\n", "f");
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[0].text, "matmul:1x2x3");
  EXPECT_EQ(specs[0].count, 4U);
  EXPECT_EQ(specs[1].count, 1U);
}

struct BadSpec {
  const char* text;
  const char* message;
};

class BadWorkload : public testing::TestWithParam<BadSpec> {};

TEST_P(BadWorkload, IsRefused) {
  try {
    ParseWorkload(GetParam().text);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string("workload ") + GetParam().text + ": "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadWorkload,
    testing::Values(BadSpec{"", "should begin with"}, BadSpec{"matmul", "matmul:MxKxN"},
                    BadSpec{"gemm:1x1x1", "should begin with"}, BadSpec{"model:", "begin with"},
                    BadSpec{"matmul:1x2", "3 numbers"}, BadSpec{"matmul:1x2x3x4", "3 numbers"},
                    BadSpec{"matmul:0x2x3", "\"0\" is not a number"},
                    BadSpec{"matmul:-1x2x3", "\"-1\" is not"},
                    BadSpec{"matmul:99999999999x2x3", "is not a number"},
                    BadSpec{"matmul:1xx3", "\"\" is not a number"},
                    BadSpec{"conv:8x8x3:k3:s1:p1", "conv:HxWxC"},
                    BadSpec{"conv:8x8x3:s1:k3:p1:4", "should be k and a number"},
                    BadSpec{"conv:8x8x3:k3:s0:p1:4", "\"0\" is not"},
                    BadSpec{"conv:2x2x3:k5:s1:p1:4", "larger than the padded image"},
                    BadSpec{"dw:8x8x3:k3:s1", "dw:HxWxC"}));

TEST(WorkloadSpec, SuiteErrorsNameTheLine) {
  const auto message = [](const char* text) -> std::string {
    try {
      ParseSuite(text, "f");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("matmul:1x1x1\nmatmul:1x1\n"), HasSubstr("f:2: workload matmul:1x1: "));
  EXPECT_THAT(message("matmul:1x1x1 3\n"), HasSubstr("f:1: \"3\" behind the workload"));
  EXPECT_THAT(message("matmul:1x1x1 x0\n"), HasSubstr("f:1: \"x0\" behind the workload"));
  EXPECT_THAT(message("# nothing\n"), HasSubstr("f: holds no workload"));
}

}  // namespace
}  // namespace tpu::tools
