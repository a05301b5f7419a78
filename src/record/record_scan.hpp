// Walks over records in bytes, and cuts bytes into ranges of whole records for parallel work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/layout.hpp"

namespace sortie {

/// Calls visit(record, stored_length) for every record in order. Precondition: bytes are whole records.
template <class Visit>
void for_each_record(const Layout& layout, std::span<const std::byte> bytes, Visit&& visit) {
  const std::byte* const end = bytes.data() + bytes.size();
  for (const std::byte* record = bytes.data(); record < end;) {
    const std::uint64_t stored = stored_length(layout, record, end);
    visit(record, stored);
    record += stored;
  }
}

/// At most `wanted` consecutive ranges of about equal size that cover `bytes`, none of them empty.
std::vector<std::span<const std::byte>> split_records(const Layout& layout, std::span<const std::byte> bytes,
                                                      std::size_t wanted);

}  // namespace sortie
