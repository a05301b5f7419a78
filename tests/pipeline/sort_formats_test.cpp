// Every format through the whole external path, against std::stable_sort.
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

std::vector<NamedFormat> formats() {
  std::vector<NamedFormat> all = common_formats();
  all.push_back({"WholeRecord", parsed("fixed:7")});
  all.push_back({"LongKey", parsed("fixed:500", {"bytes@0:400"})});
  all.push_back({"BytesAndUnsigned",
                 parsed("fixed:48", {"u8@0", "u16be@1:desc", "u32@3", "u64be@7", "bytes@15:9:desc", "u64@24"})});
  all.push_back({"SignedAndFloat",
                 parsed("fixed:64", {"i8@0:desc", "i16be@1", "f32@3", "i32@7:desc", "f64be@11", "i64@19"}, true)});
  for (const char* type : {"u32", "i32", "u64", "i64", "f32", "f64"}) {
    all.push_back({type, parsed(type)});
    all.push_back({std::string(type) + "Descending", parsed(type, {}, true)});
  }
  return all;
}

class SortFormats : public testing::TestWithParam<NamedFormat> {};

TEST_P(SortFormats, SpillAndMergeInSeveralPassesIntoAStableSort) {
  const Format& format = GetParam().format;
  const std::size_t record_bytes = format.kind == RecordKind::kLines ? 11 : format.record_bytes;
  for (const Distribution distribution : turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    std::string bytes = make_records(format, distribution, 1'000'000 / record_bytes);
    if (format.kind == RecordKind::kArray && format.fields[0].kind == FieldKind::kFloat) {
      bytes += record_bytes == 4 ? special_floats<float>(100) : special_floats<double>(100);
    }
    SortForTest job(format, {bytes});
    job.options.merge_fan_in = 2;
    const SortReport report = job.run();
    EXPECT_TRUE(job.output() == job.expected());
    expect_consistent(report, job);
    EXPECT_GT(report.runs_spilled, 2U);
    EXPECT_GE(report.merge_passes, 2U);
    EXPECT_EQ(report.run_bytes, bytes.size());
  }
}

// The engines do not take these numbers as they are.
TEST(SortFormatsOfArrays, ThatAreBigEndianOrShortAreSortedCheckedAndPlanned) {
  for (const char* type :
       turns_of({"u8", "i8", "u16", "i16", "u16be", "i16be", "u32be", "i32be", "u64be", "i64be", "f32be", "f64be"})) {
    SCOPED_TRACE(type);
    Format format;
    format.kind = RecordKind::kArray;
    format.fields = {parse_field(std::string(type) + "@0")};
    format.record_bytes = format.fields[0].length;
    for (const bool descending : {false, true}) {
      format.descending = descending;
      Format records = format;
      records.kind = RecordKind::kFixed;
      SortForTest job(format, {make_records(format, Distribution::kUniform, 30'000)});
      for (const bool verify : {true, false}) {
        job.options.verify = verify;
        job.run();
        EXPECT_TRUE(job.output() == stable_sorted(records, job.input()));
      }
      EXPECT_NE(plan(job.options), "");
      EXPECT_TRUE(check(job.options));
      job.options.inputs = {job.options.output};
      EXPECT_FALSE(check(job.options));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SortFormats, testing::ValuesIn(formats()),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace sortie
