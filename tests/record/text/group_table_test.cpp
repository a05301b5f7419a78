// Lines of groups, combined while they are read: those that are near one another, and neighbours.
#include "record/text/group_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "record/record_scan.hpp"
#include "record/text/neighbour_groups.hpp"

namespace sortie {
namespace {

Format by_first_field() {
  Format format;
  format.text.separator = ",";
  format.text.keys = {parse_text_key("1,1n")};
  return format;
}

Grouping with_aggregates(const Format& format) {
  Grouping grouping;
  for (const char* const word : {"sum:2", "min:2", "first:2", "last:2"}) {
    grouping.aggregates.push_back(parse_aggregate(word, format.text));
  }
  return grouping;
}

template <class Groups>
class GroupsOfLines : public testing::Test {
 protected:
  void add(const std::string& line) { table_.add(std::as_bytes(std::span(line)), position_++, out_); }

  /// The groups of all that was added, in the order of their states.
  std::vector<std::string> shown() const {
    std::vector<std::string> all;
    for_each_record(layout_of(codec_.sorted_format()), out_.bytes(), [&](const std::byte* data, std::uint64_t stored) {
      GroupState group(*codec_.group_shape());
      std::vector<std::byte> scratch;
      group.add(codec_.group_state({data, static_cast<std::size_t>(stored)}, scratch));
      all.push_back(text_of(group));
    });
    return all;
  }

  std::string text_of(const GroupState& group) const {
    std::string text(group.key_text(0));
    for (std::size_t i = 0; i < codec_.group_shape()->aggregates.size(); ++i) {
      text += ' ';
      group.append_value(i, text);
    }
    return text;
  }

  Format format_ = by_first_field();
  Grouping grouping_ = with_aggregates(format_);
  RecordCodec codec_{format_, true, &grouping_};
  Groups table_{codec_};
  EncodedLines out_;
  std::uint64_t position_ = 0;
};

using GroupTableTest = GroupsOfLines<GroupTable>;
using NeighbourGroupsTest = GroupsOfLines<NeighbourGroups>;

TEST_F(GroupTableTest, MakesOneStateOfLinesWithEqualKeys) {
  for (const char* const line : {"7,5\n", "2,1\n", "07,5.0\n", "2,\n", "7.0,6\n"}) add(line);
  EXPECT_EQ(out_.size(), 0U);
  EXPECT_EQ(table_.empty_into(out_), 2U);
  EXPECT_EQ(shown(), (std::vector<std::string>{"7 16.0 5 5 6", "2 1 1 1 "}));
}

TEST_F(GroupTableTest, BeginsAnewOnceItIsEmpty) {
  add("7,5\n");
  EXPECT_EQ(table_.empty_into(out_), 1U);
  EXPECT_EQ(table_.empty_into(out_), 0U);
  add("8,\n");
  add("7,1\n");
  EXPECT_EQ(table_.empty_into(out_), 2U);
  EXPECT_EQ(shown(), (std::vector<std::string>{"7 5 5 5 5", "8    ", "7 1 1 1 1"}));
}

TEST_F(GroupTableTest, KeepsTheOrderOfAKeysLinesWhereNotAllKeysFit) {
  constexpr int kKeys = 10000;
  std::map<std::string, std::string> last;
  for (int i = 0; i < 3 * kKeys; ++i) {
    const std::string key = std::to_string(i * 7 % kKeys);
    last[key] = std::to_string(i);
    add(key + "," + last[key] + "\n");
  }
  table_.empty_into(out_);
  const std::vector<std::string> states = shown();
  EXPECT_GT(states.size(), std::size_t{kKeys});
  EXPECT_LT(states.size(), std::size_t{3 * kKeys});
  std::map<std::string, std::string> found;
  for (const std::string& state : states) found[state.substr(0, state.find(' '))] = state.substr(state.rfind(' ') + 1);
  EXPECT_EQ(found, last);
}

TEST_F(GroupTableTest, NamesTheFirstLineThatItRefuses) {
  const std::vector<std::string> lines = {"1,5\n", "1,x\n", "1,y\n"};
  for (const std::string& line : lines) add(line);
  EXPECT_EQ(static_cast<const void*>(out_.unreadable().line), lines[1].data());
  EXPECT_NE(out_.unreadable().reason.find("'x' as field 2"), std::string::npos) << out_.unreadable().reason;
}

TEST_F(NeighbourGroupsTest, MakesOneStateOfNeighboursWithEqualKeys) {
  for (const char* const line : {"2,1\n", "2.0,\n", "7,5\n", "2,3\n"}) add(line);
  EXPECT_EQ(table_.empty_into(out_), 3U);
  EXPECT_EQ(shown(), (std::vector<std::string>{"2 1 1 1 ", "7 5 5 5 5", "2 3 3 3 3"}));
}

TEST_F(NeighbourGroupsTest, BeginsAnewOnceItIsEmpty) {
  add("7,5\n");
  EXPECT_EQ(table_.empty_into(out_), 1U);
  EXPECT_EQ(table_.empty_into(out_), 0U);
  add("7,1\n");
  EXPECT_EQ(table_.empty_into(out_), 1U);
  EXPECT_EQ(shown(), (std::vector<std::string>{"7 5 5 5 5", "7 1 1 1 1"}));
}

TEST_F(NeighbourGroupsTest, LeavesALongLineByItself) {
  const std::string zeros(20'000, '0');
  for (const std::string& line :
       {std::string("1,5\n"), "1,6," + zeros + "\n", std::string("1,7\n"), std::string("1,8\n")}) {
    add(line);
  }
  EXPECT_EQ(table_.empty_into(out_), 3U);
  EXPECT_EQ(shown(), (std::vector<std::string>{"1 5 5 5 5", "1 6 6 6 6", "1 15 7 7 8"}));
}

TEST_F(NeighbourGroupsTest, CountsTheLinesOfItsStates) {
  for (const char* const line : {"2,1\n", "2,2\n", "3,1\n"}) add(line);
  EXPECT_EQ(table_.empty_into(out_), 2U);
  EXPECT_EQ(codec_.original_count_of_all(out_.bytes()), 3U);
  EXPECT_EQ(codec_.original_bytes_of_all(out_.bytes()), 12U);
}

}  // namespace
}  // namespace sortie
