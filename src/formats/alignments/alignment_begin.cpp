#include "formats/alignments/alignment_begin.hpp"

#include <string_view>

namespace sortie::formats::alignments {
namespace {

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
  return text.starts_with("@HD\tVN:") || text.starts_with("@SQ\tSN:");
}

}  // namespace sortie::formats::alignments
