// The job of all formats, with BAM: what comes out is what went in, in order, whatever the memory; what is wrong is
// refused with its place, and the output stays as it was.
#include <sortie/file_format_shards.hpp>
#include <sortie/file_formats.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "formats/alignments/alignment_order.hpp"
#include "formats/bgzf/block_reader.hpp"
#include "formats/registry.hpp"
#include "support/alignment_data.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using formats::alignments::AlignmentOrder;
using formats::alignments::AlignmentRecord;
using formats::alignments::BamHeader;
using testing::HasSubstr;
using Records = std::vector<std::vector<std::byte>>;

BamHeader usual_header() { return test::header_of("@HD\tVN:1.6\n", {{"a", 1 << 20}, {"b", 1 << 16}, {"c", 500}}); }

Records random_records(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Records records;
  for (std::size_t i = 0; i < count; ++i) {
    const auto reference = static_cast<std::int32_t>(random() % 4) - 1;
    records.push_back(test::record_of({.name = "r" + std::to_string(random() % 1000),
                                       .reference = reference,
                                       .position = reference < 0 ? -1 : static_cast<std::int32_t>(random() % 400),
                                       .flag = static_cast<std::uint16_t>(random() % 2 == 0 ? 0x10 : 0),
                                       .tags = std::string("NMC", 3) + static_cast<char>(random() % 100),
                                       .bases = static_cast<std::uint32_t>(random() % 300)}));
  }
  return records;
}

