#include <sortie/cuda/device_classic_sorts.hpp>

#include <initializer_list>

#include "cuda/device_call.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/bitonic_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::cuda {
namespace {

static_assert(kOddEvenListItems == kernels::kOddEvenListMultiple);

/// The kernels of sort_wide_in_place().
struct SplitRadixKernels {
  static std::uint64_t scratch_bytes(std::uint64_t count) { return kernels::split_radix_scratch_bytes(count); }
  static void sort_keys(auto... arguments) { kernels::split_radix_sort_keys(arguments...); }
  static void sort_pairs(auto... arguments) { kernels::split_radix_sort_pairs(arguments...); }
};

ArrayArgument aligned_as_items(const char* name, void* data, std::uint64_t count, std::size_t item_bytes) {
  return {name, data, count * item_bytes, Access::kWrite, item_bytes == 8 ? 8U : 4U};
}

}  // namespace

Status bitonic_sort(Keys keys, Values values, std::uint64_t count, Order order, cudaStream_t stream) noexcept {
  return answer([&] {
    require_wide_keys(keys.type);
    require_order(order);
    require_count(count);
    require(values.bytes == 0 || values.bytes == 4 || values.bytes == 8, "values of a bitonic sort have 4 or 8 bytes");
    require_arrays({aligned_as_items("keys", keys.data, count, bytes_of(keys.type)),
                    aligned_as_items("values", values.data, count, values.bytes)});
    if (count == 0) return;
    with_wide_keys(keys, [&](auto* typed_keys) {
      if (values.bytes == 0) {
        kernels::bitonic_sort_keys(typed_keys, count, kernel_order(order), stream);
      } else if (values.bytes == 4) {
        kernels::bitonic_sort_pairs(typed_keys, static_cast<std::uint32_t*>(values.data), count, kernel_order(order),
                                    stream);
      } else {
        kernels::bitonic_sort_pairs(typed_keys, static_cast<std::uint64_t*>(values.data), count, kernel_order(order),
                                    stream);
      }
    });
  });
}

std::size_t odd_even_sort_scratch_bytes(std::uint64_t count, std::uint64_t list_items) noexcept {
  return kernels::odd_even_scratch_bytes(count, list_items);
}

Status odd_even_sort(Keys keys, Values values, std::uint64_t count, std::uint64_t list_items, Order order,
                     Scratch scratch, cudaStream_t stream) noexcept {
  return answer([&] {
    require_wide_keys(keys.type);
    require_order(order);
    require_count(count);
    require(values.bytes == 0 || values.bytes == 4, "values of an odd-even sort have 4 bytes");
    require(list_items != 0 && (list_items % kOddEvenListItems == 0 || list_items >= count),
            "lists of an odd-even sort have a multiple of 1024 items, or hold all");
    const std::initializer_list<ArrayArgument> arrays{aligned_as_items("keys", keys.data, count, bytes_of(keys.type)),
                                                      aligned_as_items("values", values.data, count, values.bytes)};
    require_arrays(arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, odd_even_sort_scratch_bytes(count, list_items), arrays, stream);
    with_wide_keys(keys, [&](auto* typed_keys) {
      if (values.bytes == 0) {
        kernels::odd_even_sort_keys(typed_keys, count, list_items, kernel_order(order), lease.memory(), stream);
      } else {
        kernels::odd_even_sort_pairs(typed_keys, static_cast<std::uint32_t*>(values.data), count, list_items,
                                     kernel_order(order), lease.memory(), stream);
      }
    });
  });
}

std::size_t split_radix_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  return sort_wide_scratch_bytes<SplitRadixKernels>(key_type, value_bytes, count);
}

Status split_radix_sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch,
                        cudaStream_t stream) noexcept {
  return answer([&] { sort_wide_in_place<SplitRadixKernels>(keys, values, count, order, scratch, stream); });
}

}  // namespace sortie::cuda
