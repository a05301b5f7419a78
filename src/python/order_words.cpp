#include "python/order_words.hpp"

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "python/option_value.hpp"

namespace sortie::python {
namespace {

bool is_json(const OrderWords& words) { return words.format == "jsonl"; }

/// Whether the format is a way to read lines, which the library knows as an order of these.
bool is_form_of_lines(const OrderWords& words) { return has_columns(words) || is_json(words) || genome_file(words); }

KeyDefinition parse_key(const std::string& word, const OrderWords& words) {
  if (is_json(words)) return parse_json_key(word);
  return has_columns(words) ? parse_table_key(word) : parse_key_definition(word);
}

OrderingOptions global_options(const OrderWords& words) {
  OrderingOptions options;
  for (const char letter : words.ordering) {
    if (letter == 'r' || !options.set(letter)) {
      throw invalid_value(words.ordering, "ordering",
                          std::string("known are the letters b, d, f, g, h, i, M, n, R, V") +
                              (letter == 'r' ? "; for r say descending=True" : ""));
    }
  }
  options.descending = words.descending;
  return options;
}

void require_written_time(const TextOrder& order, const std::string& word) {
  const std::string fault = fault_of_written_time(order, "1,3:time");
  if (!fault.empty()) throw ArgumentError(word + " " + fault);
}

/// The keys of the file of a genome come before those of the words.
void add_genome(TextOrder& order, const OrderWords& words) {
  const std::optional<GenomeFile> file = genome_file(words);
  if (!file && words.chromosomes) throw ArgumentError("chromosomes is for the formats bed and vcf: leave it out");
  if (!file) return;
  if (!words.ordering.empty() || words.descending || words.locale) {
    throw ArgumentError(
        "format " + words.format +
        " orders by place, as bytes: leave ordering, descending and locale out; a key has letters of its own");
  }
  const TextOrder genome = genome_order(*file, words.chromosomes.value_or(ChromosomeOrder::kNatural));
  order.keys.insert(order.keys.begin(), genome.keys.begin(), genome.keys.end());
  order.last_resort = false;
}

/// How lines and their fields end.
void set_lines(TextOrder& order, const OrderWords& words) {
  order.csv = has_columns(words);
  if (words.quoting && !order.csv) throw Error("quote is for the formats csv and tsv: leave it out");
  order.quoting = words.quoting.value_or(words.format == "tsv" ? Quoting::kNone : Quoting::kCsv);
  order.quoting_is_assumed = words.format == "tsv" && !words.quoting;
  order.record_start = words.entry_start;
  order.json = is_json(words);
  order.missing_words = words.missing_words;
  if (genome_file(words) && !words.separator.empty() && words.separator != "\t") {
    throw ArgumentError("fields of format " + words.format + " are separated by tabs: leave separator out");
  }
  order.separator = genome_file(words) ? "\t" : words.separator;
  if (order.csv && words.separator.empty()) order.separator = words.format == "tsv" ? '\t' : ',';
}

TextOrder make_text(const OrderWords& words, bool unique, bool is_grouped) {
  std::vector<KeyDefinition> keys;
  for (const std::string& word : words.keys) {
    keys.push_back(parse_word_of("keys", word, [&] { return parse_key(word, words); }));
  }
  TextOrder order = make_text_order(keys, global_options(words));
  set_lines(order, words);
  add_genome(order, words);
  if (words.split_by) {
    const bool whole_line_counts = unique || (order.csv && !words.stable && !is_grouped);
    add_first_key(order, parse_word_of("split_by", *words.split_by, [&] { return parse_key(*words.split_by, words); }),
                  whole_line_counts);
  }
  order.locale = words.locale;
  if (order.locale && order.keys.empty()) {
    // Orders whole lines by the locale. Lines that it holds equal keep their order.
    TextKey whole_line;
    whole_line.descending = words.descending;
    order.keys.push_back(whole_line);
    order.last_resort = false;
  }
  if (words.stable || unique || is_grouped) order.last_resort = false;
  if (words.year) {
    require_written_time(order, "year");
    order.last_day = last_day_of_year(*words.year);
  }
  if (words.zones) {
    require_written_time(order, "zone");
    set_zones(order, *words.zones);
  }
  if (std::ranges::any_of(order.keys, [](const TextKey& key) { return key.kind == TextKind::kRandom; })) {
    order.random_seed = words.random_seed ? *words.random_seed : made_up_seed();
  }
  return order;
}

/// Columns are no format of the library but a way to read lines.
Format parse_format_word(const OrderWords& words) {
  if (is_form_of_lines(words)) return parse_format("lines");
  try {
    return parse_format(words.format);
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with("unknown format")) throw ArgumentError(error.what());
    throw ArgumentError(error.what() +
                        std::string(", csv and tsv for lines with columns, jsonl for JSON Lines, bed and vcf"));
  }
}

void refuse_words_for_lines(const OrderWords& words) {
  const auto refuse = [&](bool is_given, const char* name) {
    if (is_given)
      throw ArgumentError(std::string(name) + " is for lines: leave it out, or let the format be one of lines");
  };
  refuse(!words.keys.empty(), "keys");
  refuse(words.split_by.has_value(), "split_by");
  refuse(!words.ordering.empty(), "ordering");
  refuse(words.stable, "stable");
  refuse(words.locale, "locale");
  refuse(!words.separator.empty(), "separator");
  refuse(words.quoting.has_value(), "quote");
  refuse(words.chromosomes.has_value(), "chromosomes");
  refuse(words.delimiter.has_value(), "delimiter");
  refuse(words.random_seed.has_value(), "random_seed");
  refuse(words.year.has_value(), "year");
  refuse(words.zones.has_value(), "zone");
  refuse(!words.missing_words.empty(), "na");
  refuse(static_cast<bool>(words.entry_start), "entry_start");
}

void add_fields(Format& format, const OrderWords& words) {
  if (!format.fields.empty()) {
    throw ArgumentError("fields do not go with format " + words.format +
                        ", which has its field: let the format be fixed:" + std::to_string(format.record_bytes));
  }
  for (const std::string& word : words.fields) {
    format.fields.push_back(parse_word_of("fields", word, [&] { return parse_field(word); }));
  }
}

Format make_shuffled(Format format, const OrderWords& words) {
  if (genome_file(words)) {
    throw ArgumentError("format " + words.format +
                        " orders by place: to shuffle, let format be lines and header_lines auto");
  }
  if (!words.missing_words.empty()) throw ArgumentError("na is for numeric keys and sums: leave it out of a shuffle");
  if (words.year || words.zones) {
    throw ArgumentError("year and zone are for times in keys: leave them out of a shuffle");
  }
  if (!words.keys.empty() || words.split_by || !words.fields.empty() || !words.ordering.empty() || words.descending ||
      words.stable || words.locale) {
    throw ArgumentError(
        "shuffle leaves no order to ask for: leave keys, fields, ordering, descending, stable and locale out");
  }
  format.shuffle = true;
  if (format.kind == RecordKind::kLines) {
    set_lines(format.text, words);
    if (words.delimiter) format.delimiter = *words.delimiter;
  }
  if (format.kind != RecordKind::kArray) format.fields.clear();
  format.text.random_seed = words.random_seed ? *words.random_seed : made_up_seed();
  validate(format);
  return format;
}

}  // namespace

