// Options as a careless or hostile caller may fill them in. Each is followed, or refused with an Error and then the
// output stays as it was.
#include <gtest/gtest.h>
#include <sortie/sort_array.hpp>

#include <cstring>
#include <functional>
#include <limits>

#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

template <class Enumeration>
Enumeration beyond(Enumeration last, int by = 1) {
  return static_cast<Enumeration>(static_cast<int>(last) + by);
}

Format bare_format(RecordKind kind, std::uint64_t record_bytes) {
  Format format;
  format.kind = kind;
  format.record_bytes = record_bytes;
  return format;
}

struct Hostile {
  std::string name;
  std::function<void(SortOptions&)> spoil;
};

std::string with_nul(const std::string& path) { return path + std::string("\0tail", 5); }

// Options that must be refused, whatever the format of the records.
std::vector<Hostile> senseless() {
  const auto none = std::numeric_limits<std::uint64_t>::max();
  return {
      {"engine", [](SortOptions& o) { o.engine = beyond(EngineChoice::kCpu); }},
      {"engine 255", [](SortOptions& o) { o.engine = EngineChoice{255}; }},
      {"algorithm", [](SortOptions& o) { o.algorithm = beyond(Algorithm::kSplitRadix); }},
      {"compression", [](SortOptions& o) { o.compression = beyond(Compression::kZstd); }},
      {"progress", [](SortOptions& o) { o.progress = beyond(ProgressMode::kNever); }},
      {"level above", [](SortOptions& o) { o.compression_level = 20; }},
      {"level below", [](SortOptions& o) { o.compression_level = -8; }},
      {"least level", [](SortOptions& o) { o.compression_level = std::numeric_limits<int>::min(); }},
      {"output level of a plain file", [](SortOptions& o) { o.output_level = 1; }},
      {"output level above",
       [](SortOptions& o) {
         o.output += ".gz";
         o.output_level = 10;
       }},
      {"output level below",
       [](SortOptions& o) {
         o.output += ".zst";
         o.output_level = -1;
       }},
      {"output level of what is written as it is",
       [](SortOptions& o) {
         o.output += ".gz";
         o.output_level = 1;
         o.unpack = false;
       }},
      {"fan-in", [](SortOptions& o) { o.merge_fan_in = 1; }},
      {"memory", [](SortOptions& o) { o.memory_bytes = 1; }},
      {"negative device", [](SortOptions& o) { o.devices = {-1}; }},
      {"repeated device",
       [](SortOptions& o) {
         o.devices = {3, 3};
       }},
      {"input with NUL", [](SortOptions& o) { o.inputs[0] = with_nul(o.inputs[0]); }},
      {"later input with NUL", [](SortOptions& o) { o.inputs.push_back(with_nul(o.inputs[0])); }},
      {"output with NUL", [](SortOptions& o) { o.output = with_nul(o.output); }},
      {"scratch with NUL", [](SortOptions& o) { o.scratch_directories.push_back(with_nul("/tmp")); }},
      {"checkpoint with NUL", [](SortOptions& o) { o.checkpoint_directory = with_nul("/tmp"); }},
      {"trace with NUL", [](SortOptions& o) { o.trace_path = with_nul(o.output); }},
      {"statistics with NUL", [](SortOptions& o) { o.stats_json_path = with_nul(o.output); }},
      {"report page with NUL", [](SortOptions& o) { o.report_path = with_nul(o.output); }},
      {"compress program with NUL", [](SortOptions& o) { o.compress_program = with_nul("cat"); }},
      {"file in use with NUL", [](SortOptions& o) { o.protected_files.push_back(with_nul("/tmp")); }},
      {"dropped records with NUL",
       [](SortOptions& o) {
         o.unique = true;
         o.dropped_path = with_nul(o.output);
       }},
      {"dropped records alone", [](SortOptions& o) { o.dropped_path = o.output + ".dropped"; }},
      {"keep_best alone", [](SortOptions& o) { o.keep_best.emplace(); }},
      {"most_weight alone",
       [](SortOptions& o) {
         o.output += "-{}";
         o.parts.most_weight = 3;
       }},
      {"keep_last alone", [](SortOptions& o) { o.keep_last = true; }},
      {"records", [](SortOptions& o) { o.format.kind = beyond(RecordKind::kPrefixed); }},
      {"records of no bytes", [](SortOptions& o) { o.format = bare_format(RecordKind::kFixed, 0); }},
      {"array without field", [](SortOptions& o) { o.format = bare_format(RecordKind::kArray, 4); }},
      {"array with keys",
       [](SortOptions& o) {
         o.format = bare_format(RecordKind::kArray, 4);
         o.format.text.keys.resize(1);
       }},
      {"too many fields",
       [](SortOptions& o) {
         o.format = bare_format(RecordKind::kFixed, 8);
         o.format.fields.assign(kMaxFields + 1, parse_field("u8@0"));
       }},
      {"huge records", [=](SortOptions& o) { o.format = bare_format(RecordKind::kFixed, none); }},
      {"field beyond the end",
       [=](SortOptions& o) {
         o.format = bare_format(RecordKind::kFixed, 8);
         o.format.fields = {{FieldKind::kBytes, ByteOrder::kBig, none, 1, false}};
       }},
      {"field that wraps",
       [=](SortOptions& o) {
         o.format = bare_format(RecordKind::kFixed, 8);
         o.format.fields = {{FieldKind::kBytes, ByteOrder::kBig, 8, none - 7, false}};
       }},
      {"kind of field",
       [](SortOptions& o) {
         o.format = parsed("u32");
         o.format.fields[0].kind = beyond(FieldKind::kFloat);
       }},
      {"byte order",
       [](SortOptions& o) {
         o.format = parsed("u32");
         o.format.fields[0].byte_order = beyond(ByteOrder::kBig);
       }},
      {"number of three bytes",
       [](SortOptions& o) {
         o.format = bare_format(RecordKind::kArray, 3);
         o.format.fields = {{FieldKind::kUnsigned, ByteOrder::kLittle, 0, 3, false}};
       }},
      {"kind of key",
       [](SortOptions& o) {
         o.format.text.keys.resize(1);
         o.format.text.keys[0].kind = beyond(TextKind::kShare);
       }},
  };
}

