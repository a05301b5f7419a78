#include "table/dictionary_values.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "table/column_errors.hpp"
#include "table/nested_reader.hpp"
#include "table/nested_writer.hpp"

namespace sortie::table {
namespace {

constexpr std::size_t kValuesAtOnce = 4096;
constexpr std::size_t kBlockBytes = 256 << 10;

}  // namespace

bool DictionaryValues::repeats_values() const {
  std::vector<std::uint32_t> numbers = numbers_;
  std::ranges::sort(numbers);
  return std::ranges::adjacent_find(numbers) != numbers.end();
}

bool DictionaryValues::begin_batch(const TableType& type, const ArrowArray& values) {
  if (bytes_.are_of(type, values)) return true;
  bytes_.keep(type, values);
  numbers_.clear();
  rises_ = true;
  has_new_values_ = false;
  return false;
}

void DictionaryValues::take(std::string_view encoded) {
  const auto found = number_by_value_.find(encoded);
  if (found != number_by_value_.end()) return add_number(found->second);
  const auto number = static_cast<std::uint32_t>(values_.size());
  const std::string_view kept = keep(encoded);
  number_by_value_.emplace(kept, number);
  values_.push_back(kept);
  has_new_values_ = true;
  add_number(number);
}

void DictionaryValues::add_number(std::uint32_t number) {
  rises_ = rises_ && (numbers_.empty() || numbers_.back() < number);
  numbers_.push_back(number);
}

std::string_view DictionaryValues::keep(std::string_view encoded) {
  if (blocks_.empty() || encoded.size() > block_left_) {
    block_left_ = std::max(kBlockBytes, encoded.size());
    blocks_.emplace_back().reserve(block_left_);
  }
  std::vector<char>& block = blocks_.back();
  const std::size_t begin = block.size();
  block.insert(block.end(), encoded.begin(), encoded.end());
  block_left_ -= encoded.size();
  return {block.data() + begin, encoded.size()};
}

void TableDictionaries::begin_batch(const ArrowArray& batch) {
  if (dictionaries_.empty()) return;
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    begin_column(schema_.names[i], schema_.columns[i], *batch.children[i]);
  }
}

void TableDictionaries::begin_column(const std::string& name, const TableType& type, const ArrowArray& array) {
  if (type.storage != Storage::kDictionary) {
    for (std::size_t i = 0; i < type.children.size(); ++i) begin_column(name, type.children[i], *array.children[i]);
    return;
  }
  begin_column(name, type.children[0], *array.dictionary);
  take_values(name, type, *array.dictionary);
}

void TableDictionaries::take_values(const std::string& name, const TableType& type, const ArrowArray& values) {
  DictionaryValues& dictionary = dictionaries_[type.dictionary];
  if (dictionary.begin_batch(type.children[0], values)) return;
  work_on_column(name, [&] {
    for (std::int64_t begin = 0; begin < values.length; begin += std::int64_t{kValuesAtOnce}) {
      const auto count = std::min<std::size_t>(kValuesAtOnce, static_cast<std::size_t>(values.length - begin));
      take_some(type.children[0], values, begin, count, dictionary);
    }
  });
  const std::uint64_t most = std::min<std::uint64_t>(type.most_indexes, std::numeric_limits<std::uint32_t>::max());
  if (dictionary.all_values() > most) {
    throw Error("column " + quote_word(name) + ": the dictionaries of all batches have more than " +
                std::to_string(most) + " different values together, too many for the indexes of a " + type.words +
                "; cast it to one with wider indexes");
  }
}

/// Takes the values from index `begin` on, as parts.
void TableDictionaries::take_some(const TableType& type, const ArrowArray& values, std::int64_t begin,
                                  std::size_t count, DictionaryValues& dictionary) const {
  std::vector<WriteRange> ranges;
  for (std::size_t i = 0; i < count; ++i) {
    ranges.push_back({begin + static_cast<std::int64_t>(i), 1, static_cast<std::uint32_t>(i)});
  }
  std::vector<std::uint64_t> sizes(count, 0);
  measure_parts(type, values, ranges, *this, sizes.data());
  std::vector<std::byte> bytes(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  std::vector<std::byte*> cursors;
  std::byte* at = bytes.data();
  for (const std::uint64_t size : sizes) {
    cursors.push_back(at);
    at += size;
  }
  write_parts(type, values, ranges, *this, cursors.data());
  for (std::size_t i = 0; i < count; ++i) {
    dictionary.take({reinterpret_cast<const char*>(cursors[i] - sizes[i]), sizes[i]});
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
    std::vector<ReadRange> ranges;
    std::vector<const std::byte*> cursors;
    for (std::size_t i = 0; i < count; ++i) {
      ranges.push_back({1, static_cast<std::uint32_t>(i), false});
      cursors.push_back(reinterpret_cast<const std::byte*>(values[begin + i].data()));
    }
    read_parts(type.children[0], ranges, cursors.data(), column);
  }
  columns[type.dictionary] = std::make_shared<const ColumnData>(std::move(column));
}

}  // namespace sortie::table
