#include "formats/parts/part_sizes.hpp"

#include <algorithm>

#include "base/size.hpp"

namespace sortie::formats {

bool PartSizes::is_full(std::uint64_t bytes) const {
  if (records_ == 0) return false;
  if (parts_.most_records != 0) return records_ >= parts_.most_records;
  return parts_.most_bytes != 0 && frame_bytes_ + bytes_ + bytes > parts_.most_bytes;
}

std::uint64_t PartSizes::next(std::uint64_t bytes) {
  std::uint64_t number = number_;
  if (parts_.count != 0) {
    // A record is in the file in whose share of the bytes it begins.
    const std::uint64_t share = std::max<std::uint64_t>(divide_up(total_bytes_, parts_.count), 1);
    number = std::min(all_bytes_ / share, parts_.count - 1);
  } else if (is_full(bytes)) {
    ++number;
  }
  if (number != number_) bytes_ = records_ = 0;
  number_ = number;
  all_bytes_ += bytes;
  bytes_ += bytes;
  ++records_;
  return number;
}

}  // namespace sortie::formats
