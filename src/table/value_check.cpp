#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "table/array_parts.hpp"
#include "table/batch_check.hpp"
#include "table/column_errors.hpp"

namespace sortie::table {
namespace {

constexpr std::size_t kValuesOfTurn = 1 << 16;

/// Widens a range until `other` is in it.
void widen(IndexRange& range, const IndexRange& other) {
  if (other.count == 0) return;
  const std::int64_t end = range.count == 0 ? other.first : range.first + range.count;
  range.first = range.count == 0 ? other.first : std::min(range.first, other.first);
  range.count = std::max(end, other.first + other.count) - range.first;
}

/// Whether some of `count` + 1 offsets is negative or less than the one before. It has no branch, so that it takes no
/// more time than the memory.
template <class Offset>
bool has_falling_offset(const std::byte* offsets, std::size_t count) {
  Offset falls = load_as<Offset>(offsets) < 0 ? 1 : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = load_as<Offset>(offsets + i * sizeof(Offset));
    const auto end = load_as<Offset>(offsets + (i + 1) * sizeof(Offset));
    falls |= static_cast<Offset>(end < begin ? 1 : 0);
  }
  return falls != 0;
}

bool leads_out(const std::byte* view, const std::vector<std::int64_t>& buffer_bytes) {
  if (ByteView::is_inline(view)) return false;
  const std::uint32_t length = ByteView::length(view);
  const std::uint32_t buffer = ByteView::buffer(view);
  // As a signed number it would be negative.
  if (length > INT32_MAX || buffer >= buffer_bytes.size()) return true;
  return std::int64_t{ByteView::offset(view)} + length > buffer_bytes[buffer];
}

class ValueCheck {
 public:
  /// Whether something may be null that the schema declares not null: a look at each value tells.
  bool may_have_null() const { return may_have_null_; }

  void check(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    if (range.count == 0) return;
    if (!type.is_nullable) may_have_null_ = may_have_null_ || has_null(type, array, range.first, range.count);
    switch (type.storage) {
      case Storage::kNull:
      case Storage::kBits:
      case Storage::kFixed:
        return;
      case Storage::kBinary:
        return texts(type, array, range);
      case Storage::kBinaryView:
        return views(type, array, range);
      case Storage::kList:
        offsets(type, array, range);
        return check(type.children[0], *array.children[0], between_offsets(type, array, range));
      case Storage::kListView:
        return list_views(type, array, range);
      case Storage::kFixedList:
        return check(type.children[0], *array.children[0],
                     {(array.offset + range.first) * type.list_size, range.count * type.list_size});
      case Storage::kStruct:
      case Storage::kSparseUnion:
        return children(type, array, {array.offset + range.first, range.count});
      case Storage::kDenseUnion:
        return dense_union(type, array, range);
      case Storage::kRunEnd:
        return runs(type, array, range);
      case Storage::kDictionary:
        return check(type.children[0], *array.dictionary, {0, array.dictionary->length});
    }
  }

 private:
  void children(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    for (std::size_t i = 0; i < type.children.size(); ++i) check(type.children[i], *array.children[i], range);
  }

  static void texts(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    offsets(type, array, range);
    const bool has_bytes = between_offsets(type, array, range).count > 0;
    if (has_bytes && array.buffers[2] == nullptr) refuse_damaged("values of a " + type.shown() + " have no bytes");
  }

  static void offsets(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    const std::byte* const buffer = buffer_of(array, 1);
    if (buffer == nullptr) return;  // all are null
    const std::byte* const begin_of_all = buffer + static_cast<std::size_t>(array.offset + range.first) * type.width;
    const auto count = static_cast<std::size_t>(range.count);
    parallel_for_ranges(0, count, kValuesOfTurn, [&](std::size_t begin, std::size_t end) {
      const std::byte* const first = begin_of_all + begin * type.width;
      const bool falls = type.width == sizeof(std::int64_t) ? has_falling_offset<std::int64_t>(first, end - begin)
                                                            : has_falling_offset<std::int32_t>(first, end - begin);
      if (falls) refuse_damaged("offsets of a " + type.shown() + " fall");
    });
  }

  static void views(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    const std::byte* const all = buffer_of(array, 1);
    if (all == nullptr) return;
    const std::vector<std::int64_t> buffer_bytes = view_buffer_bytes(array);
    const std::byte* const valid = validity_of(type, array);
    const auto first = static_cast<std::size_t>(array.offset + range.first);
    parallel_for_ranges(first, first + static_cast<std::size_t>(range.count), kValuesOfTurn,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t position = begin; position < end; ++position) {
                            if (!leads_out(all + position * ByteView::kBytes, buffer_bytes)) [[likely]]
                              continue;
                            if (valid != nullptr && !bit_at(valid, static_cast<std::int64_t>(position))) continue;
                            refuse_damaged("a value of a " + type.shown() + " leads out of its buffers");
                          }
                        });
  }

  void list_views(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    if (array.buffers[1] == nullptr) return;
    const std::byte* const valid = validity_of(type, array);
    const ArrowArray& child = *array.children[0];
    IndexRange used;
    for (std::int64_t i = 0; i < range.count; ++i) {
      const std::int64_t position = array.offset + range.first + i;
      if (valid != nullptr && !bit_at(valid, position)) continue;
      const IndexRange extent = list_extent(type, array, position);
      if (extent.count == 0) continue;
      if (extent.count < 0 || extent.first < 0 || extent.first > child.length - extent.count) {
        refuse_damaged("a value of a " + type.shown() + " leads out of its elements");
      }
      widen(used, extent);
    }
    check(type.children[0], child, used);
  }

  void dense_union(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    std::vector<IndexRange> used(type.children.size());
    for (std::int64_t i = 0; i < range.count; ++i) {
      const std::int64_t position = array.offset + range.first + i;
      const std::size_t child = known_child_at(type, array, position);
      const std::int64_t index = index_in_child(type, array, position);
      if (index < 0 || index >= array.children[child]->length) {
        refuse_damaged("a value of a " + type.shown() + " leads out of its child");
      }
      widen(used[child], {index, 1});
    }
    for (std::size_t i = 0; i < used.size(); ++i) check(type.children[i], *array.children[i], used[i]);
  }

  void runs(const TableType& type, const ArrowArray& array, const IndexRange& range) {
    RunWalk walk(type, array);
    const std::int64_t begin = array.offset + range.first;
    const std::int64_t first = walk(range.first);
    std::int64_t run = first;
    for (std::int64_t before = begin; before < begin + range.count; ++run) {
      if (run == array.children[0]->length) {
        refuse_damaged("the runs of a " + type.shown() + " end before its values");
      }
      const std::int64_t end = walk.end_of(run);
      if (end <= before) refuse_damaged("run ends of a " + type.shown() + " fall");
      before = end;
    }
    // Rows are searched for anywhere in the range: all searches end in it if those for its ends do.
    if (RunWalk(type, array)(range.first + range.count - 1) != run - 1)
      refuse_damaged("run ends of a " + type.shown() + " fall");
    check(type.children[1], *array.children[1], {first, run - first});
  }

  bool may_have_null_ = false;
};

}  // namespace

void check_values(const TableSchema& schema, const ArrowArray& batch) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const TableType& type = schema.columns[i];
    const ArrowArray& array = *batch.children[i];
    work_on_column(schema.names[i], [&] {
      ValueCheck column;
      column.check(type, array, {batch.offset, batch.length});
      const bool has_null_row = !type.is_nullable && validity_of_rows(batch) != nullptr;
      if (has_null_row || column.may_have_null()) check_nulls(type, batch, array);
    });
  }
}

}  // namespace sortie::table
