// Every function on few items, in each of the ways in which it launches. These are the tests for Compute Sanitizer
// (tests/gpu/cuda_sanitizers), which is slow. Scratch and outputs are as cudaMalloc() gives them, so that its initcheck
// finds what is read before it is written.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include <sortie/cuda/device_classic_sorts.hpp>
#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/device_merge_sort.hpp>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr Order kSmallestFirst = Order::kAscending;
constexpr std::uint32_t kManyLists = 20;

/// What one function did with items of a type.
class FewItems {
 public:
  FewItems(KeyType type, std::size_t value_bytes, std::uint64_t count, Distribution distribution = Distribution::kZipf)
      : type_(type),
        count_(count),
        keys_(make_key_items(type, distribution, count, 91)),
        values_(make_value_items(value_bytes, count)),
        order_(stable_order(keys_, type, kSmallestFirst)) {}

  /// Runs `call` on items that are in no order, and expects them sorted.
  void sort_in_place(std::size_t scratch_bytes, const std::function<Status(Keys, Values, Scratch)>& call) {
    const DeviceItems items(keys_, type_, values_, stream_);
    run(scratch_bytes, [&](Scratch scratch) { return call(items.keys(), items.values(), scratch); });
    expect_same_items(gathered(keys_, order_), items.keys_memory.download(), "keys");
    expect_same_items(gathered(values_, order_), items.values_memory.download(), "values");
  }

  /// Runs `call` on `lists` sorted lists side by side, and expects their merge.
  void merge(std::uint32_t lists, std::size_t scratch_bytes,
             const std::function<Status(const SortedLists&, Keys, Values, Scratch)>& call) {
    std::vector<std::uint64_t> offsets;
    for (std::uint64_t i = 0; i <= lists; ++i) offsets.push_back(count_ * i / lists);
    const std::vector<std::uint64_t> codes = codes_of(keys_, type_, kSmallestFirst);
    std::vector<std::uint64_t> positions(count_);
    for (std::uint64_t i = 0; i < count_; ++i) positions[i] = i;
    for (std::uint32_t i = 0; i < lists; ++i) {
      std::ranges::stable_sort(positions.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                               positions.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]), {},
                               [&](std::uint64_t position) { return codes[position]; });
    }
    const DeviceItems items(gathered(keys_, positions), type_, gathered(values_, positions), stream_);
    const DeviceArray<std::uint64_t> device_offsets(offsets, stream_);
    const Output out(*this);
    const SortedLists sorted{items.keys(), items.values(), device_offsets.data(), lists, count_};
    run(scratch_bytes, [&](Scratch scratch) { return call(sorted, out.keys(), out.values(), scratch); });
    expect_same_items(gathered(keys_, order_), out.download(out.keys_memory, count_ * bytes_of(type_)), "merged keys");
    expect_same_items(gathered(values_, order_), out.download(out.values_memory, count_ * values_.size),
                      "merged values");
  }

  /// Runs `call` on the sorted items, and returns how many it kept.
  std::uint64_t keep(std::size_t scratch_bytes,
                     const std::function<Status(const SortedList&, Keys, Values, std::uint64_t*, Scratch)>& call) {
    const DeviceItems items(gathered(keys_, order_), type_, gathered(values_, order_), stream_);
    const Output out(*this);
    const DeviceArray<std::uint64_t> kept(1, stream_);
    run(scratch_bytes, [&](Scratch scratch) {
      return call({items.keys(), items.values(), count_}, out.keys(), out.values(), kept.data(), scratch);
    });
    return kept.download().front();
  }

  /// Runs `call` on items that are in no order, with room for `count` positions, and expects them to be in order.
  void find_positions(std::uint64_t count, std::size_t scratch_bytes,
                      const std::function<Status(ConstKeys, Keys, Positions, Scratch)>& call) {
    const DeviceItems items(keys_, type_, values_, stream_);
    const Output out(*this);
    const DeviceBuffer positions(count * sizeof(std::uint64_t));
    run(scratch_bytes,
        [&](Scratch scratch) { return call(items.keys(), out.keys(), Positions(positions.data(), 8), scratch); });
    const Bytes found = out.download(positions, count * sizeof(std::uint64_t));
    EXPECT_EQ(std::memcmp(found.data(), order_.data(), found.size()), 0);
  }

  std::uint64_t distinct() const {
    std::vector<std::uint64_t> codes = codes_of(keys_, type_, kSmallestFirst);
    std::ranges::sort(codes);
    return static_cast<std::uint64_t>(std::ranges::unique(codes).begin() - codes.begin());
  }

  cudaStream_t stream() const { return stream_.handle(); }
  const CudaStream& owned_stream() const { return stream_; }

 private:
  /// Memory that nobody has written.
  struct Output {
    explicit Output(const FewItems& few)
        : type(few.type_),
          value_bytes(few.values_.size),
          stream(few.stream_),
          keys_memory(few.count_ * bytes_of(type)),
          values_memory(few.count_ * value_bytes) {}

    Keys keys() const { return {keys_memory.data(), type}; }
    Values values() const { return value_bytes == 0 ? Values() : Values(values_memory.data(), value_bytes); }
    Bytes download(const DeviceBuffer& memory, std::uint64_t bytes) const {
      Bytes items(bytes);
      if (bytes == 0) return items;
      check_cuda(cudaMemcpyAsync(items.data(), memory.data(), bytes, cudaMemcpyDefault, stream.handle()), "download");
      stream.synchronize();
      return items;
    }

    KeyType type;
    std::size_t value_bytes;
    const CudaStream& stream;
    DeviceBuffer keys_memory;
    DeviceBuffer values_memory;
  };

  void run(std::size_t scratch_bytes, const std::function<Status(Scratch)>& call) const {
    const DeviceBuffer scratch(scratch_bytes);
    expect_ok(call(Scratch(scratch.data(), scratch_bytes)));
    stream_.synchronize();
  }

  KeyType type_;
  std::uint64_t count_;
  CudaStream stream_;
  ItemArray keys_;
  ItemArray values_;
  std::vector<std::uint64_t> order_;
};

