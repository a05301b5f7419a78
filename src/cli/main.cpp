// sortie: sorts files that are larger than memory.
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/standard_descriptors.hpp>

#include "cli/actions.hpp"
#include "cli/diagnostics.hpp"
#include "cli/hand_over.hpp"
#include "cli/options/command_line.hpp"
#include "cli/process_memory.hpp"
#include "option/door.hpp"

namespace {

constexpr char kMemoryExhausted[] = "memory exhausted: give less with -S/--buffer-size";

int run(std::span<char*> arguments) {
  using namespace sortie::cli;
  const Diagnostics diagnostics(arguments.empty() ? "sortie" : arguments[0]);
  try {
    sortie::occupy_closed_standard_descriptors();
    hand_over(arguments);
    std::signal(SIGXFSZ, SIG_IGN);  // a file that outgrows its limit is an error like others
    // If the locale is not installed, that of C stays.
    const bool locale_is_known = std::setlocale(LC_ALL, "") != nullptr;
    const std::vector<std::string> words(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    CommandLine command = parse_command_line(words, diagnostics.name());
    if (!locale_is_known && !command.warnings.empty()) {
      command.warnings.insert(command.warnings.begin(), "failed to set locale");
    }
    return run_action(std::move(command), diagnostics);
  } catch (const sortie::option::WordError& error) {
    diagnostics.usage_error(error.what());
    return kExitArgument;
  } catch (const sortie::option::UsageError& error) {
    diagnostics.usage_error(error.what());
  } catch (const sortie::FileError& error) {
    diagnostics.file_error(error);
  } catch (const std::bad_alloc&) {
    diagnostics.error(kMemoryExhausted);
  } catch (const sortie::MemoryError&) {
    diagnostics.error(kMemoryExhausted);
  } catch (const sortie::Error& error) {
    diagnostics.error(error);
  } catch (const std::exception& error) {
    diagnostics.error(error.what());
  }
  return kExitTrouble;
}

/// Called where no handler of an exception is reached: destructors of nlohmann's values take memory, and when there is
/// none, what they throw goes no further.
[[noreturn]] void terminate() noexcept {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    const auto tell = [](std::string_view words) { return ::write(STDERR_FILENO, words.data(), words.size()) >= 0; };
    static_cast<void>(tell("sortie: ") && tell(kMemoryExhausted) && tell("\n"));
    ::_exit(sortie::cli::kExitTrouble);
  } catch (...) {
  }
  __gnu_cxx::__verbose_terminate_handler();
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(&terminate);
  sortie::cli::set_up_allocator();
  sortie::cli::size_thread_stacks();
  return sortie::cli::run_with_stack([&] { return run({argv, static_cast<std::size_t>(argc)}); });
}
