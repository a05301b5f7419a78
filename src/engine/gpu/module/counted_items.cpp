#include "engine/gpu/module/counted_items.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include <sortie/cuda/device_sets.hpp>

#include "cuda/device_call.hpp"
#include "device/cuda_error.hpp"
#include "engine/gpu/module/device_sorts.hpp"
#include "engine/gpu/module/separate_lists.hpp"
#include "kernels/common/scratch_layout.hpp"

namespace sortie {
namespace {

using cuda::KeyType;
using cuda::Scratch;
using cuda::Status;

/// Words of pinned memory that kernels of every device can write. They are kept for later calls: to pin one takes
/// longer than a call of few items.
class PinnedWords {
 public:
  std::uint64_t* take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) add_words();
    std::uint64_t* const word = free_.back();
    free_.pop_back();
    return word;
  }

  void give_back(std::uint64_t* word) noexcept {
    const std::scoped_lock lock(mutex_);
    free_.push_back(word);  // there is room: words were added together with it
  }

 private:
  static constexpr std::size_t kAddedWords = 512;

  void add_words() {
    free_.reserve(word_count_ + kAddedWords);
    void* words = nullptr;
    check_cuda(cudaHostAlloc(&words, kAddedWords * sizeof(std::uint64_t), cudaHostAllocPortable | cudaHostAllocMapped),
               "memory for counts");
    for (std::size_t i = 0; i < kAddedWords; ++i) free_.push_back(static_cast<std::uint64_t*>(words) + i);
    word_count_ += kAddedWords;
  }

  std::mutex mutex_;
  std::vector<std::uint64_t*> free_;
  std::size_t word_count_ = 0;
};

/// Those of the process. CUDA frees them when it ends: until then a kernel may write to one.
PinnedWords& pinned_words() {
  static PinnedWords words;
  return words;
}

/// A number that a kernel writes to the host's memory.
class AwaitedCount {
 public:
  explicit AwaitedCount(cudaStream_t stream) : stream_(stream) {
    cuda::require_uncaptured(stream,
                             "the number of items is waited for, and the stream is being captured into a graph: "
                             "call this outside of it");
    word_ = pinned_words().take();
  }
  ~AwaitedCount() { pinned_words().give_back(word_); }
  AwaitedCount(const AwaitedCount&) = delete;
  AwaitedCount& operator=(const AwaitedCount&) = delete;

  std::uint64_t* target() const { return word_; }

  /// Waits until the stream has done what is queued.
  std::uint64_t read() const {
    check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    return *word_;
  }

 private:
  cudaStream_t stream_;
  std::uint64_t* word_;
};

/// Scratch of unique_items(): the items in order, and that of the sort and of what comes behind it.
struct UniqueScratch {
  UniqueScratch(KeyType type, std::size_t value_bytes, std::uint64_t count, void* area = nullptr)
      : layout(area),
        keys(layout.take<std::byte>(count * cuda::bytes_of(type))),
        values(layout.take<std::byte>(count * value_bytes)),
        step_bytes(std::max(item_sort_scratch_bytes(type, value_bytes, count), cuda::unique_scratch_bytes(count))),
        step(layout.take<std::byte>(step_bytes)) {}

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* values;
  std::size_t step_bytes;
  std::byte* step;
};

}  // namespace

std::size_t unique_items_scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
  return UniqueScratch(type, value_bytes, count).layout.size_bytes();
}

Status unique_items(const DeviceUnique& unique, std::uint64_t& kept_count, const DeviceCall& call) {
  const auto& [items, type, keep, value_bytes, unique_keys, unique_values] = unique;
  cuda::require_count(items.count);
  cuda::require_values(value_bytes, items.count);
  cuda::require(call.scratch_bytes >= unique_items_scratch_bytes(type, value_bytes, items.count),
                "the scratch for unique items is too small");
  const UniqueScratch areas(type, value_bytes, items.count, call.scratch);
  auto* const stream = static_cast<cudaStream_t>(call.stream);
  const Scratch step(areas.step, areas.step_bytes);
  const AwaitedCount count(stream);
  cuda::copy_within_device(areas.values, items.values, items.count * value_bytes, stream);
  cuda::require_ok(sort_items(
      {items.keys, areas.keys, type, cuda::Order::kAscending, value_bytes, areas.values, items.count}, step, stream));
  cuda::require_ok(cuda::unique(list_of({areas.keys, areas.values, items.count}, type, value_bytes),
                                cuda::Keys(unique_keys, type), cuda::Values(unique_values, value_bytes), count.target(),
                                keep, step, stream));
  kept_count = count.read();
  return {};
}

Status combine_lists(const DeviceSetOperation& sets, std::uint64_t& kept_count, const DeviceCall& call) {
  auto* const stream = static_cast<cudaStream_t>(call.stream);
  const AwaitedCount count(stream);
  cuda::require_ok(cuda::set_operation(sets.operation, list_of(sets.first, sets.key_type, sets.value_bytes),
                                       list_of(sets.second, sets.key_type, sets.value_bytes),
                                       cuda::Keys(sets.keys, sets.key_type),
                                       cuda::Values(sets.values, sets.value_bytes), count.target(), sets.order,
                                       Scratch(call.scratch, call.scratch_bytes), stream));
  kept_count = count.read();
  return {};
}

}  // namespace sortie
