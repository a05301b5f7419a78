#include <sortie/cuda/device_merge.hpp>

#include <initializer_list>
#include <type_traits>

#include "cuda/device_call.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/merge.hpp"

namespace sortie::cuda {
namespace {

/// A merge of one pass reads its input and writes its output. More passes go to and fro between two arrays, of which
/// the output is one; scratch has the other.
bool needs_copy(std::uint32_t list_count) { return kernels::merge_pass_count(list_count) > 1; }

/// Scratch of merge_lists().
struct MergeScratch {
  MergeScratch(KeyType type, std::size_t value_bytes, std::uint64_t count, std::uint32_t list_count,
               void* area = nullptr)
      : layout(area) {
    const std::uint64_t copied = needs_copy(list_count) ? count : 0;
    const std::uint64_t positioned = moves_positions(value_bytes) ? count : 0;
    keys = layout.take<std::byte>(copied * bytes_of(type));
    values = layout.take<std::byte>(positioned != 0 ? 0 : copied * value_bytes);
    positions = layout.take<std::uint32_t>(positioned);
    merged_positions = layout.take<std::uint32_t>(positioned);
    kernel = layout.take<std::byte>(kernels::merge_scratch_bytes(count, list_count));
  }

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* values;
  std::uint32_t* positions;
  std::uint32_t* merged_positions;
  std::byte* kernel;
};

/// Scratch of merge(): the two lists side by side, where their ends lie, and that of merge_lists().
struct TwoListScratch {
  TwoListScratch(KeyType type, std::size_t value_bytes, std::uint64_t count, void* area = nullptr) : layout(area) {
    keys = layout.take<std::byte>(count * bytes_of(type));
    values = layout.take<std::byte>(count * value_bytes);
    offsets = layout.take<std::uint64_t>(3);
    merge = layout.take<std::byte>(MergeScratch(type, value_bytes, count, 2).layout.size_bytes());
  }

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* values;
  std::uint64_t* offsets;
  std::byte* merge;
};

/// Where the passes of a merge begin, and where they go from there.
template <class T>
struct Sides {
  T* primary;
  T* alternate;
};

/// Chooses sides so that the result is in `output`, and copies the input to where the passes begin, unless one pass
/// only reads it. `spare` is scratch.
template <class T>
Sides<T> lay_out_sides(const T* input, T* output, std::byte* spare, std::uint64_t count, std::uint32_t list_count,
                       cudaStream_t stream) {
  if (kernels::merge_pass_count(list_count) == 1) return {const_cast<T*>(input), output};
  T* const other = reinterpret_cast<T*>(spare);
  const bool at_home = kernels::merge_result(list_count) == kernels::MergeResult::kPrimary;
  const Sides<T> sides = at_home ? Sides<T>{output, other} : Sides<T>{other, output};
  copy_within_device(sides.primary, input, count * sizeof(T), stream);
  return sides;
}

/// Merges keys with values of a type that kernels move; NoValue for none.
template <class Key, class Value>
void merge_typed(const SortedLists& lists, Key* keys, const Sides<Value>& values, Order order,
                 const MergeScratch& scratch, cudaStream_t stream) {
  const kernels::SortedSequences sequences{lists.offsets, lists.list_count, lists.count};
  const Sides<Key> sides = lay_out_sides(static_cast<const Key*>(lists.keys.data), keys, scratch.keys, lists.count,
                                         lists.list_count, stream);
  if constexpr (std::is_same_v<Value, kernels::NoValue>) {
    kernels::merge_sequences(sides.primary, sides.alternate, sequences, kernel_order(order), scratch.kernel, stream);
  } else {
    kernels::merge_sequences(sides.primary, sides.alternate, values.primary, values.alternate, sequences,
                             kernel_order(order), scratch.kernel, stream);
  }
}

template <class Value>
Sides<Value> value_sides(const SortedLists& lists, const Values& values, const MergeScratch& scratch,
                         cudaStream_t stream) {
  return lay_out_sides(static_cast<const Value*>(lists.values.data), static_cast<Value*>(values.data), scratch.values,
                       lists.count, lists.list_count, stream);
}

/// Merges keys with their positions, and gathers the values, which the passes do not touch.
template <class Key>
void merge_by_positions(const SortedLists& lists, Key* keys, const Values& values, Order order,
                        const MergeScratch& scratch, cudaStream_t stream) {
  const Sides<std::uint32_t> sides{scratch.positions, scratch.merged_positions};
  kernels::fill_positions(sides.primary, lists.count, stream);
  merge_typed(lists, keys, sides, order, scratch, stream);
  const bool at_home = kernels::merge_result(lists.list_count) == kernels::MergeResult::kPrimary;
  kernels::gather_fixed(static_cast<const std::byte*>(lists.values.data), values.bytes,
                        at_home ? sides.primary : sides.alternate, lists.count, static_cast<std::byte*>(values.data),
                        stream);
}

/// The merge itself. Precondition: arguments are right.
void launch_merge(const SortedLists& lists, const Keys& keys, const Values& values, Order order, void* area,
                  cudaStream_t stream) {
  const MergeScratch scratch(keys.type, values.bytes, lists.count, lists.list_count, area);
  with_wide_keys(keys, [&](auto* typed_keys) {
    switch (values.bytes) {
      case 0:
        return merge_typed(lists, typed_keys, Sides<kernels::NoValue>{}, order, scratch, stream);
      case 4:
        return merge_typed(lists, typed_keys, value_sides<std::uint32_t>(lists, values, scratch, stream), order,
                           scratch, stream);
      case 8:
        return merge_typed(lists, typed_keys, value_sides<std::uint64_t>(lists, values, scratch, stream), order,
                           scratch, stream);
      default:
        return merge_by_positions(lists, typed_keys, values, order, scratch, stream);
    }
  });
}

void require_same_types(const ConstKeys& keys, const ConstValues& values, const Keys& merged, const Values& moved) {
  require(keys.type == merged.type, "lists and output have keys of different types");
  require(values.bytes == moved.bytes, "lists and output have values of different sizes");
}

bool continues(const void* first, std::uint64_t first_bytes, const void* second, unsigned alignment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  return begin % alignment == 0 && begin + first_bytes == reinterpret_cast<std::uintptr_t>(second);
}

/// Whether a merge can read both lists where they are: the arrays of the second begin where those of the first one end.
bool are_side_by_side(const SortedList& first, const SortedList& second) {
  const std::uint64_t value_bytes = first.values.bytes;
  return continues(first.keys.data, first.count * bytes_of(first.keys.type), second.keys.data, 16) &&
         (value_bytes == 0 ||
          continues(first.values.data, first.count * value_bytes, second.values.data, value_alignment(value_bytes)));
}

void copy_side_by_side(const void* first, std::uint64_t first_bytes, const void* second, std::uint64_t second_bytes,
                       std::byte* target, cudaStream_t stream) {
  copy_within_device(target, first, first_bytes, stream);
  copy_within_device(target + first_bytes, second, second_bytes, stream);
}

/// Both lists in one array: where they lie if that is so already, else copied.
SortedLists join_lists(const SortedList& first, const SortedList& second, const TwoListScratch& scratch,
                       cudaStream_t stream) {
  const std::uint64_t count = first.count + second.count;
  kernels::write_two_offsets(first.count, count, scratch.offsets, stream);
  if (are_side_by_side(first, second)) return {first.keys, first.values, scratch.offsets, 2, count};
  const std::uint64_t key_bytes = bytes_of(first.keys.type);
  copy_side_by_side(first.keys.data, first.count * key_bytes, second.keys.data, second.count * key_bytes, scratch.keys,
                    stream);
  const std::uint64_t value_bytes = first.values.bytes;
  copy_side_by_side(first.values.data, first.count * value_bytes, second.values.data, second.count * value_bytes,
                    scratch.values, stream);
  return {ConstKeys(scratch.keys, first.keys.type), ConstValues(scratch.values, value_bytes), scratch.offsets, 2,
          count};
}

}  // namespace

std::size_t merge_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  return TwoListScratch(key_type, value_bytes, count).layout.size_bytes();
}