bool has_columns(const OrderWords& words) { return words.format == "csv" || words.format == "tsv"; }

std::optional<GenomeFile> genome_file(const OrderWords& words) {
  if (words.format == "bed") return GenomeFile::kBed;
  return words.format == "vcf" ? std::optional(GenomeFile::kVcf) : std::nullopt;
}

std::array<std::byte, 16> made_up_seed() {
  std::random_device device;
  std::array<std::byte, 16> seed;
  for (std::byte& byte : seed) byte = static_cast<std::byte>(device());
  return seed;
}

Format make_format(const OrderWords& words, bool unique, bool is_grouped) {
  Format format = parse_format_word(words);
  if (words.shuffle) return make_shuffled(std::move(format), words);
  if (format.kind == RecordKind::kLines) {
    if (!words.fields.empty())
      throw ArgumentError("fields are for records of fixed length: let the format be fixed:BYTES");
    format.text = make_text(words, unique, is_grouped);
    if (words.delimiter) format.delimiter = *words.delimiter;
  } else {
    refuse_words_for_lines(words);
    if (!words.fields.empty()) add_fields(format, words);
  }
  // Keys have a direction of their own.
  format.descending = words.descending && format.text.keys.empty();
  validate(format);
  return format;
}

}  // namespace sortie::python
