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
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/options.hpp>

namespace sortie {

struct ArrayOptions {
  bool descending = false;
  /// kAuto: the GPU for arrays from 256 MB on that its memory holds.
  EngineChoice engine = EngineChoice::kAuto;
  /// CUDA device numbers, each once; shares of one array go to all of them. Empty: all.
  std::vector<int> devices;
  /// Ceiling on the memory used on each GPU, in bytes. 0: most of what is free.
  std::uint64_t device_memory_bytes = 0;
  /// As SortOptions::threads.
  unsigned threads = 0;
};

/// Types that can be sorted. Floats follow IEEE 754 totalOrder, as in sortie::Field.
template <class Number>
concept SortableNumber =
    std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool> && (sizeof(Number) == 4 || sizeof(Number) == 8);

class ArraySorter {
 public:
  /// Touches no GPU yet.
  explicit ArraySorter(const ArrayOptions& options = {});
  ~ArraySorter();
  ArraySorter(ArraySorter&&) noexcept;
  ArraySorter& operator=(ArraySorter&&) noexcept;

  /// `output` is as long as `input`; it may be the same memory, but not overlap it otherwise. Both lie where numbers of
  /// their type may lie. Any length, beyond 2^32 too. Blocks until done. The GPU copies pinned memory (cudaHostAlloc,
  /// cudaHostRegister) directly, other memory by way of pinned buffers, which takes the CPU's threads. Throws Error if
  /// the spans are not as said, or if a GPU was asked for and cannot be used, fails or has too little memory; `output`
  /// may then hold anything. With kAuto the CPU does the work of a GPU that fails, unless that was in the midst of
  /// sorting in place: then it throws as well.
  template <SortableNumber Number>
  void sort(std::span<const Number> input, std::span<Number> output) {
    sort_bytes(std::as_bytes(input), std::as_writable_bytes(output), kind_of<Number>(), sizeof(Number));
  }

  /// "cpu" or "gpu": what the last sort ran on.
  std::string_view engine() const;

  /// What a GPU failed with, if the CPU does its work since. Empty: none did.
  const std::string& device_failure() const;

 private:
  template <class Number>
  static constexpr FieldKind kind_of() {
    if (std::is_floating_point_v<Number>) return FieldKind::kFloat;
    return std::is_signed_v<Number> ? FieldKind::kSigned : FieldKind::kUnsigned;
  }
  void sort_bytes(std::span<const std::byte> input, std::span<std::byte> output, FieldKind kind, unsigned number_bytes);

  struct State;
  std::unique_ptr<State> state_;
};

/// One array, as ArraySorter::sort().
template <SortableNumber Number>
void sort_array(std::span<const Number> input, std::span<Number> output, const ArrayOptions& options = {}) {
  ArraySorter(options).sort(input, output);
}

}  // namespace sortie
