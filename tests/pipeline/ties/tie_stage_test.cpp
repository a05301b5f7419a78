// Lines whose keys begin alike are put in order by strcoll(), however the input is cut into parts, and even if a tie
// does not fit in memory.
#include "pipeline/ties/tie_stage.hpp"

#include <atomic>
#include <random>
#include <span>
#include <stop_token>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/thread_team.hpp"

#include "pipeline/keyed_lines.hpp"
#include "pipeline/pipeline_support.hpp"
#include "record/record_scan.hpp"
#include "support/in_locale.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::size_t kMuchMemory = 1 << 20;

class TieStageTest : public testing::Test {
 protected:
  static Format collated(const std::vector<std::string>& keys) {
    Format format;
    format.text.locale = true;
    for (const std::string& key : keys) format.text.keys.push_back(parse_text_key(key));
    return format;
  }

  /// Draws from few texts, which differ in case, signs and accents.
  static std::string draw_lines(std::size_t count) {
    static const std::vector<std::string> kParts{"a", "A", "á", "-", "1", "ñ", ".", "😀"};
    std::mt19937 random(20281);
    std::string lines;
    for (std::size_t i = 0; i < count; ++i) {
      for (int field = 0; field < 3; ++field) {
        for (auto parts = random() % 4; parts > 0; --parts) lines += kParts[random() % kParts.size()];
        lines += field < 2 ? " " : "\n";
      }
    }
    return lines;
  }

  /// The lines in the order of strcoll() alone.
  static std::string expected(const RecordCodec& codec, const std::string& lines) {
    const std::string all = encoded(codec, lines);
    auto records = records_of(Layout{}, all);
    std::ranges::stable_sort(records, [&](std::string_view a, std::string_view b) {
      return codec.compare_keys(as_bytes(a), as_bytes(b)) < 0;
    });
    std::string sorted;
    for (const std::string_view record : records) sorted += as_text(codec.decode(as_bytes(record)));
    return sorted;
  }

  /// Passes `all` through a stage in parts. The output must be ordered by its bytes.
  std::string pass(const RecordCodec& codec, std::string all, std::size_t part_bytes, std::size_t memory_bytes) {
    ScratchSpace scratch(*files_, {directory_ / "."});
    TieStage stage(codec, memory_bytes, scratch);
    std::string lines;
    std::string before;
    const auto take = [&](std::span<std::byte> part) {
      for (const std::string_view record : records_of(Layout{}, as_text(part))) {
        EXPECT_LT(before, record);
        before = record;
        lines += as_text(codec.decode(as_bytes(record)));
      }
      std::ranges::fill(part, std::byte{});
    };
    for (std::span<std::byte> rest = as_writable(all); !rest.empty();) {
      const std::size_t end = boundary_at_or_after(Layout{}, rest, std::min(part_bytes, rest.size()));
      stage.accept(rest.first(end), take);
      rest = rest.subspan(end);
    }
    stage.finish(take);
    return lines;
  }

  static std::string sorted_by_bytes(const std::string& lines) {
    auto records = records_of(Layout{}, lines);
    std::ranges::sort(records);
    return joined(records);
  }

  void expect_order(const Format& format, std::size_t part_bytes, std::size_t memory_bytes, std::size_t count) {
    expect_order(format, part_bytes, memory_bytes, draw_lines(count));
  }

  void expect_order(const Format& format, std::size_t part_bytes, std::size_t memory_bytes, const std::string& lines) {
    const RecordCodec codec(format, false);
    const std::string in_order = expected(codec, lines);
    EXPECT_TRUE(pass(codec, sorted_by_bytes(encoded(codec, lines)), part_bytes, memory_bytes) == in_order);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(TieStageTest, OrdersHoweverPartsAreCut) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const std::vector<std::vector<std::string>> orders = {{}, {"1,1"}, {"1,1r", "2,2"}, {"2,2n", "1,1f", "3,3"}};
  with_threads(4, [&] {
    for (std::size_t i = 0; i < orders.size(); ++i) {
      for (const std::size_t part_bytes : {1, 300, 1 << 20}) {
        SCOPED_TRACE("order " + std::to_string(i) + ", parts of " + std::to_string(part_bytes));
        expect_order(collated(orders[i]), part_bytes, kMuchMemory, 3000);
      }
    }
  });
}

TEST_F(TieStageTest, SpillsTiesThatAreLargerThanMemory) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  for (const std::size_t memory_bytes : {1, 200, 4000}) {
    SCOPED_TRACE("memory of " + std::to_string(memory_bytes));
    expect_order(collated({}), 5000, memory_bytes, 3000);
    expect_order(collated({"1,1", "2,2r"}), 5000, memory_bytes, 3000);
  }
}

TEST_F(TieStageTest, SpillsLinesThatComeAgainAndAgain) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  std::string same;
  for (int i = 0; i < 1000; ++i) same += "a b\n";
  // The other lines belong to the same tie, but have other texts.
  for (const char* others : turns_of({"", "A b\n", "a b x\na b \n", "-a b\na b\nA b\n"})) {
    for (const std::size_t memory_bytes : {std::size_t{1}, std::size_t{4000}, kMuchMemory}) {
      SCOPED_TRACE("others " + std::string(others) + ", memory of " + std::to_string(memory_bytes));
      for (const std::string& lines : {same + others, others + same, same + others + same}) {
        expect_order(collated({}), 5000, memory_bytes, lines);
        expect_order(collated({"1,1"}), 5000, memory_bytes, lines);
        expect_order(collated({"1,1", "2,2r"}), 5000, memory_bytes, lines);
      }
    }
  }
}

TEST_F(TieStageTest, KeepsTheOrderOfLinesThatAreEqual) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  Format format = collated({"1,1"});
  format.text.last_resort = false;
  for (const std::size_t memory_bytes : {std::size_t{500}, kMuchMemory}) expect_order(format, 700, memory_bytes, 2000);
}

TEST(StableMergeSort, EndsSoonWhenItIsStopped) {
  for (const int last_call : {100, 200'000}) {
    std::vector<unsigned> values(50'000);
    std::mt19937 random(3);
    for (unsigned& value : values) value = static_cast<unsigned>(random());
    std::stop_source stop;
    std::atomic<int> calls = 0;
    ThreadTeam team(2, stop.get_token());
    team.run([&] {
      const auto is_less = [&](unsigned a, unsigned b) {
        if (++calls == last_call) stop.request_stop();
        return a < b;
      };
      EXPECT_THROW(stable_merge_sort(std::span(values), is_less), Stopped);
    });
    EXPECT_LT(calls, last_call + 100);
  }
}

}  // namespace
}  // namespace sortie
