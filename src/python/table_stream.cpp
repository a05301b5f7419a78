// The stream of a sorted table: what other libraries call, with the GIL or without it, to read it.
#include <nanobind/stl/string.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "python/raise_errors.hpp"
#include "python/table_sort.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

struct StreamState {
  explicit StreamState(nb::object given) : sort(std::move(given)), reader(table().new_reader()) {}
  TableSort& table() const { return *nb::inst_ptr<TableSort>(sort); }

  nb::object sort;
  std::uint64_t reader;
  std::string last_error;
};

StreamState& state_of(ArrowArrayStream* stream) { return *static_cast<StreamState*>(stream->private_data); }

/// What the consumer is told of an exception of Python. That is all it learns of Ctrl-C, too: if the signal came again,
/// it would strike where the consumer handles its error.
std::string text_of(nb::python_error& error) {
  const std::string type = printable_text(nb::handle(error.type()).attr("__name__"));
  const std::string text = printable_text(nb::str(error.value()));
  return text.empty() ? type : type + ": " + text;
}

/// Does a call of the consumer with the GIL, and keeps what is to be said of its failure.
template <class Call>
int answer(ArrowArrayStream* stream, const Call& call) {
  const nb::gil_scoped_acquire locked;
  StreamState& state = state_of(stream);
  try {
    call(state);
    return 0;
  } catch (nb::python_error& error) {
    state.last_error = text_of(error);
    return ECANCELED;
  } catch (const Error& error) {
    state.last_error = message_of(error);
    return EIO;
  } catch (const std::bad_alloc&) {
    state.last_error = "memory is exhausted";
    return ENOMEM;
  } catch (const std::exception& error) {
    state.last_error = error.what();
    return EINVAL;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return answer(stream, [&](StreamState& state) {
    const SharedSchema& schema = state.table().schema();
    ArrowOwner<ArrowSchema> copy = share(schema, **schema);
    *out = std::exchange(*copy, {});
  });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return answer(stream, [&](StreamState& state) {
    // The sort asks for signals only while it waits.
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    ArrowOwner<ArrowArray> rows = state.table().pull_rows(state.reader);
    *out = std::exchange(*rows, {});
  });
}

const char* get_last_error(ArrowArrayStream* stream) { return state_of(stream).last_error.c_str(); }

void release(ArrowArrayStream* stream) {
  stream->release = nullptr;
  // Consumers that are left at the end of the process may come when Python is no more.
  if (Py_IsInitialized() == 0) return;
  const nb::gil_scoped_acquire locked;
  delete static_cast<StreamState*>(stream->private_data);
}

}  // namespace

ArrowOwner<ArrowArrayStream> make_stream(nb::object sort) {
  ArrowArrayStream stream{get_schema, get_next, get_last_error, release, new StreamState(std::move(sort))};
  return ArrowOwner<ArrowArrayStream>(stream);
}

}  // namespace sortie::python
