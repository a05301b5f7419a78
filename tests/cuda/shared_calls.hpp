// A call of every function of sortie::cuda that takes scratch, all on the same arrays: for tests of what the functions
// share.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include <sortie/cuda/device_classic_sorts.hpp>
#include <sortie/cuda/device_lexsort.hpp>
#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/device_merge_sort.hpp>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_strings.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/sort_checks.hpp"

namespace sortie::cuda {

/// A call that works on 2^20 keys of 8 bytes, and as many values.
struct Call {
  const char* name;
  std::size_t scratch_bytes;
  std::function<Status(Scratch scratch, cudaStream_t stream)> run;
};

inline constexpr std::uint64_t kSharedItems = 1 << 20;

/// Keys whose halves are sorted, each by itself: merges need that.
inline ItemArray keys_with_sorted_halves() {
  const ItemArray keys = make_key_items(KeyType::kInt64, Distribution::kZipf, kSharedItems, 83);
  const std::vector<std::uint64_t> codes = codes_of(keys, KeyType::kInt64, Order::kAscending);
  std::vector<std::uint64_t> positions(kSharedItems);
  std::iota(positions.begin(), positions.end(), std::uint64_t{0});
  const auto middle = positions.begin() + kSharedItems / 2;
  const auto code = [&](std::uint64_t i) { return codes[i]; };
  std::ranges::sort(positions.begin(), middle, {}, code);
  std::ranges::sort(middle, positions.end(), {}, code);
  return gathered(keys, positions);
}

/// Arrays that all calls of a test share, and the host's copy of what they hold at first.
struct SharedItems {
  explicit SharedItems(const CudaStream& stream)
      : keys(keys_with_sorted_halves()),
        values(make_value_items(8, kSharedItems)),
        items(keys, KeyType::kInt64, values, stream),
        output(keys, KeyType::kInt64, values, stream),
        halves({0, kSharedItems / 2, kSharedItems}, stream),
        kept_count(1, stream) {}

  void restore(const CudaStream& stream) const {
    check_cuda(cudaMemcpyAsync(items.keys_memory.data(), keys.bytes.data(), keys.bytes.size(), cudaMemcpyDefault,
                               stream.handle()),
               "restore keys");
    check_cuda(cudaMemcpyAsync(items.values_memory.data(), values.bytes.data(), values.bytes.size(), cudaMemcpyDefault,
                               stream.handle()),
               "restore values");
    stream.synchronize();
  }

  void expect_untouched() const {
    expect_same_items(keys, items.keys_memory.download(), "keys");
    expect_same_items(values, items.values_memory.download(), "values");
    expect_same_items(keys, output.keys_memory.download(), "output");
  }

