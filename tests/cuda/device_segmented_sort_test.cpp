#include <sortie/cuda/device_segmented_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kSegmentSeed = 103;

using Offsets = std::vector<std::uint64_t>;

Offsets offsets_of(const std::vector<std::uint64_t>& lengths) {
  Offsets offsets{0};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

/// Lengths below `limit`, some of them 0.
std::vector<std::uint64_t> random_lengths(std::uint32_t segment_count, std::uint64_t limit) {
  std::mt19937_64 random(kSegmentSeed);
  std::vector<std::uint64_t> lengths(segment_count);
  for (std::uint64_t& length : lengths) length = random() % 4 == 0 ? 0 : random() % limit;
  return lengths;
}

/// Around all that threads, warps, blocks and tiles hold, side by side in random order.
std::vector<std::uint64_t> lengths_of_all_kinds() {
  std::vector<std::uint64_t> lengths = {0, 0, 1, 2, 2 * 11520 + 1};
  for (const std::uint64_t capacity : {4,   8,    16,   32,   48,   64,   96,   128,  192,  256,  384,  512,
                                       768, 1024, 2048, 3072, 4096, 4992, 6144, 6912, 7680, 8192, 9984, 11520}) {
    lengths.insert(lengths.end(), {capacity - 1, capacity, capacity + 1});
  }
  std::ranges::shuffle(lengths, std::mt19937_64(kSegmentSeed));
  return lengths;
}

/// Items in segments on the host, what a stable sort makes of them, and a check.
class SegmentedItems {
 public:
  SegmentedItems(KeyType type, ItemArray keys, std::size_t value_bytes, Order order)
      : type_(type),
        order_(order),
        keys_(std::move(keys)),
        count_(keys_.bytes.size() / keys_.size),
        values_(make_value_items(value_bytes, count_)) {}

  const ItemArray& keys() const { return keys_; }
  const ItemArray& values() const { return values_; }
  std::uint64_t count() const { return count_; }
  std::size_t scratch_bytes() const { return segmented_sort_scratch_bytes(type_, values_.size, count_); }

  Status sort(const DeviceItems& items, const DeviceArray<std::uint64_t>& offsets, std::uint32_t segment_count,
              const DeviceArray<std::byte>& scratch, const CudaStream& stream) const {
    return segmented_sort(items.keys(), items.values(), count_, {offsets.data(), segment_count}, order_,
                          Scratch(scratch.data(), scratch_bytes()), stream.handle());
  }

  void expect_sorted(const DeviceItems& items, const Offsets& offsets) const {
    const std::vector<std::uint64_t> codes = codes_of(keys_, type_, order_);
    std::vector<std::uint64_t> expected(count_);
    for (std::uint64_t i = 0; i < count_; ++i) expected[i] = i;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      std::stable_sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1],
                       [&](std::uint64_t a, std::uint64_t b) { return codes[a] < codes[b]; });
    }
    expect_same_items(gathered(keys_, expected), items.keys_memory.download(), "keys");
    expect_same_items(gathered(values_, expected), items.values_memory.download(), "values");
  }

 private:
  KeyType type_;
  Order order_;
  ItemArray keys_;
  std::uint64_t count_;
  ItemArray values_;
};

void expect_segments_sorted(KeyType type, ItemArray keys, std::size_t value_bytes, const Offsets& offsets,
                            Order order) {
  const auto segment_count = static_cast<std::uint32_t>(offsets.size() - 1);
  SCOPED_TRACE(name_of(type) + " with values of " + std::to_string(value_bytes) + ", " +
               std::to_string(offsets.back()) + " items in " + std::to_string(segment_count) + " segments, " +
               name_of(order) + ", seed " + std::to_string(kSegmentSeed));
  const CudaStream stream;
  const SegmentedItems test(type, std::move(keys), value_bytes, order);
  const DeviceItems items(test.keys(), type, test.values(), stream);
  const DeviceArray<std::uint64_t> device_offsets(offsets, stream);
  const DeviceArray<std::byte> scratch(test.scratch_bytes(), stream);
  expect_ok(test.sort(items, device_offsets, segment_count, scratch, stream));
  test.expect_sorted(items, offsets);
}

void expect_segments_sorted(KeyType type, Distribution distribution, std::size_t value_bytes, const Offsets& offsets,
                            Order order) {
  SCOPED_TRACE(to_string(distribution));
  expect_segments_sorted(type, make_key_items(type, distribution, offsets.back(), kSegmentSeed), value_bytes, offsets,
                         order);
}

class CudaSegmentedSortGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaSegmentedSortGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaSegmentedSortGpu, SortsEachSegmentByItself) {
  SORTIE_REQUIRE_GPU();
  const std::vector<Offsets> shapes = {{0},
                                       {0, 0},
                                       {0, 1},
                                       {0, 5000},
                                       {0, 0, 0, 3, 3},
                                       {0, 1, 2, 3, 4, 5},
                                       {0, 4000, 4000, 4001, 9000},
                                       offsets_of(random_lengths(3000, 3)),
                                       offsets_of(random_lengths(300, 100)),
                                       offsets_of(random_lengths(5, 30'000))};
  for (const Offsets& offsets : shapes) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Order order : kBothOrders) {
        expect_segments_sorted(GetParam(), Distribution::kZipf, value_bytes, offsets, order);
      }
    }
  }
}

TEST_P(CudaSegmentedSortGpu, SortsSegmentsOfAllLengthsSideBySide) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of(lengths_of_all_kinds());
  for (const std::size_t value_bytes : {0, 4, 8, 16}) {
    expect_segments_sorted(GetParam(), Distribution::kZipf, value_bytes, offsets, Order::kAscending);
  }
  expect_segments_sorted(GetParam(), Distribution::kUniform, 8, offsets, Order::kDescending);
}

/// So few items that a checker of races gets through, but a segment for each kind of team.
TEST_P(CudaSegmentedSortGpu, SortsOneSegmentOfEachKind) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of({3, 7, 15, 30, 45, 60, 90, 120, 180, 250, 0, 380, 500, 700, 1000, 1500, 12'000});
  for (const std::size_t value_bytes : {0, 4, 8}) {
    expect_segments_sorted(GetParam(), Distribution::kFewValued, value_bytes, offsets, Order::kDescending);
  }
}

TEST(CudaSegmentedSortShapesGpu, SortsKeysOfAllDistributions) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of(lengths_of_all_kinds());
  for (const Distribution distribution : kAllDistributions) {
    for (const KeyType type : {KeyType::kFloat32, KeyType::kInt64}) {
      expect_segments_sorted(type, distribution, 4, offsets, Order::kDescending);
    }
  }
}

TEST(CudaSegmentedSortShapesGpu, SortsAMillionSegments) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of(random_lengths(1'000'000, 9));
  expect_segments_sorted(KeyType::kFloat32, Distribution::kUniform, 0, offsets, Order::kAscending);
  expect_segments_sorted(KeyType::kUint64, Distribution::kFewValued, 4, offsets, Order::kDescending);
}

TEST(CudaSegmentedSortShapesGpu, SortsAGiantAmongTinySegments) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> lengths = random_lengths(20'000, 9);
  lengths[12'345] = 1'000'003;
  const Offsets offsets = offsets_of(lengths);
  expect_segments_sorted(KeyType::kUint32, Distribution::kZipf, 0, offsets, Order::kAscending);
  expect_segments_sorted(KeyType::kInt32, Distribution::kUniform, 8, offsets, Order::kDescending);
  expect_segments_sorted(KeyType::kFloat64, Distribution::kUniform, 4, offsets, Order::kDescending);
  expect_segments_sorted(KeyType::kInt64, Distribution::kFewValued, 8, offsets, Order::kAscending);
}

TEST(CudaSegmentedSortShapesGpu, SortsManyGiants) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of(random_lengths(60, 60'000));
  expect_segments_sorted(KeyType::kUint64, Distribution::kUniform, 0, offsets, Order::kAscending);
  expect_segments_sorted(KeyType::kFloat32, Distribution::kUniform, 4, offsets, Order::kAscending);
}

/// Keys that differ in the digits of `mask` alone: a giant takes as many passes, and an odd number of them ends in the
/// other arrays. One key has a bit that no sample sees.
TEST(CudaSegmentedSortShapesGpu, SortsGiantsByTheDigitsThatDiffer) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets{0, 30'000, 30'005, 60'005, 75'005};
  std::mt19937_64 random(kSegmentSeed);
  for (const std::uint64_t mask : {std::uint64_t{0}, std::uint64_t{0xff00}, std::uint64_t{0x3f000000ff},
                                   std::uint64_t{0xff000000ff1000}, std::uint64_t{0xf0ff00ff00ff00ff}}) {
    ItemArray keys{8, Bytes(8 * offsets.back())};
    for (std::uint64_t i = 0; i < offsets.back(); ++i) {
      // The second giant's keys are all the same.
      std::uint64_t key = i >= 30'005 && i < 60'005 ? 7 : random() & mask;
      if (i == 2 && mask % 2 != 0) key |= std::uint64_t{1} << 62;
      std::memcpy(keys.bytes.data() + 8 * i, &key, 8);
    }
    expect_segments_sorted(KeyType::kInt64, keys, 0, offsets, Order::kDescending);
    expect_segments_sorted(KeyType::kUint64, keys, 4, offsets, Order::kAscending);
    expect_segments_sorted(KeyType::kFloat64, keys, 8, offsets, Order::kDescending);
  }
}

/// Keys of giants agree in their leading half with the next ones, so that a sample at regular distances finds none that
/// do: with so few that a thread mends them, or with more. In the last giant, the sample finds some.
TEST(CudaSegmentedSortShapesGpu, SortsGiantsThatLeadingDigitsDoNotTellApart) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of({20'000, 30'000, 3, 25'000, 20'001, 200'000, 50'000});
  const std::uint64_t alike[] = {2, 5, 1, 16, 17, 40, 1};
  std::mt19937_64 random(kSegmentSeed);
  ItemArray keys{8, Bytes(8 * offsets.back())};
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      const std::uint64_t group = s == 6 ? random() % 500 : (i - offsets[s]) / alike[s];
      const std::uint64_t key = (scramble(group + 1) << 32) | (random() & 0xffffffff);
      std::memcpy(keys.bytes.data() + 8 * i, &key, 8);
    }
  }
  for (const std::size_t value_bytes : {0, 4, 8}) {
    expect_segments_sorted(KeyType::kUint64, keys, value_bytes, offsets, Order::kAscending);
    expect_segments_sorted(KeyType::kInt64, keys, value_bytes, offsets, Order::kDescending);
  }
}

