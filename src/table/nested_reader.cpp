#include <cstring>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "table/nested_values.hpp"

namespace sortie::table {
namespace {

class NestedReader {
 public:
  explicit NestedReader(const std::byte** cursors) : cursors_(cursors) {}

  void part(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    if (!type.has_validity()) return values(type, ranges, column);
    std::vector<ReadRange> kept(ranges.begin(), ranges.end());
    const std::int64_t length = column.length;
    const bool may_be_null = keeps_nulls(type);
    for (ReadRange& range : kept) {
      nulls(range, may_be_null, column);
      column.length += range.count;  // the bitmap goes by it
    }
    column.length = length;
    values(type, kept, column);
  }

  void values(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    own_values(type, ranges, column);
    if (type.storage == Storage::kRunEnd) return;  // counts as it goes
    for (const ReadRange& range : ranges) column.length += range.count;
  }

 private:
  /// The caller counts.
  void own_values(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    switch (type.storage) {
      case Storage::kNull:
        return;
      case Storage::kBits:
        return bits(ranges, column);
      case Storage::kFixed:
        return fixed(type, ranges, column);
      case Storage::kDictionary:
        return numbers(type, ranges, column);
      case Storage::kBinary:
      case Storage::kBinaryView:
        return texts(type, ranges, column);
      case Storage::kList:
      case Storage::kListView:
        return lists(type, ranges, column);
      case Storage::kFixedList:
        return children(type, ranges, column, type.list_size);
      case Storage::kSparseUnion:
        type_ids(type, ranges, column);
        return children(type, ranges, column, 1);
      case Storage::kStruct:
        return children(type, ranges, column, 1);
      case Storage::kDenseUnion:
        return dense_union(type, ranges, column);
      case Storage::kRunEnd:
        return runs(type, ranges, column);
    }
  }

  const std::byte* take(std::uint32_t slot, std::size_t bytes) {
    const std::byte* const taken = cursors_[slot];
    cursors_[slot] += bytes;
    return taken;
  }

  /// A value that must not be null is one only where a null around it hides it: it becomes zero, or empty. An index of
  /// a dictionary stays null, as the dictionary may have no value for it.
  static bool keeps_nulls(const TableType& type) { return type.is_nullable || type.storage == Storage::kDictionary; }

  void nulls(ReadRange& range, bool may_be_null, ColumnData& column) {
    if (range.count == 0) return;
    const std::byte* bits = nullptr;
    if (!range.is_absent) {
      const int told = std::to_integer<int>(*take(range.slot, 1));
      range.is_absent = told == 1;
      if (told > 1) bits = take(range.slot, static_cast<std::size_t>((range.count + 7) / 8));
    }
    if (!may_be_null || (bits == nullptr && !range.is_absent)) return append_valid(column, range.count);
    if (range.is_absent) return append_nulls(column, range.count);
    append_validity_bits(column, bits, 0, range.count);
  }

  void bits(std::span<const ReadRange> ranges, ColumnData& column) {
    std::int64_t length = column.length;
    for (const ReadRange& range : ranges) {
      if (range.is_absent) {
        append_equal_bits(column.values, length, false, range.count);
      } else {
        append_bits(column.values, length, take(range.slot, static_cast<std::size_t>((range.count + 7) / 8)), 0,
                    range.count);
      }
      length += range.count;
    }
  }

  void fixed(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    for (const ReadRange& range : ranges) {
      const std::size_t bytes = static_cast<std::size_t>(range.count) * type.width;
      if (range.is_absent && bytes > 0) {
        std::memset(column.values.extend(bytes), 0, bytes);
      } else if (!range.is_absent) {
        column.values.append(take(range.slot, bytes), bytes);
      }
    }
  }

  /// Calls visit(slot, is_absent) for every value.
  template <class Visit>
  static void for_each(std::span<const ReadRange> ranges, const Visit& visit) {
    for (const ReadRange& range : ranges) {
      for (std::int64_t i = 0; i < range.count; ++i) visit(range.slot, range.is_absent);
    }
  }

  void numbers(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    for_each(ranges, [&](std::uint32_t slot, bool is_absent) {
      const std::uint64_t number = is_absent ? 0 : load_as<std::uint32_t>(take(slot, sizeof(std::uint32_t)));
      column.values.append(&number, type.width);  // the machine is little-endian
    });
  }

  void texts(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    std::vector<std::string_view> texts;
    texts.reserve(ranges.size());
    for_each(ranges, [&](std::uint32_t slot, bool is_absent) {
      const std::size_t bytes = is_absent ? 0 : load_count(cursors_[slot]);
      texts.emplace_back(reinterpret_cast<const char*>(take(slot, bytes)), bytes);
    });
    append_texts(type, column, texts);
  }

