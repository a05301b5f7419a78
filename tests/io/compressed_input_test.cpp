#include <memory>
#include <random>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/thread_team.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/io_support.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::read_all;

/// Random words, which compress well but not to nothing.
std::string sample_text(std::size_t bytes) {
  std::mt19937 random(11);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random() % 100'000) + "\n";
  text.resize(bytes);
  return text;
}

/// The parameter is the suffix of a compressed format.
class CompressedInputTest : public testing::TestWithParam<const char*> {
 protected:
  std::string compress(const std::string& contents) {
    const std::string path = directory_ / std::string("compressed") + GetParam();
    const auto output = open_output(*files_, path);
    output->write(test::as_bytes(contents));
    output->finish();
    return test::read_whole_file(path);
  }

  std::string unpack(const std::string& compressed, std::size_t step = 1 << 16) {
    // Writes a new file, because some file systems flush one that is overwritten.
    std::filesystem::remove(directory_ / "input");
    test::write_whole_file(directory_ / "input", compressed);
    return read_all(*open_input(*files_, directory_ / "input"), step);
  }

  /// Whether a file of BGZF lacks nothing but the empty block at its end, which a warning names.
  static bool ends_with_a_block(const std::string& compressed, std::size_t bytes) {
    constexpr std::size_t kMarkerBytes = 28;
    return GetParam() == std::string(".bgz") && bytes == compressed.size() - kMarkerBytes;
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_P(CompressedInputTest, UnpacksWhatItsMagicTells) {
  const std::string contents = sample_text(1'000'000);
  const std::string compressed = compress(contents);
  EXPECT_LT(compressed.size(), contents.size() * 19 / 20);  // lz4 finds little in numbers
  EXPECT_EQ(unpack(compressed), contents);
  EXPECT_EQ(unpack(compressed, 7'777'777), contents);
  EXPECT_EQ(unpack(compressed, 333), contents);
}

TEST_P(CompressedInputTest, StaysAsItIsIfNotToBeUnpacked) {
  const std::string compressed = compress(sample_text(100'000));
  test::write_whole_file(directory_ / "input", compressed);
  const auto input = open_input(*files_, directory_ / "input", Unpacking::kNever);
  EXPECT_EQ(input->size(), compressed.size());
  EXPECT_EQ(read_all(*input, 1 << 16), compressed);
}

TEST_P(CompressedInputTest, IsNotMadeIfNotToBePacked) {
  const std::string path = directory_ / std::string("plain") + GetParam();
  const auto output = open_output(*files_, path, kNotPacked);
  output->write(test::as_bytes("plain"));
  output->finish();
  EXPECT_EQ(test::read_whole_file(path), "plain");
}

TEST_P(CompressedInputTest, HasNoSizeAndDoesNotLookAhead) {
  test::write_whole_file(directory_ / "input", compress("abc"));
  const auto input = open_input(*files_, directory_ / "input");
  EXPECT_EQ(input->size(), std::nullopt);
  std::byte next{};
  EXPECT_EQ(input->peek(0, {&next, 1}), 0u);
  EXPECT_EQ(input->path(), directory_ / "input");
}

TEST_P(CompressedInputTest, UnpacksNothing) { EXPECT_EQ(unpack(compress("")), ""); }

TEST_P(CompressedInputTest, UnpacksAllMembers) {
  const std::string first = sample_text(300'000);
  const std::string compressed = compress(first) + compress("") + compress("second\n") + compress(first);
  EXPECT_EQ(unpack(compressed), first + "second\n" + first);
  EXPECT_EQ(unpack(compressed, 100), first + "second\n" + first);
}

TEST_P(CompressedInputTest, UnpacksManySmallMembers) {
  std::string compressed;
  std::string contents;
  const std::string member = compress("line\n");
  for (int i = 0; i < 5000; ++i) {
    compressed += member;
    contents += "line\n";
  }
  EXPECT_EQ(unpack(compressed), contents);
}

TEST_P(CompressedInputTest, UnpacksStandardInput) {
  const std::string contents = sample_text(60'000);
  const std::string compressed = compress(contents);
  ASSERT_LT(compressed.size(), 65'536u);
  const test::Redirection redirected(STDIN_FILENO, test::pipe_with(compressed));
  EXPECT_EQ(read_all(*open_input(*files_, "-")), contents);
}

TEST_P(CompressedInputTest, RefusesEveryTruncation) {
  const std::string compressed = compress(sample_text(500));
  for (std::size_t bytes = 16; bytes < compressed.size(); ++bytes) {
    if (ends_with_a_block(compressed, bytes)) continue;
    // Of BGZF it goes on with the block.
    EXPECT_THAT(test::error_of([&] { unpack(compressed.substr(0, bytes)); }),
                testing::StartsWith("cannot unpack '" + (directory_ / "input") +
                                    "': the compressed data is damaged or cut short"))
        << bytes;
  }
}

TEST_P(CompressedInputTest, RefusesATruncatedSecondMember) {
  const std::string member = compress(sample_text(500));
  for (std::size_t bytes = 1; bytes < member.size(); ++bytes) {
    if (ends_with_a_block(member, bytes)) continue;
    EXPECT_THROW(unpack(member + member.substr(0, bytes)), Error) << bytes;
  }
}

TEST_P(CompressedInputTest, RefusesOtherBytesBehindTheEndUnlessTheyFollowMembers) {
  if (GetParam() != std::string(".zst") && GetParam() != std::string(".xz")) return;  // tested below
  EXPECT_THROW(unpack(compress("contents\n") + "plain text behind\n"), Error);
}

// The stop comes while a single call unpacks the whole input.
TEST_P(CompressedInputTest, AStopEndsALongRead) {
  std::string contents = sample_text(4 << 20);
  test::write_whole_file(directory_ / "input", compress(contents));
  std::stop_source stop;
  test::FaultyFileSystem stopping(*files_, {.first = 8, .call_instead = [&] { stop.request_stop(); }});
  const auto input = open_input(stopping, directory_ / "input");
  ThreadTeam team(1, stop.get_token());
  team.run([&] { EXPECT_THROW(input->read(test::as_writable(contents)), Stopped); });
}

TEST_P(CompressedInputTest, AStopEndsALongWrite) {
  struct StoppingOutput final : Output {
    explicit StoppingOutput(std::stop_source& source) : stop(source) {}
    void write(std::span<const std::byte>) override { stop.request_stop(); }
    void expect(std::uint64_t) override {}
    void write_around_cache() override {}
    void finish() override {}

    std::stop_source& stop;
  };
  // With several threads a batch is written while the one behind the next is filled.
  for (const unsigned threads : {1U, 4U}) {
    std::stop_source stop;
    const std::string contents = sample_text(threads == 1 ? 4 << 20 : 12 << 20);
    ThreadTeam team(threads, stop.get_token());
    team.run([&] {
      const auto output = compress_output(std::make_unique<StoppingOutput>(stop), recognise_suffix(GetParam()));
      EXPECT_THROW(output->write(test::as_bytes(contents)), Stopped) << threads;
    });
  }
}

// Whatever is packed by then.
TEST_P(CompressedInputTest, AFailedWriteEndsTheOutput) {
  struct FullOutput final : Output {
    void write(std::span<const std::byte>) override { throw Error("no space is left"); }
    void expect(std::uint64_t) override {}
    void write_around_cache() override {}
    void finish() override {}
  };
  const std::string contents = sample_text(12 << 20);
  for (const unsigned threads : {1, 4}) {
    ThreadTeam team(threads);
    team.run([&] {
      const auto output = compress_output(std::make_unique<FullOutput>(), recognise_suffix(GetParam()));
      EXPECT_EQ(test::error_of([&] { output->write(test::as_bytes(contents)); }), "no space is left") << threads;
    });
  }
}

TEST_P(CompressedInputTest, DamageNeverCrashes) {
  const std::string contents = sample_text(500);
  const std::string compressed = compress(contents);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < compressed.size(); ++at) {
    std::string damaged = compressed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    try {
      unpack(damaged);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

class MemberInputTest : public CompressedInputTest {
 protected:
  /// Returns the contents of an input that ends with `behind`. Collects its warnings.
  std::string unpack_with(const std::string& behind, std::vector<std::string>& warnings) {
    test::write_whole_file(directory_ / "input", compress("contents\n") + behind);
    const auto warn = [&](const std::string& message) { warnings.push_back(message); };
    return read_all(*open_input(*files_, directory_ / "input", Unpacking::kByMagic, kMaxWindowBytes, warn));
  }
};

TEST_P(MemberInputTest, WarnsOfGarbageBehindTheEnd) {
  for (const std::string& garbage : {std::string("plain text behind\n"), std::string("x"), std::string("\x1f\x8c", 2),
                                     std::string("BZhello"), std::string(100'000, '\0') + "x"}) {
    std::vector<std::string> warnings;
    EXPECT_EQ(unpack_with(garbage, warnings), "contents\n");
    EXPECT_THAT(warnings,
                testing::ElementsAre((directory_ / "input") + ": decompression OK, trailing garbage ignored"));
  }
}

TEST_P(MemberInputTest, RefusesAnotherFormatBehindTheEnd) {
  for (const char* suffix : {".zst", ".xz"}) {
    const std::string path = directory_ / std::string("other") + suffix;
    const auto output = open_output(*files_, path);
    output->write(test::as_bytes("more\n"));
    output->finish();
    std::vector<std::string> warnings;
    EXPECT_THROW(unpack_with(test::read_whole_file(path), warnings), Error) << suffix;
  }
}

TEST_P(MemberInputTest, SaysNothingOfZerosBehindTheEnd) {
  std::vector<std::string> warnings;
  EXPECT_EQ(unpack_with(std::string(300'000, '\0'), warnings), "contents\n");
  EXPECT_THAT(warnings, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Formats, MemberInputTest, testing::Values(".gz", ".bz2", ".lz4", ".bgz"),
                         [](const auto& suffix) { return std::string(suffix.param + 1); });

TEST(ZstdInput, RefusesAWindowThatTakesTooMuchMemory) {
  // A frame header with a window of 2^30 bytes, and one raw block.
  const std::string frame("\x28\xb5\x2f\xfd\x00\xa0\x09\x00\x00x", 10);
  const test::TemporaryDirectory directory;
  test::write_whole_file(directory / "wide", frame);
  const auto files = make_posix_file_system();
  EXPECT_THAT(test::error_of([&] { read_all(*open_input(*files, directory / "wide")); }),
              testing::HasSubstr("its zstd window takes more than 128 MiB"));
}

INSTANTIATE_TEST_SUITE_P(Formats, CompressedInputTest, testing::Values(".gz", ".zst", ".bz2", ".xz", ".lz4", ".bgz"),
                         [](const auto& suffix) { return std::string(suffix.param + 1); });

}  // namespace
}  // namespace sortie
