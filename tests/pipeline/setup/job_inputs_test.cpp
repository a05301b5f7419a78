// Which sources a job reads from.
#include "pipeline/setup/job_inputs.hpp"

#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "pipeline/keyed_lines.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

using namespace test;

class JobInputsTest : public testing::Test {
 protected:
  JobInputsTest() { options_.inputs = write_inputs(directory_, {lines_}); }

  /// Ready to read copied records.
  std::unique_ptr<JobInputs> begun() {
    auto inputs = std::make_unique<JobInputs>(*files_, options_, observer_);
    inputs->begin_at({});
    inputs->take_sizes();
    return inputs;
  }

  bool may_be_whole(const MappingOptions& mapping) {
    const auto inputs = begun();
    EXPECT_FALSE(inputs->prepare(Reading::kCopied, mapping));
    return inputs->whole_input() != nullptr;
  }

  /// All records as they were before they were encoded.
  std::string read_all(JobInputs& inputs) {
    PieceSource& records = inputs.records({64 << 10, 1 << 20});
    const RecordCodec& codec = *inputs.spec().codec;
    std::vector<std::byte> scratch;
    std::string piece(1 << 20, '?');
    std::string all;
    while (true) {
      const PieceSource::Piece read = records.read(as_writable(piece), ~std::uint64_t{0});
      if (read.status != PieceSource::Status::kRecords) return all;
      for (const auto line : records_of(Layout{}, std::string_view(piece).substr(0, read.bytes))) {
        all += as_text(codec.original(as_bytes(line), scratch));
      }
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
  const std::string lines_ = lines_with_fields(30'000);
  SortOptions options_;
};

constexpr MappingOptions kAnySize{.least_bytes = 1};

TEST_F(JobInputsTest, OfferTheWholeInputWhereItMayBeMapped) {
  EXPECT_TRUE(may_be_whole(kAnySize));
  EXPECT_TRUE(may_be_whole({.least_bytes = lines_.size()}));
  EXPECT_FALSE(may_be_whole({.least_bytes = lines_.size() + 1}));
  EXPECT_FALSE(may_be_whole({.keeps_runs = true, .least_bytes = 1}));
  EXPECT_FALSE(may_be_whole({.output_waits = true, .least_bytes = 1}));
  EXPECT_EQ(begun()->whole_input(), nullptr) << "nobody has allowed it";
}

TEST_F(JobInputsTest, DoNotOfferSeveralInputsAsOne) {
  options_.inputs.push_back(options_.inputs[0]);
  EXPECT_FALSE(may_be_whole(kAnySize));
}

TEST_F(JobInputsTest, DoNotOfferAnEmptyInput) {
  options_.inputs = write_inputs(directory_, {""});
  EXPECT_FALSE(may_be_whole({.least_bytes = 0}));
}

TEST_F(JobInputsTest, DoNotOfferRecordsThatAreDecoratedOrSelected) {
  options_.top_records = 3;
  EXPECT_FALSE(may_be_whole(kAnySize));
  options_.top_records = 0;
  options_.format = format_of({{{1, true}}, false});
  EXPECT_FALSE(may_be_whole(kAnySize));
}

TEST_F(JobInputsTest, DoNotOfferWhatHasBeenReadFrom) {
  const auto inputs = begun();
  EXPECT_TRUE(inputs->prepare(Reading::kFirstBytesFirst, kAnySize));
  EXPECT_GT(inputs->reader()->ahead_memory_bytes(), 0U);
  EXPECT_EQ(inputs->whole_input(), nullptr);
  EXPECT_TRUE(read_all(*inputs) == lines_);
  EXPECT_EQ(inputs->finish_reading(), totals_of(options_.format, as_bytes(lines_), true));
}

// How much memory is free takes long to find out.
TEST_F(JobInputsTest, SmallPlainInputsGetABudgetThatSurelyIsThere) {
  constexpr std::uint64_t kSurelyThere = 96 << 20;
  EXPECT_EQ(begun()->sizes().budget.memory_bytes, kSurelyThere);
  options_.memory_bytes = 1 << 20;
  EXPECT_EQ(begun()->sizes().budget.memory_bytes, 1U << 20);
  options_.memory_bytes = 0;
  options_.inputs = write_inputs(directory_, {std::string(3 << 20, 'x')});
  EXPECT_NE(begun()->sizes().budget.memory_bytes, kSurelyThere);
}

// A small file may hold much.
TEST_F(JobInputsTest, SmallPackedInputsGetTheWholeBudget) {
  write_whole_file(directory_ / "packed", std::string("\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00\x99\xe9\xd8\x51", 13));
  options_.inputs = {directory_ / "packed"};
  EXPECT_NE(begun()->sizes().budget.memory_bytes, std::uint64_t{96} << 20);
}

// Then the job is planned as if they were a file of this size.
TEST_F(JobInputsTest, KnowTheSizeOfLittleThatIsPacked) {
  options_.inputs = {directory_ / "packed.zst"};
  for (const std::size_t lines : {0, 1, 1000, 30'000}) {
    const std::string text = lines_with_fields(lines);
    const auto output = open_output(*files_, options_.inputs[0]);
    output->write(as_bytes(text));
    output->finish();
    const auto inputs = begun();
    EXPECT_EQ(inputs->sizes().bytes, std::nullopt);
    inputs->read_if_little();
    const bool is_little = lines <= 1000;
    EXPECT_EQ(inputs->sizes().bytes.has_value(), is_little) << lines;
    EXPECT_EQ(inputs->sizes().bytes.value_or(text.size()), text.size());
    EXPECT_TRUE(read_all(*inputs) == text);
    EXPECT_EQ(inputs->finish_reading(), totals_of(options_.format, as_bytes(text), true));
  }
}

TEST_F(JobInputsTest, LeaveLinesInPlaceOrCopyThem) {
  options_.format = format_of({{{1, true}}, false});
  for (const std::uint64_t memory_bytes : {std::uint64_t{1} << 20, std::uint64_t{512} << 20}) {
    options_.memory_bytes = memory_bytes;
    const auto inputs = begun();
    const bool in_place = inputs->prepare(Reading::kInPlace, kAnySize);
    EXPECT_EQ(inputs->spec().codec->refers(), in_place);
    EXPECT_FALSE(in_place && memory_bytes == std::uint64_t{1} << 20) << "there is no room for them";
    EXPECT_EQ(count_records(Layout{}, inputs->sample()) > 100, in_place);
    EXPECT_TRUE(read_all(*inputs) == lines_);
    EXPECT_EQ(inputs->finish_reading(), totals_of(parsed("lines"), as_bytes(lines_), true));
    inputs->check();
  }
}

}  // namespace
}  // namespace sortie
