#include "cli/options/order_options.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/input_names.hpp"
#include "cli/options/locale_use.hpp"
#include "cli/options/option_values.hpp"

namespace sortie::cli {
namespace {

void set_separator(OrderRequest& request, const std::string& word) {
  const std::string separator = parse_separator(word, request.as_gnu_sort);
  if (!request.separator.empty() && request.separator != separator) throw Error("incompatible tabs");
  request.separator = separator;
}

void set_random_source(OrderRequest& request, const std::string& path) {
  if (request.random_source && *request.random_source != path) throw Error("multiple random sources specified");
  request.random_source = path;
}

bool begins_with_digit(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

bool is_key_definition(const std::string& word) {
  try {
    parse_key_definition(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// GNU sort knows no types behind a colon: it takes the colon itself for the mistake, if nothing in front of it is one.
void refuse_stray_colon(const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || !is_key_definition(word.substr(0, colon))) return;
  throw Error("stray character in field spec: invalid field specification " + quote_word(word));
}

/// A word that is no KEYDEF waits until it is known whether columns have names.
void add_key(OrderRequest& request, const std::string& word) {
  request.key_words.push_back({request.keys.size(), word});
  try {
    request.keys.push_back(parse_key_definition(word));
    request.key_words.back().is_definition = true;
  } catch (const Error&) {
    if (request.as_gnu_sort) {
      refuse_stray_colon(word);
      if (begins_with_digit(word)) throw;
    }
    request.keys.emplace_back();
  }
}

/// Parses a word that could be the name of a column or a path, where neither is asked for: a KEYDEF, or an error.
KeyDefinition parse_unnamed_key(const OrderRequest& request, const std::string& word) {
  try {
    return parse_key_definition(word);
  } catch (const Error& error) {
    if (request.as_gnu_sort || begins_with_digit(word)) throw;
    const bool is_path = word.starts_with('.') || word.starts_with('[');
    throw Error(error.what() + std::string(is_path ? "; the path of a value needs --jsonl"
                                                   : "; the name of a column needs --csv or --tsv"));
  }
}

bool has_columns(const OrderRequest& request) { return request.csv || request.tsv; }

std::vector<KeyDefinition> all_keys(const OrderRequest& request) {
  std::vector<KeyDefinition> keys = request.keys;
  for (const OrderRequest::KeyWord& key : request.key_words) {
    if (request.jsonl) {
      keys[key.key] = parse_json_key(key.word);
    } else if (has_columns(request)) {
      keys[key.key] = parse_table_key(key.word);
    } else if (!key.is_definition) {
      keys[key.key] = parse_unnamed_key(request, key.word);
    }
  }
  return keys;
}

bool has_definition(const OrderRequest& request) {
  return request.keys.size() != request.key_words.size() ||
         std::ranges::any_of(request.key_words, &OrderRequest::KeyWord::is_definition);
}

void add_split_key(TextOrder& order, const OrderRequest& request, bool whole_line_counts) {
  OrderRequest key = request;
  key.keys.clear();
  key.key_words.clear();
  add_key(key, *request.split_by);
  if (request.jsonl && has_definition(key)) {
    throw Error("--split-by takes the path of a value with --jsonl, for example --split-by=.user.id");
  }
  add_first_key(order, all_keys(key).front(), whole_line_counts);
}

std::string name_of(GenomeFile file) { return file == GenomeFile::kBed ? "--bed" : "--vcf"; }

std::string separator_of(const OrderRequest& request) {
  const bool by_tabs = request.tsv || request.genome;
  if (by_tabs && !request.separator.empty() && request.separator != "\t") {
    if (request.genome) throw Error(name_of(*request.genome) + " has tabs between fields: leave -t out");
    throw Error("--tsv has tabs between fields: leave -t out, or take --csv");
  }
  if (by_tabs) return "\t";
  return request.csv && request.separator.empty() ? "," : request.separator;
}

void set_columns(TextOrder& order, const OrderRequest& request) {
  order.csv = has_columns(request);
  order.quoting = request.quoting.value_or(request.tsv ? Quoting::kNone : Quoting::kCsv);
  order.quoting_is_assumed = request.tsv && !request.quoting;
}

bool is_random(const TextKey& key) { return key.kind == TextKind::kRandom; }

void require_written_time(const TextOrder& order, const std::string& option) {
  const std::string fault = fault_of_written_time(order, "-k1,3:time");
  if (!fault.empty()) throw Error(option + " " + fault);
}

void set_year(TextOrder& order, const std::optional<int>& year) {
  if (!year) return;
  require_written_time(order, "--year");
  order.last_day = last_day_of_year(*year);
}

void set_zone(TextOrder& order, const std::optional<std::string>& zones) {
  if (!zones) return;
  require_written_time(order, "--zone");
  set_zones(order, *zones);
}

}  // namespace

Format make_shuffled(Format format, const OrderRequest& request) {
  if (request.orders()) throw Error("options that order do not go with --shuffle: leave them or --shuffle out");
  if (request.shuffle_seed && request.random_source) {
    throw Error("--random-source does not go with a seed of --shuffle: give one of the two");
  }
  format.shuffle = true;
  format.text.separator = separator_of(request);
  set_columns(format.text, request);
  format.text.json = request.jsonl;
  format.text.record_start = request.entry_start;
  format.text.random_seed =
      request.shuffle_seed ? seed_of_text(*request.shuffle_seed) : random_seed(request.random_source);
  if (format.kind != RecordKind::kArray) format.fields.clear();
  return format;
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

void apply_order_option(OrderRequest& request, const Argument& argument) {
  switch (argument.option->id) {
    case OptionId::kKey:
      return add_key(request, argument.value);
    case OptionId::kFieldSeparator:
      return set_separator(request, argument.value);
    case OptionId::kRandomSource:
      return set_random_source(request, argument.value);
    case OptionId::kChromosomes:
      request.chromosomes = parse_chromosome_order(argument.value);
      return;
    case OptionId::kStable:
      request.stable = true;
      return;
    case OptionId::kYear:
      request.year = parse_year(argument.value);
      return;
    case OptionId::kZone:
      if (request.zones) throw Error("--zone is given twice: join both by a comma, as in --zone=CET=+01:00,MSK=+03:00");
      request.zones = argument.value;
      return;
    case OptionId::kSort:
      request.global.set(parse_sort_word(argument.value));
      return;
    default:
      request.global.set(argument.option->short_name);
  }
}

void apply_obsolete_key(OrderRequest& request, const Argument& argument) {
  const std::optional<KeyDefinition> key = parse_obsolete_key(argument.value, argument.key_end);
  if (!key) throw Error("invalid field specification " + quote_word(argument.value));
  request.keys.push_back(*key);
}

/// `order` behind the keys of a genome file.
void add_genome(TextOrder& order, const OrderRequest& request) {
  if (!request.genome) {
    if (request.chromosomes) throw Error("--chromosomes needs --bed or --vcf");
    return;
  }
  if (request.global != OrderingOptions{}) {
    throw Error("options '-" + request.global.letters() + "' do not go with " + name_of(*request.genome) +
                ", which orders by place: give them with a further key, for example -k4,4" + request.global.letters());
  }
  const TextOrder genome = genome_order(*request.genome, request.chromosomes.value_or(ChromosomeOrder::kNatural));
  order.keys.insert(order.keys.begin(), genome.keys.begin(), genome.keys.end());
  order.last_resort = false;
}

TextOrder make_order(const OrderRequest& request, bool unique, bool is_grouped) {
  if (request.jsonl && has_definition(request)) {
    throw Error("a key of --jsonl is the path of a value, for example --key=.user.id:n");
  }
  const std::vector<KeyDefinition> keys = all_keys(request);
  TextOrder order = make_text_order(keys, request.global);
  order.separator = separator_of(request);
  set_columns(order, request);
  order.record_start = request.entry_start;
  order.json = request.jsonl;
  order.missing_words = request.missing_words;
  add_genome(order, request);
  if (request.split_by) add_split_key(order, request, unique || (order.csv && !request.stable && !is_grouped));
  order.locale = !order.json && !request.genome && locale_matters(order);
  if (order.locale && order.keys.empty()) {
    // Orders whole lines by the locale. Lines that it holds equal keep their order.
    TextKey whole_line;
    whole_line.descending = request.global.descending;
    order.keys.push_back(whole_line);
    order.last_resort = false;
  }
  if (request.stable || unique || is_grouped) order.last_resort = false;
  set_year(order, request.year);
  set_zone(order, request.zones);
  if (std::ranges::any_of(order.keys, is_random)) order.random_seed = random_seed(request.random_source);
  return order;
}

}  // namespace sortie::cli
