// What a job assumes without being told, as it is listed at its end.
#include "observe/assumptions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "observe/assumption_words.hpp"
#include "observe/observer.hpp"

namespace sortie {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Assumptions::Guess unread(std::uint64_t count, const std::string& text = "x") {
  return {.kind = GuessKind::kUnreadTime, .subject = "key 1", .count = count, .text = text};
}

std::vector<std::string> messages(const Assumptions& assumptions) {
  std::vector<std::string> messages;
  for (const Assumption& assumption : assumptions.list()) messages.push_back(assumption.message);
  return messages;
}

TEST(Assumptions, AreCountedAndNamedByTheFirst) {
  Assumptions assumptions;
  int asked = 0;
  const auto position = [&] { return Assumptions::Position{"a.log", 17 + static_cast<std::uint64_t>(asked++)}; };
  assumptions.count_records(10);
  assumptions.add(unread(2, "a\tb"), position);
  assumptions.count_records(20);
  assumptions.add(unread(3), position);
  const std::vector<Assumption> list = assumptions.list();
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].kind, "unread-time");
  EXPECT_EQ(list[0].count, 5U);
  EXPECT_EQ(list[0].of, 30U);
  EXPECT_EQ(list[0].first_place, "a.log:17");
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(list[0].message,
            "key 1: no time could be read in 5 of 30 records, the first at a.log:17 'a\\tb'; they count as equal, and "
            "as earlier than all others: correct them, or name the form of the times");
}

TEST(Assumptions, ShowTextOfTheDataAsItIs) {
  Assumptions assumptions;
  assumptions.count_records(7);
  assumptions.add(
      {.kind = GuessKind::kUnreadTime, .subject = "column '{first}'", .count = 2, .text = "{count} {of} {{}"});
  EXPECT_THAT(messages(assumptions),
              ElementsAre(AllOf(HasSubstr("column '{first}': "), HasSubstr("'{count} {of} {{}'"))));
}

TEST(Assumptions, SayIfThereIsNoRecordWithoutThem) {
  Assumptions assumptions;
  assumptions.count_records(5);
  assumptions.add(unread(5));
  EXPECT_THAT(messages(assumptions), ElementsAre(HasSubstr("in any of 5 records, the first 'x': name another key")));
}

TEST(Assumptions, OfEmptyKeysAreToldOnlyIfAllAreEmpty) {
  Assumptions assumptions;
  assumptions.count_records(5);
  assumptions.add({.kind = GuessKind::kEmptyKey, .subject = "column 'a'", .count = 4});
  EXPECT_THAT(assumptions.list(), IsEmpty());
  assumptions.add({.kind = GuessKind::kEmptyKey, .subject = "column 'a'", .count = 1});
  EXPECT_THAT(messages(assumptions), ElementsAre(HasSubstr("column 'a': it is empty in all of 5 records")));
}

TEST(Assumptions, OfSeveralSubjectsAreSeveral) {
  Assumptions assumptions;
  assumptions.count_records(2);
  assumptions.add({.kind = GuessKind::kUnreadNumber, .subject = "key 2"});
  assumptions.add({.kind = GuessKind::kUnreadNumber, .subject = "key 1"});
  EXPECT_THAT(messages(assumptions), ElementsAre(HasSubstr("key 2: "), HasSubstr("key 1: ")));
}

TEST(Assumptions, AboutInputsAreSaidAnew) {
  Assumptions assumptions;
  for (const std::uint64_t count : {1U, 2U}) {
    assumptions.put({.kind = GuessKind::kLacksHeader, .count = count, .position = {.path = "b"}}, 3);
  }
  EXPECT_THAT(messages(assumptions), ElementsAre(HasSubstr("2 of 3 inputs have no header, the first at b; ")));
  EXPECT_EQ(assumptions.list()[0].first_place, "b");
}

TEST(Assumptions, AreForgottenWhenAJobBeginsAnew) {
  Assumptions assumptions;
  assumptions.count_records(5);
  assumptions.add(unread(5));
  assumptions.clear();
  assumptions.count_records(2);
  EXPECT_THAT(assumptions.list(), IsEmpty());
  assumptions.add(unread(1));
  EXPECT_THAT(messages(assumptions), ElementsAre(HasSubstr("in 1 of 2 records")));
}

TEST(Assumptions, AreNoneOfWhatTheUserHasSaid) {
  Observer whole(ProgressMode::kNever);
  whole.assumptions().settle(GuessKind::kUnreadTime);
  whole.assumptions().add(unread(1));
  EXPECT_THAT(whole.assumptions().list(), IsEmpty());
  const Observer sort(whole, "left input");
  sort.assumptions().add(unread(1));
  EXPECT_THAT(sort.assumptions().list(), IsEmpty());
}

