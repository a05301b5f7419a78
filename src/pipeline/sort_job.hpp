// One sort from beginning to end: acquires what it needs, forms runs, merges them and finishes the output, as in the
// picture in src/README.md. Made by execute_sort() and by the sides of a join, once for each attempt.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <sortie/sort.hpp>

#include "io/files/file.hpp"
#include "observe/observer.hpp"
#include "observe/report_page.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/job_attempt.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/sort_chain.hpp"
#include "record/record_form.hpp"

namespace sortie {

/// What whoever makes a sort says of it beside its options.
struct SortContext {
  RecordForm form = RecordForm::kPlain;  ///< in which records are written, to an output that takes them so
  Observer* observer = nullptr;          ///< is told what the sort does; null: one of its own, as the options say
  /// Inputs that are in order, and lines that are nearly so, pass without runs. run() throws NeedsRuns if they turn out
  /// not to be: the sort has to begin anew then, without this. Preconditions: the output can be begun anew, inputs can
  /// be read again.
  bool lets_ordered_lines_pass = false;
  LaterSortRunner run_later = nullptr;                   ///< for sorts that are chained
  std::optional<GivenHeader> header = {};                ///< if inputs have none of their own
  std::uint64_t least_mapped_bytes = kLeastMappedBytes;  ///< an input of fewer is not mapped; for tests
};

class SortJob final : public JobAttempt {
 public:
  SortJob(FileSystem& files, const SortOptions& options, Machine machine = this_machine(),
          const SortContext& context = {});

  ~SortJob() { stage_.reset(); }  // may still be writing to the chain

  /// Acquires everything, forms runs, merges them, finishes the output. Call once. Throws Error.
  SortReport run();

  /// What the report page needs. Preconditions: the options ask for one, run() has returned.
  PageContext page_context() const;

 private:
  void acquire();
  void open_files();
  InputMark begin_checkpoint();
  void look_at_inputs();
  bool inputs_can_stream();
  void open_sort_store();
  bool scratch_is_short();
  std::vector<Run> form();
  FormedRuns form_runs();
  KeyedReader* ordered_lines();
  FormedRuns deliver(KeyedReader& lines);
  void merge(std::vector<Run> runs);
  void merge_inputs();
  void warn_of_disorder(const Disorder& disorder);
  void check_output();
  void refuse_assumptions() const;
  SortReport finish();
  SortReport report() const;

  const SortContext context_;
  const bool year_is_said_;
  bool passes_on_ = false;          // no runs are formed, though nobody has said that inputs are sorted
  std::optional<SortChain> chain_;  // nothing if this sort writes the output itself
};

}  // namespace sortie
