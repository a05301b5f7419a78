// Bytes and busy time of every stage, summed over all threads. The Observer feeds it from its spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include <sortie/report.hpp>

namespace sortie {

/// Thread-safe.
class StageTotals {
 public:
  /// The number of the stage of that name, a new one on first use.
  std::size_t index_of(std::string_view name);
  void add(std::size_t index, std::uint64_t bytes, double seconds) noexcept;
  /// The stages in order of first use.
  std::vector<StageReport> stages() const;

 private:
  mutable std::mutex mutex_;
  std::vector<StageReport> stages_;
};

}  // namespace sortie
