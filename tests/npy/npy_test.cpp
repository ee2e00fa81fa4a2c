// SPDX-License-Identifier: Apache-2.0
// Arrays in files, and files that are none.
#include "npy/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/error.h"

namespace tpu::npy {
namespace {

using testing::HasSubstr;

std::string File(const std::string& header, const std::string& values, char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0';
  file += static_cast<char>(header.size());
  file += '\0';
  if (version > 1) file += std::string(2, '\0');
  return file + header + values;
}

Array ParseText(const std::string& text) {
  // Without slack behind it, so that a sanitizer sees reads beyond the end.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return Parse(bytes, "x.npy");
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const Array array =
      ParseText(File("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }        \n",
                     std::string("\x01\x00\xff\xff\x00\x80", 6)));
  EXPECT_EQ(array.type, Type::kInt16);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(array.bytes, (std::vector<std::uint8_t>{1, 0, 0xff, 0xff, 0, 0x80}));
}

TEST(Npy, ReadsEveryVersionAndKeyOrder) {
  for (const char version : {'\x01', '\x02', '\x03'}) {
    const Array array = ParseText(
        File("{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"|u1\"}", "ab", version));
    EXPECT_EQ(array.type, Type::kUint8);
    EXPECT_EQ(array.shape, std::vector<std::int64_t>{2});
  }
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  EXPECT_TRUE(ParseText(File("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "abcd"))
                  .shape.empty());
  EXPECT_TRUE(ParseText(File("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0), }", ""))
                  .bytes.empty());
}

TEST(Npy, WritesWhatItReads) {
  const std::string path = testing::TempDir() + "/round_trip.npy";
  for (int t = 0; t < 6; ++t) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {5}, {2, 3}, {1, 2, 3, 4}, {0, 4}}) {
      Array array = {.type = static_cast<Type>(t), .shape = shape, .bytes = {}};
      std::int64_t bytes = TypeBytes(array.type);
      for (const std::int64_t d : shape) bytes *= d;
      for (std::int64_t i = 0; i < bytes; ++i) {
        array.bytes.push_back(static_cast<std::uint8_t>(37 * i + 200));
      }
      Write(path, array);
      const Array read = Read(path);
      EXPECT_EQ(read.type, array.type);
      EXPECT_EQ(read.shape, array.shape);
      EXPECT_EQ(read.bytes, array.bytes);
    }
  }
}

// The bytes are pinned, as reading what was written does not show that others can read it.
TEST(Npy, WritesNumpysBytes) {
  const std::string path = testing::TempDir() + "/pinned.npy";
  Write(path, {.type = Type::kInt8, .shape = {2}, .bytes = {1, 0xff}});
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::string expected = std::string("\x93NUMPY\x01\0\x76\0", 10) +
                         "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";
  expected.append(127 - expected.size(), ' ');
  EXPECT_EQ(bytes, expected + "\n\x01\xff");
}

struct BadFile {
  std::string bytes;
  std::string message;
};

TEST(Npy, NamesWhatIsWrong) {
  const std::string good = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string header = good;
    header.replace(header.find(from), from.size(), to);
    return File(header, "ab");
  };
  const BadFile cases[] = {
      {"", "this is no .npy file"},
      {"PK\x03\x04", "this is no .npy file"},
      {std::string("\x93NUMPY\x07\0", 8) + "xx", "version 7"},
      {std::string("\x93NUMPY"), "end within the header"},
      {File(good, "ab").substr(0, 40), "40 bytes end within the header"},
      {File(good, "a"), "1 bytes of values do not make int8 [2]"},
      {File(good, "abc"), "3 bytes of values do not make int8 [2]"},
      {with("False", "True"), "Fortran order"},
      {with("False", "1"), "neither True nor False"},
      {with("|i1", ">i4"), "big-endian"},
      {with("|i1", "<f8"), "type <f8 is not supported"},
      {with("|i1", "O"), "type O is not supported"},
      {with("|i1", ""), "is not supported"},
      {with("'|i1'", "[('a', '<i4')]"), "structured types"},
      {with("(2,)", "(-2,)"), "no count"},
      {with("(2,)", "(99999999999999999999,)"), "no count"},
      {with("(2,)", "(4294967296, 4294967296)"), "do not make"},
      {with("(2,), }", "(2 }"), "')' is missing"},
      {with("'shape'", "'size'"), "unknown key"},
      {with("'shape'", "'shape"), "a quote in the header is not closed"},
      {with(", 'shape': (2,), ", ""), "lacks"},
      {with("{", "["), "'{' is missing"},
  };
  for (const BadFile& bad : cases) {
    SCOPED_TRACE(bad.message);
    try {
      ParseText(bad.bytes);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("x.npy: "));
      EXPECT_THAT(error.what(), HasSubstr(bad.message));
    }
  }
}

TEST(Npy, RefusesEveryTruncation) {
  const std::string good =
      File("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", std::string("12345678"));
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW(ParseText(good.substr(0, length)), Error) << length;
  }
}

TEST(Npy, NamesFilesThatCannotBeUsed) {
  EXPECT_THROW(Read("/nonexistent/x.npy"), Error);
  EXPECT_THROW(Read("/"), Error);
  const Array array = {.type = Type::kInt8, .shape = {1}, .bytes = {1}};
  EXPECT_THROW(Write("/nonexistent/x.npy", array), Error);
  EXPECT_THROW(Write("/dev/full", array), Error);
  EXPECT_THROW(
      Write(testing::TempDir() + "/bad.npy", {.type = Type::kInt8, .shape = {2}, .bytes = {1}}),
      Error);
}

}  // namespace
}  // namespace tpu::npy
