// sortie: sorts files that are larger than memory.
#include <clocale>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "cli/actions.hpp"
#include "cli/command_line.hpp"
#include "cli/diagnostics.hpp"
#include "cli/standard_descriptors.hpp"
#include "cli/usage_error.hpp"

namespace {

constexpr char kMemoryExhausted[] = "memory exhausted: give less with -S/--buffer-size";

}  // namespace

int main(int argc, char** argv) {
  using namespace sortie::cli;
  const Diagnostics diagnostics(argc > 0 ? argv[0] : "sortie");
  try {
    occupy_closed_standard_descriptors();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that outgrows its limit is an error like others
    // A locale that is not installed leaves that of C.
    const bool locale_is_known = std::setlocale(LC_ALL, "") != nullptr;
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    CommandLine command = parse_command_line(words, diagnostics.name());
    if (!locale_is_known && !command.warnings.empty()) {
      command.warnings.insert(command.warnings.begin(), "failed to set locale");
    }
    return run_action(command, diagnostics);
  } catch (const ArgumentError& error) {
    diagnostics.usage_error(error.what());
    return kExitArgument;
  } catch (const UsageError& error) {
    diagnostics.usage_error(error.what());
  } catch (const std::bad_alloc&) {
    diagnostics.error(kMemoryExhausted);
  } catch (const sortie::MemoryError&) {
    diagnostics.error(kMemoryExhausted);
  } catch (const std::exception& error) {
    diagnostics.error(error.what());
  }
  return kExitTrouble;
}
