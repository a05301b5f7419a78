#include "cli/options/input_names.hpp"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/small_file.hpp"

namespace sortie::cli {

std::vector<std::string> read_input_names(const std::string& path) {
  const auto unreadable = [&](int error_number) {
    const std::string complaint = "cannot read file names from " + quote_path_always(path);
    // GNU sort never says why. For something that cannot be a list at all, that is enough.
    const bool is_no_list = error_number == EISDIR || error_number == EBADF;
    return is_no_list ? complaint : complaint + ": " + std::strerror(error_number);
  };
  const std::string text = path == "-" ? read_standard_input(unreadable) : read_small_file(path, unreadable);
  std::vector<std::string> names;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    names.emplace_back(name);
  }
  if (names.empty()) throw Error("no input from " + quote_path_always(path));
  for (std::size_t i = 0; i < names.size(); ++i) {
    // This holds for any list, although the message speaks of standard input.
    if (names[i] == "-") {
      throw Error("when reading file names from stdin, no file name of '-' allowed");
    }
    if (names[i].empty()) {
      throw Error(quote_path(path) + ":" + std::to_string(i + 1) + ": invalid zero-length file name");
    }
  }
  return names;
}

}  // namespace sortie::cli
