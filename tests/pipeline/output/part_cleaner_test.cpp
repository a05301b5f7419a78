#include "pipeline/output/part_cleaner.hpp"

#include <deque>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/pipeline_support.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

class PartCleanerTest : public testing::Test {
 protected:
  /// Cleans decorated lines that come in parts of `part_bytes` or more.
  std::string clean(const LineOrder& order, const std::string& lines, std::size_t part_bytes, bool verify) {
    const Format format = format_of(order);
    const LineDecorator decorator(format, order.unique);
    const RecordOrder record_order(decorator.decorated_format());
    PartCleaner cleaner(decorator, record_order, {order.unique, verify});
    std::string bytes = sorted_by_bytes(decorated(decorator, lines));
    std::string cleaned;
    for (std::span<std::byte> rest = as_writable(bytes); !rest.empty();) {
      const std::size_t end = boundary_at_or_after(record_order.layout(), rest, std::min(part_bytes, rest.size()));
      cleaned += as_text(cleaner.clean(rest.first(end)));
      rest = rest.subspan(end);
    }
    EXPECT_EQ(cleaner.kept(), totals_of(format, as_bytes(cleaned), verify));
    EXPECT_EQ(cleaner.dropped(), totals_of(format, as_bytes(lines), verify) - cleaner.kept());
    return cleaned;
  }

  static std::string sorted_by_bytes(const std::string& lines) {
    auto records = records_of(Layout{}, lines);
    std::ranges::sort(records, {}, [](std::string_view line) { return line.substr(0, line.size() - 1); });
    return joined(records);
  }
};

TEST_F(PartCleanerTest, GivesLinesAsTheyWereHoweverPartsAreCut) {
  with_threads(4, [&] {
    for (const bool unique : {false, true}) {
      for (const bool verify : {false, true}) {
        for (const std::size_t part_bytes : {1, 50, 3000, 10 << 20}) {
          SCOPED_TRACE("parts of " + std::to_string(part_bytes) + (unique ? ", unique" : ""));
          const LineOrder order = {{{1, true}, {0}}, true, unique};
          const std::string lines = lines_with_fields(part_bytes < 100 ? 1000 : 40'000);
          EXPECT_TRUE(clean(order, lines, part_bytes, verify) == sorted_lines(order, lines));
        }
      }
    }
  });
}

TEST_F(PartCleanerTest, DropsPartsOfNothingButDuplicates) {
  EXPECT_EQ(clean({{{0}}, true, true}, "a 1\na 2\na 3\nb 1\nb 0\n", 1, true), "a 1\nb 1\n");
}

class PartCleanerOrder : public testing::Test {
 protected:
  std::span<std::byte> clean(const std::string& lines) {
    parts_.push_back(decorated(decorator_, lines));
    return cleaner_.clean(as_writable(parts_.back()));
  }

  LineDecorator decorator_{format_of({{{0}}}), false};
  RecordOrder order_{decorator_.decorated_format()};
  PartCleaner cleaner_{decorator_, order_, {false, true}};
  std::deque<std::string> parts_;
};

TEST_F(PartCleanerOrder, StopsAtDisorderWithinAPart) { EXPECT_THROW(clean("b 1\na 2\n"), Error); }

TEST_F(PartCleanerOrder, StopsAtDisorderBetweenParts) {
  EXPECT_EQ(as_text(clean("b 1\n")), "b 1\n");
  EXPECT_THROW(clean("a 2\n"), Error);
}

TEST_F(PartCleanerOrder, StopsAtDisorderBetweenRangesOfAPart) {
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += std::to_string(1'000'000 + i) + " x\n";
  const std::string wrong = lines + lines;
  EXPECT_EQ(as_text(clean(lines)), lines);
  EXPECT_THROW(clean(wrong), Error);
}

}  // namespace
}  // namespace sortie
