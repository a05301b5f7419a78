#include "record/collation/sign_runs.hpp"

#include <algorithm>

#include "record/key_bytes.hpp"

namespace sortie {
namespace {

// For each run, in ascending order, the bytes of what is less than foretold: the end, lesser signs, the signs that need
// no second byte, greater signs. Then that of a run that goes on, then for each run, in descending order, two for what
// is greater.
constexpr std::size_t kShortRuns = 3;
constexpr std::size_t kMostShortSigns = 40;  // behind a short run
constexpr unsigned kLesserKinds = 3;         // beside the short signs
constexpr std::size_t kGreaterKinds = 2;

/// Whether no weight is between `a` and `b`.
bool is_next_weight(Weight a, Weight b) {
  const std::size_t bytes = weight_bytes(static_cast<unsigned char>(a >> 56));
  return b - a == Weight{1} << (64 - 8 * bytes);
}

}  // namespace

SignRuns::SignRuns(const WeightCode& code, std::vector<Weight> signs, Weight blank) {
  std::sort(signs.begin(), signs.end());
  auto begin = std::find(signs.begin(), signs.end(), blank);
  auto end = begin == signs.end() ? begin : begin + 1;
  const bool have_blank = begin != end;
  const auto has_room = [&] { return static_cast<std::size_t>(end - begin) < kMostShortSigns; };
  while (have_blank && end != signs.end() && has_room() && is_next_weight(end[-1], end[0])) {
    ++end;
  }
  while (have_blank && begin != signs.begin() && has_room() && is_next_weight(begin[-1], begin[0])) {
    --begin;
  }
  const auto short_signs = static_cast<std::size_t>(end - begin);
  const std::size_t short_bytes = kShortRuns * (kLesserKinds + short_signs + kGreaterKinds);
  const std::size_t bytes_of_run = kLesserKinds + 1 + kGreaterKinds;
  run_count_ = std::min(kShortRuns + (kKeyBytes - 1 - short_bytes) / bytes_of_run, kMostRuns);

  unsigned rank = 0;
  for (std::size_t run = 0; run < run_count_; ++run) {
    const bool is_short = run < kShortRuns;
    const Weight first = is_short && have_blank ? *begin : blank;
    rank = assign_lesser(run, rank, code.byte_of(first), !have_blank ? 0 : is_short ? short_signs : 1);
  }
  goes_on_ = key_byte(rank++);
  for (std::size_t run = run_count_; run-- > 0;) {
    greater_[run] = key_byte(rank++);
    farther_[run] = key_byte(rank++);
  }
}

/// Behind `run`, `sign_count` signs from `first_sign` on need no second byte. Returns the rank of the next byte.
unsigned SignRuns::assign_lesser(std::size_t run, unsigned rank, std::uint8_t first_sign, std::size_t sign_count) {
  ends_[run] = key_byte(rank);
  const std::uint8_t lesser = key_byte(rank + 1);
  const std::uint8_t greater = key_byte(rank + 2 + static_cast<unsigned>(sign_count));
  for (unsigned sign = 0; sign < signs_[run].size(); ++sign) {
    const std::uint8_t first = sign < first_sign ? lesser : greater;
    signs_[run][sign] = {.first = first, .second = static_cast<std::uint8_t>(sign), .count = 2};
  }
  std::uint8_t sign = first_sign;
  for (unsigned i = 0; i < sign_count; ++i) {
    signs_[run][sign] = {.first = key_byte(rank + 2 + i), .second = 0, .count = 1};
    sign = WeightCode::next_own_byte(sign);
  }
  return rank + kLesserKinds + static_cast<unsigned>(sign_count);
}

}  // namespace sortie
