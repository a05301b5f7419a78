// The sorts that take what a first sort writes, as chain_shape.hpp says: an output of that sort. They have threads of
// their own, and form their runs while the one before merges.
//
//   SortJob ── records, positions ──▶ by position ── records ──▶ the sort of a sample, if there is one ──▶ output
//
// One for each attempt; made by SortJob.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/pushed_sort.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_form.hpp"

namespace sortie {

/// Does a later sort, of `inputs` inputs that SortOptions::source gives without `header`, in this form:
/// execute_later_sort().
using LaterSortRunner = SortReport (*)(const SortOptions& options, std::size_t inputs, RecordForm form,
                                       const std::string& header, Observer& observer);

class SortChain final : public Output {
 public:
  /// `options`: of all sorts. `header`: of their inputs. `form`: in which the last one writes. `threads` and
  /// `memory_bytes`: for each. References must outlive this, `target` is not finished.
  SortChain(const SortOptions& options, std::string header, RecordForm form, unsigned threads,
            std::uint64_t memory_bytes, Output& target, Observer& observer, LaterSortRunner run_later);

  void write(std::span<const std::byte> records) override { by_position_.push(records); }
  bool waits_for_reader() const override { return target_.waits_for_reader(); }
  void expect(std::uint64_t) override {}
  void write_around_cache() override { target_.write_around_cache(); }
  /// Waits for all sorts, and writes what they give.
  void finish() override;

  /// What all sorts did, where `first` is what the first one did.
  SortReport report_of_all(SortReport first) const;

 private:
  /// A sort on a thread of its own.
  class LaterSort {
   public:
    struct Names {
      const char* sort = "";
      const char* phase = "";  ///< the time in which its records go on
    };
    /// `inputs`: how many there may be, one more than calls of begin_input().
    LaterSort(SortOptions options, std::string header, RecordForm form, std::size_t inputs, const Names& names,
              Observer& observer, LaterSortRunner run_later);

    void push(std::span<const std::byte> records);
    /// What is pushed from now on is another input.
    void begin_input() { sort_.begin_input(); }
    /// Gives all records to `take`. Returns what the sort did.
    template <class Take>
    SortReport pull_all(const Take& take);

   private:
    SortReport run(SortOptions options);

    std::string header_;
    RecordForm form_;
    std::size_t inputs_;
    Names names_;
    Observer& observer_;
    LaterSortRunner run_;
    std::uint64_t pushed_bytes_ = 0;
    PushedSort sort_;
  };

  void take(const PrefixedParts& record);
  void begin_input_if_needed(std::span<const std::byte> payload);
  void deliver();
  void write_to_target(std::span<const std::byte> records);

  const SortOptions& options_;
  Output& target_;
  Observer& observer_;
  std::optional<LaterSort> sample_;  // takes what the sort by place gives, if there is a third sort
  LaterSort by_position_;
  bool is_framed_;
  std::uint64_t most_records_ = std::numeric_limits<std::uint64_t>::max();  // that go on
  bool has_records_ = false;
  std::vector<std::byte> text_;  // payloads that go on together
  // What is found out at the end:
  std::vector<SortReport> later_;     // what the later sorts did, in their order
  std::uint64_t output_records_ = 0;  // that the sort by position gave back, without the header
  std::uint64_t output_bytes_ = 0;
};

}  // namespace sortie
