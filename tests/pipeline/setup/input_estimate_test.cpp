#include "pipeline/setup/job_plan.hpp"

#include "pipeline/input/record_reader_support.hpp"
#include "pipeline/keyed_lines.hpp"

namespace sortie {
namespace {

using namespace test;

class InputEstimateTest : public testing::Test {
 protected:
  InputEstimate estimate(const RecordCodec& codec, const std::vector<std::string>& contents) {
    const Format& format = codec.input_format();
    const RecordReader reader = reader_of(*files_, write_inputs(directory_, contents), format, observer_);
    const std::vector<std::byte> sample = reader.sample(estimate_sample_bytes(*reader.total_bytes()));
    return estimate_input(reader.total_bytes(), sample, codec);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
};

TEST_F(InputEstimateTest, IsExactForFixedRecords) {
  const InputEstimate found =
      estimate(RecordCodec::plain(parsed("fixed:10")), {std::string(30, 'x'), std::string(20, 'y')});
  EXPECT_EQ(found.bytes, 50U);
  EXPECT_EQ(found.record_bytes, 10U);
}

TEST_F(InputEstimateTest, JudgesTheLengthOfLinesByTheFirst) {
  std::string lines;
  for (int i = 0; i < 10'000; ++i) lines += std::string(99, 'x') + "\n";
  const InputEstimate found = estimate(RecordCodec::plain(parsed("lines")), {lines, "short\n"});
  EXPECT_EQ(found.bytes, lines.size() + 6);
  EXPECT_EQ(found.record_bytes, 75U);
}

TEST_F(InputEstimateTest, ExpectsDecoratedLinesToTakeRatherMore) {
  const Format format = format_of({{{1, true}}, false});
  const RecordCodec codec(format, false);
  const std::string lines = lines_with_fields(30'000);
  const std::size_t encoded_bytes = encoded(codec, lines).size();
  const InputEstimate found = estimate(codec, {lines});
  ASSERT_TRUE(found.bytes);
  EXPECT_GT(*found.bytes, encoded_bytes);
  EXPECT_LT(*found.bytes, encoded_bytes * 5 / 4);
  EXPECT_LE(found.record_bytes, encoded_bytes / 30'000);
  EXPECT_GE(found.record_bytes, encoded_bytes / 30'000 / 2);
}

TEST_F(InputEstimateTest, LooksAtAShareOfASmallInput) {
  EXPECT_EQ(estimate_sample_bytes(0), 2U << 10);
  EXPECT_EQ(estimate_sample_bytes(1 << 20), 64U << 10);
  EXPECT_EQ(estimate_sample_bytes(std::uint64_t{1} << 40), 128U << 10);
}

TEST_F(InputEstimateTest, KnowsNothingOfLinesThatItCannotSee) {
  EXPECT_EQ(estimate(RecordCodec::plain(parsed("lines")), {std::string(1'000'000, 'x')}).record_bytes, 0U);
  EXPECT_EQ(estimate(RecordCodec::plain(parsed("lines")), {""}).record_bytes, 0U);
}

}  // namespace
}  // namespace sortie