  ItemArray keys;
  ItemArray values;
  DeviceItems items;
  DeviceItems output;
  DeviceArray<std::uint64_t> halves;
  DeviceArray<std::uint64_t> kept_count;
};

/// Other forms of the calls below, which take other ways.
inline std::vector<Call> other_forms(const SharedItems& shared) {
  const Keys keys = shared.items.keys();
  const Values values = shared.items.values();
  const Keys out = shared.output.keys();
  const Values out_values = shared.output.values();
  constexpr auto kType = KeyType::kInt64;
  constexpr auto kShort = KeyType::kFloat16;
  constexpr auto kDown = Order::kDescending;
  constexpr std::uint64_t kHalf = kSharedItems / 2;
  const std::byte* const key_bytes = shared.items.keys_memory.data();
  const std::byte* const value_bytes = shared.items.values_memory.data();
  std::uint64_t* const kept_count = shared.kept_count.data();
  const auto list = [=](KeyType type, std::uint64_t begin) {
    return SortedList{ConstKeys(key_bytes + begin * bytes_of(type), type), ConstValues(value_bytes + begin * 8, 8),
                      kHalf};
  };
  const SortedLists short_lists{ConstKeys(key_bytes, kShort), values, shared.halves.data(), 2, kSharedItems};
  const Keys bits(keys.data, KeyType::kUint64);
  const Keys by_value(keys.data, KeyType::kFloat64ByValue);
  const Segments halves{shared.halves.data(), 2};
  constexpr std::uint64_t kManyShort = 4 * kSharedItems;  // so many that top_k() moves candidates together
  constexpr std::uint64_t kTop = 1000;
  std::vector<Call> calls{
      {"radix_sort_by_bits", radix_sort_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return radix_sort_by_bits(bits, values, kSharedItems, {3, 40}, s, t);
       }},
      {"radix_sort by value", radix_sort_scratch_bytes(by_value.type, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return radix_sort(by_value, values, kSharedItems, kDown, s, t); }},
      {"radix_sort by value, without values", radix_sort_scratch_bytes(by_value.type, 0, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return radix_sort(by_value, kSharedItems, kDown, s, t); }},
      {"sort_with_positions by value", sort_with_positions_scratch_bytes(by_value.type, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return sort_with_positions(by_value, Keys(out.data, by_value.type),
                                    static_cast<std::uint64_t*>(out_values.data), kSharedItems, kDown, s, t);
       }},
      {"segmented_sort by value", segmented_sort_scratch_bytes(by_value.type, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return segmented_sort(by_value, values, kSharedItems, halves, kDown, s, t); }},
      {"top_k by value", top_k_scratch_bytes(by_value.type, 8, kSharedItems, kTop),
       [=](Scratch s, cudaStream_t t) {
         return top_k(by_value, kSharedItems, kTop, Keys(out.data, by_value.type),
                      static_cast<std::uint64_t*>(out_values.data), kDown, s, t);
       }},
      {"unique by value", unique_scratch_bytes(kHalf),
       [=](Scratch s, cudaStream_t t) {
         return unique(list(by_value.type, 0), Keys(out.data, by_value.type), out_values, kept_count, Keep::kLast, s,
                       t);
       }},
      {"merge_sort of short keys", merge_sort_scratch_bytes(kShort, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return merge_sort(Keys(keys.data, kShort), values, kSharedItems, kDown, s, t);
       }},
      {"merge of short keys", merge_scratch_bytes(kShort, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return merge(list(kShort, 0), list(kShort, kHalf), Keys(out.data, kShort), out_values, kDown, s, t);
       }},
      {"merge_lists of short keys", merge_lists_scratch_bytes(kShort, 8, kSharedItems, 2),
       [=](Scratch s, cudaStream_t t) {
         return merge_lists(short_lists, Keys(out.data, kShort), out_values, kDown, s, t);
       }},
      {"top_k of many short keys", top_k_scratch_bytes(kShort, 8, kManyShort, kTop), [=](Scratch s, cudaStream_t t) {
         return top_k(Keys(keys.data, kShort), kManyShort, kTop, Keys(out.data, kShort),
                      static_cast<std::uint64_t*>(out_values.data), kDown, s, t);
       }}};
  for (const SetOperation operation :
       {SetOperation::kIntersection, SetOperation::kDifference, SetOperation::kSymmetricDifference}) {
    calls.push_back(
        {"set_operation", set_operation_scratch_bytes(operation, kType, kSharedItems), [=](Scratch s, cudaStream_t t) {
           return set_operation(operation, list(kType, 0), list(kType, kHalf), out, out_values, kept_count,
                                Order::kAscending, s, t);
         }});
  }
  return calls;
}

