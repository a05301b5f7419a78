// How groups are shown: the header of their output, and a record for each. Made once for a sort; used by the finisher
// of groups.
//
//   fields       key TAB key TAB aggregate ...        with the separator of the order, if it has one
//   CSV          key,key,aggregate,...                quoted where it must be
//   JSON Lines   {"a":key,"b.c":key,"sum(d)":aggregate,...}
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/grouping.hpp>

#include "base/function_ref.hpp"
#include "record/aggregate/group_state.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {

class GroupText {
 public:
  /// `format`, `grouping`: as they are asked for. `header`: the texts of keys and aggregates in the header of the
  /// input; none if it has no header. `line_end`: that of the header, "\n" or "\r\n", or the delimiter of lines.
  GroupText(const Format& format, const Grouping& grouping, std::span<const std::string> header,
            std::string_view line_end);

  /// The same with records that end in another way.
  GroupText with_line_end(std::string_view line_end) const;

  /// Empty if the output has none.
  const std::string& header() const { return header_; }

  /// Calls it after each text that was appended; it may take what `out` holds, and clear that.
  using Deliver = FunctionRef<void()>;

  /// Appends the record of a group.
  void append(const GroupState& group, std::string& out) const;
  /// The same for one that may be too long for memory: several aggregates may show one long text.
  void append(const GroupState& group, std::string& out, Deliver deliver) const;

 private:
  std::vector<std::string> names_of_members(const Format& format, const Grouping& grouping) const;
  void append_json(const GroupState& group, std::string& out, Deliver deliver) const;
  void append_field(std::string_view text, std::string& out) const;
  void end_record(bool is_empty, std::string& out) const;
  std::string_view shown_value(std::string_view text) const;

  bool json_;
  bool csv_;
  CsvSyntax syntax_;
  std::string separator_;
  std::string line_end_;
  bool fields_begin_with_blanks_;
  std::vector<std::size_t> shown_keys_;  // which of the keys: one that stands where an earlier one does is not shown
  std::size_t aggregate_count_;
  std::string header_;
  std::vector<std::string> members_;  // of JSON: what stands in front of each value
};

}  // namespace sortie
