#include "table/column_rows.hpp"

#include <algorithm>
#include <string>

#include <sortie/error.hpp>

#include "table/array_parts.hpp"

namespace sortie::table {
namespace {

/// Clears what is not valid in a bitmap.
void require_valid(std::vector<std::uint8_t>& valid, const std::byte* bits, std::int64_t first, std::size_t count) {
  if (bits == nullptr) return;
  if (valid.empty()) valid.assign(count, 1);
  for (std::size_t i = 0; i < count; ++i) {
    valid[i] &= bit_at(bits, first + static_cast<std::int64_t>(i)) ? std::uint8_t{1} : std::uint8_t{0};
  }
}

}  // namespace

ColumnRows::ColumnRows(const TableType& type, const BatchRows& rows, std::size_t column)
    : type_(type), rows_(rows), array_(rows.column(column)) {
  const ArrowArray& batch = *rows.batch;
  require_valid(valid_, validity_of(type, array_), array_.offset + rows.first_index(), rows.count);
  require_valid(valid_, validity_of_rows(batch), rows.first_index(), rows.count);
  if (std::find(valid_.begin(), valid_.end(), 0) == valid_.end()) valid_.clear();
}

KeySource ColumnRows::key_source(const TableDictionaries& dictionaries) {
  KeySource source;
  source.count = rows_.count;
  source.values = &array_;
  source.first = rows_.first_index();
  if (type_.storage == Storage::kDictionary) {
    find_in_dictionary(dictionaries);
    source.values = array_.dictionary;
    source.indexes = indexes_.data();
    if (type_.is_ordered) {
      number_values(dictionaries.of(type_));
      source = {.values = &number_array_, .count = rows_.count};
    }
  } else if (type_.storage == Storage::kRunEnd) {
    find_in_runs();
    source.values = array_.children[1];
    source.indexes = indexes_.data();
  }
  source.valid = valid_.empty() ? nullptr : valid_.data();
  return source;
}

void ColumnRows::find_in_dictionary(const TableDictionaries& dictionaries) {
  const DictionaryValues& dictionary = dictionaries.of(type_);
  indexes_.assign(rows_.count, 0);
  for (std::size_t i = 0; i < rows_.count; ++i) {
    if (!is_valid(i)) continue;
    const std::int64_t position = array_.offset + rows_.first_index() + static_cast<std::int64_t>(i);
    indexes_[i] = static_cast<std::int64_t>(checked_dictionary_index(type_, array_, position, dictionary));
  }
  refine_validity(type_.children[0], *array_.dictionary);
}

void ColumnRows::number_values(const DictionaryValues& dictionary) {
  if (!dictionary.keeps_order()) {
    if (dictionary.repeats_values()) {
      throw Error("it is ordered, and its dictionary has a value twice: give it one in which each has one place");
    }
    throw Error("it is ordered, and its batches have dictionaries of different orders: give all the same dictionary");
  }
  numbers_.assign(rows_.count, 0);
  for (std::size_t i = 0; i < rows_.count; ++i) {
    if (is_valid(i)) numbers_[i] = dictionary.number_of(static_cast<std::uint64_t>(indexes_[i]));
  }
  number_buffers_ = {nullptr, numbers_.data()};
  number_array_.length = static_cast<std::int64_t>(rows_.count);
  number_array_.n_buffers = 2;
  number_array_.buffers = number_buffers_.data();
}

void ColumnRows::find_in_runs() {
  indexes_.assign(rows_.count, 0);
  RunWalk walk(type_, array_);
  for (std::size_t i = 0; i < rows_.count; ++i) indexes_[i] = walk(rows_.first_index() + static_cast<std::int64_t>(i));
  refine_validity(type_.children[1], *array_.children[1]);
}

/// What refers to a value that is null is null, too.
void ColumnRows::refine_validity(const TableType& type, const ArrowArray& values) {
  const std::byte* const bits = validity_of(type, values);
  if (bits == nullptr) return;
  if (valid_.empty()) valid_.assign(rows_.count, 1);
  for (std::size_t i = 0; i < rows_.count; ++i) {
    if (valid_[i] != 0 && !bit_at(bits, values.offset + indexes_[i])) valid_[i] = 0;
  }
}

std::uint64_t checked_dictionary_index(const TableType& type, const ArrowArray& array, std::int64_t position,
                                       const DictionaryValues& dictionary) {
  const std::uint64_t index = dictionary_index(type, array, position);
  if (index >= dictionary.batch_values()) {
    throw Error("an index of a " + type.shown() + " leads out of its dictionary of " +
                std::to_string(dictionary.batch_values()) + " values: the batch is damaged");
  }
  return index;
}

}  // namespace sortie::table
