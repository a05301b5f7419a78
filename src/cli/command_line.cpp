#include "cli/command_line.hpp"

#include <cstdlib>
#include <optional>

#include <sortie/error.hpp>

#include "cli/argument_parser.hpp"
#include "cli/option_values.hpp"
#include "cli/usage_error.hpp"

namespace sortie::cli {
namespace {

enum class CheckMode : std::uint8_t { kNo, kDiagnose, kQuiet };

/// Options as they come, before it is known how they go together.
struct Request {
  SortOptions options;
  std::optional<std::string> output;
  std::vector<Field> fields;
  std::string format = "lines";
  CheckMode check = CheckMode::kNo;
  bool plan = false;
  bool help = false;
  bool version = false;
  bool reverse = false;
  bool zero_terminated = false;
  bool print_stats = false;
  std::string stats_json_path;
};

void set_output(Request& request, const std::string& path) {
  if (request.output && *request.output != path) throw Error("multiple output files specified");
  request.output = path;
}

void set_check(Request& request, CheckMode mode) {
  if (request.check != CheckMode::kNo && request.check != mode) throw UsageError("options -c and -C are incompatible");
  request.check = mode;
}

void set_compression(SortOptions& options, const std::string& word) {
  const CompressionChoice choice = parse_compression(word);
  options.compression = choice.compression;
  options.compression_level = choice.level;
}

void set_devices(SortOptions& options, const std::string& word) {
  const DeviceChoice choice = parse_devices(word);
  options.devices = choice.devices;
  options.all_devices = choice.all;
}

void apply(Request& request, const OptionSpec& option, const std::string& value) {
  SortOptions& options = request.options;
  switch (option.id) {
    case OptionId::kOutput:
      return set_output(request, value);
    case OptionId::kReverse:
      request.reverse = true;
      return;
    case OptionId::kUnique:
      options.unique = true;
      return;
    case OptionId::kStable:
      return;  // Every sort is.
    case OptionId::kMerge:
      options.merge_only = true;
      return;
    case OptionId::kCheckShort:
      return set_check(request, CheckMode::kDiagnose);
    case OptionId::kCheckQuietly:
      return set_check(request, CheckMode::kQuiet);
    case OptionId::kCheck:
      return set_check(request, parse_check_is_quiet(value) ? CheckMode::kQuiet : CheckMode::kDiagnose);
    case OptionId::kPlan:
      request.plan = true;
      return;
    case OptionId::kFormat:
      request.format = value;
      return;
    case OptionId::kField:
      request.fields.push_back(parse_field(value));
      return;
    case OptionId::kZeroTerminated:
      request.zero_terminated = true;
      return;
    case OptionId::kBufferSize:
      options.memory_bytes = parse_memory_size(value);
      return;
    case OptionId::kTemporaryDirectory:
      options.scratch_directories.push_back(value);
      return;
    case OptionId::kParallel:
      options.threads = parse_thread_count(value);
      return;
    case OptionId::kCompress:
      return set_compression(options, value);
    case OptionId::kEngine:
      options.engine = parse_engine(value);
      return;
    case OptionId::kDevices:
      return set_devices(options, value);
    case OptionId::kDeviceMemory:
      options.device_memory_bytes = parse_device_memory_size(value);
      return;
    case OptionId::kAlgorithm:
      options.algorithm = parse_algorithm(value);
      return;
    case OptionId::kVerify:
      options.verify = parse_verify(value);
      return;
    case OptionId::kProgress:
      options.progress = parse_progress(value);
      return;
    case OptionId::kStats:
      request.print_stats = true;
      return;
    case OptionId::kStatsJson:
      request.stats_json_path = value;
      return;
    case OptionId::kTrace:
      options.trace_path = value;
      return;
    case OptionId::kHelp:
      request.help = true;
      return;
    case OptionId::kVersion:
      request.version = true;
      return;
    case OptionId::kNotBuilt:
      throw Error("option " + display_name(option) + " is not built yet");
  }
}

void refuse_both(bool first, const char* first_name, bool second, const char* second_name) {
  if (first && second) {
    throw UsageError("options " + std::string(first_name) + " and " + second_name + " are incompatible");
  }
}

void refuse_contradictions(const Request& request) {
  const bool check = request.check != CheckMode::kNo;
  const char* check_name = request.check == CheckMode::kQuiet ? "-C" : "-c";
  refuse_both(check, check_name, request.output.has_value(), "-o");
  refuse_both(check, check_name, request.plan, "--plan");
  const std::vector<std::string>& inputs = request.options.inputs;
  if (check && inputs.size() > 1) {
    throw UsageError("extra operand '" + inputs[1] + "' not allowed with " + check_name);
  }
  const char* idle_name = check ? check_name : "--plan";
  const bool idle = check || request.plan;
  refuse_both(idle, idle_name, request.print_stats, "--stats");
  refuse_both(idle, idle_name, !request.stats_json_path.empty(), "--stats-json");
  refuse_both(idle, idle_name, !request.options.trace_path.empty(), "--trace");
}

Format make_format(const Request& request) {
  Format format = parse_format(request.format);
  if (request.zero_terminated) {
    if (format.kind != RecordKind::kLines) throw Error("-z/--zero-terminated needs --format=lines");
    format.delimiter = '\0';
  }
  if (!request.fields.empty()) {
    if (!format.fields.empty()) {
      throw Error("--field does not go with --format=" + request.format +
                  ", which has its field: write --format=fixed:" + std::to_string(format.record_bytes));
    }
    format.fields = request.fields;
  }
  format.descending = request.reverse;
  validate(format);
  return format;
}

Action action_of(const Request& request) {
  if (request.check == CheckMode::kDiagnose) return Action::kCheck;
  if (request.check == CheckMode::kQuiet) return Action::kCheckQuietly;
  return request.plan ? Action::kPlan : Action::kSort;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words) {
  Request request;
  request.options.progress = ProgressMode::kAuto;
  for (const Argument& argument : parse_arguments(words, std::getenv("POSIXLY_CORRECT") != nullptr)) {
    if (argument.option == nullptr) {
      request.options.inputs.push_back(argument.value);
    } else {
      apply(request, *argument.option, argument.value);
    }
    if (request.help) return {Action::kHelp, {}, false, {}};
    if (request.version) return {Action::kVersion, {}, false, {}};
  }
  refuse_contradictions(request);
  request.options.format = make_format(request);
  if (request.output) request.options.output = *request.output;
  return {action_of(request), request.options, request.print_stats, request.stats_json_path};
}

}  // namespace sortie::cli
