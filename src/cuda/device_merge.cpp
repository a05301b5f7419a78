#include <sortie/cuda/device_merge.hpp>

#include <initializer_list>
#include <span>
#include <vector>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/merge_by_value.hpp"
#include "cuda/sorted_lists.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/merge.hpp"
#include "kernels/positions.hpp"

namespace sortie::cuda {
namespace {

/// Scratch of a merge. Values that do not move with their keys are gathered by position at the end: those of two lists
/// from a copy side by side. Between the passes of a merge of many lists items go to a spare array.
struct MergeScratch {
  static MergeScratch of_two(std::size_t value_bytes, std::uint64_t count, void* area = nullptr) {
    const std::uint64_t copied = moves_positions(value_bytes) ? count : 0;
    return {0, copied * value_bytes, copied, kernels::two_list_scratch_bytes(count), area};
  }

  static MergeScratch of_many(KeyType type, std::size_t value_bytes, std::uint64_t count, std::uint32_t list_count,
                              void* area = nullptr) {
    const std::uint64_t spare = kernels::merge_pass_count(list_count) > 1 ? count : 0;
    const bool by_position = moves_positions(value_bytes);
    return {spare * bytes_of(type), by_position ? 0 : spare * value_bytes, by_position ? count : 0,
            kernels::merge_scratch_bytes(count, list_count), area};
  }

  kernels::ScratchLayout layout;
  std::byte* keys;    ///< spare
  std::byte* values;  ///< spare, or side by side
  std::uint32_t* positions;
  std::uint32_t* other_positions;
  std::byte* kernel;

 private:
  MergeScratch(std::uint64_t key_bytes, std::uint64_t value_bytes, std::uint64_t position_count,
               std::uint64_t kernel_bytes, void* area)
      : layout(area),
        keys(layout.take<std::byte>(key_bytes)),
        values(layout.take<std::byte>(value_bytes)),
        positions(layout.take<std::uint32_t>(position_count)),
        other_positions(layout.take<std::uint32_t>(position_count)),
        kernel(layout.take<std::byte>(kernel_bytes)) {}
};

/// A merge of two lists of keys of 32 or 64 bits. Precondition: arguments are right.
struct TwoListMerge {
  const SortedList& first;
  const SortedList& second;
  const Keys& keys;
  const Values& values;
  Order order;
  const MergeScratch& scratch;
  cudaStream_t stream;

  template <class Value>
  void merge(const Value* first_values, const Value* second_values, Value* merged_values) const {
    with_wide_keys(keys, [&]<class Key>(Key* merged_keys) {
      const kernels::MergeList<Key, Value> a{static_cast<const Key*>(first.keys.data), first_values, first.count};
      const kernels::MergeList<Key, Value> b{static_cast<const Key*>(second.keys.data), second_values, second.count};
      kernels::merge_two_lists(a, b, merged_keys, merged_values, kernel_order(order), scratch.kernel, stream);
    });
  }

  template <class Value>
  void merge_with_values() const {
    merge(static_cast<const Value*>(first.values.data), static_cast<const Value*>(second.values.data),
          static_cast<Value*>(values.data));
  }

  void merge_by_positions() const {
    const std::uint64_t count = first.count + second.count;
    kernels::fill_positions(scratch.positions, count, stream);
    merge<std::uint32_t>(scratch.positions, scratch.positions + first.count, scratch.other_positions);
    const std::uint64_t first_bytes = first.count * values.bytes;
    copy_within_device(scratch.values, first.values.data, first_bytes, stream);
    copy_within_device(scratch.values + first_bytes, second.values.data, second.count * values.bytes, stream);
    kernels::gather_fixed(scratch.values, values.bytes, count, scratch.other_positions, count,
                          static_cast<std::byte*>(values.data), stream);
  }

