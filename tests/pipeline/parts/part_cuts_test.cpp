// Where parts end, against the plainest way to find that out, however the records come.
#include "pipeline/parts/part_cuts.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sortie/text_keys.hpp>

#include "pipeline/pipeline_support.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using Records = std::vector<std::string>;
/// The number of the part of each record.
using Dealt = std::vector<std::size_t>;

struct Sample {
  ShownRecords shown;
  Records records;  ///< in order of their keys
  std::vector<std::string> keys;

  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const std::string& record : records) sum += record.size();
    return sum;
  }
};

Sample random_sample(const std::string& kind, std::mt19937& random) {
  Sample sample;
  sample.shown.format = kind == "fixed" ? test::parsed("fixed:8") : test::parsed("lines");
  if (kind == "fixed") sample.shown.format.fields = {parse_field("bytes@0:4")};
  if (kind == "csv") {
    sample.shown.format.text.csv = true;
    sample.shown.format.text.separator = ',';
    sample.shown.format.text.keys = {parse_text_key("1,1")};
  }
  if (kind == "lines") sample.shown.format.text.keys = {parse_text_key("1,1")};
  if (kind == "counted") sample.shown.are_counted = true;
  sample.shown.may_disagree = random() % 4 == 0;
  const std::size_t count = random() % 60;
  const std::size_t values = 1 + random() % 30;
  std::vector<std::size_t> numbers(count);
  for (std::size_t& number : numbers) number = random() % values;
  std::ranges::sort(numbers);
  for (const std::size_t number : numbers) {
    const std::string key = std::to_string(1000 + number);
    std::string record = key;
    if (kind == "fixed") record += std::to_string(1000 + random() % 9000);
    if (kind == "lines") record += " " + std::string(random() % 20, 'x') + "\n";
    if (kind == "csv") record += ",\"a\nb" + std::string(random() % 30, 'y') + "\"\"\n\",z\n";
    if (kind == "counted") record = "      1 " + key + "\n";
    sample.records.push_back(record);
    sample.keys.push_back(key);
  }
  return sample;
}

/// Takes the records in pieces as they may come, and puts those that wait where they belong.
Dealt deal(PartCuts& cuts, const Sample& sample, std::mt19937& random) {
  Dealt parts;
  std::size_t part = 0;
  std::size_t waiting = 0;
  for (std::size_t begin = 0; begin < sample.records.size();) {
    const std::size_t end = begin + 1 + random() % std::min<std::size_t>(20, sample.records.size() - begin);
    std::string piece;
    for (std::size_t i = begin; i < end; ++i) piece += sample.records[i];
    std::span<const std::byte> rest = as_bytes(piece);
    while (!rest.empty()) {
      const PartTake take = cuts.take(rest);
      if (take.releases) parts.insert(parts.end(), std::exchange(waiting, 0), take.ends ? part + 1 : part);
      const std::size_t records = count_records(layout_of(sample.shown.format), rest.first(take.bytes));
      if (take.holds) {
        waiting += records;
      } else {
        parts.insert(parts.end(), records, part);
      }
      part += take.ends ? 1 : 0;
      rest = rest.subspan(take.bytes);
    }
    begin = end;
  }
  parts.insert(parts.end(), waiting, part);
  return parts;
}

/// Deals record by record: `ends(i, part_begin)` says whether a part that began with record `part_begin` ends in front
/// of record i.
Dealt expected_parts(const Sample& sample, const std::function<bool(std::size_t, std::size_t)>& ends) {
  Dealt parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < sample.records.size(); ++i) {
    const bool is_new = i > 0 && ends(i, begin);
    if (is_new) begin = i;
    parts.push_back(i == 0 ? 0 : parts.back() + (is_new ? 1 : 0));
  }
  return parts;
}

bool repeats(const Sample& sample, std::size_t i) { return i > 0 && sample.keys[i] == sample.keys[i - 1]; }

std::uint64_t bytes_between(const Sample& sample, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += sample.records[i].size();
  return sum;
}

class PartCutsTest : public testing::TestWithParam<const char*> {
 protected:
  template <class Check>
  void for_random_samples(const Check& check) {
    for (unsigned seed = 0; seed < 200; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      std::mt19937 random(seed);
      check(random_sample(GetParam(), random), random);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Formats, PartCutsTest, testing::Values("lines", "csv", "fixed", "counted"),
                         [](const auto& format) { return std::string(format.param); });

TEST_P(PartCutsTest, EqualBytes) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t parts = 1 + random() % 20;
    const auto cuts = limit_equal_bytes(layout_of(sample.shown.format), parts, sample.bytes());
    Dealt expected;
    for (std::size_t i = 0; i < sample.records.size(); ++i) {
      expected.push_back(static_cast<std::size_t>(bytes_between(sample, 0, i) * parts / sample.bytes()));
    }
    EXPECT_EQ(deal(*cuts, sample, random), expected);
  });
}

