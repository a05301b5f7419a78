#include "entries/part_maker.hpp"

#include <gtest/gtest.h>

#include "entries/refine_ties.hpp"

#include "entries/entries_of.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

std::vector<Entry> sorted_entries(const ChunkRecords& records) {
  std::vector<Entry> entries = entries_of(records, 0);
  sort_and_refine(records, entries, 0);
  return entries;
}

// Gathers all entries in parts of `part_bytes`.
std::vector<std::string> gather_parts(const ChunkRecords& records, std::span<const Entry> entries,
                                      std::uint64_t part_bytes) {
  std::vector<std::string> parts;
  while (!entries.empty()) {
    const GatherPlan plan = plan_part(records, entries, part_bytes);
    std::string& part = parts.emplace_back(plan.part_bytes, '?');
    gather_part(records, entries.first(plan.record_count), plan, as_writable(part));
    entries = entries.subspan(plan.record_count);
  }
  return parts;
}

TEST(Gather, CopiesRecordsInTheOrderOfTheirEntries) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 20'000);
  const RecordOrder order(format);
  const ChunkRecords records(order, as_bytes(bytes));
  const std::vector<Entry> entries = sorted_entries(records);
  for (const std::uint64_t part_bytes :
       {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{65'536}, ~std::uint64_t{0}}) {
    std::string all;
    for (const std::string& part : gather_parts(records, entries, part_bytes)) {
      EXPECT_TRUE(part.size() <= part_bytes || std::ranges::count(part, '\n') == 1) << part.size();
      all += part;
    }
    EXPECT_TRUE(all == stable_sorted(format, bytes)) << "parts of " << part_bytes;
  }
}

TEST(Gather, GivesALongRecordAPartAlone) {
  const std::string bytes = "a\n" + std::string(100, 'b') + "\nc\nd\n";
  const RecordOrder order(parsed("lines"));
  const ChunkRecords records(order, as_bytes(bytes));
  const std::vector<Entry> entries = sorted_entries(records);
  EXPECT_EQ(gather_parts(records, entries, 8),
            (std::vector<std::string>{"a\n", std::string(100, 'b') + "\n", "c\nd\n"}));
}

// Records may lie in a mapped file. Whoever changes it finds the sort in the middle of its work.
TEST(Gather, WritesNothingBeyondThePartIfRecordsHaveGrown) {
  std::string bytes;
  for (const char letter : {'c', 'a', 'b'}) bytes += std::string(300, letter) + "\n";
  const RecordOrder order(parsed("lines"));
  const ChunkRecords records(order, as_bytes(bytes));
  const std::vector<Entry> entries = sorted_entries(records);
  const GatherPlan plan = plan_part(records, entries, bytes.size());
  std::ranges::replace(bytes, '\n', 'x');  // each record goes on to the end now
  std::string part(plan.part_bytes + 100, '?');
  gather_part(records, entries, plan, as_writable(part).first(plan.part_bytes));
  EXPECT_EQ(part.substr(plan.part_bytes), std::string(100, '?'));
}

}  // namespace
}  // namespace sortie
