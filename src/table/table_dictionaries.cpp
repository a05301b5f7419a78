#include "table/table_dictionaries.hpp"

#include <algorithm>
#include <limits>

#include <sortie/error.hpp>

#include "table/array_parts.hpp"
#include "table/column_errors.hpp"
#include "table/nested_values.hpp"

namespace sortie::table {
namespace {

constexpr std::size_t kValuesAtOnce = 4096;

}  // namespace

void TableDictionaries::begin_batch(const ArrowArray& batch) {
  if (dictionaries_.empty()) return;
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    work_on_column(schema_.names[i], [&] { begin_column(schema_.columns[i], *batch.children[i]); });
  }
}

void TableDictionaries::begin_column(const TableType& type, const ArrowArray& array) {
  if (type.storage != Storage::kDictionary) {
    for (std::size_t i = 0; i < type.children.size(); ++i) begin_column(type.children[i], *array.children[i]);
    return;
  }
  begin_column(type.children[0], *array.dictionary);
  take_values(type, *array.dictionary);
}

void TableDictionaries::take_values(const TableType& type, const ArrowArray& values) {
  DictionaryValues& dictionary = dictionaries_[type.dictionary];
  if (dictionary.begin_batch(type.children[0], values)) return;
  for (std::int64_t begin = 0; begin < values.length; begin += std::int64_t{kValuesAtOnce}) {
    const auto count = std::min<std::size_t>(kValuesAtOnce, static_cast<std::size_t>(values.length - begin));
    std::vector<WriteRange> ranges;
    for (std::uint32_t i = 0; i < count; ++i) ranges.push_back({begin + i, 1, i});
    const EncodedParts parts = encode_parts(type.children[0], values, ranges, *this);
    for (std::size_t i = 0; i < count; ++i) dictionary.take(parts[i]);
  }
  const std::uint64_t most = std::min<std::uint64_t>(type.most_indexes, std::numeric_limits<std::uint32_t>::max());
  if (dictionary.all_values() > most) {
    throw Error("the dictionaries of all batches have more than " + std::to_string(most) +
                " different values together, too many for the indexes of a " + type.words +
                "; cast it to one with wider indexes");
  }
}

std::vector<std::shared_ptr<const ColumnData>> TableDictionaries::finish() {
  std::vector<std::shared_ptr<const ColumnData>> columns(dictionaries_.size());
  for (const TableType& type : schema_.columns) finish_type(type, columns);
  dictionaries_.clear();
  return columns;
}

void TableDictionaries::finish_type(const TableType& type,
                                    std::vector<std::shared_ptr<const ColumnData>>& columns) const {
  for (const TableType& child : type.children) finish_type(child, columns);
  if (type.storage != Storage::kDictionary) return;
  const std::vector<std::string_view>& values = of(type).values();
  ColumnData column = empty_column(type.children[0]);
  for (std::size_t begin = 0; begin < values.size(); begin += kValuesAtOnce) {
    const std::size_t count = std::min(kValuesAtOnce, values.size() - begin);
    read_parts(type.children[0], std::span(values).subspan(begin, count), column);
  }
  columns[type.dictionary] = std::make_shared<const ColumnData>(std::move(column));
}

}  // namespace sortie::table
