// The end of a sort: its output is checked and put in its place, and the report is made.
#include "pipeline/sort_job.hpp"

#include <new>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "observe/assumption_words.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/setup/page_facts.hpp"

namespace sortie {

// Checks that everything that went in has come out, before the output takes its place.
void SortJob::check_output() {
  refuse_assumptions();
  stage_->finish();
  inputs_->check();
  outcome_.dropped += stage_->dropped();
  if (!wanted().verify || outcome_.stopped_early) return;
  if (!wanted().grouping) return compare_totals(outcome_.input, stage_->written(), outcome_.dropped);
  // Records that became a sum have no checksum; each group knows how many records it is made of.
  compare_totals({outcome_.input.records, outcome_.input.bytes, {}}, stage_->grouped(), {});
}

std::vector<Assumption> SortJob::assumptions() const {
  Assumptions& assumptions = observer_->assumptions();
  inputs_->opener().tell_of_headers(assumptions);
  return assumptions.list();
}

void SortJob::refuse_assumptions() const {
  if (options_.strict) sortie::refuse_assumptions(assumptions());
}

// The output is not in its place yet: whoever takes warnings may still end the sort.
void SortJob::warn_of_assumptions() const {
  if (!options_.warn) return;
  for (const Assumption& assumption : assumptions()) options_.warn({assumption.message, assumption.remedy});
}

// When the output is complete, lack of memory is no failure any more, and other errors must say that the output is
// complete.
SortReport SortJob::finish() {
  warn_of_assumptions();
  SortReport nearly_all = report();
  if (!lead_) {  // else the last of the sorts does so
    observer_->end_watch();
    throw_if_stopped();
  }
  {
    const auto span = observer_->span("finish output");
    output_->finish();
  }
  if (ThreadTeam* const team = ThreadTeam::current()) team->ignore_stops();
  try {
    if (checkpoint_) finish_checkpoint();
    observer_->finish();
    return report();
  } catch (const std::bad_alloc&) {
    return nearly_all;
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete");
  }
}

void SortJob::finish_checkpoint() {
  const std::string left = checkpoint_->finish();
  if (!left.empty() && wanted().warn) wanted().warn(left + "; the output is complete");
}

SortReport SortJob::report() const {
  SortReport report = outcome_.report;
  pool_.describe(report);
  report.input_records = outcome_.input.records;
  report.input_bytes = outcome_.input.bytes;
  report.output_records = stage_->written().records;
  report.output_bytes = stage_->written().bytes;
  report.verified = wanted().verify && !outcome_.stopped_early;
  if (report.verified) report.checksum = outcome_.input.checksum;
  report.memory_budget_bytes = inputs_->resolved().memory_bytes;
  report.assumptions = assumptions();
  observer_->describe(report);
  report.start_seconds = report.phases.front().seconds;
  return report;
}

PageFacts SortJob::page_facts() const {
  PageFacts facts = sortie::page_facts(inputs_->resolved(), scratch_->directories(), *output_);
  facts.timeline = observer_->timeline();
  return facts;
}

}  // namespace sortie
