// The self-test must see what is wrong: records in another order, lost, doubled or changed.
#include "cli/self_test/reference_sort.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include <sortie/sort.hpp>

#include "cli/options/command_line.hpp"
#include "cli/self_test/checks.hpp"
#include "support/in_locale.hpp"

namespace sortie::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Difference, IsNothingBetweenEqualBytes) { EXPECT_THAT(difference("a\nb\n", "a\nb\n"), IsEmpty()); }

TEST(Difference, TellsWhereTheOrderIsWrong) { EXPECT_THAT(difference("a\nb\nc\n", "a\nc\nb\n"), HasSubstr("byte 2 ")); }

TEST(Difference, TellsOfLostAndDoubledRecords) {
  EXPECT_THAT(difference("a\nb\n", "a\n"), HasSubstr("2 bytes come out, not 4"));
  EXPECT_THAT(difference("a\nb\n", "a\nb\nb\n"), HasSubstr("6 bytes come out, not 4"));
  EXPECT_FALSE(difference("a\n", "").empty());
}

TEST(FaultOfShuffle, TakesAnyOrderThatKeepsEqualLinesTogether) {
  EXPECT_THAT(fault_of_shuffle("a\nb\na\nc\n", "c\na\na\nb\n"), IsEmpty());
  EXPECT_THAT(fault_of_shuffle("a\nb\na\nc\n", "b\nc\na\na\n"), IsEmpty());
}

TEST(FaultOfShuffle, TellsWhatIsWrong) {
  EXPECT_THAT(fault_of_shuffle("a\nb\na\nc\n", "a\nc\na\nb\n"), HasSubstr("apart"));
  EXPECT_THAT(fault_of_shuffle("a\nb\na\nc\n", "c\na\nb\n"), HasSubstr("other lines"));
  EXPECT_THAT(fault_of_shuffle("a\nb\n", "b\nd\n"), HasSubstr("other lines"));
  EXPECT_THAT(fault_of_shuffle("b\na\n", "a\nb\n"), HasSubstr("in order"));
}

TEST(FaultOfPermutation, TellsWhatIsWrong) {
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 1000);
  const auto text_of = [](const std::vector<int>& list) {
    std::string text;
    for (const int number : list) text += std::to_string(number) + "\n";
    return text;
  };
  const std::string lines = text_of(numbers);
  const std::string turned = text_of({numbers.rbegin(), numbers.rend()});
  std::ranges::shuffle(numbers, std::mt19937(1));
  const std::string mixed = text_of(numbers);
  EXPECT_THAT(fault_of_permutation(lines, mixed), IsEmpty());
  EXPECT_THAT(fault_of_permutation(lines, lines), HasSubstr("too little disorder"));
  EXPECT_THAT(fault_of_permutation(lines, turned), HasSubstr("too little disorder"));
  EXPECT_THAT(fault_of_permutation(lines, mixed + "1000\n"), HasSubstr("other lines"));
  EXPECT_THAT(fault_of_permutation(lines, mixed.substr(5)), HasSubstr("other lines"));
}

TEST(ReferenceSort, IsStable) {
  int number = 100000;
  const Sample sample = ordered_by_value([&](Random& random) {
    const std::uint64_t key = below(random, 3);
    return Valued<std::uint64_t>{std::to_string(key) + " " + std::to_string(++number) + " a line\n", key};
  });
  std::vector<std::string_view> lines = lines_of(sample.input);
  EXPECT_FALSE(std::ranges::is_sorted(lines));
  std::ranges::sort(lines);
  EXPECT_EQ(lines_of(sample.expected), lines);
}

TEST(ReferenceSort, OrdersLinesWithEqualValuesByTheirBytes) {
  const Sample sample = lines_by_value([](Random& random) {
    const std::string line = small_word(random);
    return Valued<char>{line, line[0]};
  });
  EXPECT_TRUE(std::ranges::is_sorted(lines_of(sample.expected)));
}

std::vector<SortCheck> sort_checks() {
  std::vector<SortCheck> all;
  for (const auto& checks : {line_checks(), form_checks(), record_checks()}) {
    all.insert(all.end(), checks.begin(), checks.end());
  }
  return all;
}

TEST(ReferenceSort, PutsFloatsInTotalOrder) {
  const auto position = [](float number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return position_of_float(bits);
  };
  EXPECT_LT(position(-2), position(-1));
  EXPECT_LT(position(-1), position(-0.0F));
  EXPECT_LT(position(-0.0F), position(0.0F));
  EXPECT_LT(position(0.0F), position(1));
}

TEST(SortChecks, AskForWhatTheCommandLineTakes) {
  for (const SortCheck& check : sort_checks()) EXPECT_NO_THROW(parse_command_line(check.words, "sortie")) << check.name;
}

// The locale takes some letters for equal: lines that differ in them alone keep their order.
TEST(CollatedLines, ComeAsSortsOrderThem) {
  const test::InLocale locale("km_KH.UTF-8");
  if (!locale.is_set()) GTEST_SKIP() << "there is no locale km_KH.UTF-8; tools/setup makes it";
  const std::vector<SortCheck> checks = line_checks();
  const Sample sample = std::ranges::find(checks, true, &SortCheck::locale)->make();
  SortOptions options = parse_command_line({}, "sortie").options;
  options.format.text.locale = true;
  std::string_view left = sample.input;
  options.source = [&](std::span<std::byte> target) {
    const std::size_t bytes = left.copy(reinterpret_cast<char*>(target.data()), target.size());
    left.remove_prefix(bytes);
    return bytes;
  };
  std::string output;
  options.sink = [&](std::span<const std::byte> records) {
    output.append(reinterpret_cast<const char*>(records.data()), records.size());
  };
  sort(options);
  EXPECT_EQ(output, sample.expected);
}

/// What a sort that does nothing, or loses a byte, gives.
TEST(SortChecks, TellUnsortedAndCutResultsFromRightOnes) {
  std::vector<SortCheck> checks = sort_checks();
  checks.push_back(large_check());
  for (const SortCheck& check : checks) {
    const Sample sample = check.make();
    if (check.fault == difference) {
      EXPECT_EQ(check.fault(sample.expected, sample.expected), "") << check.name;
    }
    EXPECT_NE(check.fault(sample.expected, sample.input), "") << check.name;
    EXPECT_NE(check.fault(sample.expected, sample.expected.substr(1)), "") << check.name;
  }
}

}  // namespace
}  // namespace sortie::cli
