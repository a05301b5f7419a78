// Sorter: records pushed and pulled. Each call of the library takes a thread, so megabytes are collected before one.
#include <nanobind/nanobind.h>

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sortie/sorter.hpp>

#include "python/bindings.hpp"
#include "python/named_options.hpp"
#include "python/number_buffer.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

class PushPull {
 public:
  PushPull(const nb::dict& arguments, nb::object on_progress, nb::object on_warning)
      : call_(std::move(on_progress), std::move(on_warning)) {
    SortOptions options = read_sort_options(arguments, "Sorter");
    call_.attach(options);
    sorter_.emplace(std::move(options));
  }

  void push(nb::handle records) {
    const Turn turn(*this);
    const HeldBuffer held(records, PyBUF_SIMPLE);
    const std::span<const std::byte> bytes = held.bytes();
    if (is_pulled_) throw Error("a sorter takes no more records once they are pulled: push all of them before");
    if (pending_.size() + bytes.size() < kPendingBytes) {
      pending_.insert(pending_.end(), bytes.begin(), bytes.end());
      return;
    }
    call_.run([&] {
      flush();
      sorter_->push(bytes);
    });
  }

  nb::bytes pull() {
    const Turn turn(*this);
    is_pulled_ = true;
    if (is_done_) return nb::bytes("", 0);
    std::span<const std::byte> part;
    call_.run([&] {
      flush();
      part = sorter_->pull();
    });
    is_done_ = part.empty();
    return nb::bytes(part.data(), part.size());
  }

  nb::object report() {
    const Turn turn(*this);
    if (!is_done_) throw Error("a sorter has no report yet: pull until nothing comes");
    return report_object(sorter_->report());
  }

  /// Ends the sort if it is not done.
  void close() {
    const Turn turn(*this, true);
    const nb::gil_scoped_release unlocked;
    sorter_.reset();
    pending_ = {};
  }

 private:
  static constexpr std::size_t kPendingBytes = 4 << 20;

  /// One call at a time.
  class Turn {
   public:
    explicit Turn(PushPull& owner, bool may_be_closed = false) : owner_(owner) {
      if (owner_.is_busy_.exchange(true))
        throw Error("calls of a sorter must not overlap: use it from one thread at a time");
      if (!owner_.sorter_ && !may_be_closed) {
        owner_.is_busy_ = false;
        throw nb::value_error("the sorter is closed: make another");
      }
    }
    ~Turn() { owner_.is_busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    PushPull& owner_;
  };

  void flush() {
    if (pending_.empty()) return;
    sorter_->push(pending_);
    pending_.clear();
  }

  WatchedCall call_;
  std::vector<std::byte> pending_;
  bool is_pulled_ = false;
  bool is_done_ = false;
  std::atomic<bool> is_busy_ = false;
  std::optional<Sorter> sorter_;  // destroyed before what it calls
};

}  // namespace

void bind_sorter(nb::module_& module) {
  nb::class_<PushPull>(module, "PushPull")
      .def(nb::init<const nb::dict&, nb::object, nb::object>(), nb::arg("arguments"), nb::arg("on_progress").none(),
           nb::arg("on_warning").none())
      .def("push", &PushPull::push, nb::arg("records"))
      .def("pull", &PushPull::pull)
      .def("report", &PushPull::report)
      .def("close", &PushPull::close);
}

}  // namespace sortie::python