/// One launch, several, and those with look-back between tiles.
constexpr std::uint64_t kFewCounts[] = {1, 1000, 9000, 70'001, 300'001};

class CudaFewItemsGpu : public testing::TestWithParam<KeyType> {
 protected:
  /// Calls test(items, count) with some counts and values.
  template <class Test>
  void each(std::initializer_list<std::size_t> value_sizes, const Test& test) const {
    for (const std::size_t value_bytes : value_sizes) {
      for (const std::uint64_t count : kFewCounts) {
        SCOPED_TRACE(std::to_string(count) + " items with values of " + std::to_string(value_bytes));
        FewItems few(GetParam(), value_bytes, count);
        test(few, value_bytes, count);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(SomeTypes, CudaFewItemsGpu,
                         testing::Values(KeyType::kUint8, KeyType::kFloat16, KeyType::kUint32, KeyType::kFloat64),
                         [](const auto& test) { return name_of(test.param); });

class CudaFewWideItemsGpu : public CudaFewItemsGpu {};

INSTANTIATE_TEST_SUITE_P(SomeTypes, CudaFewWideItemsGpu, testing::Values(KeyType::kUint32, KeyType::kFloat64),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaFewItemsGpu, RadixSort) {
  SORTIE_REQUIRE_GPU();
  each({0, 4, 8, 12, 16}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    few.sort_in_place(radix_sort_scratch_bytes(GetParam(), value_bytes, count), [&](Keys k, Values v, Scratch scratch) {
      return radix_sort(k, v, count, kSmallestFirst, scratch, few.stream());
    });
  });
}

TEST_P(CudaFewItemsGpu, Argsort) {
  SORTIE_REQUIRE_GPU();
  each({0}, [this](FewItems& few, std::size_t /*value_bytes*/, std::uint64_t count) {
    few.find_positions(count, argsort_scratch_bytes(GetParam(), 8, count),
                       [&](ConstKeys k, Keys /*out*/, Positions positions, Scratch scratch) {
                         return argsort(k, positions, count, kSmallestFirst, scratch, few.stream());
                       });
  });
}

TEST_P(CudaFewItemsGpu, TopK) {
  SORTIE_REQUIRE_GPU();
  each({0}, [this](FewItems& few, std::size_t /*value_bytes*/, std::uint64_t count) {
    const std::uint64_t k = (count + 9) / 10;
    few.find_positions(k, top_k_scratch_bytes(GetParam(), 8, count, k),
                       [&](ConstKeys keys, Keys top, Positions positions, Scratch scratch) {
                         return top_k(keys, count, k, top, positions, kSmallestFirst, scratch, few.stream());
                       });
  });
}

/// The fewest items whose values of 16 bytes move once per digit.
TEST(CudaFewItemsOfOneTypeGpu, RadixSortOfLongValuesByDigits) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = (std::uint64_t{1} << 20) + 7;
  FewItems few(KeyType::kFloat32, 16, kCount);
  few.sort_in_place(radix_sort_scratch_bytes(KeyType::kFloat32, 16, kCount), [&](Keys k, Values v, Scratch scratch) {
    return radix_sort(k, v, kCount, kSmallestFirst, scratch, few.stream());
  });
}

/// The fewest items of which candidates are moved together: for few selected ones by a sample, for more by digits.
TEST(CudaFewItemsOfOneTypeGpu, TopKByCandidates) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = 4'200'017;
  FewItems few(KeyType::kUint32, 0, kCount, Distribution::kUniform);
  for (const std::uint64_t k : {100, 50'000}) {
    SCOPED_TRACE(std::to_string(k) + " selected");
    few.find_positions(k, top_k_scratch_bytes(KeyType::kUint32, 8, kCount, k),
                       [&](ConstKeys keys, Keys top, Positions positions, Scratch scratch) {
                         return top_k(keys, kCount, k, top, positions, kSmallestFirst, scratch, few.stream());
                       });
  }
}

/// So many selected ones that they are sorted in buckets, of items of 8 and of 16 bytes.
TEST(CudaFewItemsOfOneTypeGpu, TopKByBuckets) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = 20'011;
  constexpr std::uint64_t kSelected = 5000;
  for (const KeyType type : {KeyType::kUint32, KeyType::kFloat64}) {
    FewItems few(type, 0, kCount, Distribution::kUniform);
    few.find_positions(kSelected, top_k_scratch_bytes(type, 8, kCount, kSelected),
                       [&](ConstKeys keys, Keys top, Positions positions, Scratch scratch) {
                         return top_k(keys, kCount, kSelected, top, positions, kSmallestFirst, scratch, few.stream());
                       });
  }
}

TEST_P(CudaFewItemsGpu, SegmentedSort) {
  SORTIE_REQUIRE_GPU();
  each({0, 4}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    const DeviceArray<std::uint64_t> offsets({0, 0, count, count}, few.owned_stream());
    few.sort_in_place(segmented_sort_scratch_bytes(GetParam(), value_bytes, count),
                      [&](Keys k, Values v, Scratch scratch) {
                        return segmented_sort(k, v, count, {offsets.data(), 3}, kSmallestFirst, scratch, few.stream());
                      });
  });
}