/// The highest codes are those that fill up teams and tiles.
TEST(CudaSegmentedSortShapesGpu, TakesNoItemForPadding) {
  SORTIE_REQUIRE_GPU();
  const Offsets offsets = offsets_of({1, 5, 20, 300, 700, 1500, 3000, 5000, 13'000, 7});
  for (const std::size_t value_bytes : {0, 4, 8}) {
    const ItemArray narrow{4, Bytes(4 * offsets.back(), std::byte{0xff})};
    const ItemArray wide{8, Bytes(8 * offsets.back(), std::byte{0xff})};
    expect_segments_sorted(KeyType::kUint32, narrow, value_bytes, offsets, Order::kAscending);
    expect_segments_sorted(KeyType::kUint64, wide, value_bytes, offsets, Order::kAscending);
  }
}

/// A graph says nothing about where segments end: a replay sorts those that the offsets name then.
TEST(CudaSegmentedSortShapesGpu, ReplaysOfAGraphSortOtherSegments) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kItems = 200'000;
  constexpr std::uint32_t kSegments = 1000;
  const SegmentedItems test(KeyType::kFloat32, make_key_items(KeyType::kFloat32, Distribution::kUniform, kItems, 107),
                            8, Order::kAscending);
  std::vector<Offsets> replays = {Offsets(kSegments + 1, kItems), Offsets(kSegments + 1, 0), Offsets(kSegments + 1)};
  replays[0][0] = 0;
  replays[1][kSegments] = kItems;
  for (std::uint32_t s = 0; s <= kSegments; ++s) replays[2][s] = kItems * s / kSegments;

  const CudaStream stream;
  const DeviceItems items(test.keys(), KeyType::kFloat32, test.values(), stream);
  const DeviceArray<std::uint64_t> offsets(kSegments + 1, stream);
  const DeviceArray<std::byte> scratch(test.scratch_bytes(), stream);
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin capture");
  const Status status = test.sort(items, offsets, kSegments, scratch, stream);
  check_cuda(cudaStreamEndCapture(stream.handle(), &graph), "end capture");
  expect_ok(status);
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
  const auto upload = [&](void* target, const void* source, std::size_t bytes) {
    check_cuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream.handle()), "upload");
  };
  for (const Offsets& replay : replays) {
    upload(items.keys_memory.data(), test.keys().bytes.data(), test.keys().bytes.size());
    upload(items.values_memory.data(), test.values().bytes.data(), test.values().bytes.size());
    upload(offsets.data(), replay.data(), replay.size() * sizeof(std::uint64_t));
    check_cuda(cudaMemsetAsync(scratch.data(), kPoison, test.scratch_bytes(), stream.handle()), "poison");
    check_cuda(cudaGraphLaunch(executable, stream.handle()), "launch graph");
    test.expect_sorted(items, replay);
  }
  check_cuda(cudaGraphExecDestroy(executable), "destroy executable graph");
  check_cuda(cudaGraphDestroy(graph), "destroy graph");
}

