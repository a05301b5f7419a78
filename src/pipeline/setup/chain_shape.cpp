#include "pipeline/setup/chain_shape.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "pipeline/input/shared_header.hpp"

namespace sortie {
namespace {

bool draws_sample(const SortOptions& options) { return options.sample_records != 0; }

bool drops_equal_records(const SortOptions& options) {
  return options.unique || options.count || options.key_filter != KeyFilter::kAll;
}

Format shuffled(Format format, const std::array<std::byte, 16>& seed) {
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

/// What later sorts share with the first: how they use the machine, and whom they tell what.
SortOptions later_sort(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes) {
  SortOptions later;
  later.verify = options.verify;
  later.strict = options.strict;
  later.memory_bytes = std::max(memory_bytes, kMinMemoryBytes);
  later.merge_fan_in = options.merge_fan_in;
  later.scratch_directories = options.scratch_directories;
  later.threads = threads;
  later.compression = options.compression;
  later.compression_level = options.compression_level;
  later.compress_program = options.compress_program;
  later.stop = options.stop;
  later.warn = options.warn;
  later.temporary_names = options.temporary_names;
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

RecordForm form_of_first(const SortOptions& options) {
  return chain_length(options) > 1 ? RecordForm::kPlaced : RecordForm::kPlain;
}

SortOptions first_of_chain(const SortOptions& options) {
  if (chain_length(options) == 1) return options;
  SortOptions first = options;
  first.top_records = options.sample_records;
  if (!draws_sample(options)) return first;
  first.header_lines = header_records(options);
  first.format = shuffled(options.format, options.sample_seed);
  first.unique = first.count = first.keep_last = false;
  first.key_filter = KeyFilter::kAll;
  // Most records go no further than to where they are read.
  first.engine = EngineChoice::kCpu;
  return first;
}

SortOptions second_of_chain(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes) {
  SortOptions second = later_sort(options, threads, memory_bytes);
  second.format.kind = RecordKind::kPrefixed;
  second.engine = EngineChoice::kCpu;
  // One more than that for the header.
  if (!has_third_sort(options) && options.top_records != 0) second.top_records = options.top_records + 1;
  return second;
}

SortOptions third_of_chain(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes) {
  SortOptions third = later_sort(options, threads, memory_bytes);
  third.format = options.format;
  third.header_lines = header_records(options);
  third.header_prefixes = options.header_prefixes;
  third.unique = options.unique;
  third.keep_last = options.keep_last;
  third.count = options.count;
  third.key_filter = options.key_filter;
  third.output_order = options.output_order;
  third.top_records = options.top_records;
  third.engine = options.engine;
  third.devices = options.devices;
  third.all_devices = options.all_devices;
  third.device_memory_bytes = options.device_memory_bytes;
  third.algorithm = options.algorithm;
  return third;
}

std::uint64_t share_of_chain(std::uint64_t budget_bytes, unsigned chain_length) {
  return chain_length == 1 ? budget_bytes : std::max(kMinMemoryBytes, budget_bytes / chain_length);
}

}  // namespace sortie
