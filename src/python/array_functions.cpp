// sort and argsort of arrays in memory.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <sortie/argsort.hpp>
#include <sortie/sort.hpp>
#include <sortie/sort_array.hpp>

#include "python/arguments.hpp"
#include "python/bindings.hpp"
#include "python/number_buffer.hpp"
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
  throw nb::value_error(
      ("out has room for " + std::to_string(out.count()) + " numbers, and array has " + std::to_string(array.count()))
          .c_str());
}

/// `may_be_same`: whether the one may be the other; it must not overlap it otherwise.
void refuse_overlap(std::span<const std::byte> array, std::span<const std::byte> out, bool may_be_same) {
  const std::less<> before;
  const bool is_apart =
      !before(array.data(), out.data() + out.size()) || !before(out.data(), array.data() + array.size());
  if (is_apart || (may_be_same && array.data() == out.data() && array.size() == out.size())) return;
  throw nb::value_error(may_be_same ? "array and out overlap: let them be the same memory, or apart"
                                    : "array and out overlap: let them be apart");
}

void refuse_unsuitable(const NumberBuffer& array, const NumberBuffer& out, bool may_be_same) {
  refuse_other_lengths(array, out);
  array.refuse_unaligned();
  out.refuse_unaligned();
  refuse_overlap(array.bytes(), out.bytes(), may_be_same);
}

template <class Number>
void sort_as(const NumberBuffer& array, const NumberBuffer& out, const ArrayOptions& options) {
  const auto count = array.count();
  sort_array<Number>({reinterpret_cast<const Number*>(array.bytes().data()), count},
                     {reinterpret_cast<Number*>(out.bytes().data()), count}, options);
}

void sort_numbers(const NumberBuffer& array, const NumberBuffer& out, const ArrayOptions& options) {
  const bool is_small = array.number_bytes() == 4;
  switch (array.kind()) {
    case FieldKind::kFloat:
      return is_small ? sort_as<float>(array, out, options) : sort_as<double>(array, out, options);
    case FieldKind::kSigned:
      return is_small ? sort_as<std::int32_t>(array, out, options) : sort_as<std::int64_t>(array, out, options);
    default:
      return is_small ? sort_as<std::uint32_t>(array, out, options) : sort_as<std::uint64_t>(array, out, options);
  }
}

nb::tuple number_type(nb::handle array) {
  const NumberBuffer numbers(array, "array", NumberBuffer::Use::kRead);
  return nb::make_tuple(numbers.type(), numbers.count());
}

void sort_numbers_into(nb::handle array, nb::handle out, const nb::dict& arguments) {
  const NumberBuffer numbers(array, "array", NumberBuffer::Use::kRead);
  const NumberBuffer target(out, "out", NumberBuffer::Use::kWrite);
  if (!numbers.has_type_of(target)) {
    throw nb::type_error(("out is an array of " + target.type() + ", and array one of " + numbers.type()).c_str());
  }
  refuse_unsuitable(numbers, target, true);
  ArrayOptions options = arguments.empty() ? ArrayOptions{} : read_array_options(arguments, "sort");
  WatchedCall call;
  options.stop = call.stop_token();
  const std::function<void()> work = [&] { sort_numbers(numbers, target, options); };
  if (options.engine == EngineChoice::kGpu) return call.run(work);
  run_on_cpu(numbers.count(), call, work);
}

void argsort_into(nb::handle array, nb::handle out, const nb::dict& arguments) {
  const NumberBuffer numbers(array, "array", NumberBuffer::Use::kRead);
  const NumberBuffer target(out, "out", NumberBuffer::Use::kWrite);
  if (target.type() != "int64") {
    throw nb::type_error(("out is an array of " + target.type() + ", and indexes are int64").c_str());
  }
  refuse_unsuitable(numbers, target, false);
  ArgsortOptions options = read_argsort_options(arguments, "argsort");
  WatchedCall call;
  options.stop = call.stop_token();
  run_on_cpu(numbers.count(), call, [&] {
    argsort_bytes(numbers.bytes(), {reinterpret_cast<std::int64_t*>(target.bytes().data()), target.count()},
                  numbers.kind(), numbers.number_bytes(), options);
  });
}

/// Memory that a sort goes through from its begin: it reads records from it, or writes them to it. Whole pages of a
/// shared mapping of a file are given back behind it: their bytes stay in the file, and the process does not grow by
/// them. Other memory would lose its bytes.
class MemoryStream {
 public:
  MemoryStream(std::span<std::byte> memory, bool is_file) : rest_(memory), held_(memory.data()), is_file_(is_file) {}

  /// As RecordSource.
  std::size_t read(std::span<std::byte> target) {
    const std::size_t bytes = std::min(target.size(), rest_.size());
    std::copy_n(rest_.begin(), bytes, target.begin());
    advance(bytes);
    return bytes;
  }

  /// As RecordSink. Throws Error if there is no room.
  void write(std::span<const std::byte> records) {
    if (records.size() > rest_.size())
      throw Error("the array has no room for what was sorted: let it be as long as the input");
    std::ranges::copy(records, rest_.begin());
    advance(records.size());
  }

 private:
  void advance(std::size_t bytes) {
    constexpr std::ptrdiff_t kStep = 16 << 20;
    rest_ = rest_.subspan(bytes);
    if (!is_file_ || rest_.data() - held_ < kStep) return;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(held_) + page - 1) / page * page;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(rest_.data()) / page * page;
    held_ = rest_.data();
    // The system refuses where the program has locked its memory.
    is_file_ = ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) == 0;
  }

  std::span<std::byte> rest_;
  const std::byte* held_;  // from here on pages have not been given back
  bool is_file_;
};

/// Sorts the records in a buffer into another, or, if that is None, into the output that the arguments name. Returns
/// the report.
nb::object sort_buffer(nb::handle records, nb::handle out, const nb::dict& arguments, nb::object on_progress,
                       nb::object on_warning, bool input_is_file, bool out_is_file) {
  const HeldBuffer input(records, PyBUF_SIMPLE);
  std::optional<HeldBuffer> target;
  SortOptions options = read_sort_options(arguments, "sort");
  MemoryStream source(input.bytes(), input_is_file);
  std::optional<MemoryStream> sink;
  options.source = [&](std::span<std::byte> piece) { return source.read(piece); };
  if (!out.is_none()) {
    target.emplace(out, PyBUF_SIMPLE | PyBUF_WRITABLE);
    refuse_overlap(input.bytes(), target->bytes(), true);
    sink.emplace(target->bytes(), out_is_file);
    options.sink = [&](std::span<const std::byte> part) { sink->write(part); };
  }
  return report_object(
      run_watched(options, std::move(on_progress), std::move(on_warning), [&] { return sort(options); }));
}

}  // namespace

void bind_arrays(nb::module_& module) {
  module.def("number_type", &number_type, nb::arg("array"));
  module.def("sort_numbers", &sort_numbers_into, nb::arg("array"), nb::arg("out"), nb::arg("arguments"));
  module.def("argsort", &argsort_into, nb::arg("array"), nb::arg("out"), nb::arg("arguments"));
  module.def("sort_buffer", &sort_buffer, nb::arg("records"), nb::arg("out").none(), nb::arg("arguments"),
             nb::arg("on_progress").none(), nb::arg("on_warning").none(), nb::arg("input_is_file"),
             nb::arg("out_is_file"));
}

}  // namespace sortie::python
