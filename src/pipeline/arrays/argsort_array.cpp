// The public function for the order of numbers in memory.
#include <sortie/argsort.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/insertion_sort.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/argsort_numbers.hpp"
#include "engine/cpu/array_codec.hpp"
#include "engine/cpu/counted_numbers.hpp"
#include "engine/cpu/ordered_numbers.hpp"
#include "entries/entry.hpp"
#include "entries/vector_sort.hpp"
#include "pipeline/arrays/number_array.hpp"
#include "pipeline/public_call.hpp"

namespace sortie {
namespace {

/// Up to here, indexes are sorted with the codes beside them: what makes the order of long arrays fast takes 30 us.
constexpr std::size_t kMostEntries = 4096;

void refuse_unsuitable_indexes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes,
                               unsigned number_bytes) {
  if (numbers.size() / number_bytes != indexes.size() || numbers.size() % number_bytes != 0) {
    throw Error("argsort: there is room for " + std::to_string(indexes.size()) + " indexes, and there are " +
                std::to_string(numbers.size() / number_bytes) + " numbers");
  }
  refuse_unaligned(numbers.data(), number_bytes, "argsort: the array of numbers");
  refuse_unaligned(indexes.data(), sizeof(std::int64_t), "argsort: the array of indexes");
  if (!numbers.empty() && !lie_apart(numbers, std::as_bytes(indexes))) {
    throw Error("argsort: numbers and indexes overlap; let them be apart");
  }
}

template <class Code>
void argsort_few(std::span<const Code> array, std::span<std::uint64_t> positions, const ArrayCodec<Code>& codec) {
  std::array<Entry, kMostInserted> few;
  std::vector<Entry> more(array.size() > few.size() ? array.size() : 0);
  const std::span<Entry> entries = more.empty() ? std::span(few).first(array.size()) : std::span(more);
  for (std::size_t i = 0; i < array.size(); ++i) entries[i] = {i, codec.encode(array[i])};
  if (more.empty()) {
    insertion_sort(entries, [](const Entry& a, const Entry& b) { return a.word < b.word; });
  } else {
    vector_sort(entries);
  }
  std::ranges::transform(entries, positions.begin(), &Entry::location);
}

template <class Code>
void argsort_row(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, const KeyPart& field) {
  const std::span<const Code> array = numbers_in<const Code>(numbers);
  const std::span<std::uint64_t> positions = numbers_in<std::uint64_t>(indexes);
  const ArrayCodec<Code> codec(field);
  if (array.size() <= kMostInserted) return argsort_few(array, positions, codec);
  if (index_if_ordered(array, positions, codec)) return;
  if (array.size() <= kMostEntries) return argsort_few(array, positions, codec);
  argsort_numbers(array, positions, codec);
}

void argsort_row(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, const KeyPart& field) {
  if (are_counted(field)) return argsort_counted(numbers, numbers_in<std::uint64_t>(indexes), field);
  if (field.bytes == 4) return argsort_row<std::uint32_t>(numbers, indexes, field);
  argsort_row<std::uint64_t>(numbers, indexes, field);
}

}  // namespace

void argsort_bytes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, FieldKind kind,
                   unsigned number_bytes, const ArgsortOptions& options, std::size_t row_length) {
  public_call([&] {
    const KeyPart field = number_field(kind, number_bytes, options.descending);
    refuse_unsuitable_indexes(numbers, indexes, number_bytes);
    if (numbers.empty()) return;
    const auto fill = [&] {
      for_each_row(numbers.size(), row_bytes_of(numbers.size(), row_length, number_bytes),
                   [&](std::size_t begin, std::size_t bytes) {
                     argsort_row(numbers.subspan(begin, bytes),
                                 indexes.subspan(begin / number_bytes, bytes / number_bytes), field);
                   });
    };
    if (is_for_one_thread(numbers.size(), options.stop)) return fill();
    ThreadTeam(threads_for(options.threads), options.stop).run(fill);
  });
}

}  // namespace sortie
