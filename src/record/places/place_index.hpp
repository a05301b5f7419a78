// An index of places in a genome: .tbi, .bai, or .csi, which takes larger ones. It is made while the records are
// written, in their order, and tells tabix, samtools and bcftools where in a BGZF file to look (hts-specs, tabix and
// CSI version 1; the bins are those of SAM, section 5).
//
//   bins      a record is in the smallest bin that holds all of it: for each bin, the stretches of the file with its
//             records. At any time one bin of each size can take records, as these come by their begin.
//   windows   for each window of 16384 bases, where the first record begins that reaches into it. Kept where it
//   changes.
//
// Offsets are those in the bytes before they are packed; write() is told what each becomes in the packed file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <sortie/index_options.hpp>

#include "record/places/place_reader.hpp"

namespace sortie {

/// The chromosomes of a file whose header lists them, as those of BAM and BCF do: an index tells them by their numbers
/// there, has one of each, and no names.
struct NumberedChromosomes {
  std::vector<std::string> names;
  std::int64_t longest = 0;  ///< bases; 0 if that is not known
};

class PlaceIndex {
 public:
  /// `block_bytes`: stretches that touch the same block of so many bytes before packing become one. `most_bytes`:
  /// memory that it may take.
  PlaceIndex(const IndexOptions& options, std::uint64_t block_bytes, std::uint64_t most_bytes);

  enum class Numbered : std::uint8_t { kBai, kCsi };
  /// The same for a file whose header lists the chromosomes.
  PlaceIndex(Numbered form, NumberedChromosomes chromosomes, std::uint64_t block_bytes, std::uint64_t most_bytes);

  /// What the name of its file ends in: ".csi".
  std::string_view suffix() const;
  /// Whether its file is packed as BGZF.
  bool is_packed() const { return form_ != Form::kBai; }

  /// Adds the next record, whose line lies at [begin, end) of the unpacked bytes. Throws Error, whose text goes on
  /// behind the name of the line, if it is not in order, if its chromosome has come and gone, or if the form has no
  /// such place.
  void add(const Place& place, std::uint64_t begin, std::uint64_t end);

  /// Adds the next record, which has no place. Throws Error if memory does not suffice, as add() does.
  void add_without_place();

  /// Somebody else takes so many bytes of the memory of this index now.
  void set_bytes_beside(std::uint64_t bytes) { bytes_beside_ = bytes; }

  using VirtualOffset = std::function<std::uint64_t(std::uint64_t offset)>;
  using Sink = std::function<void(std::span<const std::byte>)>;
  /// Writes the index. Call once.
  void write(const VirtualOffset& virtual_offset, const Sink& sink);

 private:
  /// Levels of bins: that of all bases, and each with bins of an eighth.
  static constexpr unsigned kMostLevels = 7;

  enum class Form : std::uint8_t { kTbi, kCsi, kBai };

  struct Stretch {
    std::uint32_t bin;
    std::uint64_t begin;
    std::uint64_t end;
  };
  struct Window {
    std::uint32_t window;
    std::uint64_t offset;
  };
  struct Chromosome {
    std::string name;
    std::size_t first_stretch;
    std::size_t first_window;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t records = 0;  // that are aligned
    std::uint64_t unaligned = 0;
    std::int64_t windows = 0;  // that records reach into, or lie behind
  };
  class Writer;

  void begin_chromosome(std::string_view name, std::uint64_t offset);
  std::uint32_t bin_of(std::int64_t begin, std::int64_t end, unsigned& level) const;
  void add_to_bin(std::int64_t begin, std::int64_t end, std::uint64_t from, std::uint64_t to);
  void add_to_windows(std::int64_t begin, std::int64_t end, std::uint64_t from);
  void write_head(Writer& out) const;
  void write_names(Writer& out) const;
  void write_chromosomes(Writer& out);
  void write_bins(Writer& out, std::size_t chromosome);
  void write_windows(Writer& out, std::size_t chromosome) const;
  std::span<Stretch> stretches_of(std::size_t chromosome);
  std::span<const Window> windows_of(std::size_t chromosome) const;
  std::uint64_t held_bytes() const;
  void require_memory() const;

  Form form_;
  GenomeFile file_ = GenomeFile::kVcf;  // of lines
  bool is_by_numbers_ = false;
  NumberedChromosomes numbered_;  // if it is
  std::uint64_t block_bytes_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_beside_ = 0;
  unsigned levels_;  // below that of all bases
  std::vector<Chromosome> chromosomes_;
  std::unordered_set<std::string> names_;
  std::uint64_t name_bytes_ = 0;
  std::vector<Stretch> stretches_;
  std::vector<Window> windows_;
  std::array<std::size_t, kMostLevels> open_{};  // by level, of the stretch that its records join
  std::int64_t last_begin_ = 0;
  std::uint64_t without_place_ = 0;
};

}  // namespace sortie
