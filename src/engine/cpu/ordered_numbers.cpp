#include "engine/cpu/ordered_numbers.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

#include "base/cpu_features.hpp"
#include "base/parallel.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

enum class Direction { kAscending, kDescending };

/// The numbers that are looked at first. Random ones are told by two or three.
constexpr std::size_t kProbes = 64;

/// A thread takes so many numbers at a time.
constexpr std::size_t kGrain = 1 << 14;

/// The direction in which some numbers from all over the array go; nothing if they go both ways. Precondition: there
/// are some.
template <class Code>
std::optional<Direction> direction_of_some(std::span<const Code> numbers, const ArrayCodec<Code>& codec) {
  bool may_ascend = true;
  bool may_descend = true;
  Code before = codec.encode(numbers.front());
  for (std::size_t probe = 1; probe <= kProbes && (may_ascend || may_descend); ++probe) {
    const Code code = codec.encode(numbers[(numbers.size() - 1) * probe / kProbes]);
    may_ascend &= before <= code;
    may_descend &= before >= code;
    before = code;
  }
  if (may_ascend) return Direction::kAscending;
  return may_descend ? std::optional(Direction::kDescending) : std::nullopt;
}

/// Calls `put(index, number)` for each number of the range, and returns whether `follows(earlier, later)` is true of
/// the codes of all neighbours in it, and of the number before it. Without branches, and some at a time for the
/// compiler to make vectors of: nearly all arrays that are looked at so closely are in order. To compare numbers while
/// they are copied takes no longer than to copy them.
template <class Code, class Follows, class Put>
bool put_in_order(std::span<const Code> numbers, std::size_t begin, std::size_t end, const ArrayCodec<Code>& codec,
                  Follows follows, Put put) {
  constexpr std::size_t kAtATime = 64;
  return codec.with_encoding([&](const auto& encode) {
    const Code* const array = numbers.data();
    unsigned failures = 0;
    const auto compare_and_put = [&](std::size_t i) {
      failures |= follows(encode(array[i - 1]), encode(array[i])) ? 0 : 1;
      put(i, array[i]);
    };
    if (begin == 0) put(0, array[0]);
    std::size_t i = std::max<std::size_t>(begin, 1);
    for (; end - i >= kAtATime; i += kAtATime) {
      for (std::size_t j = i; j < i + kAtATime; ++j) compare_and_put(j);
    }
    for (; i < end; ++i) compare_and_put(i);
    return failures == 0;
  });
}

#if defined(__x86_64__)
/// The same with AVX2, which compares numbers of 64 bits and which not every x86-64 processor has. The other function
/// is compiled into this one.
template <class Code, class Follows, class Put>
__attribute__((target("avx2"), flatten)) bool put_in_vectors(std::span<const Code> numbers, std::size_t begin,
                                                             std::size_t end, const ArrayCodec<Code>& codec,
                                                             Follows follows, Put put) {
  return put_in_order(numbers, begin, end, codec, follows, put);
}

bool has_vectors_of_integers() { return SORTIE_CPU_HAS(AVX2, "avx2"); }
#else
template <class Code, class Follows, class Put>
bool put_in_vectors(std::span<const Code> numbers, std::size_t begin, std::size_t end, const ArrayCodec<Code>& codec,
                    Follows follows, Put put) {
  return put_in_order(numbers, begin, end, codec, follows, put);
}

bool has_vectors_of_integers() { return false; }
#endif

/// Calls `put(index, number)` for ranges whose numbers follow each other, and for one that does not. Returns whether
/// all do.
template <class Code, class Follows, class Put>
bool put_while_ordered(std::span<const Code> numbers, const ArrayCodec<Code>& codec, Follows follows, Put put) {
  std::atomic<bool> all_do = true;
  const auto put_range =
      has_vectors_of_integers() ? &put_in_vectors<Code, Follows, Put> : &put_in_order<Code, Follows, Put>;
  parallel_for_ranges(0, numbers.size(), kGrain, [&](std::size_t range_begin, std::size_t range_end) {
    for (std::size_t begin = range_begin; begin < range_end && all_do.load(std::memory_order_relaxed);) {
      throw_if_stopped();
      const std::size_t end = std::min(range_end, begin + kGrain);
      if (!put_range(numbers, begin, end, codec, follows, put)) all_do.store(false, std::memory_order_relaxed);
      begin = end;
    }
  });
  return all_do;
}

template <class Code>
void reverse_in_parallel(std::span<Code> numbers) {
  parallel_for_ranges(0, numbers.size() / 2, kGrain, [&](std::size_t begin, std::size_t end) {
    std::swap_ranges(numbers.begin() + begin, numbers.begin() + end, numbers.rbegin() + begin);
  });
}

}  // namespace

template <class Code>
bool copy_if_ordered(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec) {
  if (numbers.empty()) return true;
  const std::optional<Direction> direction = direction_of_some(numbers, codec);
  if (!direction) return false;
  const auto leave = [](std::size_t, Code) {};
  const auto copy = [out = sorted.data()](std::size_t i, Code number) { out[i] = number; };
  const auto reverse = [last = &sorted.back()](std::size_t i, Code number) { *(last - i) = number; };
  const bool is_same = numbers.data() == sorted.data();
  if (*direction == Direction::kAscending) {
    return is_same ? put_while_ordered(numbers, codec, std::less_equal<>(), leave)
                   : put_while_ordered(numbers, codec, std::less_equal<>(), copy);
  }
  if (!is_same) return put_while_ordered(numbers, codec, std::greater_equal<>(), reverse);
  const bool all_descend = put_while_ordered(numbers, codec, std::greater_equal<>(), leave);
  if (all_descend) reverse_in_parallel(sorted);
  return all_descend;
}

template <class Code>
bool index_if_ordered(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const ArrayCodec<Code>& codec) {
  if (numbers.empty()) return true;
  const std::optional<Direction> direction = direction_of_some(numbers, codec);
  if (!direction) return false;
  if (*direction == Direction::kAscending) {
    return put_while_ordered(numbers, codec, std::less_equal<>(),
                             [out = indexes.data()](std::size_t i, Code) { out[i] = i; });
  }
  return put_while_ordered(numbers, codec, std::greater<>(),
                           [last = &indexes.back()](std::size_t i, Code) { *(last - i) = i; });
}

template bool copy_if_ordered(std::span<const std::uint32_t>, std::span<std::uint32_t>,
                              const ArrayCodec<std::uint32_t>&);
template bool copy_if_ordered(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                              const ArrayCodec<std::uint64_t>&);
template bool index_if_ordered(std::span<const std::uint32_t>, std::span<std::uint64_t>,
                               const ArrayCodec<std::uint32_t>&);
template bool index_if_ordered(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                               const ArrayCodec<std::uint64_t>&);

}  // namespace sortie
