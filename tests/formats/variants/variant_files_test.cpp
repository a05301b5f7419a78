// Files of BCF from one end to the other, without the sort between: with an index beside the output, and with each
// operation on files failing in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/genome_order.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "formats/variants/variant_format.hpp"
#include "io/output/open_output.hpp"
#include "io/output/packed_output.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie::formats::variants {
namespace {

using test::read_whole_file;
using test::write_whole_file;

constexpr int kLevel = 1;

/// A record without fields beside its alleles, "A" and "C".
std::vector<std::byte> bare_record(std::int32_t contig, std::int32_t position) {
  std::vector<std::byte> record(32);
  store_as(record.data() + 8, contig);
  store_as(record.data() + 12, position);
  store_as(record.data() + 16, std::int32_t{1});
  store_as(record.data() + 24, std::uint32_t{2U << 16});
  for (const unsigned byte : {0x17, 0x2e, 0x17, 0x41, 0x17, 0x43, 0x00}) record.push_back(static_cast<std::byte>(byte));
  store_as(record.data(), static_cast<std::uint32_t>(record.size() - 8));
  return record;
}

std::vector<std::byte> bcf_contents(const std::vector<std::vector<std::byte>>& records) {
  const std::string text =
      "##fileformat=VCFv4.2\n##contig=<ID=a>\n##contig=<ID=b>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n";
  std::string begin("BCF\2\2");
  begin.resize(9);
  store_as(begin.data() + 5, static_cast<std::uint32_t>(text.size() + 1));
  begin.append(text).push_back('\0');
  const auto bytes = std::as_bytes(std::span(begin));
  std::vector<std::byte> contents(bytes.begin(), bytes.end());
  for (const auto& record : records) contents.insert(contents.end(), record.begin(), record.end());
  return contents;
}

void write_bgzf(FileSystem& files, const std::string& path, std::span<const std::byte> contents) {
  const auto output = make_bgzf_output(open_output(files, path, kNotPacked), kLevel);
  output->write(contents);
  output->finish();
}

/// What a job does, without memory for its sort.
void sort_bcf(FileSystem& files, const std::string& input, const std::string& output, bool has_index) {
  SortOptions options;
  options.inputs = {input};
  options.output = output;
  FileFormatOptions asked;
  if (has_index) asked.settings = {{"index", ""}};
  const JobContext context{files, options, asked, 1 << 20, true, {}};
  const auto job = open(context);
  RawBytes records;
  while (job->read(records)) {
  }
  std::vector<std::vector<std::byte>> sorted;
  for_each_prefixed_record(
      records, [&](const std::byte* record, std::uint64_t bytes) { sorted.emplace_back(record, record + bytes); });
  const auto key_of = [](const std::vector<std::byte>& record) { return PrefixedParts(record).key; };
  std::ranges::stable_sort(
      sorted, [&](const auto& a, const auto& b) { return std::ranges::lexicographical_compare(key_of(a), key_of(b)); });
  for (const auto& record : sorted) job->write(record);
  EXPECT_EQ(job->records_read(), job->records_written());
  job->finish();
}

std::string refusal_of(FileSystem& files, const std::string& input, const std::string& output) {
  try {
    sort_bcf(files, input, output, false);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(VariantFiles, AreSortedByPlace) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  write_bgzf(*files, directory / "in.bcf", bcf_contents({bare_record(1, 4), bare_record(0, 9), bare_record(0, 2)}));
  sort_bcf(*files, directory / "in.bcf", directory / "out.bcf", true);
  write_bgzf(*files, directory / "expected.bcf",
             bcf_contents({bare_record(0, 2), bare_record(0, 9), bare_record(1, 4)}));
  sort_bcf(*files, directory / "expected.bcf", directory / "again.bcf", false);
  EXPECT_EQ(read_whole_file(directory / "out.bcf"), read_whole_file(directory / "again.bcf"));
  EXPECT_TRUE(directory.names().contains("out.bcf.csi"));
}

// A cluster plans and forms runs before it names the output, to the process that writes it.
TEST(VariantFiles, AreReadForAnIndexByProcessesThatKnowNoOutput) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  write_bgzf(*files, directory / "in.bcf", bcf_contents({bare_record(1, 4)}));
  SortOptions options;
  options.inputs = {directory / "in.bcf"};
  FileFormatOptions asked;
  asked.settings = {{"index", ""}};
  JobContext context{*files, options, asked, 1 << 20, true, {}};
  EXPECT_THROW(open(context), Error);
  context.output_is_known = false;
  RawBytes records;
  EXPECT_TRUE(open(context)->read(records));
}

TEST(VariantFiles, AreCalledAsVariantsAre) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  write_bgzf(*files, directory / "in.bcf", bcf_contents({bare_record(1, 4)}));
  SortOptions options;
  options.inputs = {directory / "in.bcf"};
  for (const char* const name : {"out.bam", "out.tar", "out.zip", "out.gz"}) {
    options.output = directory / name;
    EXPECT_THROW(sort_files(options, {.by_content = true}), Error) << name;
  }
  EXPECT_EQ(directory.names().size(), 1U);
}

