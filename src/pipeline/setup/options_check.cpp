#include "pipeline/setup/options_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/caller_streams.hpp"
#include "option/contradictions.hpp"
#include "pipeline/parts/part_names.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/enumeration.hpp"
#include "record/text/missing_words.hpp"

namespace sortie {
namespace {

void refuse_nul(const std::string& path, const std::string& what) {
  if (path.find('\0') == std::string::npos) return;
  throw Error("the " + what + " " + quote_word(path) + " holds a NUL character: no file has such a name");
}

void refuse_nul(const std::vector<std::string>& paths, const std::string& what) {
  for (const std::string& path : paths) refuse_nul(path, what);
}

void check_paths(const SortOptions& options) {
  refuse_nul(options.inputs, "input");
  refuse_nul(options.output, "output");
  refuse_nul(options.scratch_directories, "scratch directory");
  refuse_nul(options.checkpoint_directory, "checkpoint directory");
  refuse_nul(options.trace_path, "trace file");
  refuse_nul(options.stats_json_path, "statistics file");
  refuse_nul(options.report_path, "report page");
  refuse_nul(options.parts.manifest_path, "manifest");
  refuse_nul(options.dropped_path, "list of dropped records");
  refuse_nul(options.compress_program.value_or(""), "compress program");
  refuse_nul(options.protected_files, "file in use for another purpose");
}

void check_devices(const std::vector<int>& devices) {
  for (const int device : devices) {
    if (device < 0) throw Error("there is no GPU " + std::to_string(device) + ": their numbers begin with 0");
    if (std::ranges::count(devices, device) > 1) {
      throw Error("GPU " + std::to_string(device) + " is named twice: name it once");
    }
  }
}

std::string range(int lowest, int highest) { return std::to_string(lowest) + " to " + std::to_string(highest); }

void check_output_level(const SortOptions& options) {
  const int level = options.output_level;
  if (level == 0) return;
  const std::string what = "an output level of " + std::to_string(level) + ": ";
  const CompressionFormat format = packed_format(options);
  if (format == CompressionFormat::kNone) {
    throw Error(what + "only an output whose name ends in " + packed_suffixes() + " is packed");
  }
  const int most = output_levels(format).most;
  if (level >= 1 && level <= most) return;
  throw Error(what + "for " + options.output.substr(options.output.rfind('.')) + " it is from " + range(1, most));
}

void check_index(const SortOptions& options) {
  if (!options.index) return;
  refuse_unknown(options.index->file, GenomeFile::kGtf, "file of a genome");
  refuse_unknown(options.index->form, IndexForm::kCsi, "form of an index");
  if (options.count || options.grouping || options.parts.are_wanted() || options.output_order == OutputOrder::kInput) {
    throw Error(
        "an index is of records as they are, in one file, by their places: ask for no counts, groups, parts or order "
        "of "
        "the input");
  }
  if (packed_format(options) == CompressionFormat::kBgzf) return;
  throw Error("an index is of a file that is BGZF: name the output so, for example " +
              quote_word((options.output == "-" ? "sorted" : options.output) + ".bgz"));
}

void check_ranges(const SortOptions& options) {
  refuse_unknown(options.engine, EngineChoice::kCpu, "engine");
  refuse_unknown(options.algorithm, Algorithm::kSplitRadix, "algorithm");
  refuse_unknown(options.compression, Compression::kZstd, "compression");
  refuse_unknown(options.key_filter, KeyFilter::kOnce, "filter of keys");
  refuse_unknown(options.set_operation, SetOperation::kSymmetric, "set operation");
  refuse_unknown(options.output_order, OutputOrder::kInput, "order of the output");
  refuse_unknown(options.progress, ProgressMode::kNever, "progress mode");
  if (options.compression_level < kLowestCompressionLevel || options.compression_level > kHighestCompressionLevel) {
    throw Error("a compression level of " + std::to_string(options.compression_level) + ": the level is from " +
                range(kLowestCompressionLevel, kHighestCompressionLevel));
  }
  if (options.unpack) format_of_output(options.output);
  for (const std::string& path : {options.stats_json_path, options.report_path, options.parts.manifest_path}) {
    if (options.unpack) refuse_packed_report(path);
  }
  check_output_level(options);
  check_index(options);
  if (options.merge_fan_in == 1) throw Error("a merge takes two runs at least: allow it more than one");
  if (options.memory_bytes != 0 && options.memory_bytes < kMinMemoryBytes) {
    throw Error("a memory budget of " + std::to_string(options.memory_bytes) + " bytes is too small: at least " +
                std::to_string(kMinMemoryBytes) + " are needed");
  }
}

/// The names of streams stand for no files.
void refuse_stream_name(const std::string& path, const SortOptions& options) {
  if ((options.source && path == kSourceName) || (options.sink && path == kSinkName)) {
    throw Error(quote_word(path) + " is what a stream of this sort is called: name the file ./" + path);
  }
}

void check_streams(const SortOptions& options) {
  for (const std::string& path : options.inputs) refuse_stream_name(path, options);
  for (const std::string& path : {options.output, options.trace_path, options.stats_json_path, options.report_path,
                                  options.parts.manifest_path, options.dropped_path}) {
    refuse_stream_name(path, options);
  }
  if (options.source && !options.inputs.empty()) throw Error("records come from a source and from inputs: choose one");
  if (options.sink && options.output != "-") throw Error("records go to a sink and to an output: choose one");
  if (options.source && options.source_identity.empty() && !options.checkpoint_directory.empty()) {
    throw Error("a sort with a checkpoint reads its inputs again: let it read files, or a source with an identity");
  }
}

void check_groups(const SortOptions& options) {
  Format format = options.format;
  if (format.kind != RecordKind::kLines || format.text.record_start) {
    throw Error("only lines, CSV and JSON Lines are grouped: ask for no groups of other records");
  }
  if (options.count) throw Error("groups have their counts as aggregates: ask for no other count");
  if (format.text.csv && format.text.keys.empty()) {
    throw Error("records of CSV are grouped by columns: give a key, for example by its name");
  }
  for (const Aggregate& aggregate : options.grouping->aggregates) {
    refuse_unknown(aggregate.kind, AggregateKind::kLast, "aggregate");
    if (aggregate.kind != AggregateKind::kCount) format.text.keys.push_back(aggregate.field);
  }
  validate(format);
}

void check_missing_words(const SortOptions& options) {
  const TextOrder& order = options.format.text;
  if (order.missing_words.empty()) return;
  if (reads_missing_words(order, options.grouping ? &*options.grouping : nullptr)) return;
  throw Error(
      "words for missing values count where numbers are read: give a numeric key, for example 2,2n, or the sum of a "
      "column, or leave the words out");
}

void check_sets(const SortOptions& options) {
  const std::uint64_t compared = options.set_inputs != 0 ? options.set_inputs : options.inputs.size();
  if (options.set_operation == SetOperation::kNone) {
    if (options.set_inputs == 0) return;
    throw Error("a number of sets without a set operation: leave it out, or say how they are compared");
  }
  if (options.inputs.size() > compared) throw Error("more inputs than sets: a part of a job has some of all inputs");
  if (compared < 2) throw Error("sets are compared: name two inputs at least");
  if (options.sample_records == 0) return;
  throw Error("a sample is drawn of all inputs together, not of sets: compare them beforehand");
}

void check_header(const SortOptions& options) {
  const bool by_prefix = !options.header_prefixes.empty();
  if (options.header_lines == 0 && !by_prefix) return;
  if (options.format.kind != RecordKind::kLines) {
    throw Error("records of format '" + to_string(options.format) + "' have no header lines: ask for none");
  }
  if (options.format.text.json) throw Error("JSON Lines have no header: ask for none");
  if (!by_prefix) return;
  if (options.header_lines > 0 && !options.format.text.csv) {
    throw Error("a header is told by its prefixes and by a number of lines: choose one");
  }
  for (const std::string& prefix : options.header_prefixes) {
    if (!prefix.empty() && prefix.find(options.format.delimiter) == std::string::npos) continue;
    throw Error("lines of a header cannot begin with " + quote_word(prefix) + ": give one character or more of a line");
  }
}

/// What is kept of equal records, and told of the others.
void check_kept(const SortOptions& options) {
  const bool are_lines = options.format.kind == RecordKind::kLines;
  if (options.keep_best) {
    if (!are_lines) throw Error("only of lines, CSV and JSON Lines the best is kept: let it be the first or the last");
    Format format = options.format;
    format.text.keys.push_back(*options.keep_best);
    validate(format);
  }
  if (options.dropped_path.empty()) return;
  if (!options.header_prefixes.empty()) {
    throw Error(
        "a list of dropped records has numbers, but how long the header of each input is shows in it alone: say how "
        "many lines it has");
  }
}

void check_counts(const SortOptions& options) {
  if (!options.count) return;
  if (options.format.kind != RecordKind::kLines)
    throw Error("records of format '" + to_string(options.format) + "' cannot be counted: only lines can");
  if (options.format.text.record_start) throw Error("records of several lines cannot be counted: count lines");
  if (options.format.text.csv) throw Error("records of CSV cannot be counted: with counts in front they are no CSV");
}

void check_keys_of_parts(const SortOptions& options) {
  const Parts& parts = options.parts;
  const bool by_shares = is_ordered_by_shares(options.format.text);
  if (options.format.shuffle && (parts.together || (parts.by_first_key && !by_shares))) {
    throw Error("a shuffle has no keys that parts could go by: cut its output by bytes or records");
  }
  const bool are_chained = options.output_order == OutputOrder::kInput || options.sample_records != 0;
  if (are_chained && (parts.together || parts.by_first_key)) {
    throw Error(
        "parts go by keys where one sort is all: cut samples and outputs in the order of the input by bytes or "
        "records");
  }
  if (options.sample_records != 0 && !parts.manifest_path.empty()) {
    throw Error("a manifest tells of keys, which a sample has none of when it is drawn: cut it without a manifest");
  }
  if (parts.by_first_key && parts.are_limited() && parts.together) {
    throw Error(
        "records with equal keys are kept together, or parts for values of a key may be only so large: not both");
  }
  const TextOrder& order = options.format.text;
  if (parts.by_first_key && (options.format.kind != RecordKind::kLines || order.keys.empty())) {
    throw Error("parts for values of a key are made of lines with keys: cut other records by bytes or number");
  }
}

void check_weights(const SortOptions& options) {
  const Parts& parts = options.parts;
  if (!parts.weight) {
    if (parts.most_weight != 0) throw Error("parts are cut by weights: say where records have theirs");
    return;
  }
  if (options.format.kind != RecordKind::kLines || options.format.text.record_start || options.grouping ||
      options.count) {
    throw Error("only lines, CSV and JSON Lines, as they were read, have weights: ask for none of other records");
  }
  if (parts.together) throw Error("parts that keep records with equal keys together have no weights: ask for none");
  Format format = options.format;
  format.shuffle = false;
  format.text.keys.push_back(*parts.weight);
  validate(format);
}

void check_parts(const SortOptions& options) {
  const Parts& parts = options.parts;
  if (!parts.are_wanted()) return;
  check_weights(options);
  if (parts.count > kMostParts) throw Error("more than " + std::to_string(kMostParts) + " parts: ask for fewer");
  if (options.sink || options.output == "-") {
    throw Error("parts are files: name them by an output with a place in it, such as 'part-{:04d}'");
  }
  static_cast<void>(PartNames(options.output, parts));
  check_keys_of_parts(options);
}

}  // namespace

void validate(const SortOptions& options) {
  validate(options.format);
  check_ranges(options);
  check_paths(options);
  check_devices(options.devices);
  check_streams(options);
  option::refuse_contradictions(options, option::Door::kLibrary);
  check_sets(options);
  check_header(options);
  check_missing_words(options);
  if (options.grouping) check_groups(options);
  check_kept(options);
  check_counts(options);
  check_parts(options);
}

void validate(const ArrayOptions& options) {
  refuse_unknown(options.engine, EngineChoice::kCpu, "engine");
  check_devices(options.devices);
}

void refuse_what_processes_cannot(const SortOptions& options) {
  option::refuse_beside_job(options, option::Door::kLibrary, "shard");
}

}  // namespace sortie
