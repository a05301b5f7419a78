// Writes a BAM file, and the index beside it: both take their places together (pipeline/parts/indexed_file.hpp).
//
//   records ──▶ contents ──▶ blocks, packed by all threads ──▶ file
//      └──▶ index: offsets in the contents    └──▶ where blocks lie ──▶ index file
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/alignments/bam_header.hpp"
#include "formats/alignments/bam_sink.hpp"
#include "formats/file_format.hpp"
#include "io/output/output.hpp"
#include "pipeline/parts/indexed_file.hpp"

namespace sortie::formats::alignments {

/// Reads the value of --index; empty: BAI. Throws Error for another word.
PlaceIndex::Numbered parse_index_kind(std::string_view word);

/// Throws Error unless an index of this kind has places for all of the references.
void refuse_long_references(const BamHeader& header, PlaceIndex::Numbered index);

class BamOutput final : public BamSink {
 public:
  /// Opens the files now: what cannot be written is refused before any work. `index`: none if it is not wanted.
  BamOutput(const JobContext& context, const BamHeader& header, std::optional<PlaceIndex::Numbered> index);

  void write(std::span<const std::span<const std::byte>> records) override;
  void finish() override { file_ ? file_->finish() : plain_->finish(); }

 private:
  using Record = std::span<const std::byte>;

  Output& output() { return file_ ? file_->packed() : *plain_; }
  void write_some(std::span<const Record> records, std::size_t bytes);
  void index(Record record, std::uint64_t begin);

  std::vector<Reference> references_;
  std::optional<IndexedFile> file_;  // with an index
  std::unique_ptr<Output> plain_;    // without
  std::uint64_t contents_bytes_ = 0;
  RawBytes gathered_;
  std::vector<std::size_t> begins_;  // of records in gathered_
};

}  // namespace sortie::formats::alignments
