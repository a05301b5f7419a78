#include "pipeline/runs/run_formation.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/task_thread.hpp"

namespace sortie {
namespace {

// Passes on the records of a run, through `pinned` if there is one. The time between two parts counts as gathering
// them.
void drain_run(SortedRun& sorted, std::span<std::byte> pinned, const PartConsumer& consumer, Observer& observer) {
  std::optional<Observer::Span> gathering;
  gathering.emplace(observer, "gather", 0);
  const auto take = [&](std::span<std::byte> part) {
    gathering->set_bytes(part.size());
    gathering.reset();
    consumer(part);
    gathering.emplace(observer, "gather", 0);
  };
  const PartConsumer consume = consumer.taken_by(take);
  if (pinned.empty()) {
    sorted.drain(consume);
  } else {
    sorted.drain_into(pinned, consume);
  }
}

// Stores sorted runs on a thread of its own, one thread per engine.
class RunDrain {
 public:
  RunDrain(RunStore& store, RunJournal* journal, Observer& observer, std::size_t lane)
      : store_(store),
        journal_(journal),
        observer_(observer),
        thread_([&observer, lane] { observer.name_thread("run writer " + std::to_string(lane)); }) {}

  struct Stored {
    std::size_t number = 0;
    Run run;
    bool spilled = false;
    RecordTotals dropped;
  };

  /// `end`: where the run ends in the inputs, for the journal. Waits while two runs before are not stored. Rethrows
  /// what went wrong with them.
  void push(std::size_t number, std::unique_ptr<SortedRun> sorted, const InputMark& end) {
    // Those that are stored already are taken too, so that a failure is known at once.
    while (coming_.size() == kMostComing || first_is_stored()) take_first();
    // While the run before is stored, unless that would hold up the caller.
    std::unique_ptr<RunSink> sink = store_.pins() ? nullptr : store_.begin_run(sorted->byte_count());
    coming_.push_back(thread_.post([this, number, sink = std::move(sink), sorted = std::move(sorted), end]() mutable {
      if (!sink) sink = store_.begin_run(sorted->byte_count());
      return store(number, *sink, std::move(sorted), end);
    }));
  }

  /// Waits for all runs. Rethrows what went wrong.
  std::vector<Stored> finish() {
    while (!coming_.empty()) take_first();
    return std::move(stored_);
  }

 private:
  /// One run is stored, and one waits.
  static constexpr std::size_t kMostComing = 2;

