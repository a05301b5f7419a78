// Rows of tables as records, for the commands of a cluster that sort them.
#include <sortie/table_records.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sortie/format.hpp>

#include "python/arrays/number_buffer.hpp"
#include "python/arrow_structs.hpp"
#include "python/bindings.hpp"
#include "python/table_sort.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// Returns 0, or why it failed: errno.
int write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

class Records {
 public:
  Records(nb::handle schema, const nb::list& keys, unsigned threads) {
    const ArrowSchema& given = struct_in<ArrowSchema>(schema);
    std::vector<TableKey> taken;
    for (const nb::handle key : keys) taken.push_back(table_key(key));
    records_ = std::make_unique<TableRecords>(given, std::move(taken), threads);
    schema_ = exported_schema(*records_);
  }

  /// The words that say to the command how such records are sorted.
  nb::list format_words() const {
    nb::list words;
    words.append("--format=" + to_string(records_->format()));
    for (const Field& field : records_->format().fields) words.append("--field=" + to_string(field));
    return words;
  }

  /// Writes the records of a batch. Raises OSError.
  void encode(nb::handle schema, nb::handle array, int descriptor) {
    const ArrowSchema& given = struct_in<ArrowSchema>(schema);
    ArrowOwner<ArrowArray> rows(struct_in<ArrowArray>(array));
    int error = 0;
    WatchedCall::run_unwatched([&] {
      records_->require_schema(given);
      records_->encode(rows.get(), [&](std::span<const std::byte> bytes) {
        if (error == 0) error = write_all(descriptor, bytes);
      });
    });
    if (error == 0) return;
    errno = error;
    PyErr_SetFromErrno(PyExc_OSError);
    throw nb::python_error();
  }

  /// A batch of the rows of whole records at the begin of a buffer, or None, and how many bytes they take.
  nb::tuple decode(nb::handle buffer, std::uint64_t most_rows) {
    const HeldBuffer held(buffer, PyBUF_SIMPLE);
    ArrowOwner<ArrowArray> rows;
    std::size_t used = 0;
    WatchedCall::run_unwatched([&] { used = records_->decode(held.bytes(), most_rows, rows.get()); });
    if (!rows) return nb::make_tuple(nb::none(), used);
    return nb::make_tuple(SortedBatch(schema_, std::move(rows)), used);
  }

 private:
  SharedSchema schema_;
  std::unique_ptr<TableRecords> records_;
};

}  // namespace

void bind_table_records(nb::module_& module) {
  nb::class_<Records>(module, "TableRecords")
      .def(nb::init<nb::handle, const nb::list&, unsigned>(), nb::arg("schema"), nb::arg("keys"), nb::arg("threads"))
      .def("format_words", &Records::format_words)
      .def("encode", &Records::encode, nb::arg("schema"), nb::arg("array"), nb::arg("descriptor"))
      .def("decode", &Records::decode, nb::arg("buffer"), nb::arg("most_rows"));
}

}  // namespace sortie::python
