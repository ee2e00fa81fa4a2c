// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>

#include "isa/encoding.h"
#include "isa/fields.h"
#include "tests/system/fault_kinds.h"
#include "tests/system/program.h"

namespace tpu::system_test {
namespace {

using isa::ErrorCode;
using Bytes = std::vector<std::uint8_t>;

/// `granules` behind a random number of good instructions; the front end must stop at them.
void RunAfterGoodOnes(FaultBench& bench, const Bytes& granules, ErrorCode code) {
  const std::uint32_t n = bench.config().n;
  const auto before = static_cast<std::uint32_t>(bench.Below(4));
  Bytes program =
      isa::EncodeProgram(std::vector<isa::Instruction>(before, LoadRows(1 + before, n)));
  program.insert(program.end(), granules.begin(), granules.end());
  // What comes behind is never reached.
  isa::Encode(StoreRows(4, n), program);
  if (code == ErrorCode::kTruncated) program.resize(program.size() - isa::kGranuleBytes);
  bench.Load(MakeExecutable(bench.config(), std::move(program)));
  bench.Start();
  FaultBench::Expect(Stopped(code, isa::Unit::kFrontend, before), bench.Wait());
}

Fault Make(std::string kind, std::string what, Bytes granules, ErrorCode code) {
  return {std::move(kind), std::move(what), [granules = std::move(granules), code](FaultBench& b) {
            RunAfterGoodOnes(b, granules, code);
          }};
}

void SetBits(Bytes& bytes, unsigned word, unsigned lsb, unsigned width, std::uint64_t value) {
  for (unsigned i = 0; i < width; ++i) {
    const unsigned bit = 32 * word + lsb + i;
    const auto mask = static_cast<std::uint8_t>(1U << bit % 8);
    bytes[bit / 8] = static_cast<std::uint8_t>((value >> i & 1) != 0 ? bytes[bit / 8] | mask
                                                                     : bytes[bit / 8] & ~mask);
  }
}

/// Values that fit the field's bits but are not legal: those next to the legal range, and the most
/// distant ones.
std::vector<std::uint64_t> IllegalValues(const isa::Field& field) {
  if (field.IsSigned() || field.width >= 64) return {};
  const std::uint64_t most = (std::uint64_t{1} << field.width) - 1;
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = 0; value < static_cast<std::uint64_t>(field.min); ++value) {
    values.push_back(value);
  }
  if (field.max < most) values.push_back(field.max + 1);
  if (field.max + 1 < most) values.push_back(most);
  return values;
}

/// An instruction with all its illegal field values and reserved bits, one at a time. Fields of
/// formats that a machine lacks are reserved bits. So is the opcode illegal that needs such a
/// format.
template <typename I>
void AddFields(const I& good, isa::Formats formats, std::vector<Fault>& faults) {
  Bytes bytes;
  isa::Encode(good, bytes);
  if (!formats.Meet(isa::RequirementOf(I::kOpcode))) {
    faults.push_back(Make("illegal opcode", std::string(isa::Mnemonic(I::kOpcode)),
                          std::move(bytes), ErrorCode::kIllegalOpcode));
    return;
  }
  std::vector<bool> named(8 * bytes.size());
  // Opcode, wait and post.
  for (unsigned bit = 0; bit < 8; ++bit) named[bit] = true;
  for (unsigned bit = 32; bit < 96; ++bit) named[bit] = true;
  isa::ForEachField(good, [&](const isa::Field& field, auto) {
    if (!formats.Meet(field.requirement)) return;
    for (unsigned bit = 0; bit < field.width; ++bit)
      named[32 * field.word + field.lsb + bit] = true;
    for (const std::uint64_t value : IllegalValues(field)) {
      Bytes bad = bytes;
      SetBits(bad, field.word, field.lsb, field.width, value);
      faults.push_back(Make("illegal field value",
                            fmt::format("{} {}={}", isa::Mnemonic(I::kOpcode), field.name, value),
                            std::move(bad), ErrorCode::kIllegalField));
    }
  });
  for (unsigned bit = 0; bit < named.size(); ++bit) {
    if (named[bit]) continue;
    Bytes bad = bytes;
    SetBits(bad, bit / 32, bit % 32, 1, 1);
    faults.push_back(Make("reserved bit", fmt::format("{} bit {}", isa::Mnemonic(I::kOpcode), bit),
                          std::move(bad), ErrorCode::kIllegalField));
  }
}

/// Fields that are legal each, but not together.
void AddPairs(isa::Formats formats, std::uint32_t n, std::vector<Fault>& faults) {
  const auto add = [&faults](std::string what, const isa::Instruction& good, unsigned lsb,
                             unsigned width, std::uint64_t value) {
    Bytes bytes;
    isa::Encode(good, bytes);
    SetBits(bytes, 0, lsb, width, value);
    faults.push_back(
        Make("illegal field value", std::move(what), std::move(bytes), ErrorCode::kIllegalField));
  };
  for (unsigned map = 1; map <= 6; ++map) {
    add(fmt::format("vector source=acc map={}", map),
        CopyRows(isa::VectorSource::kAccumulators, 1, 0), 12, 3, map);
  }
  if (formats.int16) {
    for (unsigned format = 0; format <= 1; ++format) {
      add(fmt::format("ivector source=acc a_format={}", format), DrainIntegers(1, 0), 10, 2,
          format);
    }
    isa::Ivector from_buffer = DrainIntegers(1, 0);
    from_buffer.source = isa::VectorSource::kUnifiedBuffer;
    add("ivector source=ub a_format=pair", from_buffer, 10, 2, 3);
  }
  if (formats.int16 && formats.bf16) {
    for (unsigned plane = 1; plane <= 2; ++plane) {
      isa::Matmul matmul = MultiplyRows(1, n);
      matmul.format = isa::NumberFormat::kBfloat16;
      add(fmt::format("matmul format=bf16 plane={}", plane), matmul, 26, 2, plane);
    }
  }
  if (!formats.Meet(isa::Requirement::kWide)) return;
  for (unsigned format = 1; format <= 2; ++format) {
    add(fmt::format("load destination=param format={}", format), LoadZeroParameters(n), 24, 2,
        format);
    isa::Load tables = LoadRows(1, n);
    tables.destination = isa::LoadDestination::kLookup;
    add(fmt::format("load destination=lut format={}", format), tables, 24, 2, format);
  }
  if (!formats.bf16) return;
  for (const unsigned zero_point : {1U, 127U, 128U, 255U}) {
    isa::Matmul matmul = MultiplyRows(1, n);
    matmul.format = isa::NumberFormat::kBfloat16;
    add(fmt::format("matmul format=bf16 zero_point={}", zero_point), matmul, 16, 8, zero_point);
  }
  for (unsigned format = 0; format <= 1; ++format) {
    add(fmt::format("fvector source=acc a_format={}", format), DrainRows(1, 0), 10, 2, format);
  }
  for (const isa::NumberFormat format :
       {isa::NumberFormat::kInt8, isa::NumberFormat::kFloat32, isa::NumberFormat::kInt32}) {
    isa::Fvector fvector = DrainRows(1, 0);
    fvector.o_format = format;
    for (unsigned interleave = 1; interleave <= 2; ++interleave) {
      add(fmt::format("fvector o_format={} interleave={}", static_cast<int>(format), interleave),
          fvector, 28, 2, interleave);
    }
  }
}

}  // namespace

