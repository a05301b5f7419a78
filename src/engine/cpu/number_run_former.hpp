// Forms runs of bare numbers: the numbers themselves are sorted, from one half of the memory into the other.
#pragma once

#include <cstdint>

#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "engine/cpu/former_runs.hpp"
#include "engine/cpu/number_sort.hpp"
#include "engine/engine.hpp"
#include "record/record_order.hpp"

namespace sortie {

/// Code: std::uint32_t or std::uint64_t, by the size of the numbers.
template <class Code>
class NumberRunFormer : public RunFormer {
 public:
  NumberRunFormer(const RecordOrder& order, const FormationBudget& budget);

  std::span<std::byte> next_piece() override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
  Layout layout_;
  ArrayCodec<Code> codec_;
  std::uint64_t part_bytes_;
  MemoryRegion input_;
  MemoryRegion sorted_;
  SlotPool sorted_use_{1};  ///< of `sorted_`, by the run that is being drained
  std::size_t used_bytes_ = 0;
};

extern template class NumberRunFormer<std::uint32_t>;
extern template class NumberRunFormer<std::uint64_t>;

}  // namespace sortie
