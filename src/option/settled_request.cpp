#include "option/settled_request.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <sortie/grouping.hpp>

#include "base/quote.hpp"
#include "option/contradictions.hpp"
#include "option/request_format.hpp"
#include "option/request_keys.hpp"
#include "record/csv/column_names.hpp"
#include "record/text/missing_words.hpp"

namespace sortie::option {
namespace {

/// Rows with columns have a header unless an option says otherwise; files of genomes know theirs.
void settle_header(Request& request) {
  SortOptions& options = request.options;
  if (request.order.genome) options.header_prefixes = genome_header_prefixes(*request.order.genome);
  if (request.order.has_columns() && !request.header_lines) options.header_lines = 1;
}

Aggregate aggregate_of(const Request& request, const AggregateWord& asked) {
  const TextOrder& order = request.options.format.text;
  if (!asked.kind) return parse_aggregate(asked.word, order);
  Aggregate aggregate;
  aggregate.kind = *asked.kind;
  if (aggregate.kind != AggregateKind::kCount) aggregate.field = parse_aggregate_field(asked.word, order);
  return aggregate;
}

/// That of places is made by the sort of lines.
void settle_index(Request& request) {
  const auto asked = std::ranges::find(request.file.settings, "index", &FileSetting::name);
  if (!request.order.genome || asked == request.file.settings.end()) return;
  IndexForm form = IndexForm::kTbi;
  if (asked->value == "csi") {
    form = IndexForm::kCsi;
  } else if (!asked->value.empty() && asked->value != "tbi") {
    request.refuse("{index} of {" + std::string(word_of(*request.order.genome)) + "} is tbi or csi, not " +
                   quote_word(asked->value));
  }
  request.options.index = IndexOptions{*request.order.genome, form};
  // Variants may turn out to be files of a format, which have it as a setting.
  if (!request.may_be_file_format()) request.file.settings.erase(asked);
}

void settle_groups(Request& request) {
  if (!request.groups) {
    for (const AggregateWord& asked : request.aggregates) {
      if (asked.kind != AggregateKind::kCount) throw Error("option --" + to_string(*asked.kind) + " needs --group");
    }
    return;
  }
  Grouping grouping;
  for (const AggregateWord& asked : request.aggregates) {
    grouping.aggregates.push_back(
        parsed_word(request.door, "group", asked.word, [&] { return aggregate_of(request, asked); }));
  }
  request.options.grouping = std::move(grouping);
}

/// Lines of a genome are neither read from BCF nor written as it. VCF is if it is in the order that BCF has.
void refuse_packed_variants(const Request& request) {
  if (!request.order.genome || request.may_be_file_format()) return;
  const std::string option = "{" + std::string(word_of(*request.order.genome)) + "}";
  const auto is_bcf = [](std::string_view path) { return path.ends_with(".bcf"); };
  const auto input = std::ranges::find_if(request.options.inputs, is_bcf);
  if (input != request.options.inputs.end()) {
    request.refuse(option + " is for lines, and " + quote_path(*input) + " is called as BCF is: leave " + option +
                   " out to sort it as such");
  }
  if (!is_bcf(request.output.value_or(""))) return;
  request.refuse(option + " writes lines, and " + quote_path(*request.output) +
                 " is called as BCF is: name it .vcf.gz, and let 'bcftools view' make BCF of it");
}

/// So that nobody who knows 'samtools sort -n' is told of lines and packings.
void refuse_orders_of_lines(const Request& request) {
  const Spec* const spec = request.first_of_lines_only();
  if (spec == nullptr || request.door == Door::kGnuSort || !request.options.unpack) return;
  if (request.order.genome || !request.file.format.empty()) return;
  const auto is_of_format = [](std::string_view path) {
    const auto ends = [&](std::string_view suffix) { return path.ends_with(suffix); };
    return std::ranges::any_of(std::array{".bam", ".cram", ".bcf", ".npy"}, ends);
  };
  const std::vector<std::string>& inputs = request.options.inputs;
  const bool by_output = request.output && is_of_format(*request.output);
  if (!by_output && (inputs.empty() || !is_of_format(inputs.front()))) return;
  const std::string option = "{" + std::string(spec->long_name.empty() ? spec->python.name : spec->long_name) + "}";
  request.refuse(option + " is for lines, and " + quote_path(by_output ? *request.output : inputs.front()) +
                 " is called as a file of a format is: leave " + option + " out; such files are ordered by {by}");
}

/// Files of a format are sorted, and nothing else is done with them.
void refuse_other_jobs_of_files(const Request& request) {
  if (!request.asks_for_file_format() || request.is_sort_or_check()) return;
  // A process of a sort by several is told the format.
  if (request.shards.asks_for_shards() && !request.file.format.empty()) return;
  const std::string shown = request.file.format.empty() ? "{" + request.file.settings.front().name + "}"
                                                        : "{format=" + request.file.format + "}";
  request.refuse(shown + " is for a sort of files: leave it out for other jobs");
}

/// The library says the same, but knows no options.
void refuse_idle_missing_words(const Request& request) {
  const SortOptions& options = request.options;
  if (request.door != Door::kPython || request.order.lines.missing_words.empty()) return;
  if (reads_missing_words(options.format.text, options.grouping ? &*options.grouping : nullptr)) return;
  request.refuse(
      "na is for words where numbers are read: give a numeric key, for example 2,2n, or the sum of a column, or leave "
      "na out");
}

/// The keys that are no part of the order.
void settle_keys_beside(Request& request) {
  SortOptions& options = request.options;
  if (request.keep_best) options.keep_best = best_key_of(request);
  if (request.order.shares && !request.order.split_by) request.refuse("{shares} needs {split-by}");
  if (!request.order.weight) return;
  const std::string& word = *request.order.weight;
  options.parts.weight =
      parsed_word(request.door, "weight", word, [&] { return parse_aggregate_field(word, options.format.text); });
}

}  // namespace

void settle(Request& request) {
  SortOptions& options = request.options;
  settle_index(request);
  refuse_packed_variants(request);
  refuse_orders_of_lines(request);
  refuse_other_jobs_of_files(request);
  if (request.counts_lines()) options.count = options.unique = true;
  options.format = format_of(request);
  settle_keys_beside(request);
  settle_header(request);
  settle_groups(request);
  refuse_idle_missing_words(request);
  settle_rows(request);
  request.file.by_content = request.may_be_file_format();
}

void settle_rows(Request& request) {
  refuse_contradictions(request);
  if (request.options.sample_records == 0) return;
  request.options.sample_seed = request.sample_seed ? seed_of_text(*request.sample_seed) : asked_seed(request);
}

JoinOptions join_options_of(const Request& request) {
  const JoinRequest& asked = request.join;
  if (!asked.kind) {
    request.refuse(std::string(!asked.right_keys.empty() ? "{right-key}"
                               : asked.columns           ? "{select}"
                                                         : "{empty}") +
                   " needs {join}");
  }
  refuse_beside_job(request, "join", "join");
  // Those of a shard are of one side.
  if (request.options.inputs.size() != 2 && !request.shards.side)
    request.refuse("{join} needs two files, the left and the right one");
  JoinOptions join;
  join.kind = *asked.kind;
  const TextOrder& left = request.options.format.text;
  std::string words;
  for (const std::string& word : asked.right_keys) words.append(words.empty() ? "" : " ").append(word);
  join.right_keys =
      parsed_word(request.door, "right_keys", words, [&] { return parse_right_keys(asked.right_keys, left); });
  if (asked.columns) {
    join.columns =
        parsed_word(request.door, "select", *asked.columns, [&] { return parse_join_columns(*asked.columns); });
  }
  join.empty = asked.empty.value_or("");
  return join;
}

void refuse_names_without_header(const Request& request, const JoinOptions* join) {
  if (!request.order.has_columns() || request.has_header()) return;
  const auto refuse_name = [&](const std::string& name) {
    const std::string quoted = request.door == Door::kPython ? "'" + without_controls(name) + "'" : quote_word(name);
    // Braces of a name are no options.
    throw_as_door(request.door, "no column is called " + quoted + " with " + with_names(request.door, "{no-header}") +
                                    ": give its number, for example 2,2" +
                                    with_names(request.door, ", or leave {no-header} out"));
  };
  const auto refuse_key = [&](const TextKey& key) {
    if (needs_header(key)) refuse_name(key.column);
  };
  std::ranges::for_each(request.options.format.text.keys, refuse_key);
  if (const auto& grouping = request.options.grouping) {
    for (const Aggregate& aggregate : grouping->aggregates) refuse_key(aggregate.field);
  }
  if (join == nullptr) return;
  std::ranges::for_each(join->right_keys, refuse_key);
  for (const JoinColumn& column : join->columns) {
    if (!column.name.empty()) refuse_name(column.name);
  }
}

}  // namespace sortie::option
