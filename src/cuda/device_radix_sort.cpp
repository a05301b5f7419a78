#include <sortie/cuda/device_radix_sort.hpp>

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/float_values.hpp"
#include "kernels/numbered_copy.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/radix_sort_long_values.hpp"
#include "kernels/radix_sort_values.hpp"
#include "kernels/row_sort.hpp"
#include "kernels/short_codec.hpp"

namespace sortie::cuda {
namespace {

std::uint64_t radix_kernel_bytes(KeyType type, std::uint64_t count) {
  return is_short(type) ? kernels::short_radix_sort_scratch_bytes(count) : kernels::radix_sort_scratch_bytes(count);
}

SortScratch radix_scratch(KeyType type, std::size_t value_bytes, std::uint64_t count, void* area = nullptr) {
  return {bytes_of(type), value_bytes, count, radix_kernel_bytes(type, count), area};
}

/// The kernels of sort_wide(). They take a SortOrder, or a BitRange of unsigned keys.
struct RadixKernels {
  static void sort_keys(auto... arguments) { kernels::radix_sort_keys(arguments...); }
  static void sort_pairs(auto... arguments) { kernels::radix_sort_pairs(arguments...); }
};

/// Sorts short keys. With values they are turned into unsigned ones before, and back afterwards.
template <class Key, class Value>
void sort_short(const Keys& keys, Value* values, Value* alternate_values, std::uint64_t count, Order order,
                const SortScratch& scratch, cudaStream_t stream) {
  const kernels::NumberOrder number = short_number_order(keys.type, order);
  auto* const typed_keys = static_cast<Key*>(keys.data);
  auto* const alternate_keys = reinterpret_cast<Key*>(scratch.alternate_keys);
  if constexpr (std::is_same_v<Value, kernels::NoValue>) {
    kernels::radix_sort_keys(typed_keys, alternate_keys, count, number, scratch.kernel, stream);
  } else {
    kernels::encode_short_numbers(number, typed_keys, count, stream);
    const auto sorted =
        kernels::radix_sort_pairs(typed_keys, alternate_keys, values, alternate_values, count, scratch.kernel, stream);
    if (sorted.keys != typed_keys) {
      copy_within_device(typed_keys, sorted.keys, count * sizeof(Key), stream);
      copy_within_device(values, sorted.values, count * sizeof(Value), stream);
    }
    kernels::decode_short_numbers(number, typed_keys, count, stream);
  }
}

template <class Value>
void sort_keys_of_any_type(const Keys& keys, Value* values, Value* alternate_values, std::uint64_t count, Order order,
                           const SortScratch& scratch, cudaStream_t stream) {
  if (bytes_of(keys.type) == 1) {
    return sort_short<std::uint8_t>(keys, values, alternate_values, count, order, scratch, stream);
  }
  if (bytes_of(keys.type) == 2) {
    return sort_short<std::uint16_t>(keys, values, alternate_values, count, order, scratch, stream);
  }
  with_wide_keys(keys, [&](auto* typed_keys) {
    sort_wide<RadixKernels>(typed_keys, values, alternate_values, count, kernel_order(order), scratch, stream);
  });
}

bool is_vector_aligned(const void* array) { return reinterpret_cast<std::uintptr_t>(array) % 16 == 0; }

/// Sorts keys of 4 bytes with values of 16 bytes, which move with their keys. Returns false, and does nothing, if that
/// does not suit their number or their alignment: then positions move, and values are gathered.
bool sort_long_values(const Keys& keys, const Values& values, std::uint64_t count, Order order,
                      std::uint64_t kernel_bytes, const Scratch& scratch, cudaStream_t stream) {
  if (bytes_of(keys.type) != 4 || values.bytes != sizeof(uint4)) return false;
  if (count == 0 || !kernels::moves_long_values(count) || !is_vector_aligned(values.data)) return false;
  const auto arrays = checked_arrays(keys, values, count);
  const SortScratch sizes(sizeof(std::uint32_t), values.bytes, count, kernel_bytes);
  const ScratchLease lease(scratch, sizes.layout.size_bytes(), arrays, stream);
  const SortScratch areas(sizeof(std::uint32_t), values.bytes, count, kernel_bytes, lease.memory());
  bool is_done = false;
  with_wide_keys(keys, [&]<class Key>(Key* typed_keys) {
    if constexpr (sizeof(Key) == 4) {
      is_done = kernels::radix_sort_long_values(
          typed_keys, reinterpret_cast<Key*>(areas.alternate_keys), static_cast<uint4*>(values.data),
          reinterpret_cast<uint4*>(areas.alternate_values), count, kernel_order(order), areas.kernel, stream);
    }
  });
  return is_done;
}

/// Scratch of argsort(): a copy of the keys, and that of the sort.
struct ArgsortScratch {
  ArgsortScratch(KeyType type, std::size_t position_bytes, std::uint64_t count, void* area = nullptr) : layout(area) {
    keys = layout.take<std::byte>(count * bytes_of(type));
    const std::uint64_t sort_bytes = radix_scratch(type, position_bytes, count).layout.size_bytes();
    sort = layout.take<std::byte>(sort_bytes);
  }

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* sort;
};

/// Copies keys to `copied`, sorts them there, and sets positions. Floats by value end with the bits of their value.
template <class Position>
void sort_positions(const ConstKeys& keys, void* copied, Position* positions, std::uint64_t count, Order order,
                    const SortScratch& scratch, cudaStream_t stream) {
  auto* const alternate = reinterpret_cast<Position*>(scratch.alternate_values);
  const bool is_read_in_place =
      !is_short(keys.type) && count >= kernels::kFewestArgsorted && is_vector_aligned(keys.data);
  if (is_by_value(keys.type)) {
    if (is_read_in_place) {
      return kernels::radix_argsort_values(float_format(keys.type), keys.data, copied, scratch.alternate_keys,
                                           positions, alternate, count, kernel_order(order), scratch.kernel, stream);
    }
    kernels::copy_float_values(float_format(keys.type), keys.data, count, copied, positions, stream);
  } else if (is_read_in_place) {
    return with_wide_keys(Keys(copied, keys.type), [&]<class Key>(Key* typed) {
      kernels::radix_argsort(static_cast<const Key*>(keys.data), typed, reinterpret_cast<Key*>(scratch.alternate_keys),
                             positions, alternate, count, kernel_order(order), scratch.kernel, stream);
    });
  } else {
    kernels::copy_numbered(keys.data, bytes_of(keys.type), count, copied, positions, stream);
  }
  sort_keys_of_any_type(Keys(copied, in_total_order(keys.type)), positions, alternate, count, order, scratch, stream);
}

template <class Position>
void sort_keys_and_positions(const ConstKeys& keys, void* sorted_keys, Position* positions, std::uint64_t count,
                             Order order, void* scratch, cudaStream_t stream) {
  sort_positions(keys, sorted_keys, positions, count, order, radix_scratch(keys.type, sizeof(Position), count, scratch),
                 stream);
  if (is_by_value(keys.type)) {
    kernels::gather_float_bits(float_format(keys.type), keys.data, positions, count, sorted_keys, stream);
  }
}

/// Sorts floats by value that have no values with them. Returns false, and does nothing, if this device cannot: keys
/// are then sorted in totalOrder, and NaNs moved.
bool sort_bare_floats(const Keys& keys, std::uint64_t count, Order order, std::uint64_t sort_bytes,
                      const Scratch& scratch, cudaStream_t stream) {
  const auto arrays = checked_arrays(keys, {}, count);
  if (count == 0) return true;
  const kernels::FloatFormat format = float_format(keys.type);
  const ScratchLease lease(scratch, sort_by_value_bytes(keys.type, 0, count, sort_bytes), arrays, stream);
  if (count <= kernels::kMostRowItems) {
    const kernels::RowOrder rows{number_order(in_total_order(keys.type), order), format.fraction_bits};
    kernels::sort_rows({keys.data, keys.data, nullptr, 0, 1, static_cast<unsigned>(count), rows}, stream);
    return true;
  }
  const KeysByValueScratch areas(keys.type, count, sort_bytes, lease.memory());
  const SortScratch sort = radix_scratch(keys.type, 0, count, areas.sort);
  return kernels::radix_sort_values(format, keys.data, sort.alternate_keys, count, kernel_order(order), sort.kernel,
                                    stream);
}

/// Calls use(pointer to the positions' C++ type).
template <class Use>
void with_positions(const Positions& positions, const Use& use) {
  if (positions.bytes == 4) return use(static_cast<std::uint32_t*>(positions.data));
  use(static_cast<std::uint64_t*>(positions.data));
}

}  // namespace

std::size_t radix_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  const std::size_t bytes = radix_scratch(key_type, value_bytes, count).layout.size_bytes();
  return is_by_value(key_type) ? sort_by_value_bytes(key_type, value_bytes, count, bytes) : bytes;
}

