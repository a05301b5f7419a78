#include "record/collation/weight_code.hpp"

#include <algorithm>
#include <cassert>

namespace sortie {
namespace {

// | end | gap 0 | weight 0 | gap 1 | weight 1 | ... | gap n |
std::uint8_t gap_byte(std::size_t rank) { return key_byte(static_cast<unsigned>(2 * rank + 1)); }
std::uint8_t own_byte(std::size_t rank) { return key_byte(static_cast<unsigned>(2 * rank + 2)); }

}  // namespace

WeightCode::WeightCode(std::vector<Weight> weights) : weights_(std::move(weights)) {
  std::sort(weights_.begin(), weights_.end());
  weights_.erase(std::unique(weights_.begin(), weights_.end()), weights_.end());
  assert(weights_.size() <= kMostWeights);
  for (std::size_t rank = 0; rank <= weights_.size(); ++rank) {
    is_gap_[gap_byte(rank)] = true;
  }
  for (Weight byte = 0; byte < 0x80; ++byte) {
    short_weights_[short_place(byte << 56)] = search(byte << 56);
  }
  for (Weight first = 0xC0; first < 0xE0; ++first) {
    for (Weight second = 0x80; second < 0xC0; ++second) {
      const Weight weight = first << 56 | second << 48;
      short_weights_[short_place(weight)] = search(weight);
    }
  }
}

std::uint8_t WeightCode::search(Weight weight) const {
  const auto place = std::lower_bound(weights_.begin(), weights_.end(), weight);
  const auto rank = static_cast<std::size_t>(place - weights_.begin());
  return place != weights_.end() && *place == weight ? own_byte(rank) : gap_byte(rank);
}

}  // namespace sortie
