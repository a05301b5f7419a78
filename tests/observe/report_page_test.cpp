// The page of --report as text. tests/system/report_page reads it with a parser, after real sorts.
#include "observe/report_page.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "observe/pictures.hpp"

namespace sortie {
namespace {

/// A sort that spilled, of `seconds` in all.
SortReport spilled_sort_of(double seconds) {
  SortReport report;
  report.engine = "cpu";
  report.engine_reason = "no GPU was found";
  report.input_records = report.output_records = 1'000'000;
  report.input_bytes = report.output_bytes = 100'000'000;
  report.verified = true;
  report.runs = 9;
  report.runs_spilled = 9;
  report.merge_passes = 2;
  report.windows = 40;
  report.scratch_peak_bytes = 150'000'000;
  report.memory_budget_bytes = 10'000'000;
  report.memory_peak_bytes = 12'000'000;
  report.elapsed_seconds = seconds;
  report.phases = {{"starting", seconds / 4, {}},
                   {"forming runs", seconds / 4, {{"reading", 100'000'000, seconds / 8, 0.5}}},
                   {"merging", seconds / 2, {{"output writing", 100'000'000, seconds / 4, 0.5}}}};
  report.resources = {{"output writing", 100'000'000, seconds / 4, 0.25}, {"reading", 100'000'000, seconds / 8, 0.125}};
  return report;
}

PageContext context_of(const SortReport& report) {
  PageContext facts;
  facts.conditions = {.threads = 2, .processors = 2};
  facts.options = {{"input", "in"}, {"output", "out"}};
  facts.system = "Linux";
  facts.memory_bytes = 8'000'000'000;
  Timeline& timeline = facts.timeline;
  timeline.bin_seconds = report.elapsed_seconds / 512;
  for (const Resource resource : {Resource::kReading, Resource::kOutputWriting}) {
    auto& bins = timeline.busy_seconds[static_cast<std::size_t>(resource)];
    for (std::size_t bin = 0; bin < 512; ++bin) bins.push_back(timeline.bin_seconds * static_cast<double>(bin % 7) / 7);
  }
  for (int i = 0; i < 256; ++i) {
    timeline.samples.push_back({report.elapsed_seconds * i / 255, 9'000'000,
                                1'000'000U * static_cast<unsigned>(i % 100), report.elapsed_seconds * i / 255});
  }
  return facts;
}

std::string page_of(const SortReport& report) { return report_page(report, context_of(report)); }

/// Every tag is closed in the order of nesting.
void expect_well_formed(const std::string& page) {
  const std::regex tag("<(/?)([a-z0-9]+)[^>]*?(/?)>");
  std::vector<std::string> open;
  for (std::sregex_iterator match(page.begin(), page.end(), tag), end; match != end; ++match) {
    if ((*match)[1].length() != 0) {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), (*match)[2].str());
      open.pop_back();
    } else if ((*match)[3].length() == 0) {
      open.push_back((*match)[2].str());
    }
  }
  EXPECT_TRUE(open.empty());
}

std::size_t count_of(const std::string& page, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = page.find(words); at != std::string::npos; at = page.find(words, at + 1)) ++count;
  return count;
}

/// A join of `seconds` in all, both of whose inputs spilled.
JoinReport join_of(double seconds) {
  JoinReport report;
  static_cast<WorkReport&>(report) = spilled_sort_of(seconds);
  report.phases = {{"starting", seconds / 4, {}},
                   {"sorting both inputs", seconds / 4, {{"reading", 100'000'000, seconds / 8, 0.5}}},
                   {"joining", seconds / 2, {{"output writing", 100'000'000, seconds / 4, 0.5}}}};
  report.left = spilled_sort_of(seconds / 2);
  report.right = spilled_sort_of(seconds / 4);
  report.right.input_bytes = 7'000'000;
  report.sorts = {{"left input", seconds / 4, report.left.phases}, {"right input", seconds / 2, report.right.phases}};
  report.output_records = 17;
  report.output_bytes = 3'000'000;
  return report;
}

