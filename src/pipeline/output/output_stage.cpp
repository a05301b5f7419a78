#include "pipeline/output/output_stage.hpp"

#include <string>
#include <utility>

#include "pipeline/output/record_shape.hpp"

namespace sortie {
namespace {

std::unique_ptr<Finisher> make_finisher(OutputSetting& setting) {
  if (setting.options.group_text != nullptr) return make_aggregate_finisher(setting);
  if (setting.options.forms_all()) return make_form_finisher(setting);
  if (setting.options.needs_groups()) return make_group_finisher(setting);
  if (setting.decorator == nullptr) return make_plain_finisher(setting);
  return setting.decorator->refers() ? make_fetch_finisher(setting) : make_strip_finisher(setting);
}

}  // namespace

OutputOptions output_options(const SortSpec& spec) {
  const SortOptions& options = spec.options;
  return {.unique = options.unique,
          .verify = options.verify,
          .keep_last = spec.keeps_last,
          .show_count = options.count,
          .key_filter = options.key_filter,
          .sets = spec.compares_inputs() ? std::optional(InputSets(options.set_operation, options.inputs.size()))
                                         : std::nullopt,
          .group_text = spec.group_text.get(),
          .most_records = options.top_records,
          .form = spec.form};
}

OutputStage::OutputStage(const Format& format, const RecordOrder& order, Output& output, OutputOptions options,
                         Observer& observer, const LineDecorator* decorator)
    : setting_{format, order, decorator, options, output, observer}, finisher_(make_finisher(setting_)) {
  if (decorator != nullptr && decorator->collates()) finisher_ = settle_ties(setting_, std::move(finisher_));
}

void OutputStage::accept(std::span<std::byte> part) {
  write_header();
  finisher_->accept(part);
}

void OutputStage::finish() {
  write_header();
  finisher_->finish();
}

void OutputStage::write_header() {
  if (setting_.options.header.empty() || std::exchange(has_header_, true)) return;
  setting_.output.write(RecordShape(setting_.decorator, setting_.options).shaped_header(setting_.options.header));
}

void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped) {
  const RecordTotals expected = input - dropped;
  if (output == expected) return;
  throw_output_fault(std::to_string(input.records) + " records went in, " + std::to_string(output.records) +
                     " came out (" + std::to_string(dropped.records) + " dropped), checksums " +
                     to_string(expected.checksum) + " and " + to_string(output.checksum));
}

}  // namespace sortie
