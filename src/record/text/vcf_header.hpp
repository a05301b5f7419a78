// Headers of VCF: their contigs, and several headers as one, as bcftools merges them: the first one's lines, and behind
// them those lines of the others that say something new. Used by the pipeline where the header of each input is read.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

/// Whether a header, without byte order mark, is one of VCF.
bool is_vcf_header(std::string_view header);

/// The value of an attribute in "##KEY=<NAME=value, NAME = "a, b",...>", without blanks and quotes around it; empty if
/// there is none.
std::string_view vcf_attribute(std::string_view line, std::string_view name);

/// The order with the names that `header` lists, in lines ##contig=<ID=NAME,...> or ##sequence-region NAME ..., in keys
/// that lack their names. Keys that need none become kVersion if there are none.
TextOrder with_contigs_found(TextOrder order, std::string_view header);

class VcfHeader {
 public:
  /// Precondition: is_vcf_header(header).
  explicit VcfHeader(std::string_view header);

  /// Adds the lines of another header that say something new: those with an ID that no line of their kind has here, and
  /// those of other kinds that do not occur here. A ##contig line comes behind the one in front of it in `header`, so
  /// that both lists keep their order. The line #CHROM must have been compared. Returns what the headers contradict
  /// each other in; the line that is here stays.
  ///
  /// @return for each contradiction its words, for example "##INFO DP has Type=Float, not Type=Integer"
  std::vector<std::string> add(std::string_view header);

  /// Whether the merged header is another one than the first.
  bool has_grown() const { return has_grown_; }
  /// The merged header.
  std::string text() const;

 private:
  using Lines = std::list<std::string_view>;

  // What lines describe.
  struct HashOfKey {
    using is_transparent = void;
    std::size_t operator()(std::string_view line) const;
    std::size_t operator()(Lines::iterator line) const { return (*this)(*line); }
  };
  struct EqualKeys {
    using is_transparent = void;
    bool operator()(std::string_view line, std::string_view other) const;
    bool operator()(Lines::iterator line, Lines::iterator other) const { return (*this)(*line, *other); }
    bool operator()(std::string_view line, Lines::iterator other) const { return (*this)(line, *other); }
    bool operator()(Lines::iterator line, std::string_view other) const { return (*this)(*line, other); }
  };

  std::string_view line_end_;
  std::deque<std::string> texts_;  // of the lines: there may be many
  Lines lines_;                    // without their ends
  std::unordered_set<Lines::iterator, HashOfKey, EqualKeys> by_key_;
  bool has_grown_ = false;
};

}  // namespace sortie
