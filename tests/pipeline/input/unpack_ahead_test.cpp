// Packed inputs that several threads unpack before their turn.
#include <gmock/gmock.h>

#include <filesystem>

#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "pipeline/input/record_reader_support.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr std::uint64_t kMebi = 1 << 20;
constexpr std::uint64_t kEnough = 1024 * kMebi;

std::size_t count_open_files() {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

class UnpackAheadTest : public RecordReaderTest, public testing::WithParamInterface<const char*> {
 protected:
  std::string packed(const std::string& name, const std::string& contents) {
    const std::string path = directory_ / (name + GetParam());
    const auto output = open_output(*files_, path);
    output->write(as_bytes(contents));
    output->finish();
    return path;
  }

  /// `count` files. The last line of each lacks its newline.
  std::vector<std::string> packed_files(std::size_t count, std::size_t bytes) {
    std::vector<std::string> paths;
    for (std::size_t file = 0; file < count; ++file) {
      std::string contents;
      while (contents.size() < bytes) contents += "file " + std::to_string(file) + " of lines\n";
      contents += "end of file " + std::to_string(file);
      paths.push_back(packed("file" + std::to_string(file), contents));
      all_ += contents + "\n";
    }
    return paths;
  }

  RecordReader reader_of(const std::vector<std::string>& paths, std::uint64_t memory_bytes, unsigned threads) {
    InputSequence inputs = inputs_of(*files_, paths, Format(), observer_);
    inputs.unpack_ahead(memory_bytes, threads);
    EXPECT_LE(inputs.ahead_bytes(), memory_bytes);
    ahead_bytes_ = inputs.ahead_bytes();
    return RecordReader(std::move(inputs), Format(), true, observer_, {});
  }

  std::string all_;
  std::uint64_t ahead_bytes_ = 0;
};

TEST_P(UnpackAheadTest, GivesAllInputsInTheirOrder) {
  const std::vector<std::string> paths = packed_files(5, 300'000);
  for (const unsigned threads : {1, 2, 3, 8}) {
    for (const std::size_t piece_bytes : {20'000, 300'100, 4'000'000}) {
      with_threads(threads, [&] {
        RecordReader reader = reader_of(paths, kEnough, threads);
        EXPECT_EQ(ahead_bytes_ > 0, threads > 1);
        EXPECT_TRUE(read_all(reader, Format(), piece_bytes, kAnyNumber) == all_) << threads << ' ' << piece_bytes;
      });
    }
  }
}

TEST_P(UnpackAheadTest, UnpacksWhatItsMemoryHolds) {
  const std::string suffix = GetParam();
  const std::uint64_t memory_bytes = suffix == ".zst"  ? 2 * (kMaxWindowBytes + kMebi)
                                     : suffix == ".gz" ? 5 * kMebi
                                                       : 9 * kMebi;
  const std::vector<std::string> paths = packed_files(2, 6'000'000);
  with_threads(4, [&] {
    RecordReader reader = reader_of(paths, memory_bytes, 4);
    EXPECT_EQ(ahead_bytes_, memory_bytes) << "there is one input to unpack";
    EXPECT_TRUE(read_all(reader, Format(), 1'000'000, kAnyNumber) == all_);
  });
}

TEST_P(UnpackAheadTest, OpensAsManyAsThereAreThreads) {
  const std::vector<std::string> paths = packed_files(6, 1'000'000);
  for (const unsigned threads : {1, 4}) {
    with_threads(threads, [&] {
      RecordReader reader = reader_of(paths, kEnough, threads);
      std::string piece(10'000, '?');
      const std::size_t before = count_open_files();
      reader.read(as_writable(piece), kAnyNumber);
      EXPECT_EQ(count_open_files() - before, threads - 1);  // the first is open from the start
    });
  }
}

TEST_P(UnpackAheadTest, PassesOverInputsThatAreNotPacked) {
  std::vector<std::string> paths = packed_files(1, 1'000'000);
  const std::string plain = write_inputs(directory_, {"a plain file\n"})[0];
  RecordReader(reader_of({plain, paths[0], plain}, kEnough, 4));
  EXPECT_EQ(ahead_bytes_, 0U) << "one packed input is read in its turn";
  paths = {paths[0], plain, paths[0]};
  all_ += "a plain file\n" + all_;
  with_threads(4, [&] {
    RecordReader reader = reader_of(paths, kEnough, 4);
    EXPECT_GT(ahead_bytes_, 0U);
    EXPECT_TRUE(read_all(reader, Format(), 100'000, kAnyNumber) == all_);
  });
}

TEST_P(UnpackAheadTest, TellsOfADamagedInputInItsTurn) {
  const std::vector<std::string> paths = packed_files(3, 500'000);
  fs::resize_file(paths[1], fs::file_size(paths[1]) / 2);
  with_threads(4, [&] {
    RecordReader reader = reader_of(paths, kEnough, 4);
    std::string piece(100'000, '?');
    std::size_t bytes = 0;
    const std::string error = error_of([&] {
      while (true) bytes += reader.read(as_writable(piece), kAnyNumber).bytes;
    });
    EXPECT_THAT(error, testing::HasSubstr(paths[1]));
    EXPECT_GE(bytes, 400'000U);
  });
}

TEST_P(UnpackAheadTest, WarnsOfSeveralInputsOneByOne) {
  if (GetParam() == std::string(".zst")) return;  // has no bytes behind it that are ignored
  std::vector<std::string> paths = packed_files(8, 10'000);
  for (const std::string& path : paths) write_whole_file(path, read_whole_file(path) + "no member");
  SortOptions options;
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  with_threads(8, [&] {
    InputOpener opener(*files_, options);
    InputSequence inputs(opener, paths, Format(), Waiting::kUntilFull, observer_);
    inputs.unpack_ahead(kEnough, 8);
    RecordReader reader(std::move(inputs), Format(), true, observer_, {});
    EXPECT_TRUE(read_all(reader, Format(), 1'000'000, kAnyNumber) == all_);
  });
  EXPECT_EQ(warnings.size(), paths.size());
}

INSTANTIATE_TEST_SUITE_P(Formats, UnpackAheadTest, testing::Values(".gz", ".zst", ".bz2"),
                         [](const auto& suffix) { return std::string(suffix.param + 1); });

}  // namespace
}  // namespace sortie
