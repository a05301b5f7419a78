// Runs kept in RAM: segments of memory that fill up in turn. The memory of released ranges goes back to
// the system at once, so that the final merge can use it. Made by run formation.
#pragma once

#include <vector>

#include "base/memory_region.hpp"
#include "run/run.hpp"

namespace sortie {

class MemoryRunStorage final : public RunStorage {
 public:
  /// A reserved range never crosses segments. Throws Error if the system gives no more memory.
  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_memory() const override { return true; }
  std::string name() const override { return "memory"; }

 private:
  struct Segment {
    std::uint64_t begin;  ///< offset of its first byte
    std::uint64_t used;   ///< bytes reserved
    MemoryRegion memory;
  };

  std::byte* address(std::uint64_t offset, std::uint64_t bytes) const;

  std::vector<Segment> segments_;
};

}  // namespace sortie
