#include "python/named_options.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "python/sort_arguments.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

void set_array_devices(ArrayOptions& target, const OptionValue& value) {
  if (value.is_text()) {
    // None of them by number means all of them.
    value.as_choice<bool>({{"all", true}});
  } else {
    target.devices = value.as_numbers();
  }
}

struct JoinTarget {
  JoinOptions options;
  std::vector<std::string> right_keys;
};

constexpr NamedOption<JoinTarget> kJoinOptions[] = {
    {"how",
     [](JoinTarget& t, const OptionValue& v) {
       t.options.kind = v.as_choice<JoinKind>({{"inner", JoinKind::kInner},
                                               {"left", JoinKind::kLeft},
                                               {"right", JoinKind::kRight},
                                               {"full", JoinKind::kFull},
                                               {"anti", JoinKind::kAnti}});
     }},
    {"right_keys", [](JoinTarget& t, const OptionValue& v) { t.right_keys = v.as_texts(); }},
    {"select",
     [](JoinTarget& t, const OptionValue& v) {
       const std::string word = v.as_text();
       t.options.columns = parse_word_of("select", word, [&] { return parse_join_columns(word); });
     }},
    {"empty", [](JoinTarget& t, const OptionValue& v) { t.options.empty = v.as_text(); }},
};

constexpr NamedOption<ArrayOptions> kArrayOptions[] = {
    {"descending", [](ArrayOptions& t, const OptionValue& v) { t.descending = v.as_flag(); }},
    {"threads", [](ArrayOptions& t, const OptionValue& v) { t.threads = threads_in(v); }},
    {"engine", [](ArrayOptions& t, const OptionValue& v) { t.engine = engine_in(v); }},
    {"devices", set_array_devices},
    {"device_memory", [](ArrayOptions& t, const OptionValue& v) { t.device_memory_bytes = v.as_size(); }},
};

constexpr NamedOption<ArgsortOptions> kArgsortOptions[] = {
    {"descending", [](ArgsortOptions& t, const OptionValue& v) { t.descending = v.as_flag(); }},
    {"threads", [](ArgsortOptions& t, const OptionValue& v) { t.threads = threads_in(v); }},
};

/// The options of a sort that say how records lie in files and lines: a table has columns instead.
constexpr std::string_view kNotForTables[] = {
    "inputs",     "output",   "output_level",  "format",      "fields",    "keys",         "ordering",
    "descending", "stable",   "locale",        "separator",   "delimiter", "header_lines", "quote",
    "merge_only", "count",    "set_operation", "checkpoint",  "unpack",    "random_seed",  "shuffle",
    "year",       "zone",     "entry_start",   "chromosomes", "split",     "split_size",   "split_records",
    "split_by",   "together", "manifest",      "group",       "na"};

void add_genome_header(SortTarget& target) {
  const std::optional<GenomeFile> file = genome_file(target.order);
  if (!file) return;
  if (target.options.header_lines > 0 || !target.options.header_prefixes.empty()) {
    throw ArgumentError("format " + target.order.format + " knows its header: leave header_lines out");
  }
  target.options.header_prefixes = genome_header_prefixes(*file);
}

/// Rows of "csv" and "tsv" have a header unless header_lines says otherwise; without one, columns have no names.
void settle_header(SortTarget& target) {
  SortOptions& options = target.options;
  if (!has_columns(target.order)) return;
  if (!target.header_is_told) options.header_lines = 1;
  if (options.header_lines > 0 || !options.header_prefixes.empty()) return;
  const auto refuse = [](const TextKey& key) {
    if (key.column.empty() || key.may_be_position) return;
    throw ArgumentError("no column is called '" + without_controls(key.column) +
                        "' with header_lines=0: give its number, for example 2,2");
  };
  std::ranges::for_each(options.format.text.keys, refuse);
  if (!options.grouping) return;
  for (const Aggregate& aggregate : options.grouping->aggregates) refuse(aggregate.place);
}