TEST(HostileOptions, AreRefusedByEveryFunctionThatTakesThem) {
  for (const Hostile& hostile : senseless()) {
    SCOPED_TRACE(hostile.name);
    SortForTest job(parse_format("lines"), {"b\na\nd\nc\n"});
    write_whole_file(job.options.output, "before\n");
    const std::string output = job.options.output;
    hostile.spoil(job.options);
    EXPECT_NE(error_of([&] { sort(job.options); }), "");
    EXPECT_NE(error_of([&] { plan(job.options); }), "");
    EXPECT_NE(error_of([&] { check(job.options); }), "");
    EXPECT_NE(error_of([&] { narrow_devices(job.options); }), "");
    EXPECT_EQ(read_whole_file(output), "before\n");
    EXPECT_EQ(job.directory.names(), (std::set<std::string>{"input0", "output", "scratch"}));
  }
}

// Options that are odd but have a meaning.
std::vector<Hostile> odd() {
  const auto none = std::numeric_limits<std::uint64_t>::max();
  return {
      {"threads", [](SortOptions& o) { o.threads = std::numeric_limits<unsigned>::max(); }},
      {"more threads than count", [](SortOptions& o) { o.threads = kMostThreads + 1; }},
      {"fan-in", [=](SortOptions& o) { o.merge_fan_in = none; }},
      {"top", [=](SortOptions& o) { o.top_records = none; }},
      {"device memory", [=](SortOptions& o) { o.device_memory_bytes = none; }},
      {"device memory of a byte", [](SortOptions& o) { o.device_memory_bytes = 1; }},
      {"highest level", [](SortOptions& o) { o.compression_level = kHighestCompressionLevel; }},
      {"lowest level",
       [](SortOptions& o) {
         o.compression = Compression::kZstd;
         o.compression_level = kLowestCompressionLevel;
       }},
      {"no scratch that there is",
       [](SortOptions& o) {
         o.scratch_directories = {"", "/nonexistent"};
       }},
      {"key behind all lines",
       [](SortOptions& o) {
         constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();
         TextKey& key = o.format.text.keys.emplace_back();
         key.begin = {kFar, kFar, true};
         key.end = TextPosition{kFar, kFar, true};
       }},
      {"key that ends before it begins",
       [](SortOptions& o) {
         TextKey& key = o.format.text.keys.emplace_back();
         key.begin = {1, std::numeric_limits<std::size_t>::max(), false};
         key.end = TextPosition{};
       }},
  };
}

TEST(HostileOptions, ThatHaveAMeaningAreSortedWith) {
  for (const Hostile& hostile : odd()) {
    SCOPED_TRACE(hostile.name);
    SortForTest job(parse_format("lines"), {"b\na\nd\nc\n"});
    hostile.spoil(job.options);
    job.run();
    EXPECT_EQ(job.output(), "a\nb\nc\nd\n");
  }
}

// Whether these are refused or followed depends on the machine's memory.
TEST(HostileOptions, EndInNothingButErrorIfTheyAskForAllMemory) {
  for (const int shift : {0, 1, 16, 20}) {
    SortForTest job(parse_format("lines"), {"b\na\n"});
    job.options.memory_bytes = std::numeric_limits<std::uint64_t>::max() >> shift;
    try {
      job.run();
      EXPECT_EQ(job.output(), "a\nb\n");
    } catch (const Error&) {
      job.expect_no_scratch_files();
    }
  }
}

TEST(HostileArrays, AreRefusedWhereTheyDoNotLieAsNumbersDo) {
  ArrayOptions options;
  options.engine = EngineChoice::kCpu;
  alignas(8) std::byte memory[64] = {};
  const auto numbers_at = [&](std::size_t offset) {
    return std::span(reinterpret_cast<std::uint32_t*>(memory + offset), 4);
  };
  EXPECT_NE(error_of([&] { sort_array<std::uint32_t>(numbers_at(1), numbers_at(32), options); }), "");
  EXPECT_NE(error_of([&] { sort_array<std::uint32_t>(numbers_at(0), numbers_at(34), options); }), "");
  EXPECT_NE(error_of([&] { sort_array<std::uint32_t>(numbers_at(3), numbers_at(3), options); }), "");
  EXPECT_NE(error_of([&] { sort_array<std::uint32_t>(numbers_at(0), numbers_at(4), options); }).find("overlap"),
            std::string::npos);
  sort_array<std::uint32_t>(numbers_at(0), numbers_at(16), options);
  sort_array<std::uint32_t>(numbers_at(16), numbers_at(0), options);
}

TEST(HostileArrays, OptionsOutOfRangeAreRefused) {
  ArrayOptions options;
  options.engine = beyond(EngineChoice::kCpu);
  EXPECT_NE(error_of([&] { ArraySorter{options}; }), "");
  options.engine = EngineChoice::kCpu;
  options.devices = {-1};
  EXPECT_NE(error_of([&] { ArraySorter{options}; }), "");
  options.devices = {};
  options.threads = std::numeric_limits<unsigned>::max();
  std::vector<std::uint64_t> numbers = {3, 1, 2};
  sort_array<std::uint64_t>(numbers, numbers, options);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace sortie
