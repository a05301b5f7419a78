#include "observe/stage_totals.hpp"

namespace sortie {

std::size_t StageTotals::index_of(std::string_view name) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i].name == name) return i;
  }
  stages_.push_back(StageReport{std::string(name), 0, 0});
  return stages_.size() - 1;
}

void StageTotals::add(std::size_t index, std::uint64_t bytes, double seconds) noexcept {
  const std::lock_guard lock(mutex_);
  stages_[index].bytes += bytes;
  stages_[index].busy_seconds += seconds;
}

std::vector<StageReport> StageTotals::stages() const {
  const std::lock_guard lock(mutex_);
  return stages_;
}

}  // namespace sortie
