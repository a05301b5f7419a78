// What all sorters that Python holds share: who may call them and when, the callables that listen, and their end.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

#include "python/sorter_turns.hpp"
#include "python/watched_call.hpp"

namespace sortie::python {

/// `Library`: the library's sorter.
template <class Library>
class HeldSorter {
 public:
  HeldSorter(nanobind::object on_progress, nanobind::object on_warning)
      : call_(std::move(on_progress), std::move(on_warning)) {}
  ~HeldSorter() { give_up_in_other_process(); }
  HeldSorter(const HeldSorter&) = delete;
  HeldSorter& operator=(const HeldSorter&) = delete;

  /// Ends the sort if it is not done.
  void close() {
    give_up_in_other_process();
    const SorterTurns::Turn turn(turns_, false);
    is_closed_ = true;
    call_.forget_listeners();
    const nanobind::gil_scoped_release unlocked;
    sorter_.reset();
  }

  // For Python's collector of cycles.
  int visit_listeners(visitproc visit, void* arg) const { return call_.visit_listeners(visit, arg); }
  void forget_listeners() { call_.forget_listeners(); }

 protected:
  /// Lives as long as a call. Raises ValueError after close().
  [[nodiscard]] SorterTurns::Turn begin_call() {
    if (is_closed_) throw nanobind::value_error("the sorter is closed: make another");
    return {turns_, sorter_ != nullptr};
  }

  WatchedCall call_;
  std::unique_ptr<Library> sorter_;  // destroyed before what it calls

 private:
  void give_up_in_other_process() {
    if (turns_.is_other_process()) static_cast<void>(sorter_.release());
  }

  SorterTurns turns_;
  bool is_closed_ = false;
};

}  // namespace sortie::python
