// SPDX-License-Identifier: Apache-2.0
#include "executable/executable_file.h"

#include <flatbuffers/flatbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <variant>

#include "base/error.h"
#include "base/files.h"
#include "compiler/compile.h"
#include "executable/executable_file_generated.h"
#include "executable/host_operator_file.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "isa/encoding.h"
#include "tests/tflite/model_builder.h"

namespace tpu::executable {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

/// A convolution, a classifier and a softmax on the host.
executable::Executable Sample() {
  const Bytes file = tflite::SampleModel().File();
  return compiler::Compile(tflite::Import(tflite::Parse(file, "x.tflite")), {});
}

std::string MessageOf(const Bytes& bytes) {
  try {
    Parse(bytes, "x.tpu");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void RepairChecksum(Bytes& bytes) {
  const std::size_t size = bytes.size() - 4;
  const auto crc = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), size));
  std::memcpy(bytes.data() + size, &crc, sizeof(crc));
}

executable::HostCall LastCallOf(const executable::Executable& executable) {
  return std::get<executable::HostCall>(executable.steps.back());
}

/// The file of a flatbuffer that Serialise would not write.
Bytes FileOf(const flatbuffers::FlatBufferBuilder& builder) {
  Bytes bytes(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  bytes.resize(bytes.size() + 4);
  RepairChecksum(bytes);
  return bytes;
}

TEST(ExecutableFile, RoundTrip) {
  const executable::Executable executable = Sample();
  const Bytes bytes = Serialise(executable);
  const executable::Executable parsed = Parse(bytes, "x.tpu");
  EXPECT_EQ(Serialise(parsed), bytes);
  EXPECT_EQ(parsed.config, executable.config);
  EXPECT_EQ(parsed.memory_bytes, executable.memory_bytes);
  EXPECT_EQ(parsed.layer_of_instruction, executable.layer_of_instruction);
  ASSERT_EQ(parsed.segments.size(), executable.segments.size());
  EXPECT_EQ(parsed.segments.back().bytes, executable.segments.back().bytes);
  ASSERT_EQ(parsed.steps.size(), executable.steps.size());
  const auto& call = std::get<executable::HostCall>(parsed.steps.back());
  EXPECT_EQ(std::get<host_operators::Softmax>(call.attributes).beta, 1.0F);
  ASSERT_EQ(parsed.outputs.size(), 1U);
  EXPECT_EQ(parsed.outputs[0].name, "t8");
  EXPECT_EQ(parsed.outputs[0].scale, 1.0F / 256);
  EXPECT_EQ(parsed.outputs[0].zero_point, -128);
}

TEST(ExecutableFile, KeepsTheDeviceOfEverything) {
  executable::Executable executable = Sample();
  const auto move = [](auto& part) { part.device = 7; };
  std::ranges::for_each(executable.segments, move);
  std::ranges::for_each(executable.inputs, move);
  std::ranges::for_each(executable.outputs, move);
  for (executable::Step& step : executable.steps) {
    if (auto* call = std::get_if<executable::HostCall>(&step)) {
      move(call->inputs.at(0));
      call->outputs.at(0).device = 8;
    } else {
      move(std::get<executable::DeviceProgram>(step));
    }
  }
  executable.steps.insert(
      executable.steps.begin() + 1,
      executable::Branch{.condition = {.type = ElementType::kBool, .device = 9}});
  const executable::Executable parsed = Parse(Serialise(executable), "x.tpu");
  EXPECT_EQ(parsed.segments.back().device, 7U);
  EXPECT_EQ(parsed.inputs.at(0).device, 7U);
  EXPECT_EQ(parsed.outputs.at(0).device, 7U);
  EXPECT_EQ(std::get<executable::DeviceProgram>(parsed.steps.front()).device, 7U);
  const auto& call = std::get<executable::HostCall>(parsed.steps.back());
  EXPECT_EQ(call.inputs.at(0).device, 7U);
  EXPECT_EQ(call.outputs.at(0).device, 8U);
  EXPECT_EQ(std::get<executable::Branch>(parsed.steps.at(1)).condition.device, 9U);
  EXPECT_EQ(parsed.Devices(), 10U);
}

// Each operator with attributes of which no two are the same.
std::vector<host_operators::Attributes> AllOperators() {
  using namespace host_operators;  // NOLINT(google-build-using-namespace)
  return {Softmax{.beta = 2.5F},
          Softmax{.of_onnx = true},
          LogSoftmax{},
          ArgExtreme{.axis = -3, .smallest = true},
          Quantize{},
          Quantize{.steps = FloatSteps::kProductEven},
          Dequantize{},
          ResizeBilinear{.align_corners = true},
          ResizeBilinear{.half_pixel_centers = true},
          ResizeBilinear{.float_positions = true},
          Unary{.operation = UnaryOperation::kCos},
          Binary{.operation = BinaryOperation::kFloorMod, .activation = Activation::kRelu6},
          Comparison{.relation = Relation::kLess},
          Cast{},
          Select{},
          ReduceExtreme{.axes = {1, 3}, .smallest = true},
          CumulativeSum{.axis = 2, .exclusive = true},
          CumulativeSum{.axis = 2, .reverse = true},
          L2Pool{.filter = {.h = 1, .w = 2},
                 .stride = {.h = 3, .w = 4},
                 .padding = {.top = 5, .left = 6},
                 .activation = Activation::kRelu},
          Divide{},
          SquaredDifference{},
          AddN{},
          L2Normalization{},
          Gather{.axis = 4, .batch_dims = 2},
          GatherNd{},
          EmbeddingLookup{},
          DynamicUpdateSlice{},
          BroadcastArgs{},
          SignalWindow{.shift = 12},
          SignalFftAutoScale{},
          SignalFft{.length = 512, .inverse = true},
          SignalEnergy{.begin = 5, .end = 241},
          SignalFilterBank{},
          SignalSquareRoot{},
          SignalSpectralSubtraction{.smoothing = 1,
                                    .one_minus_smoothing = 2,
                                    .alternate_smoothing = 3,
                                    .alternate_one_minus_smoothing = 4,
                                    .smoothing_bits = 5,
                                    .bits = 6,
                                    .min_signal_remaining = 7,
                                    .clamping = true},
          SignalPcan{.snr_shift = 6},
          SignalLog{.output_scale = 64, .correction_bits = 3},
          SignalDelay{.length = 9},
          SignalFramer{.size = 8, .step = 3},
          SignalOverlapAdd{.step = 11},
          SignalStacker{.channels = 1, .left = 2, .right = 3, .step = 4},
          DetectionPostprocess{.max_detections = 1,
                               .classes = 2,
                               .each_class = true,
                               .detections_per_class = 3,
                               .score_threshold = 0.5F,
                               .overlap_threshold = 0.25F,
                               .y_scale = 4,
                               .x_scale = 5,
                               .h_scale = 6,
                               .w_scale = 7},
          BatchMatMul{.transposed = {true, false}},
          BatchMatMul{.transposed = {false, true}}};
}

// The operators as a file has them, and as it has them after it was read.
TEST(HostOperatorFile, KeepsEveryAttribute) {
  const auto written = [](const host_operators::Attributes& attributes) {
    flatbuffers::FlatBufferBuilder builder;
    const WrittenOperator op = WriteOperator(builder, attributes);
    builder.Finish(schema::CreateHostCall(builder, op.type, op.table));
    return Bytes(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  };
  std::set<std::size_t> kinds;
  std::set<Bytes> files;
  for (const host_operators::Attributes& attributes : AllOperators()) {
    const Bytes file = written(attributes);
    EXPECT_TRUE(files.insert(file).second);
    const auto& call = *flatbuffers::GetRoot<schema::HostCall>(file.data());
    const host_operators::Attributes read = ReadOperator(call);
    EXPECT_EQ(read.index(), attributes.index());
    EXPECT_EQ(written(read), file) << host_operators::Name(attributes);
    kinds.insert(attributes.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<host_operators::Attributes>);
}

TEST(HostOperatorFile, UnknownOperator) {
  flatbuffers::FlatBufferBuilder builder;
  const auto table = schema::CreateSoftmax(builder).Union();
  builder.Finish(schema::CreateHostCall(builder, static_cast<schema::HostOperator>(200), table));
  const auto& call = *flatbuffers::GetRoot<schema::HostCall>(builder.GetBufferPointer());
  EXPECT_THROW(ReadOperator(call), Error);
}

TEST(ExecutableFile, KeepsEveryMemberOfAHostCall) {
  executable::Executable executable = Sample();
  auto& written = std::get<executable::HostCall>(executable.steps.back());
  written.single_rounding = true;
  written.attributes = host_operators::Softmax{.beta = 2.5F};
  const executable::HostCall call = LastCallOf(Parse(Serialise(executable), "x.tpu"));
  EXPECT_TRUE(call.single_rounding);
  EXPECT_EQ(std::get<host_operators::Softmax>(call.attributes).beta, 2.5F);
  EXPECT_EQ(call.layer, written.layer);
}

TEST(ExecutableFile, KeepsStates) {
  executable::Executable executable = Sample();
  executable.states = {{.before = executable.inputs[0], .after = executable.inputs[0]}};
  executable.states[0].initial.assign(executable.inputs[0].Bytes(), 7);
  const executable::Executable parsed = Parse(Serialise(executable), "x.tpu");
  ASSERT_EQ(parsed.states.size(), 1U);
  EXPECT_EQ(parsed.states[0].before.address, executable.inputs[0].address);
  EXPECT_EQ(parsed.states[0].after.name, executable.inputs[0].name);
  EXPECT_EQ(parsed.states[0].initial, executable.states[0].initial);
}

/// What version5.tpu says: no two numbers of a table are the same.
executable::Executable ContentsOfVersion5() {
  const executable::TensorBinding in = {
      .name = "in", .address = 16, .shape = {1, 2, 3, 4}, .scale = 0.5F, .zero_point = -7};
  executable::TensorBinding out = in;
  out.name = "out";
  out.address = 48;
  out.type = ElementType::kUint8;
  const executable::TensorBinding condition = {
      .name = "condition", .address = 80, .shape = {1}, .type = ElementType::kBool};
  return {
      .config = {.n = 8,
                 .ub_rows = 101,
                 .acc_rows = 102,
                 .param_rows = 103,
                 .lut_tables = 104,
                 .fifo_tiles = 105,
                 .axi_data_width = 64,
                 .axi_addr_width = 33,
                 .ub_banks = 106,
                 .window = 0,
                 .requant_lanes = 2,
                 .float_rounding = 0},
      .segments = {{.address = 128, .bytes = {1, 2, 3}}},
      .steps = {executable::DeviceProgram{.address = 192, .granules = 0, .first_instruction = 1},
                executable::HostCall{.attributes = host_operators::Quantize{},
                                     .layer = 1,
                                     .inputs = {in},
                                     .outputs = {out},
                                     .single_rounding = true},
                executable::HostCall{.attributes = host_operators::Softmax{.beta = 1.5F},
                                     .inputs = {in},
                                     .outputs = {in}},
                executable::Branch{
                    .condition = condition, .layer = 1, .then_steps = 3, .else_steps = 2},
                executable::Loop{
                    .condition = condition, .layer = 1, .condition_steps = 2, .body_steps = 0},
                executable::DeviceProgram{.address = 192, .first_instruction = 1},
                executable::DeviceProgram{.address = 192, .first_instruction = 1},
                executable::Loop{
                    .condition = condition, .layer = 0, .condition_steps = 0, .body_steps = 1},
                executable::DeviceProgram{.address = 192, .first_instruction = 1}},
      .memory_bytes = 256,
      .inputs = {in},
      .outputs = {out},
      .states = {{.before = in, .after = out, .initial = Bytes(24, 5)}},
      .layers = {{.name = "op0", .op = "CONV_2D", .macs = 99},
                 {.name = "op1", .op = "QUANTIZE", .host = true}},
      .layer_of_instruction = {1, 0}};
}

// A change of the schema must leave files readable, or needs a new version and a new file.
TEST(ExecutableFile, FilesOfThisVersionStayReadable) {
  const Bytes bytes = ReadBytes(TPU_SOURCE_DIR "/tests/tools/version5.tpu");
  EXPECT_EQ(Serialise(Parse(bytes, "version5.tpu")), Serialise(ContentsOfVersion5()));
}

// What a reader of any version relies on.
TEST(ExecutableFile, BeginsWithIdentifierEndsWithChecksum) {
  const Bytes bytes = Serialise(Sample());
  EXPECT_EQ(std::string(bytes.begin() + 4, bytes.begin() + 8), "TPUX");
  Bytes repaired = bytes;
  RepairChecksum(repaired);
  EXPECT_EQ(repaired, bytes);
}

// So that segments can be used where they lie in a file that is mapped into memory.
TEST(ExecutableFile, SegmentsAreAligned) {
  const executable::Executable executable = Sample();
  const Bytes bytes = Serialise(executable);
  for (const executable::Segment& segment : executable.segments) {
    const auto found =
        std::search(bytes.begin(), bytes.end(), segment.bytes.begin(), segment.bytes.end());
    ASSERT_NE(found, bytes.end());
    EXPECT_EQ((found - bytes.begin()) % 16, 0);
  }
}

TEST(ExecutableFile, OlderAndNewerVersionsAreToBeCompiledAgain) {
  // Versions 1 and 2 began so.
  EXPECT_EQ(MessageOf({'T', 'P', 'U', 'X', 2, 0, 0, 0, 9}),
            "x.tpu: written by an older version of this program; compile it again");
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(schema::CreateAnyVersion(builder, 99), schema::ExecutableIdentifier());
  EXPECT_EQ(MessageOf(FileOf(builder)),
            "x.tpu: format version 99, this program knows 5; compile it again");
}

TEST(ExecutableFile, UnknownKindOfStep) {
  flatbuffers::FlatBufferBuilder builder;
  const auto work = schema::CreateProgram(builder).Union();
  const std::vector steps = {schema::CreateStep(builder, static_cast<schema::Work>(9), work)};
  const auto machine = schema::CreateMachine(builder);
  schema::FinishExecutableBuffer(
      builder,
      schema::CreateExecutableDirect(builder, kFormatVersion, machine, 0, nullptr, &steps));
  EXPECT_EQ(MessageOf(FileOf(builder)), "x.tpu: a step of kind 9 is unknown");
}

// A file of some hundred bytes must not become gigabytes.
TEST(ExecutableFile, ContentsThatAreSharedAreRefused) {
  flatbuffers::FlatBufferBuilder builder;
  const auto machine = schema::CreateMachine(builder);
  const Bytes contents(100);
  const std::vector segments(1000, schema::CreateSegmentDirect(builder, 0, &contents));
  schema::FinishExecutableBuffer(
      builder, schema::CreateExecutableDirect(builder, kFormatVersion, machine, 0, &segments));
  EXPECT_EQ(MessageOf(FileOf(builder)), "x.tpu: it refers to the same contents more than once");
}

TEST(ExecutableFile, EveryTruncationIsRefused) {
  const Bytes bytes = Serialise(Sample());
  for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 97) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THAT(MessageOf(cut), HasSubstr(size < 8 ? "not a .tpu file" : "damaged or cut off"))
        << size << " bytes";
  }
}

TEST(ExecutableFile, EveryDamagedByteIsRefused) {
  Bytes bytes = Serialise(Sample());
  for (std::size_t i = 0; i < bytes.size(); i += i < 500 ? 1 : 61) {
    bytes[i] ^= 0x10;
    EXPECT_THAT(MessageOf(bytes),
                HasSubstr(i >= 4 && i < 8 ? "not a .tpu file" : "damaged or cut off"))
        << "byte " << i;
    bytes[i] ^= 0x10;
  }
}

// Whatever the body says, parsing ends with an executable that is valid or with an error.
TEST(ExecutableFile, RandomBodiesDoNotCrash) {
  constexpr std::uint64_t kSeed = 20;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 rng(kSeed);
  const Bytes good = Serialise(Sample());
  std::size_t refused = 0;
  constexpr int kTrials = 3000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes bytes = good;
    for (int flips = 0; flips < 3; ++flips) {
      // Mostly outside the constants, which may hold anything.
      const std::size_t range = rng() % 2 == 0 ? 300 : bytes.size() - 12;
      const std::size_t from = rng() % 2 == 0 ? 8 : bytes.size() - 4 - range;
      bytes[from + rng() % range] = static_cast<std::uint8_t>(rng());
    }
    RepairChecksum(bytes);
    refused += MessageOf(bytes) == "accepted" ? 0 : 1;
  }
  EXPECT_GT(refused, kTrials / 4);
}

