#include "cuda/sorted_lists.hpp"

#include <cstddef>
#include <cstdint>

#include <sortie/cuda/device_radix_sort.hpp>

namespace sortie::cuda {
namespace {

ArrayArgument keys_of_list(const char* name, const SortedList& list) {
  const std::size_t bytes = bytes_of(list.keys.type);
  return read_only(name, list.keys.data, list.count * bytes, item_alignment(bytes));
}

ArrayArgument values_of_list(const char* name, const SortedList& list) {
  const bool move_alone = list.values.bytes != 4 && list.values.bytes != 8;
  return read_only(name, list.values.data, list.count * list.values.bytes,
                   move_alone ? 1 : item_alignment(list.values.bytes));
}

}  // namespace

void require_same_types(const ConstKeys& list_keys, const ConstValues& list_values, const Keys& keys,
                        const Values& values) {
  require(list_keys.type == keys.type, "lists and output have keys of different types");
  require(list_values.bytes == values.bytes, "lists and output have values of different sizes");
}

void require_two_lists(const SortedList& first, const SortedList& second, const Keys& keys, const Values& values) {
  require_any_order(keys.type);
  require_count(first.count);
  require_count(second.count);
  require_count(first.count + second.count);
  require_same_types(first.keys, first.values, keys, values);
  require_same_types(second.keys, second.values, keys, values);
}

std::vector<ArrayArgument> arrays_of(const SortedList& first, const SortedList& second,
                                     std::initializer_list<ArrayArgument> outputs) {
  std::vector<ArrayArgument> arrays{
      keys_of_list("keys of the first list", first), keys_of_list("keys of the second list", second),
      values_of_list("values of the first list", first), values_of_list("values of the second list", second)};
  arrays.insert(arrays.end(), outputs);
  return arrays;
}

void sort_lists_of_short_keys(std::span<const SortedList> lists, const Keys& keys, const Values& values, Order order,
                              const Scratch& scratch, cudaStream_t stream) {
  const std::uint64_t key_bytes = bytes_of(keys.type);
  auto* const all_keys = static_cast<std::byte*>(keys.data);
  auto* const all_values = static_cast<std::byte*>(values.data);
  std::uint64_t count = 0;
  for (const SortedList& list : lists) {
    copy_within_device(all_keys + count * key_bytes, list.keys.data, list.count * key_bytes, stream);
    copy_within_device(all_values + count * values.bytes, list.values.data, list.count * values.bytes, stream);
    count += list.count;
  }
  require_ok(radix_sort(keys, values, count, order, scratch, stream));
}

}  // namespace sortie::cuda
