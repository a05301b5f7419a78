#include "pipeline/setup/chain_shape.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "pipeline/input/shared_header.hpp"
#include "pipeline/setup/option_fields.hpp"

namespace sortie {
namespace {

bool drops_equal_records(const SortOptions& options) {
  return options.unique || options.count || options.key_filter != KeyFilter::kAll;
}

Format shuffled(Format format, const std::optional<RandomSeed>& seed) {
  TextOrder text;
  text.separator = format.text.separator;
  text.csv = format.text.csv;
  text.quoting = format.text.quoting;
  text.json = format.text.json;
  text.record_start = format.text.record_start;
  text.random_seed = seed;
  format.text = std::move(text);
  format.shuffle = true;
  format.descending = false;
  if (format.kind != RecordKind::kArray) format.fields.clear();
  return format;
}

/// A later sort, which inherits options of these roles. `threads` and `memory_bytes`: for it.
SortOptions later_sort(const SortOptions& options, std::initializer_list<OptionRole> inherited, unsigned threads,
                       std::uint64_t memory_bytes) {
  SortOptions later = part_of_job(options, inherited);
  later.memory_bytes = std::max(memory_bytes, kMinMemoryBytes);
  later.threads = threads;
  return later;
}

}  // namespace

bool has_third_sort(const SortOptions& options) {
  return draws_sample(options) && (options.output_order == OutputOrder::kKeys || drops_equal_records(options));
}

unsigned chain_length(const SortOptions& options) {
  if (draws_sample(options)) return 3;
  return options.output_order == OutputOrder::kInput ? 2 : 1;
}

SortOptions first_of_chain(const SortOptions& options) {
  if (chain_length(options) == 1) return options;
  SortOptions first = options;
  first.top_records = options.sample_records;
  if (!draws_sample(options)) return first;
  first.header_lines = header_records(options);
  first.format = shuffled(options.format, options.sample_seed);
  first.unique = first.count = first.keep_last = false;
  first.keep_best.reset();
  first.key_filter = KeyFilter::kAll;
  return first;
}

SortOptions second_of_chain(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes) {
  SortOptions second = later_sort(options, {OptionRole::kMachine}, threads, memory_bytes);
  second.format.kind = RecordKind::kPrefixed;
  second.engine = EngineChoice::kCpu;
  // One more than that for the header.
  if (!has_third_sort(options) && options.top_records != 0) second.top_records = options.top_records + 1;
  return second;
}

SortOptions third_of_chain(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes) {
  using enum OptionRole;
  SortOptions third = later_sort(options, {kRecords, kSelection, kMachine, kEngine}, threads, memory_bytes);
  third.header_lines = header_records(options);
  third.sample_records = 0;
  return third;
}

std::uint64_t share_of_chain(std::uint64_t budget_bytes, unsigned chain_length) {
  return chain_length == 1 ? budget_bytes : std::max(kMinMemoryBytes, budget_bytes / chain_length);
}

}  // namespace sortie
