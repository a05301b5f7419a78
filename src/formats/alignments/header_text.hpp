// The header of a file of alignments as text: lines of tags, "@SQ<tab>SN:chr1<tab>LN:1000" (SAM specification, section
// 1.3). Lines stay as they are but for what is asked for here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sortie::formats::alignments {

struct Reference {
  std::string name;
  std::uint32_t length = 0;

  friend bool operator==(const Reference&, const Reference&) = default;
};

/// What a sort writes to @HD. GO and SS are dropped if they are empty.
struct SortOrderTags {
  std::string sort_order;   ///< SO
  std::string group_order;  ///< GO
  std::string sub_sort;     ///< SS
};

/// The value of a tag, "SN", of a line; nothing if it has none.
std::optional<std::string> tag_of(std::string_view line, std::string_view tag);

class HeaderText {
 public:
  HeaderText() = default;
  explicit HeaderText(std::string_view text);

  const std::vector<std::string>& lines() const { return lines_; }
  std::string text() const;

  /// The lines of a kind, "RG".
  std::vector<std::string> lines_of(std::string_view kind) const;
  void append(std::string line) { lines_.push_back(std::move(line)); }

  /// Adds the @SQ lines of references that the text has none of.
  void add_missing_references(std::span<const Reference> references);

  /// Makes or changes the @HD line, and puts it in front, as samtools does.
  void set_sort_order(const SortOrderTags& tags);

  /// Adds a line for this program behind every @PG line that no other names as the one before; one at least.
  void add_program(std::string_view name, std::string_view version, std::string_view command);

 private:
  std::vector<std::string> lines_;
};

}  // namespace sortie::formats::alignments
