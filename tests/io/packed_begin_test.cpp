#include "io/input/packed_begin.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using namespace std::string_literals;

constexpr std::pair<CompressionFormat, const char*> kSuffixes[] = {
    {CompressionFormat::kGzip, ".gz"}, {CompressionFormat::kBgzf, ".bgz"}, {CompressionFormat::kZstd, ".zst"},
    {CompressionFormat::kXz, ".xz"},   {CompressionFormat::kLz4, ".lz4"},  {CompressionFormat::kBzip2, ".bz2"}};

std::string packed(const std::string& contents, const char* suffix) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const std::string path = directory / std::string("packed") + suffix;
  const auto output = open_output(*files, path);
  output->write(test::as_bytes(contents));
  output->finish();
  return test::read_whole_file(path);
}

std::string random_bytes(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string made(bytes, '\0');
  for (char& byte : made) byte = static_cast<char>(random());
  return made;
}

bool is_sure(CompressionFormat format, const std::string& begin, bool is_whole) {
  return can_be_unpacked(format, test::as_bytes(begin), is_whole);
}

TEST(PackedBegin, PackedDataIsSure) {
  for (const auto& [format, suffix] : kSuffixes) {
    for (const std::string& contents : {""s, "a"s, std::string(100'000, 'a'), random_bytes(300'000, 1)}) {
      const std::string whole = packed(contents, suffix);
      const bool is_whole = whole.size() < kTrialBytes;
      EXPECT_TRUE(is_sure(format, whole.substr(0, kTrialBytes), is_whole)) << suffix << contents.size();
      const std::string begin = whole.substr(0, 1000);
      EXPECT_TRUE(is_sure(format, begin, true)) << suffix << contents.size();
      EXPECT_TRUE(is_sure(format, whole + whole, true)) << suffix << contents.size();
    }
  }
}

TEST(PackedBegin, RecordsBehindAMagicAreNone) {
  const std::pair<CompressionFormat, std::string> magics[] = {
      {CompressionFormat::kGzip, "\x1f\x8b\x08\x00"s},
      {CompressionFormat::kZstd, "\x28\xb5\x2f\xfd"s},
      {CompressionFormat::kLz4, "\x04\x22\x4d\x18"s},
      {CompressionFormat::kBzip2, "BZh9\x31\x41\x59\x26\x53\x59"s},
      {CompressionFormat::kXz,
       "\xfd"
       "7zXZ\x00\x00\x04"s}};
  for (const auto& [format, magic] : magics) {
    unsigned taken = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
      const std::size_t bytes = std::size_t{8} << (seed % 14);
      const std::string begin = magic + random_bytes(bytes, seed);
      taken += is_sure(format, begin.substr(0, kTrialBytes), begin.size() < kTrialBytes) ? 1 : 0;
      std::string numbers = magic;
      for (unsigned i = 0; i < bytes / 8; ++i)
        numbers += random_bytes(1 + seed % 2, seed + i) + std::string(7 - seed % 2, '\0');
      taken += is_sure(format, numbers.substr(0, kTrialBytes), numbers.size() < kTrialBytes) ? 1 : 0;
    }
    EXPECT_LE(taken, 2U) << static_cast<int>(format);
  }
}

TEST(PackedBegin, KnowsAnEncryptedTableByBothOfItsEnds) {
  const auto is_table = [](const std::string& text) {
    const auto bytes = test::as_bytes(text);
    const auto ending = bytes.last(std::min<std::size_t>(kTableEndBytes, bytes.size()));
    return recognise_encrypted_table(bytes, ending, bytes.size()).has_value();
  };
  EXPECT_TRUE(is_table("PAREx\1\0\0\0PARE"s));
  for (const std::string& text : {"PARE"s, "PARENT\nCHILD\n"s, "PARE,x\na\nPARE"s, "PARE\1\0\0\0PARE"s,
                                  "PAREx\0\0\0\0PARE"s, "xxxxx\1\0\0\0PARE"s, "PAREx\1\0\0\0PAR1"s}) {
    EXPECT_FALSE(is_table(text)) << text;
  }
}

TEST(PackedBegin, NothingIsSureOfNoFormat) { EXPECT_FALSE(is_sure(CompressionFormat::kNone, "text", true)); }

}  // namespace
}  // namespace sortie
