// Whole sorts whose inputs are sets of keys.
#include <algorithm>
#include <map>
#include <set>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/output/input_sets.hpp"
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr SetOperation kOperations[] = {SetOperation::kUnion, SetOperation::kIntersect, SetOperation::kExcept,
                                        SetOperation::kSymmetric};

/// Three inputs that have some keys in common. The middle one's are few.
std::vector<std::string> inputs_of(const Format& format) {
  if (!format.text.keys.empty()) {
    return {lines_with_fields(9000, 1, format.delimiter), lines_with_fields(300, 2, format.delimiter),
            lines_with_fields(9000, 3, format.delimiter)};
  }
  const std::string all = make_records(format, Distribution::kZipf, 30'000);
  const std::vector<std::string_view> records = records_of(layout_of(format), all);
  std::vector<std::string> inputs(3);
  for (std::size_t i = 0; i < records.size(); ++i) inputs[i % 7 < 3 ? 0 : i % 7 < 4 ? 1 : 2] += records[i];
  return inputs;
}

bool is_wanted(SetOperation operation, const std::set<std::size_t>& inputs) {
  switch (operation) {
    case SetOperation::kIntersect:
      return inputs.size() == 3;
    case SetOperation::kExcept:
      return inputs == std::set<std::size_t>{0};
    case SetOperation::kSymmetric:
      return inputs.size() == 1;
    default:
      return true;
  }
}

/// `sorted`: the sorted records of all inputs without duplicates, which are the keys.
std::string expected_set(const Format& format, const std::vector<std::string>& inputs, const std::string& sorted,
                         SetOperation operation) {
  std::map<std::string_view, std::set<std::size_t>> inputs_of_record;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (const std::string_view record : records_of(layout_of(format), inputs[i])) inputs_of_record[record].insert(i);
  }
  std::string output;
  for (const std::string_view record : records_of(layout_of(format), sorted)) {
    if (is_wanted(operation, inputs_of_record.at(record))) output += record;
  }
  return output;
}

TEST(SortSets, ComparesInputsOfEveryFormat) {
  std::vector<Format> formats = {parsed("lines"), parsed("lines", {}, true), parsed("u32"), parsed("f64", {}, true),
                                 parsed("fixed:3")};
  formats[1].delimiter = '\0';
  for (const Format& format : turns_of(formats)) {
    const std::vector<std::string> inputs = inputs_of(format);
    SortForTest all(format, inputs);
    all.options.unique = true;
    all.run();
    for (const SetOperation operation : kOperations) {
      for (const std::uint64_t memory_bytes : turns_of({kMinMemoryBytes, std::uint64_t{64} << 20})) {
        SCOPED_TRACE(to_string(format) + ", " + std::to_string(static_cast<int>(operation)));
        SortForTest job(format, inputs);
        job.options.set_operation = operation;
        job.options.memory_bytes = memory_bytes;
        job.run();
        const std::string expected = expected_set(format, inputs, all.output(), operation);
        EXPECT_FALSE(expected.empty());
        EXPECT_TRUE(job.output() == expected);
      }
    }
  }
}

TEST(SortSets, ShowsTheFirstLineOfAKeyInTheOrderOfInputs) {
  for (const bool merges : {false, true}) {
    SortForTest job(format_of({{{0}}, false}), {"b 1\nb 2\nc 3\n", "a 4\nb 5\nd 6\n"});
    job.options.set_operation = SetOperation::kIntersect;
    job.options.merge_only = merges;
    job.run();
    EXPECT_EQ(job.output(), "b 1\n");
    job.options.keep_last = true;
    job.run();
    EXPECT_EQ(job.output(), "b 5\n");
    job.options.set_operation = SetOperation::kSymmetric;
    job.run();
    EXPECT_EQ(job.output(), "a 4\nc 3\nd 6\n");
  }
}

// Merges in several passes make runs of inputs, whose positions must stay.
TEST(SortSets, ComparesMoreInputsThanAreMergedAtOnce) {
  SortForTest job(parsed("lines"), {"a\nb\n", "b\n", "b\nc\n", "", "b\n", "b\nz\n"});
  job.options.merge_only = true;
  job.options.merge_fan_in = 2;
  job.options.set_operation = SetOperation::kSymmetric;
  job.run();
  EXPECT_EQ(job.output(), "a\nc\nz\n");
}

TEST(SortSets, RefusesUnsortedInputsOfAMerge) {
  SortForTest job(parsed("lines"), {"a\nc\nb\n", "b\n"});
  job.options.merge_only = true;
  job.options.set_operation = SetOperation::kUnion;
  EXPECT_NE(error_of([&] { sort(job.options); }).find("is not sorted: record 3 at offset 4 is out of order"),
            std::string::npos);
}

TEST(SortSets, RefusesWhatIsNoSet) {
  SortForTest job(parsed("lines"), {"a\n", "b\n"});
  job.options.set_operation = SetOperation::kExcept;
  job.options.key_filter = KeyFilter::kOnce;
  EXPECT_EQ(error_of([&] { sort(job.options); }), "except and only-once are incompatible: leave one of the two out");
  job.options.key_filter = KeyFilter::kAll;
  job.options.format.shuffle = true;
  EXPECT_EQ(error_of([&] { sort(job.options); }), "except and shuffle are incompatible: leave one of the two out");
  job.options.format.shuffle = false;
  job.options.inputs.pop_back();
  EXPECT_EQ(error_of([&] { sort(job.options); }), "sets are compared: name two inputs at least");
}

TEST(GroupInputs, CountsInputsOfJoinedStretches) {
  GroupInputs group;
  for (const std::uint64_t input : {2, 2, 5}) group.add(input);
  GroupInputs next;
  for (const std::uint64_t input : {5, 6}) next.add(input);
  group.append({});
  group.append(next);
  EXPECT_EQ(group.count, 3U);
  EXPECT_EQ(group.first, 2U);
  EXPECT_EQ(group.last, 6U);
}

}  // namespace
}  // namespace sortie
