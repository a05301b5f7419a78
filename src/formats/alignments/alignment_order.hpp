// The orders of alignments, those of `samtools sort`, as keys whose bytes memcmp orders:
//
//   coordinate   reference, records without one last; position; forward strand first
//   name         the name, with numbers in it by their values; first read, then second (samtools sort -n)
//   ascii-name   the same with names by their bytes
//   tag:XX       the tag, records without it first; then by coordinate, or with tag:XX,name by name (sort -t XX)
//   template     the unclipped ends of both reads, library, molecule, name (sort --template-coordinate)
//   shuffled     no key: the sort shuffles
//
// Records with equal keys keep the order of the inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/alignments/alignment_record.hpp"
#include "formats/alignments/bam_header.hpp"

namespace sortie::formats::alignments {

enum class OrderKind : std::uint8_t {
  kCoordinate,
  kName,
  kAsciiName,
  kTagThenCoordinate,
  kTagThenName,
  kTemplate,
  kShuffled
};

struct AlignmentOrder {
  OrderKind kind = OrderKind::kCoordinate;
  std::string tag;  ///< two letters

  /// For a plan: "by coordinate".
  std::string words() const;
  /// What @HD says of it.
  SortOrderTags header_tags() const;
};

/// Reads the value of --by. Throws Error for another word.
AlignmentOrder parse_order(std::string_view word);

/// Appends the name with its numbers such that bytes order as samtools orders names: numbers by value, of equal ones
/// the one with more zeros in front first.
void append_natural_name(std::string_view name, std::vector<std::byte>& key);

/// Makes keys of records. Thread-safe.
class KeyMaker {
 public:
  /// `header`: of the output; references of records are numbers in it.
  KeyMaker(AlignmentOrder order, const BamHeader& header);

  /// Appends the key of a record. Throws Error for a record that lacks what the order needs.
  void append(const AlignmentRecord& record, std::vector<std::byte>& key) const;

 private:
  void append_coordinate(const AlignmentRecord& record, std::vector<std::byte>& key) const;
  void append_template(const AlignmentRecord& record, std::vector<std::byte>& key) const;
  std::string library_of(const AlignmentRecord& record) const;

  const AlignmentOrder order_;
  const std::uint64_t references_;
  const unsigned coordinate_bytes_;
  std::map<std::string, std::string, std::less<>> libraries_;  // of read groups
};

}  // namespace sortie::formats::alignments
