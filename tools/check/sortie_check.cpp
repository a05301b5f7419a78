// sortie-check: checks whether a file is sorted, and whether its records are those of the input.
#include <cstdio>
#include <string>

#include "io/files/file_uses.hpp"
#include "io/input/open_input.hpp"
#include "tools/check/check_options.hpp"
#include "tools/check/file_scan.hpp"
#include "tools/check/summary.hpp"
#include "tools/common/record_checksum.hpp"
#include "tools/common/tool_command_line.hpp"
#include "tools/common/tool_output.hpp"

namespace sortie::tools {
namespace {

constexpr int kInOrder = 0;
constexpr int kOutOfOrder = 1;

Tally scan_file(FileSystem& files, const std::string& path, const CheckedOrder& order, const ScanOptions& options) {
  const auto warn = [](const std::string& message) {
    std::fprintf(stderr, "sortie-check: warning: %s\n", message.c_str());
  };
  const Unpacking unpacking =
      !order.layout().prefixed() && order.layout().delimited() ? Unpacking::kByMagic : Unpacking::kIfSure;
  return scan_input(*open_input(files, path, unpacking, kMaxWindowBytes, warn), order, options);
}

std::string describe_contents(const Tally& tally) {
  return "Records: " + std::to_string(tally.records) + "\nChecksum: " + checksum_to_hex(tally.checksum) + "\n";
}

int report_order(const Tally& tally) {
  if (tally.unordered != 0) {
    print(stderr, "First unordered record is record " + std::to_string(tally.first_unordered) + "\n" +
                      describe_contents(tally) + "ERROR - there are " + std::to_string(tally.unordered) +
                      " unordered records\n");
    return kOutOfOrder;
  }
  print(stderr, describe_contents(tally) + "Duplicate keys: " + std::to_string(tally.duplicates) +
                    "\nSUCCESS - all records are in order\n");
  return kInOrder;
}

int report_difference(const Summary& output, const Summary& input) {
  if (const auto difference = describe_difference(output, input)) {
    print(stderr, "ERROR - " + *difference + "\n");
    return kOutOfOrder;
  }
  print(stderr, "SUCCESS - the records are those of the input\n");
  return kInOrder;
}

/// Throws Error if the summary would overwrite the file that is checked.
void refuse_summary_over_file(FileSystem& files, const CheckOptions& options) {
  const std::string& path = options.summary_path;
  refuse_shared_targets(files, {{FileUse::Kind::kTarget, path == "-" ? "/dev/stdout" : path, "the summary"},
                                {FileUse::Kind::kInput, options.file, "the file that is checked"}});
}

int sum_up(FileSystem& files, const CheckOptions& options, const CheckedOrder& order) {
  refuse_summary_over_file(files, options);
  const Tally tally =
      scan_file(files, options.file, order, {.depth = ScanDepth::kContents, .threads = options.threads});
  write_summary(files, options.summary_path, make_summary(order.layout(), tally));
  print(stderr, describe_contents(tally));
  return kInOrder;
}

Summary sum_up_inputs(FileSystem& files, const CheckOptions& options, const CheckedOrder& order) {
  Tally total;
  for (const std::string& input : options.inputs) {
    total += scan_file(files, input, order, {.depth = ScanDepth::kContents, .threads = options.threads});
  }
  return make_summary(order.layout(), total);
}

int check(int argc, const char* const* argv) {
  const std::optional<CheckOptions> options = parse_check_options(argc, argv);
  if (!options) return kInOrder;
  const CheckedOrder order(options->format);
  const auto files = make_posix_file_system();
  if (!options->summary_path.empty()) return sum_up(*files, *options, order);

  const Tally tally = scan_file(*files, options->file, order, {.threads = options->threads});
  int status = report_order(tally);
  const Summary summary = make_summary(order.layout(), tally);
  if (!options->compare_path.empty()) status |= report_difference(summary, read_summary(*files, options->compare_path));
  if (!options->inputs.empty()) status |= report_difference(summary, sum_up_inputs(*files, *options, order));
  return status;
}

}  // namespace
}  // namespace sortie::tools

int main(int argc, char** argv) {
  return sortie::tools::run_tool("sortie-check", "use fewer threads with --threads",
                                 [&] { return sortie::tools::check(argc, argv); });
}
