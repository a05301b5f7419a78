#include "pipeline/output_stage.hpp"

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

class StringOutput : public Output {
 public:
  void write(std::span<const std::byte> bytes) override { text += as_text(bytes); }
  void expect(std::uint64_t) override {}
  void finish() override {}

  std::string text;
};

class OutputStageTest : public testing::Test {
 protected:
  OutputStage make_stage(bool unique, bool verify) {
    return OutputStage(format_, order_, output_, {unique, verify}, observer_);
  }
  static void accept(OutputStage& stage, std::string part) { stage.accept(as_writable(part)); }

  Format format_ = parsed("lines");
  RecordOrder order_{format_};
  StringOutput output_;
  SilentObserver observer_;
};

TEST_F(OutputStageTest, WritesAndCountsWhatItIsGiven) {
  OutputStage stage = make_stage(false, true);
  accept(stage, "a\nb\n");
  accept(stage, "");
  accept(stage, "b\nc\n");
  EXPECT_EQ(output_.text, "a\nb\nb\nc\n");
  EXPECT_EQ(stage.written(), totals_of(format_, as_bytes("a\nb\nb\nc\n"), true));
  EXPECT_EQ(stage.dropped(), RecordTotals{});
}

TEST_F(OutputStageTest, DropsDuplicates) {
  OutputStage stage = make_stage(true, true);
  accept(stage, "a\na\n");
  accept(stage, "a\n");
  accept(stage, "b\n");
  EXPECT_EQ(output_.text, "a\nb\n");
  EXPECT_EQ(stage.dropped(), totals_of(format_, as_bytes("a\na\n"), true));
}

TEST_F(OutputStageTest, StopsAtRecordsOutOfOrder) {
  OutputStage stage = make_stage(false, true);
  accept(stage, "b\n");
  const std::string message = error_of([&] { accept(stage, "a\n"); });
  EXPECT_NE(message.find("not in order"), std::string::npos) << message;
  EXPECT_EQ(output_.text, "b\n");
}

TEST_F(OutputStageTest, ChecksNothingIfItIsNotToVerify) {
  OutputStage stage = make_stage(false, false);
  accept(stage, "b\n");
  accept(stage, "a\n");
  EXPECT_EQ(output_.text, "b\na\n");
  EXPECT_EQ(stage.written(), (RecordTotals{2, 4, {}}));
}

TEST(CompareTotals, AcceptsWhatWasDroppedAndNothingElse) {
  const RecordTotals input{5, 50, {7, 1}};
  const RecordTotals dropped{2, 20, {8, 0}};
  const RecordTotals output{3, 30, {~std::uint64_t{0}, 0}};
  EXPECT_NO_THROW(compare_totals(input, output, dropped));
  EXPECT_THROW(compare_totals(input, input, dropped), Error);
  EXPECT_THROW(compare_totals(input, {3, 30, {0, 0}}, dropped), Error);
  EXPECT_THROW(compare_totals(input, {3, 31, output.checksum}, dropped), Error);
}

}  // namespace
}  // namespace sortie
