#include "table/held_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/column_errors.hpp"
#include "table/column_rows.hpp"
#include "table/held_columns.hpp"
#include "table/key_places.hpp"

namespace sortie::table {
namespace {

/// As many values as threads should work on at once.
constexpr std::size_t kValuesOfRange = 1 << 16;

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
  std::uint64_t memory = static_cast<std::uint64_t>(batch.length) * kBytesOfPlace;
  for (std::size_t i = 0; i < columns_.size() && memory <= plan_.held.most; ++i) {
    memory += held_bytes(plan_.schema.columns[i], *batch.children[i], batch.offset, batch.length);
  }
  return memory;
}

bool HeldRows::has_room_for(const ArrowArray& batch) {
  const std::uint64_t wanted = memory_ + memory_of(batch);
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

void HeldRows::sort() {
  totals_.emplace(plan_.sort);
  place_memory_ = MemoryRegion(count_ * sizeof(std::int64_t));
  const std::span<std::int64_t> places(reinterpret_cast<std::int64_t*>(place_memory_.data()), count_);
  sort_places(key_, columns_[key_.column], places,
              {.descending = false, .threads = plan_.sort.threads, .stop = plan_.sort.stop});
  places_ = places;
}

SortedRows HeldRows::next(const BatchLimit& limit) {
  SortedRows rows;
  const std::span<const std::int64_t> places = next_places(limit);
  rows.count = places.size();
  if (places.empty()) {
    report_ = totals_->finish(count_, record_bytes_);
    columns_.clear();
    place_memory_ = {};
    return rows;
  }
  for (const TableType& type : plan_.schema.columns) rows.columns.push_back(empty_column(type));
  parallel_for_ranges(0, columns_.size(), grain_of(rows.count, columns_.size()), [&](std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      work_on_column(plan_.schema.names[i],
                     [&] { take_values(plan_.schema.columns[i], columns_[i], places, rows.columns[i]); });
    }
  });
  totals_->add(places, !plan_.sort.verify || are_in_order(rows.columns[key_.column], places));
  return rows;
}

/// Takes the next places off: of rows that fit as records; a batch takes its first one in any case.
std::span<const std::int64_t> HeldRows::next_places(const BatchLimit& limit) {
  const RowLayout& layout = plan_.layout;
  std::span<const std::int64_t> places = places_.first(std::min<std::uint64_t>(limit.rows, places_.size()));
  std::uint64_t bytes = 0;
  std::size_t fitting = 0;
  if (layout.is_fixed) {
    fitting = std::min<std::uint64_t>(places.size(), std::max<std::uint64_t>(limit.bytes / layout.record_bytes, 1));
    bytes = fitting * layout.record_bytes;
  } else {
    // The key is as long as the longest.
    const std::uint64_t least = PrefixedHeader::kBytes + 1 + key_.type->width + layout.cells_end;
    std::vector<std::uint64_t> sizes(std::min<std::uint64_t>(places.size(), limit.bytes / least + 1), least);
    places = places.first(sizes.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (plan_.schema.columns[i].is_text()) {
        add_text_bytes(plan_.schema.columns[i], columns_[i], places, sizes.data());
      }
    }
    while (fitting < sizes.size() && (fitting == 0 || bytes + sizes[fitting] <= limit.bytes)) bytes += sizes[fitting++];
  }
  record_bytes_ += bytes;
  places = places.first(fitting);
  places_ = places_.subspan(fitting);
  return places;
}

bool HeldRows::are_in_order(const ColumnData& keys, std::span<const std::int64_t> places) {
  bool in_order = true;
  visit_ranked_keys(key_, keys, [&](const auto& key_at) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RankedKey key = key_at(static_cast<std::int64_t>(i));
      in_order = in_order && (last_key_ < key || (last_key_ == key && last_place_ < places[i]));
      last_key_ = key;
      last_place_ = places[i];
    }
  });
  return in_order;
}

}  // namespace sortie::table
