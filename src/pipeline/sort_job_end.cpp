// How a sort of files ends: what came out is compared with what went in, the output takes its place, and all is
// reported.
#include <string>
#include <utility>

#include "observe/assumption_words.hpp"
#include "observe/assumptions.hpp"
#include "observe/phase_usage.hpp"
#include "pipeline/setup/page_context.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/sort_job.hpp"

namespace sortie {

// Checks that everything that went in has come out, before the output takes its place.
void SortJob::check_output() {
  refuse_assumptions();
  stage_->finish();
  inputs_->check();
  outcome_.dropped += stage_->dropped();
  if (!job_options().verify || outcome_.stopped_early) return;
  if (!job_options().grouping) return compare_totals(outcome_.input, stage_->written(), outcome_.dropped);
  // Records that became a sum have no checksum; each group knows how many records it is made of.
  compare_totals({outcome_.input.records, outcome_.input.bytes, {}}, stage_->grouped(), {});
}

// As soon as all records have been read. The output is not in its place yet when finish() warns: whoever takes warnings
// may still end the sort.
void SortJob::refuse_assumptions() const {
  if (observer_->assumptions().are_refused()) {
    sortie::refuse_assumptions(list_assumptions(inputs_->opener(), *observer_));
  }
}

SortReport SortJob::finish() {
  report_assumptions(job_options(), list_assumptions(inputs_->opener(), *observer_));
  if (chain_) chain_->finish();
  SortReport known = report();
  if (options_.sink_end) options_.sink_end();
  finish_output(*output_, *observer_);
  after_output([&] {
    if (dropped_) dropped_->finish();
    const std::string left = checkpoint_ ? checkpoint_->finish() : std::string();
    if (!left.empty() && job_options().warn) job_options().warn(left + "; the output is complete");
    observer_->finish();
    known = report();
    known.memory_peak_bytes = peak_memory_bytes();
  });
  return known;
}

SortReport SortJob::report() const {
  SortReport report = outcome_.report;
  pool_.describe(report);
  report.input_records = outcome_.input.records;
  report.input_bytes = outcome_.input.bytes;
  report.output_records = stage_->written().records;
  report.output_bytes = stage_->written().bytes;
  report.verified = job_options().verify && !outcome_.stopped_early;
  if (report.verified) report.checksum = (spec().selects_top() ? stage_->written() : outcome_.input).checksum;
  report.memory_budget_bytes = inputs_->sizes().budget.memory_bytes;
  report.assumptions = list_assumptions(inputs_->opener(), *observer_);
  observer_->describe(report);
  report.start_seconds = report.phases.front().seconds;
  return chain_ ? chain_->report_of_all(std::move(report)) : report;
}

PageContext SortJob::page_context() const {
  PageContext page = sortie::page_context(spec(), scratch_->directories(), *output_);
  page.timeline = observer_->timeline();
  return page;
}

}  // namespace sortie
