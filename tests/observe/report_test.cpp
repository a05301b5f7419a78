#include <sortie/report.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sortie {
namespace {

SortReport spilled_sort() {
  SortReport report;
  report.engine = "cpu";
  report.input_records = 10'000'000;
  report.input_bytes = 1'000'000'000;
  report.output_records = 10'000'000;
  report.output_bytes = 1'000'000'000;
  report.verified = true;
  report.checksum = {0xabc, 0x4c48};
  report.runs = 6;
  report.runs_spilled = 4;
  report.merge_passes = 1;
  report.windows = 12;
  report.run_bytes = 1'000'000'000;
  report.stored_bytes = 850'000'000;
  report.scratch_peak_bytes = 700'000'000;
  report.memory_budget_bytes = 200'000'000;
  report.formation_seconds = 1.5;
  report.merge_seconds = 0.5;
  report.elapsed_seconds = 2;
  report.stages = {{"read", 1'000'000'000, 0.5}, {"write output", 1'000'000'000, 0}};
  return report;
}

TEST(ReportText, IsATableForPeople) {
  EXPECT_EQ(to_text(spilled_sort()),
            "engine     cpu\n"
            "input      10000000 records, 1.00 GB\n"
            "output     10000000 records, 1.00 GB\n"
            "checksum   0000000000004c480000000000000abc\n"
            "memory     200 MB\n"
            "runs       6 formed, 4 of them on disk\n"
            "stored     1.00 GB kept as 850 MB (85%), scratch space at most 700 MB\n"
            "merge      passes 1, windows 12\n"
            "time       2.000 s (500 MB/s): runs formed in 1.500 s, merged in 0.500 s\n"
            "  stage              bytes          busy          rate\n"
            "  read             1.00 GB       0.500 s     2.00 GB/s\n"
            "  write output     1.00 GB       0.000 s             -\n");
}

TEST(ReportText, LeavesOutWhatDidNotHappen) {
  SortReport report;
  report.engine = "gpu";
  report.device_budget_bytes = 2'000'000'000;
  EXPECT_EQ(to_text(report),
            "engine     gpu\n"
            "input      0 records, 0 B\n"
            "output     0 records, 0 B\n"
            "checksum   not compared\n"
            "memory     0 B\n"
            "device     2.00 GB on each GPU\n"
            "runs       0 formed, 0 of them on disk\n"
            "merge      passes 0, windows 0\n"
            "time       0.000 s (-): runs formed in 0.000 s, merged in 0.000 s\n");
}

TEST(ReportJson, HasEveryNumberUnderItsName) {
  const nlohmann::json json = nlohmann::json::parse(to_json(spilled_sort()));
  EXPECT_EQ(json["engine"], "cpu");
  EXPECT_EQ(json["input_records"], 10'000'000);
  EXPECT_EQ(json["input_bytes"], 1'000'000'000);
  EXPECT_EQ(json["output_records"], 10'000'000);
  EXPECT_EQ(json["output_bytes"], 1'000'000'000);
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["checksum"], "0000000000004c480000000000000abc");
  EXPECT_EQ(json["runs"], 6);
  EXPECT_EQ(json["runs_spilled"], 4);
  EXPECT_EQ(json["merge_passes"], 1);
  EXPECT_EQ(json["windows"], 12);
  EXPECT_EQ(json["run_bytes"], 1'000'000'000);
  EXPECT_EQ(json["stored_bytes"], 850'000'000);
  EXPECT_EQ(json["scratch_peak_bytes"], 700'000'000);
  EXPECT_EQ(json["memory_budget_bytes"], 200'000'000);
  EXPECT_EQ(json["device_budget_bytes"], 0);
  EXPECT_EQ(json["formation_seconds"], 1.5);
  EXPECT_EQ(json["merge_seconds"], 0.5);
  EXPECT_EQ(json["elapsed_seconds"], 2.0);
  EXPECT_EQ(json["stages"][0], (nlohmann::json{{"name", "read"}, {"bytes", 1'000'000'000}, {"busy_seconds", 0.5}}));
  EXPECT_EQ(json["stages"].size(), 2u);
  EXPECT_EQ(json.size(), 20u);
}

TEST(ReportJson, KeepsNumbersOf64Bits) {
  SortReport report;
  report.input_bytes = UINT64_MAX;
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["input_bytes"].get<std::uint64_t>(), UINT64_MAX);
}

}  // namespace
}  // namespace sortie
