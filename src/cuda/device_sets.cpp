#include <sortie/cuda/device_sets.hpp>

#include <initializer_list>

#include "cuda/device_call.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/positions.hpp"
#include "kernels/sorted_sets.hpp"

namespace sortie::cuda {
namespace {

unsigned alignment_of(std::size_t item_bytes) {
  const bool is_word = item_bytes == 2 || item_bytes == 4 || item_bytes == 8 || item_bytes == 16;
  return is_word ? static_cast<unsigned>(item_bytes) : 1;
}

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

void require_same_types(const SortedList& list, const Keys& keys, const Values& values) {
  require(list.keys.type == keys.type, "lists and output have keys of different types");
  require(list.values.bytes == values.bytes, "lists and output have values of different sizes");
}

ArrayArgument list_keys(const char* name, const SortedList& list) {
  const std::size_t key_bytes = bytes_of(list.keys.type);
  return read_only(name, list.keys.data, list.count * key_bytes, alignment_of(key_bytes));
}

ArrayArgument list_values(const char* name, const SortedList& list) {
  return read_only(name, list.values.data, list.count * list.values.bytes, alignment_of(list.values.bytes));
}

ArrayArgument output(const char* name, void* data, std::uint64_t count, std::size_t item_bytes) {
  return {name, data, count * item_bytes, Access::kWrite, alignment_of(item_bytes)};
}

template <class Bits>
void launch_unique(const SortedList& list, const Keys& keys, const Values& values, std::uint64_t* kept_count, Keep keep,
                   void* scratch, cudaStream_t stream) {
  const auto kept = keep == Keep::kLast ? kernels::KeptRepeat::kLast : kernels::KeptRepeat::kFirst;
  kernels::select_distinct(bits_of<Bits>(list), kept, bits_of<Bits>(keys, values, kept_count), scratch, stream);
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

/// Numbers of items of both lists have 4 bytes where these suffice.
std::size_t number_bytes(std::uint64_t count) { return count <= std::uint64_t{1} << 32 ? 4 : 8; }

/// Scratch of set_operation().
struct SetScratch {
  SetScratch(SetOperation operation, KeyType type, std::uint64_t count, void* area = nullptr) : layout(area) {
    const std::uint64_t merged = keeps_both(operation) ? count : 0;
    keys = layout.take<std::byte>(merged * bytes_of(type));
    numbers = layout.take<std::byte>(merged * number_bytes(count));
    merged_numbers = layout.take<std::byte>(merged * number_bytes(count));
    merge_bytes = merged == 0 ? 0 : merge_scratch_bytes(type, number_bytes(count), count);
    merge = layout.take<std::byte>(merge_bytes);
    select = layout.take<std::byte>(kernels::select_scratch_bytes(count));
  }

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* numbers;
  std::byte* merged_numbers;
  std::byte* merge;
  std::byte* select;
  std::uint64_t merge_bytes;
};

/// A set operation on lists of one key type, with the types that its kernels know.
struct SetCall {
  SetOperation operation;
  const SortedList& first;
  const SortedList& second;
  const Keys& keys;
  const Values& values;
  std::uint64_t* kept_count;
  Order order;
  const SetScratch& scratch;
  cudaStream_t stream;

  std::uint64_t count() const { return first.count + second.count; }

  /// The numbers of all items, those of the second list behind those of the first one, in the order of their merge.
  template <class Number>
  const Number* merge_numbers() const {
    auto* const numbers = reinterpret_cast<Number*>(scratch.numbers);
    kernels::fill_positions(numbers, count(), stream);
    const SortedList first_numbers{first.keys, ConstValues(numbers), first.count};
    const SortedList second_numbers{second.keys, ConstValues(numbers + first.count), second.count};
    require_ok(sortie::cuda::merge(first_numbers, second_numbers, Keys(scratch.keys, keys.type),
                                   Values(scratch.merged_numbers, sizeof(Number)), order,
                                   Scratch(scratch.merge, scratch.merge_bytes), stream));
    return reinterpret_cast<const Number*>(scratch.merged_numbers);
  }

  template <class Key, class Number>
  void select() const {
    using Bits = kernels::CodeOf<Key>;
    const bool both = keeps_both(operation);
    const Number* const numbers = both ? merge_numbers<Number>() : nullptr;
    kernels::select_of_lists(selection_of(operation), bits_of<Bits>(first), bits_of<Bits>(second),
                             kernels::codec_of<Key>(kernel_order(order)), numbers, both ? count() : first.count,
                             bits_of<Bits>(keys, values, kept_count), scratch.select, stream);
  }
};

}  // namespace

std::size_t unique_scratch_bytes(std::uint64_t count) noexcept { return kernels::select_scratch_bytes(count); }

Status unique(const SortedList& list, Keys keys, Values values, std::uint64_t* kept_count, Keep keep, Scratch scratch,
              cudaStream_t stream) noexcept {
  return answer([&] {
    require_type(keys.type);
    require_count(list.count);
    require_value_size(values.bytes);
    require_same_types(list, keys, values);
    require(keep == Keep::kFirst || keep == Keep::kLast, "neither the first nor the last of equal items is asked for");
    const std::initializer_list<ArrayArgument> arrays{
        list_keys("keys of the list", list), list_values("values of the list", list),
        output("unique keys", keys.data, list.count, bytes_of(keys.type)),
        output("unique values", values.data, list.count, values.bytes), output("kept_count", kept_count, 1, 8)};
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

std::size_t set_operation_scratch_bytes(SetOperation operation, KeyType key_type, std::uint64_t count) noexcept {
  return SetScratch(operation, key_type, count).layout.size_bytes();
}

Status set_operation(SetOperation operation, const SortedList& first, const SortedList& second, Keys keys,
                     Values values, std::uint64_t* kept_count, Order order, Scratch scratch,
                     cudaStream_t stream) noexcept {
  return answer([&] {
    require(operation <= SetOperation::kSymmetricDifference, "the set operation is none that is known");
    require_wide_keys(keys.type);
    require_order(order);
    require_count(first.count);
    require_count(second.count);
    const std::uint64_t count = first.count + second.count;
    require_count(count);
    require_value_size(values.bytes);
    require_same_types(first, keys, values);
    require_same_types(second, keys, values);
    const std::uint64_t room = keeps_both(operation) ? count : first.count;
    const std::initializer_list<ArrayArgument> arrays{
        list_keys("keys of the first list", first),
        list_keys("keys of the second list", second),
        list_values("values of the first list", first),
        list_values("values of the second list", second),
        output("keys of the result", keys.data, room, bytes_of(keys.type)),
        output("values of the result", values.data, room, values.bytes),
        output("kept_count", kept_count, 1, 8)};
    require_arrays(arrays);
    const ScratchLease lease(scratch, set_operation_scratch_bytes(operation, keys.type, count), arrays, stream);
    const SetScratch areas(operation, keys.type, count, lease.memory());
    const SetCall call{operation, first, second, keys, values, kept_count, order, areas, stream};
    with_wide_keys(keys, [&]<class Key>(Key* /*keys*/) {
      if (number_bytes(count) == 4) {
        call.select<Key, std::uint32_t>();
      } else {
        call.select<Key, std::uint64_t>();
      }
    });
  });
}

}  // namespace sortie::cuda