TEST(ExecutableFile, LongerThanWritten) {
  Bytes bytes = Serialise(Sample());
  bytes.push_back(0);
  EXPECT_THAT(MessageOf(bytes), HasSubstr("damaged or cut off"));
}

TEST(Validate, EachDeviceHasAMemoryOfItsOwn) {
  const auto granule = [](const isa::Instruction& instruction) {
    return isa::EncodeProgram(std::vector{instruction});
  };
  executable::Executable executable;
  executable.memory_bytes = 256;
  executable.segments = {{.address = 64, .bytes = granule(isa::Weights{}), .device = 1},
                         {.address = 64, .bytes = granule(isa::Matmul{}), .device = 0},
                         {.address = 100, .bytes = {1}, .device = 2}};
  const executable::DeviceProgram on_0 = {.address = 64, .granules = 1};
  executable::DeviceProgram on_1 = on_0;
  on_1.device = 1;
  EXPECT_NO_THROW(Validate(executable));
  EXPECT_TRUE(std::holds_alternative<isa::Matmul>(Instructions(executable, on_0).at(0)));
  EXPECT_TRUE(std::holds_alternative<isa::Weights>(Instructions(executable, on_1).at(0)));
  executable.segments[2].device = 1;
  EXPECT_THROW(Validate(executable), Error);
}

