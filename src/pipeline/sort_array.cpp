// The public functions for arrays of numbers in memory.
#include <sortie/argsort.hpp>
#include <sortie/sort_array.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/device_error.hpp"
#include "base/memory_region.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/argsort_numbers.hpp"
#include "engine/cpu/counted_numbers.hpp"
#include "engine/cpu/number_run_former.hpp"
#include "engine/cpu/ordered_numbers.hpp"
#include "entries/entry.hpp"
#include "entries/vector_sort.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/load_gpu_module.hpp"
#include "pipeline/setup/machine.hpp"
#include "pipeline/setup/options_check.hpp"
#include "record/key_plan.hpp"

namespace sortie {
namespace {

/// Shorter arrays are sorted on the CPU before CUDA would have started.
constexpr std::uint64_t kLeastGpuBytes = 256'000'000;

/// Longest array, in bytes, that the calling thread sorts alone: to start others takes longer (two cores: 1000 numbers
/// in 19 us, 560 with a team).
constexpr std::size_t kMostBytesOfOneThread = 256 << 10;

/// Whether the calling thread is to sort an array alone. A sort that is to stop is left to a team, which throws
/// Stopped.
bool is_for_one_thread(std::size_t bytes, const std::stop_token& stop) {
  return bytes <= kMostBytesOfOneThread && !stop.stop_requested();
}

/// Numbers of so few bytes are counted.
bool are_counted(const KeyPart& field) { return field.bytes <= 2; }

/// The one field of an array's numbers. Throws Error if there are no such numbers.
KeyPart number_field(FieldKind kind, unsigned number_bytes, bool descending) {
  const bool has_size = number_bytes == 2 || number_bytes == 4 || number_bytes == 8;
  if (kind == FieldKind::kBytes || !(has_size || (number_bytes == 1 && kind != FieldKind::kFloat))) {
    throw Error("numbers have 1, 2, 4 or 8 bytes, and floats 2 at least, not " + std::to_string(number_bytes));
  }
  return {0, 0, number_bytes, kind, ByteOrder::kLittle, descending};
}

/// Calls `work(first byte, bytes)` for each row. Rows that one thread sorts alone are shared by all threads.
template <class Work>
void for_each_row(std::size_t bytes, std::size_t row_bytes, const Work& work) {
  const std::size_t rows = bytes / row_bytes;
  if (row_bytes > kMostBytesOfOneThread) {
    for (std::size_t row = 0; row < rows; ++row) work(row * row_bytes, row_bytes);
    return;
  }
  parallel_for_ranges(0, rows, std::max<std::size_t>(1, kMostBytesOfOneThread / row_bytes),
                      [&](std::size_t begin, std::size_t end) {
                        throw_if_stopped();
                        for (; begin < end; ++begin) work(begin * row_bytes, row_bytes);
                      });
}

/// Throws Error if the numbers do not lie at a multiple of their size. `name`: of the array, in the message.
void refuse_unaligned(const void* numbers, unsigned number_bytes, const char* name) {
  if (reinterpret_cast<std::uintptr_t>(numbers) % number_bytes == 0) return;
  throw Error(std::string(name) + " does not lie at a multiple of " + std::to_string(number_bytes) +
              " bytes, as its numbers must; copy them to where they may lie");
}

bool lie_apart(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<> before;
  return !before(b.data(), a.data() + a.size()) || !before(a.data(), b.data() + b.size());
}

/// `asked`: 0 for as many as there are.
unsigned threads_for(unsigned asked) {
  return ThreadTeam::most_threads(std::min(asked == 0 ? available_threads() : asked, kMostThreads));
}

template <class Number, class Element>
std::span<Number> numbers_in(std::span<Element> array) {
  return {reinterpret_cast<Number*>(array.data()), array.size_bytes() / sizeof(Number)};
}

template <class Code>
void sort_codes(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& field) {
  sort_numbers<Code>(numbers_in<const Code>(input), numbers_in<Code>(output), ArrayCodec<Code>(field));
}

/// Up to here, numbers are put in their places one by one: whatever else would be done takes longer.
constexpr std::size_t kMostInserted = 24;

/// Up to here, indexes are sorted with the codes beside them: what makes the order of long arrays fast takes 30 us.
constexpr std::size_t kMostEntries = 4096;

template <class Code>
void insert_codes(std::span<const Code> input, std::span<Code> output, const ArrayCodec<Code>& codec) {
  std::array<Code, kMostInserted> codes;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const Code code = codec.encode(input[i]);
    std::size_t at = i;
    for (; at > 0 && code < codes[at - 1]; --at) codes[at] = codes[at - 1];
    codes[at] = code;
  }
  for (std::size_t i = 0; i < input.size(); ++i) output[i] = codec.decode(codes[i]);
}

/// On the calling thread. The spans may be the same.
template <class Code>
void sort_few_codes(std::span<const Code> input, std::span<Code> output, const KeyPart& field) {
  const ArrayCodec<Code> codec(field);
  if (input.size() <= kMostInserted) return insert_codes(input, output, codec);
  if (copy_if_ordered(input, output, codec)) return;
  std::ranges::transform(input, output.begin(), [&](Code number) { return codec.encode(number); });
  vector_sort(output);
  if (codec.is_identity()) return;
  std::ranges::transform(output, output.begin(), [&](Code code) { return codec.decode(code); });
}

void sort_few(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& field) {
  if (are_counted(field)) {
    sort_counted(input, output, field);
  } else if (field.bytes == 4) {
    sort_few_codes(numbers_in<const std::uint32_t>(input), numbers_in<std::uint32_t>(output), field);
  } else {
    sort_few_codes(numbers_in<const std::uint64_t>(input), numbers_in<std::uint64_t>(output), field);
  }
}

bool copy_if_ordered(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& field) {
  if (field.bytes == 4) {
    return copy_if_ordered(numbers_in<const std::uint32_t>(input), numbers_in<std::uint32_t>(output),
                           ArrayCodec<std::uint32_t>(field));
  }
  return copy_if_ordered(numbers_in<const std::uint64_t>(input), numbers_in<std::uint64_t>(output),
                         ArrayCodec<std::uint64_t>(field));
}

void sort_on_cpu(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& field) {
  MemoryRegion copy;
  if (input.data() == output.data()) {
    copy = MemoryRegion(input.size());
    copy_in_parallel(copy.bytes(), input);
    input = copy.bytes().first(input.size());
  }
  if (field.bytes == 4) {
    sort_codes<std::uint32_t>(input, output, field);
  } else {
    sort_codes<std::uint64_t>(input, output, field);
  }
}

/// Throws Error unless rows of so many numbers, all of them if it is 0, fill the array. Returns the bytes of a row.
std::size_t row_bytes_of(std::size_t bytes, std::size_t row_length, unsigned number_bytes) {
  if (row_length == 0) return bytes;
  if (bytes / number_bytes % row_length != 0) {
    throw Error("an array of " + std::to_string(bytes / number_bytes) + " numbers has no whole rows of " +
                std::to_string(row_length));
  }
  return row_length * number_bytes;
}

void refuse_unsuitable(std::span<const std::byte> input, std::span<const std::byte> output, unsigned number_bytes) {
  if (input.size() != output.size()) {
    throw Error("sort_array: the output has room for " + std::to_string(output.size() / number_bytes) +
                " numbers, the input has " + std::to_string(input.size() / number_bytes));
  }
  refuse_unaligned(input.data(), number_bytes, "sort_array: the input");
  refuse_unaligned(output.data(), number_bytes, "sort_array: the output");
  const bool is_apart = lie_apart(input, output);
  if (input.data() != output.data() && !is_apart) {
    throw Error("sort_array: input and output overlap; let them be the same memory, or apart");
  }
}

void refuse_unsuitable_indexes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes,
                               unsigned number_bytes) {
  if (numbers.size() / number_bytes != indexes.size() || numbers.size() % number_bytes != 0) {
    throw Error("argsort: there is room for " + std::to_string(indexes.size()) + " indexes, and there are " +
                std::to_string(numbers.size() / number_bytes) + " numbers");
  }
  refuse_unaligned(numbers.data(), number_bytes, "argsort: the array of numbers");
  refuse_unaligned(indexes.data(), sizeof(std::int64_t), "argsort: the array of indexes");
  if (!numbers.empty() && !lie_apart(numbers, std::as_bytes(indexes))) {
    throw Error("argsort: numbers and indexes overlap; let them be apart");
  }
}

