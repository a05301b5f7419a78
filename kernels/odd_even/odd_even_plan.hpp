// Index arithmetic of the odd-even transposition sort. Host and device functions.
//
// Blocks sort spans of two halves. From phase to phase the spans shift by one half, so that a half meets its right and
// its left neighbour in turn. Sorting two halves does to halves what a comparator does to items:
//
//   phase 0, 2, ...   | h0  h1 | h2  h3 | h4 |
//   phase 1, 3, ...     h0 | h1  h2 | h3  h4 |
//
// So a list is sorted after as many phases as it has halves. Within a span the same is done with single items.
// Habermann, "Parallel Neighbor-Sort", 1972; Baudet and Stevenson, "Optimal Sorting Algorithms for Parallel
// Computers", 1978 (halves for items).
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/size.hpp"

namespace sortie::kernels {

inline constexpr unsigned kOddEvenThreads = 512;
inline constexpr unsigned kOddEvenHalfItems = kOddEvenThreads;

struct OddEvenSpan {
  std::uint64_t begin;
  unsigned count;  ///< 0 if there is nothing to do
};

/// The number of spans of a phase. The lists have `list_items` items, a multiple of a span or at least `item_count`.
constexpr std::uint64_t odd_even_span_count(std::uint64_t item_count, unsigned half_items) {
  return divide_up(item_count, 2 * std::uint64_t{half_items});
}

/// Span number `span` of a phase. Spans end with their list. In odd phases a span of no more than a half is empty,
/// because the phase before has sorted it.
SORTIE_HD constexpr OddEvenSpan odd_even_span(std::uint64_t span, unsigned phase, std::uint64_t list_items,
                                              std::uint64_t item_count, unsigned half_items) {
  const std::uint64_t span_items = 2 * std::uint64_t{half_items};
  const std::uint64_t begin = span * span_items + (phase % 2 == 0 ? 0 : half_items);
  const std::uint64_t list = span * span_items / list_items;
  const std::uint64_t list_end = item_count / list_items > list ? (list + 1) * list_items : item_count;
  const std::uint64_t left = begin < list_end ? list_end - begin : 0;
  if (phase % 2 != 0 && left <= half_items) return {begin, 0};
  return {begin, static_cast<unsigned>(left < span_items ? left : span_items)};
}

/// The number of phases that sort lists of up to `list_items` items.
constexpr std::uint64_t odd_even_phase_count(std::uint64_t list_items, unsigned half_items) {
  const std::uint64_t halves = divide_up(list_items, half_items);
  return halves <= 2 ? 1 : halves;
}

}  // namespace sortie::kernels