  bool first_is_stored() const {
    return !coming_.empty() && coming_.front().wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  /// Waits for it.
  void take_first() {
    stored_.push_back(coming_.front().get());
    coming_.pop_front();
  }

  Stored store(std::size_t number, RunSink& sink, std::unique_ptr<SortedRun> sorted, const InputMark& end) {
    const auto append = [&](std::span<std::byte> part) { sink.append(part); };
    // Who waits wants room for the whole run, which would be memory beside the plan.
    const auto room = [&](std::uint64_t position, std::uint64_t bytes, bool waits) {
      return waits ? std::span<std::byte>() : sink.room(position, bytes);
    };
    drain_run(*sorted, sink.pinned_memory(), {append, nullptr, room}, observer_);
    sorted.reset();  // the next run can take its memory while this one is completed
    Run run = sink.finish();
    if (journal_ != nullptr) journal_->take(number, end, run, sink.dropped());
    return {number, std::move(run), sink.in_file(), sink.dropped()};
  }

  RunStore& store_;
  RunJournal* journal_;
  Observer& observer_;
  std::vector<Stored> stored_;
  std::deque<std::future<Stored>> coming_;
  TaskThread thread_;
};

// Takes the whole input as one piece if that is possible. Returns false if not.
bool take_whole_input(WholeInput& input, RunFormer& former, std::uint64_t& record_count) {
  const WholeInput::Size size = input.size();
  const std::span<std::byte> piece = former.next_whole_piece(size.bytes, size.records);
  if (piece.empty()) return false;
  const RecordTotals totals = input.map(piece, former.max_piece_records());
  if (totals.records == 0) return false;
  former.commit_piece(static_cast<std::size_t>(totals.bytes), totals.records);
  record_count = totals.records;
  return true;
}

// Memory for a record of at least `known_bytes`: twice as much, or a little more than `known_bytes` if there is no room
// for that.
std::span<std::byte> next_larger_piece(RunFormer& former, std::size_t known_bytes) {
  const std::span<std::byte> piece = former.next_large_piece(2 * known_bytes);
  return piece.empty() ? former.next_large_piece(known_bytes + known_bytes / 8 + 1) : piece;
}

// Fills one run. Returns false if the input is known to have ended.
bool fill_run(PieceSource& source, RunFormer& former, std::uint64_t& record_count) {
  record_count = 0;
  std::size_t known_bytes = 0;
  while (true) {
    const std::span<std::byte> piece = known_bytes == 0 ? former.next_piece() : next_larger_piece(former, known_bytes);
    if (piece.empty() && record_count > 0) return !source.at_end();
    if (piece.empty()) {
      throw RecordTooLong(source.position() + ": a record is longer than the memory for a run; raise the memory budget",
                          Remedy::kMoreMemory);
    }
    const PieceSource::Piece read = source.read(piece, former.max_piece_records());
    if (read.status == PieceSource::Status::kEnd) return false;
    if (read.status == PieceSource::Status::kTooSmall) {
      if (record_count > 0) return true;
      known_bytes = std::max(read.bytes, piece.size());
      continue;
    }
    former.commit_piece(read.bytes, read.records);
    record_count += read.records;
    known_bytes = 0;
  }
}

}  // namespace

void FormedRuns::describe(SortReport& report) const {
  report.runs = runs.size();
  report.runs_spilled = spilled;
  for (const Run& run : runs) {
    report.run_bytes += run.record_bytes;
    report.stored_bytes += run.stored_bytes;
  }
}

FormedRuns form_runs(PieceSource& source, WholeInput* whole, std::span<const std::unique_ptr<RunFormer>> formers,
                     RunStore& store, const PartConsumer& consume_only_run, Observer& observer, RunJournal* journal) {
  FormedRuns formed;
  std::vector<std::unique_ptr<RunDrain>> drains;
  std::size_t run_count = 0;
  const bool may_be_only = consume_only_run && (journal == nullptr || !journal->goes_on());
  store.expect_run(formers[0]->run_bytes());
  for (bool more = true; more; ++run_count) {
    const std::size_t lane = run_count % formers.size();
    std::uint64_t record_count = 0;
    const bool is_whole = run_count == 0 && whole != nullptr && take_whole_input(*whole, *formers[lane], record_count);
    more = !is_whole && fill_run(source, *formers[lane], record_count);
    if (record_count == 0) break;
    const bool is_only_run = !more && run_count == 0 && may_be_only;
    const InputMark end = journal != nullptr ? journal->mark(source) : InputMark();
    if (is_only_run) observer.begin_phase("sorting", 0);
    std::unique_ptr<SortedRun> sorted;
    {
      auto span = observer.span("sort");
      sorted = formers[lane]->finish_run();
      span.set_bytes(sorted->byte_count());
    }
    if (is_only_run) {
      formed.direct = true;
      observer.begin_phase("writing", sorted->byte_count());
      const auto take = [&](std::span<std::byte> part) {
        consume_only_run(is_whole ? whole->changeable(part) : part);
        observer.advance(part.size());
      };
      drain_run(*sorted, {}, consume_only_run.taken_by(take), observer);
      return formed;
    }
    if (drains.size() <= lane) drains.push_back(std::make_unique<RunDrain>(store, journal, observer, lane));
    drains[lane]->push(run_count, std::move(sorted), end);
  }
  formed.direct = run_count == 0 && may_be_only;

  formed.runs.resize(run_count);
  for (const auto& drain : drains) {
    for (RunDrain::Stored& stored : drain->finish()) {
      formed.runs[stored.number] = std::move(stored.run);
      formed.spilled += stored.spilled ? 1 : 0;
      formed.dropped += stored.dropped;
    }
  }
  store.expect_no_more_runs();
  return formed;
}

}  // namespace sortie
