#include "pipeline/output/output_stage.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "pipeline/output/part_writer.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/string_output.hpp"

namespace sortie {
namespace {

using namespace test;

// A slow output, which exposes a caller that does not wait for it.
class SlowOutput : public StringOutput {
 public:
  void write(std::span<const std::byte> bytes) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    StringOutput::write(bytes);
    ++parts_written;
  }

  std::atomic<int> parts_written = 0;
};

class FullOutput : public StringOutput {
 public:
  void write(std::span<const std::byte>) override { throw Error("the disk is full"); }
};

class OutputStageTest : public testing::Test {
 protected:
  OutputStage make_stage(bool unique, bool verify) { return OutputStage(codec_, output_, {unique, verify}, observer_); }
  static void accept(OutputStage& stage, std::string part) { stage.accept(as_writable(part)); }

  Format format_ = parsed("lines");
  RecordCodec codec_ = RecordCodec::plain(format_);
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

class LargeParts : public OutputStageTest {
 protected:
  // Parts large enough to be written while they are checked.
  LargeParts() {
    for (int i = 0; i < 200'000; ++i) first_ += std::to_string(1'000'000 + i) + "\n";
    for (int i = 0; i < 200'000; ++i) second_ += std::to_string(2'000'000 + i) + "\n";
    EXPECT_GE(first_.size(), PartWriter::kLeastSharedBytes);
  }
  OutputStage make_stage(Output& output) { return OutputStage(codec_, output, {false, true}, observer_); }

  std::string first_;
  std::string second_;
};

TEST_F(LargeParts, AreWrittenInTheirOrderAndCounted) {
  OutputStage stage = make_stage(output_);
  accept(stage, first_);
  accept(stage, "2000000\n");
  accept(stage, second_);
  const std::string expected = first_ + "2000000\n" + second_;
  EXPECT_TRUE(output_.text == expected);
  EXPECT_EQ(stage.written(), totals_of(format_, as_bytes(expected), true));
}

TEST_F(LargeParts, AreCheckedWithinAndAgainstThePartBefore) {
  OutputStage stage = make_stage(output_);
  accept(stage, second_);
  EXPECT_NE(error_of([&] { accept(stage, first_); }).find("not in order"), std::string::npos);
  OutputStage other = make_stage(output_);
  EXPECT_NE(error_of([&] { accept(other, second_ + first_); }).find("not in order"), std::string::npos);
}

TEST_F(LargeParts, AreTheCallersAgainOnlyWhenTheyAreWritten) {
  SlowOutput slow;
  OutputStage stage = make_stage(slow);
  accept(stage, second_);
  EXPECT_EQ(slow.parts_written, 1);
  EXPECT_THROW(accept(stage, first_), Error);
  EXPECT_EQ(slow.parts_written, 2);
}

TEST_F(LargeParts, ThatCannotBeWrittenAreReported) {
  FullOutput full;
  OutputStage stage = make_stage(full);
  EXPECT_EQ(error_of([&] { accept(stage, first_); }), "the disk is full");
  OutputStage other = make_stage(full);
  EXPECT_EQ(error_of([&] { accept(other, second_ + first_); }), "the disk is full");
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
