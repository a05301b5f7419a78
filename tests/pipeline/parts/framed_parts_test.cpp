// Parts of what bytes alone do not tell apart: entries of several lines, and groups with their keys.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sortie/grouping.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/parts/parts_support.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// Entries with up to three lines behind the first, in no order. All differ.
std::vector<std::string> some_entries() {
  std::vector<std::string> entries;
  for (unsigned i = 0; i < 3000; ++i) {
    const unsigned number = i * 7919 % 3000;
    std::string entry = "12:00 " + std::to_string(1000 + number % 300) + " " + std::to_string(number) + "\n";
    for (unsigned line = 0; line < number % 4; ++line) entry += "  at " + std::to_string(number) + "\n";
    entries.push_back(entry);
  }
  return entries;
}

/// The keys of the entries in a part.
std::set<std::string> keys_in(const std::string& part) {
  std::set<std::string> keys;
  for (std::size_t at = 0; (at = part.find("12:00 ", at)) != std::string::npos; ++at) keys.insert(part.substr(at, 10));
  return keys;
}

/// Two inputs, the second of which begins with lines without a first one.
std::vector<std::string> inputs_of_entries() {
  std::vector<std::string> inputs = {"", "  of an entry before\n"};
  const std::vector<std::string> entries = some_entries();
  for (std::size_t i = 0; i < entries.size(); ++i) inputs[i % 2] += entries[i];
  return inputs;
}

struct EntriesToSort : SortForTest {
  EntriesToSort() : SortForTest(parsed("lines"), inputs_of_entries()) {
    options.format.text.record_start = RecordStart("^12");
    options.format.text.keys = {parse_text_key("2,2")};
    options.format.text.last_resort = false;
  }
};

TEST(PartsOfEntries, AreCutBetweenEntriesEvenWithoutAFirstLine) {
  EntriesToSort job;
  job.run();
  const std::string expected = job.output();
  std::filesystem::remove(job.options.output);
  job.options.output = job.directory / "part-{:05d}";
  job.options.parts.most_records = 1;
  sort(job.options);
  const std::vector<std::string> parts = take_parts(job.directory);
  ASSERT_EQ(parts.size(), 3001U);
  std::string all;
  for (const std::string& part : parts) all += part;
  EXPECT_TRUE(all == expected);
  std::vector<std::string> entries = some_entries();
  entries.emplace_back("  of an entry before\n");
  EXPECT_TRUE(std::multiset<std::string>(parts.begin(), parts.end()) ==
              std::multiset<std::string>(entries.begin(), entries.end()));
}

TEST(PartsOfEntries, HoldTheBytesOfOneOutputHoweverTheyAreCut) {
  EntriesToSort job;
  job.run();
  const std::string expected = job.output();
  std::filesystem::remove(job.options.output);
  job.options.output = job.directory / "part-{:05d}";
  for (const Parts& way : {Parts{.count = 7}, Parts{.most_bytes = 5000}, Parts{.most_records = 200}}) {
    for (const bool together : {false, true}) {
      job.options.parts = way;
      job.options.parts.together = together;
      sort(job.options);
      std::string all;
      std::size_t key_count = 0;
      const std::vector<std::string> parts = take_parts(job.directory);
      EXPECT_GT(parts.size(), 4U);
      for (const std::string& part : parts) {
        all += part;
        EXPECT_TRUE(part.starts_with("12:00 ") || part.starts_with("  of an entry before\n"));
        key_count += keys_in(part).size();
      }
      EXPECT_TRUE(all == expected);
      EXPECT_TRUE(key_count == 300 || !together) << key_count;
    }
  }
}

TEST(PartsOfEntries, AreCutTheSameInTheOrderOfTheInputAndOfASample) {
  for (const OutputOrder order : {OutputOrder::kKeys, OutputOrder::kInput}) {
    EntriesToSort job;
    job.options.inputs.resize(1);
    job.options.output = job.directory / "part-{:05d}";
    job.options.parts.most_records = 1;
    job.options.output_order = order;
    job.options.sample_records = 1000;
    sort(job.options);
    const std::vector<std::string> parts = take_parts(job.directory);
    ASSERT_EQ(parts.size(), 1000U);
    for (const std::string& part : parts) EXPECT_EQ(part.find("\n12:00"), std::string::npos);
  }
}

/// Sales of 50 countries, as CSV.
std::string some_sales() {
  std::string text = "country,city,amount\n";
  for (unsigned i = 0; i < 6000; ++i) {
    text += "\"c,\n" + std::to_string(i * 7919 % 50) + "\",t" + std::to_string(i % 7) + "," + std::to_string(i) + "\n";
  }
  return text;
}

struct SalesToGroup : SortForTest {
  SalesToGroup() : SortForTest(parsed("lines"), {some_sales()}) {
    options.format.text.csv = true;
    options.format.text.separator = ",";
    options.format.text.keys = {parse_text_key("1,1"), parse_text_key("2,2r")};
    options.format.text.last_resort = false;
    options.header_lines = 1;
    options.grouping = Grouping{{parse_aggregate("count", options.format.text)}};
  }
};

TEST(PartsOfGroups, EachHaveTheHeaderAndTheKeysOfTheirGroups) {
  SalesToGroup job;
  job.options.output = job.directory / "part-{}";
  job.options.parts.by_first_key = true;
  job.options.parts.manifest_path = job.directory / "list";
  sort(job.options);
  EXPECT_EQ(read_whole_file(job.directory / "part-c,%0A7"),
            "country,city,count\n\"c,\n7\",t6,17\n\"c,\n7\",t5,17\n\"c,\n7\",t4,17\n\"c,\n7\",t3,18\n"
            "\"c,\n7\",t2,17\n\"c,\n7\",t1,17\n\"c,\n7\",t0,17\n");
  EXPECT_EQ(take_parts(job.directory).size(), 50U);
  const std::string list = read_whole_file(job.options.parts.manifest_path);
  EXPECT_NE(list.find(R"("first_key":["c,\n7","t6"],"last_key":["c,\n7","t0"])"), std::string::npos) << list;
  EXPECT_NE(list.find(R"("records":350,)"), std::string::npos) << list;
}

TEST(PartsOfGroups, HoldTheGroupsOfOneOutput) {
  const std::string header = "country,city,count\n";
  SalesToGroup job;
  job.run();
  const std::string expected = job.output();
  std::filesystem::remove(job.options.output);
  job.options.output = job.directory / "part-{:05d}";
  for (const Parts& way : {Parts{.count = 7}, Parts{.most_bytes = 500}, Parts{.most_records = 1}}) {
    for (const std::uint64_t top : {0U, 100U}) {
      job.options.parts = way;
      job.options.top_records = top;
      sort(job.options);
      const std::vector<std::string> parts = take_parts(job.directory);
      EXPECT_GT(parts.size(), 2U);
      std::string all = header;
      for (const std::string& part : parts) {
        EXPECT_TRUE(part.starts_with(header));
        all += part.substr(header.size());
      }
      if (top == 0) {
        EXPECT_TRUE(all == expected);
      } else {
        EXPECT_TRUE(expected.starts_with(all));
        EXPECT_EQ(std::ranges::count(all, '\n'), 201);  // the header, and two for each group
      }
    }
  }
}

TEST(PartsOfGroups, AreNotToldToKeepTogetherWhatIsOneRecord) {
  SalesToGroup job;
  job.options.output = job.directory / "part-{}";
  job.options.parts = {.most_records = 2, .together = true};
  const std::string message = error_of([&] { sort(job.options); });
  EXPECT_NE(message.find("group and together are incompatible"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie
