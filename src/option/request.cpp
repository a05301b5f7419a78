#include "option/request.hpp"

#include <algorithm>
#include <utility>

#include <sortie/grouping.hpp>

#include "option/contradictions.hpp"
#include "option/request_format.hpp"
#include "record/text/missing_words.hpp"

namespace sortie::option {
namespace {

/// Rows with columns have a header unless an option says otherwise; files of genomes know theirs.
void settle_header(Request& request) {
  SortOptions& options = request.options;
  if (request.order.genome) {
    if (request.has_header()) {
      request.refuse(std::string(request.order.genome == GenomeFile::kBed ? "{bed}" : "{vcf}") +
                     " knows its header: leave {header} out");
    }
    options.header_prefixes = genome_header_prefixes(*request.order.genome);
  }
  if (request.order.has_columns() && !request.header_lines) options.header_lines = 1;
}

Aggregate aggregate_of(const Request& request, const AggregateWord& asked) {
  const TextOrder& order = request.options.format.text;
  if (!asked.kind) return parse_aggregate(asked.word, order);
  Aggregate aggregate;
  aggregate.kind = *asked.kind;
  if (aggregate.kind != AggregateKind::kCount) aggregate.place = parse_aggregate_place(asked.word, order);
  return aggregate;
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

/// The library says the same, but knows no options.
void refuse_idle_missing_words(const Request& request) {
  const SortOptions& options = request.options;
  if (request.door != Door::kPython || request.order.missing_words.empty()) return;
  if (reads_missing_words(options.format.text, options.grouping ? &*options.grouping : nullptr)) return;
  request.refuse(
      "na is for words where numbers are read: give a numeric key, for example 2,2n, or the sum of a column, or leave "
      "na out");
}

}  // namespace

void Request::take(const Spec& spec, const Value& value) {
  // Python's False asks for nothing.
  const bool asks = !value.is_flag() || value.as_flag();
  if (!spec.is_set && asks) given_.push_back(&spec);
  spec.set(*this, value);
}

std::vector<const Spec*> Request::given() const {
  std::vector<const Spec*> specs = given_;
  for_each_spec([&](const Spec& spec) {
    if (spec.is_set && spec.is_set(options)) specs.push_back(&spec);
  });
  return specs;
}

bool Request::gave(std::string_view name) const {
  return std::ranges::any_of(given(), [&](const Spec* spec) { return is_called(*spec, name); });
}

bool OrderRequest::orders() const {
  return !keys.empty() || split_by || stable || year || zones || !missing_words.empty() || genome || chromosomes ||
         global != OrderingOptions{};
}

bool OrderRequest::asks_for_lines() const {
  OrderingOptions beside_direction = global;
  beside_direction.descending = false;
  return !keys.empty() || split_by || !separator.empty() || !missing_words.empty() || csv || tsv || jsonl || genome ||
         chromosomes || entry_start || year || zones || beside_direction != OrderingOptions{};
}

void settle(Request& request) {
  SortOptions& options = request.options;
  if (request.counts_lines()) options.count = options.unique = true;
  options.format = format_of(request);
  settle_header(request);
  settle_groups(request);
  refuse_idle_missing_words(request);
  options.seed_is_made_up = !request.order.random_source && !request.order.random_seed && !request.order.shuffle_seed;
  settle_rows(request);
}

void settle_rows(Request& request) {
  refuse_contradictions(request);
  if (request.options.sample_records == 0) return;
  request.options.sample_seed = request.sample_seed ? seed_of_text(*request.sample_seed) : seed_of(request);
}

JoinOptions join_options_of(const Request& request) {
  const JoinRequest& asked = request.join;
  if (!asked.kind) {
    request.refuse(std::string(!asked.right_keys.empty() ? "{right-key}"
                               : asked.columns           ? "{select}"
                                                         : "{empty}") +
                   " needs {join}");
  }
  refuse_beside(request, "join",
                "repeated only-once sets group count unique top parts sample order=input shuffle jsonl entry-start "
                "check columns debug checkpoint");
  if (request.options.inputs.size() != 2) request.refuse("{join} needs two files, the left and the right one");
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

}  // namespace sortie::option