TEST_P(CudaFewItemsGpu, Unique) {
  SORTIE_REQUIRE_GPU();
  each({0, 4}, [](FewItems& few, std::size_t /*value_bytes*/, std::uint64_t count) {
    const std::uint64_t kept = few.keep(unique_scratch_bytes(count), [&](const SortedList& list, Keys k, Values v,
                                                                         std::uint64_t* kept_count, Scratch scratch) {
      return unique(list, k, v, kept_count, Keep::kFirst, scratch, few.stream());
    });
    EXPECT_EQ(kept, few.distinct());
  });
}

TEST_P(CudaFewWideItemsGpu, MergeSort) {
  SORTIE_REQUIRE_GPU();
  each({0, 4, 12}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    few.sort_in_place(merge_sort_scratch_bytes(GetParam(), value_bytes, count), [&](Keys k, Values v, Scratch scratch) {
      return merge_sort(k, v, count, kSmallestFirst, scratch, few.stream());
    });
  });
}

TEST_P(CudaFewWideItemsGpu, SplitRadixSort) {
  SORTIE_REQUIRE_GPU();
  each({0, 4}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    few.sort_in_place(split_radix_sort_scratch_bytes(GetParam(), value_bytes, count),
                      [&](Keys k, Values v, Scratch scratch) {
                        return split_radix_sort(k, v, count, kSmallestFirst, scratch, few.stream());
                      });
  });
}