Status radix_sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch,
                  cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_order(order);
    if (is_by_value(keys.type)) {
      const std::uint64_t bytes = radix_scratch(keys.type, values.bytes, count).layout.size_bytes();
      if (values.bytes == 0 && sort_bare_floats(keys, count, order, bytes, scratch, stream)) return;
      return sort_in_place_by_value(keys, values, count, order, bytes, scratch, stream,
                                    [&](const Keys& ordered, const Scratch& sort) {
                                      return radix_sort(ordered, values, count, order, sort, stream);
                                    });
    }
    const std::uint64_t kernel_bytes = radix_kernel_bytes(keys.type, count);
    if (sort_long_values(keys, values, count, order, kernel_bytes, scratch, stream)) return;
    sort_in_place(keys, values, count, kernel_bytes, scratch, stream,
                  [&](auto* typed_values, auto* alternate_values, const SortScratch& areas) {
                    sort_keys_of_any_type(keys, typed_values, alternate_values, count, order, areas, stream);
                  });
  });
}

Status radix_sort_by_bits(Keys keys, Values values, std::uint64_t count, KeyBits bits, Scratch scratch,
                          cudaStream_t stream) noexcept {
  return answer([&] {
    require(keys.type == KeyType::kUint32 || keys.type == KeyType::kUint64,
            "a sort by bits takes unsigned keys of 32 or 64 bits");
    require(bits.begin <= bits.end && bits.end <= 8 * bytes_of(keys.type),
            "the bits to sort by are not bits of the keys: give begin <= end <= bits of a key");
    const kernels::BitRange range{bits.begin, bits.end};
    sort_in_place(keys, values, count, radix_kernel_bytes(keys.type, count), scratch, stream,
                  [&](auto* typed_values, auto* alternate_values, const SortScratch& areas) {
                    if (keys.type == KeyType::kUint32) {
                      sort_wide<RadixKernels>(static_cast<std::uint32_t*>(keys.data), typed_values, alternate_values,
                                              count, range, areas, stream);
                    } else {
                      sort_wide<RadixKernels>(static_cast<std::uint64_t*>(keys.data), typed_values, alternate_values,
                                              count, range, areas, stream);
                    }
                  });
  });
}

