#include "cli/explain/explanation.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/explain/first_records.hpp"
#include "cli/explain/order_sentence.hpp"
#include "record/csv/column_names.hpp"
#include "record/text/annotate.hpp"

namespace sortie::cli {
namespace {

constexpr std::uint64_t kRecordsShown = 3;

/// Keys and positions that may be names or positions become what the header says.
void decide_words(SortOptions& options, const std::string& header) {
  TextOrder& order = options.format.text;
  order = with_words_decided(order, header);
  if (!options.grouping) return;
  for (Aggregate& aggregate : options.grouping->aggregates) {
    TextOrder field = order;
    field.keys = {aggregate.place};
    if (aggregate.kind != AggregateKind::kCount) aggregate.place = with_words_decided(field, header).keys[0];
  }
}

}  // namespace

std::string explanation(SortOptions options, const JoinOptions* join) {
  if (join != nullptr) {
    options.format.text.last_resort = false;
    options.format.text.locale = false;
  }
  const Format& format = options.format;
  const bool shows_records = !options.inputs.empty() && format.kind == RecordKind::kLines && !format.shuffle;
  FirstRecords first;
  if (shows_records) first = first_records(options, kRecordsShown);
  if (shows_records && format.text.csv) decide_words(options, first.from_names());
  std::string text = order_sentence(options) + (join != nullptr ? join_sentence(*join) : "") + "\n";
  if (!shows_records) return text;
  text += "\n";
  TextOrder order = format.text;
  if (order.csv) order = with_columns_found(order, first.from_names());
  if (first.records.empty()) return text;
  const Annotator annotator(std::move(order));
  for (const std::string& record : first.records) {
    text += annotator.annotated(std::string_view(record).substr(0, record.size() - 1));
  }
  return text;
}

}  // namespace sortie::cli
