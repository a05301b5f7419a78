// The header that all inputs of a job share: compares the headers of the inputs, which may differ in some things, and
// keeps the one that is written. The input opener gives it the header of every input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>

#include "pipeline/input/headed_input.hpp"
#include "record/layout.hpp"
#include "record/text/gff_header.hpp"
#include "record/text/vcf_header.hpp"

namespace sortie {

/// Which records at the beginning of the inputs of a sort are their header.
HeaderRule header_rule(const SortOptions& options);

/// Number of header records at the beginning of each input, behind the lines that header_prefixes describe: as many as
/// the options say, and at least one if a key names its column, or if prefixes say what is in front of records of CSV.
std::uint64_t header_records(const SortOptions& options);

/// The header from its record of names on: without a byte order mark, and without the lines in front of records of CSV.
std::string_view header_names(const Layout& layout, const HeaderRule& rule, std::string_view header);

/// A header without what does not count when headers are compared. Those of VCF are compared whole.
std::string header_form(const SortOptions& options, std::span<const std::byte> header);

class SharedHeader {
 public:
  SharedHeader(const SortOptions& options, const Layout& layout, const HeaderRule& rule);

  /// Takes the header of an input, in the order of the inputs where it matters which one comes first. Throws Error,
  /// naming both inputs and the first difference, if it is another one than that of the inputs before it. Thread-safe.
  /// Returns false if the comment lines in front of a header of CSV differ from those of the first input.
  /// `is_empty`: the input has nothing else, and no header that others could have.
  bool take(const std::string& path, std::span<const std::byte> header, bool is_empty = false);

  /// Whether the last line in front of the records of a header of CSV has as many fields as the first of them, and may
  /// be the header itself.
  bool may_be_in_comment(std::span<const std::byte> header) const;

  /// Sets the header of the whole sort, of which these inputs are a part; it cannot change afterwards. Call before
  /// take().
  void take_of_all(std::string_view header);

  /// Takes how the records of an input end: that of the first one counts. Thread-safe.
  void take_line_end(std::string_view line_end);
  /// Empty if it is not known. Not while take_line_end() may be called before settle().
  std::string_view line_end() const { return line_end_; }

  /// Whether an input has been taken.
  bool is_known() const { return !path_.empty(); }
  /// Whether the headers of all inputs make the header: they must be taken before any record is read.
  bool needs_all() const { return is_vcf_ || merges_lines_; }
  /// From now on the header stays as it is.
  void settle();

  /// The header that is written. Not while take() may be called before settle().
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  bool has_same_comments(std::string_view header) const;
  void compare(const std::string& path, std::string_view header);
  void compare_columns(const std::string& path, std::string_view names, std::string_view other_names) const;
  void compare_lines(const std::string& path, std::string_view lines, std::string_view other_lines) const;
  void merge_vcf(const std::string& path, std::string_view header);
  void merge_gff(const std::string& path, std::string_view header);
  [[noreturn]] void refuse(const std::string& path, const std::string& difference, const std::string& remedy) const;

  Layout layout_;
  HeaderRule rule_;
  bool csv_;
  std::string separator_;
  std::mutex mutex_;
  std::vector<std::byte> bytes_;
  std::string path_;              // of the input that the header is from; empty: the header is not known yet
  bool is_vcf_ = false;           // headers of VCF are merged
  std::optional<VcfHeader> vcf_;  // once two of them differ, until they are settled
  bool merges_lines_ = false;     // those of GFF and GTF are, too
  std::optional<GffHeader> gff_;  // the same
  bool is_settled_ = false;
  std::string_view line_end_;
};

}  // namespace sortie
