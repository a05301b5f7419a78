// sortie-inspect: shows the contents of a run file, and whether it is intact.
#include <cstdio>
#include <string>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "io/files/file_uses.hpp"
#include "tools/common/tool_command_line.hpp"
#include "tools/inspect/run_report.hpp"

namespace sortie::tools {
namespace {

namespace po = boost::program_options;

constexpr char kName[] = "sortie-inspect";
constexpr char kSummary[] =
    "Shows the header, totals and blocks of a run file of a sort. Header and footer are always checked.";

CommandLine describe_command_line() {
  CommandLine command_line{.name = kName,
                           .purpose = "show what a run file of a sort holds",
                           .form = "[OPTION]... RUNFILE",
                           .summary = kSummary,
                           .exit_status = "0 if nothing is wrong, 1 if --verify finds damage, 2 on any other trouble.",
                           .environment = "No variable has an effect.",
                           .files = "Run files lie in the directories of sortie --checkpoint and --form.",
                           .examples = {{"sortie-inspect --totals --verify /scratch/night/sortie-run-*",
                                         "is the run of a checkpoint intact?"}},
                           .operands = {"RUNFILE"}};
  command_line.options.add_options()("totals", po::bool_switch(), "leave the table of blocks out")(
      "verify", po::bool_switch(), "decode every block and check its checksum and record count");
  return command_line;
}

int report_damage(const RunFile& run_file) {
  const auto damage = ThreadTeam(available_threads()).run([&] { return find_damage(run_file); });
  for (const std::string& message : damage) print(stderr, std::string(kName) + ": " + message + "\n");
  if (!damage.empty()) return 1;
  print(stdout, "Verified: all blocks decode and match their checksums\n");
  return 0;
}

int inspect(int argc, const char* const* argv) {
  const auto values = parse_command_line(describe_command_line(), argc, argv);
  if (!values) return 0;
  const auto files = make_posix_file_system();
  const std::string path = required_operand(*values, "RUNFILE", kName);
  refuse_shared_targets(
      *files, {{FileUse::Kind::kTarget, "/dev/stdout", "the report"}, {FileUse::Kind::kInput, path, "the run file"}});
  const RunFile run_file = open_run_file(*files, path);
  print(stdout, describe_run(run_file));
  if (!(*values)["totals"].as<bool>()) print(stdout, describe_blocks(run_file.run));
  return (*values)["verify"].as<bool>() ? report_damage(run_file) : 0;
}

}  // namespace
}  // namespace sortie::tools

int main(int argc, char** argv) {
  return sortie::tools::run_tool("sortie-inspect", "raise the limit with ulimit -v",
                                 [&] { return sortie::tools::inspect(argc, argv); });
}
