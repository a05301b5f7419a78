// sort and argsort of arrays in memory.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sortie/argsort.hpp>
#include <sortie/sort.hpp>
#include <sortie/sort_array.hpp>

#include "python/arguments.hpp"
#include "python/arrays/number_buffer.hpp"
#include "python/bindings.hpp"
#include "python/memory_stream.hpp"
#include "python/raise_errors.hpp"
#include "python/watched_call.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// So few numbers are sorted before a thread would have started.
constexpr std::size_t kLeastWatchedNumbers = 1 << 18;
/// So few are sorted in some microseconds, unless a GPU is started for them: others need not have the GIL meanwhile.
constexpr std::size_t kLeastUnlockedNumbers = 1 << 10;

void run_on_cpu(std::size_t number_count, WatchedCall& call, const std::function<void()>& work) {
  if (number_count >= kLeastWatchedNumbers) return call.run(work);
  if (number_count >= kLeastUnlockedNumbers) return WatchedCall::run_unwatched(work);
  work();
}

void refuse_other_lengths(const NumberBuffer& array, const NumberBuffer& out) {
  if (array.count() == out.count()) return;
  raise_value_error("out has room for " + counted(static_cast<std::int64_t>(out.count()), "number") +
                    ", and array has " + std::to_string(array.count()));
}

/// `may_be_same`: whether the one may be the other; it must not overlap it otherwise.
void refuse_overlap(std::span<const std::byte> array, std::span<const std::byte> out, bool may_be_same) {
  const std::less<> before;
  const bool is_apart =
      !before(array.data(), out.data() + out.size()) || !before(out.data(), array.data() + array.size());
  if (is_apart || (may_be_same && array.data() == out.data() && array.size() == out.size())) return;
  raise_value_error(may_be_same ? "array and out overlap: let them be the same memory, or apart"
                                : "array and out overlap: let them be apart");
}

void refuse_unsuitable(const NumberBuffer& array, const NumberBuffer& out, bool may_be_same) {
  refuse_other_lengths(array, out);
  array.refuse_unaligned();
  out.refuse_unaligned();
  refuse_overlap(array.bytes(), out.bytes(), may_be_same);
}

std::span<std::int64_t> indexes_in(const NumberBuffer& out) {
  if (out.type() != "int64") raise_type_error("out is an array of " + out.type() + ", and indexes are int64");
  return {reinterpret_cast<std::int64_t*>(out.bytes().data()), out.count()};
}

/// `row_length`: so many numbers are sorted by themselves; 0: all. Returns the engine and why it was no GPU that
/// failed, or None for few numbers.
nb::object sort_numbers_into(nb::handle array, nb::handle out, const nb::dict& arguments, std::size_t row_length) {
  const NumberBuffer numbers(array, "array", NumberBuffer::Use::kRead);
  const NumberBuffer target(out, "out", NumberBuffer::Use::kWrite);
  if (!numbers.has_type_of(target)) {
    raise_type_error("out is an array of " + target.type() + ", and array one of " + numbers.type());
  }
  refuse_unsuitable(numbers, target, true);
  ArrayOptions options = arguments.empty() ? ArrayOptions{} : read_array_options(arguments, "sort");
  WatchedCall call;
  options.stop = call.stop_token();
  ArraySorter sorter(options);
  const std::function<void()> work = [&] {
    sorter.sort_bytes(numbers.bytes(), target.bytes(), numbers.kind(), numbers.number_bytes(), row_length);
  };
  if (options.engine == EngineChoice::kGpu) {
    call.run(work);
  } else {
    run_on_cpu(numbers.count(), call, work);
  }
  if (numbers.count() < kLeastWatchedNumbers) return nb::none();
  return nb::make_tuple(std::string(sorter.engine()), sorter.device_failure());
}

void argsort_into(nb::handle array, nb::handle out, const nb::dict& arguments, std::size_t row_length) {
  const NumberBuffer numbers(array, "array", NumberBuffer::Use::kRead);
  const NumberBuffer target(out, "out", NumberBuffer::Use::kWrite);
  const std::span<std::int64_t> indexes = indexes_in(target);
  refuse_unsuitable(numbers, target, false);
  ArgsortOptions options = arguments.empty() ? ArgsortOptions{} : read_argsort_options(arguments, "argsort");
  WatchedCall call;
  options.stop = call.stop_token();
  run_on_cpu(numbers.count(), call, [&] {
    argsort_bytes(numbers.bytes(), indexes, numbers.kind(), numbers.number_bytes(), options, row_length);
  });
}

