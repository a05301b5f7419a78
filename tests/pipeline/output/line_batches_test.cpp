#include "pipeline/output/line_batches.hpp"

#include <map>
#include <mutex>
#include <string>

#include "pipeline/pipeline_support.hpp"
#include "record/record_order.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

/// Fetches lines in the reverse of their order in memory.
class LineBatchesTest : public testing::Test {
 protected:
  static constexpr int kLines = 40'000;
  static constexpr std::size_t kLineBytes = 10;

  LineBatchesTest() {
    for (int i = 0; i < kLines; ++i) text_ += "line " + std::to_string(1000 + i % 1000) + "\n";
    for (std::size_t end = text_.size(); end > 0; end -= kLineBytes) {
      lines_.push_back({make_location(end - kLineBytes, kLineBytes), 0});
      reversed_ += text_.substr(end - kLineBytes, kLineBytes);
    }
  }

  /// What arrives in batches. `is_shown`: whether `show` takes every line.
  std::string fetch(LineBatches::Show show, bool is_shown, std::span<std::byte> output = {}) {
    const ChunkRecords records(order_, as_bytes(text_));
    std::vector<LinePiece> pieces;
    cut_into_pieces(records, lines_, pieces);
    EXPECT_GT(pieces.size(), 1U);
    LineBatches batches(records, true, 1 << 20);
    std::string arrived;
    const auto take = [&](std::span<const std::byte> lines, bool was_shown) {
      EXPECT_EQ(was_shown, is_shown);
      EXPECT_TRUE(output.empty() || lines.data() == output.data() + arrived.size());
      arrived += as_text(lines);
    };
    const auto room = [&](std::uint64_t position, std::uint64_t bytes) {
      return output.empty() ? output : output.subspan(position, bytes);
    };
    EXPECT_EQ(batches.fetch(pieces, room, show, take), totals_of(format_, as_bytes(text_), true));
    return arrived;
  }

  Format format_ = parsed("lines");
  RecordOrder order_{format_};
  std::string text_;
  std::string reversed_;
  std::vector<Entry> lines_;
};

TEST_F(LineBatchesTest, AreShownWhereTheyBelongByThoseWhoFetchThem) {
  with_threads(4, [&] {
    std::mutex mutex;
    std::map<std::uint64_t, std::string> shown;
    const auto show = [&](std::uint64_t position, std::span<const std::byte> lines) {
      const std::scoped_lock lock(mutex);
      return shown.emplace(position, as_text(lines)).second;
    };
    EXPECT_TRUE(fetch(show, true) == reversed_);
    std::string all;
    for (const auto& [position, lines] : shown) {
      EXPECT_EQ(position, all.size());
      all += lines;
    }
    EXPECT_TRUE(all == reversed_);
  });
}

TEST_F(LineBatchesTest, AreFetchedIntoTheOutputWhereItHasRoom) {
  with_threads(4, [&] {
    std::string output(text_.size(), '?');
    const auto show = [](std::uint64_t, std::span<const std::byte>) { return true; };
    EXPECT_TRUE(fetch(show, true, as_writable(output)) == reversed_);
    EXPECT_TRUE(output == reversed_);
  });
}

TEST_F(LineBatchesTest, ArriveAsIfNobodyHadSeenThemWhereOnePieceWasNotTaken) {
  with_threads(4, [&] {
    const auto show = [](std::uint64_t position, std::span<const std::byte>) { return position != 0; };
    EXPECT_TRUE(fetch(show, false) == reversed_);
  });
}

}  // namespace
}  // namespace sortie