TEST(VariantFiles, AreOfTheVersionsThatAreKnown) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  for (int version = 0; version <= 3; ++version) {
    std::vector<std::byte> contents = bcf_contents({bare_record(1, 4)});
    contents[4] = static_cast<std::byte>(version);
    write_bgzf(*files, directory / "in.bcf", contents);
    const bool is_known = version == 1 || version == 2;
    EXPECT_EQ(refusal_of(*files, directory / "in.bcf", directory / "out.bcf"),
              is_known ? "none"
                       : "input " + quote_path(directory / "in.bcf") +
                             ": the header at virtual offset 0:0 is none of BCF 2.1 or 2.2; get the file once more");
  }
}

// Lines are asked for, and no name says otherwise.
TEST(VariantFiles, BecomeLinesWhereTheseAreAskedFor) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  const std::string input = directory / "in.bcf";
  write_bgzf(*files, input, bcf_contents({bare_record(1, 4), bare_record(0, 9)}));
  SortOptions options;
  options.inputs = {input};
  options.format.text = genome_order(GenomeFile::kVcf, ChromosomeOrder::kUsual);
  for (const auto& [name, begin] :
       {std::pair{"out", "##fileformat=VCF"}, {"out.vcf", "##fileformat=VCF"}, {"out.bcf", "\x1f\x8b"}}) {
    options.output = directory / name;
    sort_files(options, {.by_content = true});
    EXPECT_TRUE(read_whole_file(options.output).starts_with(begin)) << name;
  }
  options.format.text = {};
  options.output = directory / "out";
  sort_files(options, {.by_content = true});
  EXPECT_TRUE(read_whole_file(options.output).starts_with("\x1f\x8b"));
}

TEST(VariantFiles, TellWhereADamagedRecordIs) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  const std::string input = directory / "in.bcf";
  const std::string output = directory / "out.bcf";
  const std::string begin = "input " + quote_path(input) + ": the record at virtual offset 0:";
  auto contents = bcf_contents({bare_record(0, 4), bare_record(7, 9)});
  const std::string place = std::to_string(contents.size() - bare_record(7, 9).size());
  write_bgzf(*files, input, contents);
  EXPECT_EQ(refusal_of(*files, input, output),
            begin + place + " names chromosome 7, which its header does not have; get the file once more");
  contents.resize(contents.size() - 3);
  write_bgzf(*files, input, contents);
  EXPECT_EQ(refusal_of(*files, input, output),
            begin + place + " is cut short: it has 36 of 39 bytes; get the file once more");
  contents.resize(contents.size() - 31);
  write_bgzf(*files, input, contents);
  EXPECT_EQ(refusal_of(*files, input, output),
            begin + place + " is cut short: it has 5 of 8 bytes; get the file once more");
  contents.resize(20);
  write_bgzf(*files, input, contents);
  EXPECT_NE(refusal_of(*files, input, output).find("the header at virtual offset 0:0 is cut short"), std::string::npos);
  EXPECT_FALSE(directory.names().contains("out.bcf"));
}

TEST(VariantFiles, TakeTheirPlacesWithTheirIndexOrNotAtAll) {
  const auto files = make_posix_file_system();
  const test::TemporaryDirectory directory;
  const std::string input = directory / "in.bcf";
  const std::string output = directory / "out.bcf";
  write_bgzf(*files, input, bcf_contents({bare_record(1, 4), bare_record(0, 9)}));
  sort_bcf(*files, input, directory / "whole.bcf", true);
  const std::string whole = read_whole_file(directory / "whole.bcf");
  const std::string whole_index = read_whole_file(directory / "whole.bcf.csi");
  for (const bool needs_names : {false, true}) {
    for (std::uint64_t first = 1;; ++first) {
      write_whole_file(output, "old");
      write_whole_file(output + ".csi", "old index");
      test::FaultyFileSystem faulty(*files, {.first = first, .needs_names = needs_names});
      std::string error;
      try {
        sort_bcf(faulty, input, output, true);
      } catch (const Error& thrown) {
        error = thrown.what();
      }
      const bool is_complete = test::output_is_complete(error);
      EXPECT_EQ(read_whole_file(output), is_complete ? whole : "old") << error;
      EXPECT_EQ(read_whole_file(output + ".csi"), is_complete ? whole_index : "old index") << error;
      EXPECT_EQ(directory.names().size(), 5U) << error;
      if (error.empty() && faulty.operations() < first) break;
    }
  }
}

}  // namespace
}  // namespace sortie::formats::variants
