// Several shares of an array on one GPU. Each becomes a part of the sorted whole.
#include "cuda/arrays/array_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/arrays/array_plan.hpp"
#include "device/device_info.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

template <class Number>
class SharedArray {
 public:
  SharedArray(std::vector<Number> numbers, unsigned shares)
      : numbers_(std::move(numbers)), begins_(array_shares(numbers_.size(), shares)), link_(2) {
    select_device(0);
    const std::uint64_t most = begins_[1];
    for (unsigned s = 0; s < shares; ++s) {
      arenas_.push_back(std::make_unique<Arena>(array_device_bytes(most, sizeof(Number), shares)));
      shards_.push_back(std::make_unique<ArrayShard>(0, *arenas_[s], kOrder, most, shares, link_));
      shards_[s]->sort(std::as_bytes(share(numbers_, s)));
    }
    ranks_ = array_part_ranks(begins_, array_part(most));
    PinnedBuffer memory;
    cuts_ = cut_at_ranks(shards_, ranks_, sizeof(Number), memory);
  }

  void expect_exact_cuts() const {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      std::uint64_t sum = 0;
      for (std::size_t s = 0; s < shards_.size(); ++s) {
        sum += cuts_[i][s];
        EXPECT_TRUE(i == 0 || cuts_[i - 1][s] <= cuts_[i][s]);
      }
      EXPECT_EQ(sum, ranks_[i]);
    }
  }

  std::vector<Number> sorted() {
    std::vector<Number> output(numbers_.size());
    for (std::size_t s = 0; s < shards_.size(); ++s) {
      shards_[s]->download(std::as_writable_bytes(share(output, s)), [&](const ArrayShard::Part& part) {
        const auto index = std::ranges::lower_bound(ranks_, begins_[s] + part.begin) - ranks_.begin();
        return shards_[s]->gather_part(part, sequences_of(shards_, cuts_, static_cast<std::size_t>(index), s));
      });
    }
    return output;
  }

 private:
  static constexpr kernels::NumberOrder kOrder{FieldKind::kUnsigned, sizeof(Number), false};

  std::span<Number> share(std::vector<Number>& numbers, std::size_t s) const {
    return std::span(numbers).subspan(begins_[s], begins_[s + 1] - begins_[s]);
  }

  std::vector<Number> numbers_;
  std::vector<std::uint64_t> begins_;
  HostArrayLink link_;
  std::vector<std::unique_ptr<Arena>> arenas_;
  std::vector<std::unique_ptr<ArrayShard>> shards_;
  std::vector<std::uint64_t> ranks_;
  RankCuts cuts_;
};

template <class Number>
void expect_sorted(Distribution distribution, std::uint64_t count, unsigned shares) {
  SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers of " +
               std::to_string(sizeof(Number)) + " bytes in " + std::to_string(shares) + " shares, seed 41");
  std::vector<Number> expected = make_keys<Number>(distribution, count, 41);
  SharedArray<Number> array(expected, shares);
  array.expect_exact_cuts();
  std::ranges::sort(expected);
  EXPECT_TRUE(array.sorted() == expected);
}

TEST(ArrayExchangeGpu, MakesEveryShareAPartOfTheSortedWhole) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const unsigned shares : {2U, 3U, 4U, 5U}) {
      expect_sorted<std::uint64_t>(distribution, 100'003, shares);
      expect_sorted<std::uint32_t>(distribution, 100'003, shares);
    }
  }
}

TEST(ArrayExchangeGpu, SendsSeveralPartsOfAShareBack) {
  SORTIE_REQUIRE_GPU();
  for (const unsigned shares :
       {2U, 3U}) {  // at least three parts, so that each of the two positions for merged parts is reused
    expect_sorted<std::uint64_t>(Distribution::kUniform, 7'500'003, shares);
    expect_sorted<std::uint32_t>(Distribution::kFewValued, 7'500'001, shares);
  }
}

}  // namespace
}  // namespace sortie::cuda
