#include "table/column_pool.hpp"

#include <new>

namespace sortie::table {
namespace {

std::size_t memory_of_column(ColumnData& column) {
  std::size_t bytes = 0;
  for_each_buffer({&column, 1}, [&](const ByteBuffer& buffer) { bytes += buffer.capacity(); });
  return bytes;
}

}  // namespace

ColumnData ColumnPool::take(std::size_t number, const TableType& type) {
  ColumnData column;
  {
    const std::scoped_lock lock(mutex_);
    if (free_[number].empty()) return empty_column(type);
    column = std::move(free_[number].back());
    free_[number].pop_back();
    free_bytes_ -= memory_of_column(column);
  }
  clear_column(type, column);
  return column;
}

std::shared_ptr<const ColumnData> ColumnPool::share(std::size_t number, ColumnData column) {
  return {new ColumnData(std::move(column)), [pool = weak_from_this(), number](ColumnData* given) {
            const std::unique_ptr<ColumnData> back(given);
            if (const std::shared_ptr<ColumnPool> there = pool.lock()) there->give_back(number, std::move(*back));
          }};
}

void ColumnPool::give_back(std::size_t number, ColumnData column) noexcept {
  const std::size_t bytes = memory_of_column(column);
  const std::scoped_lock lock(mutex_);
  if (bytes > most_free_bytes_ - free_bytes_) return;
  try {
    free_[number].push_back(std::move(column));
  } catch (const std::bad_alloc&) {
    return;  // it is freed
  }
  free_bytes_ += bytes;
}

}  // namespace sortie::table
