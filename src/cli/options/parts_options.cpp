#include "cli/options/parts_options.hpp"

#include "cli/options/option_values.hpp"
#include "cli/options/set_once.hpp"

namespace sortie::cli {

void apply_parts_option(Parts& parts, std::optional<std::string>& split_by, const Argument& argument) {
  switch (argument.option->id) {
    case OptionId::kSplit:
      parts.count = parse_part_count(argument.value);
      return;
    case OptionId::kSplitSize:
      parts.most_bytes = parse_part_size(argument.value);
      return;
    case OptionId::kSplitRecords:
      parts.most_records = parse_record_count(argument.value, "--split-records");
      return;
    case OptionId::kSplitBy:
      parts.by_first_key = true;
      return set_once(split_by, argument.value, "--split-by is given twice: files have one key");
    case OptionId::kTogether:
      parts.together = true;
      return;
    default:
      parts.manifest_path = argument.value;
  }
}

}  // namespace sortie::cli