inline std::vector<Call> all_calls(const SharedItems& shared) {
  const Keys keys = shared.items.keys();
  const Values values = shared.items.values();
  const Keys out = shared.output.keys();
  const Values out_values = shared.output.values();
  const Values no_values;
  constexpr auto kType = KeyType::kInt64;
  constexpr auto kUp = Order::kAscending;
  const std::byte* const key_bytes = shared.items.keys_memory.data();
  const SortedList first{keys, values, kSharedItems / 2};
  const SortedList second{ConstKeys(key_bytes + 4 * kSharedItems, kType),
                          ConstValues(shared.items.values_memory.data() + 4 * kSharedItems, 8), kSharedItems / 2};
  const SortedLists lists{keys, values, shared.halves.data(), 2, kSharedItems};
  const Segments segments{shared.halves.data(), 2};
  std::uint64_t* const kept_count = shared.kept_count.data();
  const std::vector<Column> columns{{keys, Order::kDescending}, {ConstKeys(values.data, KeyType::kFloat64)}};
  const Strings strings(key_bytes, shared.halves.data(), 2);
  constexpr std::uint64_t kTop = 1000;
  static constexpr Field kField{FieldKind::kSigned, ByteOrder::kLittle, 0, 8, false};
  std::vector<Call> calls{
      {"radix_sort", radix_sort_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return radix_sort(keys, values, kSharedItems, kUp, s, t); }},
      {"argsort", argsort_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return argsort(keys, static_cast<std::uint64_t*>(out.data), kSharedItems, kUp, s, t);
       }},
      {"lexsort", lexsort_scratch_bytes(columns, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return lexsort(columns, static_cast<std::uint64_t*>(out.data), kSharedItems, s, t);
       }},
      {"argsort_strings", argsort_strings_scratch_bytes(8, 8, 2),
       [=](Scratch s, cudaStream_t t) {
         return argsort_strings(strings, static_cast<std::uint64_t*>(out.data), kUp, s, t);
       }},
      {"merge", merge_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return merge(first, second, out, out_values, kUp, s, t); }},
      {"merge_lists", merge_lists_scratch_bytes(kType, 8, kSharedItems, 2),
       [=](Scratch s, cudaStream_t t) { return merge_lists(lists, out, out_values, kUp, s, t); }},
      {"merge_sort", merge_sort_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return merge_sort(keys, values, kSharedItems, kUp, s, t); }},
      {"merge_sort_records", merge_sort_records_scratch_bytes(kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return merge_sort_records({key_bytes, 8, kSharedItems}, std::span(&kField, 1), out.data, s, t);
       }},
      {"odd_even_sort", odd_even_sort_scratch_bytes(kSharedItems, kOddEvenListItems),
       [=](Scratch s, cudaStream_t t) {
         return odd_even_sort(keys, no_values, kSharedItems, kOddEvenListItems, kUp, s, t);
       }},
      {"split_radix_sort", split_radix_sort_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return split_radix_sort(keys, values, kSharedItems, kUp, s, t); }},
      {"segmented_sort", segmented_sort_scratch_bytes(kType, 8, kSharedItems),
       [=](Scratch s, cudaStream_t t) { return segmented_sort(keys, values, kSharedItems, segments, kUp, s, t); }},
      {"sort_rows", sort_rows_scratch_bytes(kType, 8, {2, kSharedItems / 2}),
       [=](Scratch s, cudaStream_t t) {
         return sort_rows(keys, out, static_cast<std::uint64_t*>(out_values.data), {2, kSharedItems / 2}, kUp, s, t);
       }},
      {"top_k", top_k_scratch_bytes(kType, 8, kSharedItems, kTop),
       [=](Scratch s, cudaStream_t t) {
         return top_k(keys, kSharedItems, kTop, out, static_cast<std::uint64_t*>(out_values.data), kUp, s, t);
       }},
      {"unique", unique_scratch_bytes(kSharedItems / 2),
       [=](Scratch s, cudaStream_t t) { return unique(first, out, out_values, kept_count, Keep::kFirst, s, t); }},
      {"set_operation", set_operation_scratch_bytes(SetOperation::kUnion, kType, kSharedItems),
       [=](Scratch s, cudaStream_t t) {
         return set_operation(SetOperation::kUnion, first, second, out, out_values, kept_count, kUp, s, t);
       }},
  };
  std::ranges::move(other_forms(shared), std::back_inserter(calls));
  return calls;
}

}  // namespace sortie::cuda
