// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/column_sums.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/lower/matrix_weights.h"
#include "compiler/program/fields.h"
#include "compiler/program/parameters.h"
#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

constexpr std::int64_t kBiasBytes = isa::kBiasFormat.Bytes();
constexpr int kByteBits = 8;
constexpr int kWordBits = 32;

// A bias of 32 bits leaves the vector unit in planes: rows that hold some bits of each lane's bias
// at their places in a byte, zeros elsewhere. The lowest byte is one plane. Of each other byte the
// lower seven bits are one, and the highest bit is one: rounding may raise a number that is cut out
// of the middle by one, and eight bits and one more number have no room in a byte.
struct Plane {
  enum class Bits : std::uint8_t { kByte, kLowerBits, kHighestBit };
  std::int64_t byte = 0;
  Bits bits = Bits::kByte;
};
constexpr std::array<Plane, 7> kPlanes = {{{.byte = 0, .bits = Plane::Bits::kByte},
                                           {.byte = 1, .bits = Plane::Bits::kLowerBits},
                                           {.byte = 1, .bits = Plane::Bits::kHighestBit},
                                           {.byte = 2, .bits = Plane::Bits::kLowerBits},
                                           {.byte = 2, .bits = Plane::Bits::kHighestBit},
                                           {.byte = 3, .bits = Plane::Bits::kLowerBits},
                                           {.byte = 3, .bits = Plane::Bits::kHighestBit}}};
constexpr auto kPlaneCount = static_cast<std::int64_t>(kPlanes.size());
constexpr std::int64_t kEntries = kPlaneCount + 1;
constexpr std::int64_t kTables = 3;  // One for each of Plane::Bits.

// The vector unit's parameters that cut a plane's bits out of a sum and `bias`. Shifted to the
// left, the bits above them leave the word (docs/isa.md, 7, mode double).
LaneParameters CutOut(const Plane& plane, std::int32_t bias) {
  const auto first = static_cast<int>(plane.byte) * kByteBits;
  switch (plane.bits) {
    case Plane::Bits::kByte:
      return {.bias = bias, .multiplier = {.multiplier = 1 << 7, .shift = kWordBits - kByteBits}};
    case Plane::Bits::kLowerBits: {
      // Half a unit less, because the division rounds halves up.
      const std::int32_t half = 1 << (first - 1);
      return {.bias = bias - half,
              .multiplier = {.multiplier = 1 << 6, .shift = kWordBits - kByteBits + 1 - first}};
    }
    case Plane::Bits::kHighestBit:
      // Any negative number becomes -1 at most.
      return {.bias = bias,
              .multiplier = {.multiplier = std::numeric_limits<std::int32_t>::max(),
                             .shift = kWordBits - kByteBits - first}};
  }
  return {};
}

// From what is cut out of a number to the same bits of the number's complement.
std::vector<std::uint8_t> TableOf(Plane::Bits bits) {
  std::vector<std::uint8_t> table;
  for (int byte = 0; byte < 1 << kByteBits; ++byte) {
    const int inverse = ~byte;
    switch (bits) {
      case Plane::Bits::kByte:
        table.push_back(static_cast<std::uint8_t>(inverse));
        break;
      case Plane::Bits::kLowerBits:
        table.push_back(static_cast<std::uint8_t>(inverse & 0x7F));
        break;
      case Plane::Bits::kHighestBit:
        table.push_back(static_cast<std::uint8_t>(inverse & 0x80));
        break;
    }
  }
  return table;
}

Access Rows(Space space, bool write, std::int64_t first, std::int64_t size) {
  return {.space = space,
          .write = write,
          .begin = static_cast<std::uint64_t>(first),
          .end = static_cast<std::uint64_t>(first + size)};
}

