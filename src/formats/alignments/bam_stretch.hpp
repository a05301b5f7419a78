// A part of a file of BAM, for processes that share one: the records that begin in a stretch of its bytes. Nothing in
// the file says where records begin, so the first one is looked for: where many follow each other from length to length
// without a fault. The process that reads the part in front looks for the same record, and reads up to it exactly: so
// the first part, which begins behind the header, proves the begin of the second one, and so on.
//
//   blocks    | header | ...  | ... | ... | ...  | ... | empty |
//   records   |      | a | b  | c |  d  | e | f  | g | h
//   stretch                  |─────────────|
//   read                        | c |  d  | e | f  |
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "formats/contents_source.hpp"
#include "formats/input_share.hpp"
#include "io/files/file.hpp"

namespace sortie::formats::alignments {

/// Memory for the search. Records are longer only if there are few of them. It is the same for all processes, so that
/// they find the same record.
inline constexpr std::size_t kMostSearchedBytes = 64 << 20;

/// The header of a file that has been read.
struct HeaderExtent {
  std::uint64_t contents_bytes = 0;
  std::size_t references = 0;
};

/// Opens the records of a stretch, without the header. Throws Error if blocks or records cannot be found there.
/// `buffer_bytes`: as make_bgzf_source() has it.
std::unique_ptr<ContentsSource> open_bam_stretch(FileSystem& files, const std::string& path,
                                                 const InputStretch& stretch, const HeaderExtent& header,
                                                 std::uint64_t buffer_bytes);

}  // namespace sortie::formats::alignments
