#include "record/collation/unseen_weights.hpp"

#include <algorithm>
#include <numeric>

#include "record/collation/collation_weight.hpp"

namespace sortie {

void UnseenWeights::add(bool backward, std::size_t weights) {
  if (backward) {
    run_.push_back(weights);
  } else {
    const bool follows_run = !run_.empty();
    end_run(1);
    weightless_ = weights == 0 && !follows_run ? weightless_ + 1 : 0;
  }
  total_ += weights;
}

void UnseenWeights::end_run(std::size_t followers) {
  if (run_.empty()) {
    return;
  }
  const auto last = run_.end() - 1;
  const std::size_t unseen = std::min(weightless_ + followers, run_.size() - 1);
  const std::size_t weights = std::accumulate(last - static_cast<std::ptrdiff_t>(unseen), last, std::size_t{0});
  if (weights > 0) {
    const std::size_t run_begin = total_ - std::accumulate(run_.begin(), run_.end(), std::size_t{0});
    ranges_.push_back({run_begin + *last, weights});  // the run counts from its end
  }
  weightless_ = 0;
  run_.clear();
}

std::string UnseenWeights::seen(std::string_view second) {
  end_run(0);
  if (ranges_.empty() || count_weights(second) != total_) {
    return std::string(second);
  }
  std::string kept;
  std::size_t place = 0;
  for (const Range& range : ranges_) {
    const char* const begin = second.data();
    for (; place < range.begin; ++place) {
      take_weight(second);
    }
    kept.append(begin, second.data());
    for (; place < range.begin + range.count; ++place) {
      take_weight(second);
    }
  }
  return kept.append(second);
}

}  // namespace sortie
