#include "table/held_rows.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/column_errors.hpp"
#include "table/column_rows.hpp"
#include "table/held_columns.hpp"
#include "table/key_places.hpp"
#include "table/ranked_keys.hpp"

namespace sortie::table {
namespace {

/// As many values as threads should work on at once.
constexpr std::size_t kValuesOfRange = 1 << 16;

/// Rows with longer values than this on average are better moved as records: once, not twice.
constexpr std::uint64_t kLongValueBytes = 256;

/// More than any table may hold.
constexpr std::uint64_t kTooMuch = std::numeric_limits<std::uint32_t>::max();

/// Columns that one thread takes at once.
std::size_t grain_of(std::uint64_t rows, std::size_t columns) {
  return std::clamp<std::size_t>(kValuesOfRange / std::max<std::uint64_t>(rows, 1), 1,
                                 std::max<std::size_t>(columns, 1));
}

}  // namespace

HeldRows::HeldRows(const TablePlan& plan) : plan_(plan), key_(plan.layout.keys[0]), most_memory_(plan.held.surely) {
  for (const TableType& type : plan.schema.columns) columns_.push_back(empty_column(type));
}

std::uint64_t HeldRows::memory_of(const ArrowArray& batch) const {
  const auto rows = static_cast<std::uint64_t>(batch.length);
  std::uint64_t memory = 0;
  for (std::size_t i = 0; i < columns_.size() && memory <= plan_.held.most; ++i) {
    memory += held_bytes(plan_.schema.columns[i], *batch.children[i], batch.offset, batch.length);
  }
  const bool are_long = memory > rows * columns_.size() * kLongValueBytes + kLongValueBytes;
  return are_long ? kTooMuch : memory + rows * kBytesOfPlace;
}

bool HeldRows::has_room_for(const ArrowArray& batch) {
  const std::uint64_t wanted = memory_ + memory_of(batch);
  if (wanted > plan_.held.most) return false;
  if (wanted > most_memory_ && !std::exchange(knows_most_memory_, true)) {
    most_memory_ = held_memory(plan_.held, available_memory_bytes());
  }
  return wanted <= most_memory_;
}

void HeldRows::take(const ArrowArray& batch) {
  if (batch.length == 0) return;
  memory_ += memory_of(batch);
  const BatchRows rows{&batch, 0, static_cast<std::size_t>(batch.length)};
  parallel_for_ranges(0, columns_.size(), grain_of(rows.count, columns_.size()), [&](std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      work_on_column(plan_.schema.names[i], [&] { hold_values(plan_.schema.columns[i], rows, i, columns_[i]); });
    }
  });
  count_ += rows.count;
}

ArrowOwner<ArrowArray> HeldRows::release() {
  return export_batch(plan_.schema, std::move(columns_), static_cast<std::int64_t>(count_), {});
}

std::span<const std::int64_t> HeldRows::places() const {
  return {reinterpret_cast<const std::int64_t*>(places_.data()), count_};
}

void HeldRows::sort_places() {
  totals_.emplace(plan_.sort);
  places_ = MemoryRegion(count_ * sizeof(std::int64_t));
  const std::span<std::int64_t> places(reinterpret_cast<std::int64_t*>(places_.data()), count_);
  const ArgsortOptions options{.descending = false, .threads = plan_.sort.threads, .stop = plan_.sort.stop};
  table::sort_places(key_, columns_[key_.column], places, options);
}

/// Long columns one by one, so that each stays in the cache while all threads read it at random places.
void HeldRows::take_places() {
  sorted_.resize(columns_.size());
  const std::size_t grain = count_ > kValuesOfRange ? columns_.size() : grain_of(count_, columns_.size());
  parallel_for_ranges(0, columns_.size(), grain, [&](std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      throw_if_stopped();
      ColumnData taken = taken_column(plan_.schema.columns[i], columns_[i], places());
      sorted_[i] = std::make_shared<const ColumnData>(std::move(taken));
      columns_[i] = {};
    }
  });
  totals_->add(places(), !plan_.sort.verify || are_in_order());
  columns_.clear();
  places_ = {};
}

bool HeldRows::are_in_order() const {
  std::uint64_t falls = 0;
  visit_ranked_keys(key_, *sorted_[key_.column], [&](const auto& key_at) {
    const auto count_falls = [&](std::size_t i, std::uint64_t so_far) {
      const RankedKey before = key_at(static_cast<std::int64_t>(i));
      const RankedKey behind = key_at(static_cast<std::int64_t>(i + 1));
      const bool rises = before < behind || (before == behind && places()[i] < places()[i + 1]);
      return so_far + (rises ? 0 : 1);
    };
    falls = parallel_reduce(std::max<std::uint64_t>(count_, 1) - 1, std::uint64_t{0}, count_falls, std::plus<>());
  });
  return falls == 0;
}

ArrowOwner<ArrowArray> HeldRows::next(const BatchLimit& limit) {
  const std::size_t rows = fitting_rows(limit);
  if (rows == 0) {
    if (!std::exchange(is_reported_, true)) report_ = totals_->finish(count_, record_bytes_);
    return {};
  }
  const std::uint64_t first = std::exchange(given_, given_ + rows);
  return export_rows(plan_.schema, sorted_, static_cast<std::int64_t>(first), static_cast<std::int64_t>(rows));
}

/// Rows that fit as records; a batch takes its first one in any case.
std::size_t HeldRows::fitting_rows(const BatchLimit& limit) {
  const RowLayout& layout = plan_.layout;
  const std::uint64_t rows = std::min(limit.rows, count_ - given_);
  if (layout.is_fixed) {
    const std::uint64_t fitting = std::min(rows, std::max<std::uint64_t>(limit.bytes / layout.record_bytes, 1));
    record_bytes_ += fitting * layout.record_bytes;
    return fitting;
  }
  // Texts are counted by their length, keys by that of the longest.
  const std::uint64_t least = PrefixedHeader::kBytes + 1 + key_.type->width + layout.cells_end;
  std::vector<std::uint64_t> sizes(std::min(rows, limit.bytes / least + 1), least);
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    const TableType& type = plan_.schema.columns[i];
    if (type.is_text()) add_text_bytes(type, *sorted_[i], given_, sizes);
  }
  std::uint64_t bytes = 0;
  std::size_t fitting = 0;
  while (fitting < sizes.size() && (fitting == 0 || bytes + sizes[fitting] <= limit.bytes)) bytes += sizes[fitting++];
  record_bytes_ += bytes;
  return fitting;
}

}  // namespace sortie::table
