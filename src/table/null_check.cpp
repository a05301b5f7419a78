#include "table/null_check.hpp"

#include <string>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "table/array_parts.hpp"

namespace sortie::table {
namespace {

constexpr std::size_t kRowsOfTurn = 4096;

/// The child of another type that a value belongs to; none: it is a value of the column.
struct Part {
  const TableType* holder = nullptr;
  std::size_t child = 0;
};

std::string words_of(const Part& part) {
  if (part.holder == nullptr) return "a value";
  const TableType& holder = *part.holder;
  const bool has_fields = holder.storage == Storage::kStruct || holder.storage == Storage::kSparseUnion ||
                          holder.storage == Storage::kDenseUnion;
  return (has_fields ? "field " + quote_word(holder.names[part.child]) : "an element") + " of a " + holder.shown();
}

class NullCheck {
 public:
  explicit NullCheck(const std::string& column) : column_(column) {}

  [[noreturn]] void refuse(const Part& part) const {
    throw Error("column " + quote_word(column_) + ": " + words_of(part) +
                " is null in a batch, and the schema that the sort began with declares it not null: declare it "
                "nullable there, or fill the nulls");
  }

  void value(const TableType& type, const ArrowArray& array, std::int64_t index, const Part& part) const {
    if (!type.has_required) return;
    if (has_null(type, array, index, 1)) {
      if (!type.is_nullable) refuse(part);
      return;
    }
    const std::int64_t position = array.offset + index;
    switch (type.storage) {
      case Storage::kList:
      case Storage::kLargeList:
      case Storage::kListView:
      case Storage::kLargeListView: {
        const ListExtent extent = list_extent(type, array, position);
        return elements(type, array, extent.first, extent.count);
      }
      case Storage::kFixedList:
        return elements(type, array, position * type.list_size, type.list_size);
      case Storage::kStruct:
        for (std::size_t i = 0; i < type.children.size(); ++i) child(type, array, i, position);
        return;
      case Storage::kSparseUnion:
      case Storage::kDenseUnion:
        return child_of_union(type, array, position);
      case Storage::kRunEnd:
        return value(type.children[1], *array.children[1], RunWalk(type, array)(index), part);
      case Storage::kDictionary:
        return value_of_dictionary(type, array, position, part);
      default:
        return;
    }
  }

 private:
  void child(const TableType& type, const ArrowArray& array, std::size_t number, std::int64_t index) const {
    value(type.children[number], *array.children[number], index, {&type, number});
  }

  void elements(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count) const {
    for (std::int64_t i = first; i < first + count; ++i) child(type, array, 0, i);
  }

  /// Only what the type id means is a value. An id that means nothing is refused where it is used.
  void child_of_union(const TableType& type, const ArrowArray& array, std::int64_t position) const {
    const auto at = static_cast<std::size_t>(position);
    const auto id = load_as<std::uint8_t>(buffer_of(array, 0) + at);
    if (id >= type.child_of_id.size() || type.child_of_id[id] < 0) return;
    const bool is_dense = type.storage == Storage::kDenseUnion;
    child(type, array, static_cast<std::size_t>(type.child_of_id[id]),
          is_dense ? load_as<std::int32_t>(buffer_of(array, 1) + at * sizeof(std::int32_t)) : position);
  }

  /// An index that leads out of the dictionary is refused where it is used.
  void value_of_dictionary(const TableType& type, const ArrowArray& array, std::int64_t position,
                           const Part& part) const {
    const std::uint64_t index = dictionary_index(type, array, position);
    if (index >= static_cast<std::uint64_t>(array.dictionary->length)) return;
    value(type.children[0], *array.dictionary, static_cast<std::int64_t>(index), part);
  }

  const std::string& column_;
};

/// Whether one of the bits is 0.
bool has_clear_bit(const std::byte* bits, std::int64_t position, std::int64_t count) {
  const std::int64_t end = position + count;
  while (position < end) {
    if (position % 8 == 0 && end - position >= 8) {
      if (bits[position / 8] != std::byte{0xFF}) return true;
      position += 8;
    } else if (!bit_at(bits, position++)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool has_null(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count) {
  if (type.storage == Storage::kNull) return count > 0;
  const std::byte* const valid = validity_of(type, array);
  return valid != nullptr && has_clear_bit(valid, array.offset + first, count);
}

void check_nulls(const TableSchema& schema, const ArrowArray& batch, std::size_t column) {
  const NullCheck check(schema.names[column]);
  const TableType& type = schema.columns[column];
  const ArrowArray& array = *batch.children[column];
  const std::byte* const rows = validity_of_rows(batch);
  parallel_for_ranges(0, static_cast<std::size_t>(batch.length), kRowsOfTurn, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::int64_t index = batch.offset + static_cast<std::int64_t>(row);
      if (rows == nullptr || bit_at(rows, index)) {
        check.value(type, array, index, {});
      } else if (!type.is_nullable) {
        check.refuse({});
      }
    }
  });
}

}  // namespace sortie::table
