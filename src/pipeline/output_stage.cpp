#include "pipeline/output_stage.hpp"

#include <exception>
#include <string>

#include "pipeline/output_fault.hpp"

namespace sortie {
namespace {

/// A smaller part is checked and written sooner than another thread wakes up.
constexpr std::size_t kLeastSharedBytes = 256 << 10;

}  // namespace

OutputStage::OutputStage(const Format& format, const RecordOrder& order, Output& output, Options options,
                         Observer& observer)
    : format_(format),
      output_(output),
      options_(options),
      observer_(observer),
      filter_(format, order, options.verify),
      part_check_(format, order, options.unique) {}

void OutputStage::accept(std::span<std::byte> part) {
  if (options_.unique) {
    const auto span = observer_.span("drop duplicates", part.size());
    part = filter_.apply(part);
  }
  if (part.empty()) return;
  if (part.size() >= kLeastSharedBytes) {
    write_while_checking(part);
    return;
  }
  written_ += check(part);
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

void OutputStage::write_while_checking(std::span<const std::byte> part) {
  if (!writer_) writer_.emplace(output_, observer_);
  writer_->begin(part);
  std::exception_ptr failure;
  try {
    written_ += check(part);
  } catch (...) {
    failure = std::current_exception();
  }
  writer_->wait();  // whatever the check found: the part is the caller's again after this
  if (failure) std::rethrow_exception(failure);
}

RecordTotals OutputStage::check(std::span<const std::byte> part) {
  const auto span = observer_.span("check output", part.size());
  return options_.verify ? part_check_.examine(part) : totals_of(format_, part, false);
}

void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped) {
  const RecordTotals expected = input - dropped;
  if (output == expected) return;
  throw_output_fault(std::to_string(input.records) + " records went in, " + std::to_string(output.records) +
                     " came out (" + std::to_string(dropped.records) + " duplicates dropped), checksums " +
                     to_string(expected.checksum) + " and " + to_string(output.checksum));
}

}  // namespace sortie
