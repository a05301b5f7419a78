// The index of a BAM file sorted by coordinate, BAI or CSI (SAM/BAM specification, section 5), made while the records
// are written. Places are offsets in the contents until it is known where their blocks lie in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/alignments/alignment_record.hpp"
#include "formats/alignments/header_text.hpp"

namespace sortie::formats::alignments {

enum class IndexKind : std::uint8_t { kBai, kCsi };

/// Reads the value of --index; empty: BAI. Throws Error for another word.
IndexKind parse_index_kind(std::string_view word);
std::string_view suffix_of(IndexKind kind);

class AlignmentIndex {
 public:
  /// Throws Error if a reference is too long for the kind.
  AlignmentIndex(IndexKind kind, std::span<const Reference> references);

  /// Takes the next record; [begin, end) is where it lies in the contents.
  void add(const AlignmentRecord& record, std::uint64_t begin, std::uint64_t end);

  /// The bytes of the index, not packed. `virtual_offset`: of an offset in the contents.
  std::vector<std::byte> bytes(const std::function<std::uint64_t(std::uint64_t)>& virtual_offset) const;

 private:
  struct Chunk {
    std::uint64_t begin;
    std::uint64_t end;
  };
  struct OfReference {
    std::map<std::uint32_t, std::vector<Chunk>> bins;
    std::vector<std::uint64_t> windows;  // where the first record that reaches into each lies
    Chunk all{0, 0};
    std::uint64_t mapped = 0;
    std::uint64_t unmapped = 0;

    bool is_empty() const { return mapped + unmapped == 0; }
  };

  std::uint32_t bin_of(std::int64_t begin, std::int64_t end) const;
  std::uint32_t bins_above(unsigned level) const { return ((1U << 3 * level) - 1) / 7; }
  std::uint64_t window_of_bin(std::uint32_t bin) const;
  static void add_chunk(std::vector<Chunk>& chunks, std::uint64_t begin, std::uint64_t end);

  const IndexKind kind_;
  unsigned depth_ = 5;
  std::vector<OfReference> references_;
  std::uint64_t without_place_ = 0;
};

}  // namespace sortie::formats::alignments
