// The files of one sort of alignments: all inputs, one behind the other, and the output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/alignments/alignment_input.hpp"
#include "formats/alignments/alignment_order.hpp"
#include "formats/alignments/bam_sink.hpp"
#include "formats/alignments/header_merge.hpp"
#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

class AlignmentFiles final : public FormatFiles {
 public:
  explicit AlignmentFiles(const JobContext& context);

  std::string description() const override;
  bool read(RawBytes& records) override;
  std::uint64_t records_read() const override { return records_read_; }
  void write(std::span<const std::byte> records) override;
  std::uint64_t records_written() const override { return records_written_; }
  void finish() override { sink_->finish(); }

 private:
  std::unique_ptr<AlignmentInput> open_input(const std::string& path) const;
  std::vector<BamHeader> read_headers();
  void merge_headers_of(std::vector<BamHeader> headers);
  void make_header();
  void begin_input(const InputStretch& stretch);
  void end_input();
  void pass_stretch();
  void tell_of_lost_tags() const;

  const JobContext context_;
  const std::vector<std::string> paths_;
  const AlignmentOrder order_;
  MergedHeader merged_;  // of one file its own, without translation
  /// All inputs, if they cannot be opened twice.
  std::vector<std::unique_ptr<AlignmentInput>> opened_;
  std::optional<KeyMaker> keys_;
  std::vector<InputStretch> stretches_;
  std::size_t next_ = 0;  // of stretches_
  std::unique_ptr<AlignmentInput> input_;
  std::unique_ptr<BamSink> sink_;
  std::uint64_t records_read_ = 0;
  std::uint64_t lost_tags_ = 0;  // of all inputs that have been read
  std::string first_with_lost_tags_;
  std::vector<std::span<const std::byte>> sorted_;
  std::uint64_t records_written_ = 0;
};

}  // namespace sortie::formats::alignments