std::vector<Fault> EncodingFaults(const FaultBench& bench) {
  const std::uint32_t n = bench.config().n;
  std::vector<Fault> faults;
  const isa::Formats formats = isa::FormatsOf(bench.config());
  const isa::Vector vector = CopyRows(isa::VectorSource::kUnifiedBuffer, 1, 0);
  AddFields(LoadRows(1, n), formats, faults);
  AddFields(StoreRows(1, n), formats, faults);
  AddFields(OneTile(), formats, faults);
  AddFields(MultiplyRows(1, n), formats, faults);
  AddFields(vector, formats, faults);
  AddFields(DrainRows(1, 0), formats, faults);
  AddFields(isa::UbWeights{}, formats, faults);
  AddFields(isa::Adam{}, formats, faults);
  AddFields(DrainIntegers(1, 0), formats, faults);
  AddPairs(formats, n, faults);
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    Bytes granule(isa::kGranuleBytes);
    granule[0] = static_cast<std::uint8_t>(opcode);
    const auto decoded = isa::Decode(granule, formats);
    const auto* error = std::get_if<isa::DecodeError>(&decoded);
    if (error == nullptr || error->code != ErrorCode::kIllegalOpcode) continue;
    faults.push_back(Make("illegal opcode", fmt::format("0x{:02x}", opcode), std::move(granule),
                          ErrorCode::kIllegalOpcode));
  }
  for (int i = 0; i < 8; ++i) {
    Bytes half;
    isa::Instruction two = vector;
    if (formats.bf16) two = DrainRows(1, 0);
    if (formats.bf16 && i % 3 == 0) two = isa::Adam{};
    if (formats.int16 && i % 2 == 0) two = DrainIntegers(1, 0);
    isa::Encode(two, half);
    half.resize(isa::kGranuleBytes);
    faults.push_back(
        Make("truncated program", fmt::format("{}", i), std::move(half), ErrorCode::kTruncated));
  }
  // Not a multiple of 64; beyond the address width; nothing there.
  for (std::uint64_t offset = 4; offset < isa::kGranuleBytes; offset += 12) {
    faults.push_back({"program address", fmt::format("offset {}", offset), [offset](FaultBench& b) {
                        executable::Executable e = b.busy();
                        ProgramOf(e).address += offset;
                        b.Load(e);
                        b.Start();
                        FaultBench::Expect(Stopped(ErrorCode::kAddrRange, isa::Unit::kFrontend, 0),
                                           b.Wait());
                      }});
  }
  for (unsigned bit = 17; bit < 64; ++bit) {
    faults.push_back({"program address", fmt::format("bit {}", bit), [bit](FaultBench& b) {
                        executable::Executable e = b.busy();
                        ProgramOf(e).address |= std::uint64_t{1} << bit;
                        b.Load(e);
                        b.Start();
                        const bool outside = bit >= b.config().axi_addr_width;
                        FaultBench::Expect(
                            Stopped(outside ? ErrorCode::kAddrRange : ErrorCode::kBusRead,
                                    isa::Unit::kFrontend, 0),
                            b.Wait());
                      }});
  }
  return faults;
}

}  // namespace tpu::system_test
