#include <cstddef>
#include <string>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "table/array_parts.hpp"
#include "table/batch_check.hpp"

namespace sortie::table {
namespace {

constexpr std::size_t kRowsOfTurn = 4096;

/// The child of another type that a value belongs to; none: it is a value of the column.
struct Part {
  const TableType* holder = nullptr;
  std::size_t child = 0;
};

[[noreturn]] void refuse_null(const Part& part) {
  std::string what = "a value";
  if (part.holder != nullptr) {
    const bool has_fields = part.holder->storage == Storage::kStruct || part.holder->is_union();
    what = (has_fields ? "field " + quote_word(part.holder->names[part.child]) : "an element") + " of a " +
           part.holder->shown();
  }
  throw Error(what +
              " is null in a batch, and the schema that the sort began with declares it not null: declare it "
              "nullable there, or fill the nulls");
}

void check_value(const TableType& type, const ArrowArray& array, std::int64_t index, const Part& part) {
  if (!type.has_required) return;
  if (has_null(type, array, index, 1)) {
    if (!type.is_nullable) refuse_null(part);
    return;
  }
  const std::int64_t position = array.offset + index;
  const auto check_child = [&](std::size_t number, std::int64_t index_of_child) {
    check_value(type.children[number], *array.children[number], index_of_child, {&type, number});
  };
  const auto check_elements = [&](const IndexRange& elements) {
    for (std::int64_t i = 0; i < elements.count; ++i) check_child(0, elements.first + i);
  };
  switch (type.storage) {
    case Storage::kList:
    case Storage::kListView:
      return check_elements(list_extent(type, array, position));
    case Storage::kFixedList:
      return check_elements({position * type.list_size, type.list_size});
    case Storage::kStruct:
      for (std::size_t i = 0; i < type.children.size(); ++i) check_child(i, position);
      return;
    case Storage::kSparseUnion:
    case Storage::kDenseUnion: {
      // Only what the type id means is a value. An id that means nothing is refused where it is used.
      const int child = child_at(type, array, position);
      if (child >= 0) check_child(static_cast<std::size_t>(child), index_in_child(type, array, position));
      return;
    }
    case Storage::kRunEnd:
      return check_value(type.children[1], *array.children[1], RunWalk(type, array)(index), part);
    case Storage::kDictionary: {
      // An index that leads out of the dictionary is refused where it is used.
      const auto value = static_cast<std::int64_t>(dictionary_index(type, array, position));
      if (value < 0 || value >= array.dictionary->length) return;
      return check_value(type.children[0], *array.dictionary, value, part);
    }
    default:
      return;
  }
}

}  // namespace

bool has_null(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count) {
  if (type.storage == Storage::kNull) return count > 0;
  const std::byte* const valid = validity_of(type, array);
  return valid != nullptr && count_bits(valid, array.offset + first, count) < count;
}

void check_nulls(const TableType& type, const ArrowArray& batch, const ArrowArray& array) {
  const std::byte* const rows = validity_of_rows(batch);
  parallel_for_ranges(0, static_cast<std::size_t>(batch.length), kRowsOfTurn, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::int64_t index = batch.offset + static_cast<std::int64_t>(row);
      if (rows == nullptr || bit_at(rows, index)) {
        check_value(type, array, index, {});
      } else if (!type.is_nullable) {
        refuse_null({});
      }
    }
  });
}

}  // namespace sortie::table
