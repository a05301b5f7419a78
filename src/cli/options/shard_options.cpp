#include "cli/options/shard_options.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "option/contradictions.hpp"

namespace sortie::cli {
namespace {

using option::Request;

void refuse_without(bool is_there, const std::string& option, const char* needed) {
  if (!is_there) throw Error(option + " needs " + needed);
}

/// Whether the first of the sorts that processes share has a random order that nobody has told.
bool lacks_seed(const SortOptions& options) {
  if (options.sample_records != 0) return !options.sample_seed;
  const Format& format = options.format;
  return (format.shuffle || is_ordered_by_seed(format.text)) && !format.text.random_seed;
}

void refuse_with(bool is_there, const std::string& option, const char* other) {
  if (is_there) {
    throw Error("options " + option + " and " + other + " are incompatible: leave one of the two out");
  }
}

/// The option that says what is to be done. Throws Error for two of them, and for those that need another.
std::string mode_of(const Request& request) {
  const bool forms = request.shards.directory.has_value();
  const bool cuts = request.shards.bounds.has_value();
  const bool merges = request.shards.slice_plan.has_value();
  const bool splits = request.shards.ranges_plan.has_value();
  refuse_with(splits && (forms || cuts || merges), "--split-ranges",
              forms  ? "--form"
              : cuts ? "--cut"
                     : "--merge-runs");
  refuse_with(forms && cuts, "--form", "--cut");
  refuse_with(forms && merges, "--form", "--merge-runs");
  refuse_with(cuts && merges, "--cut", "--merge-runs");
  const bool shows_header = request.shards.shared_header && request.shards.shared_header->empty();
  refuse_with(shows_header && forms, "--form", "--shared-header without a file");
  if (!forms) {
    refuse_without(!request.shards.bytes && !request.shards.samples, request.shards.bytes ? "--bytes" : "--samples",
                   "--form");
    refuse_without(!request.shards.shared_header || shows_header, "--shared-header=FILE", "--form");
    refuse_with(shows_header && cuts, "--shared-header", "--cut");
    refuse_with(shows_header && merges, "--shared-header", "--merge-runs");
    refuse_with(shows_header && splits, "--shared-header", "--split-ranges");
  }
  const bool is_chain = request.options.output_order == OutputOrder::kInput || request.options.sample_records != 0;
  refuse_without(!request.shards.by_place || is_chain, "--by-place", "--order=input or --sample");
  refuse_with(shows_header && request.shards.by_place, "--shared-header", "--by-place");
  refuse_without(!request.shards.by_place || forms || cuts || merges, "--by-place", "--form, --cut or --merge-runs");
  refuse_with(shows_header && request.shards.of_job, "--shared-header", "--of-job");
  refuse_without(!request.shards.of_job || forms || cuts || merges, "--of-job", "--form, --cut or --merge-runs");
  const bool knows_header = request.shards.shared_header || request.shards.by_place;
  refuse_without(!request.shards.of_job || !forms || knows_header, "--form with --of-job", "--shared-header=FILE");
  refuse_without(!request.shards.place || forms || cuts, "--place", "--form or --cut");
  refuse_without(!request.shards.side || forms || cuts, "--side", "--form or --cut");
  refuse_without(!request.shards.side || request.join.kind, "--side", "--join");
  refuse_without(!request.shards.side || forms || request.output, "--cut with --side", "-o FILE");
  refuse_with(shows_header && request.join.kind, "--shared-header without a file", "--join");
  refuse_without(!request.join.kind || request.shards.side || merges || splits,
                 forms ? "--join beside --form" : "--join beside --cut", "--side");
  if (splits) return "--split-ranges";
  return forms ? "--form" : cuts ? "--cut" : shows_header ? "--shared-header" : "--merge-runs";
}

ShardRequest shard_request_of(const Request& request) {
  const option::ByteRange bytes = request.shards.bytes.value_or(option::ByteRange());
  ShardRequest shard;
  shard.directory = *request.shards.directory;
  shard.begin = bytes.begin;
  shard.end = bytes.end;
  shard.position = request.shards.place.value_or(0);
  shard.most_samples = request.shards.samples.value_or(shard.most_samples);
  shard.is_of_job = request.shards.of_job;
  return shard;
}

}  // namespace

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
  const bool forms = request.shards.directory.has_value();
  const bool cuts = request.shards.bounds.has_value();
  const std::string mode = mode_of(request);
  option::refuse_beside_job(request, mode == "--split-ranges" ? "split of ranges" : "shard",
                            std::string_view(mode).substr(2));
  ShardTask task;
  task.by_place = request.shards.by_place;
  if (task.by_place) task.most_records = request.options.top_records;
  task.side = request.shards.side.value_or(JoinSide::kLeft);
  if (mode == "--shared-header") {
    refuse_with(request.output.has_value(), mode, "-o");
    refuse_without(!request.options.inputs.empty(), "--shared-header", "a file");
    return task;
  }
  if (mode == "--split-ranges") {
    task.file = *request.shards.ranges_plan;
    if (!request.file.format.empty()) {
      refuse_without(!request.options.inputs.empty(), "--split-ranges with --format=" + request.file.format,
                     "the input files");
      return task;
    }
    refuse_without(request.options.parts.are_wanted(), "--split-ranges",
                   "--split, --split-size, --split-records or --split-by");
    refuse_with(!request.options.inputs.empty(), mode, "input files");
    return task;
  }
  if (mode == "--merge-runs") {
    refuse_without(request.output.has_value(), "--merge-runs", "-o FILE");
    if (request.output == "-" || request.output == "/dev/stdout") {
      throw Error("--merge-runs prints its report on standard output: name another with -o");
    }
    refuse_with(!request.join.kind && !request.options.inputs.empty(), mode, "input files");
    task.file = *request.shards.slice_plan;
    return task;
  }
  refuse_with(forms && request.output.has_value(), mode, "-o");
  refuse_without(!forms || task.by_place || !lacks_seed(request.options), "--form in a random order",
                 "--random-source=FILE, the same file for all shards");
  const bool takes_several = forms ? !request.shards.bytes || !request.file.format.empty() : request.output.has_value();
  if (request.options.inputs.empty() || (request.options.inputs.size() > 1 && !takes_several)) {
    const std::string needing = forms           ? request.shards.bytes ? "--bytes" : mode
                                : takes_several ? mode
                                                : mode + " without -o";
    throw Error(needing + " needs " + (takes_several ? "a file" : "one file"));
  }
  if (cuts) {
    task.file = *request.shards.bounds;
    task.run = request.shards.place.value_or(0);
    if (request.output) task.cuts_file = *request.output == "-" ? "./-" : *request.output;
  } else {
    task.shard = shard_request_of(request);
    task.file = request.shards.shared_header.value_or("");
  }
  return task;
}

}  // namespace sortie::cli
