#include "cli/options/command_line.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/input_names.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/order_warnings.hpp"
#include "cli/options/request.hpp"

namespace sortie::cli {
namespace {

void refuse_both(bool first, const char* first_name, bool second, const char* second_name) {
  if (first && second) {
    throw UsageError("options " + std::string(first_name) + " and " + second_name + " are incompatible");
  }
}

void take_input_names(Request& request) {
  if (!request.input_names) return;
  std::vector<std::string>& inputs = request.options.inputs;
  if (!inputs.empty()) {
    throw UsageError("extra operand " + quote_path_always(inputs.front()) +
                     "\nfile operands cannot be combined with --files0-from");
  }
  inputs = read_input_names(*request.input_names);
}

bool asks_for_header(const Request& request) {
  return request.options.header_lines > 0 || !request.options.header_prefixes.empty();
}

/// Files of genomes have a form and a header of their own.
void refuse_beside_genome(const Request& request) {
  if (!request.order.genome) return;
  const char* const genome = *request.order.genome == GenomeFile::kBed ? "--bed" : "--vcf";
  refuse_both(true, genome, asks_for_header(request), "--header");
  refuse_both(true, genome, request.order.csv, "--csv");
  refuse_both(true, genome, request.order.tsv, "--tsv");
  refuse_both(true, genome, request.order.jsonl, "--jsonl");
  refuse_both(true, genome, static_cast<bool>(request.order.entry_start), "--entry-start");
  refuse_both(true, genome, request.zero_terminated, "-z");
  refuse_both(true, genome, request.debug, "--debug");
}

Format make_format(const Request& request) {
  Format format = parse_format(request.format);
  const bool lines = format.kind == RecordKind::kLines;
  if (!lines && request.zero_terminated) throw Error("-z/--zero-terminated needs --format=lines");
  if (!lines && request.order.asks_for_lines()) throw Error("keys and other orders than -r need --format=lines");
  if (!lines && asks_for_header(request)) throw Error("--header needs --format=lines");
  if (!lines && request.options.count) throw Error("--count needs --format=lines");
  if (!lines && request.groups.groups) throw Error("--group needs --format=lines");
  const bool has_fields = !lines && format.kind != RecordKind::kPrefixed;
  if (!has_fields && !request.fields.empty()) throw Error("--field needs --format=fixed:BYTES");
  refuse_both(request.zero_terminated, "-z", request.order.csv, "--csv");
  refuse_both(request.zero_terminated, "-z", request.order.tsv, "--tsv");
  const bool has_entries = static_cast<bool>(request.order.entry_start);
  const bool jsonl = request.order.jsonl;
  refuse_both(request.zero_terminated, "-z", jsonl, "--jsonl");
  refuse_both(request.order.csv, "--csv", jsonl, "--jsonl");
  refuse_both(request.order.tsv, "--tsv", jsonl, "--jsonl");
  refuse_both(!request.order.separator.empty(), "-t", jsonl, "--jsonl");
  refuse_both(asks_for_header(request), "--header", jsonl, "--jsonl");
  refuse_both(has_entries, "--entry-start", jsonl, "--jsonl");
  refuse_both(request.zero_terminated, "-z", has_entries, "--entry-start");
  refuse_both(request.order.csv, "--csv", has_entries, "--entry-start");
  refuse_both(request.order.tsv, "--tsv", has_entries, "--entry-start");
  refuse_beside_genome(request);
  if (!request.fields.empty()) {
    if (!format.fields.empty()) {
      throw Error("--field does not go with --format=" + request.format +
                  ", which has its field: write --format=fixed:" + std::to_string(format.record_bytes));
    }
    format.fields = request.fields;
  }
  if (request.zero_terminated) format.delimiter = '\0';
  if (request.order.shuffle) {
    if (!request.fields.empty()) throw Error("--field does not go with --shuffle: leave one of the two out");
    format = make_shuffled(std::move(format), request.order);
    validate(format);
    return format;
  }
  if (lines) format.text = make_order(request.order, request.options.unique || request.groups.groups);
  // Keys have a direction of their own.
  format.descending = request.order.global.descending && format.text.keys.empty();
  validate(format);
  return format;
}

/// Mistakes are refused in the order in which GNU sort finds them: those of keys (make_format()) before those of
/// --debug, and those of a check last.
void refuse_contradicted_debug(const Request& request, char check_letter) {
  if (!request.debug || (check_letter == '\0' && !request.output)) return;
  throw Error(std::string("options '-") + (check_letter == '\0' ? 'o' : check_letter) + " --debug' are incompatible");
}

void refuse_contradicted_check(const Request& request, char check_letter) {
  if (check_letter == '\0') return;
  const std::vector<std::string>& inputs = request.options.inputs;
  if (inputs.size() > 1) {
    throw Error("extra operand " + quote_path_always(inputs[1]) + " not allowed with -" + check_letter);
  }
  if (request.output) throw Error(std::string("options '-") + check_letter + "o' are incompatible");
}

const char* name_of(SetOperation operation) {
  switch (operation) {
    case SetOperation::kUnion:
      return "--union";
    case SetOperation::kIntersect:
      return "--intersect";
    case SetOperation::kExcept:
      return "--except";
    default:
      return "--symmetric";
  }
}

void refuse_contradicted_sets(const Request& request, bool check, const char* check_name) {
  const SortOptions& options = request.options;
  if (options.set_operation == SetOperation::kNone) return;
  const char* const name = name_of(options.set_operation);
  refuse_both(true, name, check, check_name);
  refuse_both(true, name, options.key_filter == KeyFilter::kRepeated, "--repeated");
  refuse_both(true, name, options.key_filter == KeyFilter::kOnce, "--only-once");
  refuse_both(true, name, request.debug, "--debug");
  refuse_both(true, name, request.order.shuffle, "--shuffle");
  if (options.inputs.size() < 2) throw UsageError(std::string(name) + " compares sets: name two files at least");
  if (std::ranges::count(options.inputs, "-") > 1) throw UsageError("standard input is one set, not several");
}

void refuse_contradicted_chain(const Request& request, bool check, const char* check_name) {
  const SortOptions& options = request.options;
  const bool keeps_order = options.output_order == OutputOrder::kInput;
  const bool draws_sample = options.sample_records != 0;
  for (const auto& [asked, name] : {std::pair(keeps_order, "--order=input"), std::pair(draws_sample, "--sample")}) {
    refuse_both(check, check_name, asked, name);
    refuse_both(request.debug, "--debug", asked, name);
  }
  if (keeps_order && !options.unique && !draws_sample) {
    throw UsageError("--order=input needs --unique, --count, --repeated, --only-once or --sample");
  }
  refuse_both(request.order.shuffle, "--shuffle", keeps_order, "--order=input");
  refuse_both(options.merge_only, "--merge", draws_sample, "--sample");
  refuse_both(!options.checkpoint_directory.empty(), "--checkpoint", draws_sample, "--sample");
  if (request.sample_seed && request.order.random_source) {
    throw Error("--random-source does not go with a seed of --sample: give one of the two");
  }
}

/// Whether any option of a sort by several processes is given.
bool asks_for_shards(const Request& request) {
  return request.shard_directory || request.bounds || request.slice_plan || request.bytes || request.place ||
         request.samples;
}

/// Options of parts but for --together and --manifest, which need one of them.
void refuse_parts(const Request& request, bool check, const char* check_name) {
  const Parts& parts = request.options.parts;
  const std::array ways = {std::pair(parts.count != 0, "--split"), std::pair(parts.most_bytes != 0, "--split-size"),
                           std::pair(parts.most_records != 0, "--split-records"),
                           std::pair(parts.by_first_key, "--split-by")};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto& [asked, name] = ways[i];
    refuse_both(asked, name, check, check_name);
    refuse_both(asked, name, request.debug, "--debug");
    refuse_both(asked, name, asks_for_shards(request), "--form, --cut and --merge-runs");
    for (const auto& [other_asked, other_name] : std::span(ways).subspan(i + 1)) {
      refuse_both(asked, name, other_asked, other_name);
    }
    if (asked && !request.output) throw UsageError(std::string(name) + " needs -o with names, as in 'part-{:04d}'");
  }
  if (parts.are_wanted()) return;
  const char* const needed = " needs --split, --split-size, --split-records or --split-by";
  if (parts.together) throw UsageError(std::string("--together") + needed);
  if (!parts.manifest_path.empty()) throw UsageError(std::string("--manifest") + needed);
}

void refuse_contradicted_groups(const Request& request, char check_letter) {
  if (!request.groups.groups) return;
  const SortOptions& options = request.options;
  const char check_name[] = {'-', check_letter, '\0'};
  for (const auto& [asked, name] :
       {std::pair(check_letter != '\0', check_name),
        std::pair(options.key_filter == KeyFilter::kRepeated, "--repeated"),
        std::pair(options.key_filter == KeyFilter::kOnce, "--only-once"),
        std::pair(options.set_operation != SetOperation::kNone, name_of(options.set_operation)),
        std::pair(options.output_order == OutputOrder::kInput, "--order=input"),
        std::pair(options.sample_records != 0, "--sample"), std::pair(options.unique, "--unique"),
        std::pair(options.keep_last, "--keep=last"), std::pair(request.order.shuffle, "--shuffle"),
        std::pair(request.debug, "--debug"),
        std::pair(static_cast<bool>(request.order.entry_start), "--entry-start")}) {
    refuse_both(true, "--group", asked, name);
  }
}

void refuse_contradictions_of_own(const Request& request, char check_letter) {
  const bool check = check_letter != '\0';
  const char check_name[] = {'-', check_letter, '\0'};
  refuse_contradicted_sets(request, check, check_name);
  refuse_both(check, check_name, request.plan, "--plan");
  refuse_both(request.debug, "--debug", request.plan, "--plan");
  for (const auto& [asked, name] : {std::pair(request.explain, "--explain"), std::pair(request.columns, "--columns")}) {
    refuse_both(check, check_name, asked, name);
    refuse_both(request.debug, "--debug", asked, name);
    refuse_both(request.plan, "--plan", asked, name);
  }
  refuse_both(request.explain, "--explain", request.columns, "--columns");
  if (request.columns && !request.order.csv && !request.order.tsv) throw UsageError("--columns needs --csv or --tsv");
  refuse_both(request.debug, "--debug", request.order.csv, "--csv");
  refuse_both(request.debug, "--debug", request.order.tsv, "--tsv");
  const bool has_entries = static_cast<bool>(request.order.entry_start);
  refuse_both(request.debug, "--debug", has_entries, "--entry-start");
  refuse_both(request.debug, "--debug", request.order.jsonl, "--jsonl");
  refuse_both(request.options.count, "--count", has_entries, "--entry-start");
  refuse_both(request.debug, "--debug", asks_for_header(request), "--header");
  refuse_both(request.order.csv, "--csv", request.order.tsv, "--tsv");
  refuse_both(request.debug, "--debug", request.options.count, "--count");
  refuse_both(request.order.shuffle, "--shuffle", check, check_name);
  refuse_both(request.order.shuffle, "--shuffle", request.debug, "--debug");
  refuse_both(request.order.shuffle, "--shuffle", request.options.merge_only, "--merge");
  refuse_both(request.order.shuffle, "--shuffle", request.options.count, "--count");
  refuse_both(request.order.shuffle, "--shuffle", request.options.key_filter == KeyFilter::kRepeated, "--repeated");
  refuse_both(request.order.shuffle, "--shuffle", request.options.key_filter == KeyFilter::kOnce, "--only-once");
  refuse_both(request.order.shuffle, "--shuffle", request.options.unique, "--unique");
  refuse_both(request.options.count, "--count", request.order.csv, "--csv");
  refuse_both(request.options.count, "--count", request.order.tsv, "--tsv");
  refuse_both(check, check_name, request.options.count, "--count");
  refuse_both(check, check_name, request.options.keep_last, "--keep=last");
  refuse_both(check, check_name, request.options.key_filter == KeyFilter::kRepeated, "--repeated");
  refuse_both(check, check_name, request.options.key_filter == KeyFilter::kOnce, "--only-once");
  refuse_both(check, check_name, request.options.top_records != 0, "--top");
  refuse_contradicted_chain(request, check, check_name);
  refuse_parts(request, check, check_name);
  const bool keeps = !request.options.checkpoint_directory.empty();
  refuse_both(check, check_name, keeps, "--checkpoint");
  refuse_both(request.debug, "--debug", keeps, "--checkpoint");
  refuse_both(request.options.merge_only, "--merge", keeps, "--checkpoint");
  refuse_both(request.options.top_records != 0, "--top", keeps, "--checkpoint");
  refuse_both(!request.options.scratch_directories.empty(), "-T", keeps, "--checkpoint");
  refuse_both(request.options.keep_last, "--keep=last", request.options.key_filter == KeyFilter::kOnce, "--only-once");
  if (request.options.keep_last && !request.options.unique) throw UsageError("--keep=last needs --unique or --count");
  const char* idle_name = check ? check_name : request.explain ? "--explain" : request.columns ? "--columns" : "--plan";
  const bool idle = check || request.plan || request.explain || request.columns;
  refuse_both(idle, idle_name, request.print_stats, "--stats");
  refuse_both(idle, idle_name, !request.options.stats_json_path.empty(), "--stats-json");
  refuse_both(idle, idle_name, !request.options.report_path.empty(), "--report");
  refuse_both(idle, idle_name, !request.options.trace_path.empty(), "--trace");
}

char check_letter_of(const Request& request) {
  if (request.check == CheckMode::kNo) return '\0';
  return request.check == CheckMode::kQuiet ? 'C' : 'c';
}

Action action_of(const Request& request) {
  if (request.check == CheckMode::kDiagnose) return Action::kCheck;
  if (request.check == CheckMode::kQuiet) return Action::kCheckQuietly;
  if (request.plan) return Action::kPlan;
  if (request.explain) return Action::kExplain;
  if (request.columns) return Action::kListColumns;
  if (request.join.kind) return Action::kJoin;
  if (request.shard_directory) return Action::kFormShard;
  if (request.bounds) return Action::kCutRun;
  if (request.slice_plan) return Action::kMergeSlices;
  return request.debug ? Action::kSortAnnotated : Action::kSort;
}

/// Standard input is used up when it has been read once.
void drop_repeated_standard_input(std::vector<std::string>& inputs) {
  const auto first = std::ranges::find(inputs, "-");
  if (first != inputs.end()) inputs.erase(std::remove(first + 1, inputs.end(), "-"), inputs.end());
}

/// The files have been read by now, and the sort must not replace them.
std::vector<std::string> files_read_for_options(const Request& request) {
  std::vector<std::string> paths;
  if (request.input_names) paths.push_back(*request.input_names == "-" ? "/dev/stdin" : *request.input_names);
  if (request.order.random_source) paths.push_back(*request.order.random_source);
  return paths;
}

CommandLine self_test_of(const Request& request) {
  if (request.beside_resources) {
    throw UsageError("--self-test makes its own records and takes options of resources alone, not " +
                     quote_word(*request.beside_resources));
  }
  return {.action = Action::kSelfTest, .options = request.options};
}

CommandLine finish(Request request) {
  if (request.self_test) return self_test_of(request);
  take_input_names(request);
  if (request.groups.counts_lines()) request.options.count = request.options.unique = true;
  const char check_letter = check_letter_of(request);
  request.options.format = make_format(request);
  if (request.order.genome) request.options.header_prefixes = genome_header_prefixes(*request.order.genome);
  request.options.grouping = request.groups.make(request.options.format);
  refuse_contradicted_debug(request, check_letter);
  refuse_contradicted_check(request, check_letter);
  refuse_contradicted_groups(request, check_letter);
  refuse_contradictions_of_own(request, check_letter);
  drop_repeated_standard_input(request.options.inputs);
  CommandLine command;
  if (request.join.asks_for_join()) command.join = make_join(request);
  if (asks_for_shards(request)) command.shard_task = shard_task_of(request);
  if (request.slice_plan && request.output) command.shard_task.output_offset = take_output_offset(*request.output);
  // Only without -o is standard output meant: "-o -" names a file.
  if (request.output) request.options.output = *request.output == "-" ? "./-" : *request.output;
  if (request.options.sample_records != 0) {
    request.options.sample_seed =
        request.sample_seed ? seed_of_text(*request.sample_seed) : random_seed(request.order.random_source);
  }
  request.options.seed_is_made_up = !request.order.random_source && !request.order.shuffle_seed;
  request.options.other_files = files_read_for_options(request);
  command.action = action_of(request);
  if (request.debug) command.warnings = order_warnings(request.order, request.options.unique);
  command.options = std::move(request.options);
  command.print_stats = request.print_stats;
  return command;
}

/// The command as a shell reads it.
std::string shell_command(const std::vector<std::string>& words, std::string_view program) {
  std::string command(program);
  for (const std::string& word : words) command += " " + quote_path(word);
  return command;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view program) {
  Request request;
  const bool as_gnu_sort = program == "sort";
  request.options.progress = as_gnu_sort ? ProgressMode::kNever : ProgressMode::kAuto;
  request.options.unpack = !as_gnu_sort;
  request.order.as_gnu_sort = as_gnu_sort;
  ArgumentReader reader(words, ArgumentRules::from_environment(program));
  while (const std::optional<Argument> argument = reader.next()) {
    request.apply(*argument);
    if (request.help) return {.action = Action::kHelp, .help_form = *request.help};
    if (request.version) return {.action = Action::kVersion};
  }
  if (!request.options.report_path.empty()) request.options.command = shell_command(words, program);
  return finish(std::move(request));
}

}  // namespace sortie::cli
