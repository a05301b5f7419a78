// Whole sorts whose output is cut into parts: the concatenation is what one output would be, and what fails leaves
// either all parts or none.
#include <sys/resource.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "pipeline/parts/parts_support.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

std::string random_input(const Format& format) {
  if (format.kind != RecordKind::kPrefixed) return make_records(format, Distribution::kZipf, 6000);
  std::string records;
  for (unsigned i = 0; i < 6000; ++i) {
    const std::string key = std::to_string(i * 7919 % 500);
    records += std::string{static_cast<char>(key.size()), 0, 0, 0, 1, 0, 0, 0} + key + "p";
  }
  return records;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

std::vector<Parts> ways_to_cut(const Format& format) {
  std::vector<Parts> ways = {{.count = 7}, {.most_bytes = 30'000}, {.most_records = 2000}};
  for (const Parts& way : std::vector<Parts>(ways)) {
    ways.push_back(way);
    ways.back().together = !format.shuffle;
  }
  return ways;
}

void expect_same_bytes_in_parts(const Format& format, const std::function<void(SortOptions&)>& set_up) {
  SortForTest job(format, {random_input(format), random_input(format)});
  set_up(job.options);
  job.run();
  const std::string expected = job.output();
  std::filesystem::remove(job.options.output);
  const std::set<std::string> names = job.directory.names();
  job.options.output = job.directory / "part-{:05d}";
  for (const Parts& way : ways_to_cut(format)) {
    job.options.parts = way;
    job.options.parts.manifest_path = job.directory / "part-list";
    sort(job.options);
    std::filesystem::remove(job.options.parts.manifest_path);
    const std::vector<std::string> parts = take_parts(job.directory);
    EXPECT_TRUE(joined(parts) == expected);
    EXPECT_TRUE(parts.size() > 1 || expected.size() < 30'000);
    EXPECT_TRUE(way.count == 0 || parts.size() == way.count);
    EXPECT_EQ(job.directory.names(), names);
  }
}

TEST(SortParts, HoldTheBytesOfOneOutput) {
  for (const char* const word : turns_of({"lines", "gensort", "fixed:7", "u32", "f64", "prefixed"})) {
    SCOPED_TRACE(word);
    expect_same_bytes_in_parts(parsed(word), [](SortOptions&) {});
    expect_same_bytes_in_parts(parsed(word), [](SortOptions& options) { options.unique = true; });
    expect_same_bytes_in_parts(parsed(word), [](SortOptions& options) { options.top_records = 3000; });
  }
  Format shuffled = parsed("lines");
  shuffled.shuffle = true;
  shuffled.text.random_seed.emplace();
  expect_same_bytes_in_parts(shuffled, [](SortOptions&) {});
  Format keyed = parsed("lines");
  keyed.text.keys = {parse_text_key("1.1,1.3")};
  expect_same_bytes_in_parts(keyed, [](SortOptions&) {});
  expect_same_bytes_in_parts(keyed, [](SortOptions& options) { options.count = true; });
  expect_same_bytes_in_parts(keyed, [](SortOptions& options) { options.verify = false; });
}

TEST(SortParts, OfLinesAreCutTheSameWherePipesAndLastLinesDiffer) {
  const std::string text = random_input(parsed("lines"));
  const std::string cut = text.substr(0, text.size() - 1);
  std::vector<std::vector<std::string>> found;
  for (const std::string& contents : {text, cut}) {
    for (const bool is_source : {false, true}) {
      SortForTest job(parsed("lines"), {contents});
      job.options.output = job.directory / "part-{:05d}";
      job.options.parts.count = 11;
      if (is_source) {
        job.options.inputs.clear();
        job.options.source = [at = std::size_t{0}, &contents](std::span<std::byte> target) mutable {
          const std::size_t bytes = std::min(target.size(), contents.size() - at);
          std::memcpy(target.data(), contents.data() + at, bytes);
          at += bytes;
          return bytes;
        };
      }
      sort(job.options);
      found.push_back(take_parts(job.directory));
    }
  }
  for (const auto& parts : found) EXPECT_TRUE(parts == found.front());
}

TEST(SortParts, FilesOfValuesAreOpenOneAtATime) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::to_string(i * 7919 % 500) + "\n";
  SortForTest job(parsed("lines"), {text});
  job.options.format.text.keys = {parse_text_key("1,1")};
  job.options.output = job.directory / "part-{}";
  job.options.parts.by_first_key = true;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit less = before;
  less.rlim_cur = 60;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &less), 0);
  EXPECT_NO_THROW(sort(job.options));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(read_whole_file(job.directory / "part-17"), "17\n");
  EXPECT_EQ(take_parts(job.directory).size(), 500U);
}

/// Sorts into parts, of which one is there already, while operations fail.
void expect_all_or_none(const std::string& output, const Parts& parts, std::uint64_t least_operations) {
  const auto files = make_posix_file_system();
  SortForTest job(parsed("lines"), {make_records(parsed("lines"), Distribution::kZipf, 6000)});
  job.options.format.text.keys = {parse_text_key("1.1,1.1")};
  job.options.output = job.directory / output;
  job.options.parts = parts;
  job.options.parts.manifest_path = job.directory / "part-list";
  write_whole_file(job.directory / "part-1.gz", "as it was");
  const auto contents = [&] {
    std::map<std::string, std::string> all;
    for (const std::string& name : job.directory.names()) {
      if (name != "scratch") all[name] = read_whole_file(job.directory / name);
    }
    return all;
  };
  const auto before = contents();
  std::map<std::string, std::string> after;
  std::uint64_t operations = 0;
  const auto run = [&](std::uint64_t first) {
    FaultPlan plan;
    plan.first = first;
    plan.error_number = first % 2 == 0 ? EIO : ENOSPC;
    FaultyFileSystem faulty(*files, plan);
    std::string error;
    with_threads(2, [&] {
      try {
        SortJob(faulty, job.options, {}).run();
      } catch (const Error& thrown) {
        error = thrown.what();
      }
    });
    operations = faulty.operations();
    return error;
  };
  ASSERT_EQ(run(FaultPlan::kNever), "");
  after = contents();
  const std::uint64_t all_operations = operations;
  EXPECT_GT(all_operations, least_operations);
  const auto restore = [&] {
    for (const std::string& name : job.directory.names()) {
      if (name != "scratch" && !before.contains(name)) std::filesystem::remove(job.directory / name);
    }
    for (const auto& [name, bytes] : before) write_whole_file(job.directory / name, bytes);
  };
  const std::uint64_t step = std::max<std::uint64_t>(1, all_operations * turn_step() / 20);
  for (std::uint64_t first = 1 + first_turn(static_cast<std::size_t>(step)); first <= all_operations; first += step) {
    restore();
    const std::string error = run(first);
    SCOPED_TRACE("operation " + std::to_string(first) + ": " + error);
    EXPECT_TRUE(contents() == (output_is_complete(error) ? after : before));
    job.expect_no_scratch_files();
    EXPECT_EQ(error.find('\n'), std::string::npos);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SortParts, AreAllThereOrNoneIfAnythingFails) {
  expect_all_or_none("part-{}.gz", {.count = 4}, 40);
  expect_all_or_none("part-{}.gz", {.most_bytes = 20'000, .together = true}, 40);
  expect_all_or_none("part-{}", {.by_first_key = true}, 40);
}

TEST(SortParts, ComeInTheOrderOfTheInputAndOfASample) {
  const std::string text = make_records(parsed("lines"), Distribution::kZipf, 6000);
  for (const Parts& parts : {Parts{.count = 5}, Parts{.most_bytes = 5000}, Parts{.most_records = 100}}) {
    for (const bool draws_sample : {false, true}) {
      SortForTest whole(parsed("lines"), {"header\n" + text});
      whole.options.header_lines = 1;
      whole.options.unique = true;
      whole.options.output_order = OutputOrder::kInput;
      if (draws_sample) whole.options.sample_records = 3000;
      whole.options.sample_seed.emplace();
      SortOptions in_parts = whole.options;
      in_parts.output = whole.directory / "part-{:04}";
      in_parts.parts = parts;
      whole.run();
      sort(in_parts);
      std::string all = "header\n";
      const std::vector<std::string> found = take_parts(whole.directory);
      for (const std::string& part : found) {
        EXPECT_TRUE(part.starts_with("header\n"));
        all += part.substr(7);
      }
      EXPECT_GT(found.size(), 1U);
      EXPECT_TRUE(all == whole.output());
    }
  }
}

TEST(SortParts, AreFilesAndCutInOneWay) {
  const auto refusal = [](const std::function<void(SortOptions&)>& set_up) {
    SortForTest job(parsed("lines"), {"a\n"});
    job.options.output = job.directory / "part-{}";
    job.options.parts.count = 2;
    set_up(job.options);
    const std::set<std::string> names = job.directory.names();
    const std::string message = error_of([&] { sort(job.options); });
    EXPECT_EQ(job.directory.names(), names);
    return message;
  };
  const auto contains = [](const std::string& message, const char* words) {
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  contains(refusal([](SortOptions& options) { options.output = "-"; }), "parts are files");
  contains(refusal([](SortOptions& options) {
             options.output = "-";
             options.sink = [](std::span<const std::byte>) {};
           }),
           "parts are files");
  contains(refusal([](SortOptions& options) { options.parts.most_bytes = 9; }), "are incompatible");
  contains(refusal([](SortOptions& options) { options.parts.count = kMostParts + 1; }), "ask for fewer");
  contains(refusal([](SortOptions& options) { options.parts = {.together = true}; }), "together needs split, ");
  contains(refusal([](SortOptions& options) { options.parts = {.by_first_key = true}; }), "lines with keys");
  contains(refusal([](SortOptions& options) {
             options.format.shuffle = true;
             options.parts.together = true;
           }),
           "a shuffle has no keys");
  contains(refusal([](SortOptions& options) { options.parts.manifest_path = options.inputs[0]; }), "input0");
  contains(refusal([](SortOptions& options) {
             options.unique = true;
             options.output_order = OutputOrder::kInput;
             options.parts.together = true;
           }),
           "parts go by keys where one sort is all");
  contains(refusal([](SortOptions& options) {
             options.sample_records = 9;
             options.parts.manifest_path = "list";
           }),
           "without a manifest");
}

}  // namespace
}  // namespace sortie
