#include "pipeline/keyed_lines.hpp"
#include "pipeline/output/output_stage.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/string_output.hpp"
#include "record/record_scan.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

class StripFinisher : public testing::Test {
 protected:
  /// What the output shows of encoded lines that come in parts of `part_bytes` or more.
  static std::string strip(const LineOrder& order, const std::string& lines, std::size_t part_bytes, bool verify) {
    StringOutput output;
    return strip(output, order, lines, part_bytes, verify, "");
  }
  static std::string strip(StringOutput& output, const LineOrder& order, const std::string& lines,
                           std::size_t part_bytes, bool verify, const std::string& header) {
    const Format format = format_of(order);
    const RecordCodec codec(format, order.unique);
    SilentObserver observer;
    OutputStage stage(codec, output, {.unique = order.unique, .verify = verify, .header = as_bytes(header)}, observer);
    std::string bytes = sorted_by_bytes(encoded(codec, lines));
    for (std::span<std::byte> rest = as_writable(bytes); !rest.empty();) {
      const std::size_t end = boundary_at_or_after(codec.order().layout(), rest, std::min(part_bytes, rest.size()));
      stage.accept(rest.first(end));
      rest = rest.subspan(end);
    }
    stage.finish();
    EXPECT_EQ(stage.written(), totals_of(format, as_bytes(output.text).subspan(header.size()), verify));
    EXPECT_EQ(stage.dropped(), totals_of(format, as_bytes(lines), verify) - stage.written());
    return output.text;
  }

  static std::string sorted_by_bytes(const std::string& lines) {
    auto records = records_of(Layout{}, lines);
    std::ranges::sort(records, {}, [](std::string_view line) { return line.substr(0, line.size() - 1); });
    return joined(records);
  }
};

TEST_F(StripFinisher, GivesLinesAsTheyWereHoweverPartsAreCut) {
  with_threads(4, [&] {
    for (const bool unique : {false, true}) {
      for (const bool verify : {false, true}) {
        for (const std::size_t part_bytes : {1, 50, 3000, 10 << 20}) {
          SCOPED_TRACE("parts of " + std::to_string(part_bytes) + (unique ? ", unique" : ""));
          const LineOrder order = {{{1, true}, {0}}, true, unique};
          const std::string lines = lines_with_fields(part_bytes < 100 ? 1000 : 40'000);
          EXPECT_TRUE(strip(order, lines, part_bytes, verify) == sorted_lines(order, lines));
        }
      }
    }
  });
}

TEST_F(StripFinisher, PutsLinesInTheOutputsOwnMemoryIfItHasSome) {
  /// Has memory for the first bytes.
  class OutputInMemory : public StringOutput {
   public:
    explicit OutputInMemory(std::size_t bytes) : memory_(bytes, '?') {}
    void write(std::span<const std::byte> bytes) override {
      const bool is_in_place = bytes.data() == as_writable(memory_).data() + text.size();
      bytes_in_place += is_in_place ? bytes.size() : 0;
      StringOutput::write(bytes);
    }
    std::span<std::byte> early_room(std::uint64_t position, std::uint64_t bytes, bool) override {
      if (position + bytes > memory_.size()) return {};
      return as_writable(memory_).subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(bytes));
    }
    std::size_t bytes_in_place = 0;

   private:
    std::string memory_;
  };
  with_threads(4, [&] {
    for (const bool unique : {false, true}) {
      const LineOrder order = {{{1, true}, {0}}, true, unique};
      const std::string lines = lines_with_fields(40'000);
      OutputInMemory output(lines.size() * 2 / 3);
      EXPECT_TRUE(strip(output, order, lines, 100'000, true, "head\n") == "head\n" + sorted_lines(order, lines));
      EXPECT_GT(output.bytes_in_place, lines.size() / 2);
      EXPECT_LE(output.bytes_in_place, lines.size() * 2 / 3);
    }
  });
}

TEST_F(StripFinisher, WritesNoMoreLinesThanAreWanted) {
  const LineOrder order = {{{1, true}, {0}}, true, false};
  const std::string lines = lines_with_fields(10'000);
  const Format format = format_of(order);
  const RecordCodec codec(format, false);
  StringOutput output;
  SilentObserver observer;
  OutputStage stage(codec, output, {.most_records = 7'000}, observer);
  std::string bytes = sorted_by_bytes(encoded(codec, lines));
  stage.accept(as_writable(bytes));
  stage.finish();
  const std::string all = sorted_lines(order, lines);
  const std::size_t end = first_records(layout_of(format), as_bytes(all), 7'000);
  EXPECT_TRUE(output.text == all.substr(0, end));
}

TEST_F(StripFinisher, DropsPartsOfNothingButDuplicates) {
  EXPECT_EQ(strip({{{0}}, true, true}, "a 1\na 2\na 3\nb 1\nb 0\n", 1, true), "a 1\nb 1\n");
}

class StripFinisherOrder : public testing::Test {
 protected:
  void accept(const std::string& lines) {
    std::string part = encoded(codec_, lines);
    stage_.accept(as_writable(part));
  }

  RecordCodec codec_{format_of({{{0}}}), false};
  StringOutput output_;
  SilentObserver observer_;
  OutputStage stage_{codec_, output_, {false, true}, observer_};
};

TEST_F(StripFinisherOrder, StopsAtDisorderWithinAPart) { EXPECT_THROW(accept("b 1\na 2\n"), Error); }

TEST_F(StripFinisherOrder, StopsAtDisorderBetweenParts) {
  accept("b 1\n");
  EXPECT_EQ(output_.text, "b 1\n");
  EXPECT_THROW(accept("a 2\n"), Error);
}

TEST_F(StripFinisherOrder, StopsAtDisorderBetweenRangesOfAPart) {
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += std::to_string(1'000'000 + i) + " x\n";
  accept(lines);
  EXPECT_TRUE(output_.text == lines);
  EXPECT_THROW(accept(lines + lines), Error);
}

TEST_F(StripFinisherOrder, TakesWhatIsOutOfOrderIfThatIsExpected) {
  stage_.expect_disorder();
  accept("b 1\na 2\n");
  EXPECT_EQ(output_.text, "b 1\na 2\n");
}

}  // namespace
}  // namespace sortie
