// M. D. McIlroy, "A killer adversary for quicksort" (Software: Practice and Experience, 1999). It makes up the order
// of items while a sort asks for it, so that every pivot is among the smallest. The resulting order is the worst for
// that sort, and for any sort that chooses the same pivots.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace sortie::test {

class KillerAdversary {
 public:
  explicit KillerAdversary(std::uint32_t item_count) : gas_(item_count), values_(item_count, item_count) {}

  /// The items to sort. They are named by their numbers.
  std::vector<std::uint32_t> items() const {
    std::vector<std::uint32_t> items(values_.size());
    std::iota(items.begin(), items.end(), 0);
    return items;
  }

  /// The comparison for the sort. Must be called on one thread.
  bool less(std::uint32_t a, std::uint32_t b) {
    ++comparisons_;
    note_stack();
    if (values_[a] == gas_ && values_[b] == gas_) freeze(a == candidate_ ? a : b);
    if (values_[a] == gas_) {
      candidate_ = a;
    } else if (values_[b] == gas_) {
      candidate_ = b;
    }
    return values_[a] < values_[b];
  }

  std::uint64_t comparisons() const { return comparisons_; }

  /// The distance between the stack frames of the highest and the deepest comparison.
  std::size_t stack_bytes() const { return highest_frame_ - lowest_frame_; }

  /// The values of all items, in the order of items(). They are all different.
  std::vector<std::uint32_t> values() {
    for (std::uint32_t i = 0; i < values_.size(); ++i) {
      if (values_[i] == gas_) freeze(i);
    }
    return values_;
  }

 private:
  void freeze(std::uint32_t item) { values_[item] = next_value_++; }

  void note_stack() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    lowest_frame_ = std::min(lowest_frame_, here);
    highest_frame_ = std::max(highest_frame_, here);
  }

  std::uint32_t gas_;  // greater than all settled values
  std::vector<std::uint32_t> values_;
  std::uint32_t next_value_ = 0;
  std::uint32_t candidate_ = 0;
  std::uint64_t comparisons_ = 0;
  std::uintptr_t lowest_frame_ = ~std::uintptr_t{0};
  std::uintptr_t highest_frame_ = 0;
};

/// Calls `work` on a thread with a stack of `stack_bytes`, which a sort without a bound on its depth needs.
inline void run_on_large_stack(std::size_t stack_bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread{};
  const auto call = [](void* context) -> void* {
    (*static_cast<std::function<void()>*>(context))();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, call, &work) != 0) std::abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace sortie::test
