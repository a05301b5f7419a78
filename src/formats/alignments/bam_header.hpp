// The header of a BAM file (SAM/BAM specification, section 4.2): its text, and the references by number.
//
//   "BAM\1" | length of the text | text | number of references | for each: length of name, name with NUL, length
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/alignments/header_text.hpp"

namespace sortie::formats::alignments {

struct BamHeader {
  HeaderText text;
  std::vector<Reference> references;
};

/// Reads a header from the front of a file's contents. `more` appends to `contents`, and returns false at the end.
/// Returns its bytes. Throws Error with `name` of the file for what is none.
std::size_t read_bam_header(const std::string& name, RawBytes& contents, const std::function<bool()>& more,
                            BamHeader& header);

std::vector<std::byte> bytes_of(const BamHeader& header);

}  // namespace sortie::formats::alignments
