#include "option/contradictions.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/csv/column_names.hpp"

namespace sortie::option {
namespace {

/// Options that do not go with `option`. "check", "set" and "genome" stand for any that asks for one. Messages speak of
/// "sets" and "parts" as such.
struct Rule {
  std::string_view option;
  std::string_view others;
};

// The first rule that is broken gives the message: GNU sort has an order of its own for those that it knows.
constexpr Rule kRulesOfForms[] = {
    {"-z", "csv tsv jsonl entry-start"},
    {"csv", "jsonl entry-start"},
    {"tsv", "jsonl entry-start"},
    {"-t", "jsonl"},
    {"header", "jsonl"},
    {"entry-start", "jsonl"},
    {"no-header", "header columns"},
    {"genome", "header csv tsv jsonl entry-start -z debug"},
};

constexpr Rule kRulesOfGroups[] = {
    {"group", "check repeated only-once set order=input sample unique keep=last shuffle debug entry-start together"},
    {"set", "check repeated only-once debug shuffle"},
};

constexpr Rule kRulesOfActions[] = {
    {"check", "plan"},
    {"debug", "plan"},
    {"check", "explain columns"},
    {"debug", "explain columns"},
    {"plan", "explain columns"},
    {"explain", "columns"},
    {"debug", "csv tsv entry-start jsonl header count"},
    {"count", "entry-start"},
    {"csv", "tsv"},
};

constexpr Rule kRulesOfSelections[] = {
    {"shuffle", "check debug merge count repeated only-once unique"},
    {"count", "csv tsv"},
    {"check", "count keep=last repeated only-once top"},
    {"check", "order=input sample"},
    {"debug", "order=input sample"},
};

constexpr Rule kRulesOfChains[] = {
    {"shuffle", "order=input"},
    {"merge", "sample"},
    {"checkpoint", "sample"},
};

constexpr Rule kRulesOfKept[] = {
    {"keep=last", "only-once"},
};

constexpr Rule kRulesOfParts[] = {
    {"split", "check debug split-size split-records split-by"},
    {"split-size", "check debug split-records split-by"},
    {"split-records", "check debug split-by"},
    {"split-by", "check debug"},
};

constexpr Rule kOtherRules[] = {
    {"check", "checkpoint"},
    {"debug", "checkpoint"},
    {"merge", "checkpoint"},
    {"top", "checkpoint"},
    {"-T", "checkpoint"},
    // What sorts nothing has nothing to report.
    {"check", "stats stats-json report trace"},
    {"explain", "stats stats-json report trace"},
    {"columns", "stats stats-json report trace"},
    {"plan", "stats stats-json report trace"},
};

/// Calls `visit` for each word of a text with blanks between them.
template <class Visit>
void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    visit(word);
  }
}

/// The options that are given, with other values than their defaults.
class GivenOptions {
 public:
  explicit GivenOptions(const Request& request) : request_(request), specs_(request.given()) {}

  /// The one among those that `name` stands for; empty if there is none.
  std::string_view find(std::string_view name) const {
    if (name == "check") {
      return request_.check == CheckMode::kNo ? "" : request_.check == CheckMode::kQuiet ? "-C" : "-c";
    }
    if (name == "sets") return request_.options.set_operation != SetOperation::kNone ? name : "";
    if (name == "parts") return request_.options.parts.are_wanted() ? name : "";
    const std::string_view names = name == "set"      ? "union intersect except symmetric"
                                   : name == "genome" ? "bed vcf"
                                                      : name;
    std::string_view found;
    for_each_word(names, [&](std::string_view word) {
      if (found.empty() && has(word)) found = word;
    });
    return found;
  }

  /// Throws Error for the first rule that is broken.
  void obey(std::span<const Rule> rules) const {
    if (specs_.empty()) return;
    for (const Rule& rule : rules) {
      const std::string_view option = find(rule.option);
      if (!option.empty()) refuse_beside(option, rule.others);
    }
  }

  void refuse_beside(std::string_view option, std::string_view others) const {
    for_each_word(others, [&](std::string_view name) {
      const std::string_view other = find(name);
      if (!other.empty()) refuse_together(request_.door, option, other);
    });
  }

 private:
  bool has(std::string_view word) const {
    return std::ranges::any_of(specs_, [&](const Spec* spec) { return is_called(*spec, word); });
  }

  const Request& request_;
  std::vector<const Spec*> specs_;
};

/// As GNU sort does.
void refuse_contradicted_debug(const Request& request, const GivenOptions& given) {
  const std::string_view check = given.find("check");
  if (!request.debug || (check.empty() && !request.output)) return;
  throw Error(std::string("options '-") + (check.empty() ? 'o' : check[1]) + " --debug' are incompatible");
}

