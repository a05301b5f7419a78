#include "cli/explain/explanation.hpp"

#include <cstdint>
#include <string_view>

#include "cli/explain/first_records.hpp"
#include "cli/explain/order_sentence.hpp"
#include "record/text/annotate.hpp"

namespace sortie::cli {
namespace {

constexpr std::uint64_t kLinesShown = 3;

}  // namespace

std::string explanation(const SortOptions& options) {
  std::string text = order_sentence(options) + "\n";
  const Format& format = options.format;
  const TextOrder& order = format.text;
  const bool are_plain_lines =
      format.kind == RecordKind::kLines && !order.csv && !order.json && !static_cast<bool>(order.record_start);
  if (options.inputs.empty() || !are_plain_lines || format.shuffle) return text;
  text += "\n";
  const std::string records = first_records(options, kLinesShown);
  std::string_view lines = records;
  for (std::uint64_t line = 0; !lines.empty(); ++line) {
    const std::size_t end = lines.find(format.delimiter);
    const bool is_of_header = line < options.header_lines;
    if (!is_of_header) text += annotated(lines.substr(0, end), format.text);
    lines.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace sortie::cli
