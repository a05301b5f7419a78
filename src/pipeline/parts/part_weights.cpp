#include "pipeline/parts/part_weights.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kThreadBytes = 256 << 10;

TextOrder only_key(TextOrder order, const TextKey& key) {
  order.keys = {key};
  return order;
}

std::uint64_t added(std::uint64_t sum, std::uint64_t weight) {
  if (weight > std::numeric_limits<std::uint64_t>::max() - sum) throw Error("the weights of records add up to 2^64");
  return sum + weight;
}

}  // namespace

PartWeights::PartWeights(const Format& format, const TextKey& weight)
    : layout_(layout_of(format)), texts_(only_key(format.text, weight)) {}

void PartWeights::load(const PartRecords& records) {
  weighed_.clear();
  const auto ranges = split_records(layout_, records.bytes(), records.size() / kThreadBytes + 1);
  std::vector<std::vector<Weighed>> parts(ranges.size());
  parallel_for(0, ranges.size(), [&](std::size_t i) { parts[i] = weighed_of(ranges[i]); });
  std::uint64_t before = 0;
  for (const std::vector<Weighed>& part : parts) {
    for (const Weighed& record : part) weighed_.push_back({record.end, added(before, record.sum)});
    if (!weighed_.empty()) before = weighed_.back().sum;
  }
}

std::vector<PartWeights::Weighed> PartWeights::weighed_of(std::span<const std::byte> records) const {
  std::vector<Weighed> weighed;
  std::uint64_t sum = 0;
  for_each_record(layout_, records, [&](const std::byte* record, std::uint64_t stored) {
    sum = added(sum, weight_of({record, static_cast<std::size_t>(stored)}));
    weighed.push_back({record + stored, sum});
  });
  return weighed;
}

std::uint64_t PartWeights::weight_of(Record record) const {
  const KeyText text = texts_.of(as_text(record.first(record.size() - 1))).front();
  std::string_view digits = text.bytes;
  digits.remove_prefix(std::min(digits.size(), digits.find_first_not_of(" \t")));  // where blanks separate fields
  if (const auto weight = whole_number<std::uint64_t>(digits)) return *weight;
  const std::string found = digits.empty() ? "nothing" : quote_word(digits);
  throw Error("a record has " + found + " where its weight is looked for: each must have a whole number there");
}

std::uint64_t PartWeights::sum_before(const std::byte* record) const {
  const auto next = std::ranges::upper_bound(weighed_, record, std::less<>(), &Weighed::end);
  return next == weighed_.begin() ? 0 : std::prev(next)->sum;
}

std::uint64_t PartWeights::sum(const PartRecords& records) const {
  const std::byte* const begin = records.bytes().data();
  return sum_before(begin + records.size()) - sum_before(begin);
}

std::size_t PartWeights::bytes_within(const PartRecords& records, std::uint64_t most) const {
  const std::byte* const begin = records.bytes().data();
  const std::byte* const end = begin + records.size();
  const std::uint64_t before = sum_before(begin);
  const auto first = std::ranges::upper_bound(weighed_, begin, std::less<>(), &Weighed::end);
  const auto beyond = std::partition_point(
      first, weighed_.end(), [&](const Weighed& record) { return record.end <= end && record.sum - before <= most; });
  return beyond == first ? 0 : static_cast<std::size_t>(std::prev(beyond)->end - begin);
}

}  // namespace sortie
