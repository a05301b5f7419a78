// The parts of an array that came through the Arrow C data interface. An index counts from the array's offset; a
// position is where that is in the buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "base/bytes.hpp"
#include "table/column_data.hpp"
#include "table/column_errors.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

inline const std::byte* buffer_of(const ArrowArray& array, std::size_t number) {
  return static_cast<const std::byte*>(array.buffers[number]);
}

/// The bitmap of what is valid; null if all is.
inline const std::byte* validity_of(const TableType& type, const ArrowArray& array) {
  return type.has_validity() && array.null_count != 0 ? buffer_of(array, 0) : nullptr;
}

/// The bitmap of the rows of a batch that are not null themselves; null if none is.
inline const std::byte* validity_of_rows(const ArrowArray& batch) {
  return batch.null_count != 0 && batch.n_buffers > 0 ? buffer_of(batch, 0) : nullptr;
}

/// Reads one value of bytes after the other.
template <class Offset>
class OffsetTexts {
 public:
  explicit OffsetTexts(const ArrowArray& array)
      : offsets_(buffer_of(array, 1)), bytes_(reinterpret_cast<const char*>(buffer_of(array, 2))) {}

  std::string_view operator()(std::int64_t position) const {
    const auto begin = load_as<Offset>(offsets_ + static_cast<std::size_t>(position) * sizeof(Offset));
    const auto end = load_as<Offset>(offsets_ + static_cast<std::size_t>(position + 1) * sizeof(Offset));
    return {bytes_ + begin, static_cast<std::size_t>(end - begin)};
  }

 private:
  const std::byte* offsets_;
  const char* bytes_;
};

class ViewTexts {
 public:
  explicit ViewTexts(const ArrowArray& array) : views_(buffer_of(array, 1)), buffers_(array.buffers + 2) {}

  std::string_view operator()(std::int64_t position) const {
    const std::byte* const view = views_ + static_cast<std::size_t>(position) * ByteView::kBytes;
    const std::byte* const bytes =
        ByteView::is_inline(view)
            ? ByteView::inline_bytes(view)
            : static_cast<const std::byte*>(buffers_[ByteView::buffer(view)]) + ByteView::offset(view);
    return {reinterpret_cast<const char*>(bytes), ByteView::length(view)};
  }

 private:
  const std::byte* views_;
  const void** buffers_;
};

/// Bytes of the buffers that the views of an array point to.
inline std::vector<std::int64_t> view_buffer_bytes(const ArrowArray& array) {
  const std::byte* const sizes = buffer_of(array, static_cast<std::size_t>(array.n_buffers - 1));
  std::vector<std::int64_t> bytes;
  for (std::size_t i = 2; i + 1 < static_cast<std::size_t>(array.n_buffers); ++i) {
    const bool is_there = sizes != nullptr && array.buffers[i] != nullptr;
    const auto size = is_there ? load_as<std::int64_t>(sizes + (i - 2) * sizeof(std::int64_t)) : 0;
    bytes.push_back(size < 0 ? 0 : size);
  }
  return bytes;
}

/// Calls visit() with what reads the values of an array of a type that holds bytes of any length.
template <class Visit>
void visit_texts(const TableType& type, const ArrowArray& array, const Visit& visit) {
  if (type.storage == Storage::kBinaryView) return visit(ViewTexts(array));
  if (type.width == sizeof(std::int32_t)) return visit(OffsetTexts<std::int32_t>(array));
  visit(OffsetTexts<std::int64_t>(array));
}

/// Values of an array, by their indexes.
struct IndexRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// An offset, size or index of the type's width at a position of a buffer.
inline std::int64_t integer_at(const TableType& type, const ArrowArray& array, std::size_t buffer,
                               std::int64_t position) {
  return load_integer(buffer_of(array, buffer) + static_cast<std::size_t>(position) * type.width, type.width, true);
}

/// Where the elements of a list are in its child.
inline IndexRange list_extent(const TableType& type, const ArrowArray& array, std::int64_t position) {
  const std::int64_t first = integer_at(type, array, 1, position);
  if (type.storage == Storage::kListView) return {first, integer_at(type, array, 2, position)};
  return {first, integer_at(type, array, 1, position + 1) - first};
}

/// Where the values of texts and lists lie that offsets lead to, in their bytes or child. Offsets do not fall.
inline IndexRange between_offsets(const TableType& type, const ArrowArray& array, const IndexRange& range) {
  if (buffer_of(array, 1) == nullptr) return {};  // all are null
  const std::int64_t position = array.offset + range.first;
  const std::int64_t first = integer_at(type, array, 1, position);
  return {first, integer_at(type, array, 1, position + range.count) - first};
}

/// The child that the type id at a position of a union means; -1 if it means none.
inline int child_at(const TableType& type, const ArrowArray& array, std::int64_t position) {
  const auto id = load_as<std::uint8_t>(buffer_of(array, 0) + position);
  return id < type.child_of_id.size() ? type.child_of_id[id] : -1;
}

/// The same. Throws Error if it means none.
inline std::size_t known_child_at(const TableType& type, const ArrowArray& array, std::int64_t position) {
  const int child = child_at(type, array, position);
  if (child >= 0) return static_cast<std::size_t>(child);
  refuse_damaged("a value of a " + type.shown() + " has the type id " +
                 std::to_string(load_as<std::uint8_t>(buffer_of(array, 0) + position)) +
                 ", which is none of its children");
}

/// The index of the value in that child.
inline std::int64_t index_in_child(const TableType& type, const ArrowArray& array, std::int64_t position) {
  if (type.storage == Storage::kSparseUnion) return position;
  return load_as<std::int32_t>(buffer_of(array, 1) + position * std::int64_t{sizeof(std::int32_t)});
}

/// The index in the values of a dictionary that stands at a position; as it came, that is perhaps one that is none.
inline std::uint64_t dictionary_index(const TableType& type, const ArrowArray& array, std::int64_t position) {
  return load_little(buffer_of(array, 1) + static_cast<std::size_t>(position) * type.width, type.width);
}

/// Finds which of the runs an index is in; indexes may only grow from call to call, or begin again.
class RunWalk {
 public:
  RunWalk(const TableType& type, const ArrowArray& array)
      : type_(type), ends_(*array.children[0]), offset_(array.offset) {}

  /// The number of the run, as an index of the child that holds the values.
  std::int64_t operator()(std::int64_t index) {
    const std::int64_t position = offset_ + index;
    const bool is_before = run_ < 0 || (run_ > 0 && end_of(run_ - 1) > position);
    if (is_before) {
      run_ = 0;
      for (std::int64_t last = ends_.length - 1; run_ < last;) {
        const std::int64_t middle = run_ + (last - run_) / 2;
        if (end_of(middle) <= position) {
          run_ = middle + 1;
        } else {
          last = middle;
        }
      }
    }
    while (run_ < ends_.length - 1 && end_of(run_) <= position) ++run_;
    return run_;
  }

  /// The position behind the last value of a run.
  std::int64_t end_of(std::int64_t run) const { return integer_at(type_, ends_, 1, ends_.offset + run); }

 private:
  const TableType& type_;
  const ArrowArray& ends_;
  const std::int64_t offset_;
  std::int64_t run_ = -1;
};

}  // namespace sortie::table
