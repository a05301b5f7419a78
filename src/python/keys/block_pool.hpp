// Memory of batches that is used again: fresh memory costs the processor more than to copy rows into it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace sortie::python {

inline constexpr std::size_t kBlockAlignment = 64;  // as Arrow wishes

struct FreeBlock {
  void operator()(std::byte* block) const { ::operator delete (block, std::align_val_t{kBlockAlignment}); }
};

struct Block {
  std::unique_ptr<std::byte, FreeBlock> bytes;
  std::size_t size = 0;
};

/// Blocks that batches gave back, for the next ones. Threads may call it at once.
class BlockPool {
 public:
  /// `most_bytes`: that are kept while nobody has them.
  explicit BlockPool(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  Block take(std::size_t bytes) {
    {
      const std::scoped_lock lock(mutex_);
      const auto found = free_.lower_bound(bytes);
      if (found != free_.end() && found->first <= 2 * bytes + kSmallBytes) {
        Block block = std::move(found->second);
        free_.erase(found);
        free_bytes_ -= block.size;
        return block;
      }
    }
    const std::size_t size = bytes + bytes / 8 + kBlockAlignment;  // the next one may be a little larger
    return {std::unique_ptr<std::byte, FreeBlock>(
                static_cast<std::byte*>(::operator new (size, std::align_val_t{kBlockAlignment}))),
            size};
  }

  void give_back(Block block) {
    const std::scoped_lock lock(mutex_);
    if (free_bytes_ + block.size > most_bytes_) return;
    free_bytes_ += block.size;
    const std::size_t size = block.size;
    free_.emplace(size, std::move(block));
  }

 private:
  static constexpr std::size_t kSmallBytes = 4096;

  std::mutex mutex_;
  std::multimap<std::size_t, Block> free_;
  std::size_t most_bytes_;
  std::size_t free_bytes_ = 0;
};

}  // namespace sortie::python
