// Lines in the worst order for the quicksort of entries. An adversary made it up against this very sort without the
// bound on its depth. The sort must take no longer than for another order, and must not crash.
#include <gtest/gtest.h>

#include <cstdio>

#include "entries/parallel_quicksort.hpp"
#include "pipeline/sort_support.hpp"
#include "record/record_scan.hpp"
#include "support/killer_adversary.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr QuicksortEnd kNoBound{kQuicksortTaskItems, ~0U};
constexpr std::size_t kDeepStackBytes = 256 << 20;

std::uint32_t line_count() { return static_cast<std::uint32_t>(150'000 / turn_step()); }

std::vector<std::uint32_t> worst_order() {
  KillerAdversary adversary(line_count());
  run_on_large_stack(kDeepStackBytes, [&] {
    std::vector<std::uint32_t> items = adversary.items();
    const auto less = [&](std::uint32_t a, std::uint32_t b) { return adversary.less(a, b); };
    const auto leave = [](std::span<std::uint32_t>) {};
    ThreadTeam(1).run([&] { parallel_quicksort(std::span(items), less, leave, kNoBound); });
  });
  return adversary.values();
}

// Lines with the same first word, so that they are tied and the next word orders them. The first line is sampled, so
// that the word is not taken for one that all lines share.
std::string tied_lines(const std::vector<std::uint32_t>& values) {
  std::string lines = "B\n";
  char line[32];
  for (const std::uint32_t value : values) {
    lines.append(line, static_cast<std::size_t>(std::snprintf(line, sizeof line, "AAAAAAAA%08x\n", value)));
  }
  return lines;
}

TEST(SortHostileOrder, SurvivesLinesInTheWorstOrderForItsQuicksort) {
  SortForTest job(parse_format("lines"), {tied_lines(worst_order())});
  job.options.memory_bytes = 1 << 30;  // enough to sort all lines as one bucket
  job.run();
  EXPECT_TRUE(job.output() == job.expected());

  job.options.unique = true;
  job.options.top_records = line_count() / 2;
  job.run();
  EXPECT_EQ(count_records(layout_of(job.options.format), as_bytes(job.output())), line_count() / 2);
  EXPECT_TRUE(job.expected().starts_with(job.output()));
}

}  // namespace
}  // namespace sortie
