// SPDX-License-Identifier: Apache-2.0
#include "executable/executable_file.h"

#include <zlib.h>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"

namespace tpu::executable_file {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

constexpr std::array<std::uint8_t, 4> kMagic = {'T', 'P', 'U', 'X'};
constexpr std::size_t kHeaderBytes = 20;

template <typename T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <Number T>
  void Field(const char* /*name*/, const T& value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  void Field(const char* name, const std::string& text) {
    Field(name, std::uint64_t{text.size()});
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  void Field(const char* name, const std::vector<std::uint8_t>& bytes) {
    Field(name, std::uint64_t{bytes.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <typename T, typename Each>
  void List(const char* name, const std::vector<T>& list, Each each) {
    Field(name, std::uint64_t{list.size()});
    for (const T& element : list) each(*this, element);
  }

  std::vector<std::uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

class Reader {
 public:
  Reader(std::span<const std::uint8_t> body, const std::string& file) : body_(body), file_(file) {}

  template <Number T>
  void Field(const char* name, T& value) {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), Take(name, sizeof(T)).data(), sizeof(T));
    if constexpr (std::same_as<T, bool>) {
      if (bytes[0] > 1) Fail(name, "is neither 0 nor 1");
    }
    value = std::bit_cast<T>(bytes);
  }
  void Field(const char* name, std::string& text) {
    const auto bytes = Take(name, Length(name));
    text.assign(bytes.begin(), bytes.end());
  }
  void Field(const char* name, std::vector<std::uint8_t>& bytes) {
    const auto source = Take(name, Length(name));
    bytes.assign(source.begin(), source.end());
  }
  template <typename T, typename Each>
  void List(const char* name, std::vector<T>& list, Each each) {
    // Every element takes at least a byte, so a damaged length cannot ask for much memory.
    const std::uint64_t length = Length(name);
    for (std::uint64_t i = 0; i < length; ++i) each(*this, list.emplace_back());
  }

  void ExpectEnd() const {
    if (next_ != body_.size()) Fail("the file", "goes on behind its last field");
  }
  [[noreturn]] void Fail(const char* name, const char* what) const {
    throw Error::Format("{}: byte {}: {} {}", file_, kHeaderBytes + next_, name, what);
  }

 private:
  std::uint64_t Length(const char* name) {
    std::uint64_t length = 0;
    Field(name, length);
    if (length > body_.size() - next_) Fail(name, "is longer than the file");
    return length;
  }
  std::span<const std::uint8_t> Take(const char* name, std::uint64_t count) {
    if (count > body_.size() - next_) Fail(name, "is cut off by the end of the file");
    const auto taken = body_.subspan(next_, count);
    next_ += count;
    return taken;
  }

  std::span<const std::uint8_t> body_;
  const std::string& file_;
  std::size_t next_ = 0;
};

// Each function below names the members of a structure once, for Writer (const structures) and
// Reader alike.
template <typename T, typename Structure>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Structure>;

constexpr auto kElement = [](auto& archive, auto& element) {
  archive.Field("list element", element);
};

template <typename Archive, MaybeConst<isa::HardwareConfig> T>
void Transfer(Archive& archive, T& config) {
  archive.Field("N", config.n);
  archive.Field("UB_ROWS", config.ub_rows);
  archive.Field("ACC_ROWS", config.acc_rows);
  archive.Field("PARAM_ROWS", config.param_rows);
  archive.Field("LUT_TABLES", config.lut_tables);
  archive.Field("WFIFO_TILES", config.fifo_tiles);
  archive.Field("AXI_DATA_WIDTH", config.axi_data_width);
  archive.Field("AXI_ADDR_WIDTH", config.axi_addr_width);
  archive.Field("UB_BANKS", config.ub_banks);
  archive.Field("WINDOW", config.window);
  archive.Field("REQUANT_LANES", config.requant_lanes);
}

template <typename Archive, MaybeConst<isa::Segment> T>
void Transfer(Archive& archive, T& segment) {
  archive.Field("segment address", segment.address);
  archive.Field("segment contents", segment.bytes);
  archive.Field("segment device", segment.device);
}

template <typename Archive, MaybeConst<isa::TensorBinding> T>
void Transfer(Archive& archive, T& tensor) {
  archive.Field("tensor name", tensor.name);
  archive.Field("tensor address", tensor.address);
  archive.List("tensor shape", tensor.shape, kElement);
  archive.Field("tensor type", tensor.type);
  archive.Field("tensor scale", tensor.scale);
  archive.Field("tensor zero point", tensor.zero_point);
  archive.Field("tensor device", tensor.device);
}

template <typename Archive, MaybeConst<isa::Layer> T>
void Transfer(Archive& archive, T& layer) {
  archive.Field("layer name", layer.name);
  archive.Field("layer operator", layer.op);
  archive.Field("layer MACs", layer.macs);
  archive.Field("layer host flag", layer.host);
}

template <typename Archive, MaybeConst<isa::DeviceProgram> T>
void Transfer(Archive& archive, T& program) {
  archive.Field("program address", program.address);
  archive.Field("program length", program.granules);
  archive.Field("program's first instruction", program.first_instruction);
  archive.Field("program's device", program.device);
}

constexpr auto kStructure = [](auto& archive, auto& element) { Transfer(archive, element); };

template <typename Archive, MaybeConst<isa::HostCall> T>
void Transfer(Archive& archive, T& call) {
  archive.Field("host kernel", call.kernel);
  archive.Field("host call's layer", call.layer);
  archive.List("host call's inputs", call.inputs, kStructure);
  Transfer(archive, call.output);
  archive.Field("host call's rounding", call.single_rounding);
  archive.Field("host call's beta", call.beta);
  archive.Field("host call's axis", call.axis);
  archive.Field("host call's align_corners", call.align_corners);
  archive.Field("host call's half_pixel_centers", call.half_pixel_centers);
}

void TransferStep(Writer& writer, const isa::Step& step) {
  writer.Field("step kind", static_cast<std::uint8_t>(step.index()));
  std::visit([&](const auto& s) { Transfer(writer, s); }, step);
}

void TransferStep(Reader& reader, isa::Step& step) {
  std::uint8_t kind = 0;
  reader.Field("step kind", kind);
  switch (kind) {
    case 0:
      return Transfer(reader, step.emplace<isa::DeviceProgram>());
    case 1:
      return Transfer(reader, step.emplace<isa::HostCall>());
    default:
      reader.Fail("step kind", "is unknown");
  }
}

template <typename Archive, MaybeConst<isa::Executable> T>
void Transfer(Archive& archive, T& executable) {
  Transfer(archive, executable.config);
  archive.Field("memory size", executable.memory_bytes);
  archive.List("segments", executable.segments, kStructure);
  archive.List("steps", executable.steps, [](auto& a, auto& step) { TransferStep(a, step); });
  archive.List("inputs", executable.inputs, kStructure);
  archive.List("outputs", executable.outputs, kStructure);
  archive.List("layers", executable.layers, kStructure);
  archive.List("layers of instructions", executable.layer_of_instruction, kElement);
}

std::uint32_t Crc32(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

template <typename T>
T HeaderField(std::span<const std::uint8_t> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::span<const std::uint8_t> CheckedBody(std::span<const std::uint8_t> bytes,
                                          const std::string& file) {
  if (!HasMagic(bytes)) throw Error::Format("{}: byte 0: not a .tpu file", file);
  if (bytes.size() < kHeaderBytes) {
    throw Error::Format("{}: byte {}: the header is cut off", file, bytes.size());
  }
  const auto version = HeaderField<std::uint32_t>(bytes, 4);
  if (version != kFormatVersion) {
    throw Error::Format("{}: byte 4: format version {}, this program knows {}; compile it again",
                        file, version, kFormatVersion);
  }
  const auto size = HeaderField<std::uint64_t>(bytes, 8);
  const std::span<const std::uint8_t> body = bytes.subspan(kHeaderBytes);
  if (size != body.size()) {
    throw Error::Format("{}: byte 8: the body should have {} bytes and has {}", file, size,
                        body.size());
  }
  if (HeaderField<std::uint32_t>(bytes, 16) != Crc32(body)) {
    throw Error::Format("{}: byte 16: the checksum does not match; the file is damaged", file);
  }
  return body;
}

}  // namespace

bool HasMagic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

std::vector<std::uint8_t> Serialise(const isa::Executable& executable) {
  Writer body;
  Transfer(body, executable);
  const std::vector<std::uint8_t> bytes = body.Take();
  Writer file;
  for (const std::uint8_t c : kMagic) file.Field("magic", c);
  file.Field("version", kFormatVersion);
  file.Field("body", bytes);
  std::vector<std::uint8_t> out = file.Take();
  const std::uint32_t crc = Crc32(bytes);
  std::array<std::uint8_t, sizeof(crc)> crc_bytes = std::bit_cast<decltype(crc_bytes)>(crc);
  out.insert(out.begin() + 16, crc_bytes.begin(), crc_bytes.end());
  return out;
}

isa::Executable Parse(std::span<const std::uint8_t> bytes, const std::string& file) {
  Reader reader(CheckedBody(bytes, file), file);
  isa::Executable executable;
  Transfer(reader, executable);
  reader.ExpectEnd();
  try {
    Validate(executable);
  } catch (const Error& error) {
    throw Error::Format("{}: {}", file, error.what());
  }
  return executable;
}

}  // namespace tpu::executable_file
