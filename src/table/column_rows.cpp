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

/// The rows of the struct that has the last of the fields, as a batch.
BatchRows rows_around(const KeyColumn& key, const BatchRows& rows) {
  BatchRows inner = rows;
  std::size_t number = key.column;
  for (const std::size_t field : key.fields) {
    inner = {&inner.column(number), inner.first_index(), inner.count};
    number = field;
  }
  return inner;
}

}  // namespace

ColumnRows::ColumnRows(const TableType& type, const BatchRows& rows, std::size_t column)
    : type_(type), rows_(rows), array_(rows.column(column)) {
  const ArrowArray& batch = *rows.batch;
  require_valid(valid_, validity_of(type, array_), array_.offset + rows.first_index(), rows.count);
  require_valid(valid_, validity_of_rows(batch), rows.first_index(), rows.count);
  if (std::find(valid_.begin(), valid_.end(), 0) == valid_.end()) valid_.clear();
}

ColumnRows::ColumnRows(const KeyColumn& key, const BatchRows& rows)
    : ColumnRows(*key.value_type, rows_around(key, rows), key.fields.empty() ? key.column : key.fields.back()) {
  BatchRows outer = rows;
  std::size_t number = key.column;
  for (const std::size_t field : key.fields) {
    require_valid(valid_, validity_of_rows(*outer.batch), outer.first_index(), outer.count);
    outer = {&outer.column(number), outer.first_index(), outer.count};
    number = field;
  }
}

/// `index_of`: the index in `values` of a row's value. What refers to a value that is null is null, too.
template <class IndexOf>
void ColumnRows::find_values(const TableType& type, const ArrowArray& values, IndexOf index_of) {
  indexes_.assign(rows_.count, 0);
  for (std::size_t i = 0; i < rows_.count; ++i) {
    if (is_valid(i)) indexes_[i] = index_of(rows_.first_index() + static_cast<std::int64_t>(i));
  }
  const std::byte* const bits = validity_of(type, values);
  if (bits == nullptr) return;
  if (valid_.empty()) valid_.assign(rows_.count, 1);
  for (std::size_t i = 0; i < rows_.count; ++i) {
    if (valid_[i] != 0 && !bit_at(bits, values.offset + indexes_[i])) valid_[i] = 0;
  }
}

KeySource ColumnRows::key_source(const TableDictionaries& dictionaries) {
  KeySource source{.values = &array_, .first = rows_.first_index(), .count = rows_.count};
  if (type_.storage == Storage::kDictionary) {
    const DictionaryValues& dictionary = dictionaries.of(type_);
    find_values(type_.children[0], *array_.dictionary, [&](std::int64_t index) {
      return static_cast<std::int64_t>(dictionary.index_at(type_, array_, array_.offset + index));
    });
    source = {.values = array_.dictionary, .indexes = indexes_.data(), .count = rows_.count};
    if (type_.is_ordered) {
      number_values(dictionary);
      source = {.values = &number_array_, .count = rows_.count};
    }
  } else if (type_.storage == Storage::kRunEnd) {
    find_values(type_.children[1], *array_.children[1], RunWalk(type_, array_));
    source = {.values = array_.children[1], .indexes = indexes_.data(), .count = rows_.count};
  }
  source.valid = valid_.empty() ? nullptr : valid_.data();
  return source;
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

}  // namespace sortie::table
