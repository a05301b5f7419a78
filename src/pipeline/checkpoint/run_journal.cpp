#include "pipeline/checkpoint/run_journal.hpp"

namespace sortie {

void RunJournal::take(std::size_t number, const InputMark& end, const Run& run, const RecordTotals& dropped) {
  const KeptRun kept = Checkpoint::describe(run, dropped);
  const std::scoped_lock lock(mutex_);
  waiting_.emplace(number, Complete{kept, end});
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
    checkpoint_.add(first->second.run, first->second.end);
    waiting_.erase(first);
    ++next_;
  }
}

}  // namespace sortie