  void lists(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    const bool is_view = type.storage == Storage::kListView;
    auto end = static_cast<std::uint64_t>(column.children[0].length);
    std::vector<ReadRange> elements;
    for_each(ranges, [&](std::uint32_t slot, bool is_absent) {
      const std::uint64_t count = is_absent ? 0 : load_count(cursors_[slot]);
      if (is_view) {
        push_offset(type, column.values, end);
        push_offset(type, column.sizes, count);
      }
      end += count;
      if (!is_view) push_offset(type, column.values, end);
      if (count > 0) elements.push_back({static_cast<std::int64_t>(count), slot, false});
    });
    part(type.children[0], elements, column.children[0]);
  }

  void children(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column, std::int64_t factor) {
    std::vector<ReadRange> of_child(ranges.begin(), ranges.end());
    for (ReadRange& range : of_child) range.count *= factor;
    for (std::size_t i = 0; i < type.children.size(); ++i) part(type.children[i], of_child, column.children[i]);
  }

  /// Where a value is not there, the first child's id stands for it.
  void type_ids(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    for (const ReadRange& range : ranges) {
      const auto bytes = static_cast<std::size_t>(range.count);
      if (!range.is_absent) {
        column.values.append(take(range.slot, bytes), bytes);
      } else if (bytes > 0) {
        std::memset(column.values.extend(bytes), type.id_of_child.empty() ? 0 : type.id_of_child[0], bytes);
      }
    }
  }

  void dense_union(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    const std::size_t begin = column.values.size();
    type_ids(type, ranges, column);
    std::vector<std::vector<ReadRange>> of_children(type.children.size());
    const std::byte* id = column.values.data() + begin;
    for_each(ranges, [&](std::uint32_t slot, bool is_absent) {
      const auto child = static_cast<std::size_t>(type.child_of_id[std::to_integer<std::size_t>(*id++)]);
      const auto position = static_cast<std::uint64_t>(column.children[child].length) + of_children[child].size();
      if (position > INT32_MAX) refuse_size(type);
      column.sizes.push(static_cast<std::int32_t>(position));
      of_children[child].push_back({1, slot, is_absent});
    });
    for (std::size_t i = 0; i < type.children.size(); ++i) part(type.children[i], of_children[i], column.children[i]);
  }

  /// Rows whose values are the same bytes become a run. It is read from the first of them.
  void runs(const TableType& type, std::span<const ReadRange> ranges, ColumnData& column) {
    std::vector<const std::byte*> first_cursors;
    std::vector<ReadRange> distinct;
    std::string_view last;
    ByteBuffer& ends = column.children[0].values;
    for_each(ranges, [&](std::uint32_t slot, bool is_absent) {
      const std::size_t bytes = is_absent ? 0 : load_as<std::uint32_t>(take(slot, sizeof(std::uint32_t)));
      const std::string_view value(reinterpret_cast<const char*>(take(slot, bytes)), bytes);
      const bool is_new = distinct.empty() || value != last || distinct.back().is_absent != is_absent;
      ++column.length;
      if (!is_new) return replace_end(type, column);
      push_offset(type, ends, static_cast<std::uint64_t>(column.length));
      first_cursors.push_back(reinterpret_cast<const std::byte*>(value.data()));
      distinct.push_back({1, static_cast<std::uint32_t>(distinct.size()), is_absent});
      last = value;
    });
    column.children[0].length += static_cast<std::int64_t>(distinct.size());
    NestedReader(first_cursors.data()).part(type.children[1], distinct, column.children[1]);
  }

  static void replace_end(const TableType& type, ColumnData& column) {
    ByteBuffer& ends = column.children[0].values;
    ends.shorten(type.width);
    push_offset(type, ends, static_cast<std::uint64_t>(column.length));
  }

  const std::byte** cursors_;
};

}  // namespace

void read_values(const TableType& type, std::span<const ReadRange> ranges, const std::byte** cursors,
                 ColumnData& column) {
  NestedReader(cursors).values(type, ranges, column);
}

void read_parts(const TableType& type, std::span<const std::string_view> parts, ColumnData& column) {
  std::vector<ReadRange> ranges;
  std::vector<const std::byte*> cursors;
  for (const std::string_view part : parts) {
    ranges.push_back({1, static_cast<std::uint32_t>(ranges.size()), false});
    cursors.push_back(reinterpret_cast<const std::byte*>(part.data()));
  }
  NestedReader(cursors.data()).part(type, ranges, column);
}

}  // namespace sortie::table
