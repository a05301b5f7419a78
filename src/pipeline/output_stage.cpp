#include "pipeline/output_stage.hpp"

#include <string>

#include <sortie/error.hpp>

namespace sortie {
namespace {

const char* const kFaultRemedy =
    "; the output was discarded: the memory or a device of this machine may be faulty, please report it";

}  // namespace

OutputStage::OutputStage(const Format& format, const RecordOrder& order, Output& output, Options options,
                         Observer& observer)
    : format_(format),
      output_(output),
      options_(options),
      observer_(observer),
      filter_(format, order, options.verify),
      order_scan_(order, options.unique) {}

void OutputStage::accept(std::span<std::byte> part) {
  if (options_.unique) {
    const auto span = observer_.span("drop duplicates", part.size());
    part = filter_.apply(part);
  }
  if (part.empty()) return;
  {
    const auto span = observer_.span("check output", part.size());
    if (options_.verify) check_order(part);
    written_ += totals_of(format_, part, options_.verify);
  }
  const auto span = observer_.span("write", part.size());
  output_.write(part);
}

void OutputStage::check_order(std::span<const std::byte> part) {
  if (order_scan_.next(part)) {
    throw Error(std::string("internal check failed: the sorted records are not in order") + kFaultRemedy);
  }
}

void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped) {
  const RecordTotals expected = input - dropped;
  if (output == expected) return;
  throw Error("internal check failed: " + std::to_string(input.records) + " records went in, " +
              std::to_string(output.records) + " came out (" + std::to_string(dropped.records) +
              " duplicates dropped), checksums " + to_string(expected.checksum) + " and " + to_string(output.checksum) +
              kFaultRemedy);
}

}  // namespace sortie
