#include <sortie/cuda/device_strings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "cuda/host_items.hpp"
#include "cuda/test_allocators.hpp"
#include "kernels/device_array.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kStringSeed = 103;

/// Random strings of up to `most_bytes` bytes of `byte_values` values, zero the first of them, behind a common prefix.
std::vector<std::string> make_strings(std::uint64_t count, std::size_t most_bytes, unsigned byte_values,
                                      const std::string& prefix = {}) {
  std::mt19937_64 random(kStringSeed);
  std::vector<std::string> strings(count, prefix);
  for (std::string& string : strings) {
    const std::size_t bytes = random() % (most_bytes + 1);
    for (std::size_t i = 0; i < bytes; ++i)
      string.push_back(static_cast<char>(random() % byte_values * 255 / byte_values));
  }
  return strings;
}

std::vector<std::uint64_t> expected_order(const std::vector<std::string>& strings, Order order) {
  std::vector<std::uint64_t> positions(strings.size());
  std::iota(positions.begin(), positions.end(), std::uint64_t{0});
  std::ranges::stable_sort(positions, [&](std::uint64_t a, std::uint64_t b) {
    return order == Order::kAscending ? strings[a] < strings[b] : strings[b] < strings[a];
  });
  return positions;
}

/// The strings begin `skipped` bytes behind the start of their memory, and so does the first offset say.
template <class Offset, class Position>
void expect_strings_sorted(const std::vector<std::string>& strings, Order order, std::size_t skipped) {
  SCOPED_TRACE(std::to_string(strings.size()) + " strings, " + name_of(order) + ", offsets of " +
               std::to_string(sizeof(Offset)) + ", positions of " + std::to_string(sizeof(Position)) + ", seed " +
               std::to_string(kStringSeed));
  const CudaStream stream;
  Bytes bytes(skipped, std::byte{0xff});
  std::vector<Offset> offsets{static_cast<Offset>(skipped)};
  for (const std::string& string : strings) {
    const auto* const first = reinterpret_cast<const std::byte*>(string.data());
    bytes.insert(bytes.end(), first, first + string.size());
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  const DeviceArray<std::byte> device_bytes(bytes, stream);
  const DeviceArray<Offset> device_offsets(offsets, stream);
  const DeviceArray<Position> positions(strings.size(), stream);
  const std::size_t scratch_bytes = argsort_strings_scratch_bytes(sizeof(Offset), sizeof(Position), strings.size());
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(argsort_strings({device_bytes.data(), device_offsets.data(), strings.size()}, positions.data(), order,
                            Scratch(scratch.data(), scratch_bytes), stream.handle()));
  EXPECT_TRUE(std::ranges::equal(positions.download(), expected_order(strings, order)));
  EXPECT_TRUE(device_bytes.download() == bytes) << "the strings have changed";
}

void expect_strings_sorted_every_way(const std::vector<std::string>& strings) {
  for (const Order order : kBothOrders) {
    expect_strings_sorted<std::int32_t, std::int64_t>(strings, order, 0);
    expect_strings_sorted<std::uint64_t, std::uint32_t>(strings, order, 3);
  }
}

TEST(CudaStringSortGpu, AgreesWithStableSortOfStrings) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {0, 1, 2, 33, 2303, 2304, 2305, 50'021}) {
    expect_strings_sorted_every_way(make_strings(count, 20, 256));
    expect_strings_sorted_every_way(make_strings(count, 20, 2));
    expect_strings_sorted_every_way(make_strings(count, 3, 3));
  }
}

/// So many strings that their different ones are looked for: as few as are ranked, and one more.
TEST(CudaStringSortGpu, OrdersManyStringsOfWhichFewDiffer) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kMany = (1 << 20) + 77;
  std::mt19937_64 random(kStringSeed);
  for (const std::uint64_t distinct : {1, 2, 1000, 4096, 4097, 20'000}) {
    SCOPED_TRACE(std::to_string(distinct) + " different strings");
    std::vector<std::string> different = make_strings(distinct, 11, 3, distinct % 2 == 0 ? "https://www." : "");
    for (std::uint64_t i = 0; i < distinct; ++i) different[i] += std::to_string(i * 7919 % distinct);
    different[0] = distinct % 2 == 0 ? "https://" : "";
    std::vector<std::string> strings;
    for (std::uint64_t i = 0; i < kMany; ++i) strings.push_back(different[random() % distinct]);
    expect_strings_sorted<std::int32_t, std::int64_t>(strings, Order::kAscending, 0);
    expect_strings_sorted<std::uint64_t, std::uint32_t>(strings, Order::kDescending, 5);
  }
}