/// An array between areas that nobody may write.
class GuardedArray {
 public:
  GuardedArray(const Bytes& items, const CudaStream& stream) : memory_(between_guards(items), stream) {}

  std::byte* data() const { return memory_.data() + kGuardBytes; }

  void expect_guards_untouched(const char* what) const {
    const Bytes all = memory_.download();
    const auto is_untouched = [](std::byte byte) { return byte == std::byte{kPoison}; };
    EXPECT_TRUE(std::all_of(all.begin(), all.begin() + kGuardBytes, is_untouched)) << "in front of " << what;
    EXPECT_TRUE(std::all_of(all.end() - kGuardBytes, all.end(), is_untouched)) << "behind " << what;
  }

 private:
  static constexpr std::ptrdiff_t kGuardBytes = 1 << 20;

  static Bytes between_guards(const Bytes& items) {
    Bytes all(items.size() + 2 * kGuardBytes, std::byte{kPoison});
    std::ranges::copy(items, all.begin() + kGuardBytes);
    return all;
  }

  DeviceArray<std::byte> memory_;
};

void expect_only_arrays_written(KeyType type, std::size_t value_bytes, std::uint64_t count, const Offsets& offsets) {
  SCOPED_TRACE(name_of(type) + " with values of " + std::to_string(value_bytes));
  const CudaStream stream;
  const SegmentedItems test(type, make_key_items(type, Distribution::kUniform, count, kSegmentSeed), value_bytes,
                            Order::kAscending);
  const GuardedArray keys(test.keys().bytes, stream);
  const GuardedArray values(test.values().bytes, stream);
  const GuardedArray scratch(Bytes(test.scratch_bytes(), std::byte{kPoison}), stream);
  const DeviceArray<std::uint64_t> device_offsets(offsets, stream);
  expect_ok(segmented_sort(Keys(keys.data(), type), value_bytes == 0 ? Values() : Values(values.data(), value_bytes),
                           count, {device_offsets.data(), static_cast<std::uint32_t>(offsets.size() - 1)},
                           Order::kAscending, Scratch(scratch.data(), test.scratch_bytes()), stream.handle()));
  stream.synchronize();
  keys.expect_guards_untouched("keys");
  values.expect_guards_untouched("values");
  scratch.expect_guards_untouched("scratch");
}

/// `begin` and `end` in turn.
Offsets to_and_back(std::uint64_t begin, std::uint64_t end, std::size_t offset_count) {
  Offsets offsets(offset_count, begin);
  for (std::size_t i = 1; i < offset_count; i += 2) offsets[i] = end;
  return offsets;
}

/// What the items are then is undefined, but the call ends and writes nothing outside its arrays.
TEST(CudaSegmentedSortShapesGpu, OffsetsInDisorderWriteNothingOutsideTheArrays) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kItems = 100'000;
  std::mt19937_64 random(kSegmentSeed);
  Offsets any(3001);
  for (std::uint64_t& offset : any) offset = random();
  Offsets within_items = any;
  for (std::uint64_t& offset : within_items) offset %= kItems + 1;
  Offsets descending = within_items;
  std::ranges::sort(descending, std::greater<>());
  const std::vector<Offsets> all = {to_and_back(0, kItems, 2001),
                                    to_and_back(kItems / 2, kItems / 2 + 200, 20'001),
                                    to_and_back(7, 7 + 400, 20'001),
                                    to_and_back(7, 7 + 1800, 20'001),
                                    to_and_back(7, 7 + 4000, 20'001),
                                    any,
                                    within_items,
                                    descending,
                                    {0, kItems / 2, 1, kItems / 2 + 1},
                                    {0, kItems - 1, kItems + 1, 4 * kItems, ~std::uint64_t{0}},
                                    {~std::uint64_t{0}, 0}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE("offsets " + std::to_string(i));
    for (const std::size_t value_bytes : {0, 4, 8, 16}) {
      expect_only_arrays_written(KeyType::kUint32, value_bytes, kItems, all[i]);
      expect_only_arrays_written(KeyType::kFloat64, value_bytes, kItems, all[i]);
    }
    expect_only_arrays_written(KeyType::kFloat16, 4, kItems, all[i]);
    expect_only_arrays_written(KeyType::kUint32, 4, 200, all[i]);
  }
}

}  // namespace
}  // namespace sortie::cuda
