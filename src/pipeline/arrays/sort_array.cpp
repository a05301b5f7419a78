// The public functions that sort arrays of numbers in memory.
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

#include "base/device_error.hpp"
#include "base/insertion_sort.hpp"
#include "base/memory_region.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/array_codec.hpp"
#include "engine/cpu/counted_numbers.hpp"
#include "engine/cpu/number_run_former.hpp"
#include "engine/cpu/ordered_numbers.hpp"
#include "entries/vector_sort.hpp"
#include "pipeline/arrays/number_array.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/load_gpu_module.hpp"
#include "pipeline/setup/machine.hpp"
#include "pipeline/setup/options_check.hpp"
#include "record/key_plan.hpp"

namespace sortie {
namespace {

/// Shorter arrays are sorted on the CPU before CUDA would have started.
constexpr std::uint64_t kLeastGpuBytes = 256'000'000;

template <class Code>
void sort_codes(std::span<const std::byte> input, std::span<std::byte> output, const KeyPart& field) {
  sort_numbers<Code>(numbers_in<const Code>(input), numbers_in<Code>(output), ArrayCodec<Code>(field));
}

template <class Code>
void insert_codes(std::span<const Code> input, std::span<Code> output, const ArrayCodec<Code>& codec) {
  std::array<Code, kMostInserted> codes;
  for (std::size_t i = 0; i < input.size(); ++i) codes[i] = codec.encode(input[i]);
  insertion_sort(std::span(codes).first(input.size()), std::less<>());
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

}  // namespace sortie