template <class Code>
void argsort_few(std::span<const Code> array, std::span<std::uint64_t> positions, const ArrayCodec<Code>& codec) {
  std::array<Entry, kMostInserted> few;
  std::vector<Entry> more(array.size() > few.size() ? array.size() : 0);
  const std::span<Entry> entries = more.empty() ? std::span(few).first(array.size()) : std::span(more);
  for (std::size_t i = 0; i < array.size(); ++i) entries[i] = {i, codec.encode(array[i])};
  if (more.empty()) {
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const Entry entry = entries[i];
      std::size_t at = i;
      for (; at > 0 && entry.word < entries[at - 1].word; --at) entries[at] = entries[at - 1];
      entries[at] = entry;
    }
  } else {
    vector_sort(entries);
  }
  std::ranges::transform(entries, positions.begin(), &Entry::location);
}

template <class Code>
void argsort_row(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, const KeyPart& field) {
  const std::span<const Code> array = numbers_in<const Code>(numbers);
  const std::span<std::uint64_t> positions = numbers_in<std::uint64_t>(indexes);
  const ArrayCodec<Code> codec(field);
  if (array.size() <= kMostInserted) return argsort_few(array, positions, codec);
  if (index_if_ordered(array, positions, codec)) return;
  if (array.size() <= kMostEntries) return argsort_few(array, positions, codec);
  argsort_numbers(array, positions, codec);
}

