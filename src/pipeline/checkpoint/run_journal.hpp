// Lists runs in a checkpoint as run formation completes them: in input order, although engines may complete them in
// another order. Made by SortJob, called by run formation.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/record_reader.hpp"

namespace sortie {

class RunJournal {
 public:
  /// `reader` is where the records originally come from. All references must outlive this.
  RunJournal(Checkpoint& checkpoint, const RecordReader& reader) : checkpoint_(checkpoint), reader_(reader) {}

  /// Whether there are runs from an earlier attempt. If so, no new run can be the only one.
  bool goes_on() const { return !checkpoint_.runs().empty(); }

  /// The position in the inputs behind all records that `source` has handed out.
  InputMark mark(const PieceSource& source) const {
    InputMark mark = reader_.mark(source.kept_back());
    mark.assumed = source.assumed();
    return mark;
  }

  /// Takes a complete run. `number` counts the runs that run formation makes, from 0. The run is listed durably once
  /// all runs before it are. Thread-safe. Throws Error.
  void take(std::size_t number, const InputMark& end, const Run& run, const RecordTotals& dropped) {
    const KeptRun kept = Checkpoint::describe(run, dropped);
    const std::scoped_lock lock(mutex_);
    waiting_.emplace(number, Complete{kept, end});
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
      checkpoint_.add(first->second.run, first->second.end);
      waiting_.erase(first);
      ++next_;
    }
  }

 private:
  struct Complete {
    KeptRun run;
    InputMark end;
  };

  Checkpoint& checkpoint_;
  const RecordReader& reader_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<std::size_t, Complete> waiting_;  // complete, but a run before them is not
};

}  // namespace sortie