Status merge(const SortedList& first, const SortedList& second, Keys keys, Values values, Order order, Scratch scratch,
             cudaStream_t stream) noexcept {
  return answer([&] {
    require_wide_keys(keys.type);
    require_order(order);
    require_count(first.count);
    require_count(second.count);
    const std::uint64_t count = first.count + second.count;
    require_count(count);
    require_values(values.bytes, count);
    require_same_types(first.keys, first.values, keys, values);
    require_same_types(second.keys, second.values, keys, values);
    const std::uint64_t key_bytes = bytes_of(keys.type);
    const std::initializer_list<ArrayArgument> arrays{
        read_only("keys of the first list", first.keys.data, first.count * key_bytes),
        read_only("keys of the second list", second.keys.data, second.count * key_bytes),
        read_only("values of the first list", first.values.data, first.count * values.bytes),
        read_only("values of the second list", second.values.data, second.count * values.bytes),
        {"merged keys", keys.data, count * key_bytes},
        {"merged values", values.data, count * values.bytes, Access::kWrite, value_alignment(values.bytes)}};
    require_arrays(arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, merge_scratch_bytes(keys.type, values.bytes, count), arrays, stream);
    const TwoListScratch areas(keys.type, values.bytes, count, lease.memory());
    launch_merge(join_lists(first, second, areas, stream), keys, values, order, areas.merge, stream);
  });
}

std::size_t merge_lists_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count,
                                      std::uint32_t list_count) noexcept {
  return MergeScratch(key_type, value_bytes, count, list_count).layout.size_bytes();
}

Status merge_lists(const SortedLists& lists, Keys keys, Values values, Order order, Scratch scratch,
                   cudaStream_t stream) noexcept {
  return answer([&] {
    require_wide_keys(keys.type);
    require_order(order);
    require_count(lists.count);
    require_values(values.bytes, lists.count);
    require_same_types(lists.keys, lists.values, keys, values);
    require(lists.list_count != 0 || lists.count == 0, "no lists, but items: say how many lists there are");
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
    launch_merge(lists, keys, values, order, lease.memory(), stream);
  });
}

}  // namespace sortie::cuda
