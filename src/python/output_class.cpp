// OutputFile, which the package's own files write tables to.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <mutex>
#include <string>

#include <sortie/output_file.hpp>

#include "python/arrays/number_buffer.hpp"
#include "python/bindings.hpp"
#include "python/object_value.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

class Output {
 public:
  Output(nb::handle path, unsigned threads) {
    const std::string target = ObjectValue("output", path).as_path();
    WatchedCall::run_unwatched(
        [&] { file_ = std::make_unique<OutputFile>(target, OutputFile::Options{.threads = threads}); });
  }

  void write(nb::handle bytes) {
    const HeldBuffer held(bytes, PyBUF_SIMPLE);
    WatchedCall::run_unwatched([&] {
      const std::scoped_lock lock(mutex_);
      open_file().write(held.bytes());
    });
  }

  void finish() {
    WatchedCall::run_unwatched([&] {
      const std::scoped_lock lock(mutex_);
      open_file().finish();
      file_.reset();
    });
  }

  /// Leaves the target as it was. Threads that write still are refused from now on.
  void discard() {
    WatchedCall::run_unwatched([&] {
      const std::scoped_lock lock(mutex_);
      file_.reset();
    });
  }

 private:
  OutputFile& open_file() {
    if (file_ == nullptr) throw Error("the output is closed");
    return *file_;
  }

  std::mutex mutex_;
  std::unique_ptr<OutputFile> file_;
};

}  // namespace

void bind_output(nb::module_& module) {
  nb::class_<Output>(module, "OutputFile")
      .def(nb::init<nb::handle, unsigned>(), nb::arg("path"), nb::arg("threads"))
      .def("write", &Output::write, nb::arg("bytes"))
      .def("finish", &Output::finish)
      .def("discard", &Output::discard);
}

}  // namespace sortie::python
