// Runs that outlive the attempt: files in a checkpoint's directory. Made by the run store.
#pragma once

#include <cstdint>
#include <memory>

#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/runs/run_place.hpp"
#include "run/kept_run_storage.hpp"

namespace sortie {

class KeptRuns final : public RunPlace {
 public:
  /// At most `most_files` are open at once. References must outlive this.
  KeptRuns(Checkpoint& checkpoint, std::uint64_t most_files, std::shared_ptr<StoreUsage> usage, Observer& observer)
      : checkpoint_(checkpoint),
        open_files_(std::make_shared<OpenRunFiles>(most_files)),
        usage_(std::move(usage)),
        observer_(observer) {}

  /// Prepares nothing: no run will be in memory.
  void expect(std::uint64_t) override {}
  Room make_room(std::uint64_t bytes) override;

  /// Checks header and index of every run against each other, the manifest and `order`. Blocks are checked when they
  /// are read. Throws Error that names the directory if anything does not fit.
  TakenRuns take_over(const RecordOrder& order) override;

 private:
  Run open_run(const KeptRun& kept, const RecordOrder& order);

  Checkpoint& checkpoint_;
  std::shared_ptr<OpenRunFiles> open_files_;
  std::shared_ptr<StoreUsage> usage_;
  Observer& observer_;
};

}  // namespace sortie
