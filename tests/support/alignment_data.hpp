// Alignments for tests: records, headers and files of BAM.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/alignments/alignment_record.hpp"
#include "formats/alignments/bam_header.hpp"
#include "formats/alignments/byte_appends.hpp"
#include "io/files/file.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"

namespace sortie::test {

struct ReadData {
  std::string name = "read";
  std::int32_t reference = 0;
  std::int32_t position = 0;
  std::uint16_t flag = 0;
  std::vector<std::uint32_t> cigar = {};
  std::string tags = {};  ///< as they lie in the record
  std::uint32_t bases = 4;
};

inline std::vector<std::byte> record_of(const ReadData& read) {
  using formats::alignments::append_number;
  std::vector<std::byte> bytes;
  append_number(std::uint32_t{0}, bytes);
  append_number(read.reference, bytes);
  append_number(read.position, bytes);
  append_number(static_cast<std::uint8_t>(read.name.size() + 1), bytes);
  append_number(std::uint8_t{60}, bytes);
  append_number(std::uint16_t{0}, bytes);
  append_number(static_cast<std::uint16_t>(read.cigar.size()), bytes);
  append_number(read.flag, bytes);
  append_number(read.bases, bytes);
  append_number(read.reference, bytes);
  append_number(read.position, bytes);
  append_number(std::int32_t{0}, bytes);
  formats::alignments::append_text_and_nul(read.name, bytes);
  for (const std::uint32_t operation : read.cigar) append_number(operation, bytes);
  bytes.resize(bytes.size() + (read.bases + 1) / 2 + read.bases);
  formats::alignments::append_text(read.tags, bytes);
  store_as(bytes.data(), static_cast<std::uint32_t>(bytes.size() - 4));
  return bytes;
}

inline formats::alignments::BamHeader header_of(std::string_view text,
                                                std::vector<formats::alignments::Reference> references) {
  formats::alignments::BamHeader header;
  header.text = formats::alignments::HeaderText(text);
  header.references = std::move(references);
  header.text.add_missing_references(header.references);
  return header;
}

/// Writes a BAM file of whole records.
inline void write_bam(const std::string& path, const formats::alignments::BamHeader& header,
                      const std::vector<std::vector<std::byte>>& records) {
  const auto files = make_posix_file_system();
  const auto output = compress_output(open_output(*files, path, kNotPacked), CompressionFormat::kBgzf);
  output->write(formats::alignments::bytes_of(header));
  for (const auto& record : records) output->write(record);
  output->finish();
}

}  // namespace sortie::test
