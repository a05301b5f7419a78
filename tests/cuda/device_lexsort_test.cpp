#include <sortie/cuda/device_lexsort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "cuda/test_allocators.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

struct ColumnType {
  KeyType type;
  Order order = Order::kAscending;
  Distribution distribution = Distribution::kFewValued;
};

/// Columns on the host and on the device, and the order of their rows.
class Table {
 public:
  Table(const std::vector<ColumnType>& types, std::uint64_t count, const CudaStream& stream) : count_(count) {
    for (const auto& [type, order, distribution] : types) {
      const std::uint64_t seed = 101 + host_.size();
      host_.push_back(make_key_items(type, distribution, count, seed));
      codes_.push_back(codes_of(host_.back(), type, order));
      device_.emplace_back(host_.back().bytes, stream);
      columns_.push_back({ConstKeys(device_.back().data(), type), order});
    }
  }

  const std::vector<Column>& columns() const { return columns_; }

  /// Positions of the rows in the order of a stable sort, the first column deciding first.
  std::vector<std::uint64_t> order() const {
    std::vector<std::uint64_t> positions(count_);
    std::iota(positions.begin(), positions.end(), std::uint64_t{0});
    std::ranges::stable_sort(positions, [&](std::uint64_t a, std::uint64_t b) {
      for (const auto& codes : codes_) {
        if (codes[a] != codes[b]) return codes[a] < codes[b];
      }
      return false;
    });
    return positions;
  }

  void expect_untouched() const {
    for (std::size_t i = 0; i < host_.size(); ++i) expect_same_items(host_[i], device_[i].download(), "a column");
  }

 private:
  std::uint64_t count_;
  std::vector<ItemArray> host_;
  std::vector<std::vector<std::uint64_t>> codes_;
  std::vector<DeviceArray<std::byte>> device_;
  std::vector<Column> columns_;
};

template <class Position>
void expect_positions(const Table& table, std::uint64_t count, const std::vector<std::uint64_t>& expected,
                      const CudaStream& stream) {
  const DeviceArray<Position> positions(count, stream);
  const std::size_t scratch_bytes = lexsort_scratch_bytes(table.columns(), sizeof(Position), count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(lexsort(table.columns(), positions.data(), count, Scratch(scratch.data(), scratch_bytes), stream.handle()));
  EXPECT_TRUE(std::ranges::equal(positions.download(), expected)) << "positions of " << sizeof(Position) << " bytes";
}

void expect_lexsorted(const std::vector<ColumnType>& types, std::uint64_t count) {
  std::string names;
  for (const auto& [type, order, distribution] : types) names += name_of(type) + " " + name_of(order) + ", ";
  SCOPED_TRACE(names + std::to_string(count) + " rows");
  const CudaStream stream;
  const Table table(types, count, stream);
  const std::vector<std::uint64_t> expected = table.order();
  expect_positions<std::int64_t>(table, count, expected, stream);
  expect_positions<std::uint32_t>(table, count, expected, stream);
  table.expect_untouched();
}

constexpr std::uint64_t kRowCounts[] = {0, 1, 2, 1023, 8193, 30'011, 300'007};

TEST(CudaLexsortGpu, OrdersByEveryTypeAlone) {
  SORTIE_REQUIRE_GPU();
  for (const KeyType type : kTypesOfAnyOrder) {
    for (const Order order : kBothOrders) {
      for (const Distribution distribution : kAllDistributions) expect_lexsorted({{type, order, distribution}}, 8193);
    }
  }
}

TEST(CudaLexsortGpu, TheFirstColumnDecides) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const DeviceArray<std::int32_t> first({2, 1, 2, 1}, stream);
  const DeviceArray<float> second({0.5F, 3.0F, -0.5F, -3.0F}, stream);
  const DeviceArray<std::int64_t> positions(4, stream);
  const Column columns[] = {{first.data(), Order::kDescending}, {second.data()}};
  StreamAllocator allocator;
  expect_ok(lexsort(columns, positions.data(), 4, allocator, stream.handle()));
  EXPECT_EQ(positions.download(), (std::vector<std::int64_t>{2, 0, 3, 1}));
}

