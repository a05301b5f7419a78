// Memory of columns that were given up is used again, up to a limit.
#include "table/column_pool.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace sortie::table {
namespace {

TableType type_of_numbers() {
  TableType type;
  type.storage = Storage::kFixed;
  type.width = 8;
  return type;
}

ColumnData filled(ColumnPool& pool, std::size_t number, std::size_t bytes) {
  ColumnData column = pool.take(number, type_of_numbers());
  EXPECT_EQ(column.length, 0);
  EXPECT_TRUE(column.values.empty());
  column.values.extend(bytes);
  column.length = static_cast<std::int64_t>(bytes / 8);
  return column;
}

TEST(ColumnPool, GivesMemoryAgainToTheSameColumnOnly) {
  const auto pool = std::make_shared<ColumnPool>(2, 1 << 20);
  auto shared = pool->share(1, filled(*pool, 1, 8000));
  const std::byte* const memory = shared->values.data();
  auto other = shared;
  shared.reset();
  EXPECT_EQ(pool->take(1, type_of_numbers()).values.capacity(), 0U) << "somebody has it";
  other.reset();
  EXPECT_EQ(pool->take(0, type_of_numbers()).values.capacity(), 0U);
  EXPECT_EQ(filled(*pool, 1, 8).values.data(), memory);
  EXPECT_EQ(pool->take(1, type_of_numbers()).values.capacity(), 0U) << "it was taken";
}

TEST(ColumnPool, KeepsNoMoreThanItMay) {
  const auto pool = std::make_shared<ColumnPool>(1, 10'000);
  std::vector<std::shared_ptr<const ColumnData>> columns;
  for (int i = 0; i < 3; ++i) columns.push_back(pool->share(0, filled(*pool, 0, 4000)));
  columns.clear();
  std::size_t kept = 0;
  while (pool->take(0, type_of_numbers()).values.capacity() > 0) ++kept;
  EXPECT_EQ(kept, 2U);
  pool->share(0, filled(*pool, 0, 20'000)).reset();
  EXPECT_EQ(pool->take(0, type_of_numbers()).values.capacity(), 0U);
}

TEST(ColumnPool, ColumnsOutliveItAndAreGivenBackByAnyThread) {
  auto pool = std::make_shared<ColumnPool>(1, 1 << 20);
  auto column = pool->share(0, filled(*pool, 0, 800));
  std::thread([given = std::move(column)]() mutable { given.reset(); }).join();
  EXPECT_GE(pool->take(0, type_of_numbers()).values.capacity(), 800U);
  column = pool->share(0, filled(*pool, 0, 800));
  pool.reset();
  EXPECT_EQ(column->length, 100);
}

}  // namespace
}  // namespace sortie::table
