#include "cli/options/contradictions.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/option_values.hpp"
#include "record/csv/column_names.hpp"

namespace sortie::cli {
namespace {

/// An option, and whether it is given.
struct Asked {
  bool is_given = false;
  const char* name = "";
};

const char* name_of(CheckMode mode) { return mode == CheckMode::kQuiet ? "-C" : "-c"; }

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

/// The options that do not go with all others.
struct Choices {
  explicit Choices(const Request& request) : Choices(request, request.options, request.order) {}

  Asked check, debug, plan, explain, columns;
  Asked zero_terminated, csv, tsv, jsonl, entries, separator, header, no_header, quote, genome;
  Asked unique, count, keep_last, repeated, only_once, set, group, top, sample, order_of_input, shuffle;
  Asked merge, checkpoint, temporary_directory;

 private:
  Choices(const Request& request, const SortOptions& options, const OrderRequest& order)
      : check{request.check != CheckMode::kNo, name_of(request.check)},
        debug{request.debug, "--debug"},
        plan{request.plan, "--plan"},
        explain{request.explain, "--explain"},
        columns{request.columns, "--columns"},
        zero_terminated{request.zero_terminated, "-z"},
        csv{order.csv, "--csv"},
        tsv{order.tsv, "--tsv"},
        jsonl{order.jsonl, "--jsonl"},
        entries{static_cast<bool>(order.entry_start), "--entry-start"},
        separator{!order.separator.empty(), "-t"},
        header{asks_for_header(request), "--header"},
        no_header{request.no_header, "--no-header"},
        quote{order.quoting.has_value(), "--quote"},
        genome{order.genome.has_value(), order.genome == GenomeFile::kBed ? "--bed" : "--vcf"},
        unique{options.unique, "--unique"},
        count{options.count, "--count"},
        keep_last{options.keep_last, "--keep=last"},
        repeated{options.key_filter == KeyFilter::kRepeated, "--repeated"},
        only_once{options.key_filter == KeyFilter::kOnce, "--only-once"},
        set{options.set_operation != SetOperation::kNone, name_of(options.set_operation)},
        group{request.groups.groups, "--group"},
        top{options.top_records != 0, "--top"},
        sample{options.sample_records != 0, "--sample"},
        order_of_input{options.output_order == OutputOrder::kInput, "--order=input"},
        shuffle{order.shuffle, "--shuffle"},
        merge{options.merge_only, "--merge"},
        checkpoint{!options.checkpoint_directory.empty(), "--checkpoint"},
        temporary_directory{!options.scratch_directories.empty(), "-T"} {}
};

/// Throws Error if `option` and one of `others` are given.
void refuse_beside(const Asked& option, std::initializer_list<Asked> others) {
  if (!option.is_given) return;
  for (const Asked& other : others) {
    if (other.is_given) refuse_together(option.name, other.name);
  }
}

/// As GNU sort does.
void refuse_contradicted_debug(const Request& request) {
  const bool check = request.check != CheckMode::kNo;
  if (!request.debug || (!check && !request.output)) return;
  throw Error(std::string("options '-") + (check ? name_of(request.check)[1] : 'o') + " --debug' are incompatible");
}

/// As GNU sort does.
void refuse_contradicted_check(const Request& request) {
  if (request.check == CheckMode::kNo) return;
  const std::string name = name_of(request.check);
  const std::vector<std::string>& inputs = request.options.inputs;
  if (inputs.size() > 1) throw Error("extra operand " + quote_path_always(inputs[1]) + " not allowed with " + name);
  if (request.output) throw Error("options '" + name + "o' are incompatible");
}

void refuse_beside_actions(const Choices& asked) {
  refuse_beside(asked.check, {asked.plan});
  refuse_beside(asked.debug, {asked.plan});
  for (const Asked& action : {asked.explain, asked.columns}) {
    refuse_beside(asked.check, {action});
    refuse_beside(asked.debug, {action});
    refuse_beside(asked.plan, {action});
  }
  refuse_beside(asked.explain, {asked.columns});
}

void refuse_contradicted_sets(const Request& request, const Choices& asked) {
  refuse_beside(asked.set, {asked.check, asked.repeated, asked.only_once, asked.debug, asked.shuffle});
  if (!asked.set.is_given) return;
  const std::vector<std::string>& inputs = request.options.inputs;
  if (inputs.size() < 2) throw Error(std::string(asked.set.name) + " compares sets: name two files at least");
  if (std::ranges::count(inputs, "-") > 1) throw Error("standard input is one set, not several");
}

void refuse_contradicted_chain(const Request& request, const Choices& asked) {
  refuse_beside(asked.check, {asked.order_of_input, asked.sample});
  refuse_beside(asked.debug, {asked.order_of_input, asked.sample});
  if (asked.order_of_input.is_given && !asked.unique.is_given && !asked.sample.is_given) {
    throw Error("--order=input needs --unique, --count, --repeated, --only-once, --sample or sets such as --union");
  }
  refuse_beside(asked.shuffle, {asked.order_of_input});
  refuse_beside(asked.merge, {asked.sample});
  refuse_beside(asked.checkpoint, {asked.sample});
  if (request.sample_seed && request.order.random_source) {
    throw Error("--random-source does not go with a seed of --sample: give one of the two");
  }
}

std::array<Asked, 4> ways_of_parts(const Parts& parts) {
  return {Asked{parts.count != 0, "--split"}, Asked{parts.most_bytes != 0, "--split-size"},
          Asked{parts.most_records != 0, "--split-records"}, Asked{parts.by_first_key, "--split-by"}};
}

/// Options of parts but for --together and --manifest, which need one of them.
void refuse_contradicted_parts(const Request& request, const Choices& asked) {
  const Parts& parts = request.options.parts;
  const std::array ways = ways_of_parts(parts);
  const Asked shards{asks_for_shards(request), "--form, --cut and --merge-runs"};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    refuse_beside(ways[i], {asked.check, asked.debug, shards});
    for (const Asked& other : std::span(ways).subspan(i + 1)) refuse_beside(ways[i], {other});
    if (ways[i].is_given && !request.output) {
      const char* const names = parts.by_first_key ? "'part-{}'" : "'part-{:04d}'";
      throw Error(std::string(ways[i].name) + " needs -o with names, as in " + names);
    }
  }
  if (parts.are_wanted()) return;
  const char* const needed = " needs --split, --split-size, --split-records or --split-by";
  if (parts.together) throw Error(std::string("--together") + needed);
  if (!parts.manifest_path.empty()) throw Error(std::string("--manifest") + needed);
}

void refuse_contradicted_selections(const Request& request, const Choices& asked) {
  refuse_beside(asked.shuffle,
                {asked.check, asked.debug, asked.merge, asked.count, asked.repeated, asked.only_once, asked.unique});
  refuse_beside(asked.count, {asked.csv, asked.tsv});
  refuse_beside(asked.check, {asked.count, asked.keep_last, asked.repeated, asked.only_once, asked.top});
  refuse_contradicted_chain(request, asked);
  refuse_beside(asked.keep_last, {asked.only_once});
  if (asked.keep_last.is_given && !asked.unique.is_given) throw Error("--keep=last needs --unique or --count");
}

void refuse_contradicted_checkpoint(const Choices& asked) {
  for (const Asked& other : {asked.check, asked.debug, asked.merge, asked.top, asked.temporary_directory}) {
    refuse_beside(other, {asked.checkpoint});
  }
}

/// What sorts nothing has nothing to report.
void refuse_idle_reports(const Request& request, const Choices& asked) {
  const SortOptions& options = request.options;
  for (const Asked& idle : {asked.check, asked.explain, asked.columns, asked.plan}) {
    refuse_beside(idle,
                  {Asked{request.print_stats, "--stats"}, Asked{!options.stats_json_path.empty(), "--stats-json"},
                   Asked{!options.report_path.empty(), "--report"}, Asked{!options.trace_path.empty(), "--trace"}});
  }
}

}  // namespace