void argsort_row(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, const KeyPart& field) {
  if (are_counted(field)) return argsort_counted(numbers, numbers_in<std::uint64_t>(indexes), field);
  if (field.bytes == 4) return argsort_row<std::uint32_t>(numbers, indexes, field);
  argsort_row<std::uint64_t>(numbers, indexes, field);
}

}  // namespace

struct ArraySorter::State {
  explicit State(const ArrayOptions& chosen) : options(chosen) {
    if (options.engine == EngineChoice::kGpu && !has_gpu_module()) {
      throw Error(no_gpu_module() + "; install it, or use the CPU engine", Remedy::kCpuEngine);
    }
  }

  ArrayOptions options;
  std::optional<ThreadTeam> team;  ///< started by the first array that one thread does not sort alone, or for a GPU
  std::string_view engine = "cpu";
  std::string device_failure;
  std::unique_ptr<DeviceArraySorter> gpu;
  std::string no_gpu;  ///< why no GPU is used; empty before one was looked for

  bool find_gpu() {
    if (gpu || !no_gpu.empty()) return gpu != nullptr;
    const LoadedGpus loaded = load_gpu_module();
    no_gpu = loaded.reason;
    if (loaded.gpus == nullptr) return false;
    UsableGpus usable = loaded.gpus->require_devices(options.devices);
    if (usable.numbers.empty()) {
      no_gpu = usable.reason;
      return false;
    }
    assert(team);
    gpu = loaded.gpus->make_array_sorter(std::move(usable.numbers), options.device_memory_bytes, team->threads());
    return true;
  }

  /// Whether GPUs are to sort it. Throws Error if they must and cannot.
  bool takes_gpu(std::uint64_t bytes) {
    const bool asked = options.engine == EngineChoice::kGpu;
    if (options.engine == EngineChoice::kCpu || (!asked && bytes < kLeastGpuBytes)) return false;
    if (!find_gpu()) {
      if (asked) throw Error("no GPU can be used: " + no_gpu + "; use the CPU engine", Remedy::kCpuEngine);
      return false;
    }
    return true;
  }

