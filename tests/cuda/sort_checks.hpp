// Runs a sort in place of sortie::cuda on the device and compares with a stable sort on the host. Scratch is poisoned,
// and of exactly the size that is asked for.
#pragma once

#include <cstdint>
#include <string>

#include <sortie/cuda/device_scratch.hpp>

#include "cuda/host_items.hpp"
#include "kernels/device_array.hpp"

namespace sortie::cuda {

/// Keys and values on the device.
struct DeviceItems {
  DeviceItems(const ItemArray& key_items, KeyType key_type, const ItemArray& value_items, const CudaStream& stream)
      : type(key_type),
        value_bytes(value_items.size),
        keys_memory(key_items.bytes, stream),
        values_memory(value_items.bytes, stream) {}

  Keys keys() const { return {keys_memory.data(), type}; }
  Values values() const { return value_bytes == 0 ? Values() : Values(values_memory.data(), value_bytes); }

  KeyType type;
  std::size_t value_bytes;
  DeviceArray<std::byte> keys_memory;
  DeviceArray<std::byte> values_memory;
};

/// The inputs of one sort.
struct SortCase {
  KeyType type = KeyType::kUint32;
  std::size_t value_bytes = 0;
  Distribution distribution = Distribution::kUniform;
  std::uint64_t count = 0;
  Order order = Order::kAscending;
  std::uint64_t seed = 71;

  std::string describe() const {
    return name_of(type) + " with values of " + std::to_string(value_bytes) + ", " + to_string(distribution) + ", " +
           std::to_string(count) + " items, " + name_of(order) + ", seed " + std::to_string(seed);
  }
};

/// A Sorter has scratch_bytes(type, value_bytes, count) and sort(keys, values, count, order, scratch, stream).
template <class Sorter>
void expect_sorted(const SortCase& test) {
  SCOPED_TRACE(test.describe());
  const CudaStream stream;
  const ItemArray keys = make_key_items(test.type, test.distribution, test.count, test.seed);
  const ItemArray values = make_value_items(test.value_bytes, test.count);
  const DeviceItems items(keys, test.type, values, stream);
  const std::size_t scratch_bytes = Sorter::scratch_bytes(test.type, test.value_bytes, test.count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(Sorter::sort(items.keys(), items.values(), test.count, test.order, Scratch(scratch.data(), scratch_bytes),
                         stream.handle()));
  const std::vector<std::uint64_t> order = order_of_sort(keys, test.type, test.order, test.value_bytes);
  expect_same_items(gathered(keys, order), items.keys_memory.download(), "keys");
  expect_same_items(gathered(values, order), items.values_memory.download(), "values");
}

/// Sorts all distributions in both orders.
template <class Sorter>
void expect_all_distributions_sorted(KeyType type, std::initializer_list<std::size_t> value_sizes,
                                     std::initializer_list<std::uint64_t> counts) {
  for (const std::size_t value_bytes : value_sizes) {
    for (const std::uint64_t count : counts) {
      for (const Distribution distribution : kAllDistributions) {
        for (const Order order : kBothOrders) expect_sorted<Sorter>({type, value_bytes, distribution, count, order});
      }
    }
  }
}

}  // namespace sortie::cuda