struct BadCase {
  const char* name;
  std::function<void(executable::Executable&)> damage;
  const char* message;
};

executable::DeviceProgram& FirstProgram(executable::Executable& e) {
  return std::get<executable::DeviceProgram>(e.steps.front());
}
executable::HostCall& LastCall(executable::Executable& e) {
  return std::get<executable::HostCall>(e.steps.back());
}

executable::TensorBinding Flag() { return {.name = "flag", .type = ElementType::kBool}; }

/// A branch before all other steps.
executable::Branch& BranchOf(executable::Executable& e, std::uint32_t then_steps,
                             std::uint32_t else_steps) {
  e.steps.insert(
      e.steps.begin(),
      executable::Branch{.condition = Flag(), .then_steps = then_steps, .else_steps = else_steps});
  return std::get<executable::Branch>(e.steps.front());
}

const BadCase kBadCases[] = {
    {"array_size", [](auto& e) { e.config.n = 15; }, "N = 15"},
    {"bus_width", [](auto& e) { e.config.axi_data_width = 0; }, "AXI_DATA_WIDTH = 0"},
    {"no_buffer", [](auto& e) { e.config.ub_rows = 0; }, "UB_ROWS = 0"},
    {"window", [](auto& e) { e.config.window = 2; }, "WINDOW = 2"},
    {"bf16", [](auto& e) { e.config.bf16 = 2; }, "BF16 = 2"},
    {"requant_lanes", [](auto& e) { e.config.requant_lanes = 3; }, "REQUANT_LANES = 3"},
    {"more_requant_lanes_than_lanes", [](auto& e) { e.config.requant_lanes = 2 * e.config.n; },
     "REQUANT_LANES = 32: no machine of N = 16"},
    {"memory_beyond_bus", [](auto& e) { e.memory_bytes = 1ULL << 50; }, "memory of"},
    {"memory_too_small", [](auto& e) { e.memory_bytes = 100; }, "outside the memory"},
    {"segment_address", [](auto& e) { e.segments[0].address = ~0ULL; }, "outside the memory"},
    {"overlap", [](auto& e) { e.segments.push_back(e.segments[0]); }, "overlap"},
    {"program_on_another_device", [](auto& e) { FirstProgram(e).device = 1; }, "in no segment"},
    {"program_alignment", [](auto& e) { FirstProgram(e).address += 1; }, "multiple of 64"},
    {"program_elsewhere", [](auto& e) { FirstProgram(e).granules = 1U << 30; }, "in no segment"},
    {"program_without_layers", [](auto& e) { e.layer_of_instruction.pop_back(); }, "have no layer"},
    {"first_instruction", [](auto& e) { FirstProgram(e).first_instruction = ~0U; },
     "have no layer"},
    {"layer_index", [](auto& e) { e.layer_of_instruction[2] = 99; }, "instruction 2: layer 99"},
    {"negative_dimension", [](auto& e) { e.inputs[0].shape[0] = -1; }, "dimension -1"},
    {"huge_tensor",
     [](auto& e) { e.inputs[0].shape.assign(3, std::numeric_limits<std::int64_t>::max()); },
     "more elements"},
    {"tensor_outside", [](auto& e) { e.outputs[0].address = e.memory_bytes; }, "tensor t8"},
    {"element_type", [](auto& e) { e.outputs[0].type = static_cast<ElementType>(77); },
     "unknown element type 77"},
    {"host_layer", [](auto& e) { LastCall(e).layer = 50; }, "layer 50"},
    {"host_inputs", [](auto& e) { LastCall(e).inputs.clear(); }, "0 inputs"},
    {"host_outputs", [](auto& e) { LastCall(e).outputs.clear(); }, "0 outputs"},
    {"host_types", [](auto& e) { LastCall(e).inputs[0].type = ElementType::kInt32; },
     "is int32; supported: int8, int16, float32"},
    {"host_inputs_of_sums", [](auto& e) { LastCall(e).attributes = host_operators::AddN{}; },
     "1 inputs instead of two or more"},
    {"host_types_of_pairs",
     [](auto& e) {
       LastCall(e).attributes = host_operators::Divide{};
       LastCall(e).inputs.push_back(LastCall(e).inputs[0]);
       LastCall(e).inputs[1].type = ElementType::kUint8;
     },
     "is uint8; supported: int8"},
    {"host_shapes",
     [](auto& e) {
       LastCall(e).outputs[0].shape = {1, 2};
     },
     "should have 3 elements"},
    {"host_axis",
     [](auto& e) { LastCall(e).attributes = host_operators::CumulativeSum{.axis = 2}; },
     "has no axis 2"},
    {"host_enumerator",
     [](auto& e) {
       LastCall(e).attributes =
           host_operators::Unary{static_cast<host_operators::UnaryOperation>(9)};
     },
     "unknown operation 9"},
    {"host_rounding",
     [](auto& e) {
       LastCall(e).attributes =
           host_operators::Quantize{.steps = static_cast<host_operators::FloatSteps>(3)};
     },
     "unknown rounding 3"},
    {"state_outside",
     [](auto& e) {
       e.states = {{.before = e.inputs[0], .after = e.inputs[0], .initial = {}}};
       e.states[0].after.address = e.memory_bytes;
     },
     "outside the memory"},
    {"state_size",
     [](auto& e) { e.states = {{.before = e.inputs[0], .after = e.inputs[0], .initial = {1}}}; },
     "1 at first"},
    {"branch_layer", [](auto& e) { BranchOf(e, 0, 0).layer = 50; }, "layer 50 does not exist"},
    {"condition_type", [](auto& e) { BranchOf(e, 0, 0).condition.type = ElementType::kInt8; },
     "its condition flag is not one bool"},
    {"condition_shape", [](auto& e) { BranchOf(e, 0, 0).condition.shape = {2}; },
     "its condition flag is not one bool"},
    {"condition_outside", [](auto& e) { BranchOf(e, 0, 0).condition.address = e.memory_bytes; },
     "tensor flag"},
    {"branch_beyond_the_end", [](auto& e) { BranchOf(e, 2, 1); },
     "step 0: it decides on 3 steps, 2 are behind it"},
    {"branch_of_too_many", [](auto& e) { BranchOf(e, ~0U, ~0U); },
     "step 0: it decides on 8589934590"},
    {"loop_across_a_region",
     [](auto& e) {
       BranchOf(e, 1, 1);
       e.steps.insert(e.steps.begin(), executable::Loop{.condition = Flag(), .condition_steps = 2});
     },
     "step 1: it decides on 2 steps, 1 are behind it"},
    {"nesting",
     [](auto& e) {
       for (std::uint32_t steps = 0; steps < 200; ++steps) BranchOf(e, steps, 0);
     },
     "branches and loops lie inside each other"},
};

class BadExecutable : public testing::TestWithParam<BadCase> {};

TEST_P(BadExecutable, IsRefused) {
  executable::Executable executable = Sample();
  GetParam().damage(executable);
  const std::string message = MessageOf(Serialise(executable));
  EXPECT_THAT(message, HasSubstr("x.tpu: "));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(All, BadExecutable, testing::ValuesIn(kBadCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::executable
