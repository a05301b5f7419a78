// Sorts whose records go to another sort: with their keys or positions in front, of every format.
#include <map>

#include <sortie/text_keys.hpp>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

using namespace test;

struct Passed {
  std::vector<std::string> keys;
  std::vector<std::string> payloads;

  std::string text() const {
    std::string all;
    for (const std::string& payload : payloads) all += payload;
    return all;
  }
};

Passed passed(const SortForTest& job, RecordForm form, std::uint64_t least_mapped_bytes = kLeastMappedBytes) {
  const auto files = make_posix_file_system();
  SortJob sort(*files, job.options, {}, {.form = form, .least_mapped_bytes = least_mapped_bytes});
  const SortReport report = sort.run();
  EXPECT_TRUE(report.verified);
  Passed passed;
  const std::string output = job.output();
  std::size_t bytes = 0;
  for (const PrefixedText& record : read_prefixed(output)) {
    passed.keys.emplace_back(record.key);
    passed.payloads.emplace_back(record.raw.substr(8 + record.key.size()));
    bytes += record.raw.size();
  }
  EXPECT_EQ(bytes, output.size());
  return passed;
}

struct FormCase {
  std::string name;
  Format format;
  std::string text;
  bool unique = false;
};

Format quoted(bool descending) {
  Format format = parsed("lines");
  format.text.csv = true;
  format.text.separator = ',';
  format.text.keys.push_back(parse_text_key(descending ? "2nr" : "2n"));
  return format;
}

std::string quoted_lines() {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "\"a\nb\"\"" + std::to_string(i) + "\"," + std::to_string(i * 37 % 500) + "\n";
  return text;
}

std::vector<FormCase> form_cases() {
  std::vector<FormCase> all;
  for (const bool unique : {false, true}) {
    for (const bool descending : {false, true}) {
      for (const char* const word : {"lines", "u32", "f64", "fixed:12"}) {
        Format format = parsed(word, {}, descending);
        if (format.kind == RecordKind::kFixed) format.fields = {parse_field("u8@3:desc"), parse_field("i16@5")};
        all.push_back({word, format, make_records(format, Distribution::kFewValued, 3000), unique});
      }
      all.push_back({"prefixed", parsed("prefixed", {}, descending), random_prefixed(2000, 1), unique});
      all.push_back({"csv", quoted(descending), quoted_lines(), unique});
    }
  }
  for (const LineOrder& order : kOrdersOfEveryKind) {
    all.push_back({"lines with keys", format_of(order), lines_with_fields(5000), order.unique});
  }
  return all;
}

TEST(SortForms, KeysOrderAsTheOutputAndAreEqualWhereDuplicatesAre) {
  for (const FormCase& item : form_cases()) {
    for (const std::uint64_t memory_bytes : {kMinMemoryBytes, std::uint64_t{64} << 20}) {
      SCOPED_TRACE(item.name + (item.unique ? " unique " : " ") + (item.format.descending ? "descending " : "") +
                   std::to_string(memory_bytes));
      SortForTest job(item.format, {item.text});
      job.options.unique = item.unique;
      job.options.memory_bytes = memory_bytes;
      const Passed keyed = passed(job, RecordForm::kKeyed, 1);
      job.run();
      ASSERT_TRUE(keyed.text() == job.output());
      EXPECT_TRUE(std::ranges::is_sorted(keyed.keys));
      if (item.unique) continue;
      std::string firsts;
      for (std::size_t i = 0; i < keyed.keys.size(); ++i) {
        if (i == 0 || keyed.keys[i] != keyed.keys[i - 1]) firsts += keyed.payloads[i];
      }
      job.options.unique = true;
      job.run();
      const Layout layout = layout_of(item.format);
      EXPECT_EQ(count_records(layout, as_bytes(firsts)), count_records(layout, as_bytes(job.output())));
    }
  }
}

TEST(SortForms, PlacesBringRecordsBackInTheirOrder) {
  for (const FormCase& item : form_cases()) {
    for (const std::uint64_t least_mapped_bytes : {std::uint64_t{1}, std::uint64_t{1} << 30}) {
      SCOPED_TRACE(item.name + (item.unique ? " unique " : " ") + (item.format.descending ? "descending " : "") +
                   std::to_string(least_mapped_bytes));
      SortForTest job(item.format, {item.text});
      job.options.unique = item.unique;
      if (least_mapped_bytes == 1) job.options.memory_bytes = 64 << 20;
      const Passed placed = passed(job, RecordForm::kPositioned, least_mapped_bytes);
      std::map<std::string, std::string> by_position;
      for (std::size_t i = 0; i < placed.keys.size(); ++i) {
        EXPECT_EQ(placed.keys[i].size(), 8U);
        by_position[placed.keys[i]] += placed.payloads[i];
      }
      EXPECT_EQ(by_position.size(), placed.keys.size());
      std::string text;
      for (const auto& [position, payload] : by_position) text += payload;
      EXPECT_TRUE(item.unique || text == job.input());
    }
  }
}

TEST(SortForms, TheFirstOfEqualRecordsHasTheLeastPlace) {
  SortForTest job(parsed("lines"), {"b\na\n", "b\nc\na"});
  job.options.unique = true;
  const Passed first = passed(job, RecordForm::kPositioned);
  EXPECT_EQ(first.keys,
            (std::vector<std::string>{{"\0\0\0\0\0\0\0\2", 8}, {"\0\0\0\0\0\0\0\0", 8}, {"\0\0\0\0\0\0\0\6", 8}}));
  job.options.keep_last = true;
  const Passed last = passed(job, RecordForm::kPositioned);
  EXPECT_EQ(last.text(), "a\nb\nc\n");
  EXPECT_EQ(last.keys,
            (std::vector<std::string>{{"\0\0\0\0\0\0\0\x8", 8}, {"\0\0\0\0\0\0\0\4", 8}, {"\0\0\0\0\0\0\0\6", 8}}));
}

TEST(SortForms, PlacesOfMergedInputsAscendFromInputToInput) {
  SortForTest job(parsed("lines"), {"a\nc\n", "a\nb\n", "c\nd\n"});
  job.options.merge_only = true;
  const Passed placed = passed(job, RecordForm::kPositioned);
  EXPECT_EQ(placed.text(), "a\na\nb\nc\nc\nd\n");
  EXPECT_LT(placed.keys[0], placed.keys[3]);
  EXPECT_LT(placed.keys[3], placed.keys[1]);
  EXPECT_LT(placed.keys[2], placed.keys[4]);
}

TEST(SortForms, CountsAreShownInThePayload) {
  SortForTest job(parsed("lines"), {"b\na\nb\n"});
  job.options.count = true;
  EXPECT_EQ(passed(job, RecordForm::kPositioned).text(), "      1 a\n      2 b\n");
  EXPECT_EQ(passed(job, RecordForm::kKeyed).text(), "      1 a\n      2 b\n");
}

TEST(SortForms, TheHeaderHasAnEmptyKey) {
  SortForTest job(parsed("lines"), {"name\nb\na\n"});
  job.options.header_lines = 1;
  for (const RecordForm form : {RecordForm::kKeyed, RecordForm::kPositioned}) {
    const Passed found = passed(job, form);
    EXPECT_EQ(found.text(), "name\na\nb\n");
    EXPECT_EQ(found.keys[0], "");
    EXPECT_NE(found.keys[1], "");
  }
}

}  // namespace
}  // namespace sortie
