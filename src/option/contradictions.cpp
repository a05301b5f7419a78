#include "option/contradictions.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "option/contradiction_rules.hpp"

namespace sortie::option {
namespace {

/// Calls `visit` for each word of a text with blanks between them.
template <class Visit>
void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    visit(word);
  }
}

/// The options that the job makes nothing of. Precondition: it has a rule.
std::string_view not_taken_by(std::string_view job) {
  const auto* const rule = std::ranges::find(kRulesOfJobs, job, &Rule::option);
  assert(rule != std::end(kRulesOfJobs));
  return rule->others;
}

/// The options that are given, with other values than their defaults.
class GivenOptions {
 public:
  explicit GivenOptions(const Request& request)
      : door_(request.door), options_(request.options), specs_(request.given()) {
    if (request.check != CheckMode::kNo) check_ = request.check == CheckMode::kQuiet ? "-C" : "-c";
  }
  /// `check`: how messages name what the options are for, if that is a check.
  GivenOptions(const SortOptions& options, Door door, std::string_view check = {})
      : door_(door), options_(options), check_(check), specs_(given_in(options)) {}

  Door door() const { return door_; }
  const SortOptions& options() const { return options_; }

  /// The one among those that `name` stands for; empty if there is none.
  std::string_view find(std::string_view name) const {
    if (name == "check") return check_;
    if (name == "sets") return options_.set_operation != SetOperation::kNone ? name : "";
    // The index of lines: that of files of a format is a setting of theirs.
    if (name == "index") return options_.index ? name : "";
    if (name == "parts") return options_.parts.are_wanted() ? name : "";
    const std::string_view names = name == "set"      ? "union intersect except symmetric"
                                   : name == "genome" ? "bed vcf gff gtf"
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
      if (!other.empty()) refuse_together(door_, option, other);
    });
  }

 private:
  bool has(std::string_view word) const {
    if (word == "unique" && options_.count) return false;  // Python's count implies it
    return std::ranges::any_of(specs_, [&](const Spec* spec) { return is_called(*spec, word); });
  }

  Door door_;
  const SortOptions& options_;
  std::string_view check_;
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
    if (std::max<std::uint64_t>(inputs.size(), request.options.set_inputs) < 2)
      request.refuse("{" + set + "} compares sets: name two files at least");
    if (standard_inputs > 1) throw Error("standard input is one set, not several");
  }
  if (request.join.kind && standard_inputs > 1) {
    request.refuse("standard input is one of the files of {join}, not both");
  }
}

bool chooses_by_equal_keys(const SortOptions& options) {
  return options.unique || options.count || options.key_filter != KeyFilter::kAll ||
         options.set_operation != SetOperation::kNone;
}

/// For requests alone: later sorts of a chain, and attempts after a GPU has failed, have such options.
void refuse_idle_gpu_options(const Request& request, const GivenOptions& given) {
  const SortOptions& options = request.options;
  const bool is_drawn_alone =
      options.sample_records != 0 && options.output_order == OutputOrder::kInput && !chooses_by_equal_keys(options);
  if (is_drawn_alone && options.engine == EngineChoice::kGpu) {
    request.refuse(
        "{sample} draws records on the CPU, and {order=input} leaves nothing to sort: leave {engine=gpu} out");
  }
  if (is_drawn_alone) given.refuse_beside("sample", kOfGpus);
  if (options.engine == EngineChoice::kCpu) given.refuse_beside("engine=cpu", kOfGpus);
}

/// Python has seeds in two ways.
void refuse_contradicted_seeds(const Request& request) {
  const OrderRequest& order = request.order;
  if (request.sample_seed && order.random_source) {
    request.refuse("{random-source} does not go with a seed of {sample}: give one of the two");
  }
  if (request.sample_seed && request.options.sample_records == 0) request.refuse("sample_seed needs {sample}");
  if (!order.random_seed) return;
  if (request.sample_seed) request.refuse("random_seed does not go with sample_seed: give one of the two");
  if (order.shuffle_seed) request.refuse("random_seed does not go with a seed of {shuffle}: give one of the two");
  if (!request.options.format.text.random_seed && request.options.sample_records == 0) {
    request.refuse("random_seed needs {shuffle}, {sample} or a key with R");
  }
}

void refuse_contradicted_best(const GivenOptions& given) {
  const SortOptions& options = given.options();
  given.refuse_beside("keep_best", "check debug group set repeated only-once keep=last top merge");
  if (options.unique || options.count) return;
  refuse(given.door(), given.door() == Door::kPython ? "keep_best needs {unique} or {count}"
                                                     : "--keep=max and min need {unique} or {count}");
}

void refuse_contradicted_selections(const GivenOptions& given) {
  const SortOptions& options = given.options();
  given.obey(kRulesOfSelections);
  if (!given.find("order=input").empty() && !chooses_by_equal_keys(options) && options.sample_records == 0) {
    refuse(given.door(),
           "{order=input} needs {unique}, {count}, {repeated}, {only-once}, {sample} or sets such as {union}");
  }
  given.obey(kRulesOfChains);
  given.obey(kRulesOfKept);
  if (options.keep_last && !chooses_by_equal_keys(options)) {
    refuse(given.door(), "{keep=last} needs {unique} or {count}");
  }
  if (options.keep_best) refuse_contradicted_best(given);
  if (!options.dropped_path.empty() && !options.unique && !options.count) {
    refuse(given.door(), "{dropped} needs {unique} or {count}");
  }
}

/// Options of parts but for --together and --manifest need names, and these two need one of them.
void refuse_contradicted_parts(const GivenOptions& given) {
  given.obey(kRulesOfParts);
  if (given.options().parts.are_wanted()) return;
  for (const std::string_view option : {"together", "manifest", "weight"}) {
    if (given.find(option).empty()) continue;
    refuse(given.door(), "{" + std::string(option) + "} needs {split}, {split-size}, {split-records} or {split-by}");
  }
}

/// The rules of which SortOptions know.
void refuse_contradicted_options(const GivenOptions& given) {
  given.obey(kRulesOfGroups);
  refuse_contradicted_selections(given);
  refuse_contradicted_parts(given);
  given.obey(kOtherRules);
}

void refuse_missing_names(const Request& request, const GivenOptions& given) {
  for (const std::string_view way : {"split", "split-size", "split-records", "split-weight", "split-by"}) {
    if (given.find(way).empty()) continue;
    if (request.shards.asks_for_shards() && !request.shards.ranges_plan) {
      if (way == "split-by") continue;  // it orders the records of a shard, too
      refuse_together(request.door, way, "form}, {cut} and {merge-runs");
    }
    if (request.output || request.door == Door::kPython) continue;
    request.refuse("{" + std::string(way) + "} needs -o with names, as in '" +
                   (way == "split-by" ? "part-{}'" : "part-{:04d}'"));
  }
}

void refuse_form_for_lines(const Request& request) {
  if (request.door == Door::kPython) {
    for (const Spec* const spec : request.given()) {
      const bool is_of_lines = (spec->about & kOfLines) != 0 || spec->python.name == "delimiter";
      if (!is_of_lines) continue;
      request.refuse(std::string(spec->python.name) + " is for lines: leave it out, or let the format be one of lines");
    }
    return;
  }
  if (request.order.delimiter) throw Error("-z/--zero-terminated needs --format=lines");
  if (request.first_about(kOfLines) != nullptr) throw Error("keys and other orders than -r need --format=lines");
  if (request.has_header()) throw Error("--header needs --format=lines");
  if (request.counts_lines()) throw Error("--count needs --format=lines");
  if (request.groups) throw Error("--group needs --format=lines");
}

}  // namespace

void refuse_contradictory_forms(const Request& request, const Format& format) {
  const bool lines = format.kind == RecordKind::kLines;
  const bool may_shuffle_all = request.door == Door::kPython && request.order.shuffle;
  if (!lines && !may_shuffle_all) refuse_form_for_lines(request);
  if ((lines || format.kind == RecordKind::kPrefixed) && !request.order.fields.empty()) {
    request.refuse("{field} needs {format=fixed:BYTES}");
  }
  const GivenOptions given(request);
  given.obey(kRulesOfForms);
  if (request.order.has_columns()) return;
  if (request.columns) throw Error("--columns needs --csv or --tsv");
  for (const std::string_view option : {"no-header", "quote"}) {
    if (given.find(option).empty()) continue;
    request.refuse("{" + std::string(option) + "} needs {csv} or {tsv}: other records have neither names nor quotes");
  }
}

void refuse_contradictions(const SortOptions& options, Door door) {
  refuse_contradicted_options(GivenOptions(options, door));
}

void refuse_contradictions_of_check(const SortOptions& options, Door door) {
  refuse_contradicted_options(GivenOptions(options, door, "check"));
}

void refuse_contradictions(const Request& request) {
  const GivenOptions given(request);
  refuse_contradicted_debug(request, given);
  refuse_contradicted_check(request, given);
  given.obey(kRulesOfGroups);
  refuse_missing_inputs(request, given);
  given.obey(kRulesOfActions);
  refuse_contradicted_selections(given);
  refuse_contradicted_seeds(request);
  refuse_contradicted_parts(given);
  refuse_missing_names(request, given);
  given.obey(kOtherRules);
  refuse_idle_gpu_options(request, given);
  // On a command line, the last of the two counts.
  if (request.options.compress_program && request.options.compression != Compression::kAuto) {
    request.refuse("{compress-program} does not go with {compress}: give one of the two");
  }
}

void refuse_beside_job(const Request& request, std::string_view job, std::string_view name) {
  GivenOptions(request).refuse_beside(name, not_taken_by(job));
}

void refuse_beside_job(const SortOptions& options, Door door, std::string_view job) {
  const GivenOptions given(options, door);
  for_each_word(not_taken_by(job), [&](std::string_view name) {
    const std::string other(given.find(name));
    if (other.empty()) return;
    const bool is_of_several = other == "sets" || other == "parts";
    refuse(door, "a " + std::string(job) + " and " + (is_of_several ? other : "{" + other + "}") +
                     " are incompatible: leave the latter out");
  });
}

void refuse_idle_gpu_options(const Request& request) { refuse_idle_gpu_options(request, GivenOptions(request)); }

}  // namespace sortie::option
