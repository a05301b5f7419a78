#include "cli/actions.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/join.hpp>
#include <sortie/sort.hpp>
#include <sortie/standard_descriptors.hpp>

#include "base/quote.hpp"
#include "cli/explain/explanation.hpp"
#include "cli/help/help_text.hpp"
#include "cli/self_test/self_test.hpp"
#include "cli/shard_actions.hpp"
#include "cli/signal_cleanup.hpp"
#include "record/text/annotate.hpp"

namespace sortie::cli {
namespace {

/// Raises the limit as far as the system allows, because inputs and runs are open at once. Failures are ignored: the
/// limit may be high enough.
void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Hides GPUs that are not used: waiting for them would take a quarter of a second each. `file`: a format knows itself
/// which names its files may have, and what the list of them tells.
SortOptions with_other_gpus_hidden(SortOptions options, const FileFormatOptions& file) {
  SortOptions seen = options;
  if (!file.format.empty() || file.by_content) {
    seen.unpack = false;
    seen.output_level = 0;
    seen.index.reset();
    if (seen.sample_records != 0) seen.parts.manifest_path.clear();
  }
  std::optional<NarrowedDevices> narrowed = narrow_devices(seen);
  if (!narrowed) return options;
  if (::setenv("CUDA_VISIBLE_DEVICES", narrowed->visible.c_str(), 1) != 0) {
    throw Error(std::string("cannot set CUDA_VISIBLE_DEVICES: ") + std::strerror(errno));
  }
  options.devices = std::move(narrowed->devices);
  return options;
}

/// Whether the sort writes files that may have temporary names.
bool has_target(const SortOptions& options) {
  return options.output != "-" || !options.trace_path.empty() || !options.stats_json_path.empty() ||
         !options.report_path.empty();
}

/// GNU sort asks for the sizes of its inputs, and so finds out that standard input is closed.
void refuse_closed_input(const SortOptions& options) {
  const bool reads_it = options.inputs.empty() || std::ranges::count(options.inputs, "-") != 0;
  if (reads_it && !options.merge_only && was_closed(STDIN_FILENO)) {
    throw Error(std::string("stat failed: -: ") + std::strerror(EBADF));
  }
}

/// Calls `describe`, which says what was done. The output is complete by now.
template <class Describe>
int report_output(const Diagnostics& diagnostics, const Describe& describe) {
  try {
    describe();
  } catch (const std::bad_alloc&) {
    diagnostics.error("memory exhausted: no statistics; the output is complete");
    return kExitTrouble;
  }
  return kExitSorted;
}

/// Annotations that are collected before they are printed: there is a line for each key.
constexpr std::size_t kPrintedBytes = 64 << 10;

/// `lines`: whole ones.
void print_annotated(std::string_view lines, char delimiter, const Annotator& annotator) {
  std::string annotations;
  for (std::size_t end; (end = lines.find(delimiter)) != std::string_view::npos;) {
    std::string annotation = annotator.annotated(lines.substr(0, end));
    lines.remove_prefix(end + 1);
    if (annotations.size() + annotation.size() > kPrintedBytes) {
      print(annotations);
      annotations = std::move(annotation);
    } else {
      annotations += annotation;
    }
  }
  print(annotations);
}

/// Sorts lines and writes them, each followed by its annotation, to standard output.
SortReport sort_annotated(SortOptions options) {
  options.output = "-";
  // Made when the sort has found that the options are right.
  options.sink = [format = options.format,
                  annotator = std::optional<Annotator>()](std::span<const std::byte> records) mutable {
    if (!annotator) annotator.emplace(format.text);
    print_annotated({reinterpret_cast<const char*>(records.data()), records.size()}, format.delimiter, *annotator);
  };
  options.protected_files.push_back("/dev/stdout");
  return sort(options);
}

int run_sort(CommandLine command, const Diagnostics& diagnostics) {
  refuse_closed_input(command.options);
  TemporaryNames temporary_names;
  std::optional<SignalCleanup> cleanup;
  if (has_target(command.options)) cleanup.emplace(temporary_names, diagnostics.program());
  SortOptions options = with_other_gpus_hidden(std::move(command.options), command.file);
  options.temporary_names = &temporary_names;
  options.warn = [&](const Warning& warning) { diagnostics.warning(warning); };
  const SortReport report =
      command.action == Action::kSortAnnotated ? sort_annotated(options) : sort_files(options, command.file);
  return report_output(diagnostics, [&] {
    if (!report.device_failure.empty()) {
      diagnostics.warning("in the end the " + report.engine + " engine sorted: " + report.device_failure);
    }
    if (command.print_stats) print(to_text(report), stderr);
  });
}

std::string plan_text(const CommandLine& command) {
  return command.join ? plan(join_options(command))
                      : plan_files(with_other_gpus_hidden(command.options, command.file), command.file);
}

int run_join(const CommandLine& command, const Diagnostics& diagnostics) {
  refuse_closed_input(command.options);
  TemporaryNames temporary_names;
  std::optional<SignalCleanup> cleanup;
  if (has_target(command.options)) cleanup.emplace(temporary_names, diagnostics.program());
  JoinOptions options = join_options(command);
  options.sort.temporary_names = &temporary_names;
  options.sort.warn = [&](const Warning& warning) { diagnostics.warning(warning); };
  const JoinReport report = join(options);
  return report_output(diagnostics, [&] {
    if (command.print_stats) print(to_text(report), stderr);
  });
}

/// If an input cannot be opened, a check words the error otherwise than a sort, as GNU sort does.
std::optional<Disorder> find_disorder(const SortOptions& options, const FileFormatOptions& file) {
  try {
    return check_files(options, file);
  } catch (const FileError& error) {
    if (error.kind() == FileError::Kind::kOpenInput) throw Error("open failed: " + error.reason());
    throw;
  }
}

int run_check(const CommandLine& command, const Diagnostics& diagnostics) {
  SortOptions options = command.options;
  if (command.action == Action::kCheck) {
    options.warn = [&](const Warning& warning) { diagnostics.warning(warning); };
  }
  const std::optional<Disorder> disorder = find_disorder(options, command.file);
  if (!disorder) return kExitSorted;
  if (command.action == Action::kCheck) diagnostics.disorder(*disorder, command.options.format);
  // A message that could not be written is trouble.
  return std::ferror(stderr) != 0 ? kExitTrouble : kExitDisorder;
}

/// When such a text cannot be written, GNU sort says no more than that.
int run_print(const std::string& text) {
  if (const auto failure = write_text(text, stdout))
    throw Error(std::string("write error: ") + std::strerror(*failure));
  return kExitSorted;
}

/// The words on standard error are for people; programs read which file or what it is about.
int run_shard(const CommandLine& command, const Diagnostics& diagnostics) {
  try {
    return run_print(shard_action(command, diagnostics));
  } catch (const Error& error) {
    const std::string told = for_programs(error);
    if (!told.empty()) run_print(told);
    throw;
  }
}

std::string help_in(option::HelpForm form, std::string_view program) {
  switch (form) {
    case option::HelpForm::kText:
      return help_text(program);
    case option::HelpForm::kMan:
      return manual_page();
    case option::HelpForm::kBash:
      return bash_completion();
    case option::HelpForm::kZsh:
      return zsh_completion();
    case option::HelpForm::kFish:
      return fish_completion();
  }
  return {};
}

int test_installation(const CommandLine& command, const Diagnostics& diagnostics) {
  TemporaryNames temporary_names;
  const SignalCleanup cleanup(temporary_names, diagnostics.program());
  return run_self_test(command.options, temporary_names, [](std::string_view line) { print(line); }) ? kExitSorted
                                                                                                     : kExitTrouble;
}

}  // namespace

int run_action(CommandLine command, const Diagnostics& diagnostics) {
  for (const std::string& warning : command.warnings) diagnostics.error(warning);
  raise_open_file_limit();
  switch (command.action) {
    case Action::kSort:
    case Action::kSortAnnotated:
      return run_sort(std::move(command), diagnostics);
    case Action::kJoin:
      return run_join(command, diagnostics);
    case Action::kCheck:
    case Action::kCheckQuietly:
      return run_check(command, diagnostics);
    case Action::kPlan:
      return run_print(plan_text(command));
    case Action::kExplain:
      return run_print(explanation(command.options, command.join ? &*command.join : nullptr));
    case Action::kListColumns:
      return run_print(column_list(command.options));
    case Action::kFindHeader:
    case Action::kFormShard:
    case Action::kCutRun:
    case Action::kMergeSlices:
    case Action::kSplitRanges:
      return run_shard(command, diagnostics);
    case Action::kSelfTest:
      return test_installation(command, diagnostics);
    case Action::kHelp:
      return run_print(help_in(command.help_form, diagnostics.program()));
    case Action::kVersion:
      return run_print(version_text());
  }
  return kExitTrouble;
}

}  // namespace sortie::cli
