// Runs of one attempt: in RAM while the budget allows, then in unnamed scratch files. Each run gets a file of its own
// while descriptors allow; after that runs share the existing ones, because a file without a name cannot be closed and
// opened again. Made by the run store.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_pin.hpp"
#include "io/files/scratch.hpp"
#include "pipeline/runs/run_place.hpp"
#include "run/file_run_storage.hpp"
#include "run/run_memory.hpp"

namespace sortie {

class ScratchRuns final : public RunPlace {
 public:
  struct Options {
    std::uint64_t memory_bytes = 0;      ///< limit for runs in RAM
    std::uint64_t expected_bytes = 0;    ///< all runs together; 0 if unknown
    std::optional<std::string> program;  ///< program that compresses run files
    std::uint64_t most_files = 0;        ///< files open at once, but in any case one per directory
  };

  /// With `pin`, runs in RAM are pinned, each while the one before is stored. References must outlive this.
  ScratchRuns(ScratchSpace& scratch, Options options, std::shared_ptr<StoreUsage> usage, Observer& observer,
              MemoryPinner pin);

  void expect(std::uint64_t bytes) override;
  Room make_room(std::uint64_t bytes) override;
  TakenRuns take_over(const RecordOrder&) override { return {}; }

 private:
  std::unique_ptr<RunMemory> take_memory(std::uint64_t bytes);
  void prepare_next(std::uint64_t bytes);
  bool memory_fits(std::uint64_t bytes) const;
  std::shared_ptr<ScratchFile> next_file();

  ScratchSpace& scratch_;
  Options options_;
  std::shared_ptr<StoreUsage> usage_;
  Observer& observer_;
  MemoryPinner pin_;
  std::uint64_t job_id_;
  std::atomic<std::uint64_t> next_run_{0};
  std::uint64_t begun_bytes_ = 0;           // length of all runs begun; guarded by usage_->mutex
  std::unique_ptr<RunMemory> next_memory_;  // being pinned for the next run; guarded by usage_->mutex
  std::mutex files_mutex_;
  std::vector<std::weak_ptr<ScratchFile>> files_;
};

}  // namespace sortie
