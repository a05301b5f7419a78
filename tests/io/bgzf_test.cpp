// What BGZF asks for beyond gzip: small blocks, an empty one at the end, other members among them.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/thread_team.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/io_support.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

constexpr std::size_t kEmptyBlockBytes = 28;

class Bgzf : public testing::Test {
 protected:
  std::string pack(const std::string& contents, const std::string& suffix = ".bgz") {
    const std::string path = directory_ / ("packed" + suffix);
    const auto output = open_output(*files_, path);
    output->write(test::as_bytes(contents));
    output->finish();
    return test::read_whole_file(path);
  }

  std::string unpack(const std::string& packed) {
    test::write_whole_file(directory_ / "input", packed);
    const auto warn = [&](const std::string& message) { warnings_.push_back(message); };
    return test::read_all(*open_input(*files_, directory_ / "input", Unpacking::kByMagic, kMaxWindowBytes, warn),
                          100'000);
  }

  /// Contents of the blocks, from their trailers.
  static std::vector<std::size_t> block_sizes(const std::string& packed) {
    std::vector<std::size_t> sizes;
    const auto bytes = test::as_bytes(packed);
    for (std::size_t at = 0; at < packed.size();) {
      at += load_as<std::uint16_t>(bytes.data() + at + 16) + std::size_t{1};
      sizes.push_back(load_as<std::uint32_t>(bytes.data() + at - 4));
    }
    return sizes;
  }

  static std::string numbers(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += std::to_string(i * 7919) + "\n";
    return text;
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  std::vector<std::string> warnings_;
};

TEST_F(Bgzf, HasBlocksAsBgzipMakesThemAndAnEmptyOneAtTheEnd) {
  const std::string contents = numbers(30'000);
  const std::vector<std::size_t> sizes = block_sizes(pack(contents));
  ASSERT_GE(sizes.size(), 4u);
  for (std::size_t i = 0; i + 2 < sizes.size(); ++i) EXPECT_EQ(sizes[i], 0xff00u);
  EXPECT_EQ(sizes.back(), 0u);
  EXPECT_EQ(pack("").size(), kEmptyBlockBytes);
}

TEST_F(Bgzf, IsTheSameForAnyNumberOfThreads) {
  const std::string contents = numbers(300'000);
  std::string alone;
  ThreadTeam(1, {}).run([&] { alone = pack(contents); });
  std::string together;
  ThreadTeam(3, {}).run([&] { together = pack(contents); });
  EXPECT_EQ(alone, together);
  ThreadTeam(3, {}).run([&] { EXPECT_EQ(unpack(together), contents); });
  EXPECT_THAT(warnings_, testing::IsEmpty());
}

TEST_F(Bgzf, ContentsThatCannotBePackedFitBlocks) {
  std::string noise(400'000, '\0');
  std::uint32_t state = 1;
  for (char& byte : noise) byte = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  EXPECT_EQ(unpack(pack(noise)), noise);
}

TEST_F(Bgzf, OtherMembersMayFollow) {
  const std::string contents = numbers(50'000);
  const std::string mixed = pack(contents) + pack("gzip\n", ".gz") + pack("more\n");
  EXPECT_EQ(unpack(mixed), contents + "gzip\nmore\n");
}

TEST_F(Bgzf, WarnsWhereTheEmptyBlockIsMissing) {
  const std::string packed = pack("contents\n");
  EXPECT_EQ(unpack(packed.substr(0, packed.size() - kEmptyBlockBytes)), "contents\n");
  EXPECT_THAT(warnings_,
              testing::ElementsAre(testing::HasSubstr("the empty block is missing that ends a file of BGZF")));
}

TEST_F(Bgzf, DamageIsRefusedInEveryBlock) {
  const std::string packed = pack(numbers(60'000));
  for (std::size_t at = 40; at < packed.size(); at += packed.size() / 50) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x04);
    EXPECT_THROW(unpack(damaged), Error) << at;
  }
}

// The bytes are where a reader of gzip looks for the checksum.
TEST_F(Bgzf, BytesBehindTheDataOfABlockAreDamage) {
  constexpr std::size_t kBlockBytesAt = 16;
  constexpr std::size_t kTrailerBytes = 8;
  std::string packed = pack("contents\n");
  const std::size_t first_bytes = packed.size() - kEmptyBlockBytes;
  packed[kBlockBytesAt] = static_cast<char>(first_bytes + 4 - 1);
  packed.insert(first_bytes - kTrailerBytes, 4, '\0');
  EXPECT_THROW(unpack(packed), Error);
}

}  // namespace
}  // namespace sortie
