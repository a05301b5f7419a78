// Writes a BAM file, and the index beside it.
//
//   records ──▶ contents ──▶ blocks, packed by all threads ──▶ file
//      └──▶ index: offsets in the contents    └──▶ where blocks lie ──▶ index file
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "formats/alignments/alignment_index.hpp"
#include "formats/alignments/bam_header.hpp"
#include "formats/alignments/bam_sink.hpp"
#include "formats/bgzf/block_offsets.hpp"
#include "formats/file_format.hpp"
#include "io/output/output.hpp"

namespace sortie::formats::alignments {

class BamOutput final : public BamSink {
 public:
  /// Opens the files now: what cannot be written is refused before any work. `index`: none if it is not wanted.
  BamOutput(const JobContext& context, std::optional<IndexKind> index);

  void begin(const BamHeader& header) override;
  void write(std::span<const std::byte> record) override;
  void finish() override;

 private:
  std::unique_ptr<Output> index_file_;
  std::optional<IndexKind> index_kind_;
  std::optional<AlignmentIndex> index_;
  BlockOffsets blocks_;
  std::uint64_t contents_bytes_ = 0;
};

}  // namespace sortie::formats::alignments