Records read_records(const std::string& path) {
  const auto files = make_posix_file_system();
  formats::BlockReader reader(files->open_input(path), 4);
  RawBytes contents;
  while (reader.read(contents)) {
  }
  BamHeader header;
  std::size_t at = read_bam_header(
      path, contents, [] { return false; }, header);
  Records records;
  while (at < contents.size()) {
    const std::size_t bytes = 4 + load_as<std::uint32_t>(contents.data() + at);
    records.emplace_back(contents.begin() + static_cast<std::ptrdiff_t>(at),
                         contents.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    at += bytes;
  }
  return records;
}

Records sorted(Records records, std::string_view order) {
  const formats::alignments::KeyMaker keys(formats::alignments::parse_order(order), usual_header());
  std::ranges::stable_sort(records, {}, [&](const std::vector<std::byte>& record) {
    std::vector<std::byte> key;
    keys.append(AlignmentRecord(record), key);
    return key;
  });
  return records;
}

class SortFiles : public testing::Test {
 protected:
  SortOptions options(std::uint64_t memory_bytes = 64 << 20) const {
    SortOptions asked;
    asked.inputs = {in_};
    asked.output = out_;
    asked.memory_bytes = memory_bytes;
    asked.threads = 2;
    asked.scratch_directories = {directory_.path().string()};
    return asked;
  }

  /// What the sort of the file refuses it with. The output is as it was then.
  std::string refusal(const FileFormatOptions& format = {.format = "bam"}) const {
    test::write_whole_file(out_, "as it was");
    const auto names = directory_.names();
    std::string message;
    try {
      sort_files(options(), format);
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(test::read_whole_file(out_), "as it was");
    EXPECT_EQ(directory_.names(), names);
    return message;
  }

  const test::TemporaryDirectory directory_;
  const std::string in_ = directory_ / "in.bam";
  const std::string out_ = directory_ / "out.bam";
};

TEST_F(SortFiles, SortsInMemoryAndWithRuns) {
  const Records records = random_records(20'000, 1);
  test::write_bam(in_, usual_header(), records);
  for (const char* const order : {"coordinate", "name", "ascii-name", "tag:NM", "template"}) {
    for (const std::uint64_t memory_bytes : {64 << 20, 1 << 20}) {
      const SortReport report = sort_files(options(memory_bytes), {.settings = {{"by", order}}});
      EXPECT_EQ(report.output_records, records.size());
      EXPECT_EQ(read_records(out_), sorted(records, order)) << order << " in " << memory_bytes;
    }
  }
}

// More than are put side by side for the output at once.
TEST_F(SortFiles, WritesLongRecordsAmongShortOnes) {
  Records records = random_records(3000, 5);
  for (int i = 0; i < 3; ++i) {
    const auto position = static_cast<std::int32_t>(100 * i);
    records.insert(records.begin() + 900 * i,
                   test::record_of({.name = "long", .reference = 1, .position = position, .bases = 3'000'000}));
  }
  test::write_bam(in_, usual_header(), records);
  sort_files(options(128 << 20), {.settings = {{"index", ""}}});
  EXPECT_EQ(read_records(out_), sorted(records, "coordinate"));
}

// The sort in the middle knows no total.
TEST_F(SortFiles, TellsHowFarTheInputsAreRead) {
  test::write_bam(in_, usual_header(), random_records(20'000, 6));
  const std::uint64_t total = std::filesystem::file_size(in_);
  std::vector<std::uint64_t> done;
  std::set<std::string> phases;
  SortOptions asked = options(1 << 20);
  asked.inputs = {in_, in_};
  asked.watch = [&](const Progress& progress) {
    phases.emplace(progress.phase);
    if (progress.phase != "reading") return;
    EXPECT_EQ(progress.total_bytes, 2 * total);
    done.push_back(progress.done_bytes);
  };
  sort_files(asked, {});
  EXPECT_TRUE(phases.contains("merging"));
  ASSERT_FALSE(done.empty());
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_EQ(done.back(), 2 * total);
  // Some share of them has been read before the end: the header's, at least.
  EXPECT_LT(done.front(), 2 * total);
}

TEST_F(SortFiles, ReplacesItsInput) {
  const Records records = random_records(100, 2);
  test::write_bam(in_, usual_header(), records);
  SortOptions asked = options();
  asked.output = in_;
  sort_files(asked, {});
  EXPECT_EQ(read_records(in_), sorted(records, "coordinate"));
}

TEST_F(SortFiles, TakesFilesWithoutRecords) {
  test::write_bam(in_, usual_header(), {});
  EXPECT_EQ(sort_files(options(), {.settings = {{"index", ""}}}).output_records, 0U);
  EXPECT_TRUE(read_records(out_).empty());
  EXPECT_TRUE(directory_.names().contains("out.bam.bai"));
}

TEST_F(SortFiles, LeavesOtherFilesToASortOfLines) {
  SortOptions asked = options();
  asked.inputs = {directory_ / "words"};
  asked.output = directory_ / "lines";
  test::write_whole_file(asked.inputs.front(), "b\na\n");
  sort_files(asked, {});
  EXPECT_EQ(test::read_whole_file(asked.output), "a\nb\n");
  try {
    sort_files(asked, {.settings = {{"by", "name"}}});
    ADD_FAILURE() << "lines are ordered by name";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--by is for files of a format"));
  }
}

TEST_F(SortFiles, TakesFilesThatAreCalledSoForTheFormat) {
  test::write_whole_file(in_, "no BAM");
  EXPECT_THAT(refusal({}), HasSubstr("in.bam"));
  EXPECT_THAT(refusal({}), HasSubstr("is no block of BGZF"));
}

TEST_F(SortFiles, SaysWhereAFileIsDamaged) {
  test::write_bam(in_, usual_header(), random_records(5'000, 3));
  const std::string whole = test::read_whole_file(in_);
  test::write_whole_file(in_, whole.substr(0, whole.size() - 28));
  EXPECT_THAT(refusal(), HasSubstr("cut short at offset " + std::to_string(whole.size() - 28)));
  test::write_whole_file(in_, whole.substr(0, whole.size() / 2));
  EXPECT_THAT(refusal(), HasSubstr("cut short at offset " + std::to_string(whole.size() / 2)));
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
  test::write_whole_file(in_, damaged);
  EXPECT_THAT(refusal(), HasSubstr("is damaged: the block of BGZF at offset "));
  test::write_whole_file(in_, "no blocks at all");
  EXPECT_THAT(refusal(), HasSubstr("what stands at offset 0 is no block of BGZF"));
}

TEST_F(SortFiles, SaysWhichRecordCannotBe) {
  const auto message = [&](std::size_t offset, auto number) {
    Records records = random_records(3, 4);
    store_as(records[2].data() + offset, number);
    test::write_bam(in_, usual_header(), records);
    return refusal();
  };
  EXPECT_THAT(message(0, std::uint32_t{10}), HasSubstr("virtual offset 0:"));
  EXPECT_THAT(message(0, std::uint32_t{10}), HasSubstr("its length is 10, and 32 is the least"));
  EXPECT_THAT(message(0, std::uint32_t{1 << 20}), HasSubstr("the file ends within it"));
  EXPECT_THAT(message(0, std::uint32_t{0x7fffffff}), HasSubstr("its length is 2147483647"));
  EXPECT_THAT(message(4, std::int32_t{3}), HasSubstr("its reference is number 3 of 3"));
  EXPECT_THAT(message(24, std::int32_t{-2}), HasSubstr("the reference of its mate is number -2 of 3"));
  EXPECT_THAT(message(8, std::int32_t{-2}), HasSubstr("its position is -2"));
  EXPECT_THAT(message(12, std::uint8_t{0}), HasSubstr("its name has no end"));
  EXPECT_THAT(message(16, std::uint16_t{0xffff}), HasSubstr("name, CIGAR and sequence take"));
  EXPECT_THAT(message(20, std::int32_t{-5}), HasSubstr("its sequence would have -5 bases"));
}

TEST_F(SortFiles, RefusesOptionsThatMakeNoSense) {
  test::write_bam(in_, usual_header(), random_records(3, 5));
  SortOptions asked = options();
  asked.unique = true;
  EXPECT_THROW(sort_files(asked, {}), Error);
  EXPECT_THROW(sort_files(options(), {.settings = {{"shards", "3"}}}), Error);
  EXPECT_THROW(sort_files(options(), {.format = "bum"}), Error);
  EXPECT_THAT(refusal({.settings = {{"by", "size"}}}), HasSubstr("known are coordinate"));
  EXPECT_THAT(refusal({.settings = {{"by", "name"}, {"index", ""}}}),
              HasSubstr("--index needs the order by coordinate"));
}

// The module is beside the command, and not beside the tests.
TEST_F(SortFiles, RefusesACigarThatDoesNotFitItsSequence) {
  const auto message = [&](std::uint16_t flag, std::vector<std::uint32_t> cigar) {
    test::write_bam(in_, usual_header(), {test::record_of({.flag = flag, .cigar = std::move(cigar), .bases = 4})});
    return refusal();
  };
  constexpr std::uint32_t kMatch = 0;
  constexpr std::uint32_t kDeletion = 2;
  EXPECT_THAT(message(0, {5 << 4 | kMatch}), HasSubstr("its CIGAR is of 5 bases, and its sequence has 4"));
  const auto is_taken = [&](std::uint16_t flag, std::vector<std::uint32_t> cigar) {
    test::write_bam(in_, usual_header(), {test::record_of({.flag = flag, .cigar = std::move(cigar), .bases = 4})});
    return sort_files(options(), {}).output_records == 1;
  };
  EXPECT_TRUE(is_taken(0, {4 << 4 | kMatch, 9 << 4 | kDeletion}));
  EXPECT_TRUE(is_taken(formats::alignments::kUnmapped, {5 << 4 | kMatch}));
  EXPECT_TRUE(is_taken(0, {}));
}

TEST_F(SortFiles, ChecksTheOrder) {
  const Records records = sorted(random_records(5'000, 6), "coordinate");
  test::write_bam(in_, usual_header(), records);
  EXPECT_FALSE(check_files(options(), {}));
  const auto by_name = check_files(options(), {.settings = {{"by", "name"}}});
  ASSERT_TRUE(by_name);
  EXPECT_EQ(by_name->input, in_);
  Records swapped = records;
  std::swap(swapped.front(), swapped.back());
  test::write_bam(in_, usual_header(), swapped);
  const auto found = check_files(options(), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record, 2U);
}

TEST_F(SortFiles, SaysThatHeadersDifferInTheLengthOfAReference) {
  const std::string other = directory_ / "other.bam";
  test::write_bam(in_, test::header_of("@HD\tVN:1.6\n", {{"a", 100}}), {});
  test::write_bam(other, test::header_of("@HD\tVN:1.6\n", {{"a", 200}}), {});
  SortOptions asked = options();
  asked.inputs.push_back(other);
  std::vector<std::string> warnings;
  asked.warn = [&](const Warning& warning) { warnings.push_back(warning.message); };
  sort_files(asked, {});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings.front(), HasSubstr("has 100 bases in one header and 200 in another"));
  asked.strict = true;
  EXPECT_THROW(sort_files(asked, {}), Error);
}

// A merge changes tags, and so drops those of groups that no header has.
TEST_F(SortFiles, TellsOfLostTagsOfAllInputsOnce) {
  const auto read = test::record_of({.tags = std::string("RGZx\0", 5)});
  const auto header = test::header_of("@HD\tVN:1.6\n", {{"a", 100}});
  SortOptions asked = options();
  asked.inputs.clear();
  for (const char* const name : {"1.bam", "2.bam", "3.bam"}) {
    asked.inputs.push_back(directory_ / name);
    test::write_bam(asked.inputs.back(), header, name[0] == '1' ? Records{} : Records{read, read});
  }
  std::vector<std::string> warnings;
  asked.warn = [&](const Warning& warning) { warnings.push_back(warning.message); };
  const SortReport report = sort_files(asked, {});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings.front(),
              HasSubstr("4 tags RG or PG name nothing in the headers of their inputs, the first in "));
  EXPECT_THAT(warnings.front(), HasSubstr("2.bam"));
  ASSERT_EQ(report.assumptions.size(), 1U);
  EXPECT_EQ(report.assumptions.front().count, 4U);
  asked.strict = true;
  try {
    sort_files(asked, {});
    ADD_FAILURE() << "a strict sort drops tags";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("would have to assume something: 2 tags RG or PG"));
  }
}

// Processes that share the inputs learn so before they form runs.
TEST_F(SortFiles, RefusesReferencesThatAreTooLongForTheIndexWhereverItIsAsked) {
  test::write_bam(in_, test::header_of("@HD\tVN:1.6\n", {{"a", (1U << 29) + 1}}), {});
  const FileFormatOptions indexed{.format = "bam", .settings = {{"index", ""}}};
  EXPECT_THAT(refusal(indexed), HasSubstr("has 536870913 bases, and an index of kind bai has places for 2^29"));
  ShardRequest request;
  request.directory = directory_ / "runs";
  try {
    form_files_shard(options(), indexed, request);
    ADD_FAILURE() << "runs are formed for an output that cannot be";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("an index of kind bai has places for 2^29"));
  }
  EXPECT_EQ(sort_files(options(), {.settings = {{"index", "csi"}}}).output_records, 0U);
}

TEST_F(SortFiles, HasNoOrderOfTheLocale) {
  const Records records = random_records(100, 4);
  test::write_bam(in_, usual_header(), records);
  SortOptions asked = options();
  asked.format.text.locale = true;
  asked.format.text.keys.emplace_back();
  sort_files(asked, {});
  EXPECT_EQ(read_records(out_), sorted(records, "coordinate"));
  asked.format.text.keys.front().kind = TextKind::kNumber;
  try {
    sort_files(asked, {});
    ADD_FAILURE() << "keys of lines were taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the inputs are files of bam: leave it out"));
  }
}

TEST_F(SortFiles, ShufflesWithoutAClaimOfOrder) {
  const Records records = random_records(500, 5);
  test::write_bam(in_, usual_header(), records);
  SortOptions asked = options();
  asked.format.shuffle = true;
  asked.format.text.random_seed.emplace();
  sort_files(asked, {});
  Records shuffled = read_records(out_);
  EXPECT_NE(shuffled, records);
  EXPECT_TRUE(std::ranges::is_permutation(shuffled, records));
  EXPECT_THAT(
      std::string(
          formats::alignments::AlignmentOrder{formats::alignments::OrderKind::kShuffled, ""}.header_tags().sort_order),
      "unsorted");
}

TEST_F(SortFiles, NamesTheRemedyIfTheModuleIsMissing) {
  test::write_whole_file(in_, "@HD\tVN:1.6\n@SQ\tSN:a\tLN:9\n");
  const std::string message = refusal({});
  if (message.empty()) GTEST_SKIP() << "the module is installed in the folder of libraries";
  EXPECT_THAT(message, HasSubstr("a SAM file needs htslib, and the genomes module libsortie_genomes.so is neither"));
  EXPECT_THAT(message, HasSubstr("install the package sortie-genomes"));
}

TEST_F(SortFiles, PlansWithoutWriting) {
  test::write_bam(in_, usual_header(), random_records(3, 6));
  EXPECT_THAT(plan_files(options(), {}), testing::StartsWith("alignments: 1 file with 3 references, by coordinate"));
  EXPECT_EQ(directory_.names(), (std::set<std::string>{"in.bam"}));
}

TEST(Registry, HasTheFormatsThatTheInterfaceNames) {
  std::string names;
  for (const formats::FileFormat& format : formats::registry()) {
    names.append(names.empty() ? "" : " ").append(format.name);
  }
  std::string known(kFileFormats);
  for (std::string* const words : {&names, &known}) std::ranges::sort(*words);
  EXPECT_EQ(names, known);
}

}  // namespace
}  // namespace sortie
