#include "formats/alignments/alignment_begin.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace sortie::formats::alignments {
namespace {

/// Lines of a header that are made of tags, "@SQ<tab>SN:chr1". Comments are any text.
constexpr std::array<std::string_view, 4> kKindsOfLines = {"HD", "SQ", "RG", "PG"};
constexpr std::size_t kTagEnd = std::string_view("@SQ\tSN:").size();

std::string_view text_of(const FileBegin& begin) {
  return {reinterpret_cast<const char*>(begin.bytes.data()), begin.bytes.size()};
}

}  // namespace

bool begins_bam(const FileBegin& begin) { return text_of(begin).starts_with(std::string_view("BAM\1", 4)); }

bool begins_cram(const FileBegin& begin) {
  const std::string_view text = text_of(begin);
  return text.starts_with("CRAM") && text.size() > 5 && text[4] >= 1 && text[4] <= 4;
}

bool begins_sam(const FileBegin& begin) {
  const std::string_view text = text_of(begin);
  if (text.starts_with("@CO\t")) return true;
  if (text.size() < kTagEnd || text[0] != '@' || text[3] != '\t' || text[kTagEnd - 1] != ':') return false;
  return std::ranges::find(kKindsOfLines, text.substr(1, 2)) != kKindsOfLines.end();
}

}  // namespace sortie::formats::alignments
