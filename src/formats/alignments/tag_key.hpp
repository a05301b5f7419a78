// Keys of tags, as `samtools sort -t` orders them: records without the tag first, then characters, arrays, texts and
// numbers; whole and other numbers by their values.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/alignments/alignment_record.hpp"

namespace sortie::formats::alignments {

/// Appends bytes that memcmp orders, none of which begins another. Arrays are all equal.
void append_tag_key(const AlignmentRecord& record, std::string_view tag, std::vector<std::byte>& key);

}  // namespace sortie::formats::alignments