  /// Returns false if the CPU is to do the work. After a GPU has failed, no later sort tries one; after one was full,
  /// later sorts do, because it may have room again. Throws Error if a GPU must do the work, or if part of an array
  /// sorted in place is lost.
  bool sorts_on_gpu(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& numbers) {
    try {
      if (!takes_gpu(input.size())) return false;
      gpu->sort(numbers, input, output);
      return true;
    } catch (const DeviceFullError& error) {
      if (options.engine == EngineChoice::kGpu) {
        throw DeviceFullError(std::string(error.what()) + "; free some, raise the ceiling on it, or use the CPU engine",
                              Remedy::kCpuEngine);
      }
      device_failure = error.what();
      return false;
    } catch (const DeviceError& error) {
      const bool has_input = input.data() != output.data() || !gpu || !gpu->has_begun_output();
      gpu.reset();
      no_gpu = error.what();
      if (!has_input) throw DeviceError(no_gpu + "; the array was sorted in place, and parts of it are lost");
      if (options.engine == EngineChoice::kGpu) throw;
      device_failure = no_gpu;
      return false;
    }
  }

  /// In the team, or on GPUs.
  void sort_many(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& numbers) {
    engine = "cpu";
    if (are_counted(numbers)) return sort_counted(input, output, numbers);
    if (options.engine != EngineChoice::kGpu && copy_if_ordered(input, output, numbers)) return;
    if (sorts_on_gpu(input, output, numbers)) {
      engine = "gpu";
      return;
    }
    sort_on_cpu(input, output, numbers);
  }

  /// Whether the CPU's threads sort rows of so many bytes, each alone.
  bool sorts_rows_alone(std::size_t row_bytes, const KeyPart& numbers) const {
    return row_bytes <= kMostBytesOfOneThread && (are_counted(numbers) || options.engine != EngineChoice::kGpu);
  }

  /// `row_bytes`: of a row that is sorted by itself; the input is made of such.
  void sort(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& numbers,
            std::size_t row_bytes) {
    if (no_gpu.empty()) device_failure.clear();
    engine = "cpu";
    const bool is_alone = sorts_rows_alone(row_bytes, numbers);
    const auto sort_rows = [&] {
      for_each_row(input.size(), row_bytes, [&](std::size_t begin, std::size_t bytes) {
        const std::span<const std::byte> row = input.subspan(begin, bytes);
        if (is_alone) return sort_few(row, output.subspan(begin, bytes), numbers);
        sort_many(row, output.subspan(begin, bytes), numbers);
      });
    };
    if (is_alone && is_for_one_thread(input.size(), options.stop)) return sort_rows();
    if (!team) team.emplace(threads_for(options.threads), options.stop);
    team->run(sort_rows);
  }
};

ArraySorter::ArraySorter(const ArrayOptions& options) {
  public_call([&] {
    validate(options);
    state_ = std::make_unique<State>(options);
  });
}

ArraySorter::~ArraySorter() = default;
ArraySorter::ArraySorter(ArraySorter&&) noexcept = default;
ArraySorter& ArraySorter::operator=(ArraySorter&&) noexcept = default;

std::string_view ArraySorter::engine() const { return state_->engine; }

const std::string& ArraySorter::device_failure() const { return state_->device_failure; }

void ArraySorter::sort_bytes(std::span<const std::byte> input, std::span<std::byte> output, FieldKind kind,
                             unsigned number_bytes, std::size_t row_length) {
  public_call([&] {
    const KeyPart field = number_field(kind, number_bytes, state_->options.descending);
    refuse_unsuitable(input, output, number_bytes);
    if (input.empty()) return;
    state_->sort(input, output, field, row_bytes_of(input.size(), row_length, number_bytes));
  });
}

void argsort_bytes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, FieldKind kind,
                   unsigned number_bytes, const ArgsortOptions& options, std::size_t row_length) {
  public_call([&] {
    const KeyPart field = number_field(kind, number_bytes, options.descending);
    refuse_unsuitable_indexes(numbers, indexes, number_bytes);
    if (numbers.empty()) return;
    const auto fill = [&] {
      for_each_row(numbers.size(), row_bytes_of(numbers.size(), row_length, number_bytes),
                   [&](std::size_t begin, std::size_t bytes) {
                     argsort_row(numbers.subspan(begin, bytes),
                                 indexes.subspan(begin / number_bytes, bytes / number_bytes), field);
                   });
    };
    if (is_for_one_thread(numbers.size(), options.stop)) return fill();
    ThreadTeam(threads_for(options.threads), options.stop).run(fill);
  });
}

}  // namespace sortie
