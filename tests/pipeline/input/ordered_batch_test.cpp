// Encoded lines of inputs that are nearly in order, taken batch by batch: they come in order, or else they all come.
#include "pipeline/input/ordered_batch.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "pipeline/input/order_sample.hpp"
#include "pipeline/keyed_lines.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kAnyCount = ~std::uint64_t{0};

class OrderedBatchTest : public testing::Test {
 protected:
  /// Encodes the lines in batches of about `batch_bytes`, and takes them in pieces of at most `piece_bytes`.
  std::string taken(std::string_view lines, std::size_t batch_bytes, std::size_t piece_bytes = 1 << 20,
                    std::uint64_t max_records = kAnyCount) {
    OrderedBatch batch(codec_, true);
    const Layout layout = layout_of(format_);
    came_in_order_ = true;
    RecordTotals totals;
    LineBatch::Size size;
    std::string all;
    std::string piece(piece_bytes, '?');
    for (std::size_t at = 0; at < lines.size();) {
      const auto rest = as_bytes(lines.substr(at));
      const std::size_t bytes = boundary_at_or_after(layout, rest, std::min(batch_bytes, rest.size()));
      totals += batch.encode(rest.first(bytes), at, at + bytes == lines.size());
      at += bytes;
      EXPECT_EQ(size.line_bytes + batch.waiting_line_bytes(), at);
      while (!batch.empty()) {
        const LineBatch::Size part = batch.take(as_writable(piece), max_records);
        if (part.records == 0) return "a piece is too small";
        EXPECT_LE(part.records, max_records);
        size = size + part;
        came_in_order_ = batch.are_in_order();
        all += piece.substr(0, part.bytes);
      }
    }
    EXPECT_EQ(totals, totals_of(format_, as_bytes(lines), true));
    EXPECT_EQ(size.records, totals.records);
    EXPECT_EQ(size.line_bytes, lines.size());
    return all;
  }

  std::string in_order(const std::string& lines) const {
    return stable_sorted(codec_.sorted_format(), encoded(codec_, lines), false);
  }

  bool is_nearly_in_order(const std::string& lines) const {
    return sortie::is_nearly_in_order(RecordOrder(codec_.sorted_format()), as_bytes(encoded(codec_, lines)),
                                      sample_positions(lines.size()));
  }

  bool came_in_order_ = false;  // what the last batch said
  Format format_ = format_of({{{1, true}, {0}}});
  RecordCodec codec_{format_, false};
};

std::string line_of(std::size_t number, std::size_t word) {
  return "w" + std::to_string(word) + " " + std::to_string(number) + " text\n";
}

/// Numbers that grow, each for twenty lines whose words are in no order.
std::string lines_in_time_order(std::size_t count) {
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) lines += line_of(i / 20, i * 7919 % 1009);
  return lines;
}

TEST_F(OrderedBatchTest, PutsLinesInOrderWhereBatchesAndRangesMeet) {
  const std::string lines = lines_in_time_order(60'000);
  const std::string expected = in_order(lines);
  for (const std::size_t batch_bytes : {2'000, 30'000, 600'000, 10'000'000}) {
    SCOPED_TRACE("batches of " + std::to_string(batch_bytes));
    ASSERT_TRUE(taken(lines, batch_bytes) == expected);
    EXPECT_TRUE(came_in_order_);
  }
  ASSERT_TRUE(taken(lines, 300'000, 100) == expected);
  ASSERT_TRUE(taken(lines, 300'000, 1 << 20, 7) == expected);
}

TEST_F(OrderedBatchTest, KeepsTheOrderOfEqualKeysWithoutALastResort) {
  format_ = format_of({{{1, true}}, false});
  codec_ = RecordCodec(format_, false);
  const std::string lines = lines_in_time_order(5'000);
  ASSERT_TRUE(taken(lines, 1'500) == encoded(codec_, lines));
}

TEST_F(OrderedBatchTest, MovesAFewStrangersWithinARange) {
  std::string lines;
  for (std::size_t i = 0; i < 20'000; ++i) lines += line_of(i % 1'000 == 500 ? i - 100 : i, 1);
  ASSERT_TRUE(taken(lines, 30'000) == in_order(lines));
}

TEST_F(OrderedBatchTest, PutsALastBatchOfFewLinesInOrder) {
  const std::string lines = lines_in_time_order(4'000) + line_of(199, 0);
  ASSERT_TRUE(taken(lines, lines.size() - 5) == in_order(lines));
  ASSERT_TRUE(taken(line_of(1, 1), 1) == in_order(line_of(1, 1)));
}

TEST_F(OrderedBatchTest, GivesAllLinesOfInputsThatAreNotInOrder) {
  std::string reversed;
  std::string sawtooth;
  for (std::size_t i = 0; i < 30'000; ++i) {
    reversed += line_of(30'000 - i, 1);
    sawtooth += line_of(i % 9'000, i);
  }
  const std::string far_stranger = lines_in_time_order(30'000) + line_of(0, 1) + lines_in_time_order(10);
  for (const std::string& lines : {reversed, sawtooth, far_stranger, lines_with_fields(20'000)}) {
    for (const std::size_t batch_bytes : {5'000, 300'000}) {
      const std::string all = taken(lines, batch_bytes);
      ASSERT_TRUE(stable_sorted(codec_.sorted_format(), all, false) == in_order(lines));
      EXPECT_EQ(came_in_order_, all == in_order(lines));
    }
  }
}

TEST_F(OrderedBatchTest, IsMeantForInputsWhoseSampleIsInOrder) {
  EXPECT_TRUE(is_nearly_in_order(lines_in_time_order(20'000)));
  EXPECT_FALSE(is_nearly_in_order(lines_in_time_order(20)));
  EXPECT_FALSE(is_nearly_in_order(lines_with_fields(20'000)));
  EXPECT_FALSE(is_nearly_in_order(lines_in_time_order(20'000) + lines_in_time_order(20'000)));
}

// As in a mapped file from which somebody has taken them while it is sorted.
TEST_F(OrderedBatchTest, RangesMayHaveNoLines) {
  const std::string lines = lines_in_time_order(1000);
  const std::string no_lines(400 << 10, 'x');
  OrderedBatch batch(codec_, true);
  std::string piece(1 << 20, '?');
  std::uint64_t records = 0;
  for (const bool is_last : {false, false, true}) {
    for (const std::string* const bytes : {&no_lines, &lines, &no_lines}) {
      batch.encode(as_bytes(*bytes), 0, is_last && bytes == &no_lines);
      while (!batch.empty()) records += batch.take(as_writable(piece), kAnyCount).records;
    }
  }
  EXPECT_EQ(records, 3000u);
}

TEST_F(OrderedBatchTest, IsNotMeantForInputsWithAStrangerAtEitherEnd) {
  const std::string lines = lines_in_time_order(20'000);
  EXPECT_FALSE(is_nearly_in_order(lines + line_of(0, 1)));
  EXPECT_FALSE(is_nearly_in_order(lines + line_of(0, 1) + line_of(1'000, 1)));
  EXPECT_FALSE(is_nearly_in_order(line_of(1'000, 1) + lines));
}

}  // namespace
}  // namespace sortie
