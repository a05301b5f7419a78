#include "kernels/columns.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/require_free_bytes.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kColumnSeed = 107;

/// Numbers of 4 and 8 bytes, of rows in order and of rows by position, are those that the host finds.
template <class Number, class Position>
void expect_composed(const std::vector<std::uint16_t>& first, const std::vector<std::uint8_t>& second,
                     const std::vector<Position>& rows) {
  SCOPED_TRACE(std::to_string(rows.size()) + " rows");
  const CudaStream stream;
  const DeviceArray<std::uint16_t> device_first(first, stream);
  const DeviceArray<std::uint8_t> device_second(second, stream);
  const DeviceArray<Position> device_rows(rows, stream);
  const DeviceArray<Number> numbers(rows.size(), stream);
  const auto group_of = [](const void* first_keys, const void* second_keys) {
    const KeyColumn columns[] = {make_key_column(first_keys, FieldKind::kFloat, 2, true),
                                 make_key_column(second_keys, FieldKind::kSigned, 1, false)};
    return group_columns(columns)[0];
  };
  const ColumnGroup expected = group_of(first.data(), second.data());
  const ColumnGroup group = group_of(device_first.data(), device_second.data());
  compose_columns<Number, Position>(group, nullptr, rows.size(), numbers.data(), stream.handle());
  const std::vector<Number> in_order = numbers.download();
  compose_columns(group, device_rows.data(), rows.size(), numbers.data(), stream.handle());
  const std::vector<Number> by_position = numbers.download();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(in_order[i], expected.number(i)) << i;
    ASSERT_EQ(by_position[i], expected.number(rows[i])) << i;
  }
}

TEST(ComposeColumnsGpu, AgreesWithTheHost) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {1, 255, 256, 257, 10'007}) {
    const auto first = make_keys<std::uint16_t>(Distribution::kUniform, count, kColumnSeed);
    const auto second = make_keys<std::uint8_t>(Distribution::kUniform, count, kColumnSeed + 1);
    std::vector<std::uint32_t> rows = make_keys<std::uint32_t>(Distribution::kUniform, count, kColumnSeed + 2);
    for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(row % count);
    expect_composed<std::uint32_t>(first, second, rows);
    expect_composed<std::uint64_t>(first, second, std::vector<std::uint64_t>(rows.begin(), rows.end()));
  }
}

TEST(ComposeColumnsGpu, ReadsRowsBeyond32Bits) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 32) + 5;
  SORTIE_REQUIRE_FREE_BYTES(kFar + (1 << 20));
  const CudaStream stream;
  const DeviceArray<std::uint8_t> column(kFar + 3, stream);
  check_cuda(cudaMemsetAsync(column.data() + kFar, 7, 3, stream.handle()), "set the last keys");
  const DeviceArray<std::uint64_t> rows({kFar - 1, kFar, kFar + 2, 5}, stream);
  const DeviceArray<std::uint32_t> numbers(4, stream);
  const KeyColumn key_column = make_key_column(column.data(), FieldKind::kUnsigned, 1, false);
  compose_columns(group_columns({&key_column, 1})[0], rows.data(), 4, numbers.data(), stream.handle());
  EXPECT_EQ(numbers.download(), (std::vector<std::uint32_t>{kPoison, 7, 7, kPoison}));
}

}  // namespace
}  // namespace sortie::kernels
