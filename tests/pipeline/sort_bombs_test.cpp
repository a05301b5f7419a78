// Small inputs that unpack to a lot. The memory of a sort follows its budget, not the size of the contents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "observe/phase_usage.hpp"
#include "pipeline/sort_support.hpp"
#include "support/sanitized.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kMebi = 1 << 20;
/// Memory besides the data: threads, buffers, and the windows of the formats.
constexpr std::uint64_t kAllowance = 24 * kMebi;
/// A record longer than a share of the budget may take this many times its length.
constexpr std::uint64_t kLongRecordShare = 8;

class SortBombs : public testing::TestWithParam<const char*> {
 protected:
  /// Packs `part` repeatedly, up to `bytes` in all. Returns the path.
  std::string make_bomb(const std::string& part, std::uint64_t bytes) {
    std::string path = job_.directory / "bomb" + GetParam();
    const auto output = open_output(*files_, path);
    for (std::uint64_t done = 0; done < bytes; done += part.size()) output->write(test::as_bytes(part));
    output->finish();
    return path;
  }

  /// Sorts `path` and returns by how much the process's peak memory has grown.
  std::uint64_t growth_of_sort(const std::string& path, std::uint64_t memory_bytes) {
    job_.options.inputs = {path};
    job_.options.memory_bytes = memory_bytes;
    const std::uint64_t before = peak_memory_bytes();
    try {
      job_.run();
    } catch (const Error& error) {
      refusal_ = error.what();
    }
    return peak_memory_bytes() - before;
  }

  test::SortForTest job_{Format{}, {}};
  std::string refusal_;

 private:
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_P(SortBombs, OneEndlessLineTakesASmallMultipleOfItsLength) {
  const std::uint64_t line_bytes = 24 * kMebi;
  const std::string path = make_bomb(std::string(kMebi, 'x'), line_bytes);
  ASSERT_LT(std::filesystem::file_size(path), kMebi);
  const std::uint64_t growth = growth_of_sort(path, 4 * kMebi);
  EXPECT_EQ(refusal_, "");
  EXPECT_EQ(job_.output().size(), line_bytes + 1);
  if (!test::kSanitized) {
    EXPECT_LT(growth, kLongRecordShare * line_bytes + kAllowance);
  }
}

TEST_P(SortBombs, ManyLinesAreSortedWithinTheBudget) {
  const std::string line = std::string(1023, 'x') + "\n";
  std::string part;
  while (part.size() < kMebi) part += line;
  job_.options.unique = true;
  const std::uint64_t growth = growth_of_sort(make_bomb(part, 96 * kMebi), 4 * kMebi);
  EXPECT_EQ(refusal_, "");
  EXPECT_EQ(job_.output(), line);
  if (!test::kSanitized) {
    EXPECT_LT(growth, 4 * kMebi + kAllowance);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SortBombs, testing::Values(".gz", ".zst", ".bz2"),
                         [](const auto& suffix) { return std::string(suffix.param + 1); });

TEST(SortManyPackedInputs, TakesTheWindowOfOne) {
  // Each input has a window of 2 MiB, which its contents fill.
  test::SortForTest job(Format{}, {});
  const auto files = make_posix_file_system();
  const auto output = open_output(*files, job.directory / "packed.zst");
  for (int i = 0; i < 1000; ++i)
    output->write(test::as_bytes(std::string(4095, static_cast<char>('a' + i % 26)) + "\n"));
  output->finish();
  job.options.inputs.assign(40 / test::turn_step(), job.directory / "packed.zst");
  job.options.memory_bytes = 4 * kMebi;
  job.options.unique = true;
  const std::uint64_t before = peak_memory_bytes();
  job.run();
  EXPECT_EQ(job.output().size(), 26U * 4096);
  if (!test::kSanitized) {
    EXPECT_LT(peak_memory_bytes() - before, 4 * kMebi + kAllowance);
  }
}

TEST(SortManyPackedInputs, TakeTheMemoryOfOneDecoder) {
  for (const char* suffix : {".gz", ".zst", ".bz2"}) {
    test::SortForTest job(Format{}, {});
    const auto files = make_posix_file_system();
    const std::string path = job.directory / (std::string("packed") + suffix);
    const auto output = open_output(*files, path);
    output->write(test::as_bytes("b\na\n"));
    output->finish();
    const std::size_t count = 1500 / test::turn_step();
    job.options.inputs.assign(count, path);
    job.options.memory_bytes = kMebi;
    const std::uint64_t before = peak_memory_bytes();
    job.run();
    EXPECT_EQ(job.output().size(), 2U * 2 * count) << suffix;
    if (!test::kSanitized) {
      EXPECT_LT(peak_memory_bytes() - before, kMebi + kAllowance) << suffix;
    }
  }
}

TEST(SortPackedInputs, RefusesAWindowThatTakesMoreThanItsShareOfTheMemory) {
  // A frame header with a window of 64 MiB, and one raw block.
  const std::string frame("\x28\xb5\x2f\xfd\x00\x80\x11\x00\x00x\n", 11);
  test::SortForTest job(Format{}, {frame});
  job.options.memory_bytes = 16 * kMebi;
  EXPECT_THAT(test::error_of([&] { job.run(); }),
              testing::HasSubstr("its zstd window takes more than 8 MiB; raise the memory budget, compress it with"));
  job.options.memory_bytes = 256 * kMebi;
  job.run();
  EXPECT_EQ(job.output(), "x\n");
}

}  // namespace
}  // namespace sortie
