// The parts of an array that came through the Arrow C data interface. An index counts from the array's offset; a
// position is where that is in the buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "base/bytes.hpp"
#include "table/byte_view.hpp"
#include "table/column_data.hpp"
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
  if (type.storage == Storage::kBinary) return visit(OffsetTexts<std::int32_t>(array));
  if (type.storage == Storage::kLargeBinary) return visit(OffsetTexts<std::int64_t>(array));
  visit(ViewTexts(array));
}

/// Where the elements of a list are in its child, as an index there.
struct ListExtent {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

template <class Offset>
ListExtent list_extent_as(const TableType& type, const ArrowArray& array, std::int64_t position) {
  const bool is_view = type.storage == Storage::kListView || type.storage == Storage::kLargeListView;
  const auto at = static_cast<std::size_t>(position) * sizeof(Offset);
  const auto first = load_as<Offset>(buffer_of(array, 1) + at);
  if (is_view) return {first, load_as<Offset>(buffer_of(array, 2) + at)};
  return {first, load_as<Offset>(buffer_of(array, 1) + at + sizeof(Offset)) - first};
}

inline ListExtent list_extent(const TableType& type, const ArrowArray& array, std::int64_t position) {
  return type.width == 8 ? list_extent_as<std::int64_t>(type, array, position)
                         : list_extent_as<std::int32_t>(type, array, position);
}

/// The index in the values of a dictionary that stands at a position; as it came, that is perhaps one that is none.
inline std::uint64_t dictionary_index(const TableType& type, const ArrowArray& array, std::int64_t position) {
  const std::byte* const at = buffer_of(array, 1) + static_cast<std::size_t>(position) * type.width;
  return load_little(at, type.width);
}

/// Finds which of the runs an index is in; indexes may only grow from call to call, or begin again.
class RunWalk {
 public:
  RunWalk(const TableType& type, const ArrowArray& array)
      : ends_(*array.children[0]), width_(type.width), offset_(array.offset) {}

  /// The number of the run, as an index of the child that holds the values.
  std::int64_t operator()(std::int64_t index) {
    const std::int64_t position = offset_ + index;
    const bool is_before = run_ < 0 || (run_ > 0 && end_of(run_ - 1) > position);
    if (is_before) run_ = search(position);
    while (run_ < ends_.length - 1 && end_of(run_) <= position) ++run_;
    return run_;
  }

 private:
  std::int64_t end_of(std::int64_t run) const {
    return load_integer(buffer_of(ends_, 1) + static_cast<std::size_t>(ends_.offset + run) * width_, width_, true);
  }

  std::int64_t search(std::int64_t position) const {
    std::int64_t low = 0;
    std::int64_t high = ends_.length - 1;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (end_of(middle) <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  const ArrowArray& ends_;
  const std::size_t width_;
  const std::int64_t offset_;
  std::int64_t run_ = -1;
};

}  // namespace sortie::table