TEST(Assumptions, OfAnEarlierAttemptAreCountedWithThoseOfALaterOne) {
  const Assumptions::Position position{.path = "log", .line = 3};
  Assumptions earlier;
  earlier.count_records(5);
  earlier.add({.kind = GuessKind::kEmptyKey, .subject = "key 2", .count = 5});
  earlier.add(unread(2), [&] { return position; });
  earlier.put({.kind = GuessKind::kLacksHeader, .count = 1}, 2);
  const Assumptions::Counted counted = earlier.counted();
  EXPECT_EQ(counted.records, 5U);
  ASSERT_EQ(counted.guesses.size(), 2U);  // what is about inputs is looked at anew
  EXPECT_EQ(counted.guesses[1].count, 2U);
  EXPECT_EQ(counted.guesses[1].position, position);
  Assumptions later;
  later.begin_with(counted);
  EXPECT_EQ(later.counted(), counted);
  later.count_records(2);
  later.add({.kind = GuessKind::kEmptyKey, .subject = "key 2", .count = 2});
  later.add(unread(1));
  EXPECT_THAT(messages(later), ElementsAre(HasSubstr("in all of 7 records"),
                                           HasSubstr("no time could be read in 3 of 7 records, the first at log:3")));
}

TEST(Assumptions, OfAnEarlierAttemptAreRefusedAtOnceIfTheyAreToldByThemselves) {
  Assumptions strict;
  strict.be_refused();
  strict.refuse_at_once();
  strict.begin_with({.records = 5, .guesses = {{.kind = GuessKind::kEmptyKey, .subject = "key 1", .count = 5}}});
  EXPECT_THROW(strict.begin_with({.records = 1, .guesses = {unread(1)}}), Error);
}

TEST(Assumptions, AboutZonesAreToldIfOtherTimesOfTheKeyHaveOne) {
  Assumptions assumptions;
  assumptions.count_records(9);
  assumptions.be_refused();
  assumptions.refuse_at_once();
  assumptions.add({.kind = GuessKind::kAssumedZone, .subject = "key 1", .count = 4});
  assumptions.add({.kind = GuessKind::kWrittenZone, .subject = "key 2", .count = 5});
  EXPECT_THAT(assumptions.list(), IsEmpty());
  // Other processes may know of such times.
  EXPECT_EQ(assumptions.words().size(), 2U);
  assumptions.add({.kind = GuessKind::kWrittenZone, .subject = "key 1", .count = 5});
  EXPECT_THAT(messages(assumptions), ElementsAre(HasSubstr("key 1: 4 of 9 records have a time without a zone")));
}

TEST(Assumptions, AreRefusedAtOnceWhereNoRunMayHoldThem) {
  Assumptions assumptions;
  assumptions.be_refused();
  assumptions.refuse_at_once();
  assumptions.count_records(9);
  EXPECT_NO_THROW(assumptions.add({.kind = GuessKind::kEmptyKey, .subject = "key 1"}));
  EXPECT_THROW(assumptions.add(unread(1)), Error);
}

TEST(Assumptions, HaveTheirPlacesMoved) {
  Assumptions assumptions;
  assumptions.add(unread(1), [] { return Assumptions::Position{"a", 2}; });
  EXPECT_TRUE(assumptions.has_positions());
  assumptions.move_positions(10);
  EXPECT_EQ(assumptions.list()[0].first_place, "a:12");
}

TEST(Assumptions, OfShardsAreAddedUpOverAllRecordsOrTheInputsThatWereLookedAt) {
  std::vector<ShardAssumption> parts;
  for (const std::uint64_t records : {10U, 20U}) {
    Assumptions shard;
    shard.count_records(records);
    shard.add(unread(3), [&] { return Assumptions::Position{"log", records}; });
    shard.add({.kind = GuessKind::kEmptyKey, .subject = "key 2", .count = records});
    shard.put({.kind = GuessKind::kLacksHeader, .count = 1}, 2);
    for (ShardAssumption& words : shard.words()) parts.push_back(std::move(words));
  }
  const std::vector<Assumption> all = total_assumptions(parts, 30);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(all[0].message, HasSubstr("in 6 of 30 records, the first at log:10 'x'"));
  EXPECT_THAT(all[1].message, HasSubstr("it is empty in all of 30 records"));
  EXPECT_THAT(all[2].message, HasSubstr("2 of 4 inputs have no header"));
  EXPECT_EQ(total_assumptions(parts, 31).size(), 2U);  // one record has key 2
}

TEST(Assumptions, HaveARemedyThatIsRefusedWithThem) {
  Assumptions assumptions;
  assumptions.count_records(2);
  assumptions.add({.kind = GuessKind::kAssumedYear, .subject = "key 1"});
  ASSERT_EQ(assumptions.list().size(), 1U);
  EXPECT_EQ(assumptions.list()[0].remedy, Remedy::kYear);
  try {
    refuse_assumptions(assumptions.list());
    FAIL() << "nothing is refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), Remedy::kYear);
  }
}

TEST(Assumptions, AreRefusedInOneLine) {
  Assumptions assumptions;
  EXPECT_NO_THROW(refuse_assumptions(assumptions.list()));
  assumptions.count_records(9);
  assumptions.add(unread(1));
  const auto refusal = [&]() -> std::string {
    try {
      refuse_assumptions(assumptions.list());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(), HasSubstr("assume something: key 1: no time could be read in 1 of 9 records"));
  assumptions.add({.kind = GuessKind::kUnreadNumber, .subject = "key 2"});
  EXPECT_THAT(refusal(), HasSubstr("in 2 ways, the first is this: key 1: "));
}

}  // namespace
}  // namespace sortie