/// The order of records that lie side by side, which are few.
void argsort_records_into(nb::handle records, nb::handle out, const nb::dict& arguments, std::size_t row_length) {
  const HeldBuffer input(records, PyBUF_SIMPLE);
  const NumberBuffer target(out, "out", NumberBuffer::Use::kWrite);
  const std::span<std::int64_t> indexes = indexes_in(target);
  const SortOptions options = read_sort_options(arguments, "argsort");
  WatchedCall call;
  ArgsortOptions how;
  how.stop = call.stop_token();
  run_on_cpu(indexes.size(), call, [&] { argsort_records(input.bytes(), indexes, options.format, how, row_length); });
}

/// Sorts the records in a buffer into another, or, if that is None, into the output that the arguments name. They may
/// lie apart. `is_swapped`: they are made of numbers of 32 bits in the byte order of the machine, and sorted as such.
/// Returns the report.
nb::object sort_buffer(nb::handle records, nb::handle out, const nb::dict& arguments, nb::object on_progress,
                       nb::object on_warning, bool input_is_file, bool out_is_file, bool is_swapped) {
  const HeldBuffer input(records, PyBUF_STRIDES);
  const RecordPlaces places = RecordPlaces::of(input);
  std::optional<HeldBuffer> target;
  SortOptions options = read_sort_options(arguments, "sort");
  MemorySource source(places, {{}, false, is_swapped}, input_is_file);
  std::optional<MemorySink> sink;
  options.source = [&](std::span<std::byte> piece) { return source.read(piece); };
  if (!out.is_none()) {
    target.emplace(out, PyBUF_STRIDES | PyBUF_WRITABLE);
    const RecordPlaces target_places = RecordPlaces::of(*target);
    refuse_overlap(places.extent(), target_places.extent(), places.stride == target_places.stride);
    sink.emplace(target_places, is_swapped, out_is_file);
    options.sink = [&](std::span<const std::byte> part) { sink->write(part); };
  }
  return report_object(
      run_watched(options, std::move(on_progress), std::move(on_warning), [&] { return sort(options); }));
}

using Parts = std::vector<std::pair<std::size_t, std::size_t>>;

/// Puts the order of the records in a buffer into an array of int64, which may lie apart. `parts`: what of a
/// record is sorted, as offset and bytes; the format in the arguments is that of the parts, one behind the other, and
/// of 8 bytes behind them. Returns the report.
nb::object argsort_buffer(nb::handle records, nb::handle out, Parts parts, const nb::dict& arguments,
                          nb::object on_progress, nb::object on_warning, bool input_is_file, bool is_swapped) {
  const HeldBuffer input(records, PyBUF_STRIDES);
  const HeldBuffer target(out, PyBUF_STRIDES | PyBUF_WRITABLE);
  const RecordPlaces places = RecordPlaces::of(input);
  const RecordPlaces indexes = RecordPlaces::of(target);
  if (indexes.record_bytes != sizeof(std::int64_t))
    raise_type_error("out is an array of another type, and indexes are int64");
  // What lies between records, or between indexes, may be the others: the caller has looked at that.
  if (places.are_dense() && indexes.are_dense()) refuse_overlap(places.extent(), indexes.extent(), false);
  SortOptions options = read_sort_options(arguments, "argsort");
  MemorySource source(places, {std::move(parts), true, is_swapped}, input_is_file);
  IndexSink sink(indexes, options.format.record_bytes);
  options.source = [&](std::span<std::byte> piece) { return source.read(piece); };
  options.sink = [&](std::span<const std::byte> part) { sink.write(part); };
  return report_object(
      run_watched(options, std::move(on_progress), std::move(on_warning), [&] { return sort(options); }));
}

}  // namespace

void bind_arrays(nb::module_& module) {
  module.def("sort_numbers", &sort_numbers_into, nb::arg("array"), nb::arg("out"), nb::arg("arguments"),
             nb::arg("row_length") = 0);
  module.def("argsort", &argsort_into, nb::arg("array"), nb::arg("out"), nb::arg("arguments"),
             nb::arg("row_length") = 0);
  module.def("argsort_records", &argsort_records_into, nb::arg("records"), nb::arg("out"), nb::arg("arguments"),
             nb::arg("row_length") = 0);
  module.def("sort_buffer", &sort_buffer, nb::arg("records"), nb::arg("out").none(), nb::arg("arguments"),
             nb::arg("on_progress").none(), nb::arg("on_warning").none(), nb::arg("input_is_file"),
             nb::arg("out_is_file"), nb::arg("is_swapped"));
  module.def("argsort_buffer", &argsort_buffer, nb::arg("records"), nb::arg("out"), nb::arg("parts"),
             nb::arg("arguments"), nb::arg("on_progress").none(), nb::arg("on_warning").none(),
             nb::arg("input_is_file"), nb::arg("is_swapped"));
}

}  // namespace sortie::python
