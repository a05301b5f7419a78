// Proof and report of a sort that sorts places of records only, while the records stay where they are: the places that
// come out are those of all that went in. Behind tables that are held in memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

namespace sortie {

class PlaceTotals {
 public:
  /// The sort begins now. Throws Error for options that no sort takes.
  explicit PlaceTotals(const SortOptions& options);

  /// The next places in order. `in_order`: whether their keys are. Throws Error if they are not, although they should
  /// be.
  void add(std::span<const std::int64_t> places, bool in_order);
  /// What the sort did with records of `bytes` in all. Throws Error unless every place below `count` has come once.
  SortReport finish(std::uint64_t count, std::uint64_t bytes) const;

 private:
  const bool verify_;
  const std::uint64_t memory_bytes_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t count_ = 0;
  Checksum checksum_;
};

}  // namespace sortie