TEST(CudaStringSortGpu, OrdersLongStringsThatBeginAlike) {
  SORTIE_REQUIRE_GPU();
  const std::string prefix = "https://www.example.org/";
  expect_strings_sorted_every_way(make_strings(20'011, 40, 4, prefix));
  expect_strings_sorted_every_way(make_strings(3'001, 5, 2, std::string(5000, 'a')));
}

TEST(CudaStringSortGpu, OrdersStringsOfWhichOneBeginsAllOthers) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t length : {1, 7, 8, 9, 40, 4095, 4096, 4097}) {
    const std::string prefix(length, 'q');
    std::vector<std::string> strings = make_strings(1'003, 12, 3, prefix);
    strings[517] = prefix;
    expect_strings_sorted_every_way(strings);
    strings[13] = prefix.substr(0, length - 1);
    expect_strings_sorted_every_way(strings);
    strings[713] = {};
    expect_strings_sorted_every_way(strings);
  }
}

TEST(CudaStringSortGpu, AShorterStringComesFirstAndZerosCount) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::string> strings;
  for (std::size_t length = 0; length < 20; ++length) {
    strings.push_back(std::string(length, '\0'));
    strings.push_back(std::string(19 - length, 'a'));
    strings.push_back(std::string(length, 'a') + '\0');
    strings.push_back(std::string(19 - length, '\xff'));
  }
  expect_strings_sorted_every_way(strings);
}

TEST(CudaStringSortGpu, EqualStringsKeepTheirOrder) {
  SORTIE_REQUIRE_GPU();
  expect_strings_sorted_every_way(std::vector<std::string>(10'007, "the same string, always"));
  expect_strings_sorted_every_way(std::vector<std::string>(10'007));
}

/// No GPU is needed to refuse.
TEST(CudaStringSort, RefusesWhatCannotBe) {
  alignas(256) std::byte memory[4096];
  EmptyAllocator allocator;
  const Positions positions(memory + 2048, 4);
  const auto code = [&](const Strings& strings, Order order = Order::kAscending) {
    return argsort_strings(strings, positions, order, allocator, nullptr).code();
  };
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  EXPECT_EQ(code({memory, memory, 2, 10}), kInvalid);
  EXPECT_EQ(code({memory, memory + 4, 8, 10}), kInvalid);
  EXPECT_EQ(code({memory, nullptr, 8, 10}), kInvalid);
  EXPECT_EQ(code({memory, memory, 4, std::uint64_t{1} << 32}), kInvalid);
  EXPECT_EQ(code({memory, memory, 4, 512}), kInvalid) << "offsets and positions overlap";
  EXPECT_EQ(code({memory, memory, 4, 10}, static_cast<Order>(7)), kInvalid);
  EXPECT_EQ(argsort_strings({memory, memory, 4, 10}, Positions(memory + 2048, 2), Order::kAscending, allocator, nullptr)
                .code(),
            kInvalid);
  EXPECT_EQ(code({memory, memory, 4, 500}), StatusCode::kOutOfMemory);
  EXPECT_TRUE(argsort_strings({}, positions, Order::kAscending, Scratch(nullptr, 0), nullptr).code() == kInvalid);
  EXPECT_TRUE(
      argsort_strings({nullptr, nullptr, 4, 0}, positions, Order::kAscending, Scratch(nullptr, 0), nullptr).ok());
}

TEST(CudaStringSortScratch, IsTwentyBytesAStringAndLittleMore) {
  constexpr std::uint64_t kCount = 1 << 28;
  EXPECT_LT(argsort_strings_scratch_bytes(8, 4, kCount), 20 * kCount + kCount / 8 + 4096);
  EXPECT_LT(argsort_strings_scratch_bytes(4, 8, kCount), 32 * kCount + kCount / 8 + 4096);
}

}  // namespace
}  // namespace sortie::cuda
