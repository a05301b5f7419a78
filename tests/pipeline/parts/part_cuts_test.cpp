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
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using Records = std::vector<std::string>;
/// The number of the part of each record.
using Distributed = std::vector<std::size_t>;

struct Sample {
  ShownRecords shown;
  Records records;  ///< in order of their keys
  std::vector<std::string> keys;
  bool are_listed = false;  ///< their bytes do not say where they end

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
  if (kind == "prefixed") sample.shown.format = test::parsed("prefixed");
  if (kind == "listed") {
    sample.are_listed = true;
    sample.shown.format.text.keys = {parse_text_key("1.1,1.4")};
  }
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
    if (kind == "prefixed") record = std::string("\4\0\0\0\1\0\0\0", 8) + key + "p";
    if (kind == "listed") record = key + "\n" + std::string(random() % 30, '\n');
    sample.records.push_back(record);
    sample.keys.push_back(key);
  }
  return sample;
}

/// Records in frames as parts get them where bytes do not say their ends.
std::vector<std::byte> framed(std::span<const std::string> records) {
  std::vector<std::byte> text;
  for (const std::string& record : records) append_prefixed_record({}, as_bytes(record), text);
  return text;
}

/// Takes the records in pieces as they may come, and puts those that wait where they belong.
Distributed distribute(PartCuts& cuts, const Sample& sample, std::mt19937& random) {
  Distributed parts;
  std::size_t part = 0;
  std::size_t waiting = 0;
  for (std::size_t begin = 0; begin < sample.records.size();) {
    const std::size_t end = begin + 1 + random() % std::min<std::size_t>(20, sample.records.size() - begin);
    const std::span<const std::string> records = std::span(sample.records).subspan(begin, end - begin);
    std::string piece;
    for (const std::string& record : records) piece += record;
    const Layout layout = layout_of(sample.shown.format);
    const std::vector<std::byte> frames = framed(records);
    FramedRecords unframed;
    PartRecords rest = sample.are_listed ? unframed.unframe(frames) : PartRecords(layout, as_bytes(piece));
    EXPECT_TRUE(std::ranges::equal(rest.bytes(), as_bytes(piece)));
    while (!rest.empty()) {
      const PartTake take = cuts.take(rest);
      if (take.releases) parts.insert(parts.end(), std::exchange(waiting, 0), take.ends ? part + 1 : part);
      const auto taken = static_cast<std::size_t>(rest.first(take.bytes).count());
      if (take.holds) {
        waiting += taken;
      } else {
        parts.insert(parts.end(), taken, part);
      }
      part += take.ends ? 1 : 0;
      rest = rest.behind(take.bytes);
    }
    begin = end;
  }
  parts.insert(parts.end(), waiting, part);
  return parts;
}

/// Scatters record by record: `ends(i, part_begin)` says whether a part that began with record `part_begin` ends in
/// front of record i.
Distributed expected_parts(const Sample& sample, const std::function<bool(std::size_t, std::size_t)>& ends) {
  Distributed parts;
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

INSTANTIATE_TEST_SUITE_P(Formats, PartCutsTest,
                         testing::Values("lines", "csv", "fixed", "counted", "prefixed", "listed"),
                         [](const auto& format) { return std::string(format.param); });

TEST_P(PartCutsTest, EqualBytes) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t parts = 1 + random() % 20;
    const auto cuts = limit_equal_bytes(parts, sample.bytes());
    Distributed expected;
    for (std::size_t i = 0; i < sample.records.size(); ++i) {
      expected.push_back(static_cast<std::size_t>(bytes_between(sample, 0, i) * parts / sample.bytes()));
    }
    EXPECT_EQ(distribute(*cuts, sample, random), expected);
  });
}

TEST_P(PartCutsTest, EqualBytesOfWholeGroups) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t parts = 1 + random() % 20;
    PartKeys keys(sample.shown, false);
    const auto cuts = keep_groups_together(limit_equal_bytes(parts, sample.bytes()), keys);
    Distributed expected;
    for (std::size_t i = 0; i < sample.records.size(); ++i) {
      const auto share = static_cast<std::size_t>(bytes_between(sample, 0, i) * parts / sample.bytes());
      expected.push_back(repeats(sample, i) ? expected.back() : share);
    }
    EXPECT_EQ(distribute(*cuts, sample, random), expected);
  });
}

