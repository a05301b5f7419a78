// Sorts arrays of numbers in host memory, on one or several GPUs or on the CPU.
//
//   std::vector<double> numbers = ...;
//   sortie::sort_array<double>(numbers, numbers);
//
// For many arrays keep one ArraySorter: it starts CUDA and takes device memory once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/options.hpp>

namespace sortie {

struct ArrayOptions {
  bool descending = false;
  /// kAuto: the GPU for arrays from 256 MB on, if enough of its memory is free for them.
  EngineChoice engine = EngineChoice::kAuto;
  /// CUDA device numbers, each once; an array is divided among them. Empty: all GPUs.
  std::vector<int> devices = {};
  /// Upper bound on the memory used on each GPU, in bytes. 0: none; an array takes twice its bytes, divided among the
  /// GPUs.
  std::uint64_t device_memory_bytes = 0;
  /// CPU threads, as in SortOptions::threads.
  unsigned threads = 0;
  /// Once it asks for a stop, the CPU engine throws Stopped, usually within half a second; the output may then hold
  /// anything. A GPU finishes what it has begun.
  std::stop_token stop = {};
};

/// Types that can be sorted. Floats follow IEEE 754 totalOrder, as in sortie::Field. Numbers of one or two bytes are
/// counted, by one thread of the CPU, whatever the options say.
template <class Number>
concept SortableNumber = std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool> && sizeof(Number) <= 8;

template <SortableNumber Number>
constexpr FieldKind field_kind_of() {
  if (std::is_floating_point_v<Number>) return FieldKind::kFloat;
  return std::is_signed_v<Number> ? FieldKind::kSigned : FieldKind::kUnsigned;
}

class ArraySorter {
 public:
  /// Touches no GPU yet.
  explicit ArraySorter(const ArrayOptions& options = {});
  ~ArraySorter();
  ArraySorter(ArraySorter&&) noexcept;
  ArraySorter& operator=(ArraySorter&&) noexcept;

  /// Sorts `input` into `output`, which is as long. They may be the same memory, but must not overlap otherwise. Both
  /// must be aligned to the size of a number. Any length works, also beyond 2^32. Blocks until done. The GPU copies
  /// pinned memory (cudaHostAlloc, cudaHostRegister) directly, and other memory through pinned buffers, which occupies
  /// the CPU's threads. Throws Error if the spans break these rules, or if a GPU was asked for and cannot be used,
  /// fails or has too little memory; `output` may then hold anything. With kAuto the CPU takes over from a GPU that
  /// fails, unless that sorted in place and had begun to write: then it throws as well.
  template <SortableNumber Number>
  void sort(std::span<const Number> input, std::span<Number> output) {
    sort_bytes(std::as_bytes(input), std::as_writable_bytes(output), field_kind_of<Number>(), sizeof(Number));
  }

  /// What sort() calls: numbers of `number_bytes`, 1, 2, 4 or 8, of this kind; floats have 2 at least. `row_length`: so
  /// many numbers are sorted by themselves, and the next ones after them; 0: all are one row.
  void sort_bytes(std::span<const std::byte> input, std::span<std::byte> output, FieldKind kind, unsigned number_bytes,
                  std::size_t row_length = 0);

  /// "cpu" or "gpu": the engine of the last sort.
  std::string_view engine() const;

  /// Why a GPU failed, if the CPU has done its work since then, or why the GPUs had too little memory in the last sort.
  /// Empty: neither.
  const std::string& device_failure() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Sorts one array as ArraySorter::sort() does.
template <SortableNumber Number>
void sort_array(std::span<const Number> input, std::span<Number> output, const ArrayOptions& options = {}) {
  ArraySorter(options).sort(input, output);
}

}  // namespace sortie