TEST(CudaLexsortGpu, OrdersByColumnsThatShareOneNumber) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : kRowCounts) {
    expect_lexsorted({{KeyType::kInt32}, {KeyType::kFloat32, Order::kDescending}}, count);
    expect_lexsorted({{KeyType::kUint8, Order::kDescending}, {KeyType::kBfloat16}}, count);
    expect_lexsorted({{KeyType::kInt8, Order::kDescending},
                      {KeyType::kFloat16},
                      {KeyType::kUint32, Order::kDescending},
                      {KeyType::kUint8}},
                     count);
    expect_lexsorted(std::vector<ColumnType>(8, {KeyType::kInt8}), count);
  }
}

TEST(CudaLexsortGpu, OrdersByMoreColumnsThanOneNumberHolds) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : kRowCounts) {
    expect_lexsorted({{KeyType::kInt64}, {KeyType::kFloat64, Order::kDescending}, {KeyType::kUint8}}, count);
    expect_lexsorted({{KeyType::kFloat32, Order::kDescending},
                      {KeyType::kUint64, Order::kDescending},
                      {KeyType::kInt16},
                      {KeyType::kFloat32}},
                     count);
    std::vector<ColumnType> many;
    for (const KeyType type : kTypesOfAnyOrder)
      many.push_back({type, many.size() % 2 == 0 ? Order::kAscending : Order::kDescending});
    expect_lexsorted(many, count);
  }
}

TEST(CudaLexsortGpu, KeepsTheOrderOfEqualRows) {
  SORTIE_REQUIRE_GPU();
  for (const Order order : kBothOrders) {
    expect_lexsorted(
        {{KeyType::kInt64, order, Distribution::kConstant}, {KeyType::kInt64, order, Distribution::kConstant}},
        100'003);
  }
}

/// No GPU is needed to refuse.
TEST(CudaLexsort, RefusesWhatCannotBe) {
  alignas(256) std::byte memory[4096];
  const ConstKeys keys(memory, KeyType::kUint32);
  EmptyAllocator allocator;
  const auto status = [&](const std::vector<Column>& columns, std::uint64_t count = 100) {
    return lexsort(columns, Positions(memory + 2048, 4), count, allocator, nullptr);
  };
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  EXPECT_EQ(status({}).code(), kInvalid);
  EXPECT_EQ(status({{ConstKeys(memory, static_cast<KeyType>(99))}}).code(), kInvalid);
  EXPECT_EQ(status({{keys, static_cast<Order>(7)}}).code(), kInvalid);
  EXPECT_EQ(status({{keys}}, 513).code(), kInvalid) << "keys and positions overlap";
  const Status unaligned = status({{keys}, {ConstKeys(memory + 2, KeyType::kFloat32)}});
  EXPECT_EQ(unaligned.message(), "columns[1]: not aligned to 4 bytes, begin at such an address");
  EXPECT_EQ(lexsort(std::vector<Column>{{keys}}, Positions(memory + 2048, 2), 10, allocator, nullptr).code(), kInvalid);
  // Columns may overlap.
  EXPECT_EQ(status({{keys}, {keys, Order::kDescending}}).code(), StatusCode::kOutOfMemory);
  EXPECT_TRUE(lexsort(std::vector<Column>{{keys}}, Positions(nullptr, 8), 0, Scratch(nullptr, 0), nullptr).ok());
}

TEST(CudaLexsortScratch, IsTwoNumbersAndAPositionARow) {
  constexpr std::uint64_t kCount = 1 << 28;
  const ConstKeys none(nullptr, KeyType::kInt64);
  const ConstKeys half(nullptr, KeyType::kFloat16);
  EXPECT_LT(lexsort_scratch_bytes(std::vector<Column>(3, {none}), 8, kCount), 24 * kCount + (40U << 20));
  EXPECT_LT(lexsort_scratch_bytes(std::vector<Column>(2, {half}), 4, kCount), 12 * kCount + (40U << 20));
}

}  // namespace
}  // namespace sortie::cuda
