// SPDX-License-Identifier: Apache-2.0
#include "executable/executable_file.h"

#include <flatbuffers/flatbuffers.h>
#include <zlib.h>

#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.h"
#include "executable/executable_file_generated.h"
#include "executable/host_operator_file.h"

namespace tpu::executable {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <typename T>
using Offset = flatbuffers::Offset<T>;

static_assert(std::endian::native == std::endian::little, "the checksum is copied as it lies");
// Numbers of enumerators are written as they are.
static_assert(static_cast<int>(schema::ElementType::MAX) == static_cast<int>(ElementType::kUint64));

constexpr std::size_t kChecksumBytes = sizeof(std::uint32_t);
constexpr std::size_t kMostBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
// More than all but the segments and the layers of instructions can take.
constexpr std::size_t kRestBytes = std::size_t{1} << 28;
constexpr std::string_view kIdentifier = "TPUX";
constexpr std::size_t kIdentifierOffset = 4;

bool StandsAt(std::size_t offset, std::span<const std::uint8_t> bytes) {
  return bytes.size() >= offset + kIdentifier.size() &&
         std::memcmp(bytes.data() + offset, kIdentifier.data(), kIdentifier.size()) == 0;
}

// Files of versions 1 and 2 were no flatbuffers: they began with the identifier.
bool IsOld(std::span<const std::uint8_t> bytes) { return StandsAt(0, bytes); }

std::uint32_t Crc32(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

Offset<schema::Machine> Write(Builder& builder, const isa::HardwareConfig& config) {
  return schema::CreateMachine(
      builder, config.n, config.ub_rows, config.acc_rows, config.param_rows, config.lut_tables,
      config.fifo_tiles, config.axi_data_width, config.axi_addr_width, config.ub_banks,
      config.window, config.requant_lanes, config.bf16, config.int16, config.float_rounding);
}

Offset<schema::Segment> Write(Builder& builder, const Segment& segment) {
  return schema::CreateSegmentDirect(builder, segment.address, &segment.bytes, segment.device);
}

Offset<schema::Tensor> Write(Builder& builder, const TensorBinding& tensor) {
  const auto name = builder.CreateString(tensor.name);
  const auto shape = builder.CreateVector(tensor.shape);
  return schema::CreateTensor(builder, name, tensor.address, shape,
                              static_cast<schema::ElementType>(tensor.type), tensor.scale,
                              tensor.zero_point, tensor.device);
}

Offset<schema::Layer> Write(Builder& builder, const Layer& layer) {
  const auto name = builder.CreateString(layer.name);
  const auto op = builder.CreateString(layer.op);
  return schema::CreateLayer(builder, name, op, layer.macs, layer.host);
}

Offset<schema::State> Write(Builder& builder, const State& state);
Offset<schema::Step> Write(Builder& builder, const Step& step);

// Tables, in the order of the structures that they are made of.
template <typename T>
auto WriteList(Builder& builder, const std::vector<T>& list) {
  std::vector<decltype(Write(builder, list[0]))> offsets;
  offsets.reserve(list.size());
  for (const T& element : list) offsets.push_back(Write(builder, element));
  return builder.CreateVector(offsets);
}

Offset<schema::Program> Write(Builder& builder, const DeviceProgram& program) {
  return schema::CreateProgram(builder, program.address, program.granules,
                               program.first_instruction, program.device);
}

Offset<schema::HostCall> Write(Builder& builder, const HostCall& call) {
  const WrittenOperator op = WriteOperator(builder, call.attributes);
  const auto inputs = WriteList(builder, call.inputs);
  const auto outputs = WriteList(builder, call.outputs);
  return schema::CreateHostCall(builder, op.type, op.table, call.layer, inputs, outputs,
                                call.single_rounding);
}

Offset<schema::Branch> Write(Builder& builder, const Branch& branch) {
  return schema::CreateBranch(builder, Write(builder, branch.condition), branch.layer,
                              branch.then_steps, branch.else_steps);
}

Offset<schema::Loop> Write(Builder& builder, const Loop& loop) {
  return schema::CreateLoop(builder, Write(builder, loop.condition), loop.layer,
                            loop.condition_steps, loop.body_steps);
}

Offset<schema::State> Write(Builder& builder, const State& state) {
  const auto before = Write(builder, state.before);
  const auto after = Write(builder, state.after);
  return schema::CreateState(builder, before, after, builder.CreateVector(state.initial));
}

template <typename Table>
Offset<schema::Step> StepOf(Builder& builder, Offset<Table> work) {
  return schema::CreateStep(builder, schema::WorkTraits<Table>::enum_value, work.Union());
}

Offset<schema::Step> Write(Builder& builder, const Step& step) {
  return std::visit([&](const auto& work) { return StepOf(builder, Write(builder, work)); }, step);
}

// Reads a file that the verifier has accepted: all that a table refers to lies inside of the file.
class Reader {
 public:
  Reader(const schema::Executable& root, std::size_t bytes) : root_(root), bytes_left_(bytes) {}

  Executable Run() {
    return {.config = Read(*root_.machine()),
            .segments = ReadList<Segment>(root_.segments()),
            .steps = ReadList<Step>(root_.steps()),
            .memory_bytes = root_.memory_bytes(),
            .inputs = ReadList<TensorBinding>(root_.inputs()),
            .outputs = ReadList<TensorBinding>(root_.outputs()),
            .states = ReadList<State>(root_.states()),
            .layers = ReadList<Layer>(root_.layers()),
            .layer_of_instruction = Numbers(root_.layer_of_instruction())};
  }

 private:
  // The writer puts all contents into the file once. A file that refers to the same contents again
  // and again would fill the host's memory.
  void Charge(std::size_t bytes) {
    if (bytes > bytes_left_) throw Error("it refers to the same contents more than once");
    bytes_left_ -= bytes;
  }

  std::string Text(const flatbuffers::String* text) {
    if (text == nullptr) return {};
    Charge(text->size());
    return text->str();
  }

  template <typename T>
  static std::size_t SizeOf(const flatbuffers::Vector<T>* numbers) {
    return numbers == nullptr ? 0 : numbers->size();
  }

  template <typename T>
  std::vector<T> Numbers(const flatbuffers::Vector<T>* numbers) {
    if (numbers == nullptr) return {};
    Charge(numbers->size() * sizeof(T));
    // Copied as bytes: the verifier leaves open whether 64-bit elements are aligned.
    std::vector<T> result(numbers->size());
    if (!result.empty()) std::memcpy(result.data(), numbers->Data(), result.size() * sizeof(T));
    return result;
  }

  template <typename T, typename Table>
  std::vector<T> ReadList(const flatbuffers::Vector<Offset<Table>>* tables) {
    std::vector<T> result;
    if (tables == nullptr) return result;
    Charge(tables->size() * sizeof(Offset<Table>));
    result.reserve(tables->size());
    for (const Table* table : *tables) result.push_back(Read(*table));
    return result;
  }

  static isa::HardwareConfig Read(const schema::Machine& machine) {
    return {.n = machine.n(),
            .ub_rows = machine.ub_rows(),
            .acc_rows = machine.acc_rows(),
            .param_rows = machine.param_rows(),
            .lut_tables = machine.lut_tables(),
            .fifo_tiles = machine.fifo_tiles(),
            .axi_data_width = machine.axi_data_width(),
            .axi_addr_width = machine.axi_addr_width(),
            .ub_banks = machine.ub_banks(),
            .window = machine.window(),
            .requant_lanes = machine.requant_lanes(),
            .bf16 = machine.bf16(),
            .int16 = machine.int16(),
            .float_rounding = machine.float_rounding()};
  }

  Segment Read(const schema::Segment& segment) {
    return {.address = segment.address(),
            .bytes = Numbers(segment.contents()),
            .device = segment.device()};
  }

  TensorBinding Read(const schema::Tensor& tensor) {
    return {.name = Text(tensor.name()),
            .address = tensor.address(),
            .shape = Numbers(tensor.shape()),
            .type = static_cast<ElementType>(tensor.type()),
            .scale = tensor.scale(),
            .zero_point = tensor.zero_point(),
            .device = tensor.device()};
  }

  Layer Read(const schema::Layer& layer) {
    return {.name = Text(layer.name()),
            .op = Text(layer.op()),
            .macs = layer.macs(),
            .host = layer.host()};
  }

  Step Read(const schema::Step& step) {
    if (const schema::Program* program = step.work_as_Program()) return Read(*program);
    if (const schema::HostCall* call = step.work_as_HostCall()) return Read(*call);
    if (const schema::Branch* branch = step.work_as_Branch()) return Read(*branch);
    if (const schema::Loop* loop = step.work_as_Loop()) return Read(*loop);
    throw Error::Format("a step of kind {} is unknown", static_cast<int>(step.work_type()));
  }

  static DeviceProgram Read(const schema::Program& program) {
    return {.address = program.address(),
            .granules = program.granules(),
            .first_instruction = program.first_instruction(),
            .device = program.device()};
  }

  HostCall Read(const schema::HostCall& call) {
    if (call.kernel_as_ReduceExtreme() != nullptr) {
      Charge(SizeOf(call.kernel_as_ReduceExtreme()->axes()) * sizeof(std::int64_t));
    }
    return {.attributes = ReadOperator(call),
            .layer = call.layer(),
            .inputs = ReadList<TensorBinding>(call.inputs()),
            .outputs = ReadList<TensorBinding>(call.outputs()),
            .single_rounding = call.single_rounding()};
  }

  Branch Read(const schema::Branch& branch) {
    return {.condition = Read(*branch.condition()),
            .layer = branch.layer(),
            .then_steps = branch.then_steps(),
            .else_steps = branch.else_steps()};
  }

  Loop Read(const schema::Loop& loop) {
    return {.condition = Read(*loop.condition()),
            .layer = loop.layer(),
            .condition_steps = loop.condition_steps(),
            .body_steps = loop.body_steps()};
  }

  State Read(const schema::State& state) {
    return {.before = Read(*state.before()),
            .after = Read(*state.after()),
            .initial = Numbers(state.initial())};
  }

  const schema::Executable& root_;
  std::size_t bytes_left_;
};

// The flatbuffer of a file that arrived as it was written. Throws what is wrong with the file.
std::span<const std::uint8_t> CheckedContents(std::span<const std::uint8_t> bytes) {
  if (!HasMagic(bytes)) throw Error("not a .tpu file");
  if (IsOld(bytes)) throw Error("written by an older version of this program; compile it again");
  const auto contents = bytes.first(bytes.size() - kChecksumBytes);
  std::uint32_t checksum = 0;
  std::memcpy(&checksum, contents.data() + contents.size(), kChecksumBytes);
  if (bytes.size() > kMostBytes || checksum != Crc32(contents)) {
    throw Error("the checksum does not match: the file is damaged or cut off; compile it again");
  }
  return contents;
}

// The root, when all offsets and lengths fit the file. Throws what is wrong with it.
const schema::Executable& CheckedRoot(std::span<const std::uint8_t> contents) {
  flatbuffers::Verifier of_any_version(contents.data(), contents.size());
  flatbuffers::Verifier verifier(contents.data(), contents.size());
  constexpr const char* kDamaged = "offsets and lengths do not fit the file; compile it again";
  if (!of_any_version.VerifyBuffer<schema::AnyVersion>(kIdentifier.data())) throw Error(kDamaged);
  const auto version = flatbuffers::GetRoot<schema::AnyVersion>(contents.data())->version();
  if (version != kFormatVersion) {
    throw Error::Format("format version {}, this program knows {}; compile it again", version,
                        kFormatVersion);
  }
  if (!schema::VerifyExecutableBuffer(verifier)) throw Error(kDamaged);
  return *schema::GetExecutable(contents.data());
}

}  // namespace

bool HasMagic(std::span<const std::uint8_t> bytes) {
  return StandsAt(kIdentifierOffset, bytes) || IsOld(bytes);
}

std::vector<std::uint8_t> Serialise(const Executable& executable) {
  std::size_t bytes = kRestBytes + executable.layer_of_instruction.size() * sizeof(std::uint32_t);
  for (const Segment& segment : executable.segments) bytes += segment.bytes.size();
  if (bytes > kMostBytes) {
    throw Error::Format("{} bytes are too many for a .tpu file; at most {}", bytes, kMostBytes);
  }
  Builder builder;
  const auto machine = Write(builder, executable.config);
  const auto segments = WriteList(builder, executable.segments);
  const auto steps = WriteList(builder, executable.steps);
  const auto inputs = WriteList(builder, executable.inputs);
  const auto outputs = WriteList(builder, executable.outputs);
  const auto layers = WriteList(builder, executable.layers);
  const auto layer_of_instruction = builder.CreateVector(executable.layer_of_instruction);
  const auto states = WriteList(builder, executable.states);
  schema::FinishExecutableBuffer(
      builder,
      schema::CreateExecutable(builder, kFormatVersion, machine, executable.memory_bytes, segments,
                               steps, inputs, outputs, layers, layer_of_instruction, states));
  const std::span<const std::uint8_t> contents(builder.GetBufferPointer(), builder.GetSize());
  const std::uint32_t checksum = Crc32(contents);
  std::vector<std::uint8_t> file(contents.size() + kChecksumBytes);
  std::memcpy(file.data(), contents.data(), contents.size());
  std::memcpy(file.data() + contents.size(), &checksum, kChecksumBytes);
  return file;
}

Executable Parse(std::span<const std::uint8_t> bytes, const std::string& file) {
  try {
    const std::span<const std::uint8_t> contents = CheckedContents(bytes);
    Executable executable = Reader(CheckedRoot(contents), contents.size()).Run();
    Validate(executable);
    return executable;
  } catch (const Error& error) {
    throw Error::Format("{}: {}", file, error.what());
  }
}

}  // namespace tpu::executable