TEST(ReportPage, IsWellFormedForSortsOfEveryLength) {
  for (const double seconds : {0.0, 1e-6, 0.0003, 0.02, 1.0, 59.0, 200.0, 3600.0, 90'000.0}) {
    expect_well_formed(page_of(spilled_sort_of(seconds)));
  }
  expect_well_formed(report_page(SortReport(), PageContext()));
  expect_well_formed(report_page(JoinReport(), PageContext()));
}

TEST(ReportPage, OfAJoinShowsBothInputsAndTheRows) {
  PageContext facts = context_of(spilled_sort_of(2));
  facts.conditions.job = "join";
  const std::string page = report_page(join_of(2), facts);
  expect_well_formed(page);
  for (const char* words : {"100 MB and 7.00 MB joined in 2.00 s", "17 rows, 3.00 MB", ">left input<", ">right input<",
                            "1000000 records, 7.00 MB", "At the speeds of this join", ">joining<"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
}

TEST(ReportPage, NeedsNothingFromOutside) {
  const std::string page = page_of(spilled_sort_of(3));
  for (const char* words : {"http:", "https:", "//", "<script", "<link", "<img", "src=", "href=", "url(", "@import"}) {
    EXPECT_EQ(page.find(words), std::string::npos) << words;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(ReportPage, EscapesWhatComesFromOutside) {
  const SortReport report = spilled_sort_of(1);
  PageContext facts = context_of(report);
  facts.options = {{"input", "<script>alert(\"1\")</script>&amp;\xff"}};
  facts.system = "<b>";
  const std::string page = report_page(report, facts);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;\uFFFD"), std::string::npos);
  expect_well_formed(page);
}

TEST(ReportPage, ShowsTheFigures) {
  const std::string page = page_of(spilled_sort_of(2));
  for (const char* words :
       {"100 MB sorted in 2.00 s", "1000000 records, 100 MB", "cpu: no GPU was found", "2 passes, 40 windows",
        "9, of them on disk 9", "10.0 MB", "12.0 MB", "150 MB", "8.00 GB", "sortie 0."}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
}

TEST(ReportPage, TellsWhatWasAssumed) {
  SortReport report = spilled_sort_of(2);
  report.assumptions = {{"unread-time", "no time <x>", 2, 5, "a:3"}};
  EXPECT_NE(page_of(report).find("<th>assumed</th><td>no time &lt;x&gt;</td>"), std::string::npos);
}

TEST(ReportPage, TellsOfAGpuThatFailed) {
  SortReport report = spilled_sort_of(2);
  report.device_failure = "out of memory <of GPU 0>";
  EXPECT_NE(page_of(report).find("out of memory &lt;of GPU 0&gt;; times are those of the last attempt"),
            std::string::npos);
}

TEST(ReportPage, StaysSmallAfterHours) { EXPECT_LT(page_of(spilled_sort_of(40'000)).size(), 150'000u); }

TEST(BusySvg, HasPhasesOfTheirLengthOneBehindTheOther) {
  const SortReport report = spilled_sort_of(8);
  const std::string svg = busy_svg(report, context_of(report).timeline, 2);
  const std::regex phase("<rect class=\"phase[ a-z]*\" x=\"([0-9.]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
  double end = 0;
  double width = 0;
  int phases = 0;
  for (std::sregex_iterator match(svg.begin(), svg.end(), phase), last; match != last; ++match, ++phases) {
    if (phases > 0) {
      EXPECT_NEAR(std::stod((*match)[1]), end, 0.11);
    }
    end = std::stod((*match)[1]) + std::stod((*match)[2]);
    width += std::stod((*match)[2]);
  }
  EXPECT_EQ(phases, 3);
  EXPECT_NEAR(width, 764, 0.2);
  EXPECT_NE(svg.find("<title>merging: 4.00 s, 50% of the time</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>reading while forming runs: busy 50%, 1.00 s, 100 MB at 100 MB/s</title>"),
            std::string::npos);
  EXPECT_NE(svg.find("<title>reading while merging: idle</title>"), std::string::npos);
}

TEST(BusySvg, HasARowOfPhasesForEachOfSeveralSorts) {
  const std::string svg = busy_svg(join_of(8), context_of(spilled_sort_of(8)).timeline, 2);
  // From 2 s on, as the axis has it: 764 pixels for 8 s.
  EXPECT_EQ(count_of(svg, ">left input<"), 1u);
  EXPECT_NE(svg.find("<rect class=\"phase\" x=\"333\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("<title>left input, forming runs: 1.00 s, 13% of the time\nreading: busy 50%, 500 ms, 100 MB at "),
            std::string::npos);
}

TEST(BusySvg, ShowsHowBusyTheProcessorsWere) {
  const SortReport report = spilled_sort_of(8);
  EXPECT_NE(
      busy_svg(report, context_of(report).timeline, 2).find("<title>2 processors: busy 50%, 8.00 s of work</title>"),
      std::string::npos);
}

TEST(BusySvg, HasALegendOfTheKindsThereAre) {
  const SortReport report = spilled_sort_of(8);
  const std::string svg = busy_svg(report, context_of(report).timeline, 2);
  EXPECT_EQ(count_of(svg, "files, disks and pipes"), 1u);
  EXPECT_EQ(count_of(svg, "GPU and its links"), 0u);
  SortReport with_gpu = report;
  with_gpu.resources.push_back({"kernels", 1, 1, 0.125});
  const std::string gpu_svg = busy_svg(with_gpu, context_of(report).timeline, 2);
  EXPECT_EQ(count_of(gpu_svg, "GPU and its links"), 1u);
  EXPECT_EQ(count_of(gpu_svg, ">kernels<"), 1u);
}

TEST(MemorySvg, ShowsABudgetThatIsNear) {
  SortReport report = spilled_sort_of(8);
  EXPECT_EQ(count_of(memory_svg(report, context_of(report).timeline), "memory budget (10.0 MB)"), 1u);
  report.memory_budget_bytes = 64'000'000'000;
  EXPECT_EQ(count_of(memory_svg(report, context_of(report).timeline), "memory budget"), 0u);
}

}  // namespace
}  // namespace sortie
