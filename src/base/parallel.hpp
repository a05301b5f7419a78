// Parallel loops on the threads of the calling thread's team; all parallel work of the library goes through them. A
// team of one thread runs them in place, and so does a loop of one turn, and a thread that belongs to no team. An
// exception of one turn ends the loop and is thrown to the caller, and so does a stop of the team.
// Also an object for every thread, and copies by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/function_ref.hpp"
#include "base/thread_team.hpp"

namespace sortie {

/// Whether the calling thread shares its loops with no other.
bool is_alone();

/// Cuts `begin` to `end` into ranges of `grain` indexes or more, but for the last, and calls `body(begin, end)` for
/// each, in any order.
void parallel_for_ranges(std::size_t begin, std::size_t end, std::size_t grain,
                         FunctionRef<void(std::size_t, std::size_t)> body);

/// Calls `body(i)` once for every i from `begin` to before `end`, in any order.
template <class Body>
void parallel_for(std::size_t begin, std::size_t end, const Body& body) {
  parallel_for_ranges(begin, end, 1, [&](std::size_t i, std::size_t range_end) {
    for (; i < range_end; ++i) {
      throw_if_stopped();
      body(i);
    }
  });
}

/// Calls `body(i, value)` once for every i below `count`: it returns `value` with the result of i added. `join(a, b)`
/// makes one value of those of neighbouring ranges; `identity` adds nothing to any value.
template <class Value, class Body, class Join>
Value parallel_reduce(std::size_t count, const Value& identity, const Body& body, const Join& join) {
  static_assert(!std::is_same_v<Value, bool>, "threads would write to bits of one byte");
  // Enough for a thread that is held up to leave ranges to others.
  constexpr std::size_t kRangesOfThread = 8;
  const std::size_t ranges = std::min(count, is_alone() ? 1 : kRangesOfThread * parallel_threads());
  std::vector<Value> values(ranges, identity);
  parallel_for(0, ranges, [&](std::size_t range) {
    Value value = identity;
    for (std::size_t i = count * range / ranges; i < count * (range + 1) / ranges; ++i) value = body(i, value);
    values[range] = value;
  });
  Value all = identity;
  for (const Value& value : values) all = join(all, value);
  return all;
}

/// Calls `foreground` on the calling thread, and `background` on a thread that is idle meanwhile, or after it. Returns,
/// or throws, when both have ended. If `foreground` throws, that is thrown, and `background` does not begin any more.
void run_with_background(FunctionRef<void()> foreground, FunctionRef<void()> background);

/// An object for every thread that asks for one; for objects that are expensive to make. Unlike `thread_local` it
/// registers no destructor for the end of the thread: when that fails for lack of memory, glibc ends the process.
/// All objects are destroyed with the owner, not with their threads. A search takes time in proportion to the number of
/// threads that have asked, so ask once for much work.
template <class Object>
class OnePerThread {
 public:
  OnePerThread() = default;
  OnePerThread(const OnePerThread&) = delete;
  OnePerThread& operator=(const OnePerThread&) = delete;
  ~OnePerThread() {
    for (const Node* node = last_made_.load(std::memory_order_relaxed); node != nullptr;) {
      const Node* const made_before = node->made_before;
      delete node;
      node = made_before;
    }
  }

  /// The calling thread's object: default-constructed when it first asks, or left by a thread of the same identifier
  /// that has ended. Throws std::bad_alloc, and what the constructor throws. Thread-safe.
  Object& local() {
    const std::thread::id thread = std::this_thread::get_id();
    Node* newest = last_made_.load(std::memory_order_acquire);
    for (Node* node = newest; node != nullptr; node = node->made_before) {
      if (node->thread == thread) return node->object;
    }
    Node* const node = new Node{thread, newest, {}};
    // Only this thread adds a node for itself: those that others add meanwhile are not the one that it looked for.
    while (!last_made_.compare_exchange_weak(node->made_before, node, std::memory_order_acq_rel)) {
    }
    return node->object;
  }

 private:
  struct Node {
    const std::thread::id thread;
    Node* made_before;
    alignas(64) Object object;  // a search reads no line of the cache that another thread writes to
  };

  std::atomic<Node*> last_made_ = nullptr;
};

/// Copies between buffers of host memory with several threads: one thread reaches a fifth of the memory's speed.
/// `target` is at least as long as `source` and does not overlap it. Returns when all is copied.
void copy_in_parallel(std::span<std::byte> target, std::span<const std::byte> source);

}  // namespace sortie
