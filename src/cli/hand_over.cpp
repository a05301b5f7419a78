#include "cli/hand_over.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sortie/error.hpp>

namespace sortie::cli {
namespace {

constexpr std::string_view kPrepare = "prepare";

/// The folder of this program; empty if the system does not say.
std::filesystem::path own_folder() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
}

}  // namespace

void hand_over(std::span<char*> arguments) {
  if (arguments.size() < 2 || kPrepare != arguments[1]) return;
  if (std::filesystem::path(arguments[0]).filename() == "sort") return;
  const std::string program = "sortie-" + std::string(kPrepare);
  std::vector<char*> words(arguments.begin() + 1, arguments.end());
  words.push_back(nullptr);
  const std::string beside = own_folder() / program;
  ::execv(beside.c_str(), words.data());
  ::execvp(program.c_str(), words.data());
  throw Error("the command " + program +
              " is not there: it comes with the Python package, pip install sortie-sort; a file of that name is ./" +
              std::string(kPrepare));
}

}  // namespace sortie::cli