bool asks_for_header(const Request& request) {
  return request.options.header_lines > 0 || !request.options.header_prefixes.empty();
}

void settle_header(Request& request) {
  const bool has_columns = request.order.csv || request.order.tsv;
  if (has_columns && !request.no_header && !asks_for_header(request)) request.options.header_lines = 1;
}

bool asks_for_shards(const Request& request) {
  return request.shard_directory || request.bounds || request.slice_plan || request.bytes || request.place ||
         request.samples || request.shared_header;
}

void refuse_contradictory_forms(const Request& request) {
  const Choices asked(request);
  refuse_beside(asked.zero_terminated, {asked.csv, asked.tsv, asked.jsonl, asked.entries});
  for (const Asked& columns : {asked.csv, asked.tsv}) refuse_beside(columns, {asked.jsonl, asked.entries});
  for (const Asked& other : {asked.separator, asked.header, asked.entries}) refuse_beside(other, {asked.jsonl});
  if (request.columns && !request.order.csv && !request.order.tsv) throw Error("--columns needs --csv or --tsv");
  refuse_beside(asked.no_header, {asked.header, asked.columns});
  for (const Asked& of_columns : {asked.no_header, asked.quote}) {
    if (of_columns.is_given && !request.order.csv && !request.order.tsv) {
      throw Error(std::string(of_columns.name) + " needs --csv or --tsv: other records have neither names nor quotes");
    }
  }
  refuse_beside(asked.genome,
                {asked.header, asked.csv, asked.tsv, asked.jsonl, asked.entries, asked.zero_terminated, asked.debug});
}

