#include "kernels/sorted_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/device_array.hpp"
#include "record/key_plan.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

/// The code of a number, as encode_numbers() and encode_short_numbers() make it.
template <class Bits>
std::uint64_t code_of(const NumberOrder& order, Bits number) {
  const std::uint64_t ascending = encode_number(order.kind, number, sizeof(Bits));
  return static_cast<Bits>(order.descending ? ~ascending : ascending);
}

template <class Bits>
void expect_ranks_of_the_host(FieldKind kind, bool descending, Distribution distribution, std::uint64_t count) {
  SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers of " +
               std::to_string(sizeof(Bits)) + " bytes, kind " + std::to_string(static_cast<int>(kind)) + ", seed 41");
  const NumberOrder order{kind, sizeof(Bits), descending};
  const auto code = [&](Bits number) { return code_of(order, number); };
  std::vector<Bits> sorted = make_keys<Bits>(distribution, count, 41);
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
          expect_ranks_of_the_host<std::uint16_t>(kind, descending, distribution, count);
          expect_ranks_of_the_host<std::uint32_t>(kind, descending, distribution, count);
          expect_ranks_of_the_host<std::uint64_t>(kind, descending, distribution, count);
        }
        expect_ranks_of_the_host<std::uint8_t>(FieldKind::kUnsigned, descending, distribution, count);
        expect_ranks_of_the_host<std::uint8_t>(FieldKind::kSigned, descending, distribution, count);
      }
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
