#include "engine/cpu/counted_numbers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/insertion_sort.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/array_codec.hpp"

namespace sortie {
namespace {

/// Numbers that are looked at between two looks at stops.
constexpr std::size_t kStride = std::size_t{1} << 20;

/// From here on, numbers of two bytes are counted at once; fewer are dealt by their bytes, one after the other.
constexpr std::size_t kLeastCounted = 1 << 14;

constexpr std::size_t kDigits = 256;
using DigitPlaces = std::array<std::uint64_t, kDigits>;

template <class Work>
void in_strides(std::size_t count, const Work& work) {
  for (std::size_t begin = 0; begin < count; begin += kStride) {
    throw_if_stopped();
    work(begin, std::min(begin + kStride, count));
  }
}

/// The codes of few numbers in order, each with its index.
template <class Code>
auto inserted(std::span<const Code> numbers, const ArrayCodec<Code>& codec) {
  std::array<std::pair<Code, std::uint8_t>, kMostInserted> places;
  for (std::size_t i = 0; i < numbers.size(); ++i) places[i] = {codec.encode(numbers[i]), static_cast<std::uint8_t>(i)};
  insertion_sort(std::span(places).first(numbers.size()),
                 [](const auto& a, const auto& b) { return a.first < b.first; });
  return places;
}

/// Turns counts into the places where numbers begin.
void accumulate(std::span<std::uint64_t> counts) {
  std::uint64_t begin = 0;
  for (std::uint64_t& count : counts) begin += std::exchange(count, begin);
}

/// Counts by the bits of numbers. Several tables: equal numbers in a row would wait for each other.
template <class Code, class Count>
std::vector<Count> counts_of(std::span<const Code> numbers) {
  constexpr std::size_t kValues = std::size_t{1} << (8 * sizeof(Code));
  constexpr std::size_t kTables = sizeof(Code) == 1 ? 4 : 1;
  std::vector<Count> counts(kTables * kValues);
  in_strides(numbers.size(), [&](std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    for (; i + kTables <= end; i += kTables) {
      for (std::size_t table = 0; table < kTables; ++table) ++counts[table * kValues + numbers[i + table]];
    }
    for (; i < end; ++i) ++counts[numbers[i]];
  });
  for (std::size_t i = kValues; i < counts.size(); ++i) counts[i % kValues] += counts[i];
  counts.resize(kValues);
  return counts;
}

template <class Code, class Count>
void sort_by_counts(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec) {
  const std::vector<Count> counts = counts_of<Code, Count>(numbers);
  std::size_t place = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    const Code bits = codec.decode(static_cast<Code>(code));
    if ((code & (kDigits - 1)) == 0) throw_if_stopped();
    std::fill_n(sorted.begin() + static_cast<std::ptrdiff_t>(place), counts[bits], bits);
    place += counts[bits];
  }
}

/// Deals codes by their low byte, and then by the high one.
void sort_by_bytes(std::span<const std::uint16_t> numbers, std::span<std::uint16_t> sorted,
                   const ArrayCodec<std::uint16_t>& codec) {
  DigitPlaces low = {};
  DigitPlaces high = {};
  for (const std::uint16_t bits : numbers) {
    const std::uint16_t code = codec.encode(bits);
    ++low[code % kDigits];
    ++high[code / kDigits];
  }
  accumulate(low);
  accumulate(high);
  const auto dealt = std::make_unique_for_overwrite<std::uint16_t[]>(numbers.size());
  for (const std::uint16_t bits : numbers) {
    const std::uint16_t code = codec.encode(bits);
    dealt[low[code % kDigits]++] = code;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) sorted[high[dealt[i] / kDigits]++] = codec.decode(dealt[i]);
}

template <class Code>
void sort_codes_by_count(std::span<const Code> numbers, std::span<Code> sorted, const KeyPart& field) {
  const ArrayCodec<Code> codec(field);
  if (numbers.size() <= kMostInserted) {
    const auto places = inserted(numbers, codec);
    for (std::size_t i = 0; i < numbers.size(); ++i) sorted[i] = codec.decode(places[i].first);
    return;
  }
  if constexpr (sizeof(Code) == 2) {
    if (numbers.size() < kLeastCounted) return sort_by_bytes(numbers, sorted, codec);
  }
  if (numbers.size() <= std::numeric_limits<std::uint32_t>::max()) {
    return sort_by_counts<Code, std::uint32_t>(numbers, sorted, codec);
  }
  sort_by_counts<Code, std::uint64_t>(numbers, sorted, codec);
}

void deal_indexes(std::span<const std::uint8_t> numbers, std::span<std::uint64_t> indexes,
                  const ArrayCodec<std::uint8_t>& codec) {
  DigitPlaces places = {};
  in_strides(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ++places[codec.encode(numbers[i])];
  });
  accumulate(places);
  in_strides(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) indexes[places[codec.encode(numbers[i])]++] = i;
  });
}

/// In two rounds, as sort_by_bytes(), of words that hold the code in front of the index: the second round need not
/// look for the code of an index, which may lie anywhere.
void deal_indexes(std::span<const std::uint16_t> numbers, std::span<std::uint64_t> indexes,
                  const ArrayCodec<std::uint16_t>& codec) {
  constexpr unsigned kIndexBits = 48;
  DigitPlaces low = {};
  DigitPlaces high = {};
  in_strides(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint16_t code = codec.encode(numbers[i]);
      ++low[code % kDigits];
      ++high[code / kDigits];
    }
  });
  accumulate(low);
  accumulate(high);
  const auto dealt = std::make_unique_for_overwrite<std::uint64_t[]>(numbers.size());
  in_strides(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint16_t code = codec.encode(numbers[i]);
      dealt[low[code % kDigits]++] = std::uint64_t{code} << kIndexBits | i;
    }
  });
  in_strides(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t word = dealt[i];
      indexes[high[word >> (kIndexBits + 8)]++] = word & ((std::uint64_t{1} << kIndexBits) - 1);
    }
  });
}

template <class Code>
void argsort_codes_by_count(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const KeyPart& field) {
  const ArrayCodec<Code> codec(field);
  if (numbers.size() > kMostInserted) return deal_indexes(numbers, indexes, codec);
  const auto places = inserted(numbers, codec);
  for (std::size_t i = 0; i < numbers.size(); ++i) indexes[i] = places[i].second;
}

}  // namespace

void sort_counted(std::span<const std::byte> numbers, std::span<std::byte> sorted, const KeyPart& field) {
  if (field.bytes == 1) {
    return sort_codes_by_count(numbers_in<const std::uint8_t>(numbers), numbers_in<std::uint8_t>(sorted), field);
  }
  sort_codes_by_count(numbers_in<const std::uint16_t>(numbers), numbers_in<std::uint16_t>(sorted), field);
}

void argsort_counted(std::span<const std::byte> numbers, std::span<std::uint64_t> indexes, const KeyPart& field) {
  if (field.bytes == 1) return argsort_codes_by_count(numbers_in<const std::uint8_t>(numbers), indexes, field);
  argsort_codes_by_count(numbers_in<const std::uint16_t>(numbers), indexes, field);
}

}  // namespace sortie
