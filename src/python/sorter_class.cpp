// Sorter: records pushed and pulled. Each call of the library takes a thread, so megabytes are collected before one.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sortie/sorter.hpp>

#include "python/arguments.hpp"
#include "python/arrays/number_buffer.hpp"
#include "python/bindings.hpp"
#include "python/held_sorter.hpp"
#include "python/raise_errors.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

class PushPull : public HeldSorter<Sorter> {
 public:
  PushPull(const nb::dict& arguments, nb::object on_progress, nb::object on_warning)
      : HeldSorter(std::move(on_progress), std::move(on_warning)) {
    SortOptions options = read_sort_options(arguments, "Sorter");
    call_.attach(options);
    sorter_ = std::make_unique<Sorter>(std::move(options));
  }

  void push(nb::handle records) {
    const SorterTurn turn = begin_call();
    if (PyObject_CheckBuffer(records.ptr()) == 0) {
      raise_type_error("records must be bytes, or an object with the buffer protocol, not " + class_name(records));
    }
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
    const SorterTurn turn = begin_call();
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
    const SorterTurn turn = begin_call();
    if (!is_done_) throw Error("a sorter has no report yet: pull until nothing comes");
    return report_object(sorter_->report());
  }

  void close() {
    HeldSorter::close();
    pending_ = {};
  }

 private:
  static constexpr std::size_t kPendingBytes = 4 << 20;

  void flush() {
    if (pending_.empty()) return;
    sorter_->push(pending_);
    pending_.clear();
  }

  std::vector<std::byte> pending_;
  bool is_pulled_ = false;
  bool is_done_ = false;
};

}  // namespace

void bind_sorter(nb::module_& module) {
  nb::class_<PushPull>(module, "PushPull", nb::type_slots(CollectedType<PushPull>::slots))
      .def(nb::init<const nb::dict&, nb::object, nb::object>(), nb::arg("arguments"), nb::arg("on_progress").none(),
           nb::arg("on_warning").none())
      .def("push", &PushPull::push, nb::arg("records").none())
      .def("pull", &PushPull::pull)
      .def("report", &PushPull::report)
      .def("close", &PushPull::close);
}

}  // namespace sortie::python