void refuse_names_without_header(const Request& request, const std::optional<JoinOptions>& join) {
  if (!request.no_header) return;
  const auto refuse_name = [](const std::string& name) {
    throw Error("no column is called " + quote_word(name) +
                " with --no-header: give its number, for example 2,2, or leave --no-header out");
  };
  const auto refuse_key = [&](const TextKey& key) {
    if (needs_header(key)) refuse_name(key.column);
  };
  std::ranges::for_each(request.options.format.text.keys, refuse_key);
  if (const auto& grouping = request.options.grouping) {
    for (const Aggregate& aggregate : grouping->aggregates) refuse_key(aggregate.place);
  }
  if (!join) return;
  std::ranges::for_each(join->right_keys, refuse_key);
  for (const JoinColumn& column : join->columns) {
    if (!column.name.empty()) refuse_name(column.name);
  }
}

void refuse_contradictions(const Request& request) {
  const Choices asked(request);
  refuse_contradicted_debug(request);
  refuse_contradicted_check(request);
  refuse_beside(asked.group, {asked.check, asked.repeated, asked.only_once, asked.set, asked.order_of_input,
                              asked.sample, asked.unique, asked.keep_last, asked.shuffle, asked.debug, asked.entries});
  refuse_beside(asked.group, {Asked{request.options.parts.together, "--together"}});
  refuse_contradicted_sets(request, asked);
  if (request.join.kind && std::ranges::count(request.options.inputs, "-") > 1) {
    throw Error("standard input is one of the files of --join, not both");
  }
  refuse_beside_actions(asked);
  refuse_beside(asked.debug, {asked.csv, asked.tsv, asked.entries, asked.jsonl, asked.header, asked.count});
  refuse_beside(asked.count, {asked.entries});
  refuse_beside(asked.csv, {asked.tsv});
  refuse_contradicted_selections(request, asked);
  refuse_contradicted_parts(request, asked);
  refuse_contradicted_checkpoint(asked);
  refuse_idle_reports(request, asked);
}

}  // namespace sortie::cli
