#include "option/request_format.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "option/locale_use.hpp"
#include "option/request_keys.hpp"
#include "option/small_files.hpp"

namespace sortie::option {
namespace {

std::string name_of(GenomeFile file) { return "{" + std::string(word_of(file)) + "}"; }

std::string separator_of(const Request& request) {
  const OrderRequest& order = request.order;
  const bool by_tabs = order.tsv || order.genome;
  if (by_tabs && !order.separator.empty() && order.separator != "\t") {
    if (order.genome) {
      request.refuse(name_of(*order.genome) + " has tabs between fields: leave {-t} out");
    }
    request.refuse("{tsv} has tabs between fields: leave {-t} out, or take {csv}");
  }
  if (by_tabs) return "\t";
  return order.csv && order.separator.empty() ? "," : order.separator;
}

/// How records lie in lines.
void set_lines(TextOrder& order, const Request& request) {
  const OrderRequest& asked = request.order;
  order.separator = separator_of(request);
  order.csv = asked.has_columns();
  order.quoting = asked.quoting.value_or(asked.tsv ? Quoting::kNone : Quoting::kCsv);
  order.quoting_is_assumed = asked.tsv && !asked.quoting;
  order.json = asked.jsonl;
  order.record_start = asked.lines.record_start;
}

void require_written_time(const Request& request, const TextOrder& order) {
  const Spec* const of_times = request.first_about(kOfTimes);
  if (of_times == nullptr) return;
  const bool is_python = request.door == Door::kPython;
  const std::string fault = fault_of_written_time(order, is_python ? "1,3:time" : "-k1,3:time");
  if (!fault.empty()) request.refuse("{" + std::string(of_times->long_name) + "} " + fault);
}

/// Keys of places come before all others, and those of alleles behind them.
void add_genome(TextOrder& order, const Request& request) {
  const OrderRequest& asked = request.order;
  if (!asked.genome) {
    if (asked.chromosomes) request.refuse("{chromosomes} needs {bed}, {vcf}, {gff} or {gtf}");
    return;
  }
  const std::string file = name_of(*asked.genome);
  if (request.door == Door::kPython && (asked.global != OrderingOptions{} || asked.locale.value_or(false))) {
    request.refuse(file +
                   " orders by place, as bytes: leave ordering, descending and locale out; a key has letters of "
                   "its own");
  }
  if (asked.global != OrderingOptions{}) {
    const std::string letters = asked.global.letters();
    request.refuse("options '-" + letters + "' do not go with " + file +
                   ", which orders by place: give them with a further key, for example -k4,4" + letters);
  }
  TextOrder genome = genome_order(*asked.genome, asked.chromosomes.value_or(ChromosomeOrder::kUsual));
  if (!asked.chromosome_list.empty()) genome.keys.front().names = read_chromosome_names(asked.chromosome_list);
  const auto alleles = std::ranges::find(genome.keys, TextKind::kAlleles, &TextKey::kind);
  genome.keys.insert(alleles, order.keys.begin(), order.keys.end());
  order.keys = std::move(genome.keys);
  order.comment_prefixes = std::move(genome.comment_prefixes);
  order.refused_prefixes = std::move(genome.refused_prefixes);
  order.last_resort = false;
}

void set_locale(TextOrder& order, const Request& request) {
  const OrderRequest& asked = request.order;
  const bool may_matter = request.door != Door::kPython && !order.json && !asked.genome;
  order.locale = asked.locale.value_or(may_matter && locale_matters(order));
  if (!order.locale || !order.keys.empty()) return;
  // Orders whole lines by the locale. Lines that it holds equal keep their order.
  TextKey whole_line;
  whole_line.descending = asked.global.descending;
  order.keys.push_back(whole_line);
  order.last_resort = false;
}

TextOrder text_order_of(const Request& request) {
  const OrderRequest& asked = request.order;
  const std::vector<KeyDefinition> keys = keys_of(request);
  TextOrder by_keys = make_text_order(keys, asked.global);
  TextOrder order = asked.lines;
  order.keys = std::move(by_keys.keys);
  order.last_resort_descending = by_keys.last_resort_descending;
  set_lines(order, request);
  add_genome(order, request);
  const bool one_of_equal_keys = request.options.unique || request.groups;
  if (asked.split_by) {
    add_split_key(order, request, request.options.unique || (order.csv && !asked.stable && !request.groups));
  }
  set_locale(order, request);
  if (asked.stable || one_of_equal_keys) order.last_resort = false;
  require_written_time(request, order);
  if (is_ordered_by_seed(order)) order.random_seed = asked_seed(request);
  return order;
}

void set_shuffle(Format& format, const Request& request) {
  const OrderRequest& asked = request.order;
  if (request.door == Door::kPython && asked.genome) {
    request.refuse(name_of(*asked.genome) + " orders by place: to shuffle, let format be lines and header_lines auto");
  }
  if (request.first_about(kOrders) != nullptr || (asked.split_by && !asked.shares)) {
    request.refuse("options that order do not go with {shuffle}: leave them or {shuffle} out");
  }
  if (!asked.fields.empty()) request.refuse("{field} does not go with {shuffle}: leave one of the two out");
  if (asked.shuffle_seed && asked.random_source) {
    request.refuse("{random-source} does not go with a seed of {shuffle}: give one of the two");
  }
  format.shuffle = true;
  set_lines(format.text, request);
  if (asked.split_by) add_split_key(format.text, request, false);
  format.text.random_seed = asked.shuffle_seed ? seed_of_text(*asked.shuffle_seed) : asked_seed(request);
  if (format.kind != RecordKind::kArray) format.fields.clear();
}

Format parsed_format(const Request& request) {
  if (request.door != Door::kPython) return parse_format(request.order.format);
  try {
    return parse_format(request.order.format);
  } catch (const Error& error) {
    const bool is_unknown = std::string_view(error.what()).starts_with("unknown format");
    throw ArgumentError(
        std::string(error.what()) +
        (is_unknown ? ", csv and tsv for lines with columns, jsonl for JSON Lines, bed, vcf, gff and gtf" : ""));
  }
}

void set_fields(Format& format, const Request& request) {
  if (request.order.fields.empty()) return;
  if (!format.fields.empty()) {
    request.refuse("{field} does not go with {format=" + request.order.format +
                   "}, which has its field: write {format=fixed:" + std::to_string(format.record_bytes) + "}");
  }
  format.fields = request.order.fields;
}

}  // namespace

std::optional<RandomSeed> asked_seed(const Request& request) {
  const OrderRequest& asked = request.order;
  if (asked.random_seed || !asked.random_source) return asked.random_seed;
  return read_random_seed(*asked.random_source);
}

Format format_of(const Request& request) {
  Format format = parsed_format(request);
  refuse_contradictory_forms(request, format);
  set_fields(format, request);
  if (request.order.delimiter) format.delimiter = *request.order.delimiter;
  if (request.order.shuffle) {
    set_shuffle(format, request);
  } else {
    if (format.kind == RecordKind::kLines) format.text = text_order_of(request);
    // Keys have a direction of their own.
    format.descending = request.order.global.descending && format.text.keys.empty();
  }
  validate(format);
  return format;
}

}  // namespace sortie::option
