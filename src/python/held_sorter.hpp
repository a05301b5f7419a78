// What all sorters that Python holds share: one thread at a time may call them, in the process that made them; the
// callables that listen; and their end.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <utility>

#include <sortie/error.hpp>

#include "python/raise_errors.hpp"
#include "python/watched_call.hpp"

namespace sortie::python {

/// Lives as long as a call of a sorter. Calls must not overlap.
class SorterTurn {
 public:
  explicit SorterTurn(std::atomic<bool>& is_busy) : is_busy_(is_busy) {
    if (is_busy.exchange(true)) throw Error("calls of a sorter must not overlap: use it from one thread at a time");
  }
  ~SorterTurn() { is_busy_ = false; }
  SorterTurn(const SorterTurn&) = delete;
  SorterTurn& operator=(const SorterTurn&) = delete;

 private:
  std::atomic<bool>& is_busy_;
};

/// `Library`: the library's sorter.
template <class Library>
class HeldSorter {
 public:
  /// `on_end`: for the sorter itself.
  HeldSorter(nanobind::object on_progress, nanobind::object on_warning, nanobind::object on_end = nanobind::none())
      : call_(std::move(on_progress), std::move(on_warning)), on_end_(std::move(on_end)) {}
  ~HeldSorter() { give_up_in_other_process(); }
  HeldSorter(const HeldSorter&) = delete;
  HeldSorter& operator=(const HeldSorter&) = delete;

  /// Ends the sort if it is not done.
  void close() {
    give_up_in_other_process();
    const SorterTurn turn(is_busy_);
    is_closed_ = true;
    forget_listeners();
    WatchedCall::run_unwatched([&] { sorter_.reset(); });
  }

  bool is_closed() const { return is_closed_; }

  // For Python's collector of cycles.
  int visit_listeners(visitproc visit, void* arg) const {
    Py_VISIT(on_end_.ptr());
    return call_.visit_listeners(visit, arg);
  }
  void forget_listeners() {
    on_end_ = nanobind::none();
    call_.forget_listeners();
  }

 protected:
  /// Raises ValueError after close().
  [[nodiscard]] SorterTurn begin_call() {
    if (is_closed_) raise_value_error("it is closed: sort again");
    if (sorter_ != nullptr && is_other_process())
      throw Error("a sorter works in the process that made it: make another after the fork");
    return SorterTurn(is_busy_);
  }

  WatchedCall call_;
  nanobind::object on_end_;
  std::unique_ptr<Library> sorter_;  // destroyed before what it calls

 private:
  /// A fork copies no threads: in the child nothing would answer a sorter.
  bool is_other_process() const { return ::getpid() != process_; }
  void give_up_in_other_process() {
    if (is_other_process()) static_cast<void>(sorter_.release());
  }

  std::atomic<bool> is_busy_ = false;
  const pid_t process_ = ::getpid();
  bool is_closed_ = false;
};

/// What nanobind is told of such a class, so that Python's collector finds objects that their own callables refer to.
template <class Owner>
struct CollectedType {
  static int visit(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nanobind::inst_ready(self)) return 0;
    return nanobind::inst_ptr<Owner>(self)->visit_listeners(visit, arg);
  }
  static int drop(PyObject* self) {
    if (nanobind::inst_ready(self)) nanobind::inst_ptr<Owner>(self)->forget_listeners();
    return 0;
  }

  static inline PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(visit)}, {Py_tp_clear, reinterpret_cast<void*>(drop)}, {0, nullptr}};
};

}  // namespace sortie::python
