#include "engine/cpu/ordered_numbers.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>

#include "base/cpu_features.hpp"
#include "base/parallel.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

enum class Direction { kAscending, kDescending };

/// The numbers that are looked at first. Random ones are told by two or three.
constexpr std::size_t kProbes = 64;

/// A thread takes so many numbers at a time, and copies them while they are in its cache.
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

/// Whether `follows(earlier, later)` is true of the codes of all neighbours in the range, and of the number before it.
/// Without branches, and some at a time for the compiler to make vectors of: nearly all arrays that are looked at so
/// closely are in order.
template <class Code, class Follows>
bool follow_each_other(std::span<const Code> numbers, std::size_t begin, std::size_t end, const ArrayCodec<Code>& codec,
                       Follows follows) {
  constexpr std::size_t kAtATime = 64;
  return codec.with_encoding([&](const auto& encode) {
    const Code* before = numbers.data() + begin - (begin > 0 ? 1 : 0);
    const Code* const last = numbers.data() + end - 1;
    unsigned failures = 0;
    for (; static_cast<std::size_t>(last - before) >= kAtATime; before += kAtATime) {
      for (std::size_t i = 0; i < kAtATime; ++i) failures |= follows(encode(before[i]), encode(before[i + 1])) ? 0 : 1;
    }
    for (; before < last; ++before) failures |= follows(encode(before[0]), encode(before[1])) ? 0 : 1;
    return failures == 0;
  });
}

#if defined(__x86_64__)
/// The same with AVX2, which compares numbers of 64 bits and which not every x86-64 processor has. The other function
/// is compiled into this one.
template <class Code, class Follows>
__attribute__((target("avx2"), flatten)) bool follow_in_vectors(std::span<const Code> numbers, std::size_t begin,
                                                                std::size_t end, const ArrayCodec<Code>& codec,
                                                                Follows follows) {
  return follow_each_other(numbers, begin, end, codec, follows);
}

bool has_vectors_of_integers() { return SORTIE_CPU_HAS(AVX2, "avx2"); }
#else
template <class Code, class Follows>
bool follow_in_vectors(std::span<const Code> numbers, std::size_t begin, std::size_t end, const ArrayCodec<Code>& codec,
                       Follows follows) {
  return follow_each_other(numbers, begin, end, codec, follows);
}

bool has_vectors_of_integers() { return false; }
#endif

/// Calls `take(begin, end)` for ranges whose numbers follow each other, until one does not. Returns whether all do.
template <class Code, class Follows, class Take>
bool take_while_ordered(std::span<const Code> numbers, const ArrayCodec<Code>& codec, Follows follows,
                        const Take& take) {
  std::atomic<bool> all_do = true;
  const auto follow = has_vectors_of_integers() ? &follow_in_vectors<Code, Follows> : &follow_each_other<Code, Follows>;
  parallel_for_ranges(0, numbers.size(), kGrain, [&](std::size_t range_begin, std::size_t range_end) {
    for (std::size_t begin = range_begin; begin < range_end && all_do.load(std::memory_order_relaxed);) {
      throw_if_stopped();
      const std::size_t end = std::min(range_end, begin + kGrain);
      if (follow(numbers, begin, end, codec, follows)) {
        take(begin, end);
      } else {
        all_do.store(false, std::memory_order_relaxed);
      }
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
  const bool is_same = numbers.data() == sorted.data();
  if (*direction == Direction::kAscending) {
    return take_while_ordered(numbers, codec, std::less_equal<>(), [&](std::size_t begin, std::size_t end) {
      if (!is_same) std::ranges::copy(numbers.subspan(begin, end - begin), sorted.begin() + begin);
    });
  }
  const bool all_descend =
      take_while_ordered(numbers, codec, std::greater_equal<>(), [&](std::size_t begin, std::size_t end) {
        if (!is_same) std::ranges::reverse_copy(numbers.subspan(begin, end - begin), sorted.end() - end);
      });
  if (all_descend && is_same) reverse_in_parallel(sorted);
  return all_descend;
}

template <class Code>
bool index_if_ordered(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const ArrayCodec<Code>& codec) {
  if (numbers.empty()) return true;
  const std::optional<Direction> direction = direction_of_some(numbers, codec);
  if (!direction) return false;
  if (*direction == Direction::kAscending) {
    return take_while_ordered(numbers, codec, std::less_equal<>(), [&](std::size_t begin, std::size_t end) {
      std::iota(indexes.begin() + begin, indexes.begin() + end, begin);
    });
  }
  return take_while_ordered(numbers, codec, std::greater<>(), [&](std::size_t begin, std::size_t end) {
    std::iota(indexes.rbegin() + begin, indexes.rbegin() + end, begin);
  });
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
