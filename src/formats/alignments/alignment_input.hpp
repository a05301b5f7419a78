// Reads one file of alignments: its header, then its records as length-prefixed ones with their keys in front, in
// batches, on all threads.
//
//   contents   | record | record | record | record | rest ──▶ the next batch
//   ranges     |── a thread ─────|── a thread ─────|
//   made       | keys        | keys        | keys        |
//   records    | key, record | key, record | key, record | key, record |
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/alignments/alignment_order.hpp"
#include "formats/alignments/header_merge.hpp"
#include "formats/contents_source.hpp"
#include "formats/input_share.hpp"

namespace sortie::formats::alignments {

class AlignmentInput {
 public:
  AlignmentInput(std::string path, std::unique_ptr<ContentsSource> source)
      : path_(std::move(path)), source_(std::move(source)) {}

  /// Reads the header. Called once, before next().
  BamHeader read_header();
  /// From now on next() reads no records of a BAM file but those that begin in a stretch. `files`: opens it once more.
  void leave_all_but(FileSystem& files, const InputStretch& stretch, std::uint64_t buffer_bytes);

  /// Appends the next records; false if there are no more. `translation`: to the header of the output; null if it is
  /// the file's own. Throws Error with file and place for a record that cannot be. Parallel.
  bool next(const KeyMaker& keys, const Translation* translation, RawBytes& records);

  std::uint64_t record_count() const { return record_count_; }
  /// Tags that were dropped, as append_translated() has it.
  std::uint64_t lost_tags() const { return lost_tags_; }

 private:
  using Span = std::span<const std::byte>;

  /// What a thread makes of a range of records.
  struct Made {
    std::size_t begin = 0;  // of the records
    std::size_t end = 0;
    std::vector<std::byte> keys;
    std::vector<std::size_t> key_ends;  // in `keys`
    std::vector<std::byte> changed;     // the records translated, if they are
    std::vector<std::size_t> changed_ends;
    std::uint64_t lost_tags = 0;

    std::size_t count() const { return end - begin; }
  };

  void find_records();
  void make_range(const KeyMaker& keys, const Translation* translation, Made& made) const;
  void make_key(Span bytes, const KeyMaker& keys, const Translation* translation, Made& made) const;
  std::size_t bytes_of(const Made& made) const;
  void write_range(const Made& made, std::span<std::byte> target) const;
  Span record_at(std::size_t i) const;
  [[noreturn]] void refuse(std::size_t offset, const std::string& fault) const;

  const std::string path_;
  std::unique_ptr<ContentsSource> source_;
  bool is_stretch_ = false;
  std::size_t reference_count_ = 0;
  RawBytes contents_;
  std::uint64_t contents_begin_ = 0;  // of contents_ among all contents
  std::size_t taken_ = 0;             // of contents_
  std::vector<std::size_t> begins_;   // of the records found, and the end of the last one
  std::vector<Made> made_;
  std::uint64_t record_count_ = 0;
  std::uint64_t lost_tags_ = 0;
};

}  // namespace sortie::formats::alignments
