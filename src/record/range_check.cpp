#include "record/range_check.hpp"

namespace sortie {

std::size_t RangeCheck::first_disorder(std::span<const std::byte> range) const {
  if (!numbers_) return first_disorder(range, [](Record) {});
  const Record before = record_before(range);
  const std::size_t begin = offset_of(range) - before.size();
  const auto found = find_number_disorder(order_, bytes_.subspan(begin, before.size() + range.size()), unique_);
  return found ? begin + *found : kInOrder;
}

Record RangeCheck::record_before(std::span<const std::byte> range) const {
  const std::size_t begin = offset_of(range);
  return begin == 0 ? Record() : last_record(order_.layout(), bytes_.first(begin));
}

}  // namespace sortie
