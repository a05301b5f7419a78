// States of groups: made of lines, put together, and read again.
#include "record/aggregate/group_state.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sortie {
namespace {

using enum AggregateKind;
using Texts = std::vector<std::string_view>;

const GroupShape kShape{{kCount, kSum, kMin, kMax, kMean, kFirst, kLast}, 1, false};

/// The state of a line with one value, which all aggregates take.
std::string state_of(std::string_view key, std::string_view value, const GroupShape& shape = kShape) {
  Texts texts{key};
  for (const AggregateKind kind : shape.aggregates) {
    if (kind != kCount) texts.push_back(value);
  }
  StateWriter state;
  write_line_state(shape, texts, 10, state);
  return {state.bytes().begin(), state.bytes().end()};
}

std::string state_of(const GroupState& group) {
  StateWriter state;
  group.write(state);
  return {state.bytes().begin(), state.bytes().end()};
}

std::string shown(const GroupState& group, const GroupShape& shape = kShape) {
  std::string text(group.key_text(0));
  for (std::size_t i = 0; i < shape.aggregates.size(); ++i) {
    text += ' ';
    if (!group.append_value(i, text)) text += '-';
  }
  return text;
}

TEST(GroupState, HoldsTheAggregatesOfAllLines) {
  GroupState group(kShape);
  EXPECT_TRUE(group.empty());
  for (const char* const value : {" 2.0", "10", "", "2", "-1e1"}) group.add(state_of("k", value));
  EXPECT_EQ(shown(group), "k 5 4.0 -1e1 10 1  2.0 -1e1");
  EXPECT_EQ(group.size().records, 5U);
  EXPECT_EQ(group.size().bytes, 50U);
  EXPECT_EQ(size_of_group(state_of(group)).records, 5U);
  EXPECT_EQ(key_text_of_group(state_of(group), 0), "k");
}

TEST(GroupState, KeepsNewlinesOutOfLengths) {
  const std::string state = state_of("0123456789", "12345");
  EXPECT_EQ(state.find('\n'), std::string::npos);
  GroupState group(kShape);
  group.add(state);
  group.add(state_of(group));
  EXPECT_EQ(shown(group), "0123456789 2 24690 12345 12345 12345 12345 12345");
  EXPECT_EQ(group.size().bytes, 20U);
}

TEST(GroupState, HoldsALongTextOnceForSeveralAggregates) {
  const GroupShape shape{{kFirst, kLast, kFirst, kLast}, 1, false};
  const std::string a(10'000, 'a');
  const std::string b(10'000, 'b');
  EXPECT_LT(state_of("k", a, shape).size(), a.size() + 100);
  GroupState group(shape);
  group.add(state_of("k", a, shape));
  EXPECT_EQ(shown(group, shape), "k " + a + " " + a + " " + a + " " + a);
  group.add(state_of("k", b, shape));
  EXPECT_EQ(shown(group, shape), "k " + a + " " + b + " " + a + " " + b);
  EXPECT_LT(state_of(group).size(), a.size() + b.size() + 100);
  GroupState again(shape);
  again.add(state_of(group));
  again.add(state_of("k", "short", shape));
  EXPECT_EQ(shown(again, shape), "k " + a + " short " + a + " short");
  again.clear();
  again.add(state_of("l", "next", shape));
  EXPECT_EQ(shown(again, shape), "l next next next next");
}

TEST(GroupState, RefusesAValueThatRefersToNone) {
  const GroupShape shape{{kFirst}, 1, false};
  StateWriter state;
  for (const std::uint64_t number : {1, 10}) state.number(number);
  state.text(std::string("\1k", 2));
  state.number(1);  // the first long value
  GroupState group(shape);
  EXPECT_THROW(group.add({state.bytes().data(), state.bytes().size()}), Error);
}

TEST(GroupState, TakesLinesAsItTakesTheirStates) {
  GroupState by_lines(kShape);
  GroupState by_states(kShape);
  for (int round = 0; round < 2; ++round) {
    for (const char* const value : {"2.50", "", "10", "2.5", "-1e-3", "1e45", ""}) {
      EXPECT_FALSE(by_lines.add_line(Texts{"k", value, value, value, value, value, value}, 10));
      by_states.add(state_of("k", value));
      EXPECT_EQ(state_of(by_lines), state_of(by_states));
    }
    by_lines.clear();
    by_states.clear();
  }
}

TEST(GroupState, LeavesOutWhatItRefuses) {
  GroupState group(kShape);
  const auto refused = group.add_line(Texts{"k", "x", "1", "1", "1", "x", "x"}, 10);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->text, 1U);
  EXPECT_EQ(shown(group), "k 1 - 1 1 1 x x");
}

TEST(GroupState, IsTheSameHoweverLinesArePutTogether) {
  const std::vector<std::string> values = {"1e40", "0.5", "", "-1e40", "7", "7.0", "-3"};
  GroupState all(kShape);
  for (const std::string& value : values) all.add(state_of("k", value));
  for (std::size_t cut = 1; cut < values.size(); ++cut) {
    GroupState front(kShape);
    GroupState behind(kShape);
    for (std::size_t i = 0; i < values.size(); ++i) (i < cut ? front : behind).add(state_of("k", values[i]));
    GroupState joined(kShape);
    joined.add(state_of(front));
    joined.add(state_of(behind));
    EXPECT_EQ(shown(joined), shown(all)) << cut;
  }
}

TEST(GroupState, ShowsNothingOfNoValues) {
  GroupState group(kShape);
  group.add(state_of("k", " "));
  group.add(state_of("k", ""));
  EXPECT_EQ(shown(group), "k 2 - - - -   ");
}

TEST(GroupState, BeginsAnewWhenItIsCleared) {
  GroupState group(kShape);
  group.add(state_of("k", "5"));
  group.clear();
  EXPECT_TRUE(group.empty());
  group.add(state_of("l", "6"));
  EXPECT_EQ(shown(group), "l 1 6 6 6 6 6 6");
}

TEST(GroupState, TakesNumbersOfJsonInStringsToo) {
  GroupShape shape = kShape;
  shape.json = true;
  GroupState group(shape);
  for (const char* const value : {R"("2.50")", "null", R"("")", "1"}) group.add(state_of("\"k\"", value, shape));
  EXPECT_EQ(shown(group, shape), R"("k" 4 3.50 1 "2.50" 1.75 "2.50" 1)");
}

TEST(GroupState, TellsTheFirstValueThatIsNone) {
  StateWriter state;
  const auto refused = write_line_state({{kCount, kLast, kSum, kMax}, 1, false}, Texts{"k", "x", "1", "y"}, 1, state);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->text, 3U);
  EXPECT_EQ(refused->reading, ExactDecimal::Reading::kNoNumber);
}

TEST(GroupState, RefusesDamagedStates) {
  const std::string state = state_of("key", "12.5");
  for (std::size_t size = 0; size < state.size(); ++size) {
    GroupState group(kShape);
    EXPECT_THROW(group.add(state.substr(0, size)), Error) << size;
  }
  GroupState group(kShape);
  EXPECT_THROW(group.add(state + "x"), Error);
}

}  // namespace
}  // namespace sortie