class ColumnBiases {
 public:
  ColumnBiases(const ConvJob& job, const ConvConstants& constants, Emitter& emitter)
      : job_(job),
        constants_(constants),
        emitter_(emitter),
        n_(emitter.Lanes()),
        inputs_(ir::CeilDiv(job.weights.ic, n_)),
        outputs_(ir::CeilDiv(job.weights.oc, n_)),
        columns_(job.output.images.n * outputs_) {}

  void Run() {
    Allocate();
    LoadConstants();
    for (const ir::Range& batch : ir::Split(columns_, batch_)) {
      const std::int64_t sums = emitter_.NextAccumulators();
      AddColumns(batch, sums);
      for (std::size_t plane = 0; plane < kPlanes.size(); ++plane) {
        CutOutPlane(static_cast<std::int64_t>(plane), batch.Size(), sums);
      }
      JoinPlanes(batch);
    }
  }

 private:
  // Columns count in blocks of N, image by image: a row of accumulators each.
  void Allocate() {
    const bool buffers = UsesMatrixBuffers(job_);
    const MatrixBuffers matrices =
        buffers ? MatrixBuffersOf(*job_.matrices, emitter_) : MatrixBuffers{};
    const std::int64_t rows_of_column = kPlaneCount + kBiasBytes;
    const std::int64_t room = emitter_.LayerRows() - 1 - matrices.Rows();
    batch_ = std::clamp<std::int64_t>(room / rows_of_column, 1,
                                      std::min<std::int64_t>(columns_, MostColumns()));
    zero_row_ = emitter_.AllocateBuffer(1 + matrices.Rows() + batch_ * rows_of_column);
    planes_ = zero_row_ + 1;
    bytes_ = planes_ + batch_ * kPlaneCount;
    if (buffers)
      matrices_.emplace(*job_.matrices, matrices, bytes_ + batch_ * kBiasBytes, emitter_);
  }
  [[nodiscard]] std::int64_t MostColumns() const {
    return emitter_.Config().acc_rows / 2 / kBiasBytes;
  }

