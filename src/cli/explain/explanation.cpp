#include "cli/explain/explanation.hpp"

#include <cstdint>
#include <string_view>

#include "cli/explain/first_records.hpp"
#include "cli/explain/order_sentence.hpp"
#include "record/csv/column_names.hpp"
#include "record/text/annotate.hpp"

namespace sortie::cli {
namespace {

constexpr std::uint64_t kRecordsShown = 3;

}  // namespace

std::string explanation(SortOptions options, const JoinOptions* join) {
  if (join != nullptr) {
    options.format.text.last_resort = false;
    options.format.text.locale = false;
  }
  std::string text = order_sentence(options) + (join != nullptr ? join_sentence(*join) : "") + "\n";
  const Format& format = options.format;
  if (options.inputs.empty() || format.kind != RecordKind::kLines || format.shuffle) return text;
  text += "\n";
  const FirstRecords first = first_records(options, kRecordsShown);
  TextOrder order = format.text;
  if (order.csv) order = with_columns_found(order, first.names());
  for (const std::string& record : first.records) {
    text += annotated(std::string_view(record).substr(0, record.size() - 1), order);
  }
  return text;
}

}  // namespace sortie::cli
