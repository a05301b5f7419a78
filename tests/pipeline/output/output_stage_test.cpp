#include "pipeline/output/output_stage.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

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

// Takes early what begins at some positions, and keeps all bytes where they belong.
class EarlyOutput : public StringOutput {
 public:
  explicit EarlyOutput(std::size_t every) : every_(every) {}

  bool takes_early() override {
    const std::scoped_lock lock(mutex_);
    return every_ != 0 && ++count_ % every_ == 0;
  }
  bool write_early(std::uint64_t position, std::span<const std::byte> bytes) override {
    const std::scoped_lock lock(mutex_);
    early[position] = as_text(bytes);
    return true;
  }
  void pass_over(std::uint64_t bytes) override {
    const std::string before = text;
    while (text.size() < before.size() + bytes) {
      ASSERT_TRUE(early.contains(text.size()));
      text += early[text.size()];
    }
    EXPECT_EQ(text.size(), before.size() + bytes);
  }

  std::span<std::byte> early_room(std::uint64_t position, std::uint64_t bytes, bool) override {
    if (position + bytes > memory.size()) return {};
    return as_writable(memory).subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(bytes));
  }

  std::map<std::uint64_t, std::string> early;
  std::string memory;

 private:
  std::mutex mutex_;
  std::size_t every_;
  std::size_t count_ = 0;
};

class EarlyLooks : public LargeParts {
 protected:
  // Shows `part` in pieces of `lines` lines of eight bytes, the last one first.
  static void look(OutputStage& stage, std::string& part, std::uint64_t position, std::size_t lines) {
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < part.size(); at += 8 * lines) begins.push_back(at);
    for (auto at = begins.rbegin(); at != begins.rend(); ++at) {
      stage.own_look()(as_bytes(part).subspan(*at, std::min(8 * lines, part.size() - *at)), position + *at);
    }
  }
};

TEST_F(EarlyLooks, MakeNoDifference) {
  for (const std::size_t every : {0, 1, 3}) {
    EarlyOutput output(every);
    OutputStage stage(codec_, output, {.header = as_bytes("head\n")}, observer_);
    ASSERT_NE(stage.own_look(), nullptr);
    look(stage, second_, first_.size(), 30'000);  // made ahead
    look(stage, first_, 0, 100'000);
    stage.accept(as_writable(first_));
    stage.accept(as_writable(second_));
    std::string not_shown = "3000000\n";
    stage.accept(as_writable(not_shown));
    const std::string expected = first_ + second_ + not_shown;
    EXPECT_TRUE(output.text == "head\n" + expected);
    EXPECT_EQ(stage.written(), totals_of(format_, as_bytes(expected), true));
    EXPECT_EQ(output.early.empty(), every == 0);
  }
}

TEST_F(EarlyLooks, GoWithRoomForRecordsBehindTheHeader) {
  EarlyOutput output(1);
  OutputStage stage(codec_, output, {.header = as_bytes("head\n")}, observer_);
  output.memory.resize(5 + first_.size());
  const std::span<std::byte> room = stage.own_room()(0, first_.size(), false);
  ASSERT_EQ(room.data(), as_writable(output.memory).data() + 5);
  EXPECT_TRUE(stage.own_room()(1, first_.size(), false).empty());
  EXPECT_EQ(OutputStage(codec_, output_, {.unique = true}, observer_).own_room(), nullptr);
}

TEST_F(EarlyLooks, FindDisorderWithinAndBetweenRanges) {
  for (const std::size_t line : {20'000, 29'999, 30'000, 199'999}) {
    for (const bool at_border : {false, true}) {
      OutputStage stage = make_stage(output_);
      std::string part = first_;
      if (at_border) {
        if (line == 199'999) continue;
        std::swap_ranges(part.begin() + static_cast<std::ptrdiff_t>(8 * line),
                         part.begin() + static_cast<std::ptrdiff_t>(8 * line + 8),
                         part.begin() + static_cast<std::ptrdiff_t>(8 * line + 8));
      } else {
        part.replace(8 * line, 1, "0");
      }
      look(stage, part, 0, 30'000);
      EXPECT_NE(error_of([&] { stage.accept(as_writable(part)); }).find("not in order"), std::string::npos) << line;
    }
  }
  OutputStage stage = make_stage(output_);
  look(stage, second_, 0, 30'000);
  stage.accept(as_writable(second_));
  look(stage, first_, second_.size(), 30'000);
  EXPECT_NE(error_of([&] { stage.accept(as_writable(first_)); }).find("not in order"), std::string::npos);
}

TEST_F(EarlyLooks, AreOfNoUseWhereRecordsMayBeDropped) {
  EXPECT_EQ(OutputStage(codec_, output_, {.unique = true}, observer_).own_look(), nullptr);
  EXPECT_EQ(OutputStage(codec_, output_, {.most_records = 5}, observer_).own_look(), nullptr);
  EXPECT_EQ(OutputStage(codec_, output_, {.show_count = true}, observer_).own_look(), nullptr);
}

// What was looked at is another part, or not all of this one.
TEST_F(EarlyLooks, ThatSawNotAllOfAPartAreNotTrusted) {
  EarlyOutput output(1);
  OutputStage stage(codec_, output, {}, observer_);
  stage.own_look()(as_bytes(first_).subspan(800), 800);
  std::string wrong = first_;
  wrong.replace(0, 8, "9999999\n");
  EXPECT_NE(error_of([&] { stage.accept(as_writable(wrong)); }).find("not in order"), std::string::npos);
  OutputStage other(codec_, output_, {}, observer_);
  other.own_look()(as_bytes(first_).first(8), 0);
  other.accept(as_writable(first_));
  EXPECT_TRUE(output_.text == first_);
  EXPECT_EQ(other.written(), totals_of(format_, as_bytes(first_), true));
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
