#include "table/dictionary_values.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "table/array_parts.hpp"
#include "table/column_errors.hpp"

namespace sortie::table {
namespace {

constexpr std::size_t kBlockBytes = 256 << 10;

}  // namespace

std::uint64_t DictionaryValues::index_at(const TableType& type, const ArrowArray& array, std::int64_t position) const {
  const std::uint64_t index = dictionary_index(type, array, position);
  if (index < numbers_.size()) return index;
  refuse_damaged("an index of a " + type.shown() + " leads out of its dictionary of " +
                 std::to_string(numbers_.size()) + " values");
}

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

}  // namespace sortie::table
