#include "record/collation/weight_code.hpp"

#include <algorithm>

namespace sortie {
namespace {

constexpr unsigned kFirstLongLead = 0xE0;
constexpr unsigned kLongLeads = 0x100 - kFirstLongLead;

constexpr char gap_byte(std::size_t rank) { return static_cast<char>(key_byte(static_cast<unsigned>(2 * rank))); }
constexpr char own_byte(std::size_t rank) { return static_cast<char>(key_byte(static_cast<unsigned>(2 * rank + 1))); }
constexpr char lead_byte(unsigned lead) {
  return static_cast<char>(key_byte(kKeyBytes - kLongLeads + (lead - kFirstLongLead)));
}

constexpr unsigned first_byte_of(Weight weight) { return static_cast<unsigned>(weight >> 56); }

char* put_bytes(Weight weight, char* out) {
  for (; weight != 0; weight <<= 8) *out++ = static_cast<char>(first_byte_of(weight));
  return out;
}

}  // namespace

WeightCode::WeightCode(const std::vector<Weight>& usual) {
  for (const Weight weight : usual) {
    const bool is_new = std::ranges::find(usual_, weight) == usual_.end();
    if (is_new && first_byte_of(weight) < kFirstLongLead && usual_.size() < kMostUsual) usual_.push_back(weight);
  }
  std::ranges::sort(usual_);
}

char* WeightCode::put(Weight weight, char* out) const {
  const unsigned first = first_byte_of(weight);
  if (first >= kFirstLongLead) {
    *out++ = lead_byte(first);
    return put_bytes(weight << 8, out);
  }
  const auto position = std::ranges::lower_bound(usual_, weight);
  const auto rank = static_cast<std::size_t>(position - usual_.begin());
  const bool is_usual = position != usual_.end() && *position == weight;
  *out++ = is_usual ? own_byte(rank) : gap_byte(rank);
  return is_usual ? out : put_bytes(weight, out);
}

}  // namespace sortie