TEST_P(PartCutsTest, MostRecords) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t most = 1 + random() % 20;
    const auto cuts = limit_records(most);
    EXPECT_EQ(distribute(*cuts, sample, random),
              expected_parts(sample, [&](std::size_t i, std::size_t begin) { return i - begin == most; }));
  });
}

TEST_P(PartCutsTest, MostRecordsAndWholeGroups) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t most = 1 + random() % 20;
    PartKeys keys(sample.shown, false);
    const auto cuts = keep_groups_together(limit_records(most), keys);
    EXPECT_EQ(distribute(*cuts, sample, random), expected_parts(sample, [&](std::size_t i, std::size_t begin) {
                return i - begin >= most && !repeats(sample, i);
              }));
  });
}

TEST_P(PartCutsTest, MostBytes) {
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    const std::uint64_t header = random() % 10;
    const std::uint64_t most = 1 + random() % 300;
    const auto cuts = limit_bytes(most, header);
    EXPECT_EQ(distribute(*cuts, sample, random), expected_parts(sample, [&](std::size_t i, std::size_t begin) {
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
    EXPECT_EQ(distribute(*cuts, sample, random), expected_parts(sample, [&](std::size_t i, std::size_t begin) {
                return !repeats(sample, i) && header + bytes_between(sample, begin, end_of_group(i)) > most;
              }));
  });
}

TEST_P(PartCutsTest, ByKey) {
  const std::string kind = GetParam();
  if (kind == "fixed" || kind == "counted" || kind == "prefixed" || kind == "listed") return;
  for_random_samples([](const Sample& sample, std::mt19937& random) {
    PartKeys keys(sample.shown, true);
    const auto cuts = cut_by_key(keys);
    EXPECT_EQ(distribute(*cuts, sample, random),
              expected_parts(sample, [&](std::size_t i, std::size_t) { return !repeats(sample, i); }));
  });
}

/// The texts of a group's keys as they come beside it.
std::string key_texts(std::initializer_list<std::string> texts) {
  std::string all;
  for (const std::string& text : texts) all += static_cast<char>(text.size()) + text;
  return all;
}

TEST(PartKeys, OfGroupsAreThoseOfTheirTextsWhateverIsShown) {
  ShownRecords groups{.format = test::parsed("lines"), .are_groups = true};
  groups.format.text.keys = {parse_text_key("2,2n"), parse_text_key("1,1")};
  PartKeys keys(groups, true);
  keys.take(as_bytes(key_texts({"1.50", "a"})));
  EXPECT_TRUE(keys.repeats(as_bytes(key_texts({" 1.5", "b\tc"}))));
  EXPECT_FALSE(keys.repeats(as_bytes(key_texts({"1.51", "a"}))));
  groups.format.text.keys = std::vector<TextKey>(2);
  groups.format.text.keys[0].column = ".a";
  groups.format.text.keys[1].column = ".b";
  groups.format.text.json = true;
  PartKeys values(groups, true);
  values.take(as_bytes(key_texts({"\"x\\u0041\"", "1"})));
  EXPECT_TRUE(values.repeats(as_bytes(key_texts({"\"xA\"", "null"}))));
  EXPECT_FALSE(values.repeats(as_bytes(key_texts({"null", "1"}))));
  const std::vector<KeyText> texts = values.texts(as_bytes(key_texts({"\"x\\u0041\"", "null"})));
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].bytes, "xA");
  EXPECT_EQ(texts[1].type, JsonType::kMissing);
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
  ShownRecords entries{.format = test::parsed("lines")};
  entries.format.text.record_start = RecordStart("^a");
  EXPECT_EQ(texts(entries, "a 1\n x\n"), std::vector<std::string>{"a 1\n x"});
  entries.format.text.keys = {parse_text_key("2")};
  EXPECT_EQ(texts(entries, "a 1\n x\n"), std::vector<std::string>{" 1"});
  const ShownRecords prefixed{.format = test::parsed("prefixed")};
  EXPECT_EQ(texts(prefixed, std::string("\x02\0\0\0\x01\0\0\0kyp", 11)), std::vector<std::string>{"6b79"});
}

}  // namespace
}  // namespace sortie