  void LoadConstants() {
    // For all blocks of a matrix's rows. Behind the last row weights are zero.
    const std::vector<std::uint8_t> zeros(static_cast<std::size_t>(n_),
                                          static_cast<std::uint8_t>(job_.input_zero));
    emitter_.LoadRows(emitter_.AddConstant(zeros), n_, zero_row_);

    // The accumulators hold the sums times the input's zero point. Their negative is the complement
    // of one less.
    const std::int64_t zero_points = job_.weights.ic * job_.input_zero * job_.matrices->zero_point;
    std::vector<LaneParameters> lanes;
    for (const Plane& plane : kPlanes) {
      lanes.insert(lanes.end(), static_cast<std::size_t>(n_),
                   CutOut(plane, static_cast<std::int32_t>(-zero_points - 1)));
    }
    lanes.resize(static_cast<std::size_t>(kEntries * n_));  // Behind them one of zeros.
    entries_ = emitter_.AllocateParameters(kEntries);
    emitter_.LoadParameters(emitter_.AddConstant(PackParameters(lanes, emitter_.Config())),
                            kEntries, entries_);
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      tables_[i] = emitter_.AllocateLookup(1);
      emitter_.LoadLookup(emitter_.AddConstant(TableOf(static_cast<Plane::Bits>(i))), tables_[i],
                          1);
    }
    joining_ = emitter_.AddConstant(JoiningTiles());
  }

  void AddColumns(const ir::Range& batch, std::int64_t sums) {
    for (std::int64_t column = batch.begin; column < batch.end;) {
      const std::int64_t image = column / outputs_;
      const std::int64_t first = column % outputs_;
      const std::int64_t size = std::min(outputs_ - first, batch.end - column);
      AddColumns(image, {.begin = first, .end = first + size}, sums + column - batch.begin);
      column += size;
    }
  }

  void AddColumns(std::int64_t image, ir::Range blocks, std::int64_t sums) {
    const std::int64_t most = matrices_ ? matrices_->MostTiles() : inputs_ * blocks.Size();
    const std::int64_t inputs = std::min(inputs_, most);
    const std::int64_t outputs = inputs < inputs_ ? 1 : most / inputs;
    for (const ir::Range& out : ir::Split(blocks, outputs)) {
      for (const ir::Range& in : ir::Split({.begin = 0, .end = inputs_}, inputs)) {
        if (matrices_) {
          matrices_->Bring(image, out, in);
        } else {
          BringTiles(constants_.weights.address,
                     (image * outputs_ + out.begin) * inputs_ + in.begin, out.Size() * in.Size(),
                     true);
        }
        isa::Matmul matmul = Product(zero_row_, out.Size(), in.Size(), 1);
        matmul.accumulate = in.begin == 0 ? 0 : 1;
        const std::int64_t row = sums + out.begin - blocks.begin;
        matmul.acc_row = U32(row);
        matmul.acc_ob_stride = 1;
        emitter_.Emit(matmul, {Rows(Space::kUnifiedBuffer, false, zero_row_, 1),
                               Rows(Space::kAccumulators, true, row, out.Size())});
      }
    }
  }

  // A product of rows from `row` on, all of whose lanes count.
  [[nodiscard]] isa::Matmul Product(std::int64_t row, std::int64_t outputs, std::int64_t inputs,
                                    std::int64_t rows) const {
    isa::Matmul matmul;
    matmul.ub_addr = S32(row * n_);
    matmul.n_ob = U32(outputs);
    matmul.n_cb = U32(inputs);
    matmul.n_ow = U32(rows);
    matmul.s_ow = S32(n_);
    matmul.y_bound = 1;
    matmul.x_bound = U32(n_);
    return matmul;
  }

  void BringTiles(std::uint64_t address, std::int64_t first, std::int64_t tiles, bool computed) {
    isa::Weights weights;
    const auto bytes = static_cast<std::uint64_t>(n_ * n_);
    weights.dram_addr = address + static_cast<std::uint64_t>(first) * bytes;
    weights.tiles = U32(tiles);
    std::vector<Access> reads;
    if (computed) {
      reads.push_back({.space = Space::kMemory,
                       .begin = weights.dram_addr,
                       .end = weights.dram_addr + weights.tiles * bytes});
    }
    emitter_.Emit(weights, std::move(reads));
  }

  void CutOutPlane(std::int64_t plane, std::int64_t columns, std::int64_t sums) {
    const Plane::Bits bits = kPlanes[static_cast<std::size_t>(plane)].bits;
    const std::int64_t table = tables_[static_cast<std::size_t>(bits)];
    isa::Vector vector = Drain(sums, 1, columns, planes_ + plane * batch_);
    vector.requant = isa::VectorRequant::kDouble;
    vector.param_row = U32(entries_ + plane);
    if (bits == Plane::Bits::kHighestBit) {
      vector.lo = -1;
      vector.hi = 0;
    }
    vector.lut_enable = 1;
    vector.lut = U32(table);
    Emit(vector, sums, columns, planes_ + plane * batch_,
         {Rows(Space::kParameters, false, entries_ + plane, 1),
          Rows(Space::kLookup, false, table, 1)});
  }

  // Rows of sums, block after block, to rows of the unified buffer in the same order.
  [[nodiscard]] static isa::Vector Drain(std::int64_t sums, std::int64_t blocks, std::int64_t rows,
                                         std::int64_t output) {
    isa::Vector vector;
    vector.source = isa::VectorSource::kAccumulators;
    vector.n_cb = U32(blocks);
    vector.n_ow = U32(rows);
    vector.a_row = S32(sums);
    vector.a_cb = S32(rows);
    vector.a_ow = 1;
    vector.o_row = U32(output);
    vector.o_cb = S32(rows);
    vector.o_ow = 1;
    vector.y_bound = 1;
    vector.x_bound = 1;
    vector.lo = std::numeric_limits<std::int8_t>::min();
    vector.hi = std::numeric_limits<std::int8_t>::max();
    return vector;
  }

  void Emit(const isa::Vector& vector, std::int64_t sums, std::int64_t rows, std::int64_t output,
            std::vector<Access> accesses) {
    // The array does not add to the half meanwhile, whose ports the drain shares.
    const std::int64_t half = emitter_.Config().acc_rows / 2;
    accesses.push_back(Rows(Space::kAccumulators, false, sums, half));
    accesses.push_back(Rows(Space::kUnifiedBuffer, true, output, rows));
    emitter_.Emit(vector, std::move(accesses));
  }

  // For each chunk of N bytes of an entry's biases a tile for each plane, with ones that put the
  // lanes' bytes to their places.
  [[nodiscard]] std::vector<std::uint8_t> JoiningTiles() const {
    std::vector<std::uint8_t> tiles;
    for (std::int64_t chunk = 0; chunk < kBiasBytes; ++chunk) {
      for (const Plane& plane : kPlanes) {
        for (std::int64_t lane = 0; lane < n_; ++lane) {
          for (std::int64_t place = 0; place < n_; ++place) {
            const bool here = lane * kBiasBytes + plane.byte == chunk * n_ + place;
            tiles.push_back(here ? 1 : 0);
          }
        }
      }
    }
    return tiles;
  }

  void JoinPlanes(const ir::Range& batch) {
    const std::int64_t columns = batch.Size();
    BringTiles(joining_, 0, kBiasBytes * kPlaneCount, false);
    isa::Matmul matmul = Product(planes_, kBiasBytes, kPlaneCount, columns);
    matmul.s_cb = S32(batch_ * n_);
    const std::int64_t sums = emitter_.NextAccumulators();
    matmul.acc_row = U32(sums);
    matmul.acc_ob_stride = U32(columns);
    emitter_.Emit(matmul, {Rows(Space::kUnifiedBuffer, false, planes_, kPlaneCount * batch_),
                           Rows(Space::kAccumulators, true, sums, kBiasBytes * columns)});
    isa::Vector copy = Drain(sums, kBiasBytes, columns, bytes_);
    copy.requant = isa::VectorRequant::kNone;
    copy.param_row = U32(entries_ + kPlaneCount);
    Emit(copy, sums, kBiasBytes * columns, bytes_,
         {Rows(Space::kParameters, false, entries_ + kPlaneCount, 1)});

    const std::int64_t entry = emitter_.Config().ParamEntryBytes();
    const Placement entries = {
        .address = constants_.parameters + static_cast<std::uint64_t>(batch.begin * entry),
        .images = {.w = columns, .c = entry}};
    emitter_.StoreWide(entries, 0, {.begin = 0, .end = kBiasBytes},
                       Tile::Wide(bytes_, {.begin = 0, .end = 1}, {.begin = 0, .end = columns}, 1));
  }

  const ConvJob& job_;
  const ConvConstants& constants_;
  Emitter& emitter_;
  std::int64_t n_;
  std::int64_t inputs_;   // Blocks of a matrix's rows.
  std::int64_t outputs_;  // Blocks of its columns.
  std::int64_t columns_;  // Blocks of columns of all matrices.
  std::int64_t batch_ = 0;
  std::int64_t zero_row_ = 0;  // UB row that holds the input's zero point everywhere.
  std::int64_t planes_ = 0;    // UB rows of the planes, and of the biases' bytes.
  std::int64_t bytes_ = 0;
  std::int64_t entries_ = 0;
  std::array<std::int64_t, kTables> tables_ = {};
  std::uint64_t joining_ = 0;  // Address of the tiles that join planes.
  std::optional<MatrixWeights> matrices_;
};

}  // namespace

void SetColumnBiases(const ConvJob& job, const ConvConstants& constants, Emitter& emitter) {
  ColumnBiases(job, constants, emitter).Run();
}

}  // namespace tpu::compiler
