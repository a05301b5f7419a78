// Has several sorts done one behind the other, as chain_shape.hpp says: what the first one writes is sorted again on
// its way to the output, by sorts with threads of their own. The later ones form their runs while the one before
// merges.
//
//   SortJob ── records with their places ──▶ by place ── records ──▶ the third sort, if there is one ──▶ output
//
// One for each attempt of a sort; made by sort_with_fallback().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "pipeline/sort_job.hpp"

namespace sortie {

class SortChain {
 public:
  /// How users are told of a later sort.
  struct LaterSort {
    const char* sort = "";   ///< its name
    const char* phase = "";  ///< that of the time in which its records go on
  };

  /// `options` must outlive this. `form`: in which the last sort writes.
  SortChain(const SortOptions& options, RecordForm form);

  /// The options of the job that is the first sort.
  SortOptions first() const;

  /// Says where the job writes, and in which form. Call before it runs; this must outlive it.
  void lead(SortJob& job);

  /// What all sorts did, where `first` is what the first one did. Precondition: that has run.
  SortReport report_of_all(SortReport first) const;

 private:
  /// What is found out when the output is complete.
  struct Findings {
    std::vector<SortReport> later;     // what the later sorts did, in their order
    std::uint64_t output_records = 0;  // that the second one gave back, without the header
    std::uint64_t output_bytes = 0;
  };

  std::unique_ptr<Output> lead_to(std::unique_ptr<Output> target, const ResolvedOptions& resolved, Observer& observer);

  const SortOptions& options_;
  RecordForm form_;
  Findings findings_;

  class SortingOutput;
  class LastOutput;
  class PayloadOutput;
};

}  // namespace sortie
