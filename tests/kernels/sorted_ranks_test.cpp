#include "kernels/sorted_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/device_array.hpp"
#include "kernels/floats/float_format.hpp"
#include "record/key_plan.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

/// The code of a number in totalOrder, as encode_numbers() and encode_short_numbers() make it.
template <class Bits>
std::uint64_t code_of(const NumberOrder& order, Bits number) {
  const std::uint64_t ascending = encode_number(order.kind, number, sizeof(Bits));
  return static_cast<Bits>(order.descending ? ~ascending : ascending);
}

/// By value: of the value's canonical bits.
template <class Bits>
std::uint64_t code_of(const RowOrder& order, Bits number) {
  if (order.fraction_bits == 0) return code_of(order.number, number);
  return code_of(order.number, values_of<Bits>({sizeof(Bits), order.fraction_bits}).canonical(number));
}

template <class Bits>
void expect_ranks_of_the_host(const RowOrder& order, Distribution distribution, std::uint64_t count) {
  SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers of " +
               std::to_string(sizeof(Bits)) + " bytes, kind " + std::to_string(static_cast<int>(order.number.kind)) +
               ", fraction bits " + std::to_string(order.fraction_bits) + ", seed 41");
  const auto code = [&](Bits number) { return code_of(order, number); };
  std::vector<Bits> sorted = make_keys<Bits>(distribution, count, 41);
  for (std::uint64_t i = 0; i < count / 4; ++i) sorted[4 * i] = static_cast<Bits>(i % 2 << (8 * sizeof(Bits) - 1));
  std::ranges::sort(sorted, {}, code);
  std::vector<std::uint64_t> values = {0, 1, static_cast<Bits>(~Bits{0})};
  for (std::uint64_t i = 0; i < count; i += count / 50 + 1) {
    values.push_back(code(sorted[i]));
    values.push_back(static_cast<Bits>(code(sorted[i]) + 1));
  }
  const CudaStream stream;
  const DeviceArray<Bits> numbers(sorted, stream);
  const DeviceArray<std::uint64_t> asked(values, stream);
  const DeviceArray<SortedRank> ranks(values.size(), stream);
  find_ranks(order, numbers.data(), count, asked.data(), static_cast<unsigned>(values.size()), ranks.data(),
             stream.handle());
  const std::vector<SortedRank> found = ranks.download();
  for (std::size_t i = 0; i < values.size(); ++i) {
    SCOPED_TRACE("value " + std::to_string(values[i]));
    EXPECT_EQ(found[i].below, std::ranges::lower_bound(sorted, values[i], {}, code) - sorted.begin());
    EXPECT_EQ(found[i].not_above, std::ranges::upper_bound(sorted, values[i], {}, code) - sorted.begin());
  }
}

TEST(SortedRanksGpu, AreThoseOfTheHost) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t count : {0, 1, 2, 1000, 100'003}) {
      for (const bool descending : {false, true}) {
        for (const FieldKind kind : {FieldKind::kUnsigned, FieldKind::kSigned, FieldKind::kFloat}) {
          expect_ranks_of_the_host<std::uint16_t>({{kind, 2, descending}}, distribution, count);
          expect_ranks_of_the_host<std::uint32_t>({{kind, 4, descending}}, distribution, count);
          expect_ranks_of_the_host<std::uint64_t>({{kind, 8, descending}}, distribution, count);
        }
        expect_ranks_of_the_host<std::uint8_t>({{FieldKind::kUnsigned, 1, descending}}, distribution, count);
        expect_ranks_of_the_host<std::uint8_t>({{FieldKind::kSigned, 1, descending}}, distribution, count);
        expect_ranks_of_the_host<std::uint16_t>({{FieldKind::kFloat, 2, descending}, 7}, distribution, count);
        expect_ranks_of_the_host<std::uint32_t>({{FieldKind::kFloat, 4, descending}, 23}, distribution, count);
        expect_ranks_of_the_host<std::uint64_t>({{FieldKind::kFloat, 8, descending}, 52}, distribution, count);
      }
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