  void run() const {
    switch (values.bytes) {
      case 0:
        return merge<kernels::NoValue>(nullptr, nullptr, nullptr);
      case 4:
        return merge_with_values<std::uint32_t>();
      case 8:
        return merge_with_values<std::uint64_t>();
      default:
        return merge_by_positions();
    }
  }
};

/// A merge of two or more lists, side by side, of keys of 32 or 64 bits. Precondition: arguments are right.
struct ManyListMerge {
  const SortedLists& lists;
  const Keys& keys;
  const Values& values;
  Order order;
  const MergeScratch& scratch;
  cudaStream_t stream;

  template <class Value>
  void merge(const kernels::MergeArrays<Value>& value_arrays) const {
    const kernels::SortedSequences sequences{lists.offsets, lists.list_count, lists.count};
    with_wide_keys(keys, [&]<class Key>(Key* merged_keys) {
      const kernels::MergeArrays<Key> key_arrays{static_cast<const Key*>(lists.keys.data), merged_keys,
                                                 reinterpret_cast<Key*>(scratch.keys)};
      kernels::merge_sequences(key_arrays, value_arrays, sequences, kernel_order(order), scratch.kernel, stream);
    });
  }

  template <class Value>
  void merge_with_values() const {
    merge(kernels::MergeArrays<Value>{static_cast<const Value*>(lists.values.data), static_cast<Value*>(values.data),
                                      reinterpret_cast<Value*>(scratch.values)});
  }

  void merge_by_positions() const {
    const auto positions = kernels::arrays_in_turn(scratch.positions, scratch.other_positions, lists.list_count);
    kernels::fill_positions(scratch.positions, lists.count, stream);
    merge(positions);
    kernels::gather_fixed(static_cast<const std::byte*>(lists.values.data), values.bytes, lists.count, positions.output,
                          lists.count, static_cast<std::byte*>(values.data), stream);
  }

  void run() const {
    switch (values.bytes) {
      case 0:
        return merge(kernels::MergeArrays<kernels::NoValue>());
      case 4:
        return merge_with_values<std::uint32_t>();
      case 8:
        return merge_with_values<std::uint64_t>();
      default:
        return merge_by_positions();
    }
  }
};

void require_lists(const SortedLists& lists, const Keys& keys, const Values& values, Order order) {
  require_any_order(keys.type);
  require_order(order);
  require_count(lists.count);
  require_values(values.bytes, lists.count);
  require_same_types(lists.keys, lists.values, keys, values);
  require(lists.list_count != 0 || lists.count == 0, "no lists, but items: say how many lists there are");
}

void launch_merge(const SortedList& first, const SortedList& second, const Keys& keys, const Values& values,
                  Order order, const Scratch& scratch, cudaStream_t stream) {
  if (is_short(keys.type)) {
    const SortedList lists[] = {first, second};
    return sort_lists_of_short_keys(lists, keys, values, order, scratch, stream);
  }
  const auto areas = MergeScratch::of_two(values.bytes, first.count + second.count, scratch.memory());
  TwoListMerge{first, second, keys, values, order, areas, stream}.run();
}

void launch_merge(const SortedLists& lists, const Keys& keys, const Values& values, Order order, const Scratch& scratch,
                  cudaStream_t stream) {
  if (lists.list_count == 1) {
    copy_within_device(keys.data, lists.keys.data, lists.count * bytes_of(keys.type), stream);
    return copy_within_device(values.data, lists.values.data, lists.count * values.bytes, stream);
  }
  if (is_short(keys.type)) {
    const SortedList all{lists.keys, lists.values, lists.count};
    return sort_lists_of_short_keys(std::span(&all, 1), keys, values, order, scratch, stream);
  }
  const auto areas = MergeScratch::of_many(keys.type, values.bytes, lists.count, lists.list_count, scratch.memory());
  ManyListMerge{lists, keys, values, order, areas, stream}.run();
}

}  // namespace

std::size_t merge_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  if (is_short(key_type)) return radix_sort_scratch_bytes(key_type, value_bytes, count);
  const std::uint64_t bytes = MergeScratch::of_two(value_bytes, count).layout.size_bytes();
  return is_by_value(key_type) ? merge_by_value_bytes(key_type, count, bytes) : bytes;
}

