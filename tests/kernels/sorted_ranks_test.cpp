#include "kernels/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/device_array.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

template <class Key>
void expect_ranks_of_the_host(Distribution distribution, std::uint64_t count) {
  SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " keys, seed 41");
  std::vector<Key> sorted = make_keys<Key>(distribution, count, 41);
  std::ranges::sort(sorted);
  std::vector<std::uint64_t> values = {0, 1, static_cast<Key>(~Key{0})};
  for (std::uint64_t i = 0; i < count; i += count / 50 + 1) {
    values.push_back(sorted[i]);
    values.push_back(static_cast<Key>(sorted[i] + 1));
  }
  const CudaStream stream;
  const DeviceArray<Key> keys(sorted, stream);
  const DeviceArray<std::uint64_t> asked(values, stream);
  const DeviceArray<SortedRank> ranks(values.size(), stream);
  find_ranks(keys.data(), count, asked.data(), static_cast<unsigned>(values.size()), ranks.data(), stream.handle());
  const std::vector<SortedRank> found = ranks.download();
  for (std::size_t i = 0; i < values.size(); ++i) {
    SCOPED_TRACE("value " + std::to_string(values[i]));
    const auto key = static_cast<Key>(values[i]);
    EXPECT_EQ(found[i].below, std::ranges::lower_bound(sorted, key) - sorted.begin());
    EXPECT_EQ(found[i].not_above, std::ranges::upper_bound(sorted, key) - sorted.begin());
  }
}

TEST(SortedRanksGpu, AreThoseOfTheHost) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t count : {0, 1, 2, 1000, 100'003}) {
      expect_ranks_of_the_host<std::uint32_t>(distribution, count);
      expect_ranks_of_the_host<std::uint64_t>(distribution, count);
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
