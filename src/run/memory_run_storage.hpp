// A run in RAM: one stretch of memory if its length is known beforehand, more stretches as it grows. The memory of
// released ranges goes back to the system, so that the final merge can use it. Made by run formation.
#pragma once

#include <memory>
#include <vector>

#include "run/run.hpp"
#include "run/run_memory.hpp"

namespace sortie {

class MemoryRunStorage final : public RunStorage {
 public:
  MemoryRunStorage() = default;
  /// Uses up `memory` before it allocates more. Waits until it is ready.
  explicit MemoryRunStorage(std::unique_ptr<RunMemory> memory);

  /// A reserved range never crosses segments. Throws Error if the system gives no more memory.
  std::uint64_t reserve(std::uint64_t bytes) override;
  /// Does nothing if the bytes are there already (pinned_memory()).
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t bytes) const override;
  /// Pinned memory that reserve() will give out from its beginning: a caller that puts the bytes there itself saves
  /// write() the copy. Empty if there is none.
  std::span<std::byte> pinned_memory() const;
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_file() const override { return false; }
  std::string path() const override { return {}; }

 private:
  struct Segment {
    std::uint64_t begin;  ///< offset of its first byte
    std::uint64_t used;   ///< bytes reserved
    std::unique_ptr<RunMemory> memory;
  };

  const Segment& segment_of(std::uint64_t offset) const;
  std::byte* address(std::uint64_t offset, std::uint64_t bytes) const;

  std::vector<Segment> segments_;
};

}  // namespace sortie
