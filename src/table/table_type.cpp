#include "table/table_type.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::table {

std::span<const Buffer> buffers_of(Storage storage) {
  static constexpr Buffer kTexts[] = {Buffer::kValidity, Buffer::kValues, Buffer::kBytes};
  static constexpr Buffer kListViews[] = {Buffer::kValidity, Buffer::kValues, Buffer::kSizes};
  const std::span<const Buffer> all(kListViews);
  switch (storage) {
    case Storage::kNull:
    case Storage::kRunEnd:
      return {};
    case Storage::kFixedList:
    case Storage::kStruct:
      return all.first(1);
    case Storage::kSparseUnion:
      return all.subspan(1, 1);
    case Storage::kDenseUnion:
      return all.subspan(1);
    case Storage::kBinary:
    case Storage::kBinaryView:
      return kTexts;
    case Storage::kListView:
      return all;
    default:
      return all.first(2);
  }
}

TableType fixed_type(Order order, std::uint32_t width, std::string words) {
  TableType type;
  type.storage = Storage::kFixed;
  type.order = order;
  type.width = width;
  type.words = std::move(words);
  return type;
}

const TableType& TableType::ordered_type() const {
  static const TableType numbers = fixed_type(Order::kUnsigned, sizeof(std::uint32_t), "uint32");
  if (is_ordered) return numbers;
  if (storage == Storage::kDictionary) return children[0];
  return storage == Storage::kRunEnd ? children[1] : *this;
}

void require_same_columns(const TableSchema& schema, const TableSchema& other) {
  const std::size_t both = std::min(schema.columns.size(), other.columns.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (schema.names[i] != other.names[i]) {
      throw Error("column " + std::to_string(i + 1) + " is " + quote_word(other.names[i]) + " here, and was " +
                  quote_word(schema.names[i]) + " before: give tables with the same columns in the same order");
    }
    if (schema.columns[i].words != other.columns[i].words) {
      throw Error("column " + quote_word(schema.names[i]) + " is of type " + other.columns[i].shown() +
                  " here, and was of type " + schema.columns[i].shown() +
                  " before: cast it to the same type in all tables");
    }
  }
  if (schema.columns.size() == other.columns.size()) return;
  const bool is_missing = both < schema.columns.size();
  throw Error("column " + quote_word((is_missing ? schema : other).names[both]) + " is " +
              (is_missing ? "missing here, and was there before" : "here, and was not there before") +
              ": give tables with the same columns in the same order");
}

}  // namespace sortie::table