TEST_P(PartCutsTest, EqualBytesOfWholeGroups) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t parts = 1 + random() % 20;
    PartKeys keys(sample.shown, false);
    const auto cuts =
        keep_groups_together(limit_equal_bytes(layout_of(sample.shown.format), parts, sample.bytes()), keys);
    Dealt expected;
    for (std::size_t i = 0; i < sample.records.size(); ++i) {
      const auto share = static_cast<std::size_t>(bytes_between(sample, 0, i) * parts / sample.bytes());
      expected.push_back(repeats(sample, i) ? expected.back() : share);
    }
    EXPECT_EQ(deal(*cuts, sample, random), expected);
  });
}

TEST_P(PartCutsTest, MostRecords) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t most = 1 + random() % 20;
    const auto cuts = limit_records(layout_of(sample.shown.format), most);
    EXPECT_EQ(deal(*cuts, sample, random),
              expected_parts(sample, [&](std::size_t i, std::size_t begin) { return i - begin == most; }));
  });
}

TEST_P(PartCutsTest, MostRecordsAndWholeGroups) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t most = 1 + random() % 20;
    PartKeys keys(sample.shown, false);
    const auto cuts = keep_groups_together(limit_records(layout_of(sample.shown.format), most), keys);
    EXPECT_EQ(deal(*cuts, sample, random), expected_parts(sample, [&](std::size_t i, std::size_t begin) {
                return i - begin >= most && !repeats(sample, i);
              }));
  });
}

TEST_P(PartCutsTest, MostBytes) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t header = random() % 10;
    const std::uint64_t most = 1 + random() % 300;
    const auto cuts = limit_bytes(layout_of(sample.shown.format), most, header);
    EXPECT_EQ(deal(*cuts, sample, random), expected_parts(sample, [&](std::size_t i, std::size_t begin) {
                return header + bytes_between(sample, begin, i + 1) > most;
              }));
  });
}

TEST_P(PartCutsTest, MostBytesOfWholeGroups) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t header = random() % 10;
    const std::uint64_t most = 1 + random() % 600;
    PartKeys keys(sample.shown, false);
    const auto cuts = limit_bytes_of_groups(keys, most, header);
    const auto end_of_group = [&](std::size_t i) {
      do ++i;
      while (i < sample.records.size() && repeats(sample, i));
      return i;
    };
    EXPECT_EQ(deal(*cuts, sample, random), expected_parts(sample, [&](std::size_t i, std::size_t begin) {
                return !repeats(sample, i) && header + bytes_between(sample, begin, end_of_group(i)) > most;
              }));
  });
}

TEST_P(PartCutsTest, ByKey) {
  if (std::string(GetParam()) == "fixed" || std::string(GetParam()) == "counted") return;
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    PartKeys keys(sample.shown, true);
    const auto cuts = cut_by_key(keys);
    EXPECT_EQ(deal(*cuts, sample, random),
              expected_parts(sample, [&](std::size_t i, std::size_t) { return !repeats(sample, i); }));
  });
}

TEST(PartKeys, TellTheirTextsAsTheyStandInTheRecord) {
  const auto texts = [](const ShownRecords& shown, const std::string& record) {
    std::vector<std::string> found;
    for (const KeyText& text : PartKeys(shown, false).texts(as_bytes(record))) found.push_back(text.bytes);
    return found;
  };
  ShownRecords lines{.format = test::parsed("lines")};
  EXPECT_EQ(texts(lines, "a b\n"), std::vector<std::string>{"a b"});
  lines.format.text.keys = {parse_text_key("2,2n"), parse_text_key("1,1")};
  EXPECT_EQ(texts(lines, "a 1x\n"), (std::vector<std::string>{" 1x", "a"}));
  lines.are_counted = true;
  EXPECT_EQ(texts(lines, "     12 a 1x\n"), (std::vector<std::string>{" 1x", "a"}));
  const ShownRecords prefixed{.format = test::parsed("prefixed")};
  EXPECT_EQ(texts(prefixed, std::string("\x02\0\0\0\x01\0\0\0kyp", 11)), std::vector<std::string>{"6b79"});
}

}  // namespace
}  // namespace sortie
