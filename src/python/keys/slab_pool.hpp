// Memory of batches that is used again: fresh memory costs the processor more than to copy rows into it. Batches are
// made, and given up, one after the other, so their columns lie one behind the other in slabs, each of which is free
// again with its last batch.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace sortie::python {

/// Mapped memory, in huge pages if it fills such and the system gives them.
class Slab {
 public:
  static constexpr std::size_t kHugeBytes = 2 << 20;

  /// Throws std::bad_alloc.
  explicit Slab(std::size_t bytes) : size_(bytes) {
    void* const mapped = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(mapped);
    if (size_ >= 2 * kHugeBytes) ::madvise(data_, size_, MADV_HUGEPAGE);  // refusal does no harm
  }
  ~Slab() { ::munmap(data_, size_); }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_;
};

/// Gives pieces of slabs, and keeps those that are free for the next pieces. Threads may call it at once.
class SlabPool : public std::enable_shared_from_this<SlabPool> {
 public:
  /// The piece lasts as long as somebody owns its slab.
  struct Piece {
    std::byte* bytes;
    std::shared_ptr<const Slab> slab;
  };

  /// `most_free_bytes`: of slabs that nobody has.
  static std::shared_ptr<SlabPool> create(std::size_t most_free_bytes) {
    return std::shared_ptr<SlabPool>(new SlabPool(most_free_bytes));
  }

  Piece take(std::size_t bytes) {
    const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (size > slab_bytes_) return own_slab(size);
    std::shared_ptr<const Slab> full;  // its end may lock the mutex
    const std::scoped_lock lock(mutex_);
    if (filled_ == nullptr || filled_->size() - filled_bytes_ < size) {
      full = std::exchange(filled_, next_slab());
      filled_bytes_ = 0;
    }
    std::byte* const begin = filled_->data() + filled_bytes_;
    filled_bytes_ += size;
    return {begin, filled_};
  }

 private:
  static constexpr std::size_t kAlignment = 64;  // as Arrow wishes
  static constexpr std::size_t kLeastSlabBytes = 64 << 10, kMostSlabBytes = 4 * Slab::kHugeBytes;

  explicit SlabPool(std::size_t most_free_bytes)
      : slab_bytes_(std::clamp(most_free_bytes / 8, kLeastSlabBytes, kMostSlabBytes)),
        most_free_slabs_(most_free_bytes / slab_bytes_) {}

  static Piece own_slab(std::size_t size) {
    auto slab = std::make_shared<const Slab>(size);
    return {slab->data(), slab};
  }

  /// A free slab, or a new one. Its last owner gives it back.
  std::shared_ptr<const Slab> next_slab() {
    std::unique_ptr<const Slab> slab;
    if (free_.empty()) {
      slab = std::make_unique<const Slab>(slab_bytes_);
    } else {
      slab = std::move(free_.back());
      free_.pop_back();
    }
    return {slab.release(), [pool = weak_from_this()](const Slab* given) {
              std::unique_ptr<const Slab> back(given);
              if (const std::shared_ptr<SlabPool> there = pool.lock()) there->give_back(std::move(back));
            }};
  }

  void give_back(std::unique_ptr<const Slab> slab) {
    const std::scoped_lock lock(mutex_);
    if (free_.size() < most_free_slabs_) free_.push_back(std::move(slab));
  }

  std::mutex mutex_;
  std::size_t slab_bytes_, most_free_slabs_;
  std::vector<std::unique_ptr<const Slab>> free_;
  std::shared_ptr<const Slab> filled_;  // from which pieces are taken
  std::size_t filled_bytes_ = 0;
};

}  // namespace sortie::python
