#include "pipeline/run_formation.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/bounded_queue.hpp"
#include "base/worker.hpp"

namespace sortie {
namespace {

// Stores sorted runs on a thread of its own, one thread per engine.
class RunDrain {
 public:
  explicit RunDrain(RunStore& store) : store_(store), worker_([this] { drain_all(); }, [this] { queue_.abandon(); }) {}
  ~RunDrain() { queue_.abandon(); }
  RunDrain(const RunDrain&) = delete;
  RunDrain& operator=(const RunDrain&) = delete;

  struct Stored {
    std::size_t number = 0;
    Run run;
    bool spilled = false;
    RecordTotals dropped;
  };

  /// False if draining has failed: finish() tells why.
  bool push(std::size_t number, std::unique_ptr<SortedRun> sorted) { return queue_.push({number, std::move(sorted)}); }

  /// Waits for all runs. Rethrows what went wrong.
  std::vector<Stored> finish() {
    queue_.close();
    worker_.join();
    return std::move(stored_);
  }

 private:
  struct Item {
    std::size_t number = 0;
    std::unique_ptr<SortedRun> sorted;
  };

  void drain_all() {
    while (auto item = queue_.pop()) {
      const std::unique_ptr<RunSink> sink = store_.begin_run(item->sorted->byte_count());
      item->sorted->drain([&](std::span<std::byte> part) { sink->append(part); });
      item->sorted.reset();
      Run run = sink->finish();
      stored_.push_back({item->number, std::move(run), !sink->in_memory(), sink->dropped()});
    }
  }

  RunStore& store_;
  std::vector<Stored> stored_;
  BoundedQueue<Item> queue_;
  Worker worker_;
};

// Fills one run. False if the input is known to have ended.
bool fill_run(RecordReader& reader, RunFormer& former, std::uint64_t& record_count) {
  record_count = 0;
  std::size_t least_bytes = 0;
  while (true) {
    const std::span<std::byte> piece = least_bytes == 0 ? former.next_piece() : former.next_large_piece(least_bytes);
    if (piece.empty() && record_count > 0) return !reader.at_end();
    if (piece.empty()) {
      throw Error(reader.position() + ": a record is longer than the memory for a run; raise it with --buffer-size");
    }
    const RecordReader::Piece read = reader.read(piece, former.max_piece_records());
    if (read.status == RecordReader::Status::kEnd) return false;
    if (read.status == RecordReader::Status::kTooSmall) {
      if (record_count > 0) return true;
      least_bytes = std::max(2 * read.bytes, 2 * piece.size());
      continue;
    }
    former.commit_piece(read.bytes, read.records);
    record_count += read.records;
    least_bytes = 0;
  }
}

}  // namespace

FormedRuns form_runs(RecordReader& reader, std::span<const std::unique_ptr<RunFormer>> formers, RunStore& store,
                     const PartConsumer& consume_only_run, Observer& observer) {
  FormedRuns formed;
  std::vector<std::unique_ptr<RunDrain>> drains;
  std::size_t run_count = 0;
  for (bool more = true; more; ++run_count) {
    const std::size_t lane = run_count % formers.size();
    std::uint64_t record_count = 0;
    more = fill_run(reader, *formers[lane], record_count);
    if (record_count == 0) break;
    std::unique_ptr<SortedRun> sorted;
    {
      auto span = observer.span("sort");
      sorted = formers[lane]->finish_run();
      span.set_bytes(sorted->byte_count());
    }
    if (!more && run_count == 0) {
      formed.direct = true;
      sorted->drain(consume_only_run);
      return formed;
    }
    if (drains.size() <= lane) drains.push_back(std::make_unique<RunDrain>(store));
    if (!drains[lane]->push(run_count, std::move(sorted))) break;
  }
  formed.direct = run_count == 0;

  formed.runs.resize(run_count);
  for (const auto& drain : drains) {
    for (RunDrain::Stored& stored : drain->finish()) {
      formed.runs[stored.number] = std::move(stored.run);
      formed.spilled += stored.spilled ? 1 : 0;
      formed.dropped += stored.dropped;
    }
  }
  return formed;
}

}  // namespace sortie
