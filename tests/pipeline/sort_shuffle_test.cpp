// Whole shuffles: of every format, whatever the memory, and with every order equally likely.
#include <algorithm>
#include <cmath>
#include <map>

#include "pipeline/record_stream_support.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

Format shuffled(Format format, std::string_view seed = "seed") {
  format.shuffle = true;
  if (format.kind != RecordKind::kArray) format.fields.clear();
  format.text.random_seed = seed_of_text(seed);
  return format;
}

Format quoted_format() {
  Format format = parse_format("lines");
  format.text.csv = true;
  format.text.separator = ',';
  return format;
}

std::multiset<std::string> multiset_of(const Format& format, const std::string& bytes) {
  std::multiset<std::string> records;
  for_each_record(layout_of(format), as_bytes(bytes), [&](const std::byte* record, std::uint64_t stored) {
    records.emplace(reinterpret_cast<const char*>(record), stored);
  });
  return records;
}

std::string quoted_text() {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i) + ",\"a\nb\"\"" + std::string(i % 50, 'x') + "\"\n";
  return text;
}

struct ShuffleCase {
  const char* name;
  Format format;
  std::string text;
};

std::vector<ShuffleCase> shuffle_cases() {
  std::vector<ShuffleCase> all;
  for (const char* const word : {"lines", "gensort", "u32", "f64"}) {
    const Format format = parsed(word);
    all.push_back({word, format, make_records(format, Distribution::kUniform, 30'000)});
  }
  all.push_back({"prefixed", parsed("prefixed"), random_prefixed(20'000, 1)});
  all.push_back({"csv", quoted_format(), quoted_text()});
  return all;
}

std::string shuffled_in_memory(const Format& format, const std::string& text, const std::string& seed) {
  std::string output;
  SortOptions options;
  options.format = shuffled(format, seed);
  options.source = source_of(text, text.size());
  options.sink = sink_to(output);
  options.engine = EngineChoice::kCpu;
  options.memory_bytes = kMinMemoryBytes;
  options.threads = 1;
  sort(options);
  return output;
}

TEST(SortShuffle, GivesTheSameOrderWhateverTheMemoryAndThreads) {
  for (const ShuffleCase& item : turns_of(shuffle_cases())) {
    SCOPED_TRACE(item.name);
    std::string first;
    for (const std::uint64_t memory_bytes : {std::uint64_t{256} << 20, std::uint64_t{1} << 20, kMinMemoryBytes}) {
      for (const unsigned threads : {1U, 3U}) {
        SortForTest job(shuffled(item.format), {item.text});
        job.options.memory_bytes = memory_bytes;
        job.options.threads = threads;
        const SortReport report = job.run();
        EXPECT_TRUE(report.verified);
        if (first.empty()) first = job.output();
        EXPECT_TRUE(job.output() == first) << memory_bytes << " bytes, " << threads << " threads";
      }
    }
    EXPECT_FALSE(first == item.text);
    EXPECT_TRUE(multiset_of(item.format, first) == multiset_of(item.format, item.text));
  }
}

TEST(SortShuffle, GivesTheSameOrderOfFilesAndOfTheirConcatenation) {
  const std::string text = make_records(parsed("lines"), Distribution::kUniform, 5000);
  const std::size_t middle = text.find('\n', text.size() / 2) + 1;
  SortForTest whole(shuffled(parsed("lines")), {text});
  SortForTest halves(shuffled(parsed("lines")), {text.substr(0, middle), text.substr(middle)});
  whole.run();
  halves.run();
  EXPECT_TRUE(whole.output() == halves.output());
}

TEST(SortShuffle, KeepsEqualRecordsApart) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += i % 2 == 0 ? "a\n" : "b\n";
  SortForTest job(shuffled(parsed("lines")), {text});
  job.run();
  const std::string output = job.output();
  int changes = 0;
  for (std::size_t i = 2; i < output.size(); i += 2) changes += output[i] != output[i - 2];
  EXPECT_NEAR(changes, 500, 120);
}

TEST(SortShuffle, DrawsASampleOfTheFirstRecords) {
  const std::string text = make_records(parsed("lines"), Distribution::kUniform, 5000);
  SortForTest all(shuffled(parsed("lines")), {text});
  SortForTest some(shuffled(parsed("lines")), {text});
  some.options.top_records = 17;
  all.run();
  some.run();
  EXPECT_EQ(std::ranges::count(some.output(), '\n'), 17);
  EXPECT_TRUE(all.output().starts_with(some.output()));
}

TEST(SortShuffle, KeepsTheHeaderInFront) {
  for (const std::uint64_t memory_bytes : {std::uint64_t{64} << 20, kMinMemoryBytes}) {
    SortForTest job(shuffled(quoted_format()), {"name,text\n" + quoted_text()});
    job.options.header_lines = 1;
    job.options.memory_bytes = memory_bytes;
    job.run();
    EXPECT_TRUE(job.output().starts_with("name,text\n"));
  }
}

// Pearson's test with 23 degrees of freedom: a fair shuffle exceeds 60 once in 25,000 seeds' worth of runs. The seeds
// are fixed, so the test always gives the same.
TEST(SortShuffle, MakesEveryOrderOfFourRecordsEquallyOften) {
  for (const char* const word : {"lines", "u32"}) {
    const std::string text = word == std::string("lines") ? "a\nb\nc\nd\n" : "aaaabbbbccccdddd";
    std::map<std::string, int> orders;
    constexpr int kSeeds = 2400;
    for (int seed = 0; seed < kSeeds; ++seed) {
      ++orders[shuffled_in_memory(parsed(word), text, std::to_string(seed))];
    }
    EXPECT_EQ(orders.size(), 24U);
    double chi_square = 0;
    for (const auto& [order, count] : orders) chi_square += std::pow(count - kSeeds / 24.0, 2) / (kSeeds / 24.0);
    EXPECT_LT(chi_square, 60) << word;
  }
}

// Each record is at each position equally often: 50 x 50 counts, 49 * 49 = 2401 degrees of freedom.
TEST(SortShuffle, BringsEveryRecordToEveryPlaceEquallyOften) {
  constexpr int kRecords = 50, kSeeds = 1000;
  std::string text;
  for (int i = 0; i < kRecords; ++i) text.append(1, static_cast<char>('!' + i)).append("\n");
  std::vector<int> counts(kRecords * kRecords);
  for (int seed = 0; seed < kSeeds; ++seed) {
    const std::string output = shuffled_in_memory(parsed("lines"), text, std::to_string(seed));
    for (int position = 0; position < kRecords; ++position)
      ++counts[(output[2 * position] - '!') * kRecords + position];
  }
  constexpr double kExpected = double{kSeeds} / kRecords;
  double chi_square = 0;
  for (const int count : counts) chi_square += std::pow(count - kExpected, 2) / kExpected;
  EXPECT_NEAR(chi_square, 2401, 5 * std::sqrt(2 * 2401));
}

TEST(SortShuffle, RefusesWhatWouldOrder) {
  const auto refuses = [](const auto& change, const std::string& part) {
    SortForTest job(shuffled(parsed("lines")), {"b\na\n"});
    change(job.options);
    try {
      sort(job.options);
      ADD_FAILURE() << "sorted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refuses([](SortOptions& options) { options.format.text.keys.emplace_back(); }, "neither keys nor a direction");
  refuses([](SortOptions& options) { options.format.descending = true; }, "neither keys nor a direction");
  refuses([](SortOptions& options) { options.format.text.locale = true; }, "neither keys nor a direction");
  refuses([](SortOptions& options) { options.unique = true; }, "shuffle and unique are incompatible");
  refuses([](SortOptions& options) { options.count = true; }, "shuffle and count are incompatible");
  refuses([](SortOptions& options) { options.merge_only = true; }, "shuffle and merge are incompatible");
  SortForTest job(shuffled(parsed("lines")), {"b\na\n"});
  EXPECT_THROW(check(job.options), Error);
}

}  // namespace
}  // namespace sortie
