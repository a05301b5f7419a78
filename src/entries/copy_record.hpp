// Copies one record, short ones in whole vectors where there is room for more than the record: no call, and no branch
// on the length that a record could mispredict. Used where records move one by one: gather and merge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "record/record_order.hpp"

namespace sortie {

/// Bytes between the record's copy and `target_end` are undefined afterwards. Precondition: the record fits.
inline void copy_record(Record record, const std::byte* source_end, std::byte* target, const std::byte* target_end) {
  constexpr std::size_t kWideCopyBytes = 128;
  const auto room = static_cast<std::size_t>(std::min(source_end - record.data(), target_end - target));
  if (record.size() > kWideCopyBytes || room < kWideCopyBytes) {
    std::memcpy(target, record.data(), record.size());
    return;
  }
  std::memcpy(target, record.data(), 32);
  if (record.size() <= 32) return;
  std::memcpy(target + 32, record.data() + 32, 32);
  if (record.size() <= 64) return;
  std::memcpy(target + 64, record.data() + 64, 64);
}

}  // namespace sortie