/// The library says the same, but knows no arguments.
void check_missing_words(const SortTarget& target) {
  const TextOrder& order = target.options.format.text;
  if (target.order.missing_words.empty()) return;
  const auto is_numeric = [](const TextKey& key) {
    return key.kind == TextKind::kNumber || key.kind == TextKind::kGeneralNumber || key.kind == TextKind::kHumanNumber;
  };
  const auto is_of_number = [](const Aggregate& aggregate) {
    using enum AggregateKind;
    return aggregate.kind == kSum || aggregate.kind == kMean || aggregate.kind == kMin || aggregate.kind == kMax;
  };
  const auto& grouping = target.options.grouping;
  if (std::ranges::any_of(order.keys, is_numeric)) return;
  if (grouping && std::ranges::any_of(grouping->aggregates, is_of_number)) return;
  throw ArgumentError(
      "na is for words where numbers are read: give a numeric key, for example 2,2n, or the sum of a column, or leave "
      "na "
      "out");
}

[[noreturn]] void refuse_name(const char* function, const std::string& name) {
  throw nb::type_error((std::string(function) + "() has no argument '" + without_controls(name) + "'").c_str());
}

template <class Target>
void apply(std::span<const NamedOption<Target>> table, const nb::dict& arguments, const char* function,
           Target& target) {
  for (const auto& [key, value] : arguments) {
    const std::string name = printable_text(key);
    const auto option = std::ranges::find(table, name, &NamedOption<Target>::name);
    if (option == table.end()) {
      refuse_name(function, name);
    }
    if (!value.is_none()) option->set(target, OptionValue(name, value));
  }
}

void set_sample_seed(SortTarget& target) {
  if (target.options.sample_records == 0) return;
  target.options.sample_seed = target.sample_seed ? *target.sample_seed : made_up_seed();
}

}  // namespace

SortOptions read_sort_options(const nb::dict& arguments, const char* function) {
  SortTarget target;
  apply<SortTarget>(sort_arguments(), arguments, function, target);
  target.options.format = make_format(target.order, target.options.unique, target.group.has_value());
  add_genome_header(target);
  if (target.group) {
    Grouping& grouping = target.options.grouping.emplace();
    for (const std::string& word : *target.group) {
      grouping.aggregates.push_back(
          parse_word_of("group", word, [&] { return parse_aggregate(word, target.options.format.text); }));
    }
  }
  check_missing_words(target);
  settle_header(target);
  target.options.seed_is_made_up = !target.order.random_seed;
  set_sample_seed(target);
  return std::move(target.options);
}

bool has_sort_option(const std::string& name) {
  const auto options = sort_arguments();
  return std::ranges::find(options, name, &NamedOption<SortTarget>::name) != options.end();
}

JoinOptions read_join_options(const nb::dict& arguments, const char* function) {
  nb::dict of_join;
  nb::dict of_sort;
  for (const auto& [key, value] : arguments) {
    const bool is_of_join = std::ranges::find(kJoinOptions, printable_text(key), &NamedOption<JoinTarget>::name) !=
                            std::ranges::end(kJoinOptions);
    (is_of_join ? of_join : of_sort)[key] = value;
  }
  JoinTarget target;
  target.options.sort = read_sort_options(of_sort, function);
  apply<JoinTarget>(kJoinOptions, of_join, function, target);
  std::string words;
  for (const std::string& word : target.right_keys) words.append(words.empty() ? "" : " ").append(word);
  target.options.right_keys = parse_word_of(
      "right_keys", words, [&] { return parse_right_keys(target.right_keys, target.options.sort.format.text); });
  return std::move(target.options);
}

SortOptions read_table_options(const nb::dict& arguments, const char* function) {
  SortTarget target;
  for (const auto& [key, value] : arguments) {
    const std::string name = printable_text(key);
    if (std::ranges::find(kNotForTables, name) != std::ranges::end(kNotForTables)) refuse_name(function, name);
  }
  apply<SortTarget>(sort_arguments(), arguments, function, target);
  set_sample_seed(target);
  return std::move(target.options);
}

ArrayOptions read_array_options(const nb::dict& arguments, const char* function) {
  ArrayOptions options;
  apply<ArrayOptions>(kArrayOptions, arguments, function, options);
  return options;
}

ArgsortOptions read_argsort_options(const nb::dict& arguments, const char* function) {
  ArgsortOptions options;
  apply<ArgsortOptions>(kArgsortOptions, arguments, function, options);
  return options;
}

}  // namespace sortie::python
