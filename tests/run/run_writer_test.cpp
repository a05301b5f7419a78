#include "run/run_writer.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/file_run_storage.hpp"
#include "run/memory_run_storage.hpp"
#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using testing::HasSubstr;

struct Sample {
  const char* format;
  std::string records;
  std::uint64_t record_count;
};

std::vector<Sample> samples() {
  return {{"lines", test::sorted_lines(5000), 5000},
          {"fixed:100", test::sorted_records(3000, 100), 3000},
          {"fixed:300", test::sorted_records(1000, 300), 1000},
          {"gensort", test::sorted_records(2000, 100), 2000},
          {"u32", test::sorted_numbers<std::uint32_t>(50'000), 50'000},
          {"i64", test::sorted_numbers<std::int64_t>(30'000), 30'000},
          {"f64", test::sorted_numbers<double>(30'000), 30'000}};
}

constexpr BlockCodec kCodecs[] = {BlockCodec::kRaw, BlockCodec::kZstd, BlockCodec::kDeltaShuffleZstd};

class RunWriterTest : public testing::TestWithParam<bool> {
 protected:
  /// Raw blocks in memory are not.
  static bool is_counted(BlockCodec codec) { return !GetParam() || codec != BlockCodec::kRaw; }

  std::shared_ptr<RunStorage> make_storage() {
    if (GetParam()) return std::make_shared<MemoryRunStorage>();
    return std::make_shared<FileRunStorage>(files_->create_unnamed(directory_.path().string()));
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_P(RunWriterTest, GivesBackEveryFormatThroughEveryCodec) {
  for (const Sample& sample : samples()) {
    const RecordOrder order(parse_format(sample.format));
    for (const BlockCodec codec : kCodecs) {
      SCOPED_TRACE(std::string(sample.format) + " codec " + std::to_string(static_cast<int>(codec)));
      const sortie::Run run = test::write_run(order, sample.records, make_storage(), {4096, codec, 1});
      EXPECT_EQ(run.record_count, is_counted(codec) ? sample.record_count : 0);
      EXPECT_EQ(run.record_bytes, sample.records.size());
      EXPECT_GT(run.blocks.size(), 10u);
      EXPECT_TRUE(test::contents_of(run) == sample.records);
    }
  }
}

TEST_P(RunWriterTest, CutsBlocksAtRecords) {
  const std::string lines = "a\nbb\nccc\na line longer than a block\nd\n";
  const RecordOrder order(parse_format("lines"));
  const sortie::Run run = test::write_run(order, lines, make_storage(), {8, BlockCodec::kRaw, 1});
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> counts;
  for (const BlockInfo& block : run.blocks) {
    sizes.push_back(block.record_bytes);
    counts.push_back(block.record_count);
  }
  EXPECT_THAT(sizes, testing::ElementsAre(5, 4, 27, 2));
  if (is_counted(BlockCodec::kRaw)) {
    EXPECT_THAT(counts, testing::ElementsAre(2, 1, 1, 1));
  } else {
    EXPECT_THAT(counts, testing::Each(0));
  }
}

TEST_P(RunWriterTest, IndexesFirstKeys) {
  const std::string text = "aaa\nbbb\n" + std::string(256, 'c') + "\n" + std::string(257, 'd') + "\n";
  const sortie::Run run =
      test::write_run(RecordOrder(parse_format("lines")), text, make_storage(), {8, BlockCodec::kRaw, 1});
  ASSERT_EQ(run.blocks.size(), 3u);
  const auto key = [&](std::size_t block) {
    const std::vector<std::byte>& bytes = run.blocks[block].first_key;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  EXPECT_EQ(key(0), "aaa");
  EXPECT_EQ(key(1), std::string(256, 'c'));
  EXPECT_EQ(key(2), std::string(256, 'd'));
  EXPECT_FALSE(run.blocks[0].key_is_cut);
  EXPECT_FALSE(run.blocks[1].key_is_cut);
  EXPECT_TRUE(run.blocks[2].key_is_cut);
}

TEST_P(RunWriterTest, TakesAnEmptyRun) {
  RunWriter writer(RecordOrder(parse_format("u32")), {1, 2}, make_storage(), {});
  writer.append({});
  const sortie::Run run = writer.finish();
  EXPECT_EQ(run.record_count, 0u);
  EXPECT_TRUE(run.blocks.empty());
}

TEST_P(RunWriterTest, TakesOneHugeRecord) {
  const std::string line = std::string(20'000'000, 'x') + "\n";
  for (const BlockCodec codec : kCodecs) {
    const sortie::Run run =
        test::write_run(RecordOrder(parse_format("lines")), line, make_storage(), {1 << 20, codec, 1});
    ASSERT_EQ(run.blocks.size(), 1u);
    EXPECT_EQ(run.blocks[0].codec, BlockCodec::kRaw) << "compressing would take as much memory again";
    EXPECT_TRUE(test::contents_of(run) == line);
  }
}

TEST_P(RunWriterTest, AppendsPartsInOrderWithChangingCodecs) {
  const RecordOrder order(parse_format("u64"));
  RunWriter writer(order, {1, 2}, make_storage(), {1000, BlockCodec::kRaw, 1});
  std::string all;
  for (int i = 0; i < 30; ++i) {
    const std::string part = test::sorted_numbers<std::uint64_t>(10 + i * 100, i);
    writer.set_codec(kCodecs[i % 3], 1 + i % 4);
    const std::uint64_t before = writer.stored_bytes();
    writer.append(as_bytes(part));
    EXPECT_GT(writer.stored_bytes(), before);
    all += part;
  }
  const sortie::Run run = writer.finish();
  EXPECT_TRUE(test::contents_of(run) == all);
}

TEST(RunWriter, WritesARawPartInOneGo) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  test::FaultyFileSystem counting(*files, {});
  const RecordOrder order(parse_format("lines"));
  const std::string lines = test::sorted_lines(10'000);
  const auto writes_of = [&](BlockCodec codec) {
    const auto storage = std::make_shared<FileRunStorage>(counting.create_unnamed(directory.path().string()));
    RunWriter writer(order, {1, 2}, storage, {4096, codec, 1});
    const std::uint64_t before = counting.operations();
    writer.append(as_bytes(lines));
    const std::uint64_t writes = counting.operations() - before;
    EXPECT_TRUE(test::contents_of(writer.finish()) == lines);
    return writes;
  };
  EXPECT_EQ(writes_of(BlockCodec::kRaw), 1U);
  EXPECT_GT(writes_of(BlockCodec::kZstd), lines.size() / 8192) << "each block is a write";
}

TEST_P(RunWriterTest, StoresTheSameBytesWithAnyNumberOfThreads) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(100'000);
  const RecordOrder order(parse_format("u32"));
  const RunWriterOptions options{4096, BlockCodec::kDeltaShuffleZstd, 1};
  const sortie::Run many = test::write_run(order, numbers, make_storage(), options);
  const sortie::Run one = ThreadTeam(1).run([&] { return test::write_run(order, numbers, make_storage(), options); });
  EXPECT_EQ(many.blocks, one.blocks);
}

TEST_P(RunWriterTest, StoresRawWhatDoesNotShrink) {
  std::mt19937_64 random(9);
  std::string noise(100'000, '\0');
  for (char& character : noise) character = static_cast<char>(random());
  const RecordOrder order(parse_format("fixed:10"));
  const sortie::Run run = test::write_run(order, noise, make_storage(), {10'000, BlockCodec::kZstd, 1});
  for (const BlockInfo& block : run.blocks) EXPECT_EQ(block.codec, BlockCodec::kRaw);
  EXPECT_TRUE(test::contents_of(run) == noise);
}

TEST_P(RunWriterTest, TriesACodecWithoutStoringAnything) {
  const RecordOrder order(parse_format("u32"));
  const std::string numbers = test::sorted_numbers<std::uint32_t>(1'000'000);
  RunWriter writer(order, {1, 2}, make_storage(), {4096, BlockCodec::kRaw, 1});
  const std::uint64_t before = writer.stored_bytes();
  const RunWriter::Trial trial = writer.try_codec(as_bytes(numbers), BlockCodec::kDeltaShuffleZstd, 1);
  EXPECT_EQ(writer.stored_bytes(), before);
  EXPECT_GE(trial.record_bytes, 4096U);
  EXPECT_LE(trial.record_bytes, numbers.size() / 2) << "a sample will do";
  EXPECT_LT(trial.encoded_bytes, trial.record_bytes * 3 / 4);
  EXPECT_EQ(writer.try_codec(as_bytes(numbers).first(8), BlockCodec::kZstd, 1).record_bytes, 8U);
}

// Blocks [begin, end) of a run, read by one call.
std::string read_range(const sortie::Run& run, std::size_t begin, std::size_t end) {
  std::size_t bytes = 0;
  for (std::size_t b = begin; b < end; ++b) bytes += run.blocks[b].record_bytes;
  std::string records(bytes, '?');
  const BlockRange range{&run, begin, end, test::as_writable(records)};
  expect_blocks(run, begin, end);
  read_blocks({&range, 1});
  return records;
}

// Raw blocks are read together. Packed ones lie between them, and so do those of another run in the same file.
TEST(ReadBlocks, TellsTheBlocksOfRunsThatShareAFileApart) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const auto file = std::make_shared<ScratchFile>(files->create_unnamed(directory.path().string()));
  const RecordOrder order(parse_format("lines"));
  std::vector<RunWriter> writers;
  for (std::uint64_t r = 0; r < 2; ++r) {
    writers.emplace_back(order, RunIdentity{7, r}, std::make_shared<FileRunStorage>(file), RunWriterOptions{1024});
  }
  const std::string lines = test::sorted_lines(60'000);
  std::string contents[2];
  std::string_view rest = lines;
  for (std::size_t i = 0; !rest.empty(); ++i) {
    const std::size_t bytes = rest.find('\n', std::min(rest.size() - 1, i * 7919 % 50'000)) + 1;
    writers[i % 2].set_codec(i % 5 == 4 ? BlockCodec::kZstd : BlockCodec::kRaw, 1);
    writers[i % 2].append(as_bytes(rest.substr(0, bytes)));
    contents[i % 2] += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  const sortie::Run a = writers[0].finish();
  sortie::Run b = writers[1].finish();
  const std::size_t third = a.blocks.size() / 3;
  EXPECT_TRUE(read_range(a, 0, third) + read_range(a, third, a.blocks.size()) == contents[0]);
  release_blocks(a, 0, a.blocks.size());
  EXPECT_TRUE(read_range(b, 0, b.blocks.size()) == contents[1]);
  const auto raw = [](const BlockInfo& block) { return block.codec == BlockCodec::kRaw; };
  const auto damaged = std::ranges::find_if(b.blocks.begin() + 3, b.blocks.end(), raw);
  ++damaged->checksum;
  try {
    read_range(b, 0, b.blocks.size());
    FAIL() << "the damage was not seen";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("block " + std::to_string(damaged - b.blocks.begin()) + " of run 1"));
  }
}

// Segments of memory have neighbouring offsets, and lie apart.
TEST(ReadBlocks, ReadsRunsInMemoryThatLieInSeveralPlaces) {
  const RecordOrder order(parse_format("u64"));
  const std::string numbers = test::sorted_numbers<std::uint64_t>(1 << 20);
  const sortie::Run run =
      test::write_run(order, numbers, std::make_shared<MemoryRunStorage>(), {1 << 16, BlockCodec::kRaw, 1});
  EXPECT_TRUE(read_range(run, 0, run.blocks.size()) == numbers);
  const std::size_t half = run.blocks.size() / 2 + 3;
  release_blocks(run, 0, half);
  EXPECT_TRUE(read_range(run, half, run.blocks.size()) == numbers.substr(half << 16));
}

INSTANTIATE_TEST_SUITE_P(Storage, RunWriterTest, testing::Bool(),
                         [](const auto& in_memory) { return in_memory.param ? "memory" : "file"; });

TEST(RunWriterFaults, EveryFailedOperationIsReported) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const RecordOrder order(parse_format("u32"));
  const std::string numbers = test::sorted_numbers<std::uint32_t>(2000);
  for (std::uint64_t first = 1;; ++first) {
    test::FaultPlan plan;
    plan.first = first;
    plan.error_number = ENOSPC;
    test::FaultyFileSystem faulty(*files, plan);
    std::string records;
    try {
      auto storage = std::make_shared<FileRunStorage>(faulty.create_unnamed(directory.path().string()));
      records = test::contents_of(test::write_run(order, numbers, storage, {1024, BlockCodec::kDeltaShuffleZstd, 1}));
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("No space left on device; free some space or choose another scratch directory"));
      EXPECT_THAT(directory.names(), testing::IsEmpty());
      continue;
    }
    EXPECT_TRUE(records == numbers);
    EXPECT_GT(first, 12u);
    break;
  }
}

}  // namespace
}  // namespace sortie
