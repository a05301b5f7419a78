#include <sortie/cuda/device_sets.hpp>

#include <initializer_list>
#include <vector>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "cuda/sorted_lists.hpp"
#include "kernels/sorted_sets.hpp"

namespace sortie::cuda {
namespace {

template <class Bits>
kernels::ListItems<Bits> bits_of(const SortedList& list) {
  return {static_cast<const Bits*>(list.keys.data), static_cast<const std::byte*>(list.values.data), list.count};
}

template <class Bits>
kernels::KeptItems<Bits> bits_of(const Keys& keys, const Values& values, std::uint64_t* kept_count) {
  return {static_cast<Bits*>(keys.data), static_cast<std::byte*>(values.data), values.bytes, kept_count};
}

void require_value_size(std::size_t value_bytes) {
  require(value_bytes <= kMostValueBytes, "values of so many bytes: at most 65536; keep positions in their place");
}

/// Outputs are written item by item: keys lie as their type, and values anywhere.
ArrayArgument kept_keys(const char* name, const Keys& keys, std::uint64_t count) {
  const std::size_t bytes = bytes_of(keys.type);
  return {name, keys.data, count * bytes, Access::kWrite, item_alignment(bytes)};
}

ArrayArgument kept_values(const char* name, const Values& values, std::uint64_t count) {
  return {name, values.data, count * values.bytes, Access::kWrite, 1};
}

ArrayArgument number_of_kept(std::uint64_t* kept_count) {
  return {"kept_count", kept_count, sizeof *kept_count, Access::kWrite, sizeof *kept_count};
}

template <class Bits>
void launch_unique(const SortedList& list, const Keys& keys, const Values& values, std::uint64_t* kept_count, Keep keep,
                   void* scratch, cudaStream_t stream) {
  const auto kept = keep == Keep::kLast ? kernels::KeptRepeat::kLast : kernels::KeptRepeat::kFirst;
  const kernels::KeptItems<Bits> out = bits_of<Bits>(keys, values, kept_count);
  if constexpr (sizeof(Bits) > 1) {
    if (is_by_value(keys.type)) {
      return kernels::select_distinct_floats(float_format(keys.type), bits_of<Bits>(list), kept, out, scratch, stream);
    }
  }
  kernels::select_distinct(bits_of<Bits>(list), kept, out, scratch, stream);
}

/// Whether items of both lists are kept, in the order of their merge.
bool keeps_both(SetOperation operation) {
  return operation == SetOperation::kUnion || operation == SetOperation::kSymmetricDifference;
}

kernels::SetSelection selection_of(SetOperation operation) {
  switch (operation) {
    case SetOperation::kUnion:
      return kernels::SetSelection::kUnion;
    case SetOperation::kIntersection:
      return kernels::SetSelection::kIntersection;
    case SetOperation::kDifference:
      return kernels::SetSelection::kDifference;
    default:
      return kernels::SetSelection::kSymmetricDifference;
  }
}

}  // namespace

std::size_t unique_scratch_bytes(std::uint64_t count) noexcept { return kernels::select_scratch_bytes(count); }

Status unique(const SortedList& list, Keys keys, Values values, std::uint64_t* kept_count, Keep keep, Scratch scratch,
              cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_count(list.count);
    require_value_size(values.bytes);
    require_same_types(list.keys, list.values, keys, values);
    require(keep == Keep::kFirst || keep == Keep::kLast, "neither the first nor the last of equal items is asked for");
    const std::uint64_t key_bytes = bytes_of(keys.type);
    const std::initializer_list<ArrayArgument> arrays{
        read_only("keys of the list", list.keys.data, list.count * key_bytes, item_alignment(key_bytes)),
        read_only("values of the list", list.values.data, list.count * values.bytes),
        kept_keys("unique keys", keys, list.count), kept_values("unique values", values, list.count),
        number_of_kept(kept_count)};
    require_arrays(arrays);
    const ScratchLease lease(scratch, unique_scratch_bytes(list.count), arrays, stream);
    switch (bytes_of(keys.type)) {
      case 1:
        return launch_unique<std::uint8_t>(list, keys, values, kept_count, keep, lease.memory(), stream);
      case 2:
        return launch_unique<std::uint16_t>(list, keys, values, kept_count, keep, lease.memory(), stream);
      case 4:
        return launch_unique<std::uint32_t>(list, keys, values, kept_count, keep, lease.memory(), stream);
      default:
        return launch_unique<std::uint64_t>(list, keys, values, kept_count, keep, lease.memory(), stream);
    }
  });
}

std::size_t set_operation_scratch_bytes(SetOperation /*operation*/, KeyType /*key_type*/,
                                        std::uint64_t count) noexcept {
  return kernels::set_scratch_bytes(count);
}

Status set_operation(SetOperation operation, const SortedList& first, const SortedList& second, Keys keys,
                     Values values, std::uint64_t* kept_count, Order order, Scratch scratch,
                     cudaStream_t stream) noexcept {
  return answer([&] {
    require(operation <= SetOperation::kSymmetricDifference, "the set operation is none that is known");
    require_any_order(keys.type);
    require_order(order);
    require_value_size(values.bytes);
    require_two_lists(first, second, keys, values);
    const std::uint64_t count = first.count + second.count;
    const std::uint64_t room = keeps_both(operation) ? count : first.count;
    const std::vector<ArrayArgument> arrays =
        arrays_of(first, second,
                  {kept_keys("keys of the result", keys, room), kept_values("values of the result", values, room),
                   number_of_kept(kept_count)});
    require_arrays(arrays);
    const ScratchLease lease(scratch, set_operation_scratch_bytes(operation, keys.type, count), arrays, stream);
    const auto select_by = [&]<class Bits>(const auto& codec) {
      kernels::select_of_lists(selection_of(operation), bits_of<Bits>(first), bits_of<Bits>(second), codec,
                               bits_of<Bits>(keys, values, kept_count), lease.memory(), stream);
    };
    if (is_by_value(keys.type)) return with_value_codec(keys.type, order, select_by);
    with_key_codec(keys.type, order, select_by);
  });
}

}  // namespace sortie::cuda
