#include "cli/options/shard_options.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/request.hpp"

namespace sortie::cli {
namespace {

std::uint64_t parse_number(std::string_view word, const std::string& option, std::uint64_t least,
                           std::uint64_t greatest) {
  const std::optional<std::uint64_t> number = whole_number<std::uint64_t>(word);
  if (number && *number >= least && *number <= greatest) return *number;
  throw Error(option + ": " + quote_word(word) + " is no number from " + std::to_string(least) + " to " +
              std::to_string(greatest));
}

void refuse_without(bool is_there, const char* option, const char* needed) {
  if (!is_there) throw Error(std::string(option) + " needs " + needed);
}

void refuse_with(bool is_there, const std::string& option, const char* other) {
  if (is_there) refuse_together(option, other);
}

/// The option that says what is to be done. Throws Error for two of them, and for those that need another.
std::string mode_of(const Request& request) {
  const bool forms = request.shard_directory.has_value();
  const bool cuts = request.bounds.has_value();
  const bool merges = request.slice_plan.has_value();
  refuse_with(forms && cuts, "--form", "--cut");
  refuse_with(forms && merges, "--form", "--merge-runs");
  refuse_with(cuts && merges, "--cut", "--merge-runs");
  const bool tells_header = request.shared_header && request.shared_header->empty();
  refuse_with(tells_header && forms, "--form", "--shared-header without a file");
  if (!forms) {
    refuse_without(!request.bytes && !request.samples, request.bytes ? "--bytes" : "--samples", "--form");
    refuse_without(!request.shared_header || tells_header, "--shared-header=FILE", "--form");
    refuse_with(tells_header && cuts, "--shared-header", "--cut");
    refuse_with(tells_header && merges, "--shared-header", "--merge-runs");
  }
  refuse_without(!request.place || forms || cuts, "--place", "--form or --cut");
  return forms ? "--form" : cuts ? "--cut" : tells_header ? "--shared-header" : "--merge-runs";
}

void refuse_other_tasks(const Request& request, const std::string& mode) {
  refuse_with(request.options.merge_only, mode, "--merge");
  refuse_with(request.options.set_operation != SetOperation::kNone, mode, "sets");
  refuse_with(request.join.kind.has_value(), mode, "--join");
  refuse_with(request.check != CheckMode::kNo, mode, "--check");
  refuse_with(request.plan, mode, "--plan");
  refuse_with(request.debug, mode, "--debug");
  refuse_with(!request.options.checkpoint_directory.empty(), mode, "--checkpoint");
  refuse_with(request.compress_program.has_value(), mode, "--compress-program");
  refuse_with(request.print_stats, mode, "--stats");
  refuse_with(!request.options.stats_json_path.empty(), mode, "--stats-json");
  refuse_with(!request.options.report_path.empty(), mode, "--report");
}

ShardRequest shard_request_of(const Request& request) {
  const ByteRange bytes = request.bytes.value_or(ByteRange());
  ShardRequest shard;
  shard.directory = *request.shard_directory;
  shard.begin = bytes.begin;
  shard.end = bytes.end;
  shard.place = request.place.value_or(0);
  shard.most_samples = request.samples.value_or(shard.most_samples);
  return shard;
}

}  // namespace

ByteRange parse_byte_range(std::string_view word) {
  const std::size_t dash = word.find('-');
  const std::optional<std::uint64_t> begin = whole_number<std::uint64_t>(word.substr(0, dash));
  ByteRange range;
  if (dash != std::string_view::npos && begin) {
    range.begin = *begin;
    if (dash + 1 == word.size()) return range;
    range.end = whole_number<std::uint64_t>(word.substr(dash + 1));
    if (range.end && *range.end >= range.begin) return range;
  }
  throw Error("--bytes: " + quote_word(word) + " is no range of bytes: write A-B, or A- up to the end");
}

std::uint64_t parse_place(std::string_view word) {
  return parse_number(word, "--place", 0, (std::uint64_t{1} << 56) - 1);
}

std::uint64_t parse_sample_count(std::string_view word) { return parse_number(word, "--samples", 1, 1'000'000); }

std::optional<std::uint64_t> take_output_offset(std::string& output) {
  const std::size_t at = output.rfind('@');
  if (at == std::string::npos || at == 0) return std::nullopt;
  const std::string_view digits = std::string_view(output).substr(at + 1);
  if (digits.empty()) {
    output.resize(at);
    return std::nullopt;
  }
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const std::optional<std::uint64_t> offset = whole_number<std::uint64_t>(digits);
  if (!offset) throw Error("-o: the offset " + quote_word(digits) + " is too large for any file");
  output.resize(at);
  return offset;
}

ShardTask shard_task_of(const Request& request) {
  const bool forms = request.shard_directory.has_value();
  const bool cuts = request.bounds.has_value();
  const std::string mode = mode_of(request);
  refuse_other_tasks(request, mode);
  ShardTask task;
  if (mode == "--shared-header") {
    refuse_with(request.output.has_value(), mode, "-o");
    refuse_without(!request.options.inputs.empty(), "--shared-header", "a file");
    return task;
  }
  if (mode == "--merge-runs") {
    refuse_without(request.output.has_value(), "--merge-runs", "-o FILE");
    if (request.output == "-" || request.output == "/dev/stdout") {
      throw Error("--merge-runs prints its report on standard output: name another with -o");
    }
    refuse_with(!request.options.inputs.empty(), mode, "input files");
    task.file = *request.slice_plan;
    return task;
  }
  refuse_with(forms && request.output.has_value(), mode, "-o");
  const bool takes_several = forms ? !request.bytes : request.output.has_value();
  if (request.options.inputs.empty() || (request.options.inputs.size() > 1 && !takes_several)) {
    const std::string needing = forms ? request.bytes ? "--bytes" : mode : takes_several ? mode : mode + " without -o";
    throw Error(needing + " needs " + (takes_several ? "a file" : "one file"));
  }
  if (cuts) {
    task.file = *request.bounds;
    task.run = request.place.value_or(0);
    if (request.output) task.cuts_file = *request.output == "-" ? "./-" : *request.output;
  } else {
    task.shard = shard_request_of(request);
    task.file = request.shared_header.value_or("");
  }
  return task;
}

}  // namespace sortie::cli