/// As GNU sort does.
void refuse_contradicted_check(const Request& request, const GivenOptions& given) {
  const std::string name(given.find("check"));
  if (name.empty()) return;
  const std::vector<std::string>& inputs = request.options.inputs;
  if (inputs.size() > 1) throw Error("extra operand " + quote_path_always(inputs[1]) + " not allowed with " + name);
  if (request.output) throw Error("options '" + name + "o' are incompatible");
}

void refuse_missing_inputs(const Request& request, const GivenOptions& given) {
  const std::vector<std::string>& inputs = request.options.inputs;
  const auto standard_inputs = std::ranges::count(inputs, "-");
  if (const std::string set(given.find("set")); !set.empty()) {
    if (inputs.size() < 2) request.refuse("{" + set + "} compares sets: name two files at least");
    if (standard_inputs > 1) throw Error("standard input is one set, not several");
  }
  if (request.join.kind && standard_inputs > 1) {
    request.refuse("standard input is one of the files of {join}, not both");
  }
}

void refuse_contradicted_selections(const Request& request, const GivenOptions& given) {
  const SortOptions& options = request.options;
  given.obey(kRulesOfSelections);
  if (request.gave("order=input") && !options.unique && options.sample_records == 0) {
    request.refuse("{order=input} needs {unique}, {count}, {repeated}, {only-once}, {sample} or sets such as {union}");
  }
  given.obey(kRulesOfChains);
  if (request.sample_seed && request.order.random_source) {
    request.refuse("{random-source} does not go with a seed of {sample}: give one of the two");
  }
  given.obey(kRulesOfKept);
  if (options.keep_last && !options.unique) request.refuse("{keep=last} needs {unique} or {count}");
}

/// Options of parts but for --together and --manifest need names, and these two need one of them.
void refuse_missing_parts(const Request& request) {
  for (const std::string_view way : {"split", "split-size", "split-records", "split-by"}) {
    if (!request.gave(way)) continue;
    if (request.shards.asks_for_shards()) refuse_together(request.door, way, "form}, {cut} and {merge-runs");
    if (request.output || request.door == Door::kPython) continue;
    request.refuse("{" + std::string(way) + "} needs -o with names, as in '" +
                   (way == "split-by" ? "part-{}'" : "part-{:04d}'"));
  }
  if (request.options.parts.are_wanted()) return;
  for (const std::string_view option : {"together", "manifest"}) {
    if (!request.gave(option)) continue;
    request.refuse("{" + std::string(option) + "} needs {split}, {split-size}, {split-records} or {split-by}");
  }
}

void refuse_form_for_lines(const Request& request) {
  if (request.door == Door::kPython) {
    for_each_word(
        "key split-by ordering stable locale -t quote chromosomes -z random_seed year zone na entry-start",
        [&](std::string_view name) {
          if (!request.gave(name)) return;
          request.refuse("{" + std::string(name) + "} is for lines: leave it out, or let the format be one of lines");
        });
    return;
  }
  if (request.order.delimiter) throw Error("-z/--zero-terminated needs --format=lines");
  if (request.order.asks_for_lines()) throw Error("keys and other orders than -r need --format=lines");
  if (request.has_header()) throw Error("--header needs --format=lines");
  if (request.counts_lines()) throw Error("--count needs --format=lines");
  if (request.groups) throw Error("--group needs --format=lines");
}

}  // namespace

void refuse_beside(const Request& request, std::string_view option, std::string_view others) {
  GivenOptions(request).refuse_beside(option, others);
}

void refuse_contradictory_forms(const Request& request, const Format& format) {
  const bool lines = format.kind == RecordKind::kLines;
  if (!lines && !request.order.shuffle) refuse_form_for_lines(request);
  if ((lines || format.kind == RecordKind::kPrefixed) && !request.order.fields.empty()) {
    request.refuse("{field} needs {format=fixed:BYTES}");
  }
  GivenOptions(request).obey(kRulesOfForms);
  if (request.order.has_columns()) return;
  if (request.columns) throw Error("--columns needs --csv or --tsv");
  for (const std::string_view option : {"no-header", "quote"}) {
    if (!request.gave(option)) continue;
    request.refuse("{" + std::string(option) + "} needs {csv} or {tsv}: other records have neither names nor quotes");
  }
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
    for (const Aggregate& aggregate : grouping->aggregates) refuse_key(aggregate.place);
  }
  if (join == nullptr) return;
  std::ranges::for_each(join->right_keys, refuse_key);
  for (const JoinColumn& column : join->columns) {
    if (!column.name.empty()) refuse_name(column.name);
  }
}

void refuse_contradictions(const Request& request) {
  const GivenOptions given(request);
  refuse_contradicted_debug(request, given);
  refuse_contradicted_check(request, given);
  given.obey(kRulesOfGroups);
  refuse_missing_inputs(request, given);
  given.obey(kRulesOfActions);
  refuse_contradicted_selections(request, given);
  given.obey(kRulesOfParts);
  refuse_missing_parts(request);
  given.obey(kOtherRules);
}

}  // namespace sortie::option