Status merge(const SortedList& first, const SortedList& second, Keys keys, Values values, Order order, Scratch scratch,
             cudaStream_t stream) noexcept {
  return answer([&] {
    require_order(order);
    require_two_lists(first, second, keys, values);
    const std::uint64_t count = first.count + second.count;
    require_values(values.bytes, count);
    const std::vector<ArrayArgument> arrays = arrays_of(
        first, second,
        {{"merged keys", keys.data, count * bytes_of(keys.type)},
         {"merged values", values.data, count * values.bytes, Access::kWrite, value_alignment(values.bytes)}});
    require_arrays(arrays);
    if (count == 0) return;
    const std::size_t scratch_bytes = merge_scratch_bytes(keys.type, values.bytes, count);
    const ScratchLease lease(scratch, scratch_bytes, arrays, stream);
    const Scratch area(lease.memory(), scratch_bytes);
    if (!merges_by_value(keys.type)) return launch_merge(first, second, keys, values, order, area, stream);
    const SortedList lists[] = {first, second};
    const std::uint64_t merge_bytes = MergeScratch::of_two(values.bytes, count).layout.size_bytes();
    merge_by_value(lists, keys, merge_bytes, area, stream,
                   [&](const std::byte* copied, const Keys& merged, const Scratch& of_merge) {
                     const ConstKeys second_keys(copied + first.count * bytes_of(keys.type), merged.type);
                     launch_merge({ConstKeys(copied, merged.type), first.values, first.count},
                                  {second_keys, second.values, second.count}, merged, values, order, of_merge, stream);
                   });
  });
}

std::size_t merge_lists_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count,
                                      std::uint32_t list_count) noexcept {
  if (is_short(key_type)) return radix_sort_scratch_bytes(key_type, value_bytes, count);
  const std::uint64_t bytes = MergeScratch::of_many(key_type, value_bytes, count, list_count).layout.size_bytes();
  return is_by_value(key_type) ? merge_by_value_bytes(key_type, count, bytes) : bytes;
}

Status merge_lists(const SortedLists& lists, Keys keys, Values values, Order order, Scratch scratch,
                   cudaStream_t stream) noexcept {
  return answer([&] {
    require_lists(lists, keys, values, order);
    const std::uint64_t key_bytes = lists.count * bytes_of(keys.type);
    const std::uint64_t value_bytes = lists.count * values.bytes;
    const unsigned alignment = value_alignment(values.bytes);
    const std::initializer_list<ArrayArgument> arrays{
        read_only("keys of the lists", lists.keys.data, key_bytes, 16),
        read_only("values of the lists", lists.values.data, value_bytes, alignment),
        read_only("offsets", lists.offsets, (std::uint64_t{lists.list_count} + 1) * sizeof(std::uint64_t), 8),
        {"merged keys", keys.data, key_bytes},
        {"merged values", values.data, value_bytes, Access::kWrite, alignment}};
    if (lists.count == 0) return;
    require_arrays(arrays);
    const std::uint64_t scratch_bytes =
        merge_lists_scratch_bytes(keys.type, values.bytes, lists.count, lists.list_count);
    const ScratchLease lease(scratch, scratch_bytes, arrays, stream);
    const Scratch area(lease.memory(), scratch_bytes);
    if (!merges_by_value(keys.type)) return launch_merge(lists, keys, values, order, area, stream);
    const SortedList all{lists.keys, lists.values, lists.count};
    const std::uint64_t merge_bytes =
        MergeScratch::of_many(keys.type, values.bytes, lists.count, lists.list_count).layout.size_bytes();
    merge_by_value({&all, 1}, keys, merge_bytes, area, stream,
                   [&](const std::byte* copied, const Keys& merged, const Scratch& of_merge) {
                     SortedLists ordered = lists;
                     ordered.keys = ConstKeys(copied, merged.type);
                     launch_merge(ordered, merged, values, order, of_merge, stream);
                   });
  });
}

}  // namespace sortie::cuda
