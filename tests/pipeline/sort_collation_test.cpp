// Whole sorts in a locale. The order is that of strcoll(), and the locale is the one that was set at the start.
#include <locale.h>

#include <atomic>
#include <random>
#include <span>
#include <thread>

#include <sortie/sorter.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/sort_support.hpp"
#include "record/collation/collated_text.hpp"
#include "record/record_scan.hpp"
#include "support/in_locale.hpp"

namespace sortie {
namespace {

using namespace test;

std::string draw_collated_lines(std::size_t count) {
  static const std::vector<std::string> kParts{"1", "a", "A", ":", "-", " ", "b", "ñ", "é", "e\u0301", "😀"};
  std::mt19937 random(20282);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    for (auto parts = 1 + random() % 5; parts > 0; --parts) lines += kParts[random() % kParts.size()];
    lines += '\n';
  }
  return lines;
}

std::string collated(const std::string& lines, const LocaleHandle& locale, bool unique) {
  auto records = records_of(Layout{}, lines);
  const auto compare = [&](std::string_view a, std::string_view b) {
    return compare_collated(locale, a.substr(0, a.size() - 1), b.substr(0, b.size() - 1));
  };
  std::ranges::stable_sort(records, [&](std::string_view a, std::string_view b) { return compare(a, b) < 0; });
  if (unique) {
    const auto same = [&](std::string_view a, std::string_view b) { return compare(a, b) == 0; };
    records.erase(std::unique(records.begin(), records.end(), same), records.end());
  }
  return joined(records);
}

Format locale_format() {
  Format format;
  format.text.locale = true;
  return format;
}

class SortCollation : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SortCollation, IsThatOfStrcoll) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const std::string lines = draw_collated_lines(40'000);
  for (const bool unique : {false, true}) {
    SortForTest job(locale_format(), {lines});
    job.options.memory_bytes = GetParam();
    job.options.unique = unique;
    job.run();
    EXPECT_TRUE(job.output() == collated(lines, LocaleHandle::current(), unique));
  }
}

TEST_P(SortCollation, GivesTheFirstLines) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const std::string lines = draw_collated_lines(20'000);
  SortForTest job(locale_format(), {lines});
  job.options.memory_bytes = GetParam();
  job.options.top_records = 37;
  job.run();
  const std::string all = collated(lines, LocaleHandle::current(), false);
  EXPECT_EQ(job.output(), all.substr(0, first_records(Layout{}, as_bytes(all), 37)));
}

TEST_P(SortCollation, MergesWhatIsInOrder) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const LocaleHandle handle = LocaleHandle::current();
  const std::string first = draw_collated_lines(9000);
  const std::string second = draw_collated_lines(4000);
  SortForTest job(locale_format(), {collated(first, handle, false), collated(second, handle, false)});
  job.options.memory_bytes = GetParam();
  job.options.merge_only = true;
  job.run();
  EXPECT_TRUE(job.output() == collated(first + second, handle, false));
}

// As in GNU sort, the least of the next lines of all inputs comes next, even among lines that the first level of
// weights does not tell apart.
TEST_P(SortCollation, MergesWhatIsNotInOrderAsItStands) {
  const InLocale locale("en_US.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  for (const bool unique : {false, true}) {
    SortForTest job(locale_format(), {"a\nA\nA\na\nb\n", "á\na\n"});
    job.options.memory_bytes = GetParam();
    job.options.merge_only = true;
    job.options.unique = unique;
    const SortReport report = job.run();
    EXPECT_EQ(job.output(), unique ? "a\nA\na\ná\na\nb\n" : "a\nA\nA\na\ná\na\nb\n");
    EXPECT_EQ(report.scratch_peak_bytes, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, SortCollation, testing::Values(kMinMemoryBytes, 64 << 20));

TEST(SortLocale, IsThatOfTheThread) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const LocaleHandle spanish = LocaleHandle::current();
  std::setlocale(LC_ALL, "C");
  const std::string lines = draw_collated_lines(30'000);
  ::uselocale(spanish.get());
  for (const unsigned threads : {1U, 4U}) {
    SortForTest job(locale_format(), {lines});
    job.options.threads = threads;
    job.run();
    EXPECT_TRUE(job.output() == collated(lines, spanish, false)) << threads << " threads";
  }
  SortOptions options;
  options.format = locale_format();
  Sorter sorter(options);  // its sort runs on another thread
  ::uselocale(LC_GLOBAL_LOCALE);
  sorter.push(std::as_bytes(std::span(lines)));
  std::string sorted;
  for (auto part = sorter.pull(); !part.empty(); part = sorter.pull()) {
    sorted.append(reinterpret_cast<const char*>(part.data()), part.size());
  }
  EXPECT_TRUE(sorted == collated(lines, spanish, false));
}

TEST(SortLocale, StaysWhatItWasAtTheStart) {
  const InLocale locale("es_ES.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "a locale is missing: run tools/setup";
  const LocaleHandle spanish = LocaleHandle::current();
  const std::string lines = draw_collated_lines(60'000);
  SortForTest job(locale_format(), {lines});
  job.options.memory_bytes = 1 << 20;
  // The sort uses this thread's locale, while others change that of the process all the time.
  ::uselocale(spanish.get());
  std::atomic<bool> done = false;
  std::thread changing([&] {
    for (bool c = true; !done; c = !c) std::setlocale(LC_ALL, c ? "C" : "es_ES.UTF-8");
  });
  job.run();
  done = true;
  changing.join();
  ::uselocale(LC_GLOBAL_LOCALE);
  EXPECT_TRUE(job.output() == collated(lines, spanish, false));
}

}  // namespace
}  // namespace sortie
