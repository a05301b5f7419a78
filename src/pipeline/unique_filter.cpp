#include "pipeline/unique_filter.hpp"

#include <cstring>

#include "record/record_scan.hpp"

namespace sortie {

std::span<std::byte> UniqueFilter::apply(std::span<std::byte> part) {
  if (part.empty()) return part;
  Record kept = last_;
  std::byte* target = part.data();
  for_each_record(order_.layout(), part, [&](const std::byte* data, std::uint64_t stored) {
    const Record record(data, static_cast<std::size_t>(stored));
    if (!kept.empty() && order_.compare(kept, record) == 0) {
      dropped_ += totals_of(format_, record, checksum_);
      return;
    }
    // The source lies at or behind the target, and everything before it has been looked at.
    if (target != data) std::memmove(target, data, record.size());
    kept = {target, record.size()};
    target += record.size();
  });
  if (kept.data() != last_.data()) last_.assign(kept.begin(), kept.end());
  return part.first(static_cast<std::size_t>(target - part.data()));
}

}  // namespace sortie
