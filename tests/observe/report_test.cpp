#include <sortie/report.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sortie {
namespace {

SortReport spilled_sort() {
  SortReport report;
  report.engine = "cpu";
  report.engine_reason = "asked for";
  report.device_failure = "out of memory";
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
  report.memory_peak_bytes = 180'000'000;
  report.start_seconds = 0.25;
  report.formation_seconds = 1.5;
  report.merge_seconds = 0.5;
  report.elapsed_seconds = 2;
  report.phases = {{"starting", 0.25, {}}, {"forming runs", 1.5, {{"reading", 1'000'000'000, 0.9, 0.6}}}};
  report.resources = {{"output writing", 1'000'000'000, 1.22, 0.61}, {"reading", 1'000'000'000, 0.4, 0.2}};
  report.stages = {{"read", 1'000'000'000, 0.5}, {"write", 1'000'000'000, 0}};
  return report;
}

TEST(ReportText, SaysWhatWasTakenOver) {
  SortReport report = spilled_sort();
  report.runs_resumed = 3;
  EXPECT_NE(to_text(report).find("on disk\ncheckpoint 3 of the runs taken over\nstored"), std::string::npos);
}

TEST(ReportText, IsATableForPeople) {
  EXPECT_EQ(to_text(spilled_sort()),
            "engine     cpu: asked for\n"
            "input      10000000 records, 1.00 GB\n"
            "output     10000000 records, 1.00 GB\n"
            "checksum   0000000000004c480000000000000abc\n"
            "memory     budget 200 MB, peak of the process 180 MB\n"
            "runs       6 formed, 4 of them on disk\n"
            "stored     1.00 GB kept as 850 MB (1.18 to 1), scratch space at most 700 MB\n"
            "merge      passes 1, windows 12\n"
            "time       2.000 s (500 MB/s): started in 0.250 s, runs formed in 1.500 s, merged in 0.500 s\n"
            "bottleneck output writing, busy 61% of the time\n"
            "\n"
            "  phase                         time  share  of its busiest resource\n"
            "  starting                   0.250 s     0%  -\n"
            "  forming runs               1.500 s    60%  reading\n"
            "\n"
            "  resource                      busy  share       bytes         speed\n"
            "  output writing             1.220 s    61%     1.00 GB      820 MB/s\n"
            "  reading                    0.400 s    20%     1.00 GB     2.50 GB/s\n"
            "\n"
            "  stage, all threads            work              bytes    per thread\n"
            "  read                       0.500 s            1.00 GB     2.00 GB/s\n"
            "  write                      0.000 s            1.00 GB             -\n");
}

TEST(ReportText, LeavesOutWhatDidNotHappen) {
  SortReport report;
  report.engine = "gpu";
  report.device_budget_bytes = 2'000'000'000;
  report.devices = 2;
  EXPECT_EQ(to_text(report),
            "engine     gpu\n"
            "input      0 records, 0 B\n"
            "output     0 records, 0 B\n"
            "checksum   not compared\n"
            "memory     budget 0 B, peak of the process 0 B\n"
            "GPU memory 2.00 GB on each of 2\n"
            "runs       0 formed, 0 of them on disk\n"
            "merge      passes 0, windows 0\n"
            "time       0.000 s (-): started in 0.000 s, runs formed in 0.000 s, merged in 0.000 s\n");
}

TEST(ReportJson, HasEveryNumberUnderItsName) {
  const nlohmann::json json = nlohmann::json::parse(to_json(spilled_sort()));
  EXPECT_EQ(json["engine"], "cpu");
  EXPECT_EQ(json["engine_reason"], "asked for");
  EXPECT_EQ(json["device_failure"], "out of memory");
  EXPECT_EQ(json["input_records"], 10'000'000);
  EXPECT_EQ(json["input_bytes"], 1'000'000'000);
  EXPECT_EQ(json["output_records"], 10'000'000);
  EXPECT_EQ(json["output_bytes"], 1'000'000'000);
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["checksum"], "0000000000004c480000000000000abc");
  EXPECT_EQ(json["runs"], 6);
  EXPECT_EQ(json["runs_spilled"], 4);
  EXPECT_EQ(json["runs_resumed"], 0);
  EXPECT_EQ(json["merge_passes"], 1);
  EXPECT_EQ(json["windows"], 12);
  EXPECT_EQ(json["run_bytes"], 1'000'000'000);
  EXPECT_EQ(json["stored_bytes"], 850'000'000);
  EXPECT_EQ(json["scratch_peak_bytes"], 700'000'000);
  EXPECT_EQ(json["memory_budget_bytes"], 200'000'000);
  EXPECT_EQ(json["memory_peak_bytes"], 180'000'000);
  EXPECT_EQ(json["device_budget_bytes"], 0);
  EXPECT_EQ(json["devices"], 0);
  EXPECT_NEAR(json["compression_ratio"].get<double>(), 1.1765, 1e-4);
  EXPECT_EQ(json["start_seconds"], 0.25);
  EXPECT_EQ(json["formation_seconds"], 1.5);
  EXPECT_EQ(json["merge_seconds"], 0.5);
  EXPECT_EQ(json["elapsed_seconds"], 2.0);
  EXPECT_EQ(json["phases"].size(), 2u);
  EXPECT_EQ(json["phases"][1]["name"], "forming runs");
  EXPECT_EQ(json["phases"][1]["seconds"], 1.5);
  EXPECT_EQ(json["phases"][1]["resources"][0]["share"], 0.6);
  EXPECT_EQ(json["resources"][1], (nlohmann::json{{"name", "reading"},
                                                  {"bytes", 1'000'000'000},
                                                  {"busy_seconds", 0.4},
                                                  {"bytes_per_second", 2.5e9},
                                                  {"share", 0.2}}));
  EXPECT_EQ(
      json["stages"][0],
      (nlohmann::json{{"name", "read"}, {"bytes", 1'000'000'000}, {"busy_seconds", 0.5}, {"bytes_per_second", 2e9}}));
  EXPECT_EQ(json["stages"][1]["bytes_per_second"], 0);
  EXPECT_EQ(json["stages"].size(), 2u);
  EXPECT_EQ(json["sorts"].size(), 0u);
  EXPECT_EQ(json["assumptions"].size(), 0u);
  EXPECT_EQ(json.size(), 31u);
}

// The texts of records need be no UTF-8.
TEST(ReportJson, ListsWhatWasAssumed) {
  SortReport report = spilled_sort();
  report.assumptions = {{"unread-time", "key 1: no time \xff", 2, 5, "a:3"}};
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["assumptions"][0],
            (nlohmann::json{{"kind", "unread-time"},
                            {"message", "key 1: no time \xef\xbf\xbd"},
                            {"count", 2},
                            {"of", 5},
                            {"first_place", "a:3"}}));
  EXPECT_NE(to_text(report).find("assumed    key 1: no time"), std::string::npos);
}

JoinReport spilled_join() {
  JoinReport report;
  report.left = spilled_sort();
  report.right = spilled_sort();
  report.right.input_records = 5;
  report.output_records = 12;
  report.output_bytes = 345;
  report.memory_budget_bytes = 400'000'000;
  report.memory_peak_bytes = 180'000'000;
  report.elapsed_seconds = 4;
  report.phases = {{"sorting both inputs", 3, {{"reading", 1'000'000'000, 0.9, 0.3}}}, {"joining", 1, {}}};
  report.sorts = {{"left input", 0.5, report.left.phases}};
  report.resources = {{"joining", 0, 3, 0.75}};
  report.stages = {{"join", 0, 3}};
  return report;
}

TEST(ReportJson, OfAJoinHoldsThoseOfBothSorts) {
  const nlohmann::json json = nlohmann::json::parse(to_json(spilled_join()));
  EXPECT_EQ(json["output_records"], 12);
  EXPECT_EQ(json["phases"][0]["name"], "sorting both inputs");
  EXPECT_EQ(json["sorts"][0]["name"], "left input");
  EXPECT_EQ(json["sorts"][0]["begin_seconds"], 0.5);
  EXPECT_EQ(json["sorts"][0]["phases"][1]["name"], "forming runs");
  EXPECT_EQ(json["left"], nlohmann::json::parse(to_json(spilled_sort())));
  EXPECT_EQ(json["right"]["input_records"], 5);
}

TEST(ReportText, OfAJoinTellsOfBothSortsAndThenOfAll) {
  const std::string text = to_text(spilled_join());
  EXPECT_TRUE(text.starts_with("left input\nengine     cpu: asked for\n")) << text;
  EXPECT_NE(text.find("\nright input\nengine     cpu: asked for\ninput      5 records, 1.00 GB\n"), std::string::npos);
  EXPECT_NE(text.find("\njoin\n"
                      "output     12 rows, 345 B\n"
                      "memory     budget 400 MB, peak of the process 180 MB\n"
                      "time       4.000 s (500 MB/s)\n"
                      "bottleneck joining, busy 75% of the time\n"
                      "\n"
                      "  phase                           time  share  of its busiest resource\n"
                      "  sorting both inputs          3.000 s    30%  reading\n"
                      "  joining                      1.000 s     0%  -\n"
                      "  left input: starting         0.250 s     0%  -\n"
                      "  left input: forming runs     1.500 s    60%  reading\n"),
            std::string::npos)
      << text;
}

TEST(ReportJson, HasNoRatioWhereNothingWasStored) {
  EXPECT_EQ(nlohmann::json::parse(to_json(SortReport()))["compression_ratio"], 0);
}

TEST(ReportJson, KeepsNumbersOf64Bits) {
  SortReport report;
  report.input_bytes = UINT64_MAX;
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["input_bytes"].get<std::uint64_t>(), UINT64_MAX);
}

}  // namespace
}  // namespace sortie
