// How much memory a table takes that does not fit in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "support/resident_bytes.hpp"
#include "support/sanitized.hpp"
#include "table/table_support.hpp"

namespace sortie::test {
namespace {

constexpr int kBatches = 120;
constexpr std::int64_t kBatchRows = 2000;

HandBuilt batch_of_long_texts(std::mt19937_64& random) {
  std::vector<std::optional<std::int64_t>> keys;
  Texts texts;
  for (std::int64_t i = 0; i < kBatchRows; ++i) {
    keys.emplace_back(static_cast<std::int64_t>(random()));
    texts.emplace_back(std::string(1000, static_cast<char>('a' + random() % 26)));
  }
  return batch_of({int64_column("key", keys), text_column("text", "u", texts)});
}

TEST_F(TableTest, RowsThatDoNotFitStayWithinTheMemoryTheyAreGiven) {
  options_.keys = {{"key"}};
  options_.sort.memory_bytes = 16 << 20;
  options_.sort.compression = Compression::kNone;
  std::mt19937_64 random(9);
  const HandBuilt built = batch_of_long_texts(random);
  const std::uint64_t before = resident_bytes();
  std::uint64_t most = before;
  TableSorter sorter(*schema_of(built), options_);
  for (int i = 0; i < kBatches; ++i) {
    ArrowArray batch = array_of(built);
    sorter.push(&batch);
    most = std::max(most, resident_bytes());
  }
  std::int64_t rows = 0;
  for (ArrowArray batch{}; sorter.pull(&batch); batch.release(&batch)) {
    rows += batch.length;
    most = std::max(most, resident_bytes());
  }
  EXPECT_EQ(rows, kBatches * kBatchRows);
  EXPECT_GT(sorter.report().runs_spilled, 1u);
  if (!kSanitized) {
    EXPECT_LT(most - before, (16U << 20) + (64U << 20));
  }
}

}  // namespace
}  // namespace sortie::test
