// An object for every thread that asks for one. Unlike `thread_local` it registers no destructor for the end of the
// thread: when that fails for lack of memory, glibc ends the process. Used for objects that are expensive to make.
#pragma once

#include <atomic>
#include <thread>

namespace sortie {

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

}  // namespace sortie