std::size_t argsort_scratch_bytes(KeyType key_type, std::size_t position_bytes, std::uint64_t count) noexcept {
  return ArgsortScratch(key_type, position_bytes, count).layout.size_bytes();
}

Status argsort(ConstKeys keys, Positions positions, std::uint64_t count, Order order, Scratch scratch,
               cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_order(order);
    require_count(count);
    require_positions(positions, count);
    const std::uint64_t key_bytes = count * bytes_of(keys.type);
    const ArrayArgument keys_argument = read_only("keys", keys.data, key_bytes);
    const ArrayArgument positions_argument{"positions", positions.data, count * positions.bytes};
    require_arrays({keys_argument, positions_argument});
    if (count == 0) return;
    const std::uint64_t scratch_bytes = argsort_scratch_bytes(keys.type, positions.bytes, count);
    const ScratchLease lease(scratch, scratch_bytes, {keys_argument, positions_argument}, stream);
    const ArgsortScratch areas(keys.type, positions.bytes, count, lease.memory());
    with_positions(positions, [&](auto* typed_positions) {
      sort_positions(keys, areas.keys, typed_positions, count, order,
                     radix_scratch(keys.type, positions.bytes, count, areas.sort), stream);
    });
  });
}

std::size_t sort_with_positions_scratch_bytes(KeyType key_type, std::size_t position_bytes,
                                              std::uint64_t count) noexcept {
  return radix_scratch(key_type, position_bytes, count).layout.size_bytes();
}

Status sort_with_positions(ConstKeys keys, Keys sorted_keys, Positions positions, std::uint64_t count, Order order,
                           Scratch scratch, cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require(sorted_keys.type == keys.type, "keys and sorted keys are of different types");
    require_order(order);
    require_count(count);
    require_positions(positions, count);
    const std::uint64_t key_bytes = count * bytes_of(keys.type);
    const std::initializer_list<ArrayArgument> arrays{read_only("keys", keys.data, key_bytes),
                                                      {"sorted keys", sorted_keys.data, key_bytes},
                                                      {"positions", positions.data, count * positions.bytes}};
    require_arrays(arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, sort_with_positions_scratch_bytes(keys.type, positions.bytes, count), arrays,
                             stream);
    with_positions(positions, [&](auto* typed_positions) {
      sort_keys_and_positions(keys, sorted_keys.data, typed_positions, count, order, lease.memory(), stream);
    });
  });
}

}  // namespace sortie::cuda
