// Memory for the entries of buckets that are scattered again. What one bucket leaves the next one takes: the system
// would clear pages for each.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "entries/entry.hpp"

namespace sortie {

class EntryMemory {
 public:
  /// Room for so many entries, whose values are not set. When nobody holds it any more it is kept for the next call; of
  /// several, the largest. Thread-safe.
  std::shared_ptr<Entry[]> take(std::size_t entries) {
    Kept memory = kept_->exchange({});
    if (memory.entries < entries) {
      memory.entries = entries + entries / kSpareShare;
      memory.entry = std::make_unique_for_overwrite<Entry[]>(memory.entries);
    }
    const auto give_back = [kept = kept_, entries = memory.entries](Entry* entry) {
      kept->keep_larger({std::unique_ptr<Entry[]>(entry), entries});
    };
    return {memory.entry.release(), give_back};
  }

 private:
  /// A little more than is asked for, so that the next bucket fits, too: they are of about one size. Pages that are not
  /// written take no memory.
  static constexpr std::size_t kSpareShare = 4;

  struct Kept {
    std::unique_ptr<Entry[]> entry;
    std::size_t entries = 0;
  };

  class KeptMemory {
   public:
    Kept exchange(Kept memory) {
      const std::scoped_lock lock(mutex_);
      return std::exchange(memory_, std::move(memory));
    }
    void keep_larger(Kept memory) {
      const std::scoped_lock lock(mutex_);
      if (memory.entries > memory_.entries) std::swap(memory, memory_);
    }

   private:
    std::mutex mutex_;
    Kept memory_;
  };

  std::shared_ptr<KeptMemory> kept_ = std::make_shared<KeptMemory>();
};

}  // namespace sortie
