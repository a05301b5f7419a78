// Lists runs in a checkpoint as run formation completes them: in the order of the input, though engines complete them
// in any order. Made by SortJob, called by run formation.
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
  /// `reader`: what the records come from in the end. All references must outlive this.
  RunJournal(Checkpoint& checkpoint, const RecordReader& reader) : checkpoint_(checkpoint), reader_(reader) {}

  /// Whether there are runs from an earlier attempt: then none can be the only one.
  bool goes_on() const { return !checkpoint_.runs().empty(); }

  /// Behind all records that `source` has handed out.
  InputMark mark(const PieceSource& source) const { return reader_.mark(source.kept_back()); }

  /// Takes the run that is number `number`, from 0, of those that run formation makes. It is listed, durably, once all
  /// before it are. Thread-safe. Throws Error.
  void take(std::size_t number, const InputMark& end, const Run& run, const RecordTotals& dropped);

 private:
  struct Complete {
    KeptRun run;
    InputMark end;
  };

  Checkpoint& checkpoint_;
  const RecordReader& reader_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<std::size_t, Complete> waiting_;  // for runs before them
};

}  // namespace sortie
