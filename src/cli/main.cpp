// sortie: sorts files that are larger than memory.
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/actions.hpp"
#include "cli/command_line.hpp"
#include "cli/diagnostics.hpp"
#include "cli/standard_descriptors.hpp"
#include "cli/usage_error.hpp"

int main(int argc, char** argv) {
  using namespace sortie::cli;
  const Diagnostics diagnostics(argc > 0 ? argv[0] : "sortie");
  try {
    occupy_closed_standard_descriptors();
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return run_action(parse_command_line(words), diagnostics);
  } catch (const UsageError& error) {
    diagnostics.usage_error(error.what());
  } catch (const std::bad_alloc&) {
    diagnostics.error("memory exhausted: give less with -S/--buffer-size");
  } catch (const std::exception& error) {
    diagnostics.error(error.what());
  }
  return kExitTrouble;
}