TEST_P(CudaFewWideItemsGpu, MergeLists) {
  SORTIE_REQUIRE_GPU();
  each({0, 4, 12}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    for (const std::uint32_t lists : {3U, kManyLists}) {
      few.merge(lists, merge_lists_scratch_bytes(GetParam(), value_bytes, count, lists),
                [&](const SortedLists& sorted, Keys k, Values v, Scratch scratch) {
                  return merge_lists(sorted, k, v, kSmallestFirst, scratch, few.stream());
                });
    }
  });
}

TEST_P(CudaFewWideItemsGpu, MergeOfTwo) {
  SORTIE_REQUIRE_GPU();
  each({0, 8}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    const std::uint64_t first = count / 2;
    few.merge(2, merge_scratch_bytes(GetParam(), value_bytes, count),
              [&](const SortedLists& lists, Keys k, Values v, Scratch scratch) {
                const auto* const keys = static_cast<const std::byte*>(lists.keys.data);
                const auto* const values = static_cast<const std::byte*>(lists.values.data);
                const ConstKeys second_keys(keys + first * bytes_of(GetParam()), GetParam());
                const ConstValues second_values(value_bytes == 0 ? nullptr : values + first * value_bytes, value_bytes);
                return merge({lists.keys, lists.values, first}, {second_keys, second_values, count - first}, k, v,
                             kSmallestFirst, scratch, few.stream());
              });
  });
}

TEST_P(CudaFewWideItemsGpu, SetOperationsOfAListWithItself) {
  SORTIE_REQUIRE_GPU();
  each({0, 4}, [this](FewItems& few, std::size_t /*value_bytes*/, std::uint64_t count) {
    for (const SetOperation operation : {SetOperation::kIntersection, SetOperation::kDifference}) {
      const std::uint64_t kept = few.keep(
          set_operation_scratch_bytes(operation, GetParam(), 2 * count),
          [&](const SortedList& list, Keys k, Values v, std::uint64_t* kept_count, Scratch scratch) {
            return set_operation(operation, list, list, k, v, kept_count, kSmallestFirst, scratch, few.stream());
          });
      EXPECT_EQ(kept, operation == SetOperation::kIntersection ? count : 0);
    }
  });
}

TEST_P(CudaFewWideItemsGpu, UnionWithNothing) {
  SORTIE_REQUIRE_GPU();
  each({0, 4}, [this](FewItems& few, std::size_t value_bytes, std::uint64_t count) {
    for (const SetOperation operation : {SetOperation::kUnion, SetOperation::kSymmetricDifference}) {
      const std::uint64_t kept = few.keep(
          set_operation_scratch_bytes(operation, GetParam(), count),
          [&](const SortedList& list, Keys k, Values v, std::uint64_t* kept_count, Scratch scratch) {
            const SortedList nothing{ConstKeys(nullptr, GetParam()), ConstValues(nullptr, value_bytes), 0};
            return set_operation(operation, list, nothing, k, v, kept_count, kSmallestFirst, scratch, few.stream());
          });
      EXPECT_EQ(kept, count);
    }
  });
}

}  // namespace
}  // namespace sortie::cuda
