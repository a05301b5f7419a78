// Where runs live between the phases: in RAM while the budget allows, in scratch files after that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "io/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/compression_policy.hpp"
#include "pipeline/unique_filter.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"
#include "run/run_writer.hpp"

namespace sortie {

/// Bytes held and moved by all runs of a store; shared with their storage.
struct RunStoreUsage {
  std::mutex mutex;
  std::uint64_t memory_reserved = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t scratch_peak_bytes = 0;
};

/// A run on its way into the store.
class RunSink {
 public:
  RunSink(const Format& format, const RecordOrder& order, bool unique, bool verify, CompressionPolicy& policy,
          Observer& observer, RunIdentity identity, std::shared_ptr<RunStorage> storage, std::uint64_t block_bytes);

  /// Takes the next records in order. Drops duplicates if asked to; may change the bytes of `part`.
  void append(std::span<std::byte> part);

  /// Call once.
  Run finish();

  const RecordTotals& dropped() const { return filter_.dropped(); }
  bool in_memory() const { return storage_->in_memory(); }

 private:
  bool unique_;
  CompressionPolicy& policy_;
  Observer& observer_;
  UniqueFilter filter_;
  std::shared_ptr<RunStorage> storage_;
  RunWriter writer_;
};

class RunStore {
 public:
  struct Options {
    std::uint64_t memory_bytes = 0;  ///< for runs in RAM
    std::uint64_t block_bytes = 0;
    bool unique = false;
    bool verify = true;
  };

  RunStore(const Format& format, const RecordOrder& order, ScratchSpace& scratch, CompressionPolicy& policy,
           const Options& options, Observer& observer);

  /// A sink for a run of at most `bytes` of records. Thread-safe.
  std::unique_ptr<RunSink> begin_run(std::uint64_t bytes);

  /// A sink for a run that lies in `file` already and is passed through from its beginning. Duplicates
  /// stay in it.
  std::unique_ptr<RunSink> begin_borrowed_run(std::unique_ptr<File> file);

  std::uint64_t scratch_peak_bytes() const;

 private:
  std::unique_ptr<RunSink> make_sink(std::shared_ptr<RunStorage> storage, bool unique);
  std::shared_ptr<RunStorage> make_storage(std::uint64_t bytes);

  const Format& format_;
  const RecordOrder& order_;
  ScratchSpace& scratch_;
  CompressionPolicy& policy_;
  Options options_;
  Observer& observer_;
  std::shared_ptr<RunStoreUsage> usage_;
  std::uint64_t job_id_;
  std::atomic<std::uint64_t> next_run_{0};
};

}  // namespace sortie
