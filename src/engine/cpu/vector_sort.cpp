#include "engine/cpu/vector_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cstddef>

namespace sortie {
namespace {

// Below this the call into vector code costs more than it saves.
constexpr std::size_t kInsertionSortSize = 16;

// Holds the sorter's work space, one per thread.
const hwy::Sorter& thread_sorter() {
  thread_local const hwy::Sorter sorter;
  return sorter;
}

template <class VectorKey, class Key>
void sort_keys(std::span<Key> keys) {
  static_assert(sizeof(VectorKey) == sizeof(Key) && alignof(VectorKey) == alignof(Key));
  if (keys.size() <= kInsertionSortSize) {
    std::sort(keys.begin(), keys.end());
  } else {
    thread_sorter()(reinterpret_cast<VectorKey*>(keys.data()), keys.size(), hwy::SortAscending());
  }
}

}  // namespace

static_assert(offsetof(Entry, location) == offsetof(hwy::uint128_t, lo));
static_assert(offsetof(Entry, word) == offsetof(hwy::uint128_t, hi));

void vector_sort(std::span<Entry> entries) { sort_keys<hwy::uint128_t>(entries); }
void vector_sort(std::span<std::uint32_t> numbers) { sort_keys<std::uint32_t>(numbers); }
void vector_sort(std::span<std::uint64_t> numbers) { sort_keys<std::uint64_t>(numbers); }

}  // namespace sortie
